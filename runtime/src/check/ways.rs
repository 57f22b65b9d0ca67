//! Ways in lists by where they come from.

use crate::topology::{Origin, Topology, WayKind};

/// No place, no fork, no way.
pub(super) const NONE: usize = usize::MAX;

/// A place is a node by its number, and a fork with its join is one behind the places.
pub(super) const fn node_of(topology: &Topology, fork: usize) -> usize {
    topology.places.len() + fork
}

/// The number of the fork that a node is; none for a place.
pub(super) const fn fork_of(topology: &Topology, node: usize) -> usize {
    if node >= topology.places.len() && node != NONE { node - topology.places.len() } else { NONE }
}

/// For each node a linked list of the ways out of it, in the order in which they are tried. The ways out of a fork's node
/// are those of its join.
#[derive(Debug)]
pub(super) struct Ways<const N: usize, const W: usize> {
    pub(super) first: [usize; N],
    /// By the number of a fork: the first way into a branch.
    pub(super) branches: [usize; N],
    pub(super) next: [usize; W],
    /// The first way out of `start`.
    pub(super) start: usize,
}

impl<const N: usize, const W: usize> Ways<N, W> {
    pub(super) const fn of(topology: &Topology) -> Self {
        Self::new(topology, true)
    }

    /// The ways out of a fork's node are those into its branches, too: a join is reached when its fork is.
    pub(super) const fn with_branches(topology: &Topology) -> Self {
        Self::new(topology, false)
    }

    const fn new(topology: &Topology, apart: bool) -> Self {
        let mut lists = Self { first: [NONE; N], branches: [NONE; N], next: [NONE; W], start: NONE };
        let mut way = topology.ways.len();
        while way > 0 {
            way -= 1;
            match topology.ways[way].from {
                Origin::Start => {
                    lists.next[way] = lists.start;
                    lists.start = way;
                }
                Origin::Fork(fork) if apart => {
                    lists.next[way] = lists.branches[fork as usize];
                    lists.branches[fork as usize] = way;
                }
                Origin::Place(node) => lists.put(node as usize, way),
                Origin::Fork(fork) | Origin::Join(fork) => lists.put(node_of(topology, fork as usize), way),
            }
        }
        lists
    }

    const fn put(&mut self, node: usize, way: usize) {
        self.next[way] = self.first[node];
        self.first[node] = way;
    }
}

/// The node that a way comes from; none for `start`, and for a way into a branch.
pub(super) const fn tail(topology: &Topology, way: usize) -> usize {
    match topology.ways[way].from {
        Origin::Place(place) => place as usize,
        Origin::Join(fork) => node_of(topology, fork as usize),
        Origin::Start | Origin::Fork(_) => NONE,
    }
}

/// The node that a way comes from; of a way into a branch its fork.
pub(super) const fn origin(topology: &Topology, way: usize) -> usize {
    match topology.ways[way].from {
        Origin::Fork(fork) => node_of(topology, fork as usize),
        _ => tail(topology, way),
    }
}

/// `on error`, `on expiry`.
pub(super) const fn is_on(topology: &Topology, way: usize) -> bool {
    matches!(topology.ways[way].kind, WayKind::Error | WayKind::Expiry)
}

/// Whether a way can be taken so often only.
pub(super) const fn has_budget(topology: &Topology, way: usize) -> bool {
    way + 1 < topology.ways.len() && matches!(topology.ways[way + 1].kind, WayKind::Else { .. })
}
