//! How large everything is in the SVG, and where it stands.

use crate::measure::{lines, width};
use crate::picture::{Edge, Node, Picture, Shape};
use crate::plan::{Arrow, Plan, Sheet, Size, Spacing};
use crate::sheet::lay_out;

/// The size of the names in boxes.
pub(super) const NAME: f64 = 13.0;
/// The size of what is written on arrows and beside bars and dots.
pub(super) const LABEL: f64 = 11.0;
/// From line to line in a box.
pub(super) const NAME_LINE: f64 = 17.0;
/// From line to line of a label.
pub(super) const LABEL_LINE: f64 = 14.0;
/// The radius of a start and of an end.
pub(super) const DOT: f64 = 8.0;
/// How far each box of a stack stands from the one before it.
pub(super) const STACK: f64 = 4.0;
/// Between a frame and what is in it.
const FRAME: f64 = 18.0;
/// How far the dots on the edge of a frame stand out.
pub(super) const RIM: f64 = 10.0;
/// What is broken into lines.
const LONG_NAME: usize = 28;
const LONG_LABEL: usize = 24;

const SPACING: Spacing =
    Spacing { boxes: 26.0, lines: 14.0, ports: 11.0, rows: 38.0, labels: 20.0, own_loop: 30.0, swing: 0.25, whole: false };

/// What the links are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Links {
    /// Of pages.
    Pages,
    /// Paths of Rust.
    Paths,
}

/// A picture that has been laid out, with the frames in it.
#[derive(Debug)]
pub(super) struct Figure<'a> {
    pub(super) picture: &'a Picture,
    pub(super) sheet: Sheet,
    pub(super) names: Vec<Vec<String>>,
    pub(super) labels: Vec<Vec<String>>,
    /// How far each node itself reaches to the right of its middle, without a loop beside it.
    pub(super) rights: Vec<f64>,
    pub(super) inner: Vec<Option<Figure<'a>>>,
    pub(super) links: Links,
    /// It stands in a frame.
    pub(super) framed: bool,
}

impl<'a> Figure<'a> {
    pub(super) fn of(picture: &'a Picture, links: Links, framed: bool) -> Self {
        let inner: Vec<Option<Self>> =
            picture.nodes.iter().map(|node| node.inner.as_ref().map(|inner| Self::of(inner, links, true))).collect();
        let names: Vec<Vec<String>> = picture.nodes.iter().map(|node| lines(&node.label, LONG_NAME)).collect();
        let labels: Vec<Vec<String>> = picture.edges.iter().map(|edge| label(edge, picture.marked)).collect();
        let mut plan = Plan { spacing: SPACING, ..Plan::default() };
        for ((node, names), inner) in picture.nodes.iter().zip(&names).zip(&inner) {
            plan.boxes.push(match inner {
                Some(inner) => inner.frame(node, names),
                None => size(node, names, framed),
            });
        }
        for (number, size) in plan.boxes.iter_mut().enumerate().filter(|(_, size)| size.reach > 10.0 && !size.bar) {
            // All arrows but one may meet it at one side.
            let arrows = picture.edges.iter().filter(|edge| edge.from == number || edge.to == number).count();
            let wider = (SPACING.ports / 2.0 * arrows.saturating_sub(2) as f64 - size.reach).max(0.0);
            size.left += wider;
            size.right += wider;
            size.reach += wider;
        }
        let rights = plan.boxes.iter().map(|size| size.right).collect();
        for (number, size) in plan.boxes.iter_mut().enumerate() {
            let own = own_loops(picture, number);
            if own.clone().next().is_some() {
                let lines: Vec<&String> = own.filter_map(|edge| labels.get(edge)).flatten().collect();
                let wide = lines.iter().map(|line| width(line, LABEL) + 4.0).fold(0.0, f64::max);
                size.right += SPACING.own_loop + wide;
                size.height = size.height.max(LABEL_LINE * lines.len() as f64);
            }
        }
        for (edge, label) in picture.edges.iter().zip(&labels) {
            let extent = extent(label);
            let frame = |number: usize| inner.get(number).and_then(Option::as_ref);
            plan.arrows.push(Arrow {
                from: edge.from,
                to: edge.to,
                label: extent.filter(|_| edge.from != edge.to),
                leaves: frame(edge.from).map(|frame| frame.exit(edge.exit)),
                enters: frame(edge.to).map(|_| 0.0),
            });
        }
        Self { picture, sheet: lay_out(&plan), names, labels, rights, inner, links, framed }
    }

