//! What may be meant, and is refused where a graph asks for it: `#[graph(deny(unbounded_loop, answer_elsewhere))]`.
//!
//! A constant cannot warn: what it has to say it says by a panic, and that is an error. So these are off, or refuse.

use super::flood::Flood;
use super::flow::Flow;
use super::levels::OUTSIDE;
use super::rule::{Rule, calls_model, is_asker};
use super::search::{RING, Search, Task, Which};
use super::{Analysis, Fault};
use crate::topology::{Role, Topology};

/// Loops on which nothing counts how often, and nobody is waited for.
pub(super) const fn unbounded<const N: usize, const W: usize>(analysis: &mut Analysis<N, W>, topology: &Topology) -> bool {
    if !topology.lints.unbounded_loop {
        return false;
    }
    let mut search = Search::<N>::NEW;
    let mut nodes = Flood::<N>::NEW;
    let sought = [false; N];
    let mut found = false;
    let mut at = 0;
    while at <= analysis.levels.len {
        let level = if at == 0 { OUTSIDE } else { analysis.levels.order[at - 1] };
        let (ways, levels) = (&analysis.ways, &analysis.levels);
        nodes.fill(topology, ways, levels, level);
        search.run(&Task { topology, ways, levels, level, which: Which::Unbounded, sought: &sought, sought_behind: false }, &nodes);
        let mut part = 0;
        while part < search.parts {
            let node = search.least[part];
            if search.bits[part] & RING != 0 && matches!(analysis.nodes[node], Fault::None) {
                analysis.nodes[node] = Fault::UnboundedLoop;
                analysis.level_of_node[node] = level;
                found = true;
            }
            part += 1;
        }
        at += 1;
    }
    found
}

/// Elicitations that a model leads to, and whose answer another model takes up, and not that one.
pub(super) const fn elsewhere<const N: usize, const W: usize>(analysis: &mut Analysis<N, W>, topology: &Topology) -> bool {
    let mut found = false;
    let mut place = 0;
    while place < topology.places.len() && topology.lints.answer_elsewhere {
        if matches!(topology.places[place].role, Role::Elicitation) && asked_and_answered(analysis, topology, place).is_some() {
            analysis.faults[analysis.ways.first[place]] = Fault::AnswerElsewhere;
            found = true;
        }
        place += 1;
    }
    found
}

/// Who asks by an elicitation and is not answered, and who is.
pub(super) const fn asked_and_answered<const N: usize, const W: usize>(
    analysis: &Analysis<N, W>,
    topology: &Topology,
    elicitation: usize,
) -> Option<(usize, usize)> {
    let ground = analysis.ground(topology);
    let mut from = [false; N];
    from[elicitation] = true;
    let answered = Flow::from_sources(Rule::Between(elicitation), from, &ground).seen;
    let mut others = [false; N];
    let mut answers = None;
    let mut place = topology.places.len();
    while place > 0 {
        place -= 1;
        let it = &topology.places[place];
        if answered[place] && calls_model(it) {
            answers = Some(place);
        }
        others[place] = is_asker(it) && !answered[place] && !matches!(it.role, Role::Elicitation);
    }
    let asking = Flow::from_sources(Rule::Between(elicitation), others, &ground);
    match (answers, asking.first) {
        (Some(answered), Some((way, end))) => match asking.path(&ground, way, end).nodes() {
            [asker, ..] => Some((*asker, answered)),
            [] => None,
        },
        _ => None,
    }
}
