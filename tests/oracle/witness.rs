//! A path that is told can be gone.

use std::collections::BTreeSet;

use graphwright::check::{Analysis, Fault, place_text, way_text};
use graphwright::topology::{ForkKind, Origin, Role, Target, Topology};

use super::graphs::{NODES, WAYS};
use super::paths::is_asker;
use super::rules::Graph;

/// What a path is told to lead over: by a name there may be several.
type Station = Vec<Point>;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Point {
    Place(u16),
    Fork(u16),
    Join(u16),
    End(u16),
}

/// Each step of each path is a way, and a path of rule E begins at one that asks and passes no other model.
pub(super) fn are_real(graph: &Graph<'_>, analysis: &Analysis<NODES, WAYS>) -> Result<(), String> {
    let topology = graph.topology;
    for way in (0..topology.ways.len()).filter(|way| analysis.of_way(*way) != Fault::None) {
        let (fault, text) = (analysis.of_way(way), way_text(analysis, topology, way));
        let paths = paths(topology, text.as_str());
        if paths.is_empty() == matches!(fault, Fault::Unasked | Fault::Unapproved | Fault::LeavesBranch | Fault::OwnFork | Fault::NoWayHere)
        {
            return Err(format!("way {way}: {} paths: {text:?}", paths.len()));
        }
        for path in &paths {
            let real = goes(topology, path) && (fault != Fault::Unasked || asks_and_passes_no_model(topology, path));
            if !real {
                return Err(format!("way {way}: no such path: {text:?}"));
            }
        }
    }
    for node in 0..topology.places.len() + topology.forks.len() {
        let text = place_text(analysis, topology, node);
        if !paths(topology, text.as_str()).iter().all(|path| goes(topology, path)) {
            return Err(format!("no such path: {text:?}"));
        }
    }
    Ok(())
}

/// The paths in a message.
fn paths(topology: &Topology, text: &str) -> Vec<Vec<Station>> {
    let Some(line) = text.lines().find_map(|line| line.strip_prefix("  path: ")) else { return Vec::new() };
    apart(line, ", ").iter().map(|path| apart(path, " -> ").iter().map(|name| station(topology, name)).collect()).collect()
}

/// Parts of a text, where no bracket is open.
fn apart<'a>(text: &'a str, by: &str) -> Vec<&'a str> {
    let mut parts = Vec::new();
    let mut from = 0;
    for (at, _) in text.match_indices(by) {
        let before = &text[..at];
        if before.matches(['[', '(']).count() == before.matches([']', ')']).count() {
            parts.push(&text[from..at]);
            from = at + by.len();
        }
    }
    parts.push(&text[from..]);
    parts
}

fn station(topology: &Topology, name: &str) -> Station {
    let name = name.split('(').next().unwrap();
    let places = topology.places.iter().enumerate().filter(|(_, place)| place.name == name).map(|(n, _)| Point::Place(n as u16));
    let exits = topology.exits.iter().enumerate().filter(|(_, exit)| **exit == name).map(|(n, _)| Point::End(n as u16));
    let forks = (0..topology.forks.len()).filter(|fork| fork_name(topology, *fork) == name).map(|n| Point::Fork(n as u16));
    places.chain(exits).chain(forks).collect()
}

fn fork_name(topology: &Topology, fork: usize) -> String {
    let it = &topology.forks[fork];
    if let (ForkKind::Some | ForkKind::Each, Some(router)) = (it.kind, it.router) {
        return format!("{} {router}", if it.kind == ForkKind::Some { "some" } else { "each" });
    }
    let first = topology.ways.iter().filter(|way| way.from == Origin::Fork(fork as u16)).map(|way| match way.to {
        Target::Place(place) => topology.places[usize::from(place)].name,
        _ => "[..]",
    });
    format!("[{}]", first.collect::<Vec<_>>().join(", "))
}

/// Whether each station leads to the next, with nothing but forks and joins between.
fn goes(topology: &Topology, path: &[Station]) -> bool {
    let mut here: BTreeSet<Point> = path[0].iter().copied().collect();
    for next in &path[1..] {
        // A fork that a path leads over is left by its join, and one at which it ends is come to.
        let from = here.iter().map(|point| if let Point::Fork(fork) = point { Point::Join(*fork) } else { *point });
        let beyond = beyond(topology, from);
        here = next.iter().copied().filter(|point| beyond.contains(point)).collect();
    }
    !here.is_empty()
}

/// The points that are come to by one way, or more with forks and joins between.
fn beyond(topology: &Topology, from: impl IntoIterator<Item = Point>) -> BTreeSet<Point> {
    let mut seen = BTreeSet::new();
    let mut open: Vec<Point> = from.into_iter().collect();
    while let Some(point) = open.pop() {
        let origin = match point {
            Point::Place(place) => Origin::Place(place),
            Point::Fork(fork) => Origin::Fork(fork),
            Point::Join(fork) => Origin::Join(fork),
            Point::End(_) => continue,
        };
        for way in topology.ways.iter().filter(|way| way.from == origin) {
            let mut to = Vec::new();
            match way.to {
                Target::Place(place) => {
                    to.push(Point::Place(place));
                    // By the name of where a fork's branches meet, its join is come to.
                    let joins = topology.forks.iter().enumerate().filter(|(_, fork)| fork.join == Some(place));
                    to.extend(joins.map(|(fork, _)| Point::Join(fork as u16)));
                }
                Target::Fork(fork) => to.push(Point::Fork(fork)),
                Target::Join(fork) => to.push(Point::Join(fork)),
                Target::End(exit) => to.push(Point::End(exit)),
                Target::Never => {}
            }
            for point in to {
                if seen.insert(point) && matches!(point, Point::Fork(_) | Point::Join(_)) {
                    open.push(point);
                }
            }
        }
    }
    seen
}

fn asks_and_passes_no_model(topology: &Topology, path: &[Station]) -> bool {
    let place = |station: &Station| match station[..] {
        [Point::Place(place)] => Some(&topology.places[usize::from(place)]),
        _ => None,
    };
    let may_ask = |station| place(station).is_some_and(|place| is_asker(place) || place.facts.dry_error);
    // A model that fails is none that answers.
    let on = |station: &Station| {
        let from = |place| topology.ways.iter().any(|way| way.from == Origin::Place(place) && super::rules::is_on(way));
        matches!(station[..], [Point::Place(place)] if from(place))
    };
    let passed = &path[1..path.len() - 1];
    let stops = |station: &Station| place(station).is_some_and(|place| matches!(place.role, Role::Model | Role::Elicitation));
    may_ask(&path[0]) && passed.iter().all(|station| !stops(station) || on(station))
}
