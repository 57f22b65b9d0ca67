//! The graph as JSON, and as what a tool reads out of it.

use serde::{Deserialize, Serialize, Serializer};

use super::{ForkKind, Origin, Target, Topology, WayKind};

/// A [`Topology`] that owns its texts and names places instead of numbering them: what [`Topology::json`] writes, and what
/// a tool in another process reads.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TopologyData {
    /// The graph's name.
    pub name: String,
    /// Its version.
    pub version: u32,
    /// [`Topology::fingerprint`], in hexadecimal digits.
    pub fingerprint: String,
    /// Its doc comment.
    pub docs: String,
    /// The file of the `graph!`.
    pub file: String,
    /// The line of the graph's name, counted from one.
    pub line: u32,
    /// The most steps a run may take.
    pub steps: u32,
    /// Whether a loop without a way out is wanted.
    pub endless: bool,
    /// The places, in the order first mentioned.
    pub places: Vec<PlaceData>,
    /// The forks, in the order written.
    pub forks: Vec<ForkData>,
    /// The ways, in the order in which they are tried.
    pub ways: Vec<WayData>,
    /// The exits.
    pub exits: Vec<String>,
}

/// A [`Place`](super::Place) that owns its texts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlaceData {
    /// Its name in the graph.
    pub name: String,
    /// The name of the node that stands there.
    pub node: String,
    /// Its name for people, where it has another.
    pub title: Option<String>,
    /// The name of its [`Role`](super::Role).
    pub role: String,
    /// Whether it is a model that may ask the user.
    pub asks: bool,
    /// Whether a run can pause in it.
    pub pauses: bool,
    /// Whether it runs tools that are marked `needs_approval`.
    pub needs_approval: bool,
    /// Whether whoever is asked there approves what runs behind it.
    pub approves: bool,
    /// The mounted graph.
    pub graph: Option<Box<TopologyData>>,
    /// The doc comment of its function.
    pub docs: String,
    /// The file of its function.
    pub file: String,
    /// The line of its function, counted from one.
    pub line: u32,
}

/// A [`Way`](super::Way) between names.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WayData {
    /// Where it comes from.
    pub from: OriginData,
    /// Where it leads.
    pub to: TargetData,
    /// When it is taken.
    pub when: WhenData,
}

/// A [`Fork`](super::Fork) that owns its texts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ForkData {
    /// How its branches are chosen.
    pub kind: ForkKind,
    /// The router that says which branches, or gives the items.
    pub router: Option<String>,
    /// The router that says for each item which branch.
    pub by: Option<String>,
    /// The place where the branches meet, if the join leads on to one.
    pub join: Option<String>,
}

/// An [`Origin`] by name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OriginData {
    /// The start.
    Start,
    /// A place.
    Place(String),
    /// A fork, by its number.
    Fork(u16),
    /// The join of a fork, by the fork's number.
    Join(u16),
}

/// A [`Target`] by name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TargetData {
    /// A place.
    Place(String),
    /// A fork, by its number.
    Fork(u16),
    /// The join of a fork, by the fork's number.
    Join(u16),
    /// An exit.
    End(String),
    /// Not from here.
    Never,
}

/// A [`WayKind`] that owns its texts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum WhenData {
    /// Always.
    Always,
    /// If a guard says so.
    If {
        /// The guard.
        router: String,
        /// Whether it proves that the user was asked.
        gate: bool,
    },
    /// If a router, or the place itself, says so.
    Arm {
        /// The router; none if the place chose.
        router: Option<String>,
        /// The labels.
        label: String,
    },
    /// Instead of the way before it, when that one was taken so often.
    Else {
        /// So often.
        at_most: u32,
        /// The label of the arm, if the budget stands on one.
        label: String,
    },
    /// Into a branch.
    Branch {
        /// The labels of its arm, where it has one.
        label: String,
    },
    /// If the place failed.
    Error,
    /// If the place's question expired.
    Expiry,
}

impl Topology {
    /// The graph as JSON, on several lines: a [`TopologyData`].
    #[must_use]
    pub fn json(&self) -> String {
        // Texts, numbers and lists: there is nothing in it that JSON cannot say.
        serde_json::to_string_pretty(self).unwrap_or_default()
    }

    fn name_of_place(&self, number: u16) -> String {
        self.places.get(usize::from(number)).map_or_else(String::new, |place| place.name.to_owned())
    }
}

impl Serialize for Topology {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        TopologyData::from(self).serialize(serializer)
    }
}

impl From<&Topology> for TopologyData {
    fn from(topology: &Topology) -> Self {
        let places = topology.places.iter().map(|place| PlaceData {
            name: place.name.to_owned(),
            node: place.node.to_owned(),
            title: place.title.map(str::to_owned),
            role: place.role.name().to_owned(),
            asks: place.asks,
            pauses: place.pauses,
            needs_approval: place.needs_approval,
            approves: place.approves,
            graph: place.graph.map(|graph| Box::new(Self::from(graph))),
            docs: place.docs.to_owned(),
            file: place.file.to_owned(),
            line: place.line,
        });
        let forks = topology.forks.iter().map(|fork| ForkData {
            kind: fork.kind,
            router: fork.router.map(str::to_owned),
            by: fork.by.map(str::to_owned),
            join: fork.join.map(|place| topology.name_of_place(place)),
        });
        let ways = topology.ways.iter().map(|way| WayData {
            from: match way.from {
                Origin::Start => OriginData::Start,
                Origin::Place(from) => OriginData::Place(topology.name_of_place(from)),
                Origin::Fork(fork) => OriginData::Fork(fork),
                Origin::Join(fork) => OriginData::Join(fork),
            },
            to: match way.to {
                Target::Place(to) => TargetData::Place(topology.name_of_place(to)),
                Target::End(exit) => {
                    TargetData::End(topology.exits.get(usize::from(exit)).map_or_else(String::new, |exit| (*exit).to_owned()))
                }
                Target::Fork(fork) => TargetData::Fork(fork),
                Target::Join(fork) => TargetData::Join(fork),
                Target::Never => TargetData::Never,
            },
            when: way.kind.into(),
        });
        Self {
            name: topology.name.to_owned(),
            version: topology.version,
            fingerprint: topology.fingerprint().iter().map(|byte| format!("{byte:02x}")).collect(),
            docs: topology.docs.to_owned(),
            file: topology.file.to_owned(),
            line: topology.line,
            steps: topology.steps,
            endless: topology.endless,
            places: places.collect(),
            forks: forks.collect(),
            ways: ways.collect(),
            exits: topology.exits.iter().map(|exit| (*exit).to_owned()).collect(),
        }
    }
}

impl From<WayKind> for WhenData {
    fn from(kind: WayKind) -> Self {
        match kind {
            WayKind::Always => Self::Always,
            WayKind::If { router, gate } => Self::If { router: router.to_owned(), gate },
            WayKind::Arm { router, label } => Self::Arm { router: router.map(str::to_owned), label: label.to_owned() },
            WayKind::Else { at_most, label } => Self::Else { at_most, label: label.to_owned() },
            WayKind::Branch { label } => Self::Branch { label: label.to_owned() },
            WayKind::Error => Self::Error,
            WayKind::Expiry => Self::Expiry,
        }
    }
}
