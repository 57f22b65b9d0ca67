//! Where arrows meet the boxes: towards where they come from, and apart from each other.

use crate::grid::{Grid, Joint, Kind};
use crate::list::List;
use crate::plan::{Placed, Plan};

/// For each arrow where it leaves its box and where it enters one.
pub(crate) fn ports(plan: &Plan, grid: &Grid, x: &List<f64>, placed: &List<Placed>) -> List<(f64, f64)> {
    let mut ports: List<(f64, f64)> = List::of(plan.arrows.len(), (0.0, 0.0));
    let mut sides: List<[Vec<End>; 2]> = List::of(plan.boxes.len(), [Vec::new(), Vec::new()]);
    for (number, (arrow, chain)) in plan.arrows.iter().zip(grid.chains.iter()).enumerate() {
        ports[number] = (placed[arrow.from].x + arrow.leaves.unwrap_or(0.0), placed[arrow.to].x + arrow.enters.unwrap_or(0.0));
        if chain.own {
            continue;
        }
        let (above, below) = if chain.back { (arrow.to, arrow.from) } else { (arrow.from, arrow.to) };
        let upper = |to: f64| End { arrow: number, leaves: !chain.back, to };
        let lower = |to: f64| End { arrow: number, leaves: chain.back, to };
        let first = chain.items.first().map_or(placed[below].x, |item| x[*item]);
        let last = chain.items.last().map_or(placed[above].x, |item| x[*item]);
        if if chain.back { arrow.enters } else { arrow.leaves }.is_none() {
            let [_, bottom] = &mut sides[above];
            bottom.push(upper(first));
        }
        if if chain.back { arrow.leaves } else { arrow.enters }.is_none() {
            let [top, _] = &mut sides[below];
            top.push(lower(last));
        }
    }
    for (number, size) in plan.boxes.iter().enumerate() {
        let middle = placed[number];
        let mut both = [Vec::new(), Vec::new()];
        std::mem::swap(&mut both, &mut sides[number]);
        for mut ends in both {
            ends.sort_by(|one, other| one.to.total_cmp(&other.to));
            let wishes: Vec<(f64, f64)> = ends.iter().map(|end| wish(end.to - middle.x, size.bar)).collect();
            // What is written beside a bar is no part of it.
            let (left, right) = if size.bar { (middle.left, middle.right - (size.right - size.left)) } else { (size.reach, size.reach) };
            let stands = apart(&wishes, -left, right, plan.spacing.ports);
            for (end, stand) in ends.iter().zip(stands) {
                let at = middle.x + if plan.spacing.whole { stand.round() } else { stand };
                let port = &mut ports[end.arrow];
                if end.leaves {
                    port.0 = at;
                } else {
                    port.1 = at;
                }
            }
        }
    }
    ports
}

/// An end of an arrow at a box, and from where it comes.
#[derive(Clone, Copy, Debug)]
struct End {
    arrow: usize,
    leaves: bool,
    to: f64,
}

/// Where it would like to be, and how much. A straight arrow stays straight.
fn wish(away: f64, bar: bool) -> (f64, f64) {
    match away {
        away if away.abs() < 0.5 => (0.0, 100.0),
        away if bar => (away, 10.0),
        away => (away * 0.3, 1.0),
    }
}

/// Moves the wishes, which are sorted, so far apart that there is `room` between them, and as little as possible.
fn apart(wishes: &[(f64, f64)], least: f64, most: f64, room: f64) -> Vec<f64> {
    let gaps = wishes.len().saturating_sub(1);
    let room = if gaps == 0 { 0.0 } else { room.min((most - least) / gaps as f64) };
    // Neighbours that would come too near are held together as one block, at the mean of their wishes.
    let mut blocks: Vec<(f64, f64, usize)> = Vec::new();
    for (number, (wish, weight)) in wishes.iter().enumerate() {
        let mut block = (wish - room * number as f64, *weight, 1);
        while let Some(last) = blocks.last().copied().filter(|last| last.0 >= block.0) {
            let weight = last.1 + block.1;
            block = ((last.0 * last.1 + block.0 * block.1) / weight, weight, last.2 + block.2);
            blocks.pop();
        }
        blocks.push(block);
    }
    let highest = most - room * gaps as f64;
    blocks
        .iter()
        .flat_map(|(at, _, count)| std::iter::repeat_n(at.min(highest).max(least), *count))
        .enumerate()
        .map(|(number, at)| at + room * number as f64)
        .collect()
}

/// Grows the bars over what they lead to, as far as their neighbours leave room.
pub(crate) fn grow_bars(plan: &Plan, grid: &Grid, x: &List<f64>, placed: &mut List<Placed>) {
    for row in grid.rows.iter() {
        for (at, number) in row.iter().copied().enumerate() {
            let Some(size) = plan.boxes.get(number).filter(|size| size.bar) else { continue };
            let item = &grid.items[number];
            let room_left = at.checked_sub(1).and_then(|at| row.get(at)).map_or(f64::MAX, |left| {
                let right = if grid.items[*left].kind == Kind::Box { placed[*left].right } else { grid.items[*left].right };
                x[number] - x[*left] - right - plan.spacing.lines
            });
            let room_right = row.get(at + 1).map_or(f64::MAX, |right| x[*right] - x[number] - grid.items[*right].left - plan.spacing.lines);
            let beside = size.right - size.left;
            let over = plan.spacing.ports;
            let (mut left, mut right) = (size.left, size.right);
            // Loops may lead away from it wherever they want.
            let on = |joints: &'_ [Joint]| joints.iter().map(|joint| joint.item).filter(|item| !grid.items[*item].back).collect::<Vec<_>>();
            let (above, below) = (on(&item.up), on(&item.down));
            for joint in if below.len() > above.len() { below } else { above } {
                left = left.max((x[number] - x[joint] + over).min(room_left));
                right = right.max((x[joint] - x[number] + over + beside).min(room_right));
            }
            let bar = &mut placed[number];
            bar.left = left;
            bar.right = right;
        }
    }
}
