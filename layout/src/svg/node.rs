//! Boxes, bars, dots and frames.

use std::fmt::Write as _;

use super::figure::{DOT, Figure, LABEL, LABEL_LINE, Links, NAME, NAME_LINE, STACK, stack, widest};
use super::write::{is_path, is_safe_link};
use super::{escaped, number};
use crate::picture::{Mark, Node, Shape, Tint};
use crate::plan::Placed;

/// Amber: somebody is asked.
pub(super) const ASKING: &str = "#d97706";
/// Red: something went wrong.
pub(super) const ERROR: &str = "#dc2626";
const ACTIVE: &str = "#2563eb";

/// Fill and stroke of a tint.
const fn colours(tint: Tint) -> (&'static str, &'static str) {
    match tint {
        Tint::Plain => ("#64748b", "#64748b"),
        Tint::Model => ("#3b82f6", "#2563eb"),
        Tint::Tools => ("#10b981", "#059669"),
        Tint::Asking => ("#f59e0b", ASKING),
        Tint::Choice => ("#8b5cf6", "#7c3aed"),
        Tint::Cut => ("#ef4444", ERROR),
        Tint::Graph => ("#06b6d4", "#0891b2"),
    }
}

/// Writes a node and what belongs to it. Writing to a text cannot fail.
pub(super) fn write(text: &mut String, figure: &Figure<'_>, at: usize) {
    let (Some(node), Some(placed), Some(names)) = (figure.picture.nodes.get(at), figure.sheet.boxes.get(at), figure.names.get(at)) else {
        return;
    };
    let faint = figure.picture.marked && node.mark == Mark::None && node.inner.is_none();
    let _ = write!(text, "<g class=\"gw-node\" role=\"img\"{}", if faint { " opacity=\".4\"" } else { "" });
    if !node.tooltip.is_empty() {
        let _ = write!(text, " aria-label=\"{0}\"><title>{0}</title>", escaped(&node.tooltip));
    } else {
        text.push('>');
    }
    match node.shape {
        _ if figure.inner.get(at).is_some_and(Option::is_some) => {}
        Shape::Box => round_box(text, figure, node, *placed, names),
        Shape::Hexagon => hexagon(text, figure, node, *placed, names),
        Shape::Bar => bar(text, node, *placed, names),
        Shape::Start => {
            let _ = write!(text, "<circle cx=\"{}\" cy=\"{}\" r=\"8\" fill=\"currentColor\"/>", number(placed.x), number(placed.y));
        }
        Shape::End => end(text, node, *placed, names, figure.framed),
    }
    if let Some(Some(inner)) = figure.inner.get(at) {
        let right = figure.rights.get(at).copied().unwrap_or(placed.right);
        frame(text, node, Placed { right, ..*placed }, names, inner);
    }
    text.push_str("</g>");
}

fn round_box(text: &mut String, figure: &Figure<'_>, node: &Node, placed: Placed, names: &[String]) {
    let height = 38.0 + NAME_LINE * names.len().saturating_sub(1) as f64;
    let (x, y, width) = (placed.x - placed.left, placed.y - (height + stack(node)) / 2.0, 2.0 * placed.left);
    let (fill, stroke) = colours(node.tint);
    let (left, top, wide, high) = (number(x), number(y), number(width), number(height));
    ring(
        text,
        node,
        &format!(
            "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"13\"",
            number(x - 4.0),
            number(y - 4.0),
            number(width + 8.0),
            number(height + 8.0)
        ),
    );
    let _ = write!(
        text,
        "<rect x=\"{left}\" y=\"{top}\" width=\"{wide}\" height=\"{high}\" rx=\"10\" fill=\"{fill}\" fill-opacity=\".14\" stroke=\"{stroke}\" stroke-width=\"1.4\"/>"
    );
    stacked(text, node, (x, y, width, height), 10.0);
    name(text, figure, node, placed.x, y + height / 2.0, names);
    badge(text, node, x + width - 4.0, y + 3.0);
}

/// Somebody is asked.
fn badge(text: &mut String, node: &Node, x: f64, y: f64) {
    if node.asks {
        let _ = write!(
            text,
            "<circle cx=\"{x}\" cy=\"{y}\" r=\"8\" fill=\"{ASKING}\"/><text x=\"{x}\" y=\"{}\" font-size=\"11\" font-weight=\"700\" fill=\"#fff\">?</text>",
            number(y + 4.0),
            x = number(x),
            y = number(y),
        );
    }
}

