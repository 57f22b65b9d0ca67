//! What the compiler says: one text for each mistake, with the way to see it and what to write instead.

use super::elicitation::first_elicitation;
use super::flow::Flow;
use super::levels::OUTSIDE;
use super::phrase::{self, Said};
use super::report_branches as branches;
use super::rule::{is_asker, is_gate};
use super::search::Which;
use super::trail::{elicitation_in, ring};
use super::ways::{NONE, Ways, is_on, node_of};
use super::{Analysis, Fault, lints};
use crate::topology::{Origin, Topology, WayKind};

/// Refuses a graph that is wrong as a whole.
#[track_caller]
pub const fn whole<const N: usize, const W: usize>(analysis: &Analysis<N, W>, topology: &Topology) {
    if !matches!(analysis.whole, Fault::None) {
        panic!("{}", whole_text(analysis, topology).as_str())
    }
}

/// Refuses a place that is wrong.
#[track_caller]
pub const fn place<const N: usize, const W: usize>(analysis: &Analysis<N, W>, topology: &Topology, place: usize) {
    if !matches!(analysis.nodes[place], Fault::None) {
        panic!("{}", place_text(analysis, topology, place).as_str())
    }
}

/// Refuses a fork that is wrong.
#[track_caller]
pub const fn fork<const N: usize, const W: usize>(analysis: &Analysis<N, W>, topology: &Topology, fork: usize) {
    if !matches!(analysis.nodes[node_of(topology, fork)], Fault::None) {
        panic!("{}", fork_text(analysis, topology, fork).as_str())
    }
}

/// Refuses a way that is wrong.
#[track_caller]
pub const fn way<const N: usize, const W: usize>(analysis: &Analysis<N, W>, topology: &Topology, way: usize) {
    if !matches!(analysis.faults[way], Fault::None) {
        panic!("{}", way_text(analysis, topology, way).as_str())
    }
}

/// Refuses what `graph!` would, did it know of each `#[cfg]` whether it holds.
#[track_caller]
pub const fn refuse_if(wrong: bool, text: &str) {
    if wrong {
        panic!("{}", text)
    }
}

/// What is wrong with a graph as a whole; empty if nothing is.
#[must_use]
pub const fn whole_text<const N: usize, const W: usize>(analysis: &Analysis<N, W>, topology: &Topology) -> Said {
    let graph = topology.name;
    let fault = analysis.whole;
    match fault {
        Fault::NoStart => {
            let text = Said::NEW.quote(graph).push(" has no start").code(fault).help().push("write `start -> ");
            let first = if topology.places.is_empty() { "first" } else { topology.places[0].name };
            text.push(first).push(";`, with the place at which a turn begins")
        }
        Fault::TooManyExits => Said::NEW
            .quote(graph)
            .push(" has more than 64 exits")
            .code(fault)
            .help()
            .push("let some of them be one, and put into the state what tells them apart"),
        _ => Said::NEW,
    }
}

/// What is wrong with a fork; empty if nothing is.
#[must_use]
pub const fn fork_text<const N: usize, const W: usize>(analysis: &Analysis<N, W>, topology: &Topology, fork: usize) -> Said {
    place_text(analysis, topology, node_of(topology, fork))
}

