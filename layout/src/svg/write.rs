//! The whole of it.

use std::fmt::Write as _;

use super::course::pieces;
use super::figure::{Figure, LABEL, LABEL_LINE, Links, NAME_LINE, own_loops, stack, widest};
use super::node::{self, ASKING, ERROR};
use super::{escaped, number};
use crate::picture::{Edge, Line, Picture, Shape};
use crate::plan::{Placed, Route};

/// Around the picture.
const MARGIN: f64 = 16.0;

/// rustdoc leaves a link as it was written where it leads to something that is not shown: then it looks like any name.
const NO_LINK: &str = ".gw-node a[href^=\"type@\"]{color:inherit;pointer-events:none}";

/// Where an SVG will stand.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Page {
    /// In a file of its own: light or dark as its reader has set.
    #[default]
    File,
    /// In a page of HTML, in the colour of the text around it.
    Inline,
    /// On a white ground.
    Light,
    /// On a dark ground.
    Dark,
}

impl Picture {
    /// Draws it as SVG, on one line: layers from above, loops dashed, and nothing over anything else.
    ///
    /// The same picture is the same text on every machine. Texts are escaped, no id is made of them, and a link is left out
    /// if it is neither relative nor `http`.
    #[must_use]
    pub fn svg(&self, page: Page) -> String {
        self.drawn(page, Links::Pages)
    }

    fn drawn(&self, page: Page, links: Links) -> String {
        let drawn = Figure::of(self, links, false);
        let id = format!("g{:08x}", hash(self));
        let (width, height) = (number(drawn.sheet.width + 2.0 * MARGIN), number(drawn.sheet.height + 2.0 * MARGIN));
        let mut text = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" id=\"{id}\" viewBox=\"0 0 {width} {height}\" role=\"graphics-document document\" aria-labelledby=\"{id}t {id}d\" "
        );
        let font = "font-family:'Fira Sans',Inter,'Noto Sans',Arial,sans-serif;font-size:13px;font-weight:500";
        let _ = match page {
            Page::File | Page::Inline => write!(text, "style=\"max-width:{width}px;width:100%;height:auto;{font}\">"),
            Page::Light => write!(text, "width=\"{width}\" height=\"{height}\" color=\"#1f2328\" style=\"{font}\">"),
            Page::Dark => write!(text, "width=\"{width}\" height=\"{height}\" color=\"#e6edf3\" style=\"{font}\">"),
        };
        let _ = write!(text, "<title id=\"{id}t\">{}</title><desc id=\"{id}d\">{}</desc>", escaped(&self.name), escaped(&self.description));
        match page {
            Page::File => {
                let _ = write!(text, "<style>#{id}{{color:#1f2328}}@media(prefers-color-scheme:dark){{#{id}{{color:#e6edf3}}}}</style>");
            }
            Page::Inline => {}
            Page::Light => text.push_str("<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>"),
            Page::Dark => text.push_str("<rect width=\"100%\" height=\"100%\" fill=\"#0d1117\"/>"),
        }
        text.push_str("<defs>");
        for (line, colour) in [(Line::Plain, "currentColor"), (Line::Gate, ASKING), (Line::Error, ERROR)] {
            if has(self, line) {
                let _ = write!(
                    text,
                    "<marker id=\"{id}{}\" viewBox=\"0 0 10 10\" refX=\"9\" refY=\"5\" markerWidth=\"9\" markerHeight=\"9\" markerUnits=\"userSpaceOnUse\" orient=\"auto\"><path d=\"M0 .8L9.6 5L0 9.2L2.2 5z\" fill=\"{colour}\"/></marker>",
                    head(line)
                );
            }
        }
        let _ =
            write!(text, "</defs><g transform=\"translate({m} {m})\" text-anchor=\"middle\" fill=\"currentColor\">", m = number(MARGIN));
        let mut body = String::new();
        figure(&mut body, &drawn);
        text.push_str(&body.replace("url(#", &format!("url(#{id}")));
        text.push_str("</g></svg>");
        text
    }

    /// Draws it for the docs of a Rust item: one `div` on one line, in the colours of whatever theme the reader has chosen.
    #[must_use]
    pub fn rustdoc(&self) -> String {
        format!("<div class=\"graphwright-diagram\" style=\"overflow-x:auto;margin:1em 0\">{}</div>", self.svg(Page::Inline))
    }

    /// Draws it as one line of Markdown, for a macro that writes the docs of an item: links are paths of types,
    /// as they are written where the item stands, and it is rustdoc that finds out where they lead.
    #[must_use]
    pub fn markdown(&self) -> String {
        let drawn = self.drawn(Page::Inline, Links::Paths);
        super::markdown::from(&drawn.replacen("<defs>", &format!("<style>{NO_LINK}</style><defs>"), 1))
    }
}

