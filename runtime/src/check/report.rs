//! What the compiler says: one text for each mistake, with the way to see it and what to write instead.

use super::elicitation::{first_elicitation, is_asker, is_gate, unasked_path};
use super::ways::{Flood, NONE, head, tail};
use super::{Analysis, Fault, Text};
use crate::topology::{Target, Topology, WayKind};

/// A mistake in words: what is wrong and its code; a path, where there is one; what to write instead.
type Said = Text<2048>;

/// Of a longer path only both ends are told.
const MAX_NAMES: usize = 12;

/// Refuses a graph that is wrong as a whole.
#[track_caller]
pub const fn whole<const P: usize, const W: usize>(analysis: &Analysis<P, W>, topology: &Topology) {
    if !matches!(analysis.whole, Fault::None) {
        panic!("{}", whole_text(analysis, topology).as_str())
    }
}

/// Refuses a place that is wrong.
#[track_caller]
pub const fn place<const P: usize, const W: usize>(analysis: &Analysis<P, W>, topology: &Topology, place: usize) {
    if !matches!(analysis.places[place], Fault::None) {
        panic!("{}", place_text(analysis, topology, place).as_str())
    }
}

/// Refuses a way that is wrong.
#[track_caller]
pub const fn way<const P: usize, const W: usize>(analysis: &Analysis<P, W>, topology: &Topology, way: usize) {
    if !matches!(analysis.ways[way], Fault::None) {
        panic!("{}", way_text(analysis, topology, way).as_str())
    }
}