/// The edges of two more boxes, behind one with these corners.
fn stacked(text: &mut String, node: &Node, (x, y, width, height): (f64, f64, f64, f64), round: f64) {
    if !node.stacked {
        return;
    }
    let (_, stroke) = colours(node.tint);
    let _ = write!(text, "<g fill=\"none\" stroke=\"{stroke}\" stroke-width=\"1.2\" stroke-opacity=\".8\">");
    for step in [STACK, 2.0 * STACK] {
        let (right, bottom) = (x + width + step, y + height + step);
        let _ = write!(
            text,
            "<path d=\"M{} {}Q{r} {} {r} {}V{}Q{r} {b} {} {b}H{}Q{} {b} {} {}\"/>",
            number(right - STACK - 1.0),
            number(y + step),
            number(y + step),
            number(y + step + round),
            number(bottom - round),
            number(right - round),
            number(x + step + round),
            number(x + step),
            number(x + step),
            number(bottom - STACK - 1.0),
            r = number(right),
            b = number(bottom),
        );
    }
    text.push_str("</g>");
}

/// The edges of two more hexagons.
fn stacked_hexagons(text: &mut String, node: &Node, (left, right, y, half): (f64, f64, f64, f64)) {
    if !node.stacked {
        return;
    }
    let (_, stroke) = colours(node.tint);
    let _ = write!(text, "<g fill=\"none\" stroke=\"{stroke}\" stroke-width=\"1.2\" stroke-opacity=\".8\">");
    for step in [STACK, 2.0 * STACK] {
        let _ = write!(
            text,
            "<path d=\"M{} {}L{} {}L{} {}H{}L{} {}\"/>",
            number(right - 1.5 + step - STACK / 2.0),
            number(y + step - STACK),
            number(right + step),
            number(y + step),
            number(right - 16.0 + step),
            number(y + half + step),
            number(left + 16.0 + step),
            number(left + 14.0 + step - STACK / 2.0),
            number(y + half + step - STACK + 1.0),
        );
    }
    text.push_str("</g>");
}

fn hexagon(text: &mut String, figure: &Figure<'_>, node: &Node, placed: Placed, names: &[String]) {
    let half = (40.0 + NAME_LINE * names.len().saturating_sub(1) as f64) / 2.0;
    let (left, right) = (placed.x - placed.left, placed.x + placed.left);
    let placed = Placed { y: placed.y - stack(node) / 2.0, ..placed };
    let (fill, stroke) = colours(node.tint);
    let shape = |grown: f64| {
        format!(
            "<path d=\"M{} {}L{} {}H{}L{} {}L{} {}H{}Z\"",
            number(left - grown),
            number(placed.y),
            number(left + 16.0 - grown / 2.0),
            number(placed.y - half - grown),
            number(right - 16.0 + grown / 2.0),
            number(right + grown),
            number(placed.y),
            number(right - 16.0 + grown / 2.0),
            number(placed.y + half + grown),
            number(left + 16.0 - grown / 2.0),
        )
    };
    ring(text, node, &shape(4.0));
    let _ = write!(
        text,
        "{} fill=\"{fill}\" fill-opacity=\".14\" stroke=\"{stroke}\" stroke-width=\"1.4\" stroke-linejoin=\"round\"/>",
        shape(0.0)
    );
    stacked_hexagons(text, node, (left, right, placed.y, half));
    name(text, figure, node, placed.x, placed.y, names);
    badge(text, node, right - 16.0, placed.y - half);
}

fn bar(text: &mut String, node: &Node, placed: Placed, names: &[String]) {
    let beside = if node.label.is_empty() { 0.0 } else { 8.0 + widest(names, LABEL) };
    let (left, right) = (placed.x - placed.left, placed.x + placed.right - beside);
    let _ = write!(
        text,
        "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"6\" rx=\"3\" fill=\"currentColor\"/>",
        number(left),
        number(placed.y - 3.0),
        number(right - left),
    );
    beside_text(text, right + 8.0, placed.y, names);
}