/// Whether a link may stand in a page: it leads to a place, and runs nothing.
#[must_use]
pub fn is_safe_link(link: &str) -> bool {
    let scheme = link.split(['/', '?', '#']).next().unwrap_or_default();
    !link.is_empty()
        && !link.chars().any(|c| c.is_control() || c.is_whitespace())
        && (link.starts_with("https://") || link.starts_with("http://") || !scheme.contains(':'))
}

/// Whether it is a path of Rust: names, with two colons between them.
pub(super) fn is_path(link: &str) -> bool {
    let is_name = |name: &str| !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_');
    link.split("::").all(is_name)
}

fn has(picture: &Picture, line: Line) -> bool {
    picture.edges.iter().any(|edge| edge.line == line)
        || picture.nodes.iter().any(|node| node.inner.as_ref().is_some_and(|inner| has(inner, line)))
}

const fn head(line: Line) -> &'static str {
    match line {
        Line::Plain => "h",
        Line::Gate => "q",
        Line::Error => "e",
    }
}

/// Lines first, so that boxes and labels lie over them.
pub(super) fn figure(text: &mut String, figure: &Figure<'_>) {
    text.push_str("<g class=\"gw-edges\" fill=\"none\" stroke=\"currentColor\" stroke-opacity=\".75\" stroke-width=\"1.35\" stroke-linecap=\"round\">");
    for (at, (edge, route)) in figure.picture.edges.iter().zip(&figure.sheet.routes).enumerate() {
        if route.own {
            own_loop(text, figure, at, edge);
            continue;
        }
        let (Some(from), Some(to)) = (figure.sheet.boxes.get(edge.from), figure.sheet.boxes.get(edge.to)) else { continue };
        let (tail, tip) = (meets(figure, edge.from, *from, route, true), meets(figure, edge.to, *to, route, false));
        let pieces = pieces(route, &figure.sheet, tail, tip, leans(figure, edge.to, route));
        let last = pieces.len().saturating_sub(1);
        for (at, piece) in pieces.iter().enumerate() {
            line(text, figure, edge, route.back, piece, at == last);
        }
    }
    text.push_str("</g>");
    for at in 0..figure.picture.nodes.len() {
        node::write(text, figure, at);
    }
    text.push_str("<g class=\"gw-labels\" font-size=\"11\" font-weight=\"400\">");
    for (at, (edge, route)) in figure.picture.edges.iter().zip(&figure.sheet.routes).enumerate() {
        if let (Some((x, y)), Some(lines)) = (route.label, figure.labels.get(at)) {
            label(text, figure, edge, x, y, lines);
        }
    }
    text.push_str("</g>");
}

fn line(text: &mut String, figure: &Figure<'_>, edge: &Edge, back: bool, path: &str, with_head: bool) {
    let _ = write!(text, "<path d=\"{path}\"");
    let marked = figure.picture.marked;
    let width = match edge.line {
        Line::Gate => Some("2.4"),
        _ if marked && edge.taken > 0 => Some("2.2"),
        _ => None,
    };
    if let Line::Gate | Line::Error = edge.line {
        let _ = write!(text, " stroke=\"{}\"", if edge.line == Line::Gate { ASKING } else { ERROR });
    }
    if let Some(width) = width {
        let _ = write!(text, " stroke-width=\"{width}\"");
    }
    if width.is_some() || edge.line == Line::Error {
        text.push_str(" stroke-opacity=\"1\"");
    }
    match edge.line {
        Line::Error => text.push_str(" stroke-dasharray=\"1.5 4\""),
        _ if back => text.push_str(" stroke-dasharray=\"5 4\""),
        _ => {}
    }
    if marked && edge.taken == 0 {
        text.push_str(" opacity=\".35\"");
    }
    if with_head {
        let _ = write!(text, " marker-end=\"url(#{})\"", head(edge.line));
    }
    text.push_str("/>");
}