/// What is wrong with a graph as a whole; empty if nothing is.
#[must_use]
pub const fn whole_text<const P: usize, const W: usize>(analysis: &Analysis<P, W>, topology: &Topology) -> Said {
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

/// What is wrong with a place; empty if nothing is.
#[must_use]
pub const fn place_text<const P: usize, const W: usize>(analysis: &Analysis<P, W>, topology: &Topology, place: usize) -> Said {
    let name = topology.places[place].name;
    let fault = analysis.places[place];
    match fault {
        Fault::Unreachable => {
            let text = Said::NEW.quote(name).push(" cannot be reached from `start`").code(fault);
            lead_to(analysis, topology, text, place)
        }
        Fault::UnreachableRing => {
            let text = Said::NEW.push("nothing leads from `start` into the ring of ").quote(name).code(fault);
            lead_to(analysis, topology, ring(analysis, topology, text, place), place)
        }
        Fault::NoWayOut => {
            let text = Said::NEW.quote(name).push(" has no way out").code(fault).help();
            text.push("write ").arrow(name, "end").push(" if it is the last step, or say where it goes on")
        }
        Fault::OnlyNever => Said::NEW
            .push("every way out of ")
            .quote(name)
            .push(" is `never`")
            .code(fault)
            .help()
            .push("let one of them go on to a place, or to `end`"),
        Fault::Ring => {
            let text = Said::NEW.push("the ring of ").quote(name).push(" has no way out").code(fault);
            ring(analysis, topology, text, place)
                .help()
                .push("write a condition that leaves it, such as `")
                .push(name)
                .push(" -> end if done;`, or declare that it is wanted: `#[graph(endless)]`")
        }
        Fault::NoElicitation => Said::NEW
            .quote(name)
            .push(" may ask the user, but ")
            .quote(topology.name)
            .push(" has no elicitation")
            .code(fault)
            .help()
            .push("write, as its first way out, ")
            .gate(name, "elicitation")
            .push(", and ")
            .arrow("elicitation", name)
            .push("; or take `asks` from its `#[node(model, asks)]`"),
        Fault::NothingAsks => {
            let asker = first_asker(analysis, topology);
            if asker == NONE {
                let text = Said::NEW.quote(name).push(" asks what a model wants to know, but no model of ").quote(topology.name);
                let text = text.push(" asks").code(fault).help();
                text.push("declare the one that offers `ask_user`: `#[node(model, asks)]`; or take ").quote(name).push(" out")
            } else {
                let text = Said::NEW.push("nothing that asks leads to ").quote(name).code(fault).help();
                text.push("as the first way out of ")
                    .quote(topology.places[asker].name)
                    .push(", write ")
                    .gate(topology.places[asker].name, name)
            }
        }
        _ => Said::NEW,
    }
}

/// What is wrong with a way; empty if nothing is.
#[must_use]
pub const fn way_text<const P: usize, const W: usize>(analysis: &Analysis<P, W>, topology: &Topology, way: usize) -> Said {
    let from = tail(topology, way);
    let fault = analysis.ways[way];
    match fault {
        Fault::Unasked => {
            let (path, len) = unasked_path::<P>(topology, &analysis.unasked_by, way);
            let (before, name) = (topology.places[from].name, topology.places[head(topology, way)].name);
            let text = Said::NEW.quote(name).push(" may run tools before the user is asked").code(fault).path();
            let text = path_to(text, topology, path.split_at(len).0, way).help();
            if matches!(topology.ways[way].kind, WayKind::Else { .. }) && way > 0 && is_gate(topology, way - 1) {
                let elicitation = topology.places[head(topology, way - 1)].name;
                return text.push("let the gate have no budget: ").gate(before, elicitation);
            }
            let gate = later_gate(analysis, topology, way);
            if gate != NONE {
                return text.push("move ").gate(before, topology.places[head(topology, gate)].name).push(" before this way");
            }
            let elicitation = first_elicitation(topology);
            let elicitation = if elicitation == NONE { "elicitation" } else { topology.places[elicitation].name };
            text.push("as the first way out of ").quote(before).push(", write ").gate(before, elicitation)
        }
        Fault::AnswerIsLost => {
            let name = topology.places[from].name;
            let text = Said::NEW.push("from ").quote(name).push(", no model and no tools take up the answer").code(fault).help();
            let asker = first_asker(analysis, topology);
            text.push("lead back to the model that asked: ").arrow(name, topology.places[asker].name)
        }
        _ => Said::NEW,
    }
}

/// The names on a path, and where the way at its end leads. What a mounted graph has of the path stands behind its name.
pub(super) const fn path_to<const CAP: usize>(text: Text<CAP>, topology: &Topology, path: &[usize], last: usize) -> Text<CAP> {
    let text = names(text, topology, path);
    let text = if path.is_empty() { text } else { text.push(" -> ") };
    match topology.ways[last].to {
        Target::Place(to) => {
            let place = &topology.places[to as usize];
            inside(text.push(place.name), &place.facts.tools_path)
        }
        Target::End(exit) => text.push(topology.exits[exit as usize]),
        Target::Never | Target::Fork(_) | Target::Join(_) => text.push("never"),
    }
}

const fn names<const CAP: usize>(mut text: Text<CAP>, topology: &Topology, path: &[usize]) -> Text<CAP> {
    let mut at = 0;
    while at < path.len() {
        if at > 0 {
            text = text.push(" -> ");
        }
        if path.len() > MAX_NAMES && at == MAX_NAMES / 2 {
            text = text.push(".. -> ");
            at = path.len() - MAX_NAMES / 2;
        }
        let place = &topology.places[path[at]];
        text = inside(text.push(place.name), &place.facts.out_path);
        at += 1;
    }
    text
}

const fn inside<const CAP: usize>(text: Text<CAP>, path: &Text<96>) -> Text<CAP> {
    if path.is_empty() { text } else { text.push("(").push(path.as_str()).push(")") }
}

/// What to write so that a place is reached. A place that still lacks a way out is the likely beginning.
const fn lead_to<const P: usize, const W: usize>(analysis: &Analysis<P, W>, topology: &Topology, text: Said, place: usize) -> Said {
    let name = topology.places[place].name;
    let mut other = 0;
    while other < topology.places.len() {
        if analysis.reached[other] && analysis.out.first[other] == NONE {
            return text
                .help()
                .push("write ")
                .arrow(topology.places[other].name, name)
                .push(": ")
                .quote(topology.places[other].name)
                .push(" has no way out yet");
        }
        other += 1;
    }
    text.help().push("lead a place to ").quote(name).push(" that is reached, or take ").quote(name).push(" out")
}

/// The shortest ring through a place.
const fn ring<const P: usize, const W: usize>(analysis: &Analysis<P, W>, topology: &Topology, text: Said, place: usize) -> Said {
    let mut flood = Flood::<P>::NEW;
    flood.follow(topology, &analysis.out, analysis.out.first[place]);
    while !flood.seen[place] {
        let at = flood.take();
        if at == NONE {
            return text;
        }
        if analysis.part[at] == analysis.part[place] {
            flood.follow(topology, &analysis.out, analysis.out.first[at]);
        }
    }
    let mut path = [NONE; P];
    let mut at = P;
    let mut before = tail(topology, flood.by[place]);
    while before != place && at > 0 {
        at -= 1;
        path[at] = before;
        before = tail(topology, flood.by[before]);
    }
    if at > 0 {
        at -= 1;
        path[at] = place;
    }
    path_to(text.path(), topology, path.split_at(at).1, flood.by[place])
}

/// The first place reached that asks.
const fn first_asker<const P: usize, const W: usize>(analysis: &Analysis<P, W>, topology: &Topology) -> usize {
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
const fn later_gate<const P: usize, const W: usize>(analysis: &Analysis<P, W>, topology: &Topology, way: usize) -> usize {
    let mut later = analysis.out.next[way];
    while later != NONE {
        if is_gate(topology, later) {
            return later;
        }
        later = analysis.out.next[later];
    }
    NONE
}

impl Said {
    const fn quote(self, name: &str) -> Self {
        self.push("`").push(name).push("`")
    }

    const fn arrow(self, from: &str, to: &str) -> Self {
        self.push("`").push(from).push(" -> ").push(to).push(";`")
    }

    const fn gate(self, from: &str, elicitation: &str) -> Self {
        self.push("`").push(from).push(" -> ").push(elicitation).push(" if ask_user_pending;`")
    }

    const fn code(self, fault: Fault) -> Self {
        self.push(" [").push(fault.code()).push("]")
    }

    const fn path(self) -> Self {
        self.push("\n  path: ")
    }

    const fn help(self) -> Self {
        self.push("\n  help: ")
    }
}
