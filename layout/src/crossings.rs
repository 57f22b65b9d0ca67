//! How often arrows cross, and fewer of it by swapping neighbours.

use crate::grid::{Grid, Joint};
use crate::list::List;

/// All crossings.
pub(crate) fn all(grid: &Grid) -> usize {
    (0..grid.rows.len()).map(|row| below(grid, row)).sum()
}

/// Swaps neighbours in a row as long as that leaves fewer crossings.
pub(crate) fn swap(grid: &mut Grid) {
    for _ in 0..8 {
        let mut better = false;
        for row in 0..grid.rows.len() {
            for at in 1..grid.rows[row].len() {
                let [left, right] = pair(&grid.rows[row], at);
                let (one, other) = (&grid.items[left], &grid.items[right]);
                let now = between(&one.up, &other.up, &grid.places) + between(&one.down, &other.down, &grid.places);
                let then = between(&other.up, &one.up, &grid.places) + between(&other.down, &one.down, &grid.places);
                if then < now {
                    better = true;
                    grid.rows[row].swap(at - 1, at);
                    grid.places[left] += 1.0;
                    grid.places[right] -= 1.0;
                }
            }
        }
        if !better {
            break;
        }
    }
}

fn pair(row: &[usize], at: usize) -> [usize; 2] {
    [at - 1, at].map(|at| row.get(at).copied().unwrap_or_default())
}

/// Crossings of the joints of an item with those of its right neighbour.
fn between(left: &[Joint], right: &[Joint], places: &List<f64>) -> usize {
    let at = |joint: &Joint| places[joint.item] + joint.side;
    left.iter().map(|one| right.iter().filter(|other| at(other) < at(one)).count()).sum()
}

/// Crossings between a row and the next one: pairs that stand the other way round below. (Counted in a tree of sums.)
fn below(grid: &Grid, row: usize) -> usize {
    let mut ends: Vec<f64> = Vec::new();
    for number in &grid.rows[row] {
        let item = &grid.items[*number];
        let end = |joint: &Joint| grid.places[joint.item] + joint.side;
        if let [joint] = item.down.as_slice() {
            ends.push(end(joint));
            continue;
        }
        let mut own: Vec<(f64, f64)> = item.down.iter().map(|joint| (joint.own, end(joint))).collect();
        own.sort_by(|one, other| one.0.total_cmp(&other.0).then(one.1.total_cmp(&other.1)));
        ends.extend(own.iter().map(|(_, end)| end));
    }
    let mut sorted = ends.clone();
    sorted.sort_by(f64::total_cmp);
    sorted.dedup();
    let mut sums: List<usize> = List::of(sorted.len() + 1, 0);
    let mut crossings = 0;
    for (seen, end) in ends.iter().enumerate() {
        let rank = sorted.partition_point(|other| other < end) + 1;
        let (mut at, mut not_right) = (rank, 0);
        while at > 0 {
            not_right += sums[at];
            at &= at - 1;
        }
        crossings += seen - not_right;
        let mut at = rank;
        while at < sums.len() {
            sums[at] += 1;
            at += at & at.wrapping_neg();
        }
    }
    crossings
}
