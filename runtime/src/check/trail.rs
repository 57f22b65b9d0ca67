//! Paths that show a mistake of shape.

use super::Analysis;
use super::flood::Flood;
use super::levels::{Lead, Levels};
use super::phrase::{Said, node, stations};
use super::search::Which;
use super::ways::{NONE, Ways, fork_of, node_of, origin};
use crate::topology::{Origin, Role, Target, Topology};

/// The nodes by which a flood came to one, and that one.
pub(super) struct Trail<const N: usize> {
    nodes: [usize; N],
    at: usize,
}

impl<const N: usize> Trail<N> {
    pub(super) const fn of(topology: &Topology, flood: &Flood<N>, last: usize) -> Self {
        Self::new(topology, flood, last, false)
    }

    /// The nodes on the way to where a way begins.
    const fn before(topology: &Topology, flood: &Flood<N>, way: usize) -> Self {
        Self::new(topology, flood, origin(topology, way), matches!(topology.ways[way].from, Origin::Fork(_)))
    }

    /// A fork is told where it is crossed, and not where one of its branches is gone into.
    const fn new(topology: &Topology, flood: &Flood<N>, last: usize, mut into_branch: bool) -> Self {
        let mut trail = Self { nodes: [NONE; N], at: N };
        let mut node = last;
        while node != NONE && flood.has(node) && trail.at > 0 {
            if !into_branch {
                trail.at -= 1;
                trail.nodes[trail.at] = node;
            }
            let way = flood.by[node];
            if way == NONE {
                break;
            }
            into_branch = matches!(topology.ways[way].from, Origin::Fork(_));
            node = origin(topology, way);
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
                    let between = Trail::before(topology, &flood, way);
                    let text = node(text.path(), topology, through).push(" -> ");
                    let text = stations(text, topology, between.nodes(), false);
                    let text = if between.nodes().is_empty() { text } else { text.push(" -> ") };
                    return node(text, topology, through);
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

/// From the first step of a branch to a place in it, at any depth: level by level.
pub(super) const fn in_branch<const N: usize, const W: usize>(
    mut text: Said,
    analysis: &Analysis<N, W>,
    topology: &Topology,
    (fork, branch): (usize, usize),
    place: usize,
) -> Said {
    let (ways, levels) = (&analysis.ways, &analysis.levels);
    let mut flood = Flood::<N>::NEW;
    // The forks in the branch, each come to from the level that it stands on.
    let mut inner = Flood::<N>::NEW;
    let mut level = fork;
    loop {
        fill(&mut flood, topology, ways, levels, (fork, branch), level);
        if flood.has(place) {
            break;
        }
        let mut at = 0;
        while at < flood.len {
            if fork_of(topology, flood.queue[at]) != NONE {
                inner.come_to(fork_of(topology, flood.queue[at]), level);
            }
            at += 1;
        }
        level = inner.take();
        if level == NONE {
            return text;
        }
    }
    let mut chain = [NONE; N];
    let mut depth = 0;
    while level != fork {
        chain[depth] = level;
        depth += 1;
        level = inner.by[level];
    }
    loop {
        fill(&mut flood, topology, ways, levels, (fork, branch), level);
        if depth == 0 {
            return stations(text, topology, Trail::of(topology, &flood, place).nodes(), false);
        }
        depth -= 1;
        level = chain[depth];
        let trail = Trail::new(topology, &flood, node_of(topology, level), true);
        text = stations(text, topology, trail.nodes(), false);
        if !trail.nodes().is_empty() {
            text = text.push(" -> ");
        }
    }
}

const fn fill<const N: usize, const W: usize>(
    flood: &mut Flood<N>,
    topology: &Topology,
    ways: &Ways<N, W>,
    levels: &Levels<N>,
    (fork, branch): (usize, usize),
    level: usize,
) {
    if level == fork {
        flood.fill_branch(topology, ways, levels, fork, branch);
    } else {
        flood.fill(topology, ways, levels, level);
    }
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
