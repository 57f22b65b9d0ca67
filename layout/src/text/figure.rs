//! A picture as text: what is laid out, and the lines between boxes.

use super::Signs;
use super::canvas::{Canvas, DOWN, LEFT, RIGHT, UP};
use super::size::{column, head, label, name, size, stroke, widest};
use super::tracks::{Change, tracks};
use crate::measure::columns;
use crate::picture::{Picture, Shape};
use crate::plan::{Arrow, Plan, Sheet, Size, Spacing};
use crate::sheet::lay_out;

const SPACING: Spacing = Spacing { boxes: 4.0, lines: 3.0, ports: 2.0, rows: 2.0, labels: 1.0, own_loop: 6.0, swing: 0.0, whole: true };

/// A picture that has been drawn.
pub(super) struct Figure {
    pub(super) canvas: Canvas,
    pub(super) width: usize,
    height: usize,
    pub(super) start: usize,
    /// The column of each node.
    columns: Vec<usize>,
}

/// What it takes to draw it.
pub(super) struct Draft<'a> {
    pub(super) picture: &'a Picture,
    pub(super) signs: Signs,
    pub(super) sheet: Sheet,
    pub(super) names: Vec<Vec<String>>,
    pub(super) labels: Vec<Vec<String>>,
    pub(super) inner: Vec<Option<Figure>>,
    /// The first line of each row, and where the gap above it begins.
    rows: Vec<(usize, usize)>,
}

impl Figure {
    pub(super) fn of(picture: &Picture, signs: Signs) -> Self {
        let inner: Vec<Option<Self>> = picture.nodes.iter().map(|node| node.inner.as_ref().map(|inner| Self::of(inner, signs))).collect();
        let names: Vec<Vec<String>> = picture.nodes.iter().map(|node| name(node, signs)).collect();
        let labels: Vec<Vec<String>> = picture.edges.iter().map(|edge| label(edge, picture.marked, signs)).collect();
        let mut plan = Plan { spacing: SPACING, ..Plan::default() };
        for (number, ((node, names), inner)) in picture.nodes.iter().zip(&names).zip(&inner).enumerate() {
            let arrows = picture.edges.iter().filter(|edge| edge.from == number || edge.to == number).count();
            plan.boxes.push(match inner {
                Some(inner) => inner.frame(names),
                None => size(node, names, arrows),
            });
        }
        for (edge, label) in picture.edges.iter().zip(&labels) {
            let wide = widest(label);
            if edge.from == edge.to
                && let Some(size) = plan.boxes.get_mut(edge.from)
            {
                size.right += SPACING.own_loop + columns(&label.join(" ")) as f64;
            }
            let frame = |number: usize| inner.get(number).and_then(Option::as_ref);
            plan.arrows.push(Arrow {
                from: edge.from,
                to: edge.to,
                label: (!label.is_empty() && edge.from != edge.to).then_some(((wide | 1) as f64 - 1.0, label.len() as f64)),
                leaves: frame(edge.from).map(|frame| frame.exit(edge.exit)),
                enters: frame(edge.to).map(|_| 0.0),
            });
        }
        let sheet = lay_out(&plan);
        let draft = Draft { picture, signs, sheet, names, labels, inner, rows: Vec::new() };
        draft.draw()
    }

    fn frame(&self, names: &[String]) -> Size {
        let (start, name) = (self.start as f64, columns(&names.join(" ")) as f64);
        let right = (self.width as f64 - start + 1.0).max(if self.name_is_left(names) { 0.0 } else { name + 6.0 });
        Size { left: start + 2.0, right, height: self.height as f64, ..Size::default() }
    }

    pub(super) fn name_is_left(&self, names: &[String]) -> bool {
        self.start > columns(&names.join(" ")) + 2
    }

    fn exit(&self, exit: Option<usize>) -> f64 {
        match exit.and_then(|exit| self.columns.get(exit)) {
            Some(column) => *column as f64 - self.start as f64,
            None => self.width as f64 - self.start as f64,
        }
    }
}

