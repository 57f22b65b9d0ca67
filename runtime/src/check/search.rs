//! Strongly connected parts of a level: two nodes are in one part if each can be reached from the other.

use super::flood::Flood;
use super::levels::{Lead, Levels, OUTSIDE};
use super::ways::{NONE, Ways, has_budget, is_on, tail};
use crate::topology::{Role, Topology};

/// The part can be left: for another one, for an exit, or for the join.
pub(super) const LEAVES: u8 = 1;
/// A way leads from the part into itself.
pub(super) const RING: u8 = 2;
/// An exit can be reached from a branch.
pub(super) const ENDS: u8 = 4;
/// A fork around the level can be reached from it.
pub(super) const BACK: u8 = 8;
/// What the caller looks for can be reached.
pub(super) const SOUGHT: u8 = 16;
/// What is handed on from a part to those that lead to it.
const FAR: u8 = ENDS | BACK | SOUGHT;

/// Which ways count.
#[derive(Clone, Copy)]
pub(super) enum Which {
    All,
    /// All but those `on error` and `on expiry`.
    Normal,
    /// Those of them that may be taken without end, and without waiting for anybody.
    Unbounded,
}

impl Which {
    pub(super) const fn counts(self, topology: &Topology, way: usize) -> bool {
        match self {
            Self::All => true,
            Self::Normal => !is_on(topology, way),
            Self::Unbounded => !is_on(topology, way) && !has_budget(topology, way) && !waits(topology, tail(topology, way)),
        }
    }
}

/// Tarjan's algorithm, with its recursion in an array.
pub(super) struct Search<const N: usize> {
    /// Which part a node belongs to.
    pub(super) part: [usize; N],
    pub(super) parts: usize,
    /// By part: what is true of it.
    pub(super) bits: [u8; N],
    /// By part: its first node.
    pub(super) least: [usize; N],
    /// In which order the nodes were met; of this search, if later than `before`.
    number: [usize; N],
    before: usize,
    met: usize,
    /// The first node met that is known to be in the same part.
    low: [usize; N],
    /// What is known of the node itself.
    own: [u8; N],
    /// The way to look at next.
    cursor: [usize; N],
    /// The nodes between the root and here.
    path: [usize; N],
    depth: usize,
    /// The nodes whose part is not known yet.
    open: [usize; N],
    opened: usize,
}

/// Where and how is searched.
#[derive(Clone, Copy)]
pub(super) struct Task<'a, const N: usize, const W: usize> {
    pub(super) topology: &'a Topology,
    pub(super) ways: &'a Ways<N, W>,
    pub(super) levels: &'a Levels<N>,
    pub(super) level: usize,
    pub(super) which: Which,
    /// By node: whether it is what is looked for.
    pub(super) sought: &'a [bool; N],
    /// Whether what is looked for can be reached from the join.
    pub(super) sought_behind: bool,
}

impl<const N: usize> Search<N> {
    pub(super) const NEW: Self = Self {
        part: [NONE; N],
        parts: 0,
        bits: [0; N],
        least: [NONE; N],
        number: [0; N],
        before: 0,
        met: 0,
        low: [0; N],
        own: [0; N],
        cursor: [NONE; N],
        path: [NONE; N],
        depth: 0,
        open: [NONE; N],
        opened: 0,
    };

    /// Looks at the nodes that a flood came to.
    pub(super) const fn run<const W: usize>(&mut self, task: &Task<'_, N, W>, nodes: &Flood<N>) {
        self.before = self.met;
        self.parts = 0;
        let mut at = 0;
        while at < nodes.len {
            let root = nodes.queue[at];
            if self.number[root] <= self.before {
                self.enter(task, root);
                while self.depth > 0 {
                    self.step(task);
                }
            }
            at += 1;
        }
    }

    /// Whether what is looked for can be reached by the ways out of a node.
    pub(super) const fn leads_to_it<const W: usize>(&self, task: &Task<'_, N, W>, node: usize) -> bool {
        let mut way = task.ways.first[node];
        while way != NONE {
            match task.levels.lead(task.topology, task.level, way) {
                Lead::To(to) if self.of(to) & SOUGHT != 0 => return true,
                Lead::Arrives if task.sought_behind => return true,
                _ => way = task.ways.next[way],
            }
        }
        false
    }

    /// What is true of the part of a node.
    pub(super) const fn of(&self, node: usize) -> u8 {
        self.bits[self.part[node]]
    }

    const fn enter<const W: usize>(&mut self, task: &Task<'_, N, W>, node: usize) {
        self.met += 1;
        self.number[node] = self.met;
        self.low[node] = self.met;
        self.part[node] = NONE;
        self.own[node] = if task.sought[node] { SOUGHT } else { 0 };
        self.cursor[node] = task.ways.first[node];
        self.path[self.depth] = node;
        self.depth += 1;
        self.open[self.opened] = node;
        self.opened += 1;
    }

    const fn step<const W: usize>(&mut self, task: &Task<'_, N, W>) {
        let here = self.path[self.depth - 1];
        let way = self.cursor[here];
        if way == NONE {
            return self.leave(here);
        }
        self.cursor[here] = task.ways.next[way];
        if !task.which.counts(task.topology, way) {
            return;
        }
        self.own[here] |= match task.levels.lead(task.topology, task.level, way) {
            Lead::To(to) if self.number[to] <= self.before => {
                self.enter(task, to);
                0
            }
            Lead::To(to) if self.part[to] == NONE => {
                if self.number[to] < self.low[here] {
                    self.low[here] = self.number[to];
                }
                RING
            }
            Lead::To(to) => LEAVES | (self.of(to) & FAR),
            Lead::Arrives => LEAVES | if task.sought_behind { SOUGHT } else { 0 },
            Lead::Ends => LEAVES | if task.level == OUTSIDE { 0 } else { ENDS },
            Lead::Back => LEAVES | BACK,
            Lead::Elsewhere | Lead::Never => 0,
        };
    }

    const fn leave(&mut self, here: usize) {
        self.depth -= 1;
        let above = if self.depth > 0 { self.path[self.depth - 1] } else { NONE };
        if self.low[here] == self.number[here] {
            let mut bits = 0;
            let mut least = NONE;
            loop {
                self.opened -= 1;
                let member = self.open[self.opened];
                self.part[member] = self.parts;
                bits |= self.own[member];
                if member < least {
                    least = member;
                }
                if member == here {
                    break;
                }
            }
            self.bits[self.parts] = bits;
            self.least[self.parts] = least;
            self.parts += 1;
            if above != NONE {
                self.own[above] |= LEAVES | (bits & FAR);
            }
        } else if above != NONE {
            if self.low[here] < self.low[above] {
                self.low[above] = self.low[here];
            }
            self.own[above] |= RING;
        }
    }
}

/// Whether a place waits for somebody, each time that it is come to.
const fn waits(topology: &Topology, node: usize) -> bool {
    node < topology.places.len() && matches!(topology.places[node].role, Role::Interrupt | Role::Elicitation)
}
