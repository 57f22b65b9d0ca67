//! What the compiler is asked about a graph: one linear `const fn` pass over its topology.
//!
//! `graph!` writes `const ANALYSIS: Analysis<..> = analyze(&TOPOLOGY);` and then one [`place`] for each place, one [`way`]
//! for each way and one [`whole`], each in a constant of its own whose tokens stand where the element was written: a
//! panic in one of them is a compile error at that place. The pass stops at the first kind of mistake that it finds, so
//! that one mistake is one error.

// All of this runs in the compiler, where a panic is how a mistake is said.
#![allow(clippy::indexing_slicing, clippy::panic)]

mod elicitation;
mod fault;
mod report;
mod shape;
mod text;
mod ways;

pub use fault::{CODES, Fault};
pub use report::{place, place_text, way, way_text, whole, whole_text};
pub use text::Text;

#[cfg(test)]
mod tests;

use crate::topology::{Facts, Topology};
use ways::{NONE, Ways};

/// More exits than this cannot be told apart: [`Facts`] has a bit for each.
pub(crate) const MAX_EXITS: usize = 64;

/// What is wrong with a graph, element by element, and what it tells whoever mounts it.
///
/// `P` and `W` are upper bounds of the numbers of places and ways: what the macro can count, with elements that a `#[cfg]`
/// takes out.
#[derive(Debug)]
pub struct Analysis<const P: usize, const W: usize> {
    /// What the graph tells whoever mounts it.
    pub facts: Facts,
    whole: Fault,
    places: [Fault; P],
    ways: [Fault; W],
    /// The ways by their origin.
    out: Ways<P, W>,
    /// Which strongly connected part a place belongs to.
    part: [usize; P],
    /// Whether a run can come to a place.
    reached: [bool; P],
    /// The way by which a place was first come to after an asker, with the user not asked.
    unasked_by: [usize; P],
}

impl<const P: usize, const W: usize> Analysis<P, W> {
    /// What is wrong with the graph as a whole.
    #[must_use]
    pub const fn of_whole(&self) -> Fault {
        self.whole
    }

    /// What is wrong with a place.
    #[must_use]
    pub const fn of_place(&self, place: usize) -> Fault {
        self.places[place]
    }

    /// What is wrong with a way.
    #[must_use]
    pub const fn of_way(&self, way: usize) -> Fault {
        self.ways[way]
    }
}

/// Looks at a graph. Its cost is linear in places and ways.
#[must_use]
pub const fn analyze<const P: usize, const W: usize>(topology: &Topology) -> Analysis<P, W> {
    let out = Ways::out_of_places(topology);
    let mut analysis = Analysis {
        // A graph that is wrong tells nothing: whoever mounts it has made no mistake.
        facts: Facts { dry_through: 0, ..Facts::NONE },
        whole: Fault::None,
        places: [Fault::None; P],
        ways: [Fault::None; W],
        part: shape::parts(topology, &out),
        out,
        reached: [false; P],
        unasked_by: [NONE; P],
    };
    if analysis.out.start == NONE {
        analysis.whole = Fault::NoStart;
        return analysis;
    }
    if topology.exits.len() > MAX_EXITS {
        analysis.whole = Fault::TooManyExits;
        return analysis;
    }
    if shape::unreachable(&mut analysis, topology) || shape::stuck(&mut analysis, topology) {
        return analysis;
    }
    if elicitation::missing(&mut analysis, topology) || elicitation::unasked(&mut analysis, topology) {
        return analysis;
    }
    elicitation::company(&mut analysis, topology);
    analysis
}
