//! Rules E and A, their company, the lints, and what a graph tells whoever mounts it: from their wording.

use std::collections::BTreeSet;

use graphwright::topology::{Facts, Origin, Place, Role, Target, Topology, WayKind};

use super::rules::{Graph, Verdict};
use super::runs::{At, Here, Next, reachable, start};

pub(crate) fn no_elicitation(graph: &Graph<'_>) -> Verdict {
    if graph.topology.places.iter().any(|place| place.role == Role::Elicitation) {
        return Verdict::new();
    }
    let asks = graph.topology.places.iter().position(|place| place.asks);
    asks.map(|place| (format!("place {place}"), "GW046")).into_iter().collect()
}

/// The statement a way is part of: what is done when a budget is used up belongs to the way with the budget.
fn statement(topology: &Topology, mut way: usize) -> usize {
    while matches!(topology.ways[way].kind, WayKind::Else { .. }) {
        way -= 1;
    }
    way
}

/// "a way that stands after a gate of that place"; "a way `on error` or `on expiry` is after no gate"
fn stands_after_a_gate(graph: &Graph<'_>, way: usize) -> bool {
    let topology = graph.topology;
    !graph.is_on(way)
        && (0..statement(topology, way)).any(|earlier| {
            let gate = topology.ways[earlier];
            let to_elicitation = matches!(gate.to, Target::Place(to) if topology.places[usize::from(to)].role == Role::Elicitation);
            gate.from == topology.ways[way].from && matches!(gate.kind, WayKind::If { gate: true, .. }) && to_elicitation
        })
}

/// The exits of a mounted graph for which a way stands.
fn stands_for(topology: &Topology, way: usize) -> u64 {
    let way = statement(topology, way);
    let (WayKind::Arm { router: None, label }, Origin::Place(place)) = (topology.ways[way].kind, topology.ways[way].from) else {
        return u64::MAX;
    };
    let facts = topology.places[usize::from(place)].facts;
    let named: Vec<&str> = label.split('|').map(str::trim).collect();
    let bits = facts.exits.iter().enumerate().filter(|(_, exit)| named.contains(exit)).map(|(bit, _)| 1 << bit).sum();
    if bits == 0 { u64::MAX } else { bits }
}

pub(crate) fn is_asker(place: &Place) -> bool {
    place.asks || (place.role == Role::Graph && place.facts.dry_out != 0)
}

fn calls_model(place: &Place) -> bool {
    place.role == Role::Model || (place.role == Role::Graph && place.facts.calls_model)
}

/// A rule about paths: where they begin, by which ways they go on, and at what they end.
struct Paths<'g> {
    begins: &'g dyn Fn(&Place) -> bool,
    /// Whether a gate stops them.
    gates: bool,
    /// Of a place; is the path's first one; by this way.
    goes_on: &'g dyn Fn(&Place, bool, usize) -> bool,
    ends: &'g dyn Fn(&Place) -> bool,
}

/// What paths come to.
#[derive(Default)]
struct Found {
    /// The ways at their ends.
    ways: BTreeSet<usize>,
    /// The exits by which they leave.
    exits: u64,
    /// The places on them.
    places: BTreeSet<usize>,
}

impl Paths<'_> {
    fn after_begins(&self, graph: &Graph<'_>) -> Found {
        let begins = graph.everywhere.iter().filter(|at| graph.place(at).is_some_and(self.begins));
        self.follow(graph, begins.map(|at| (at.clone(), true)).collect())
    }

    fn after_start(&self, graph: &Graph<'_>) -> Found {
        self.follow(graph, vec![(start(), false)])
    }

    fn follow(&self, graph: &Graph<'_>, from: Vec<(At, bool)>) -> Found {
        let mut found = Found::default();
        let mut seen = BTreeSet::new();
        let mut open = from;
        while let Some((at, first)) = open.pop() {
            if !seen.insert((at.clone(), first)) {
                continue;
            }
            open.extend(at.past(graph.topology).map(|at| (at, false)));
            for (way, next) in at.steps(graph.topology) {
                if (self.gates && stands_after_a_gate(graph, way))
                    || graph.place(&at).is_some_and(|place| !(self.goes_on)(place, first, way))
                {
                    continue;
                }
                match next {
                    Next::To(to) if graph.place(&to).is_some_and(self.ends) => {
                        found.ways.insert(way);
                    }
                    Next::To(to) => {
                        found.places.extend(to.place());
                        open.push((to, false));
                    }
                    Next::End(exit) => found.exits |= 1 << exit,
                    Next::Back | Next::Nothing => {}
                }
            }
        }
        found
    }
}

