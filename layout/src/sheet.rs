//! From boxes and arrows to places and courses.

use crate::across::across;
use crate::grid::{Grid, Kind};
use crate::list::List;
use crate::order::order;
use crate::plan::{Leg, Placed, Plan, Route, Sheet};
use crate::ports::{grow_bars, ports};

/// Lays a plan out.
pub(crate) fn lay_out(plan: &Plan) -> Sheet {
    let mut grid = Grid::of(plan);
    order(&mut grid, plan.boxes.len());
    let mut x = across(&grid, &plan.spacing);
    let least = grid.items.iter().zip(x.iter()).map(|(item, x)| x - item.left).fold(f64::MAX, f64::min);
    x.iter_mut().for_each(|x| *x -= least);
    let mut placed: List<Placed> =
        plan.boxes.iter().enumerate().map(|(number, size)| Placed { x: x[number], y: 0.0, left: size.left, right: size.right }).collect();
    grow_bars(plan, &grid, &x, &mut placed);
    let ports = ports(plan, &grid, &x, &placed);
    let routes: List<Route> = (0..plan.arrows.len()).map(|number| route(plan, &grid, &x, number, ports[number])).collect();
    let bands = bands(plan, &grid, &routes);
    for (number, placed) in placed.iter_mut().enumerate() {
        let (top, bottom) = bands[grid.items[number].row];
        placed.y = (top + bottom) / 2.0;
    }
    let routes = routes.iter().map(|route| labelled(route.clone(), &bands)).collect();
    let width = grid.items.iter().zip(x.iter()).map(|(item, x)| x + item.right);
    let width = width.chain(placed.iter().map(|placed| placed.x + placed.right)).fold(0.0, f64::max);
    let rows_of = (0..plan.boxes.len()).map(|number| grid.items[number].row).collect();
    let height = bands.iter().last().map_or(0.0, |(_, bottom)| *bottom);
    Sheet { width, height, boxes: placed.as_slice().to_vec(), routes, rows_of, bands: bands.as_slice().to_vec() }
}

/// The legs of an arrow, from its tail to its head.
fn route(plan: &Plan, grid: &Grid, x: &List<f64>, number: usize, (leaves, enters): (f64, f64)) -> Route {
    let chain = &grid.chains[number];
    let Some(arrow) = plan.arrows.get(number) else { return Route::default() };
    let end = |number: usize, x: f64| Leg { row: grid.items[number].row, x, label: None };
    let line = |item: &usize| {
        let label = (grid.items[*item].kind == Kind::Label).then(|| grid.items[*item].height / 2.0);
        Leg { row: grid.items[*item].row, x: x[*item], label }
    };
    let mut legs = vec![end(arrow.from, leaves)];
    if chain.back {
        legs.extend(chain.items.iter().rev().map(line));
    } else {
        legs.extend(chain.items.iter().map(line));
    }
    legs.push(end(arrow.to, enters));
    Route { back: chain.back, own: chain.own, legs, label: None }
}

/// Top and bottom of each row. A gap is higher where an arrow swings wide.
fn bands(plan: &Plan, grid: &Grid, routes: &List<Route>) -> List<(f64, f64)> {
    let mut swings: List<f64> = List::of(grid.rows.len(), 0.0);
    for route in routes.iter() {
        for (one, other) in route.legs.iter().zip(route.legs.iter().skip(1)) {
            let swing = &mut swings[one.row.min(other.row)];
            *swing = swing.max((one.x - other.x).abs());
        }
    }
    let heights: List<f64> = grid.rows.iter().map(|row| row.iter().map(|number| grid.items[*number].height).fold(0.0, f64::max)).collect();
    let spacing = &plan.spacing;
    let mut bands: List<(f64, f64)> = List::default();
    let mut y = 0.0;
    for (row, height) in heights.iter().enumerate() {
        bands.push((y, y + height));
        let labels = if row % 2 == 0 { heights[row + 1] } else { *height };
        let gap = if labels > 0.0 { spacing.labels } else { spacing.rows / 2.0 };
        let swing = (swings[row] * spacing.swing).min(spacing.rows * 1.5);
        y += height + gap + if spacing.whole { swing.round() } else { swing };
    }
    bands
}

fn labelled(mut route: Route, bands: &List<(f64, f64)>) -> Route {
    route.label = route.legs.iter().find(|leg| leg.label.is_some()).map(|leg| {
        let (top, bottom) = bands[leg.row];
        (leg.x, (top + bottom) / 2.0)
    });
    route
}