fn end(text: &mut String, node: &Node, placed: Placed, names: &[String], framed: bool) {
    let (x, y) = (number(placed.x), number(placed.y));
    let _ = write!(
        text,
        "<circle cx=\"{x}\" cy=\"{y}\" r=\"9\" fill=\"none\" stroke=\"currentColor\" stroke-width=\"1.5\"/><circle cx=\"{x}\" cy=\"{y}\" r=\"5.5\" fill=\"currentColor\"/>"
    );
    if !node.label.is_empty() {
        beside_text(text, placed.x + if framed { 10.0 } else { 16.0 }, placed.y - if framed { 13.0 } else { 0.0 }, names);
    }
}

/// A frame around what is in it.
fn frame(text: &mut String, node: &Node, placed: Placed, names: &[String], inner: &Figure<'_>) {
    let height = inner.frame_height();
    let (x, y) = (placed.x - placed.left, placed.y - (height + stack(node)) / 2.0);
    let width = placed.left + placed.right - stack(node);
    let (fill, stroke) = colours(node.tint);
    stacked(text, node, (x, y, width, height), 14.0);
    let (edge, dashes) = told(node.mark).unwrap_or((stroke, ""));
    let _ = write!(
        text,
        "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"14\" fill=\"{fill}\" fill-opacity=\".05\" stroke=\"{edge}\" stroke-width=\"{}\"{dashes}/>",
        number(x),
        number(y),
        number(width),
        number(height),
        if told(node.mark).is_some() { "2.5" } else { "1.2" },
    );
    let beside = if inner.name_is_left(names) { x + 12.0 } else { placed.x + DOT + 10.0 };
    let _ = write!(text, "<g fill=\"{stroke}\">");
    beside_text(text, beside, y + 14.0, names);
    text.push_str("</g>");
    let (dx, dy) = (placed.x - inner.start_x(), y - DOT);
    let _ = write!(text, "<g class=\"gw-inner\" transform=\"translate({} {})\">", number(dx), number(dy));
    super::write::figure(text, inner);
    text.push_str("</g>");
}

/// The line that tells what a run did there, and how it is dashed.
const fn told(mark: Mark) -> Option<(&'static str, &'static str)> {
    match mark {
        Mark::Active => Some((ACTIVE, "")),
        Mark::Paused => Some((ASKING, " stroke-dasharray=\"4 3\"")),
        Mark::Failed => Some((ERROR, "")),
        Mark::None | Mark::Visited => None,
    }
}

/// What a run did, around the shape.
fn ring(text: &mut String, node: &Node, shape: &str) {
    let Some((stroke, dashes)) = told(node.mark) else { return };
    let _ = write!(text, "{shape} fill=\"none\" stroke=\"{stroke}\" stroke-width=\"2.5\"{dashes}/>");
}

/// The name in a box; a link where it has one.
fn name(text: &mut String, figure: &Figure<'_>, node: &Node, x: f64, y: f64, names: &[String]) {
    let may_lead = |link: &&str| match figure.links {
        Links::Pages => is_safe_link(link),
        Links::Paths => is_path(link),
    };
    let link = node.link.as_deref().filter(may_lead);
    if let Some(link) = link {
        let _ = write!(text, "<a href=\"{}\">", escaped(link));
    }
    let top = y - NAME_LINE * names.len().saturating_sub(1) as f64 / 2.0 + NAME * 0.35;
    for (line, name) in names.iter().enumerate() {
        let _ = write!(text, "<text x=\"{}\" y=\"{}\">{}</text>", number(x), number(top + NAME_LINE * line as f64), escaped(name));
    }
    if link.is_some() {
        text.push_str("</a>");
    }
}

/// A small text whose middle is at this height.
fn beside_text(text: &mut String, x: f64, y: f64, lines: &[String]) {
    let top = y - LABEL_LINE * lines.len().saturating_sub(1) as f64 / 2.0 + LABEL * 0.35;
    for (at, line) in lines.iter().enumerate().filter(|(_, line)| !line.is_empty()) {
        let y = number(top + LABEL_LINE * at as f64);
        let _ = write!(
            text,
            "<text class=\"gw-label\" x=\"{}\" y=\"{y}\" text-anchor=\"start\" font-size=\"11\" font-weight=\"400\">{}</text>",
            number(x),
            escaped(line)
        );
    }
}
