//! Branches in branches.
//!
//! A run is in the branches of several forks at once, one in another, and where a way leads depends on the innermost one:
//! a way to the place at which that one's branches meet arrives at the join. What runs in no branch is the outermost
//! level; what runs in the branches of one fork, without what runs in the branches of forks in these, is the level of that
//! fork. On a level a fork with its join is one node: it is come to, and what follows its join is gone on to.
//!
//! So a place is looked at once for each fork in whose branches it stands, and not once for each fork around those.

use super::flood::Flood;
use super::ways::{NONE, Ways, fork_of, node_of};
use crate::topology::{Target, Topology};

/// The level of what runs in no branch; the others have the number of their fork.
pub(super) const OUTSIDE: usize = NONE;

/// Where a way leads on a level.
#[derive(Clone, Copy)]
pub(super) enum Lead {
    /// To a place, or a fork.
    To(usize),
    /// To the join: the branch is done.
    Arrives,
    /// To an exit.
    Ends,
    /// To the fork of the level, or one around it.
    Back,
    /// To the join of another fork: the way is none here.
    Elsewhere,
    /// To `never`.
    Never,
}

/// Which fork stands in the branches of which.
#[derive(Debug)]
pub(super) struct Levels<const N: usize> {
    /// The forks that are reached, each behind all that stand in its branches.
    pub(super) order: [usize; N],
    pub(super) len: usize,
    /// By fork: when it was put into the order; zero before it is found, and no number while it is looked at.
    closed: [usize; N],
    /// Whether a way leads from a branch to an exit, or back to a fork around it.
    pub(super) astray: bool,
}

impl<const N: usize> Levels<N> {
    /// A graph of which nothing is known.
    pub(super) const NEW: Self = Self { order: [NONE; N], len: 0, closed: [0; N], astray: false };

    /// Looks at each level, one in depth after another.
    pub(super) const fn of<const W: usize>(topology: &Topology, ways: &Ways<N, W>) -> Self {
        let mut levels = Self::NEW;
        let mut found = Stack::<N>::NEW;
        let mut flood = Flood::<N>::NEW;
        flood.fill(topology, ways, &levels, OUTSIDE);
        levels.note(topology, &flood, &mut found);
        while found.top != NONE {
            let fork = found.top;
            if levels.closed[fork] == 0 {
                levels.closed[fork] = NONE;
                flood.fill(topology, ways, &levels, fork);
                levels.note(topology, &flood, &mut found);
            } else {
                found.remove(fork);
                levels.order[levels.len] = fork;
                levels.len += 1;
                levels.closed[fork] = levels.len;
            }
        }
        levels
    }

    const fn note(&mut self, topology: &Topology, flood: &Flood<N>, found: &mut Stack<N>) {
        self.astray |= flood.strays;
        let mut at = 0;
        while at < flood.len {
            let fork = fork_of(topology, flood.queue[at]);
            if fork != NONE && self.closed[fork] == 0 {
                found.raise(fork);
            }
            at += 1;
        }
    }

    pub(super) const fn lead(&self, topology: &Topology, level: usize, way: usize) -> Lead {
        match topology.ways[way].to {
            Target::Place(place) => match joins(topology, level) {
                Some(join) if join == place => Lead::Arrives,
                _ => Lead::To(place as usize),
            },
            Target::Fork(fork) if level != OUTSIDE && self.closed[fork as usize] >= self.closed[level] => Lead::Back,
            Target::Fork(fork) => Lead::To(node_of(topology, fork as usize)),
            Target::Join(fork) if fork as usize == level => Lead::Arrives,
            Target::Join(_) => Lead::Elsewhere,
            Target::End(_) => Lead::Ends,
            Target::Never => Lead::Never,
        }
    }
}

/// The place at which the branches of a level meet.
pub(super) const fn joins(topology: &Topology, level: usize) -> Option<u16> {
    if level == OUTSIDE { None } else { topology.forks[level].join }
}

/// The first way into a level.
pub(super) const fn entry<const N: usize, const W: usize>(ways: &Ways<N, W>, level: usize) -> usize {
    if level == OUTSIDE { ways.start } else { ways.branches[level] }
}

/// Forks that were found; one that is found again comes to the top.
struct Stack<const N: usize> {
    top: usize,
    above: [usize; N],
    below: [usize; N],
    holds: [bool; N],
}

impl<const N: usize> Stack<N> {
    const NEW: Self = Self { top: NONE, above: [NONE; N], below: [NONE; N], holds: [false; N] };

    const fn raise(&mut self, fork: usize) {
        if self.holds[fork] {
            self.remove(fork);
        }
        self.holds[fork] = true;
        self.above[fork] = NONE;
        self.below[fork] = self.top;
        if self.top != NONE {
            self.above[self.top] = fork;
        }
        self.top = fork;
    }

    const fn remove(&mut self, fork: usize) {
        let (above, below) = (self.above[fork], self.below[fork]);
        if above == NONE {
            self.top = below;
        } else {
            self.below[above] = below;
        }
        if below != NONE {
            self.above[below] = above;
        }
        self.holds[fork] = false;
    }
}