    /// The size of the frame around it. The start stands on its upper edge and the ends on its lower one.
    fn frame(&self, node: &Node, names: &[String]) -> Size {
        let start = self.start_x();
        let name = widest(names, LABEL) + 2.0 * DOT;
        // The name stands at the left of the start if it has room there, and else at the right.
        let right = (self.sheet.width - start + FRAME).max(if self.name_is_left(names) { 0.0 } else { DOT + name + FRAME });
        let stack = stack(node);
        Size { left: start + FRAME, right: right + stack, height: self.frame_height() + stack + 2.0 * RIM, ..Size::default() }
    }

    pub(super) fn name_is_left(&self, names: &[String]) -> bool {
        self.start_x() > widest(names, LABEL) + 2.0 * DOT
    }

    pub(super) fn frame_height(&self) -> f64 {
        let last = self.sheet.bands.last().map_or(0.0, |(top, bottom)| (top + bottom) / 2.0);
        (last - DOT).max(40.0)
    }

    /// Where the start stands, from the left.
    pub(super) fn start_x(&self) -> f64 {
        let start = self.picture.start().and_then(|start| self.sheet.boxes.get(start));
        start.map_or(self.sheet.width / 2.0, |start| start.x)
    }

    /// Where an arrow leaves the frame, counted from the start; what leaves by no end leaves at the right.
    fn exit(&self, exit: Option<usize>) -> f64 {
        match exit.and_then(|exit| self.sheet.boxes.get(exit)) {
            Some(end) => end.x - self.start_x(),
            None => self.sheet.width - self.start_x() + FRAME / 2.0,
        }
    }
}

/// The arrows from a node to itself.
pub(super) fn own_loops(picture: &Picture, node: usize) -> impl Iterator<Item = usize> + Clone {
    picture.edges.iter().enumerate().filter(move |(_, edge)| edge.from == node && edge.to == node).map(|(number, _)| number)
}

/// What a stack needs at the right and below.
pub(super) fn stack(node: &Node) -> f64 {
    if node.stacked { 2.0 * STACK } else { 0.0 }
}

fn size(node: &Node, names: &[String], framed: bool) -> Size {
    let text = widest(names, NAME);
    let more_lines = NAME_LINE * names.len().saturating_sub(1) as f64;
    let beside = if node.label.is_empty() { 0.0 } else { 8.0 + widest(names, LABEL) };
    match node.shape {
        Shape::Box => {
            let half = (text / 2.0 + 18.0).max(26.0);
            let right = half + stack(node).max(if node.asks { 4.0 } else { 0.0 });
            Size { left: half, right, height: 38.0 + more_lines + stack(node), reach: half - 9.0, ..Size::default() }
        }
        Shape::Hexagon => {
            let half = text / 2.0 + 24.0;
            Size { left: half, right: half + stack(node), height: 40.0 + more_lines + stack(node), reach: half - 15.0, ..Size::default() }
        }
        Shape::Bar => Size { left: 28.0, right: 28.0 + beside, height: 6.0, reach: 20.0, bar: true, ..Size::default() },
        Shape::Start => Size { left: DOT, right: DOT, height: 2.0 * DOT, reach: 2.0, ..Size::default() },
        Shape::End => {
            // In a frame its name stands above the edge that it stands on.
            let height = if framed && !node.label.is_empty() { 44.0 } else { 20.0 };
            Size { left: 10.0, right: 10.0 + beside, height, reach: 6.0, last: true, ..Size::default() }
        }
    }
}

fn label(edge: &Edge, marked: bool) -> Vec<String> {
    let mut label = if edge.label.is_empty() { Vec::new() } else { lines(&edge.label, LONG_LABEL) };
    if marked && edge.taken > 1 {
        label.push(format!("×{}", edge.taken));
    }
    label
}

/// Width and height of a label.
fn extent(label: &[String]) -> Option<(f64, f64)> {
    (!label.is_empty()).then(|| (widest(label, LABEL) + 4.0, LABEL_LINE * label.len() as f64))
}

pub(super) fn widest(lines: &[String], size: f64) -> f64 {
    lines.iter().map(|line| width(line, size)).fold(0.0, f64::max)
}
