//! The graph as it is drawn: with the choices between its places, and with the mounted graphs opened up.

mod back;
mod walk;

use self::walk::Walk;
use super::{Fork, ForkKind, Origin, Place, Role, Target, Topology, WayKind};

/// More spots than this are not opened up: a picture that nobody can read.
const MOST_SPOTS: usize = 2_000;

/// A graph, and what is drawn of it.
#[derive(Debug)]
pub(crate) struct Scene<'a> {
    pub(crate) topology: &'a Topology,
    /// The start is the first one.
    pub(crate) spots: Vec<Spot>,
    /// In the order in which the ways are tried.
    pub(crate) lanes: Vec<Lane>,
}

/// A thing with arrows.
#[derive(Debug)]
pub(crate) struct Spot {
    pub(crate) what: What,
    /// Whether there is one for each item.
    #[cfg_attr(not(feature = "diagrams"), allow(dead_code, reason = "a flowchart has no stacks"))]
    pub(crate) stacked: bool,
    /// What is in an opened graph.
    pub(crate) inner: Option<Scene<'static>>,
}

/// What a spot stands for, by the number it has in the graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum What {
    Start,
    Place(u16),
    /// The router of a `match`, behind the way with this number.
    Choice(usize),
    Fork(u16),
    Join(u16),
    Exit(u16),
}

/// An arrow between spots.
#[derive(Debug)]
pub(crate) struct Lane {
    pub(crate) from: usize,
    pub(crate) to: usize,
    /// The spot in the opened graph at which it leaves it.
    pub(crate) exit: Option<usize>,
    /// The way, or none between a place and its choice.
    #[cfg_attr(not(feature = "diagrams"), allow(dead_code, reason = "a flowchart does not count"))]
    pub(crate) way: Option<usize>,
    pub(crate) kind: WayKind,
    /// When it is taken; empty if always.
    pub(crate) when: String,
    /// How often it is taken at most, or after how often; empty if it has no budget.
    pub(crate) budget: String,
    /// Whether it leads back to a spot on the way to it.
    pub(crate) back: bool,
}

impl Lane {
    /// What stands at it, with this between its two parts.
    pub(crate) fn label(&self, between: &str) -> String {
        match (self.when.as_str(), self.budget.as_str()) {
            ("", budget) => budget.to_owned(),
            (when, "") => when.to_owned(),
            (when, budget) => format!("{when}{between}{budget}"),
        }
    }
}

impl<'a> Scene<'a> {
    /// The graph with mounted graphs opened up, this many levels of them.
    pub(crate) fn of(topology: &'a Topology, depth: usize) -> Self {
        let mut left = MOST_SPOTS;
        Self::within(topology, depth, &mut left, &mut Vec::new())
    }

    fn within(topology: &'a Topology, depth: usize, left: &mut usize, around: &mut Vec<*const Topology>) -> Self {
        *left = left.saturating_sub(topology.places.len() + topology.forks.len());
        around.push(topology);
        let walk = Walk::over(topology);
        let mut scene = Self { topology, spots: Vec::new(), lanes: Vec::new() };
        scene.add(What::Start, false);
        for (number, place) in (0..).zip(topology.places) {
            let spot = scene.add(What::Place(number), walk.is_mapped(number));
            if let Some(graph) = place.graph
                && depth > 0
                && *left > 0
                && !around.contains(&std::ptr::from_ref(graph))
                && let Some(spot) = scene.spots.get_mut(spot)
            {
                spot.inner = Some(Scene::within(graph, depth - 1, left, around));
            }
        }
        for (number, way) in topology.ways.iter().enumerate() {
            if matches!(way.kind, WayKind::Arm { router: Some(_), .. })
                && topology.arms_of(way.from) > 1
                && !topology.ways.iter().take(number).any(|other| other.from == way.from && matches!(other.kind, WayKind::Arm { .. }))
            {
                scene.add(What::Choice(number), false);
            }
        }
        for (number, _) in (0..).zip(topology.forks) {
            scene.add(What::Fork(number), false);
            scene.add(What::Join(number), false);
        }
        for (number, _) in (0..).zip(topology.exits) {
            scene.add(What::Exit(number), false);
        }
        scene.draw(&walk);
        scene.forget_unused();
        back::mark(&mut scene);
        around.pop();
        scene
    }