/// What is wrong with a place; empty if nothing is.
#[must_use]
pub const fn place_text<const N: usize, const W: usize>(analysis: &Analysis<N, W>, topology: &Topology, place: usize) -> Said {
    let fault = analysis.nodes[place];
    let said = Said::NEW.quote_node(topology, place);
    match fault {
        Fault::Unreachable => lead_to(analysis, topology, said.push(" cannot be reached from `start`").code(fault), place),
        Fault::UnreachableRing => {
            let text = Said::NEW.push("nothing leads from `start` into the ring of ").quote_node(topology, place).code(fault);
            let together = Ways::<N, W>::with_branches(topology);
            lead_to(analysis, topology, ring(text, topology, &together, &analysis.levels, OUTSIDE, Which::All, place), place)
        }
        Fault::NoWayOut => {
            let text = said.push(" has no way out").code(fault).help();
            branches::lead_on(text, topology, place, analysis.level_of_node[place])
        }
        Fault::OnlyNever => {
            let text = Said::NEW.push("every way out of ").quote_node(topology, place).push(" is `never`").code(fault).help();
            text.push("let one of them go on to a place, or to `end`")
        }
        Fault::Ring => {
            let text = Said::NEW.push("the ring of ").quote_node(topology, place).push(" has no way out").code(fault);
            let level = analysis.level_of_node[place];
            let text = ring(text, topology, &analysis.ways, &analysis.levels, level, Which::Normal, place).help();
            branches::leave_ring(text, topology, place, level).push(", or declare that it is wanted: `#[graph(endless)]`")
        }
        Fault::SharedPlace => branches::shared(analysis, topology, place),
        Fault::NoElicitation => {
            let name = topology.places[place].name;
            let text = said.push(" may ask the user, but ").quote(topology.name).push(" has no elicitation").code(fault).help();
            let text = text.push("write, as its first way out, ").gate(name, "elicitation").push(", and ").arrow("elicitation", name);
            text.push("; or take `asks` from its `#[node(model, asks)]`")
        }
        Fault::NothingAsks => {
            let name = topology.places[place].name;
            let asker = first_asker(analysis, topology);
            if asker == NONE {
                let text = said.push(" asks what a model wants to know, but no model of ").quote(topology.name);
                let text = text.push(" asks").code(fault).help();
                text.push("declare the one that offers `ask_user`: `#[node(model, asks)]`; or take ").quote(name).push(" out")
            } else {
                let asker = topology.places[asker].name;
                let text = Said::NEW.push("nothing that asks leads to ").quote(name).code(fault).help();
                text.push("as the first way out of ").quote(asker).push(", write ").gate(asker, name)
            }
        }
        Fault::UnboundedLoop => {
            let text = Said::NEW.push("nothing bounds the loop of ").quote_node(topology, place).code(fault);
            let level = analysis.level_of_node[place];
            ring(text, topology, &analysis.ways, &analysis.levels, level, Which::Unbounded, place)
                .help()
                .push("give one of its ways a budget: `at_most 10 else ..`")
        }
        _ => Said::NEW,
    }
}

/// What is wrong with a way; empty if nothing is.
#[must_use]
pub const fn way_text<const N: usize, const W: usize>(analysis: &Analysis<N, W>, topology: &Topology, way: usize) -> Said {
    let fault = analysis.faults[way];
    match fault {
        Fault::LeavesBranch | Fault::OwnFork => branches::astray(analysis, topology, way),
        Fault::NoWayHere => branches::no_way_here(analysis, topology, way),
        Fault::Unasked => unasked(analysis, topology, way),
        Fault::Unapproved => {
            let text = Said::NEW.quote_target(topology, way).push(" may run tools before somebody approves them").code(fault);
            let text = path(text, analysis, topology, &analysis.unapproved, way).help();
            text.push("lead there through a place that approves, such as `tool_call: graph agent::ToolCall;`")
        }
        Fault::AnswerIsLost => {
            let Origin::Place(from) = topology.ways[way].from else { return Said::NEW };
            let name = topology.places[from as usize].name;
            let text = Said::NEW.push("from ").quote(name).push(", no model and no tools take up the answer").code(fault).help();
            let asker = first_asker(analysis, topology);
            text.push("lead back to the model that asked: ").arrow(name, topology.places[asker].name)
        }
        Fault::AnswerElsewhere => {
            let Origin::Place(from) = topology.ways[way].from else { return Said::NEW };
            let Some((asks, answers)) = lints::asked_and_answered(analysis, topology, from as usize) else { return Said::NEW };
            let (name, asks) = (topology.places[from as usize].name, topology.places[asks].name);
            let text = Said::NEW.quote(name).push(" asks for ").quote(asks).push(", and the answer goes to ");
            let text = text.quote(topology.places[answers].name).code(fault).help().push("lead back to the one that asked: ");
            text.arrow(name, asks)
        }
        _ => Said::NEW,
    }
}

