//! From a graph to what is seen of it.

use graphwright_layout::{Edge, Line, Mark, Node, Picture, Shape, Tint};

use super::{Links, Marks};
use crate::topology::scene::{Lane, Scene, Spot, What};
use crate::topology::{Place, Role, WayKind};

/// The picture of a scene.
pub(super) fn of(scene: &Scene<'_>, marks: Option<&Marks>, links: Option<&Links>) -> Picture {
    let mut picture = within(scene, marks, marks.is_some(), links, "");
    picture.description = description(scene);
    picture
}

fn within(scene: &Scene<'_>, marks: Option<&Marks>, marked: bool, links: Option<&Links>, path: &str) -> Picture {
    let taken: Vec<u64> = scene.lanes.iter().map(|lane| taken(scene, lane, marks)).collect();
    let passed = |number: usize| {
        let lanes = scene.lanes.iter().zip(&taken);
        lanes.filter(|(lane, _)| lane.from == number || lane.to == number).any(|(_, taken)| *taken > 0)
    };
    let node = |(number, spot): (usize, &Spot)| {
        let place = scene.place(spot);
        let path = place.map_or_else(String::new, |place| format!("{path}{}", place.name));
        let inside = || marks.and_then(|marks| marks.inside(place?.name));
        Node {
            label: if is_plain_end(scene, spot) { String::new() } else { scene.title(spot) },
            shape: shape(scene, spot),
            tint: tint(spot, place),
            asks: place.is_some_and(Place::is_asking),
            stacked: spot.stacked,
            tooltip: tooltip(scene, spot),
            link: links.and_then(|links| links.of(&path)).map(str::to_owned),
            mark: match (place, marks) {
                (Some(place), Some(marks)) => marks.of(place.name),
                (None, Some(_)) if passed(number) => Mark::Visited,
                _ => Mark::None,
            },
            inner: spot.inner.as_ref().map(|inner| within(inner, inside(), marked, links, &format!("{path}/"))),
        }
    };
    let edge = |(lane, taken): (&Lane, &u64)| Edge {
        from: lane.from,
        to: lane.to,
        exit: lane.exit,
        label: label(scene, lane),
        line: match lane.kind {
            WayKind::If { gate: true, .. } => Line::Gate,
            WayKind::Error => Line::Error,
            _ => Line::Plain,
        },
        taken: *taken,
    };
    Picture {
        name: scene.topology.name.to_owned(),
        description: String::new(),
        nodes: scene.spots.iter().enumerate().map(node).collect(),
        edges: scene.lanes.iter().zip(&taken).map(edge).collect(),
        marked,
    }
}

/// What stands at an arrow; not again what stands at the exit where it begins.
fn label(scene: &Scene<'_>, lane: &Lane) -> String {
    let inner = scene.spots.get(lane.from).and_then(|spot| spot.inner.as_ref());
    let is_said = inner.is_some_and(|inner| {
        let exit = lane.exit.and_then(|exit| inner.spots.get(exit));
        exit.is_some_and(|exit| !is_plain_end(inner, exit) && inner.title(exit) == lane.when)
    });
    if is_said { lane.budget.clone() } else { lane.label("\n").replace(" | ", ", ") }
}

/// How often a run went along; to a choice it went as often as it left it.
fn taken(scene: &Scene<'_>, lane: &Lane, marks: Option<&Marks>) -> u64 {
    let Some(marks) = marks else { return 0 };
    match lane.way {
        Some(way) => marks.taken(way),
        None => scene.lanes.iter().filter(|other| other.from == lane.to).filter_map(|other| other.way).map(|way| marks.taken(way)).sum(),
    }
}

fn is_plain_end(scene: &Scene<'_>, spot: &Spot) -> bool {
    matches!(spot.what, What::Exit(_)) && scene.title(spot) == "end"
}

fn shape(scene: &Scene<'_>, spot: &Spot) -> Shape {
    match (spot.what, scene.place(spot).map(|place| place.role)) {
        (What::Start, _) => Shape::Start,
        (What::Exit(_), _) => Shape::End,
        (What::Fork(_) | What::Join(_), _) => Shape::Bar,
        (What::Choice(_), _) => Shape::Hexagon,
        // What it leads to are the answers, or the exits.
        (_, Some(Role::Elicitation | Role::Interrupt | Role::Graph)) => Shape::Box,
        _ if scene.chooses(spot) => Shape::Hexagon,
        _ => Shape::Box,
    }
}

fn tint(spot: &Spot, place: Option<&Place>) -> Tint {
    match place.map(|place| place.role) {
        None if matches!(spot.what, What::Choice(_)) => Tint::Choice,
        Some(Role::Model) => Tint::Model,
        Some(Role::Tools) => Tint::Tools,
        Some(Role::Elicitation | Role::Interrupt) => Tint::Asking,
        Some(Role::Cut) => Tint::Cut,
        Some(Role::Graph) => Tint::Graph,
        Some(Role::Plain) | None => Tint::Plain,
    }
}

/// Name, role, and the first line of the docs.
fn tooltip(scene: &Scene<'_>, spot: &Spot) -> String {
    let Some(place) = scene.place(spot) else {
        return match spot.what {
            What::Start => "start".to_owned(),
            What::Choice(_) => format!("{}: a choice", scene.title(spot)),
            What::Fork(_) => format!("{}: branches begin", or(scene.title(spot), "all")),
            What::Join(_) => "branches meet".to_owned(),
            What::Place(_) | What::Exit(_) => scene.title(spot),
        };
    };
    let mut text = scene.title(spot);
    if place.role != Role::Plain {
        text.push_str(": ");
        text.push_str(place.role.name());
    }
    for (said, fact) in [
        (place.asks, ", may ask the user"),
        (place.is_asking(), ", pauses"),
        (place.needs_approval, ", runs tools that need approval"),
        (place.approves, ", approves"),
        (spot.stacked, ", one for each item"),
    ] {
        if said {
            text.push_str(fact);
        }
    }
    if let Some(line) = place.docs.lines().map(str::trim).find(|line| !line.is_empty()) {
        text.push_str(". ");
        text.push_str(line);
    }
    text
}

/// Every arrow in words.
fn description(scene: &Scene<'_>) -> String {
    let mut sentences: Vec<String> = Vec::new();
    if let Some(line) = scene.topology.docs.lines().map(str::trim).find(|line| !line.is_empty()) {
        sentences.push(line.to_owned());
    }
    let name = |number: usize| scene.spots.get(number).map_or_else(String::new, |spot| spoken(scene, spot));
    for lane in &scene.lanes {
        let label = match lane.label(" ") {
            label if label.is_empty() => label,
            label => format!(" ({label})"),
        };
        sentences.push(format!("{} to {}{label}.", name(lane.from), name(lane.to)));
    }
    sentences.join(" ")
}

fn spoken(scene: &Scene<'_>, spot: &Spot) -> String {
    match spot.what {
        What::Start => "start".to_owned(),
        What::Join(_) => "the join".to_owned(),
        What::Fork(_) => or(scene.title(spot), "all"),
        _ => scene.title(spot),
    }
}

fn or(text: String, instead: &str) -> String {
    if text.is_empty() { instead.to_owned() } else { text }
}
