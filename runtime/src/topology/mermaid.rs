//! The graph as a Mermaid flowchart.

use std::fmt::Write as _;

use super::scene::{Lane, Scene, Spot, What};
use super::{Role, Topology, WayKind};
use crate::id::is_bidi_or_invisible;

impl Topology {
    /// The graph as a [Mermaid](https://mermaid.js.org) flowchart, for a README or a page.
    ///
    /// The shape of a place tells its role: models are stadiums, tools have double sides, mounted graphs are trapezoids, and
    /// what may pause has a `?` before its name. A choice is a hexagon, a fork and its join are parallelograms. The gate is a
    /// thick arrow; ways that lead back, and those on an error, are dotted. Ways to `never` are not drawn.
    ///
    /// No text of the graph can leave its label: ids are generated, and all punctuation that Mermaid or HTML could read is
    /// written as an entity. Characters that change how others are shown are replaced by `U+FFFD`.
    ///
    /// ```no_run
    /// # fn draw(topology: &'static graphwright::topology::Topology) {
    /// println!("{}", topology.mermaid());
    /// // flowchart TD
    /// //     s((" "))
    /// //     n0(["react"])
    /// //     n1("? elicitation")
    /// //     e0((("end")))
    /// //     s --> n0
    /// //     n0 ==>|"if ask_user_pending"| n1
    /// //     n1 -.-> n0
    /// //     n0 -->|"Finish"| e0
    /// # }
    /// ```
    #[must_use]
    pub fn mermaid(&self) -> String {
        flowchart(&Scene::of(self, 0))
    }
}

/// Writes a scene as a flowchart.
pub(crate) fn flowchart(scene: &Scene<'_>) -> String {
    let mut text = String::from("flowchart TD\n");
    write(&mut text, scene, "", 1);
    text
}

/// The ids of what is in an opened graph begin with the id of its spot. Writing to a text cannot fail.
fn write(text: &mut String, scene: &Scene<'_>, prefix: &str, level: usize) {
    let indent = "    ".repeat(level);
    for spot in &scene.spots {
        let id = id(prefix, spot);
        let label = named(&scene.title(spot));
        if let Some(inner) = &spot.inner {
            let _ = writeln!(text, "{indent}subgraph {id}[\"{label}\"]");
            write(text, inner, &format!("{id}_"), level + 1);
            let _ = writeln!(text, "{indent}end");
            continue;
        }
        let (open, close) = shape(scene, spot);
        let badge = if scene.place(spot).is_some_and(super::Place::is_asking) { "? " } else { "" };
        let label = match spot.what {
            What::Fork(_) if label == " " => "all".to_owned(),
            What::Join(_) => "join".to_owned(),
            _ => label,
        };
        let _ = writeln!(text, "{indent}{id}{open}\"{badge}{label}\"{close}");
    }
    for lane in &scene.lanes {
        let (Some(from), Some(to)) = (scene.spots.get(lane.from), scene.spots.get(lane.to)) else { continue };
        let (mut from_id, mut to_id) = (id(prefix, from), id(prefix, to));
        if let Some(exit) = from.inner.as_ref().and_then(|inner| inner.spots.get(lane.exit?)) {
            from_id = id(&format!("{from_id}_"), exit);
        }
        if to.inner.is_some() {
            to_id.push_str("_s");
        }
        let label = match escaped(&lane.label(" ")) {
            label if label.is_empty() => label,
            label => format!("|\"{label}\"|"),
        };
        let _ = writeln!(text, "{indent}{from_id} {}{label} {to_id}", arrow(lane));
    }
}

/// The id of a spot: never a text of the graph.
pub(crate) fn id(prefix: &str, spot: &Spot) -> String {
    match spot.what {
        What::Start => format!("{prefix}s"),
        What::Place(number) => format!("{prefix}n{number}"),
        What::Choice(way) => format!("{prefix}c{way}"),
        What::Fork(number) => format!("{prefix}f{number}"),
        What::Join(number) => format!("{prefix}j{number}"),
        What::Exit(number) => format!("{prefix}e{number}"),
    }
}

const fn arrow(lane: &Lane) -> &'static str {
    match lane.kind {
        WayKind::If { gate: true, .. } => "==>",
        WayKind::Error => "-.->",
        _ if lane.back => "-.->",
        _ => "-->",
    }
}

fn shape(scene: &Scene<'_>, spot: &Spot) -> (&'static str, &'static str) {
    match (spot.what, scene.place(spot).map(|place| place.role)) {
        (What::Start, _) => ("((", "))"),
        (What::Exit(_), _) => ("(((", ")))"),
        (What::Choice(_), _) => ("{{", "}}"),
        (What::Fork(_) | What::Join(_), _) => ("[/", "/]"),
        (_, Some(Role::Graph)) => ("[/", "\\]"),
        (_, Some(Role::Elicitation | Role::Interrupt)) => ("(", ")"),
        _ if scene.chooses(spot) => ("{{", "}}"),
        (_, Some(Role::Model)) => ("([", "])"),
        (_, Some(Role::Tools)) => ("[[", "]]"),
        _ => ("(", ")"),
    }
}

/// The label of a node; Mermaid refuses an empty one.
pub(crate) fn named(label: &str) -> String {
    if label.is_empty() { " ".to_owned() } else { escaped(label) }
}

/// A label in which nothing is read but letters.
///
/// Mermaid reads more than its grammar says: `1. ` at the beginning as a list, `style` and a colon before `#` as a style.
pub(crate) fn escaped(label: &str) -> String {
    let mut text = String::with_capacity(label.len());
    for c in label.chars() {
        match c {
            ' ' | '_' | ',' | '?' | '!' => text.push(c),
            '\n' => text.push_str("#10;"),
            // They join letters and pictures, and hide nothing.
            '\u{200c}' | '\u{200d}' => text.push(c),
            c if c.is_control() || is_bidi_or_invisible(c) => text.push(char::REPLACEMENT_CHARACTER),
            c if c.is_ascii_punctuation() => {
                let _ = write!(text, "#{};", u32::from(c));
            }
            c => text.push(c),
        }
    }
    text
}
