//! The order within the rows: few arrows cross, and what was written first stands left.

use crate::crossings;
use crate::grid::Grid;
use crate::list::List;

/// Sweeps without a better order before it is given up.
const PATIENCE: u32 = 4;
/// More items than this are not swapped pair by pair: it would take longer than a person waits.
const SWAPPED: usize = 4_000;
/// More items than this are put into order from one beginning only.
const TRIED_TWICE: usize = 8_000;
/// Items that are sorted, all sweeps together.
const SWEPT: usize = 300_000;
/// More items than this are not looked at again.
const LOOKED_AT_TWICE: usize = 300;

/// Puts the items of each row into order.
pub(crate) fn order(grid: &mut Grid, boxes: usize) {
    let mut turned = List::of(boxes, false);
    let mut best = (Cost::default(), List::default());
    for (attempt, loops) in [Loops::WhereTheyBegin, Loops::Last].into_iter().enumerate() {
        if attempt > 0 && grid.items.len() > TRIED_TWICE {
            break;
        }
        first_order(grid, boxes, loops, &turned);
        if attempt == 0 {
            best = (cost(grid), grid.rows.clone());
        }
        improve(grid, &mut best);
    }
    // A small graph is worth another look: box by box, what comes of it if its arrows are met the other way round.
    if grid.items.len() <= LOOKED_AT_TWICE {
        for number in 0..boxes {
            if grid.items[number].down.len() < 2 || best.0 == Cost::default() {
                continue;
            }
            let before = best.0;
            turned[number] = true;
            for loops in [Loops::WhereTheyBegin, Loops::Last] {
                first_order(grid, boxes, loops, &turned);
                improve(grid, &mut best);
            }
            turned[number] = best.0 < before;
        }
    }
    grid.arrange(best.1);
}

fn improve(grid: &mut Grid, best: &mut (Cost, List<Vec<usize>>)) {
    let mut worse = 0;
    for sweep in 0..(SWEPT / grid.items.len().max(1)).clamp(4, 24) {
        let found = cost(grid);
        if found < best.0 {
            *best = (found, grid.rows.clone());
            worse = 0;
        } else {
            worse += 1;
        }
        if worse > PATIENCE {
            break;
        }
        let rows = grid.rows.len();
        let to_the_right = sweep % 4 >= 2;
        if sweep % 2 == 0 {
            for row in 1..rows {
                by_neighbours(grid, row, true, to_the_right);
            }
        } else {
            for row in (0..rows.saturating_sub(1)).rev() {
                by_neighbours(grid, row, false, to_the_right);
            }
        }
        if grid.items.len() <= SWAPPED {
            crossings::swap(grid);
        }
    }
}

/// What is bad about an order: first what crosses, then loops that lie between boxes, and then what was written first and
/// stands right.
type Cost = (usize, usize, usize);

fn cost(grid: &Grid) -> Cost {
    let mut inside = 0;
    for row in grid.rows.iter() {
        let others = row.iter().filter(|item| !grid.items[**item].back).count();
        let mut left = 0;
        for item in row {
            if grid.items[*item].back {
                inside += left.min(others - left);
            } else {
                left += 1;
            }
        }
    }
    let mut turned = 0;
    for item in grid.items.iter() {
        let on: Vec<f64> = item.down.iter().filter(|joint| !grid.items[joint.item].back).map(|joint| grid.places[joint.item]).collect();
        turned += on.iter().zip(on.iter().skip(1)).filter(|(one, other)| one > other).count();
    }
    (crossings::all(grid), inside, turned)
}

/// Where loops stand at first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Loops {
    /// Beside the box where they begin.
    WhereTheyBegin,
    /// Right of everything that they go round.
    Last,
}

/// As they are met from the top, arrow by arrow as written.
fn first_order(grid: &mut Grid, boxes: usize, loops: Loops, turned: &List<bool>) {
    let mut rows: List<Vec<usize>> = List::of(grid.rows.len(), Vec::new());
    let mut met = List::of(grid.items.len(), false);
    for root in (0..boxes).chain(boxes..grid.items.len()) {
        let mut open = vec![root];
        while let Some(number) = open.pop() {
            if met[number] {
                continue;
            }
            met[number] = true;
            let item = &grid.items[number];
            rows[item.row].push(number);
            let is_back = |number: &usize| grid.items[*number].back;
            let (back, mut on): (Vec<usize>, Vec<usize>) = item.down.iter().map(|joint| joint.item).partition(is_back);
            if turned[number] {
                on.reverse();
            }
            match loops {
                Loops::Last => {
                    open.extend(back.iter().rev());
                    open.extend(on.iter().rev());
                }
                Loops::WhereTheyBegin => {
                    open.extend(on.iter().rev());
                    open.extend(item.up.iter().map(|joint| joint.item).filter(is_back).rev());
                }
            }
        }
    }
    grid.arrange(rows);
}

/// Sorts a row by where its neighbours above, or below, stand on the average.
fn by_neighbours(grid: &mut Grid, row: usize, above: bool, to_the_right: bool) {
    let mean = |number: usize| {
        let item = &grid.items[number];
        let joints = if above { &item.up } else { &item.down };
        let sum: f64 = joints.iter().map(|joint| grid.places[joint.item] + joint.side).sum();
        (!joints.is_empty()).then(|| sum / joints.len() as f64)
    };
    let means: Vec<Option<f64>> = grid.rows[row].iter().map(|number| mean(*number)).collect();
    let mut sorted: Vec<(f64, usize)> = means.iter().zip(&grid.rows[row]).filter_map(|(mean, number)| Some(((*mean)?, *number))).collect();
    if to_the_right {
        sorted.reverse();
    }
    sorted.sort_by(|one, other| one.0.total_cmp(&other.0));
    // Who has no neighbour keeps its place.
    let mut sorted = sorted.into_iter();
    for (number, _) in grid.rows[row].iter_mut().zip(&means).filter(|(_, mean)| mean.is_some()) {
        if let Some((_, next)) = sorted.next() {
            *number = next;
        }
    }
    grid.count(row);
}
