//! Where in its row everything stands: long lines straight, boxes over what they lead to.
//!
//! After Brandes and Köpf, "Fast and Simple Horizontal Coordinate Assignment": items are lined up with the middle one of
//! their neighbours, four times (from above and from below, from the left and from the right), and stand between the two
//! middle ones of the four results.

use crate::grid::{Grid, Item, Joint, Kind};
use crate::list::List;
use crate::plan::Spacing;

/// The middle of each item.
pub(crate) fn across(grid: &Grid, spacing: &Spacing) -> List<f64> {
    let crossed = crossed(grid);
    let mut results: Vec<List<f64>> = Vec::new();
    for upwards in [false, true] {
        for mirrored in [false, true] {
            let side = Side::of(grid, upwards, mirrored);
            let mut x = side.stand(spacing, &side.line_up(&crossed));
            if mirrored {
                x.iter_mut().for_each(|x| *x = -*x);
            }
            results.push(x);
        }
    }
    level(grid, &mut results);
    let mut x: List<f64> = (0..grid.items.len())
        .map(|number| {
            let mut four: Vec<f64> = results.iter().map(|result| result[number]).collect();
            four.sort_by(f64::total_cmp);
            match four.as_slice() {
                [_, one, other, _] => (one + other) / 2.0,
                _ => 0.0,
            }
        })
        .collect();
    if spacing.whole {
        x.iter_mut().for_each(|x| *x = x.floor());
    }
    x
}

/// The room between the middles of two neighbours.
pub(crate) fn room(left: &Item, right: &Item, spacing: &Spacing) -> f64 {
    let between = if left.kind == Kind::Box && right.kind == Kind::Box { spacing.boxes } else { spacing.lines };
    left.right + between + right.left
}

/// Joints that give way: a short arrow that crosses a long one.
fn crossed(grid: &Grid) -> Vec<(usize, usize)> {
    let mut crossed = Vec::new();
    for row in 1..grid.rows.len() {
        let (mut from, mut left) = (0, 0.0);
        let items = &grid.rows[row];
        for (at, number) in items.iter().enumerate() {
            let straight = straight_above(grid, *number);
            if straight.is_none() && at + 1 != items.len() {
                continue;
            }
            let right = straight.map_or(f64::MAX, |upper| grid.places[upper]);
            for lower in items.iter().take(at + 1).skip(from) {
                for Joint { item: upper, .. } in &grid.items[*lower].up {
                    let place = grid.places[*upper];
                    if (place < left || place > right) && straight_above(grid, *lower) != Some(*upper) {
                        crossed.push((*upper, *lower));
                    }
                }
            }
            from = at + 1;
            left = right;
        }
    }
    crossed.sort_unstable();
    crossed
}

/// The line above a line.
fn straight_above(grid: &Grid, number: usize) -> Option<usize> {
    match (grid.items[number].kind, grid.items[number].up.as_slice()) {
        (Kind::Line | Kind::Label, [joint]) if grid.items[joint.item].kind != Kind::Box => Some(joint.item),
        _ => None,
    }
}

/// The grid, seen from one of four sides.
struct Side<'a> {
    grid: &'a Grid,
    rows: Vec<Vec<usize>>,
    places: List<f64>,
    upwards: bool,
    mirrored: bool,
}

impl<'a> Side<'a> {
    fn of(grid: &'a Grid, upwards: bool, mirrored: bool) -> Self {
        let mut rows: Vec<Vec<usize>> = grid.rows.as_slice().to_vec();
        if upwards {
            rows.reverse();
        }
        let mut places = List::of(grid.items.len(), 0.0);
        for row in &mut rows {
            if mirrored {
                row.reverse();
            }
            for (place, number) in row.iter().enumerate() {
                places[*number] = place as f64;
            }
        }
        Self { grid, rows, places, upwards, mirrored }
    }

    /// Lines up each item with the middle one of its neighbours, and says with which item its line begins.
    fn line_up(&self, crossed: &[(usize, usize)]) -> List<usize> {
        let mut roots: List<usize> = (0..self.grid.items.len()).collect();
        let mut next: List<usize> = (0..self.grid.items.len()).collect();
        for row in &self.rows {
            let mut reached = -1.0;
            for number in row {
                let item = &self.grid.items[*number];
                let mut joints: Vec<usize> = if self.upwards { &item.down } else { &item.up }.iter().map(|joint| joint.item).collect();
                joints.sort_by(|one, other| self.places[*one].total_cmp(&self.places[*other]));
                let middle = joints.len().saturating_sub(1);
                for joint in joints.iter().take(middle / 2 + middle % 2 + 1).skip(middle / 2).copied() {
                    let pair = if self.upwards { (*number, joint) } else { (joint, *number) };
                    if next[*number] == *number && reached < self.places[joint] && crossed.binary_search(&pair).is_err() {
                        next[joint] = *number;
                        roots[*number] = roots[joint];
                        next[*number] = roots[*number];
                        reached = self.places[joint];
                    }
                }
            }
        }
        roots
    }

    /// Moves the lines together as far as they may, then each to the right as far as it can without moving another.
    fn stand(&self, spacing: &Spacing, roots: &List<usize>) -> List<f64> {
        let count = self.grid.items.len();
        let mut before: List<Vec<(usize, f64)>> = List::of(count, Vec::new());
        let mut after: List<Vec<(usize, f64)>> = List::of(count, Vec::new());
        let mut waits: List<usize> = List::of(count, 0);
        for row in &self.rows {
            for (left, right) in row.iter().zip(row.iter().skip(1)) {
                let (one, other) = (&self.grid.items[*left], &self.grid.items[*right]);
                let room = if self.mirrored { room(other, one, spacing) } else { room(one, other, spacing) };
                before[roots[*right]].push((roots[*left], room));
                after[roots[*left]].push((roots[*right], room));
                waits[roots[*right]] += 1;
            }
        }
        let mut sorted: Vec<usize> = (0..count).filter(|number| roots[*number] == *number && waits[*number] == 0).collect();
        let mut at = 0;
        while let Some(number) = sorted.get(at).copied() {
            at += 1;
            for (right, _) in &after[number] {
                waits[*right] -= 1;
                if waits[*right] == 0 {
                    sorted.push(*right);
                }
            }
        }
        let mut x = List::of(count, 0.0);
        for number in &sorted {
            x[*number] = before[*number].iter().fold(0.0, |most: f64, (left, room)| most.max(x[*left] + room));
        }
        for number in sorted.iter().rev() {
            let least = after[*number].iter().fold(f64::MAX, |least: f64, (right, room)| least.min(x[*right] - room));
            if least < f64::MAX {
                x[*number] = x[*number].max(least);
            }
        }
        (0..count).map(|number| x[roots[number]]).collect()
    }
}

/// Lays the four results over the narrowest one.
fn level(grid: &Grid, results: &mut [List<f64>]) {
    let extent = |x: &List<f64>| {
        grid.items
            .iter()
            .zip(x.iter())
            .fold((f64::MAX, f64::MIN), |(least, most), (item, x)| (least.min(x - item.left), most.max(x + item.right)))
    };
    let extents: Vec<(f64, f64)> = results.iter().map(extent).collect();
    let narrowest = extents.iter().copied().min_by(|one, other| (one.1 - one.0).total_cmp(&(other.1 - other.0)));
    let Some((left, right)) = narrowest else { return };
    for (number, (result, extent)) in results.iter_mut().zip(extents).enumerate() {
        // The second and fourth were seen in the mirror.
        let shift = if number % 2 == 0 { left - extent.0 } else { right - extent.1 };
        result.iter_mut().for_each(|x| *x += shift);
    }
}
