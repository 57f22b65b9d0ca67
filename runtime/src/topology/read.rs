//! From what another process wrote back to a graph that can be drawn.

use super::{
    Facts, Fork, Lints, Origin, OriginData, Place, PlaceData, Role, Target, TargetData, Topology, TopologyData, WayKind, WhenData,
};

/// Data that is no graph: a name in it stands for nothing.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` stands for nothing in `{1}`")]
pub struct UnknownName(String, String);

impl TopologyData {
    /// The graph, to be drawn; its texts are kept until the process ends.
    ///
    /// What only the compiler asks of a graph is not in the data: the [`Facts`] of its places are [`Facts::NONE`], and
    /// nothing is denied.
    ///
    /// # Errors
    ///
    /// If a way names a place or an exit that the graph does not have, or a place has an unknown role.
    pub fn leak(&self) -> Result<&'static Topology, UnknownName> {
        let unknown = |name: &str| UnknownName(name.to_owned(), self.name.clone());
        let number = |at: Option<usize>, name: &str| at.and_then(|at| u16::try_from(at).ok()).ok_or_else(|| unknown(name));
        let place = |name: &str| number(self.places.iter().position(|place| place.name == name), name);
        let exit = |name: &str| number(self.exits.iter().position(|exit| exit == name), name);
        let places = self.places.iter().map(PlaceData::leak).collect::<Result<Vec<Place>, _>>()?;
        let forks = self.forks.iter().map(|fork| {
            let (router, by) = (fork.router.as_deref().map(leaked), fork.by.as_deref().map(leaked));
            Ok(Fork { kind: fork.kind, router, by, join: fork.join.as_deref().map(place).transpose()? })
        });
        let ways = self.ways.iter().map(|way| {
            let from = match &way.from {
                OriginData::Start => Origin::Start,
                OriginData::Place(name) => Origin::Place(place(name)?),
                OriginData::Fork(fork) => Origin::Fork(*fork),
                OriginData::Join(fork) => Origin::Join(*fork),
            };
            let to = match &way.to {
                TargetData::Place(name) => Target::Place(place(name)?),
                TargetData::Fork(fork) => Target::Fork(*fork),
                TargetData::Join(fork) => Target::Join(*fork),
                TargetData::End(name) => Target::End(exit(name)?),
                TargetData::Never => Target::Never,
            };
            Ok(super::Way { from, to, kind: way.when.leak() })
        });
        Ok(Box::leak(Box::new(Topology {
            name: leaked(&self.name),
            version: self.version,
            docs: leaked(&self.docs),
            file: leaked(&self.file),
            line: self.line,
            places: places.leak(),
            forks: forks.collect::<Result<Vec<_>, UnknownName>>()?.leak(),
            ways: ways.collect::<Result<Vec<_>, UnknownName>>()?.leak(),
            exits: self.exits.iter().map(|exit| leaked(exit)).collect::<Vec<_>>().leak(),
            steps: self.steps,
            endless: self.endless,
            unreachable: false,
            lints: Lints::NONE,
        })))
    }
}

impl PlaceData {
    fn leak(&self) -> Result<Place, UnknownName> {
        Ok(Place {
            name: leaked(&self.name),
            node: leaked(&self.node),
            title: self.title.as_deref().map(leaked),
            role: Role::of(&self.role).ok_or_else(|| UnknownName(self.role.clone(), self.name.clone()))?,
            asks: self.asks,
            pauses: self.pauses,
            docs: leaked(&self.docs),
            file: leaked(&self.file),
            line: self.line,
            needs_approval: self.needs_approval,
            approves: self.approves,
            notifies: false,
            facts: &Facts::NONE,
            graph: self.graph.as_ref().map(|graph| graph.leak()).transpose()?,
        })
    }
}

impl WhenData {
    fn leak(&self) -> WayKind {
        match self {
            Self::Always => WayKind::Always,
            Self::If { router, gate } => WayKind::If { router: leaked(router), gate: *gate },
            Self::Arm { router, label } => WayKind::Arm { router: router.as_deref().map(leaked), label: leaked(label) },
            Self::Else { at_most, label } => WayKind::Else { at_most: *at_most, label: leaked(label) },
            Self::Branch { label } => WayKind::Branch { label: leaked(label) },
            Self::Error => WayKind::Error,
            Self::Expiry => WayKind::Expiry,
        }
    }
}

fn leaked(text: &str) -> &'static str {
    text.to_owned().leak()
}
