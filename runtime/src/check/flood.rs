//! Nodes in the order in which they are come to.

use super::levels::{Lead, Levels, OUTSIDE, entry};
use super::ways::{NONE, Ways};
use crate::topology::Topology;

/// Nodes of one level in the order in which they are come to, each once. It can be begun anew at no cost, since a node is
/// seen by the number of the round.
pub(super) struct Flood<const N: usize> {
    /// The way by which a node was come to.
    pub(super) by: [usize; N],
    pub(super) queue: [usize; N],
    pub(super) len: usize,
    /// Whether a way leads out of the level, and not to its join.
    pub(super) strays: bool,
    seen: [usize; N],
    round: usize,
    done: usize,
}

impl<const N: usize> Flood<N> {
    pub(super) const NEW: Self = Self { by: [NONE; N], queue: [NONE; N], len: 0, strays: false, seen: [0; N], round: 1, done: 0 };

    pub(super) const fn begin(&mut self) {
        self.round += 1;
        self.len = 0;
        self.done = 0;
        self.strays = false;
    }

    /// Whether a node was come to.
    pub(super) const fn has(&self, node: usize) -> bool {
        self.seen[node] == self.round
    }

    /// Comes to a node, by a way.
    pub(super) const fn come_to(&mut self, node: usize, by: usize) {
        if self.seen[node] != self.round {
            self.seen[node] = self.round;
            self.by[node] = by;
            self.queue[self.len] = node;
            self.len += 1;
        }
    }

    /// The next node from which to go on; none at the end.
    pub(super) const fn take(&mut self) -> usize {
        if self.done == self.len {
            return NONE;
        }
        self.done += 1;
        self.queue[self.done - 1]
    }

    /// Comes to every node of a level.
    pub(super) const fn fill<const W: usize>(&mut self, topology: &Topology, ways: &Ways<N, W>, levels: &Levels<N>, level: usize) {
        self.begin();
        self.follow(topology, ways, levels, level, entry(ways, level));
        self.spread(topology, ways, levels, level);
    }

    /// Comes to every node of a branch, on the level of its fork.
    pub(super) const fn fill_branch<const W: usize>(
        &mut self,
        topology: &Topology,
        ways: &Ways<N, W>,
        levels: &Levels<N>,
        fork: usize,
        branch: usize,
    ) {
        self.begin();
        if let Lead::To(first) = levels.lead(topology, fork, branch) {
            self.come_to(first, branch);
        }
        self.spread(topology, ways, levels, fork);
    }

    /// Follows every way of a level.
    pub(super) const fn spread<const W: usize>(&mut self, topology: &Topology, ways: &Ways<N, W>, levels: &Levels<N>, level: usize) {
        loop {
            let node = self.take();
            if node == NONE {
                return;
            }
            self.follow(topology, ways, levels, level, ways.first[node]);
        }
    }

    /// Follows a list of ways by one step.
    pub(super) const fn follow<const W: usize>(
        &mut self,
        topology: &Topology,
        ways: &Ways<N, W>,
        levels: &Levels<N>,
        level: usize,
        first: usize,
    ) {
        let mut way = first;
        while way != NONE {
            match levels.lead(topology, level, way) {
                Lead::To(node) => self.come_to(node, way),
                Lead::Back => self.strays = true,
                Lead::Ends => self.strays |= level != OUTSIDE,
                Lead::Arrives | Lead::Elsewhere | Lead::Never => {}
            }
            way = ways.next[way];
        }
    }
}