impl Draft<'_> {
    fn draw(mut self) -> Figure {
        let gaps = self.gaps();
        let placed: Vec<Vec<(Change, usize)>> = gaps.iter().map(|gap| tracks(&gap.changes)).collect();
        let mut y = 0;
        let mut tops = Vec::new();
        for (row, (gap, placed)) in gaps.iter().zip(&placed).enumerate() {
            let tracks = placed.iter().map(|(_, track)| track + 1).max().unwrap_or(0);
            let ends = usize::from(gap.heads_up) + usize::from(gap.heads_down);
            // Between two boxes there is at least a line and a head.
            let least = usize::from(!gap.changes.is_empty() && row % 2 == 1);
            tops.push((y + usize::from(gap.heads_up), y));
            y += (tracks + ends).max(least);
            self.rows.push((y, y));
            y += self.high(row);
        }
        for (row, (_, gap)) in self.rows.iter_mut().zip(&tops) {
            row.1 = *gap;
        }
        let height = y;
        let columns: Vec<usize> = self.sheet.boxes.iter().map(|placed| column(placed.x)).collect();
        let widest = placed.iter().flatten().map(|(change, _)| change.from.0.max(change.to.0) + 1).max().unwrap_or(0);
        let width = (column(self.sheet.width) + 1).max(widest);
        let mut canvas = Canvas::new(width, height, self.signs);
        for (row, (gap, placed)) in gaps.iter().zip(&placed).enumerate() {
            self.lines(&mut canvas, row, gap, placed, &tops);
        }
        self.legs(&mut canvas);
        for number in 0..self.picture.nodes.len() {
            self.node(&mut canvas, number);
        }
        self.heads_and_labels(&mut canvas);
        let start = self.picture.start().and_then(|start| columns.get(start)).copied().unwrap_or_default();
        Figure { canvas, width, height, start, columns }
    }

    fn high(&self, row: usize) -> usize {
        self.sheet.bands.get(row).map_or(0, |(top, bottom)| column(bottom - top))
    }

    /// What goes through the gap above each row, and below the last one.
    fn gaps(&self) -> Vec<Gap> {
        let mut gaps: Vec<Gap> = (0..=self.sheet.bands.len()).map(|_| Gap::default()).collect();
        for (edge, route) in self.picture.edges.iter().zip(&self.sheet.routes).filter(|(_, route)| !route.own) {
            let stroke = stroke(edge, route.back);
            let last = route.legs.len().saturating_sub(2);
            for (at, (one, other)) in route.legs.iter().zip(route.legs.iter().skip(1)).enumerate() {
                let (from, to) = (column(one.x), column(other.x));
                let (gap, change, up) = if one.row == other.row {
                    // It turns round: below the row where it begins, and above the row where it ends.
                    let above = at == 0;
                    (one.row + usize::from(above), Change { from: (from, above), to: (to, above), stroke }, false)
                } else if one.row < other.row {
                    (other.row, Change { from: (from, true), to: (to, false), stroke }, false)
                } else {
                    (one.row, Change { from: (from, false), to: (to, true), stroke }, true)
                };
                if let Some(gap) = gaps.get_mut(gap) {
                    gap.changes.push(change);
                    if at == last {
                        *(if up { &mut gap.heads_up } else { &mut gap.heads_down }) = true;
                    }
                }
            }
        }
        gaps
    }

    /// The lines in a gap.
    fn lines(&self, canvas: &mut Canvas, row: usize, gap: &Gap, placed: &[(Change, usize)], tops: &[(usize, usize)]) {
        let Some((first, top)) = tops.get(row).copied() else { return };
        let bottom = self.rows.get(row).map_or(top, |(y, _)| *y);
        if bottom == top {
            return;
        }
        for change in gap.changes.iter().filter(|change| change.from.0 == change.to.0) {
            canvas.down(change.from.0, top, bottom - 1, change.stroke);
        }
        for (change, track) in placed {
            let y = first + track;
            for (end, other) in [(change.from, change.to), (change.to, change.from)] {
                let (x, up) = end;
                canvas.line(x, y, if up { UP } else { DOWN } | if other.0 > x { RIGHT } else { LEFT }, change.stroke);
                if up && y > top {
                    canvas.down(x, top, y - 1, change.stroke);
                } else if !up {
                    canvas.down(x, y + 1, bottom - 1, change.stroke);
                }
            }
            for x in change.from.0.min(change.to.0) + 1..change.from.0.max(change.to.0) {
                canvas.line(x, y, LEFT | RIGHT, change.stroke);
            }
        }
    }

    /// The lines through the rows.
    fn legs(&self, canvas: &mut Canvas) {
        for (edge, route) in self.picture.edges.iter().zip(&self.sheet.routes).filter(|(_, route)| !route.own) {
            let last = route.legs.len().saturating_sub(1);
            for (at, leg) in route.legs.iter().enumerate() {
                let (top, high) = (self.rows.get(leg.row).map_or(0, |(y, _)| *y), self.high(leg.row));
                if high == 0 {
                    continue;
                }
                // At its ends it goes as far as the box, which is drawn over it.
                let middle = top + high / 2;
                let (from, to) = if at == 0 || at == last {
                    let next = if at == 0 { route.legs.get(1) } else { route.legs.get(last - 1) };
                    let below = next.is_some_and(|next| if next.row == leg.row { at == 0 } else { next.row > leg.row });
                    if below { (middle, top + high - 1) } else { (top, middle) }
                } else {
                    (top, top + high - 1)
                };
                canvas.down(column(leg.x), from, to, stroke(edge, route.back));
            }
        }
    }

    fn heads_and_labels(&self, canvas: &mut Canvas) {
        for ((edge, route), label) in self.picture.edges.iter().zip(&self.sheet.routes).zip(&self.labels) {
            if route.own {
                continue;
            }
            let [.., before, last] = route.legs.as_slice() else { continue };
            let up = before.row > last.row;
            // Right at the box, whose row may be higher than it.
            let (top, bottom) = self.extent(edge.to, last.row);
            let y = if up { bottom + 1 } else { top.saturating_sub(1) };
            canvas.put(column(last.x), y, head(up, self.signs));
            if let Some(leg) = route.legs.iter().find(|leg| leg.label.is_some()) {
                let (row, high) = (self.rows.get(leg.row).map_or(0, |(y, _)| *y), self.high(leg.row));
                let top = row + high.saturating_sub(label.len()) / 2;
                for (line, text) in label.iter().enumerate() {
                    canvas.write(column(leg.x).saturating_sub(columns(text) / 2), top + line, text);
                }
            }
        }
    }

    /// The first and the last line of a node.
    pub(super) fn extent(&self, number: usize, row: usize) -> (usize, usize) {
        let (top, band) = (self.rows.get(row).map_or(0, |(y, _)| *y), self.high(row));
        let node = self.picture.nodes.get(number);
        let high = match (self.inner.get(number), node.map(|node| node.shape)) {
            (Some(Some(inner)), _) => inner.height,
            (_, Some(Shape::Box | Shape::Hexagon)) => self.names.get(number).map_or(1, Vec::len) + 2,
            _ => 1,
        };
        let top = top + band.saturating_sub(high) / 2;
        (top, top + high - 1)
    }
}

/// A gap above a row.
#[derive(Debug, Default)]
struct Gap {
    changes: Vec<Change>,
    /// Arrows end at its upper edge.
    heads_up: bool,
    /// Arrows end at its lower edge.
    heads_down: bool,
}
