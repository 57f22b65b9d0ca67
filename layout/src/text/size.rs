//! What stands where, and how large it is in columns and lines.

use super::Signs;
use super::canvas::Stroke;
use crate::measure::{columns, lines, shown};
use crate::picture::{Edge, Line, Mark, Node, Shape};
use crate::plan::Size;

const LONG_NAME: usize = 32;
const LONG_LABEL: usize = 24;

/// The name, behind the sign of what a run did there and whether somebody is asked.
pub(super) fn name(node: &Node, signs: Signs) -> Vec<String> {
    let mark = match (node.mark, signs) {
        (Mark::None, _) => "",
        (Mark::Visited, Signs::Unicode) => "✓ ",
        (Mark::Visited, Signs::Ascii) => "* ",
        (Mark::Active, Signs::Unicode) => "▶ ",
        (Mark::Active, Signs::Ascii) => "> ",
        (Mark::Paused, Signs::Unicode) => "‖ ",
        (Mark::Paused, Signs::Ascii) => "= ",
        (Mark::Failed, Signs::Unicode) => "✗ ",
        (Mark::Failed, Signs::Ascii) => "! ",
    };
    let asks = if node.asks { "? " } else { "" };
    match node.shape {
        Shape::Box | Shape::Hexagon if node.inner.is_none() => lines(&format!("{mark}{asks}{}", node.label), LONG_NAME),
        // In the edge of a frame.
        Shape::Box | Shape::Hexagon => one_line(&format!("{mark}{asks}{}", node.label)),
        // Beside it.
        Shape::Bar | Shape::Start | Shape::End => one_line(&node.label),
    }
}

fn one_line(text: &str) -> Vec<String> {
    let text: String = text.chars().map(|c| if c == '\n' { ' ' } else { shown(c) }).collect();
    vec![text.trim_end().to_owned()]
}

pub(super) fn label(edge: &Edge, marked: bool, signs: Signs) -> Vec<String> {
    let mut label = if edge.label.is_empty() { Vec::new() } else { lines(&edge.label, LONG_LABEL) };
    if marked && edge.taken > 0 {
        label.push(format!("{}{}", if signs == Signs::Unicode { '×' } else { 'x' }, edge.taken));
    }
    label
}

pub(super) fn size(node: &Node, names: &[String], arrows: usize) -> Size {
    let wide = widest(names);
    let beside = if node.label.is_empty() { 0.0 } else { 1.0 + wide as f64 };
    let stacked = f64::from(u8::from(node.stacked));
    match node.shape {
        Shape::Box | Shape::Hexagon => {
            let padding = if node.shape == Shape::Box { 2 } else { 3 };
            let half = (wide.div_ceil(2) + padding).max(arrows.saturating_sub(1) + 1) as f64;
            Size { left: half, right: half + stacked, height: names.len() as f64 + 2.0, reach: half - 1.0, ..Size::default() }
        }
        Shape::Bar => Size { left: 3.0, right: 3.0 + beside, height: 1.0, reach: 3.0, bar: true, ..Size::default() },
        Shape::Start => Size { height: 1.0, ..Size::default() },
        // Several arrows come to it side by side.
        Shape::End => {
            let half = arrows.saturating_sub(1) as f64;
            Size { left: half, right: half + beside, height: 1.0, reach: half, last: true, ..Size::default() }
        }
    }
}

pub(super) fn stroke(edge: &Edge, back: bool) -> Stroke {
    match edge.line {
        Line::Gate => Stroke::Double,
        Line::Error => Stroke::Dotted,
        Line::Plain if back => Stroke::Dashed,
        Line::Plain => Stroke::Plain,
    }
}

pub(super) const fn head(up: bool, signs: Signs) -> char {
    match (up, signs) {
        (true, Signs::Unicode) => '▲',
        (false, Signs::Unicode) => '▼',
        (true, Signs::Ascii) => '^',
        (false, Signs::Ascii) => 'v',
    }
}

pub(super) fn widest(lines: &[String]) -> usize {
    lines.iter().map(|line| columns(line)).max().unwrap_or_default()
}

#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "whole numbers that are not negative, small as a screen")]
pub(super) fn column(x: f64) -> usize {
    x.max(0.0).round() as usize
}