    fn add(&mut self, what: What, stacked: bool) -> usize {
        self.spots.push(Spot { what, stacked, inner: None });
        self.spots.len() - 1
    }

    /// The number of a spot.
    pub(crate) fn spot(&self, what: What) -> Option<usize> {
        self.spots.iter().position(|spot| spot.what == what)
    }

    fn draw(&mut self, walk: &Walk) {
        let topology = self.topology;
        for (number, way) in topology.ways.iter().enumerate() {
            let from = match way.from {
                Origin::Start => What::Start,
                Origin::Place(place) => What::Place(place),
                Origin::Fork(fork) => What::Fork(fork),
                Origin::Join(fork) => What::Join(fork),
            };
            let Some(mut from) = self.spot(from) else { continue };
            let choice = self.spots.iter().position(|spot| match spot.what {
                What::Choice(first) => topology.ways.get(first).is_some_and(|first| first.from == way.from),
                _ => false,
            });
            let is_arm = match way.kind {
                WayKind::Arm { .. } => true,
                WayKind::Else { label, .. } => !label.is_empty(),
                _ => false,
            };
            if let Some(choice) = choice.filter(|_| is_arm) {
                if self.spots.get(choice).is_some_and(|spot| spot.what == What::Choice(number)) {
                    let exit = self.exits(from, WayKind::Always).into_iter().next().flatten();
                    self.lanes.push(Lane::to_choice(from, choice, exit));
                }
                from = choice;
            }
            for target in walk.drawn(number) {
                let to = match target {
                    Target::Place(place) => What::Place(place),
                    Target::Fork(fork) => What::Fork(fork),
                    Target::Join(fork) => What::Join(fork),
                    Target::End(exit) => What::Exit(exit),
                    Target::Never => continue,
                };
                let Some(to) = self.spot(to) else { continue };
                for exit in self.exits(from, way.kind) {
                    self.lanes.push(Lane::of(topology, number, from, to, exit));
                }
            }
        }
    }

    /// The spots in an opened graph at which a way leaves it.
    fn exits(&self, from: usize, kind: WayKind) -> Vec<Option<usize>> {
        let Some(inner) = self.spots.get(from).and_then(|spot| spot.inner.as_ref()) else { return vec![None] };
        let named = |name: &str| inner.topology.exits.iter().position(|exit| *exit == name);
        let spot = |exit: usize| u16::try_from(exit).ok().and_then(|exit| inner.spot(What::Exit(exit)));
        let exits: Vec<Option<usize>> = match kind {
            WayKind::Arm { label, .. } | WayKind::Else { label, .. } if !label.is_empty() => {
                label.split(" | ").filter_map(named).map(spot).collect()
            }
            WayKind::Error | WayKind::Expiry => Vec::new(),
            _ => vec![named("end").and_then(spot).or_else(|| spot(0))],
        };
        if exits.is_empty() { vec![None] } else { exits }
    }

    /// Routers, forks, joins and exits that nothing leads to or from are not drawn.
    fn forget_unused(&mut self) {
        let mut used = vec![false; self.spots.len()];
        for number in self.lanes.iter().flat_map(|lane| [lane.from, lane.to]) {
            if let Some(used) = used.get_mut(number) {
                *used = true;
            }
        }
        let keeps = |(spot, used): (&Spot, &bool)| *used || matches!(spot.what, What::Start | What::Place(_));
        let kept: Vec<bool> = self.spots.iter().zip(&used).map(keeps).collect();
        let renumbered = |number: usize| kept.iter().take(number).filter(|kept| **kept).count();
        for lane in &mut self.lanes {
            lane.from = renumbered(lane.from);
            lane.to = renumbered(lane.to);
        }
        let mut kept = kept.iter().copied();
        self.spots.retain(|_| kept.next().unwrap_or(true));
    }

