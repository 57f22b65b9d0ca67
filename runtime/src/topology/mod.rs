//! The graph as data: what diagrams, docs, events and checks read.

mod data;
mod fingerprint;
pub(crate) mod mermaid;
#[cfg(feature = "diagrams")]
mod read;
pub(crate) mod scene;
#[doc(hidden)]
pub mod told;

pub use data::{ForkData, OriginData, PlaceData, TargetData, TopologyData, WayData, WhenData};

#[cfg(feature = "diagrams")]
pub use read::UnknownName;
use serde::{Deserialize, Serialize};

use crate::check::Text;
use crate::node::NodeMeta;

/// A graph as a constant.
#[derive(Debug)]
pub struct Topology {
    /// The graph's name.
    pub name: &'static str,
    /// `#[graph(version = ..)]`; 1 by default.
    pub version: u32,
    /// Its doc comment.
    pub docs: &'static str,
    /// The file of the `graph!`.
    pub file: &'static str,
    /// The line of the graph's name, counted from one.
    pub line: u32,
    /// The places, in the order first mentioned.
    pub places: &'static [Place],
    /// The forks, in the order written.
    pub forks: &'static [Fork],
    /// The ways, in the order in which they are tried, place by place as written.
    pub ways: &'static [Way],
    /// The exits: `end` is called `end`.
    pub exits: &'static [&'static str],
    /// The most steps a run may take.
    pub steps: u32,
    /// Whether a loop without a way out is wanted.
    pub endless: bool,
    /// Whether places that nothing leads to are wanted: `#[graph(allow(unreachable_place))]`.
    pub unreachable: bool,
    /// What is refused beyond what always is.
    pub lints: Lints,
}

/// What may be meant, and is refused where a graph asks for it: `#[graph(deny(unbounded_loop, answer_elsewhere))]`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Lints {
    /// A loop on which no way has a budget, and nobody is waited for.
    pub unbounded_loop: bool,
    /// An elicitation whose answer goes to another model than the one that asked.
    pub answer_elsewhere: bool,
}

impl Lints {
    /// Nothing is refused.
    pub const NONE: Self = Self { unbounded_loop: false, answer_elsewhere: false };
}

/// Where a run goes on in several branches at once. They begin by the ways from [`Origin::Fork`], in the order written,
/// and meet at its join, from which the ways from [`Origin::Join`] lead on.
#[derive(Clone, Copy, Debug)]
pub struct Fork {
    /// How its branches are chosen.
    pub kind: ForkKind,
    /// The router that says which branches, or gives the items; none for all.
    pub router: Option<&'static str>,
    /// The router that says for each item which branch.
    pub by: Option<&'static str>,
    /// The place where the branches meet, where the join leads on to one place: a way to it from inside of a branch
    /// arrives at the join.
    pub join: Option<u16>,
}

/// How the branches of a fork are chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ForkKind {
    /// `[a, b]`: all of them.
    All,
    /// `some router { A => a, B => b }`: those that the router names.
    Some,
    /// `each router { a }`, `each router match by { A => a, B => b }`: one for each item.
    Each,
}

impl ForkKind {
    /// As it is written in `graph!`; all are called `all`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::All => "all",
            Self::Some => "some",
            Self::Each => "each",
        }
    }
}

impl Topology {
    /// Whether a run can pause at one of the places.
    #[must_use]
    #[allow(clippy::indexing_slicing, reason = "`get` is not const; the index is compared first")]
    pub const fn pauses(&self) -> bool {
        let mut rest = self.places;
        while let [place, more @ ..] = rest {
            if place.pauses {
                return true;
            }
            rest = more;
        }
        false
    }

    /// The place of this name.
    #[must_use]
    pub fn place(&self, name: &str) -> Option<&'static Place> {
        self.places.iter().find(|place| place.name == name)
    }

    /// The number of the place of this name: what [`Way::from`] and [`Target::Place`] hold.
    #[must_use]
    pub fn place_index(&self, name: &str) -> Option<usize> {
        self.places.iter().position(|place| place.name == name)
    }

    /// The ways out of `start`, a place, a fork or a join, with their numbers, in the order in which they are tried.
    pub fn ways_out_of(&self, origin: Origin) -> impl Iterator<Item = (usize, &'static Way)> + use<> {
        self.ways.iter().enumerate().filter(move |(_, way)| way.from == origin)
    }

    /// The ways into a place, with their numbers.
    pub fn ways_into(&self, place: usize) -> impl Iterator<Item = (usize, &'static Way)> + use<> {
        self.ways.iter().enumerate().filter(move |(_, way)| matches!(way.to, Target::Place(to) if usize::from(to) == place))
    }
}

/// What a node is to the checker.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Role {
    /// Nothing special.
    Plain,
    /// Calls a language model.
    Model,
    /// Runs tools.
    Tools,
    /// Asks the user what the model wants to know.
    Elicitation,
    /// Asks somebody and waits.
    Interrupt,
    /// Cuts a loop: a turn that ends behind it was stopped, not completed.
    Cut,
    /// A mounted graph.
    Graph,
}

impl Role {
    /// In lower case, as it stands in `#[node(..)]` and in JSON.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Plain => "plain",
            Self::Model => "model",
            Self::Tools => "tools",
            Self::Elicitation => "elicitation",
            Self::Interrupt => "interrupt",
            Self::Cut => "cut",
            Self::Graph => "graph",
        }
    }

    /// The role of this name.
    #[cfg(feature = "diagrams")]
    fn of(name: &str) -> Option<Self> {
        let all = [Self::Plain, Self::Model, Self::Tools, Self::Elicitation, Self::Interrupt, Self::Cut, Self::Graph];
        all.into_iter().find(|role| role.name() == name)
    }
}