fn label(text: &mut String, figure: &Figure<'_>, edge: &Edge, x: f64, y: f64, lines: &[String]) {
    let colour = match edge.line {
        Line::Plain => "",
        Line::Gate => " fill=\"#d97706\" font-weight=\"600\"",
        Line::Error => " fill=\"#dc2626\"",
    };
    let faint = if figure.picture.marked && edge.taken == 0 { " opacity=\".5\"" } else { "" };
    let top = y - LABEL_LINE * lines.len().saturating_sub(1) as f64 / 2.0 + LABEL * 0.35;
    for (at, line) in lines.iter().enumerate() {
        let _ = write!(
            text,
            "<text class=\"gw-label\" x=\"{}\" y=\"{}\"{colour}{faint}>{}</text>",
            number(x),
            number(top + LABEL_LINE * at as f64),
            escaped(line)
        );
    }
}

/// The loops from a box to itself: one line at its right side, and what stands at each of them.
fn own_loop(text: &mut String, figure: &Figure<'_>, at: usize, edge: &Edge) {
    let (Some(placed), Some(right)) = (figure.sheet.boxes.get(edge.from), figure.rights.get(edge.from)) else { return };
    let own: Vec<usize> = own_loops(figure.picture, edge.from).collect();
    if own.first() != Some(&at) {
        return;
    }
    let (x, out) = (number(placed.x + right), number(placed.x + right + 28.0));
    let [one, two, three, four] = [-8.0, -16.0, 16.0, 8.0].map(|away| number(placed.y + away));
    line(text, figure, edge, true, &format!("M{x} {one}C{out} {two} {out} {three} {x} {four}"), true);
    let labels = || own.iter().filter_map(|edge| Some((figure.picture.edges.get(*edge)?, figure.labels.get(*edge)?)));
    let high: f64 = labels().map(|(_, lines)| LABEL_LINE * lines.len() as f64).sum();
    let wide = labels().map(|(_, lines)| widest(lines, LABEL)).fold(0.0, f64::max);
    let mut y = placed.y - high / 2.0;
    text.push_str("<g stroke=\"none\" fill=\"currentColor\" font-size=\"11\" font-weight=\"400\">");
    for (edge, lines) in labels() {
        let half = LABEL_LINE * lines.len() as f64 / 2.0;
        label(text, figure, edge, placed.x + right + 28.0 + wide / 2.0, y + half, lines);
        y += 2.0 * half;
    }
    text.push_str("</g>");
}

/// The height at which an arrow meets its box: on the edge of its shape.
fn meets(figure: &Figure<'_>, at: usize, placed: Placed, route: &Route, tail: bool) -> f64 {
    let (leg, next) = if tail { (route.legs.first(), route.legs.get(1)) } else { (route.legs.last(), route.legs.iter().rev().nth(1)) };
    let (Some(leg), Some(next), Some(node)) = (leg, next, figure.picture.nodes.get(at)) else { return placed.y };
    // One that turns round leaves at the bottom and arrives at the top.
    let below = if next.row == leg.row { tail } else { next.row > leg.row };
    let away = (leg.x - placed.x).abs();
    let more_lines = figure.names.get(at).map_or(0, |names| names.len().saturating_sub(1)) as f64;
    let half = match (&node.shape, figure.inner.get(at)) {
        // The stack lies below.
        (_, Some(Some(inner))) => {
            (inner.frame_height() + stack(node)) / 2.0
                + if !below {
                    8.0
                } else if stack(node) > 0.0 {
                    1.0 - stack(node)
                } else {
                    9.0
                }
        }
        (Shape::Box, _) => (38.0 + NAME_LINE * more_lines + stack(node)) / 2.0,
        (Shape::Hexagon, _) => {
            let (half, slant) = ((40.0 + NAME_LINE * more_lines) / 2.0, away - (placed.left - 16.0));
            half - if slant > 0.0 { half * slant / 16.0 } else { 0.0 } + stack(node) / 2.0
        }
        (Shape::Bar, _) => 3.0,
        (Shape::Start, _) => (64.0 - away * away).max(0.0).sqrt(),
        (Shape::End, _) => (96.0 - away * away).max(0.0).sqrt(),
    };
    if below { placed.y + half } else { placed.y - half }
}

/// Whether an arrow arrives aslant: a loop, and what comes to a dot.
fn leans(figure: &Figure<'_>, to: usize, route: &Route) -> bool {
    route.back || figure.picture.nodes.get(to).is_some_and(|node| node.shape == Shape::End)
}

/// FNV-1a over what is seen: two pictures on one page do not share their ids.
fn hash(picture: &Picture) -> u32 {
    let mut hash = 0x811c_9dc5_u32;
    let mut add = |text: &str| {
        for byte in text.bytes().chain([0]) {
            hash = (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193);
        }
    };
    add(&picture.name);
    for node in &picture.nodes {
        add(&node.label);
    }
    for edge in &picture.edges {
        add(&edge.label);
    }
    hash
}
