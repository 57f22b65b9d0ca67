//! Boxes, bars, dots and frames.

use super::Signs;
use super::canvas::Canvas;
use super::figure::Draft;
use super::size::column;
use crate::measure::columns;
use crate::picture::{Node, Shape};
use crate::plan::Placed;

impl Draft<'_> {
    pub(super) fn node(&self, canvas: &mut Canvas, number: usize) {
        let (Some(node), Some(placed), Some(names)) =
            (self.picture.nodes.get(number), self.sheet.boxes.get(number), self.names.get(number))
        else {
            return;
        };
        let row = self.sheet.rows_of.get(number).copied().unwrap_or_default();
        let (top, bottom) = self.extent(number, row);
        let x = column(placed.x);
        let unicode = self.signs == Signs::Unicode;
        if let Some(Some(inner)) = self.inner.get(number) {
            let frame = self.frame_signs(node);
            let right = x - inner.start + inner.width + 1;
            let right = right.max(if inner.name_is_left(names) { 0 } else { x + columns(&names.join(" ")) + 6 });
            outline(canvas, (x - inner.start - 2, top, right, bottom), frame, node.stacked);
            let name = format!(" {} ", names.join(" "));
            canvas.write(if inner.name_is_left(names) { x - inner.start } else { x + 2 }, top, &name);
            canvas.lay(x - inner.start, top, &inner.canvas);
            return;
        }
        match node.shape {
            Shape::Start => canvas.put(x, top, if unicode { '●' } else { '*' }),
            Shape::End => {
                let half = column(placed.left);
                for x in x.saturating_sub(half)..=x + half {
                    canvas.put(x, top, if unicode { '─' } else { '-' });
                }
                canvas.put(x, top, if unicode { '◉' } else { '@' });
                if !node.label.is_empty() {
                    canvas.write(x + half + 1, top, &format!(" {} ", names.join(" ")));
                }
            }
            Shape::Bar => self.bar(canvas, *placed, top, names),
            Shape::Box | Shape::Hexagon => {
                let half = (column(placed.left), column(placed.left));
                let corners = (x - half.0, top, x + half.1, bottom);
                outline(canvas, corners, self.frame_signs(node), node.stacked);
                for (line, name) in names.iter().enumerate() {
                    let blank = (half.0 + half.1 + 1).saturating_sub(columns(name)) / 2;
                    canvas.write(x - half.0 + blank, top + 1 + line, name);
                }
            }
        }
        let loops = self.picture.edges.iter().zip(&self.labels).filter(|(edge, _)| edge.from == number && edge.to == number);
        let mut right = x + column(placed.left) + 2 + usize::from(node.stacked);
        for (_, label) in loops {
            let text = format!("{} {}", if unicode { "↺" } else { "<-'" }, label.join(" "));
            canvas.write(right, (top + bottom) / 2, &text);
            right += columns(&text) + 1;
        }
    }

    fn bar(&self, canvas: &mut Canvas, placed: Placed, y: usize, names: &[String]) {
        let name = names.join(" ");
        let beside = if name.is_empty() { 0 } else { columns(&name) + 1 };
        let (left, right) = (column(placed.x - placed.left), column(placed.x + placed.right) - beside);
        for x in left..=right {
            canvas.put(x, y, if self.signs == Signs::Unicode { '━' } else { '=' });
        }
        canvas.write(right + 2, y, &name);
    }

    /// Corners from the top left, the sides, and the lines above and below.
    fn frame_signs(&self, node: &Node) -> [char; 8] {
        match (self.signs, node.shape) {
            (Signs::Unicode, Shape::Hexagon) => ['╱', '╲', '╲', '╱', '⟨', '⟩', '─', '─'],
            (Signs::Unicode, _) => ['╭', '╮', '╰', '╯', '│', '│', '─', '─'],
            (Signs::Ascii, Shape::Hexagon) => ['/', '\\', '\\', '/', '<', '>', '-', '-'],
            (Signs::Ascii, _) => ['+', '+', '+', '+', '|', '|', '-', '-'],
        }
    }
}

/// A box, with its right side twice if there are several of it.
fn outline(canvas: &mut Canvas, (left, top, right, bottom): (usize, usize, usize, usize), signs: [char; 8], stacked: bool) {
    let [top_left, top_right, bottom_left, bottom_right, side_left, side_right, above, below] = signs;
    for x in left + 1..right {
        canvas.put(x, top, above);
        canvas.put(x, bottom, below);
        for y in top + 1..bottom {
            canvas.put(x, y, ' ');
        }
    }
    canvas.put(left, top, top_left);
    canvas.put(left, bottom, bottom_left);
    for x in right..=right + usize::from(stacked) {
        canvas.put(x, top, top_right);
        canvas.put(x, bottom, bottom_right);
        for y in top + 1..bottom {
            canvas.put(x, y, side_right);
        }
    }
    for y in top + 1..bottom {
        canvas.put(left, y, side_left);
    }
}
