//! A graph of another framework and a compiled one, each said in the same short sentences.
//!
//! | sentence | in the facts | in the topology |
//! | --- | --- | --- |
//! | `graph agent` | its name | its name |
//! | `node a: model` | a node and its kind | a place, by its display name if it has one, and its role |
//! | `a -> b` | an edge; a router or a goto with one target | a way that is always taken |
//! | `a -- next -- b` | a branch of a router | an arm, by its label; a guard, by its name |
//! | `a chooses b` | a target of a goto | an arm of a place that chooses |
//! | `a each b` | a send for each of something | a branch of an `each` |
//! | `a fans out` | a router that can start several, or a send for each of something | a `some` or an `each` |
//! | `a asks next` | a router that has a name | a router or a guard |
//! | `a first some` | | an arm behind which another router decides |
//! | `join b` | a join | the place behind a fork |
//! | `pause a` | an interrupt | a place that pauses |
//! | `mount a: agent` | a graph that is a node | a mounted graph |
//! | `a gate b` | | the gate |
//! | `a never next` | | an arm that leads to `never` |
//! | `a -- next after 3 -- b`, `a -- after 3 -- b` | | the `else` of a budget |
//!
//! Forks are no sentences of their own: what leads to one leads to where its branches begin, and what ends at its join
//! leads to where the join leads. Labels and the names of graphs are compared without case and punctuation, since they are
//! names of types here. A router or a goto with one target only says where to go.

use std::collections::{BTreeMap, BTreeSet};

use graphwright::topology::{Fork, ForkKind, Origin, Place, Role, Target, Topology, Way, WayKind};

use crate::facts::{Conditional, Facts, Goto, Send};

const START: &str = "__start__";
const END: &str = "__end__";

/// The sentences of one graph.
pub(crate) type Said = BTreeSet<String>;

// ---------------------------------------------------------------- the facts

pub(crate) fn of_facts(facts: &Facts) -> Said {
    let mut said = Said::from([format!("graph {}", squeezed(&facts.name))]);
    let mounted: BTreeMap<&str, &str> = facts.subgraphs.iter().map(|graph| (graph.mounted_as.as_str(), graph.name.as_str())).collect();
    for node in &facts.nodes {
        let kind = match node.kind.as_str() {
            // A node that only decides does nothing that the checker knows of.
            "router" => "plain",
            // What a node calls in its body is its own business.
            "subgraph" if !mounted.contains_key(node.name.as_str()) => "plain",
            kind => kind,
        };
        said.insert(format!("node {}: {kind}", node.name));
    }
    said.extend(facts.edges.iter().map(|edge| format!("{} -> {}", edge.from, edge.to)));
    let each = each(facts);
    said.extend(each.iter().flat_map(|(from, to)| [format!("{from} each {to}"), format!("{from} fans out")]));
    for Conditional { from, router, branches, can_fan_out } in &facts.conditional {
        said.extend(can_fan_out.then(|| format!("{from} fans out")));
        said.extend(function(router).map(|router| format!("{from} asks {router}")));
        let several = branches.len() > 1;
        let branches = branches.iter().filter(|(_, to)| several || !each.contains(&(from, to)));
        said.extend(branches.map(|(label, to)| match several {
            true => format!("{from} -- {} -- {to}", squeezed(label)),
            false => format!("{from} -> {to}"),
        }));
    }
    said.extend(facts.sends.iter().filter_map(|send| Some(format!("{} asks {}", send.from, function(&send.router)?))));
    said.extend(once(facts));
    for Goto { node, targets } in &facts.command_goto {
        let several = targets.len() > 1;
        let targets = targets.iter().filter(|to| several || !each.contains(&(node, to)));
        said.extend(targets.map(|to| if several { format!("{node} chooses {to}") } else { format!("{node} -> {to}") }));
    }
    said.extend(facts.joins.iter().flat_map(|join| join.at.split(" / ")).map(|at| format!("join {at}")));
    said.extend(facts.interrupts.iter().map(|interrupt| format!("pause {}", interrupt.node)));
    let parts = facts.nodes.iter().filter_map(|node| Some((&node.name, mounted.get(node.name.as_str())?)));
    said.extend(parts.map(|(node, graph)| format!("mount {node}: {}", squeezed(graph))));
    said
}