/// A name in a graph.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    /// Its name in the graph, without `r#`: what positions and checkpoints use.
    pub name: &'static str,
    /// The name of the node that stands there: another one where a function stands at several places.
    pub node: &'static str,
    /// Its name for people, where it has another.
    pub title: Option<&'static str>,
    /// What it is to the checker.
    pub role: Role,
    /// Whether it is a model that may ask the user.
    pub asks: bool,
    /// Whether a run can pause in it.
    pub pauses: bool,
    /// The doc comment of its function.
    pub docs: &'static str,
    /// The file of its function.
    pub file: &'static str,
    /// The line of its function, counted from one.
    pub line: u32,
    /// Whether it runs tools that are marked `needs_approval`.
    pub needs_approval: bool,
    /// Whether whoever is asked there approves what runs behind it.
    pub approves: bool,
    /// Whether somebody is told of the questions there, by `notify`.
    pub notifies: bool,
    /// What a mounted graph tells about itself.
    pub facts: &'static Facts,
    /// The mounted graph.
    pub graph: Option<&'static Topology>,
}

impl Place {
    /// A node that stands at a place of its own name.
    #[must_use]
    pub const fn of<N: NodeMeta + ?Sized>() -> Self {
        Self::at::<N>(N::NAME, None)
    }

    /// A node that stands at a place of this name.
    #[must_use]
    pub const fn at<N: NodeMeta + ?Sized>(name: &'static str, title: Option<&'static str>) -> Self {
        Self {
            name,
            node: N::NAME,
            title,
            role: N::ROLE,
            asks: N::ASKS,
            pauses: N::PAUSES,
            docs: N::DOCS,
            file: N::FILE,
            line: N::LINE,
            needs_approval: N::NEEDS_APPROVAL,
            approves: N::APPROVES,
            notifies: N::NOTIFIES,
            facts: N::FACTS,
            graph: N::GRAPH,
        }
    }
}

/// An arrow.
#[derive(Clone, Copy, Debug)]
pub struct Way {
    /// From where.
    pub from: Origin,
    /// Where to.
    pub to: Target,
    /// When it is taken.
    pub kind: WayKind,
}

/// The tail of an arrow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The start.
    Start,
    /// A place, by its number.
    Place(u16),
    /// A fork, by its number: the arrow begins a branch.
    Fork(u16),
    /// The join of a fork, by the fork's number.
    Join(u16),
}

impl Origin {
    /// The number of the place, if it is one.
    #[must_use]
    pub const fn place(self) -> Option<u16> {
        match self {
            Self::Place(place) => Some(place),
            Self::Start | Self::Fork(_) | Self::Join(_) => None,
        }
    }
}

/// The head of an arrow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// A place, by its number.
    Place(u16),
    /// A fork, by its number.
    Fork(u16),
    /// The join of a fork, by the fork's number: the branch has arrived.
    Join(u16),
    /// An exit, by its number.
    End(u16),
    /// Not from here: checked when it happens.
    Never,
}

/// When a way is taken.
#[derive(Clone, Copy, Debug)]
pub enum WayKind {
    /// Always.
    Always,
    /// If a guard says so; `gate` if it is `ask_user_pending`.
    If {
        /// The guard's name.
        router: &'static str,
        /// Whether the guard proves that the user was asked.
        gate: bool,
    },
    /// If a router, or the place itself, says so.
    Arm {
        /// The router's name; `None` if the place chose.
        router: Option<&'static str>,
        /// The labels of the arm, as written, `A | B` for several.
        label: &'static str,
    },
    /// Instead of the way before it, when that one was taken so often.
    Else {
        /// So often.
        at_most: u32,
        /// The label of the arm, if the budget stands on one.
        label: &'static str,
    },
    /// Into a branch: of `some`, and of `each` with a `match`, the labels of its arm; else nothing.
    Branch {
        /// The labels, as written.
        label: &'static str,
    },
    /// `on error`: outside the order in which ways are tried.
    Error,
    /// `on expiry`: outside the order in which ways are tried.
    Expiry,
}

/// What a graph tells whoever mounts it, for rules E and A.
#[derive(Clone, Copy, Debug)]
pub struct Facts {
    /// Its exits, in the order of the bits below.
    pub exits: &'static [&'static str],
    /// Tools can be reached from its start with nothing asked on the way.
    pub tools_from_start: bool,
    /// A bit per exit: it can be reached with no model, gate or elicitation between.
    pub dry_through: u64,
    /// A bit per exit: it can be left after an asker, ungated.
    pub dry_out: u64,
    /// Leaving by an error may leave an asker unasked.
    pub dry_error: bool,
    /// Tools that need approval can be reached from its start with nobody asked to approve them.
    pub unapproved_from_start: bool,
    /// It calls a model.
    pub calls_model: bool,
    /// A path to those tools, for the message.
    pub tools_path: Text<96>,
    /// A path out of an asker, for the message.
    pub out_path: Text<96>,
}

impl Facts {
    /// A node that is no graph.
    pub const NONE: Self = Self {
        exits: &[],
        tools_from_start: false,
        dry_through: u64::MAX,
        dry_out: 0,
        dry_error: false,
        unapproved_from_start: false,
        calls_model: false,
        tools_path: Text::NEW,
        out_path: Text::NEW,
    };
}
