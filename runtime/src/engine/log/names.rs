//! What is stored of a graph: names, never numbers, so that a deploy that reorders the source changes nothing.

use crate::graph::{Graph, To};
use crate::topology::{Origin, Role, Target, Topology, Way, WayKind};
use crate::turn::Budgets;

fn place(topology: &Topology, place: u16) -> &'static str {
    topology.places.get(usize::from(place)).map_or("", |place| place.name)
}

/// The place's name in the graph.
pub(crate) fn name<G: Graph>(at: G::At) -> &'static str {
    G::TOPOLOGY.places.get(G::index(at)).map_or("", |place| place.name)
}

/// The name of the node that stands at a place.
pub(crate) fn node_name<G: Graph>(at: G::At) -> &'static str {
    G::TOPOLOGY.places.get(G::index(at)).map_or("", |place| place.node)
}

pub(crate) fn role<G: Graph>(at: G::At) -> Role {
    G::TOPOLOGY.places.get(G::index(at)).map_or(Role::Plain, |place| place.role)
}

/// Whether another graph stands at the place.
pub(crate) fn is_mount<G: Graph>(at: G::At) -> bool {
    G::TOPOLOGY.places.get(G::index(at)).is_some_and(|place| place.graph.is_some())
}

/// The exit's name in the graph.
pub(crate) fn exit_name(topology: &Topology, exit: u16) -> &'static str {
    topology.exits.get(usize::from(exit)).copied().unwrap_or("end")
}

/// `all`, `some sources`, `each open_calls`.
pub(crate) fn fork_title(topology: &Topology, fork: u16) -> String {
    let Some(fork) = topology.forks.get(usize::from(fork)) else { return String::new() };
    match fork.router {
        Some(router) => format!("{} {router}", fork.kind.name()),
        None => fork.kind.name().to_owned(),
    }
}

/// A fork by what leads to it and how it chooses: `react->each open_calls`.
pub(crate) fn fork_name(topology: &Topology, fork: u16) -> String {
    let alone = |fork: u16| {
        let mut ways = topology.ways.iter().filter(|way| way.to == Target::Fork(fork)).map(|way| way.from);
        let from = ways.clone().find(|from| matches!(from, Origin::Start | Origin::Place(_))).or_else(|| ways.next());
        let from = from.map_or_else(String::new, |from| origin(topology, from));
        format!("{from}->{}", fork_title(topology, fork))
    };
    let this = alone(fork);
    match (0..fork).filter(|other| alone(*other) == this).count() {
        0 => this,
        twin => format!("{this}#{twin}"),
    }
}

/// The tail of an arrow.
pub(crate) fn origin(topology: &Topology, from: Origin) -> String {
    match from {
        Origin::Start => "start".to_owned(),
        Origin::Place(at) => place(topology, at).to_owned(),
        Origin::Fork(fork) => fork_title(topology, fork),
        Origin::Join(fork) => format!("join of {}", fork_title(topology, fork)),
    }
}

/// The head of an arrow.
pub(crate) fn target(topology: &Topology, to: Target) -> String {
    match to {
        Target::Place(at) => place(topology, at).to_owned(),
        Target::End(exit) => exit_name(topology, exit).to_owned(),
        Target::Never => "never".to_owned(),
        Target::Fork(fork) => fork_title(topology, fork),
        Target::Join(fork) => format!("join of {}", fork_title(topology, fork)),
    }
}

/// The first step of a branch, by which its siblings tell it from themselves.
pub(crate) fn branch_name<G: Graph>(way: u16, to: To<G::At>) -> String {
    let label = match G::TOPOLOGY.ways.get(usize::from(way)).map(|way| way.kind) {
        Some(WayKind::Branch { label }) => label,
        _ => "",
    };
    match to {
        _ if !label.is_empty() => label.to_owned(),
        To::Place(at) => name::<G>(at).to_owned(),
        To::Fork(fork) => fork_title(G::TOPOLOGY, fork),
        To::Join | To::End(_) | To::Never => "join".to_owned(),
    }
}

/// Budgets by the names that an arrow connects.
pub(crate) fn budget_key(topology: &Topology, way: usize) -> String {
    let ends = |way: &Way| (way.from, way.to);
    let Some(this) = topology.ways.get(way) else { return String::new() };
    let key = format!("{}->{}", origin(topology, this.from), target(topology, this.to));
    match topology.ways.iter().take(way).filter(|other| ends(other) == ends(this)).count() {
        0 => key,
        twin => format!("{key}#{twin}"),
    }
}

/// The budget behind a way, by name and count.
pub(crate) fn budget_taken(topology: &Topology, taken: &Budgets, budget: u16) -> (String, u32) {
    (budget_key(topology, usize::from(budget)), taken.get(usize::from(budget)))
}

/// Every budget that was used.
pub(crate) fn stored_budgets(topology: &Topology, taken: &Budgets) -> Vec<(String, u32)> {
    let used = (0..topology.ways.len()).filter(|way| taken.get(*way) > 0);
    used.map(|way| (budget_key(topology, way), taken.get(way))).collect()
}

/// A budget as it is stored; one that the graph has not any more is no budget.
pub(crate) fn restore_budget<G: Graph>(taken: &mut Budgets, key: &str, count: u32) {
    let ways = 0..G::TOPOLOGY.ways.len();
    let find = |key: &str| ways.clone().find(|way| key == budget_key(G::TOPOLOGY, *way));
    if let Some(way) = find(key).or_else(|| find(&arrow_now::<G>(key)?)) {
        taken.set(way, count);
    }
}

/// The name of an arrow whose ends were called otherwise in an earlier version of the graph.
fn arrow_now<G: Graph>(arrow: &str) -> Option<String> {
    let (from, to) = arrow.split_once("->")?;
    let (to, twin) = to.split_once('#').map_or((to, None), |(to, twin)| (to, Some(twin)));
    let now = |end: &str| find_place::<G>(end).map_or_else(|| end.to_owned(), |at| name::<G>(at).to_owned());
    let twin = twin.map_or_else(String::new, |twin| format!("#{twin}"));
    Some(format!("{}->{}{twin}", now(from), now(to)))
}

/// The place of this name, or the one that had it in an earlier version of the graph.
pub(crate) fn find_place<G: Graph>(place: &str) -> Option<G::At> {
    let index = G::TOPOLOGY.places.iter().position(|p| p.name == place);
    let renamed = || (0..G::TOPOLOGY.places.len()).find(|at| G::at(*at).is_some_and(|at| G::policy(at).was.contains(&place)));
    index.or_else(renamed).and_then(G::at)
}

pub(crate) fn find_exit(topology: &Topology, exit: &str) -> Option<u16> {
    topology.exits.iter().position(|name| *name == exit).and_then(|index| u16::try_from(index).ok())
}

/// The fork of this name.
pub(crate) fn fork_named(topology: &Topology, name: &str) -> Option<u16> {
    let forks = u16::try_from(topology.forks.len()).unwrap_or(u16::MAX);
    (0..forks).find(|fork| fork_name(topology, *fork) == name)
}

/// The fork of this name, or the one that had it when the place before it was called otherwise.
pub(crate) fn find_fork<G: Graph>(name: &str) -> Option<u16> {
    fork_named(G::TOPOLOGY, name).or_else(|| fork_named(G::TOPOLOGY, &arrow_now::<G>(name)?))
}
