//! The graph as data: what diagrams, docs, events and checks read.

mod data;
mod fingerprint;
mod mermaid;

pub use data::{PlaceData, TargetData, TopologyData, WayData, WhenData};

use crate::check::Text;

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

    /// The ways out of a place, or of `start` for none, with their numbers, in the order in which they are tried.
    pub fn ways_out_of(&self, place: Option<usize>) -> impl Iterator<Item = (usize, &'static Way)> + use<> {
        self.ways.iter().enumerate().filter(move |(_, way)| way.from.map(usize::from) == place)
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
    /// What a mounted graph tells about itself.
    pub facts: Facts,
}

/// An arrow.
#[derive(Clone, Copy, Debug)]
pub struct Way {
    /// From where; `None` is `start`.
    pub from: Option<u16>,
    /// Where to.
    pub to: Target,
    /// When it is taken.
    pub kind: WayKind,
}

/// The head of an arrow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// A place, by its number.
    Place(u16),
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
        tools_path: Text::NEW,
        out_path: Text::NEW,
    };
}
