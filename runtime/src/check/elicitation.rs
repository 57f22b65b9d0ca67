//! Rule E: the user is asked before a tool runs; and its company.
//!
//! Take any node M that `asks` and any node T with role `tools` that is reachable from M without passing another model
//! node. Every such path must either leave some place on it by a way that stands after a gate of that place, or pass
//! through an elicitation node and leave it by a normal exit. A way `on error` or `on expiry` is after no gate.

use super::flood::Flood;
use super::flow::{Flow, Ground};
use super::levels::OUTSIDE;
use super::rule::Rule;
use super::search::{SOUGHT, Search, Task, Which};
use super::ways::{NONE, fork_of, tail};
use super::{Analysis, Fault};
use crate::topology::{Origin, Role, Topology};

/// A node asks, and there is no elicitation anywhere: said at the first one, since one is missing, however many ask.
pub(super) const fn missing<const N: usize, const W: usize>(analysis: &mut Analysis<N, W>, topology: &Topology) -> bool {
    if first_elicitation(topology) != NONE {
        return false;
    }
    let mut place = 0;
    while place < topology.places.len() {
        if topology.places[place].asks {
            analysis.nodes[place] = Fault::NoElicitation;
            return true;
        }
        place += 1;
    }
    false
}

/// Says of each way that a walk found that it is wrong. What is missing is one mistake of where the ways come from, whatever
/// they lead to.
pub(super) const fn blame<const N: usize, const W: usize>(
    faults: &mut [Fault; W],
    topology: &Topology,
    flow: &Flow<N, W>,
    fault: Fault,
) -> bool {
    let mut node_blamed = [false; N];
    let mut fork_blamed = [false; N];
    let mut found = false;
    let mut way = 0;
    while way < topology.ways.len() {
        if flow.found[way].is_some() {
            let blamed = match topology.ways[way].from {
                Origin::Fork(fork) => &mut fork_blamed[fork as usize],
                Origin::Place(_) | Origin::Join(_) => &mut node_blamed[tail(topology, way)],
                Origin::Start => &mut found,
            };
            if !*blamed {
                faults[way] = fault;
            }
            *blamed = true;
            found = true;
        }
        way += 1;
    }
    found
}

/// Elicitations to which nothing leads that asks, or whose answer nobody takes up.
pub(super) const fn company<const N: usize, const W: usize>(analysis: &mut Analysis<N, W>, topology: &Topology) -> bool {
    if first_elicitation(topology) == NONE {
        return false;
    }
    let mut found = false;
    let ground = Ground { topology, ways: &analysis.ways, levels: &analysis.levels };
    let asked = Flow::from_sources(Rule::Asked, Rule::Asked.sources(topology), &ground).seen;
    let heard = heard(analysis, topology);
    let mut place = 0;
    while place < topology.places.len() {
        if matches!(topology.places[place].role, Role::Elicitation) {
            if !asked[place] {
                analysis.nodes[place] = Fault::NothingAsks;
                found = true;
            } else if !heard[place] {
                analysis.faults[analysis.ways.first[place]] = Fault::AnswerIsLost;
                found = true;
            }
        }
        place += 1;
    }
    found
}

/// The nodes from which a place is reached that takes an answer up.
const fn heard<const N: usize, const W: usize>(analysis: &Analysis<N, W>, topology: &Topology) -> [bool; N] {
    let (ways, levels) = (&analysis.ways, &analysis.levels);
    let mut nodes = Flood::<N>::NEW;
    let mut search = Search::<N>::NEW;
    let mut sought = [false; N];
    let mut place = 0;
    while place < topology.places.len() {
        // What a mounted graph does with the answer is its own affair.
        sought[place] = matches!(topology.places[place].role, Role::Model | Role::Tools | Role::Graph);
        place += 1;
    }
    // A fork takes up what one of its branches does: the inner ones first.
    let mut at = 0;
    while at < levels.len {
        nodes.fill(topology, ways, levels, levels.order[at]);
        let mut n = 0;
        while n < nodes.len {
            sought[topology.places.len() + levels.order[at]] |= sought[nodes.queue[n]];
            n += 1;
        }
        at += 1;
    }
    // And what follows a join takes up what its branches lead to: the outer ones first.
    let mut heard = [false; N];
    let mut behind = [false; N];
    loop {
        let level = if at == levels.len { OUTSIDE } else { levels.order[at] };
        let sought_behind = level != OUTSIDE && behind[level];
        nodes.fill(topology, ways, levels, level);
        let task = Task { topology, ways, levels, level, which: Which::All, sought: &sought, sought_behind };
        search.run(&task, &nodes);
        let mut n = 0;
        while n < nodes.len {
            let node = nodes.queue[n];
            heard[node] |= search.of(node) & SOUGHT != 0;
            let fork = fork_of(topology, node);
            if fork != NONE {
                behind[fork] |= search.leads_to_it(&task, node);
            }
            n += 1;
        }
        if at == 0 {
            return heard;
        }
        at -= 1;
    }
}

/// The first elicitation.
pub(super) const fn first_elicitation(topology: &Topology) -> usize {
    let mut place = 0;
    while place < topology.places.len() {
        if matches!(topology.places[place].role, Role::Elicitation) {
            return place;
        }
        place += 1;
    }
    NONE
}
