//! The line of an arrow: straight through every row, and a soft swing in every gap.
//!
//! A swing never leaves its gap, and in a row each line has a place of its own: so no line crosses a box or a label.

use super::number;
use crate::plan::{Leg, Route, Sheet};

/// How deep a line turns round below, or above, a box.
const TURN: f64 = 18.0;
/// How far a line may stray in a row of labels.
const ASIDE: f64 = 8.0;
/// How much more a line leans where it leaves its box than on the whole, and how much at most.
const LEAN: f64 = 1.9;
const MOST_LEAN: f64 = 2.6;

/// The pieces of a line, in the language of the attribute `d`: there is a gap where its label stands.
pub(super) fn pieces(route: &Route, sheet: &Sheet, tail: f64, head: f64, lean: bool) -> Vec<String> {
    let mut pen = Pen::default();
    let last = route.legs.len().saturating_sub(1);
    for (at, leg) in route.legs.iter().enumerate() {
        let (top, bottom) = sheet.bands.get(leg.row).copied().unwrap_or_default();
        let before = at.checked_sub(1).and_then(|before| route.legs.get(before));
        let after = route.legs.get(at + 1);
        // At its ends a line begins or ends at the box; in between it goes through the row.
        let down = down(leg, before, after);
        let (enters, leaves) = if down { (top, bottom) } else { (bottom, top) };
        if let Some(before) = before.filter(|before| before.row == leg.row) {
            let turn = if at == 1 { TURN } else { -TURN };
            let from = if at == 1 { bottom } else { top };
            pen.turn(before.x, leg.x, from, turn);
        }
        let enters = if at == 0 { tail } else { enters };
        let leaves = if at == last { head } else { leaves };
        if at == 0 || at == last || leg.row % 2 == 0 || leg.label.is_some() || !pen.swings(leg.x, enters, leaves) {
            pen.to(leg.x, enters);
        }
        if let Some(half) = leg.label {
            let middle = (top + bottom) / 2.0;
            let half = if down { half } else { -half };
            pen.to(leg.x, middle - half);
            pen.lift(false);
            pen.to(leg.x, middle + half);
        }
        pen.to(leg.x, leaves);
    }
    let turned = route.legs.iter().zip(route.legs.iter().skip(1)).any(|(one, other)| one.row == other.row);
    pen.lift(lean && !turned);
    pen.pieces
}

/// Whether a leg goes down.
fn down(leg: &Leg, before: Option<&Leg>, after: Option<&Leg>) -> bool {
    match (before, after) {
        (_, Some(after)) if after.row != leg.row => after.row > leg.row,
        (Some(before), _) if before.row != leg.row => leg.row > before.row,
        // It turns round at once: at its tail it leaves downwards, at its head it arrives from above.
        _ => true,
    }
}

/// How far a line goes aside for each step down, at a box.
fn lean(slope: f64) -> f64 {
    (slope * LEAN).clamp(-MOST_LEAN, MOST_LEAN)
}

#[derive(Debug, Default)]
struct Pen {
    points: Vec<(f64, f64)>,
    text: String,
    pieces: Vec<String>,
}

impl Pen {
    fn to(&mut self, x: f64, y: f64) {
        if self.points.last().is_none_or(|last| (last.0 - x).abs() + (last.1 - y).abs() > 0.01) {
            self.points.push((x, y));
        }
    }

    /// Whether a line may swing on through a row of labels: it stays within the room that it has there.
    fn swings(&self, x: f64, enters: f64, leaves: f64) -> bool {
        let Some((from_x, from_y)) = self.points.last().copied() else { return false };
        let part = (enters - from_y) / (leaves - from_y);
        // How far it still has to go; it leaves a box aslant, and else straight.
        let left = if self.points.len() == 1 { (1.0 - part).powi(2) } else { (1.0 - part).powi(2) * (1.0 + 2.0 * part) };
        ((from_x - x) * left).abs() <= ASIDE
    }

    /// Round below a box, or over it.
    fn turn(&mut self, from: f64, to: f64, y: f64, depth: f64) {
        self.to(from, y);
        self.draw(false);
        let (x, to, end) = (number(from), number(to), number(y));
        let control = number(y + depth);
        self.text.push_str(&format!("C{x} {control} {to} {control} {to} {end}"));
        self.points.clear();
    }

    /// Draws what has been collected, as one soft line. (Monotone cubic interpolation after Fritsch and Carlson.)
    fn draw(&mut self, home: bool) {
        let slope = |one: &(f64, f64), other: &(f64, f64)| (other.0 - one.0) / (other.1 - one.1);
        let slopes: Vec<f64> = self.points.iter().zip(self.points.iter().skip(1)).map(|(one, other)| slope(one, other)).collect();
        if let Some((x, y)) = self.points.first()
            && self.text.is_empty()
        {
            self.text.push_str(&format!("M{} {}", number(*x), number(*y)));
        }
        let tangent = |at: usize| match (at.checked_sub(1).and_then(|at| slopes.get(at)), slopes.get(at)) {
            // It leaves its box towards where it goes; a loop comes home the same way, and others arrive straight.
            (None, Some(slope)) if self.pieces.is_empty() => lean(*slope),
            (Some(slope), None) if home => lean(*slope),
            (Some(before), Some(after)) if before * after > 0.0 => 2.0 * before * after / (before + after),
            _ => 0.0,
        };
        for (at, (from, to)) in self.points.iter().zip(self.points.iter().skip(1)).enumerate() {
            if (from.0 - to.0).abs() < 0.05 {
                self.text.push_str(&format!("V{}", number(to.1)));
                continue;
            }
            let third = (to.1 - from.1) / 3.0;
            let (leaving, arriving) = (from.0 + tangent(at) * third, to.0 - tangent(at + 1) * third);
            self.text.push_str(&format!(
                "C{} {} {} {} {} {}",
                number(leaving),
                number(from.1 + third),
                number(arriving),
                number(to.1 - third),
                number(to.0),
                number(to.1)
            ));
        }
    }

    fn lift(&mut self, home: bool) {
        self.draw(home);
        self.points.clear();
        if !self.text.is_empty() {
            self.pieces.push(std::mem::take(&mut self.text));
        }
    }
}