    /// The place that a spot stands for.
    pub(crate) fn place(&self, spot: &Spot) -> Option<&'static Place> {
        match spot.what {
            What::Place(place) => self.topology.places.get(usize::from(place)),
            _ => None,
        }
    }

    /// What stands in or beside a spot; nothing at the start, at joins, and at the one end that is called so.
    pub(crate) fn title(&self, spot: &Spot) -> String {
        match spot.what {
            What::Start | What::Join(_) => String::new(),
            What::Place(_) => self.place(spot).map_or_else(String::new, |place| place.title.unwrap_or(place.name).to_owned()),
            What::Choice(way) => match self.topology.ways.get(way).map(|way| way.kind) {
                Some(WayKind::Arm { router: Some(router), .. }) => router.to_owned(),
                _ => String::new(),
            },
            What::Fork(fork) => self.topology.forks.get(usize::from(fork)).map_or_else(String::new, Fork::title),
            What::Exit(exit) => self.topology.exits.get(usize::from(exit)).map_or_else(String::new, |exit| (*exit).to_owned()),
        }
    }

    /// Whether the place itself says where it goes on.
    pub(crate) fn chooses(&self, spot: &Spot) -> bool {
        let What::Place(place) = spot.what else { return false };
        let own = |kind: &WayKind| matches!(kind, WayKind::Arm { router: None, .. });
        self.topology.ways.iter().filter(|way| way.from == Origin::Place(place) && own(&way.kind)).count() > 1
    }
}

impl Lane {
    fn to_choice(from: usize, to: usize, exit: Option<usize>) -> Self {
        Self { from, to, exit, way: None, kind: WayKind::Always, when: String::new(), budget: String::new(), back: false }
    }

    fn of(topology: &Topology, number: usize, from: usize, to: usize, exit: Option<usize>) -> Self {
        let kind = topology.ways.get(number).map_or(WayKind::Always, |way| way.kind);
        let when = match kind {
            WayKind::Always => String::new(),
            WayKind::If { router, .. } => format!("if {router}"),
            WayKind::Arm { label, .. } | WayKind::Else { label, .. } | WayKind::Branch { label } => label.to_owned(),
            WayKind::Error => "on error".to_owned(),
            WayKind::Expiry => "on expiry".to_owned(),
        };
        let budget = match (kind, topology.ways.get(number + 1).map(|next| next.kind)) {
            (WayKind::Else { at_most, .. }, _) => format!("else, after {at_most}"),
            (_, Some(WayKind::Else { at_most, .. })) => format!("at most {at_most}"),
            _ => String::new(),
        };
        Self { from, to, exit, way: Some(number), kind, when, budget, back: false }
    }
}

impl Topology {
    fn arms_of(&self, origin: Origin) -> usize {
        self.ways.iter().filter(|way| way.from == origin && matches!(way.kind, WayKind::Arm { .. })).count()
    }
}

impl Fork {
    /// As it is written before its braces.
    pub(crate) fn title(&self) -> String {
        let router = self.router.unwrap_or_default();
        match (self.kind, self.by) {
            (ForkKind::All, _) => String::new(),
            (ForkKind::Some | ForkKind::Each, None) => format!("{} {router}", self.kind.name()),
            (ForkKind::Some | ForkKind::Each, Some(by)) => format!("{} {router}, by {by}", self.kind.name()),
        }
    }
}

impl Place {
    /// Whether somebody is asked there.
    pub(crate) fn is_asking(&self) -> bool {
        self.pauses || matches!(self.role, Role::Elicitation | Role::Interrupt)
    }
}
