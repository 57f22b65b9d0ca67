//! The graph for Graphviz.

use std::fmt::Write as _;

use crate::id::is_bidi_or_invisible;
use crate::topology::mermaid::id;
use crate::topology::scene::{Lane, Scene, Spot, What};
use crate::topology::{Place, Role, WayKind};

/// Writes a scene. Writing to a text cannot fail.
pub(super) fn write(scene: &Scene<'_>) -> String {
    let mut text = format!("digraph {} {{\n", quoted(scene.topology.name));
    text.push_str("    compound=true; rankdir=TB; fontname=\"Helvetica\";\n");
    text.push_str("    node [fontname=\"Helvetica\", fontsize=12, shape=box, style=\"rounded,filled\", fillcolor=white];\n");
    text.push_str("    edge [fontname=\"Helvetica\", fontsize=10];\n");
    graph(&mut text, scene, "", 1);
    text.push_str("}\n");
    text
}

fn graph(text: &mut String, scene: &Scene<'_>, prefix: &str, level: usize) {
    let indent = "    ".repeat(level);
    for spot in &scene.spots {
        let id = id(prefix, spot);
        if let Some(inner) = &spot.inner {
            // Graphviz takes for a frame what is called so.
            let _ = writeln!(text, "{indent}subgraph cluster_{id} {{");
            let _ = writeln!(text, "{indent}    label={}; style=rounded; color=\"#0891b2\";", quoted(&scene.title(spot)));
            graph(text, inner, &format!("{id}_"), level + 1);
            let _ = writeln!(text, "{indent}}}");
        } else {
            let _ = writeln!(text, "{indent}{id} [{}];", looks(scene, spot));
        }
    }
    for lane in &scene.lanes {
        let (Some(from), Some(to)) = (scene.spots.get(lane.from), scene.spots.get(lane.to)) else { continue };
        let mut looks: Vec<String> = line(lane).into_iter().collect();
        let label = lane.label("\n");
        if !label.is_empty() {
            looks.insert(0, format!("label={}", quoted(&label)));
        }
        let (from_id, tail) = tail(prefix, from, lane.exit);
        looks.extend(tail);
        let to_id = id(prefix, to);
        let to_id = if to.inner.is_some() {
            looks.push(format!("lhead=cluster_{to_id}"));
            format!("{to_id}_s")
        } else {
            to_id
        };
        let looks = if looks.is_empty() { String::new() } else { format!(" [{}]", looks.join(", ")) };
        let _ = writeln!(text, "{indent}{from_id} -> {to_id}{looks};");
    }
}

/// Where an arrow begins: of an opened graph at its exit, or at its edge.
fn tail(prefix: &str, spot: &Spot, exit: Option<usize>) -> (String, Option<String>) {
    let own = id(prefix, spot);
    let Some(inner) = &spot.inner else { return (own, None) };
    match exit.and_then(|exit| inner.spots.get(exit)) {
        Some(exit) => (id(&format!("{own}_"), exit), None),
        None => (format!("{own}_s"), Some(format!("ltail=cluster_{own}"))),
    }
}

fn looks(scene: &Scene<'_>, spot: &Spot) -> String {
    let title = scene.title(spot);
    let place = scene.place(spot);
    let badge = if place.is_some_and(Place::is_asking) { "? " } else { "" };
    let label = quoted(&format!("{badge}{title}"));
    match (spot.what, place.map(|place| place.role)) {
        (What::Start, _) => "label=\"\", shape=circle, width=0.2, fillcolor=black".to_owned(),
        (What::Exit(_), _) => {
            let label = if title == "end" { String::new() } else { format!(", xlabel={label}") };
            format!("label=\"\"{label}, shape=doublecircle, width=0.15, fillcolor=black")
        }
        (What::Fork(_) | What::Join(_), _) => {
            let label = if title.is_empty() { String::new() } else { format!(", xlabel={label}") };
            format!("label=\"\"{label}, shape=box, style=filled, width=1, height=0.06, fillcolor=black")
        }
        (What::Choice(_), _) => format!("label={label}, shape=hexagon, style=filled, color=\"#7c3aed\", fillcolor=\"#ede9fe\""),
        (_, role) => {
            let (line, fill) = match role {
                Some(Role::Model) => ("#2563eb", "#dbeafe"),
                Some(Role::Tools) => ("#059669", "#d1fae5"),
                Some(Role::Elicitation | Role::Interrupt) => ("#d97706", "#fef3c7"),
                Some(Role::Cut) => ("#dc2626", "#fee2e2"),
                Some(Role::Graph) => ("#0891b2", "#cffafe"),
                _ => ("#64748b", "#f1f5f9"),
            };
            let chooses = scene.chooses(spot) && !matches!(role, Some(Role::Elicitation | Role::Interrupt | Role::Graph));
            let shape = if chooses { ", shape=hexagon, style=filled" } else { "" };
            let stack = if spot.stacked { ", peripheries=2" } else { "" };
            format!("label={label}{shape}{stack}, color=\"{line}\", fillcolor=\"{fill}\"")
        }
    }
}

fn line(lane: &Lane) -> Option<String> {
    match lane.kind {
        WayKind::If { gate: true, .. } => Some("color=\"#d97706\", fontcolor=\"#d97706\", penwidth=2.4".to_owned()),
        WayKind::Error => Some("color=\"#dc2626\", fontcolor=\"#dc2626\", style=dotted".to_owned()),
        _ if lane.back => Some("style=dashed, constraint=false".to_owned()),
        _ => None,
    }
}

/// A string of DOT, never one of its HTML-like labels. In quotes, only the quote ends it; but Graphviz reads a backslash as
/// the beginning of an escape, and an ampersand as that of an entity.
fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '&' => quoted.push_str("&amp;"),
            '\n' => quoted.push_str("\\n"),
            '\u{200c}' | '\u{200d}' => quoted.push(c),
            c if c.is_control() || is_bidi_or_invisible(c) => quoted.push(char::REPLACEMENT_CHARACTER),
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}
