//! Whether every place can be come to, and left for good.

use super::flood::Flood;
use super::levels::{Lead, Levels, OUTSIDE};
use super::search::{LEAVES, RING, Search, Task, Which};
use super::ways::{NONE, Ways, is_on};
use super::{Analysis, Fault};
use crate::topology::{Role, Target, Topology};

/// What can be reached. Ways `on error` and `on expiry` lead somewhere, as others do.
pub(super) const fn reach<const N: usize, const W: usize>(topology: &Topology, ways: &Ways<N, W>) -> [bool; N] {
    let mut flood = Flood::<N>::NEW;
    flood.fill(topology, ways, &Levels::NEW, OUTSIDE);
    let mut reached = [false; N];
    let mut at = 0;
    while at < flood.len {
        reached[flood.queue[at]] = true;
        at += 1;
    }
    reached
}

/// Places that nothing leads to: one error for each part that is a beginning of its own; what follows from it is no
/// mistake of its own. `ways` are those with the branches.
///
/// An elicitation that nothing leads to is left to the rules of elicitation, which know what is missing.
pub(super) const fn unreachable<const N: usize, const W: usize>(
    analysis: &mut Analysis<N, W>,
    topology: &Topology,
    ways: &Ways<N, W>,
) -> bool {
    let levels = Levels::NEW;
    let mut excused = Flood::<N>::NEW;
    let mut lost = Flood::<N>::NEW;
    let mut node = 0;
    while node < topology.places.len() + topology.forks.len() {
        if !analysis.reached[node] {
            lost.come_to(node, NONE);
            if node < topology.places.len() && matches!(topology.places[node].role, Role::Elicitation) {
                excused.come_to(node, NONE);
            }
        }
        node += 1;
    }
    if lost.len == 0 || topology.unreachable {
        return false;
    }
    excused.spread(topology, ways, &levels, OUTSIDE);
    let mut search = Search::<N>::NEW;
    let sought = [false; N];
    let task = Task { topology, ways, levels: &levels, level: OUTSIDE, which: Which::All, sought: &sought, sought_behind: false };
    search.run(&task, &lost);

    // A part that another one leads to.
    let mut entered = [false; N];
    let mut at = 0;
    while at < lost.len {
        let node = lost.queue[at];
        let mut way = ways.first[node];
        while way != NONE {
            if let Lead::To(to) = levels.lead(topology, OUTSIDE, way)
                && !analysis.reached[to]
                && search.part[to] != search.part[node]
            {
                entered[search.part[to]] = true;
            }
            way = ways.next[way];
        }
        at += 1;
    }
    let mut found = false;
    let mut part = 0;
    while part < search.parts {
        let node = search.least[part];
        if !analysis.reached[node] && !entered[part] && !excused.has(node) {
            analysis.nodes[node] = if search.bits[part] & RING == 0 { Fault::Unreachable } else { Fault::UnreachableRing };
            found = true;
        }
        part += 1;
    }
    found
}

/// Places from which a run cannot get away: one error for each part of a level that leads to nothing else.
///
/// Ways `on error` and `on expiry` are no ways out: a place that has no other leads nowhere if all goes well, and a ring
/// that is left by them alone goes round until something fails.
pub(super) const fn stuck<const N: usize, const W: usize>(analysis: &mut Analysis<N, W>, topology: &Topology) -> bool {
    let mut search = Search::<N>::NEW;
    let mut nodes = Flood::<N>::NEW;
    let sought = [false; N];
    let mut told = [false; N];
    let mut found = false;
    let mut at = 0;
    while at <= analysis.levels.len {
        let level = if at == 0 { OUTSIDE } else { analysis.levels.order[at - 1] };
        nodes.fill(topology, &analysis.ways, &analysis.levels, level);
        let (ways, levels) = (&analysis.ways, &analysis.levels);
        search.run(&Task { topology, ways, levels, level, which: Which::Normal, sought: &sought, sought_behind: false }, &nodes);
        let mut part = 0;
        while part < search.parts {
            let (node, bits) = (search.least[part], search.bits[part]);
            // What is wrong on several levels is said once.
            if bits & LEAVES == 0 && !(bits & RING != 0 && topology.endless) && !told[node] {
                let fault = if bits & RING != 0 { Fault::Ring } else { no_way(topology, &analysis.ways, node) };
                if matches!(fault, Fault::NoWayHere) {
                    // It is right where its branch ends: what is wrong is the way by which it is come to.
                    analysis.faults[nodes.by[node]] = fault;
                    analysis.level_of_way[nodes.by[node]] = level;
                } else {
                    analysis.nodes[node] = fault;
                    analysis.level_of_node[node] = level;
                }
                told[node] = true;
                found = true;
            }
            part += 1;
        }
        at += 1;
    }
    found
}

/// Why a node leads nowhere.
const fn no_way<const N: usize, const W: usize>(topology: &Topology, ways: &Ways<N, W>, node: usize) -> Fault {
    let mut fault = Fault::NoWayOut;
    let mut way = ways.first[node];
    while way != NONE {
        if !is_on(topology, way) {
            match topology.ways[way].to {
                Target::Join(_) => return Fault::NoWayHere,
                _ => fault = Fault::OnlyNever,
            }
        }
        way = ways.next[way];
    }
    fault
}