/// What is sent for each of something, from where to where. Where words stand for several nodes, they are those of the
/// routers of the same node that can start several.
fn each(facts: &Facts) -> BTreeSet<(&str, &str)> {
    let mut each = BTreeSet::new();
    for send in facts.sends.iter().filter(|send| send.map_over.is_some()) {
        if is_node(facts, &send.target) {
            each.insert((send.from.as_str(), send.target.as_str()));
        } else {
            let fans = facts.conditional.iter().filter(|conditional| conditional.can_fan_out && conditional.from == send.from);
            each.extend(fans.flat_map(|fan| fan.branches.values()).map(|to| (send.from.as_str(), to.as_str())));
        }
    }
    each
}

/// What is sent once, or not at all, is where a router or a goto leads: those that neither names.
fn once(facts: &Facts) -> impl Iterator<Item = String> {
    let sends = facts.sends.iter().filter(|send| send.map_over.is_none() && is_node(facts, &send.target));
    let named = |send: &Send| {
        let routers = facts.conditional.iter().filter(|conditional| conditional.from == send.from);
        let gotos = facts.command_goto.iter().filter(|goto| goto.node == send.from);
        routers.flat_map(|router| router.branches.values()).chain(gotos.flat_map(|goto| &goto.targets)).any(|to| *to == send.target)
    };
    sends.filter(move |send| !named(send)).map(|send| format!("{} chooses {}", send.from, send.target))
}

fn is_node(facts: &Facts, name: &str) -> bool {
    facts.nodes.iter().any(|node| node.name == name)
}

/// The name of a function; nothing if words stand for one. What stands in parentheses behind it is about it.
fn function(router: &str) -> Option<&str> {
    let name = router.split_once(" (").map_or(router, |(name, _)| name);
    let is_name = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') && name.starts_with(|c: char| !c.is_ascii_digit());
    is_name.then_some(name)
}

/// Without case and punctuation.
pub(crate) fn squeezed(text: &str) -> String {
    text.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect()
}

// ---------------------------------------------------------------- the topology

/// What is compiled. What a place chose is a goto where the facts have one, and else a branch.
pub(crate) fn of_topology(topology: &Topology, facts: &Facts) -> Said {
    let mut said = Said::from([format!("graph {}", squeezed(topology.name))]);
    for place in topology.places {
        let name = name(place);
        said.insert(format!("node {name}: {}", kind(place.role)));
        if place.pauses && place.role != Role::Graph {
            said.insert(format!("pause {name}"));
        }
        said.extend(place.graph.map(|graph| format!("mount {name}: {}", squeezed(graph.name))));
    }
    let places = (0..topology.places.len()).map(|place| Origin::Place(place as u16));
    for origin in std::iter::once(Origin::Start).chain(places) {
        let from = origin.place().map_or(START, |place| name(&topology.places[usize::from(place)]));
        let goes = facts.command_goto.iter().any(|goto| goto.node == from);
        for (to, seen) in onward(topology, origin, &Seen::default()) {
            seen.say(from, &to, goes, &mut said);
        }
    }
    for fork in 0..topology.forks.len() {
        let behind = onward(topology, Origin::Join(fork as u16), &Seen::default());
        said.extend(behind.iter().filter(|(to, seen)| to != END && matches!(seen.when, When::Always)).map(|(to, _)| format!("join {to}")));
    }
    said
}

pub(crate) fn name(place: &Place) -> &'static str {
    place.title.unwrap_or(place.name)
}

fn kind(role: Role) -> &'static str {
    match role {
        Role::Interrupt | Role::Elicitation => "human",
        Role::Graph => "subgraph",
        other => other.name(),
    }
}

/// When a way is taken.
#[derive(Clone, Default)]
enum When {
    #[default]
    Always,
    /// By these labels.
    Arm(String),
    /// As the place chose.
    Choice(String),
    Gate,
    /// When an arm, or what is always open, was taken so often.
    Budget(String, u32),
    Error,
    Expiry,
}

/// What was met on the way to a place, through forks and joins.
#[derive(Clone, Default)]
struct Seen {
    when: When,
    /// The labels of what was decided before that.
    first: BTreeSet<String>,
    /// One for each item.
    each: bool,
    /// Those that a router names, or one for each item.
    several: bool,
    routers: BTreeSet<&'static str>,
}