/// Tools before the user is asked.
const fn unasked<const N: usize, const W: usize>(analysis: &Analysis<N, W>, topology: &Topology, way: usize) -> Said {
    let fault = Fault::Unasked;
    let text = Said::NEW.quote_target(topology, way).push(" may run tools before the user is asked");
    let text = match beside(topology, way) {
        NONE => text,
        asked => text.push(": it runs at the same time as ").quote(topology.places[asked].name),
    };
    let text = path(text.code(fault), analysis, topology, &analysis.unasked, way).help();
    let Some(end) = analysis.unasked.found[way] else { return text };
    // What a gate could stand before: the last way out of a place.
    let left_by = analysis.unasked.path(&analysis.ground(topology), way, end).left_by;
    if left_by == NONE {
        return text;
    }
    let Origin::Place(before) = topology.ways[left_by].from else { return text };
    let name = topology.places[before as usize].name;
    if is_on(topology, left_by) {
        return text.push("when ").quote(name).push(" fails, nobody was asked: go on at a model then, or end");
    }
    if matches!(topology.ways[left_by].kind, WayKind::Else { .. }) && left_by > 0 && is_gate(topology, left_by - 1) {
        return phrase::target(text.push("let the gate have no budget: `").push(name).push(" -> "), topology, left_by - 1)
            .push(" if ask_user_pending;`");
    }
    let gate = later_gate(analysis, topology, left_by);
    if gate != NONE {
        return phrase::target(text.push("move `").push(name).push(" -> "), topology, gate).push(" if ask_user_pending;` before this way");
    }
    let elicitation = first_elicitation(topology);
    let elicitation = if elicitation == NONE { "elicitation" } else { topology.places[elicitation].name };
    text.push("as the first way out of ").quote(name).push(", write ").gate(name, elicitation)
}

/// The path of a walk to a way.
const fn path<const N: usize, const W: usize>(
    text: Said,
    analysis: &Analysis<N, W>,
    topology: &Topology,
    flow: &Flow<N, W>,
    way: usize,
) -> Said {
    let ground = analysis.ground(topology);
    match flow.found[way] {
        Some(end) => phrase::way_to(text.path(), &ground, &flow.path(&ground, way, end), way, true),
        None => text,
    }
}

/// The elicitation at which another branch begins, if the way begins a branch.
const fn beside(topology: &Topology, way: usize) -> usize {
    match topology.ways[way].from {
        Origin::Fork(fork) => elicitation_in(topology, fork),
        _ => NONE,
    }
}

/// What to write so that a place is reached. A place that still lacks a way out is the likely beginning.
const fn lead_to<const N: usize, const W: usize>(analysis: &Analysis<N, W>, topology: &Topology, text: Said, place: usize) -> Said {
    let mut other = 0;
    while other < topology.places.len() && place < topology.places.len() {
        if analysis.reached[other] && analysis.ways.first[other] == NONE {
            let (before, name) = (topology.places[other].name, topology.places[place].name);
            return text.help().push("write ").arrow(before, name).push(": ").quote(before).push(" has no way out yet");
        }
        other += 1;
    }
    let text = text.help().push("lead a place to ").quote_node(topology, place).push(" that is reached, or take ");
    text.quote_node(topology, place).push(" out")
}

/// The first place reached that asks.
const fn first_asker<const N: usize, const W: usize>(analysis: &Analysis<N, W>, topology: &Topology) -> usize {
    let mut place = 0;
    while place < topology.places.len() {
        if analysis.reached[place] && is_asker(&topology.places[place]) {
            return place;
        }
        place += 1;
    }
    NONE
}

/// A gate of the same place that stands after a way.
const fn later_gate<const N: usize, const W: usize>(analysis: &Analysis<N, W>, topology: &Topology, way: usize) -> usize {
    let mut later = analysis.ways.next[way];
    while later != NONE {
        if is_gate(topology, later) {
            return later;
        }
        later = analysis.ways.next[later];
    }
    NONE
}