/// Of each place, fork and join the first way: what is missing there is one mistake, whatever the ways lead to.
fn first_of_each(graph: &Graph<'_>, ways: &BTreeSet<usize>, code: &'static str) -> Verdict {
    let first = |way: &&usize| !ways.range(..**way).any(|before| graph.way_from(*before) == graph.way_from(**way));
    ways.iter().filter(first).map(|way| (format!("way {way}"), code)).collect()
}

/// Rule E.
fn rule_e<T>(run: impl FnOnce(&Paths<'_>) -> T, graph: &Graph<'_>) -> T {
    let topology = graph.topology;
    run(&Paths {
        begins: &|place| (is_asker(place) || (place.role == Role::Graph && place.facts.dry_error)) && place.role != Role::Elicitation,
        gates: true,
        goes_on: &|place, first, way| {
            if graph.is_on(way) {
                // What fails has not answered, and nobody was asked; but it may not have asked either.
                return !first || place.asks || (place.role == Role::Graph && place.facts.dry_error);
            }
            match place.role {
                Role::Graph => stands_for(topology, way) & if first { place.facts.dry_out } else { place.facts.dry_through } != 0,
                // "without passing another model node"; "pass through an elicitation node and leave it by a normal exit"
                Role::Model | Role::Elicitation => first,
                _ => true,
            }
        },
        ends: &|place| place.role == Role::Tools || (place.role == Role::Graph && place.facts.tools_from_start),
    })
}

pub(crate) fn unasked(graph: &Graph<'_>) -> Verdict {
    first_of_each(graph, &rule_e(|rule| rule.after_begins(graph), graph).ways, "GW047")
}

/// Rule A.
fn rule_a<T>(run: impl FnOnce(&Paths<'_>) -> T, graph: &Graph<'_>) -> T {
    run(&Paths {
        begins: &calls_model,
        gates: false,
        goes_on: &|place, _, way| graph.is_on(way) || !place.approves,
        ends: &|place| !place.approves && (place.needs_approval || (place.role == Role::Graph && place.facts.unapproved_from_start)),
    })
}

pub(crate) fn unapproved(graph: &Graph<'_>) -> Verdict {
    let ways = rule_a(|rule| rule.after_begins(graph), graph).ways;
    first_of_each(graph, &ways, "GW057")
}

/// Where a run may come from here, by any ways.
fn onwards(graph: &Graph<'_>, from: Vec<At>) -> BTreeSet<At> {
    let next = from.into_iter().flat_map(|at| at.steps(graph.topology));
    reachable(graph.topology, next.filter_map(|(_, next)| if let Next::To(at) = next { Some(at) } else { None }))
}

pub(crate) fn company(graph: &Graph<'_>) -> Verdict {
    let topology = graph.topology;
    let mut verdict = Verdict::new();
    let askers = graph.everywhere.iter().filter(|at| graph.place(at).is_some_and(is_asker)).cloned().collect();
    let asked: BTreeSet<usize> = onwards(graph, askers).iter().filter_map(At::place).collect();
    for place in (0..topology.places.len()).filter(|place| topology.places[*place].role == Role::Elicitation) {
        let takes_up = |at: &At| graph.place(at).is_some_and(|place| matches!(place.role, Role::Model | Role::Tools | Role::Graph));
        if !asked.contains(&place) {
            verdict.insert(format!("place {place}"), "GW048");
        } else if !onwards(graph, graph.all_at(place)).iter().any(takes_up) {
            let first = topology.ways.iter().position(|way| way.from == Origin::Place(place as u16)).unwrap();
            verdict.insert(format!("way {first}"), "GW049");
        }
    }
    verdict
}

// ---------------------------------------------------------------- lints

/// "a loop on which no way has a budget, and nobody is waited for"
pub(crate) fn unbounded(graph: &Graph<'_>) -> Verdict {
    let topology = graph.topology;
    if !topology.lints.unbounded_loop {
        return Verdict::new();
    }
    let counts = |way: usize| {
        let budget = matches!(topology.ways.get(way + 1).map(|way| way.kind), Some(WayKind::Else { .. }));
        let waits = matches!(graph.way_from(way), Origin::Place(place)
            if matches!(topology.places[usize::from(place)].role, Role::Interrupt | Role::Elicitation));
        !graph.is_on(way) && !budget && !waits
    };
    let mut verdict = Verdict::new();
    for room in &graph.rooms {
        let closed = room.closed(topology, &counts);
        for thing in room.things.iter().filter(|thing| closed[thing].contains(thing)) {
            if closed[thing].iter().all(|other| !closed[other].contains(thing) || other >= thing) {
                verdict.insert(thing.name(), "GW059");
            }
        }
    }
    verdict
}

/// "an elicitation whose answer goes to another model than the one that asked"
pub(crate) fn elsewhere(graph: &Graph<'_>) -> Verdict {
    let topology = graph.topology;
    let mut verdict = Verdict::new();
    for elicitation in (0..topology.places.len()).filter(|place| topology.places[*place].role == Role::Elicitation) {
        if !topology.lints.answer_elsewhere || !graph.reached(elicitation) {
            continue;
        }
        // From here to the models that are next, by ways as they lead.
        let next = |from: Vec<At>| {
            let mut found = BTreeSet::new();
            let mut seen = BTreeSet::new();
            let mut open: Vec<(At, bool)> = from.into_iter().map(|at| (at, true)).collect();
            while let Some((at, first)) = open.pop() {
                found.extend(at.place().filter(|_| !first));
                let stops = graph.place(&at).is_some_and(|place| calls_model(place) || place.role == Role::Elicitation);
                if (stops && !first) || !seen.insert((at.clone(), first)) {
                    continue;
                }
                if let Here::Fork(fork) = at.here {
                    open.push((At { branches: at.branches.clone(), here: Here::Join(fork) }, false));
                }
                open.extend(
                    at.steps(topology).into_iter().filter_map(|(_, next)| if let Next::To(at) = next { Some((at, false)) } else { None }),
                );
            }
            found
        };
        // An elicitation that comes to itself again asks anew.
        let answered = next(graph.all_at(elicitation));
        let answers = answered.iter().any(|place| *place != elicitation && calls_model(&topology.places[*place]));
        let asker = |place: &usize| is_asker(&topology.places[*place]) && topology.places[*place].role != Role::Elicitation;
        let lost = (0..topology.places.len()).filter(asker).filter(|place| !answered.contains(place));
        if answers && lost.into_iter().any(|place| next(graph.all_at(place)).contains(&elicitation)) {
            let first = topology.ways.iter().position(|way| way.from == Origin::Place(elicitation as u16)).unwrap();
            verdict.insert(format!("way {first}"), "GW058");
        }
    }
    verdict
}

// ---------------------------------------------------------------- facts

/// Tools from the start, exits crossed, exits left unasked, an error after an asker, unapproved tools from the start, a model.
pub(crate) type Told = (bool, u64, u64, bool, bool, bool);

pub(crate) fn told(facts: &Facts) -> Told {
    (facts.tools_from_start, facts.dry_through, facts.dry_out, facts.dry_error, facts.unapproved_from_start, facts.calls_model)
}

pub(crate) fn facts(graph: &Graph<'_>) -> Told {
    let (from_start, from_askers) = rule_e(|rule| (rule.after_start(graph), rule.after_begins(graph)), graph);
    let unapproved = rule_a(|rule| rule.after_start(graph), graph);
    let error = graph.topology.places.iter().any(|place| place.asks || place.facts.dry_error);
    let model = graph.everywhere.iter().any(|at| graph.place(at).is_some_and(calls_model));
    (!from_start.ways.is_empty(), from_start.exits, from_askers.exits, error, !unapproved.ways.is_empty(), model)
}