impl Seen {
    fn say(&self, from: &str, to: &str, goes: bool, said: &mut Said) {
        said.extend(self.routers.iter().map(|router| format!("{from} asks {router}")));
        said.extend(self.first.iter().flat_map(|labels| each_of(labels)).map(|label| format!("{from} first {label}")));
        said.extend(self.each.then(|| format!("{from} each {to}")));
        said.extend(self.several.then(|| format!("{from} fans out")));
        match &self.when {
            When::Always if self.each => {}
            When::Always => said.extend([format!("{from} -> {to}")]),
            When::Arm(labels) | When::Choice(labels) if to == NEVER => {
                said.extend(each_of(labels).map(|label| format!("{from} never {label}")))
            }
            When::Choice(_) if goes => said.extend([format!("{from} chooses {to}")]),
            When::Arm(labels) | When::Choice(labels) => said.extend(each_of(labels).map(|label| format!("{from} -- {label} -- {to}"))),
            When::Gate => said.extend([format!("{from} gate {to}")]),
            When::Budget(label, at_most) => said.extend([format!("{from} -- {} -- {to}", format!("{label} after {at_most}").trim())]),
            When::Error => said.extend([format!("{from} error {to}")]),
            When::Expiry => said.extend([format!("{from} expiry {to}")]),
        }
    }

    /// With a further way behind it. Of two decisions the later one is said.
    fn and(&self, topology: &Topology, way: &Way) -> Self {
        let mut seen = self.clone();
        let (when, router) = match way.kind {
            WayKind::Always if after_guards(topology, way) => (When::Arm("otherwise".to_owned()), None),
            WayKind::Always | WayKind::Branch { label: "" } => (When::Always, None),
            WayKind::If { gate: true, .. } => (When::Gate, None),
            WayKind::If { router, gate: false } => (When::Arm(router.to_owned()), Some(router)),
            WayKind::Arm { router: Some(router), label } => (When::Arm(label.to_owned()), Some(router)),
            WayKind::Arm { router: None, label } => (When::Choice(label.to_owned()), None),
            WayKind::Branch { label } => (When::Arm(label.to_owned()), None),
            WayKind::Else { at_most, label } => (When::Budget(squeezed(label), at_most), None),
            WayKind::Error => (When::Error, None),
            WayKind::Expiry => (When::Expiry, None),
        };
        seen.routers.extend(router);
        if !matches!(when, When::Always)
            && let When::Arm(labels) | When::Choice(labels) = std::mem::replace(&mut seen.when, when)
        {
            seen.first.insert(labels);
        }
        seen
    }

    fn through(&self, fork: &Fork) -> Self {
        let mut seen = self.clone();
        seen.routers.extend(fork.router);
        seen.routers.extend(fork.by);
        seen.each |= fork.kind == ForkKind::Each;
        seen.several |= fork.kind != ForkKind::All;
        seen
    }
}

const NEVER: &str = "never";

fn each_of(labels: &str) -> impl Iterator<Item = String> {
    labels.split(" | ").map(squeezed)
}

/// Whether a way is what is left when no guard holds.
fn after_guards(topology: &Topology, way: &Way) -> bool {
    topology.ways_out_of(way.from).any(|(_, other)| matches!(other.kind, WayKind::If { gate: false, .. }))
}

/// Where a start, a place, a fork or a join leads, through whatever forks and joins there are.
fn onward(topology: &Topology, origin: Origin, seen: &Seen) -> Vec<(String, Seen)> {
    let ways = topology.ways_out_of(origin);
    ways.flat_map(|(_, way)| {
        let seen = seen.and(topology, way);
        match way.to {
            Target::Place(place) => vec![(name(&topology.places[usize::from(place)]).to_owned(), seen)],
            Target::End(exit) if topology.exits[usize::from(exit)] == "end" => vec![(END.to_owned(), seen)],
            Target::End(exit) => vec![(format!("{END} {}", topology.exits[usize::from(exit)]), seen)],
            Target::Never => vec![(NEVER.to_owned(), seen)],
            Target::Fork(fork) => onward(topology, Origin::Fork(fork), &seen.through(&topology.forks[usize::from(fork)])),
            Target::Join(fork) => onward(topology, Origin::Join(fork), &seen),
        }
    })
    .collect()
}
