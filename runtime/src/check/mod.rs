//! What the compiler is asked about a graph: one linear `const fn` pass over its topology.
//!
//! `graph!` writes `static ANALYSIS: Analysis<..> = analyze(&TOPOLOGY);` and then one [`place`] for each place, one [`fork`]
//! for each fork, one [`way`] for each way and one [`whole`], in constants, with tokens that stand where the element was
//! written: a panic in one of them is a compile error at that place. Where the state is known it writes a
//! [`parallel`](fn@parallel) as well, and one [`writes`](fn@writes) for each fork. The pass stops at the first kind of
//! mistake that it finds, so that one mistake is one error.
//!
//! A place is looked at once, and once more for each fork in whose branches it stands.

// All of this runs in the compiler, where a panic is how a mistake is said.
#![allow(clippy::indexing_slicing, clippy::panic)]

mod branches;
mod elicitation;
mod facts;
mod fault;
mod flood;
mod flow;
mod levels;
mod lints;
mod parallel;
mod phrase;
mod report;
mod report_branches;
mod rule;
mod search;
mod shape;
mod text;
mod trail;
mod ways;

pub use fault::Fault;
pub use parallel::{Parallel, all_writes, parallel, writes, writes_text};
pub use report::{fork, fork_text, place, place_text, refuse_if, way, way_text, whole, whole_text};
pub use text::Text;

#[cfg(test)]
mod tests;

use crate::topology::{Facts, Topology};
use flow::{Flow, Ground};
use levels::{Levels, OUTSIDE};
use rule::Rule;
use ways::{NONE, Ways, node_of};

/// More exits than this cannot be told apart: [`Facts`] has a bit for each.
pub(crate) const MAX_EXITS: usize = 64;

/// What is wrong with a graph, element by element.
///
/// `N` is an upper bound of the number of places and forks together, and `W` one of the number of ways: what the macro can
/// count, with elements that a `#[cfg]` takes out.
#[derive(Debug)]
pub struct Analysis<const N: usize, const W: usize> {
    /// Whether nothing is wrong.
    sound: bool,
    whole: Fault,
    /// What is wrong with places, and behind them with forks.
    nodes: [Fault; N],
    /// What is wrong with ways.
    faults: [Fault; W],
    ways: Ways<N, W>,
    levels: Levels<N>,
    /// Whether a run can come to a node.
    reached: [bool; N],
    /// On which level a node is wrong.
    level_of_node: [usize; N],
    /// The branches that share a place, by their first ways.
    branches_of_node: [(usize, usize); N],
    /// On which level a way is wrong.
    level_of_way: [usize; W],
    /// Where a run may be since a node asked, with the user not asked.
    unasked: Flow<N, W>,
    /// Where a run may be since a model was called, with nothing approved.
    unapproved: Flow<N, W>,
}

impl<const N: usize, const W: usize> Analysis<N, W> {
    /// What is wrong with the graph as a whole.
    #[must_use]
    pub const fn of_whole(&self) -> Fault {
        self.whole
    }

    /// What is wrong with a place.
    #[must_use]
    pub const fn of_place(&self, place: usize) -> Fault {
        self.nodes[place]
    }

    /// What is wrong with a fork of the graph.
    #[must_use]
    pub const fn of_fork(&self, topology: &Topology, fork: usize) -> Fault {
        self.nodes[node_of(topology, fork)]
    }

    /// What is wrong with a way.
    #[must_use]
    pub const fn of_way(&self, way: usize) -> Fault {
        self.faults[way]
    }

    const fn ground<'a>(&'a self, topology: &'a Topology) -> Ground<'a, N, W> {
        Ground { topology, ways: &self.ways, levels: &self.levels }
    }
}

/// Looks at a graph.
#[must_use]
pub const fn analyze<const N: usize, const W: usize>(topology: &Topology) -> Analysis<N, W> {
    let together = Ways::with_branches(topology);
    let mut analysis = Analysis {
        sound: false,
        whole: Fault::None,
        nodes: [Fault::None; N],
        faults: [Fault::None; W],
        ways: Ways::of(topology),
        levels: Levels::NEW,
        reached: shape::reach(topology, &together),
        level_of_node: [OUTSIDE; N],
        branches_of_node: [(NONE, NONE); N],
        level_of_way: [OUTSIDE; W],
        unasked: Flow::nowhere(Rule::Unasked),
        unapproved: Flow::nowhere(Rule::Unapproved),
    };
    if analysis.ways.start == NONE {
        analysis.whole = Fault::NoStart;
        return analysis;
    }
    if topology.exits.len() > MAX_EXITS {
        analysis.whole = Fault::TooManyExits;
        return analysis;
    }
    if shape::unreachable(&mut analysis, topology, &together) {
        return analysis;
    }
    analysis.levels = Levels::of(topology, &analysis.ways);
    if shape::stuck(&mut analysis, topology)
        || branches::astray(&mut analysis, topology)
        || branches::shared(&mut analysis, topology)
        || elicitation::missing(&mut analysis, topology)
    {
        return analysis;
    }
    analysis.unasked = Flow::from_sources(Rule::Unasked, Rule::Unasked.sources(topology), &analysis.ground(topology));
    if elicitation::blame(&mut analysis.faults, topology, &analysis.unasked, Fault::Unasked) {
        return analysis;
    }
    if rule::needs_approval(topology) {
        analysis.unapproved = Flow::from_sources(Rule::Unapproved, Rule::Unapproved.sources(topology), &analysis.ground(topology));
    }
    if elicitation::blame(&mut analysis.faults, topology, &analysis.unapproved, Fault::Unapproved)
        || elicitation::company(&mut analysis, topology)
        || lints::unbounded(&mut analysis, topology)
        || lints::elsewhere(&mut analysis, topology)
    {
        return analysis;
    }
    analysis.sound = true;
    analysis
}

/// What a graph tells whoever mounts it: asked for by them alone, so that a graph that is not mounted does not pay for it.
#[must_use]
pub const fn facts<const N: usize, const W: usize>(analysis: &Analysis<N, W>, topology: &Topology) -> Facts {
    // A graph that is wrong tells nothing: whoever mounts it has made no mistake.
    if analysis.sound { facts::of(analysis, topology) } else { Facts { dry_through: 0, ..Facts::NONE } }
}
