//! Paths that show a mistake of shape.

use super::flood::Flood;
use super::levels::{Lead, Levels};
use super::phrase::{Said, node, stations};
use super::search::Which;
use super::ways::{NONE, Ways, tail};
use crate::topology::{Origin, Role, Target, Topology};

/// The nodes by which a flood came to one, and that one.
pub(super) struct Trail<const N: usize> {
    nodes: [usize; N],
    at: usize,
}

impl<const N: usize> Trail<N> {
    pub(super) const fn of(topology: &Topology, flood: &Flood<N>, last: usize) -> Self {
        let mut trail = Self { nodes: [NONE; N], at: N };
        let mut node = last;
        while node != NONE && flood.has(node) && trail.at > 0 {
            trail.at -= 1;
            trail.nodes[trail.at] = node;
            node = if flood.by[node] == NONE { NONE } else { tail(topology, flood.by[node]) };
        }
        trail
    }

    pub(super) const fn nodes(&self) -> &[usize] {
        self.nodes.split_at(self.at).1
    }
}

/// From the entry of a level to a node on it.
pub(super) const fn trail<const N: usize, const W: usize>(
    topology: &Topology,
    ways: &Ways<N, W>,
    levels: &Levels<N>,
    level: usize,
    last: usize,
) -> Trail<N> {
    let mut flood = Flood::<N>::NEW;
    flood.fill(topology, ways, levels, level);
    Trail::of(topology, &flood, last)
}

/// The shortest ring through a node.
pub(super) const fn ring<const N: usize, const W: usize>(
    text: Said,
    topology: &Topology,
    ways: &Ways<N, W>,
    levels: &Levels<N>,
    level: usize,
    which: Which,
    through: usize,
) -> Said {
    let mut flood = Flood::<N>::NEW;
    let mut from = through;
    while from != NONE {
        let mut way = ways.first[from];
        while way != NONE {
            if let (true, Lead::To(to)) = (which.counts(topology, way), levels.lead(topology, level, way)) {
                if to == through {
                    let last = tail(topology, way);
                    let text = if last == through { text.path() } else { node(text.path(), topology, through).push(" -> ") };
                    let text = if last == through {
                        node(text, topology, through)
                    } else {
                        stations(text, topology, Trail::of(topology, &flood, last).nodes(), false)
                    };
                    return node(text.push(" -> "), topology, through);
                }
                flood.come_to(to, way);
            }
            way = ways.next[way];
        }
        from = flood.take();
    }
    text
}

/// The first way on a level, from a node on, that leads out of it to what is not its join.
pub(super) const fn to_astray<const N: usize, const W: usize>(
    topology: &Topology,
    ways: &Ways<N, W>,
    levels: &Levels<N>,
    level: usize,
    back: bool,
    flood: &mut Flood<N>,
) -> usize {
    loop {
        let from = flood.take();
        if from == NONE {
            return NONE;
        }
        let mut way = ways.first[from];
        while way != NONE {
            match levels.lead(topology, level, way) {
                Lead::To(to) => flood.come_to(to, way),
                Lead::Ends if !back => return way,
                Lead::Back if back => return way,
                _ => {}
            }
            way = ways.next[way];
        }
    }
}

/// From the first step of a branch to a node in it, at any depth. `together` are the ways with the branches.
pub(super) const fn in_branch<const N: usize, const W: usize>(
    topology: &Topology,
    together: &Ways<N, W>,
    levels: &Levels<N>,
    level: usize,
    branch: usize,
    last: usize,
) -> Trail<N> {
    let mut flood = Flood::<N>::NEW;
    if let Lead::To(first) = levels.lead(topology, level, branch) {
        flood.come_to(first, branch);
    }
    flood.spread(topology, together, levels, level);
    Trail::of(topology, &flood, last)
}

/// The first elicitation at which a branch of a fork begins.
pub(super) const fn elicitation_in(topology: &Topology, fork: u16) -> usize {
    let mut way = 0;
    while way < topology.ways.len() {
        if let (Origin::Fork(from), Target::Place(to)) = (topology.ways[way].from, topology.ways[way].to)
            && from == fork
            && matches!(topology.places[to as usize].role, Role::Elicitation)
        {
            return to as usize;
        }
        way += 1;
    }
    NONE
}
