//! Boxes in rows, and each arrow as a chain through all the rows between its two boxes.

use crate::acyclic::arrows_back;
use crate::list::List;
use crate::plan::{Plan, Size};

/// What stands in the rows. The boxes come first and keep their numbers.
#[derive(Clone, Debug, Default)]
pub(crate) struct Grid {
    pub(crate) items: List<Item>,
    /// Boxes stand in the even rows, labels in the odd ones; each from left to right.
    pub(crate) rows: List<Vec<usize>>,
    /// The place of each item in its row, counted from the left.
    pub(crate) places: List<f64>,
    /// One for each arrow.
    pub(crate) chains: List<Chain>,
}

/// A box, or a piece of an arrow.
#[derive(Clone, Debug, Default)]
pub(crate) struct Item {
    pub(crate) row: usize,
    pub(crate) left: f64,
    pub(crate) right: f64,
    pub(crate) height: f64,
    pub(crate) kind: Kind,
    /// A piece of an arrow that leads back.
    pub(crate) back: bool,
    pub(crate) up: Vec<Joint>,
    pub(crate) down: Vec<Joint>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Kind {
    #[default]
    Line,
    Label,
    Box,
}

/// What an item is joined to in the row above or below.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Joint {
    pub(crate) item: usize,
    /// Where the arrow meets that item: left of its middle, or right of it; less than a half.
    pub(crate) side: f64,
    /// The same for the item that is joined to it.
    pub(crate) own: f64,
}

/// An arrow between two rows.
#[derive(Clone, Debug, Default)]
pub(crate) struct Chain {
    pub(crate) back: bool,
    pub(crate) own: bool,
    /// Between its boxes, from above.
    pub(crate) items: Vec<usize>,
    /// The upper box is come to over its top: the chain begins beside it.
    pub(crate) over: bool,
    /// The lower box is left at its bottom: the chain ends beside it.
    pub(crate) under: bool,
}

impl Grid {
    pub(crate) fn of(plan: &Plan) -> Self {
        let back = arrows_back(plan.boxes.len(), &plan.arrows);
        let layers = layers(plan, &back);
        let mut grid = Self::default();
        for (number, size) in plan.boxes.iter().enumerate() {
            grid.add(Item {
                row: 2 * layers[number],
                left: size.left,
                right: size.right,
                height: size.height,
                kind: Kind::Box,
                ..Item::default()
            });
        }
        for (number, arrow) in plan.arrows.iter().enumerate() {
            let own = arrow.from == arrow.to;
            let mut chain = Chain { back: back[number] || own, own, ..Chain::default() };
            if !own {
                chain.over = chain.back && arrow.enters.is_some();
                chain.under = chain.back && arrow.leaves.is_some();
                let (above, below) = if chain.back { (arrow.to, arrow.from) } else { (arrow.from, arrow.to) };
                let (first, last) = (2 * layers[above] + usize::from(!chain.over), 2 * layers[below] + usize::from(chain.under));
                // A label stands where its arrow begins: that is where one reads which way is which.
                let labelled = if chain.back { (2 * layers[below]).saturating_sub(1) } else { 2 * layers[above] + 1 };
                for row in first..last {
                    let item = match arrow.label {
                        Some((width, height)) if row == labelled => {
                            Item { left: width / 2.0, right: width / 2.0, height, kind: Kind::Label, ..Item::default() }
                        }
                        _ => Item::default(),
                    };
                    chain.items.push(grid.add(Item { row, back: chain.back, ..item }));
                }
                let side = |at: Option<f64>, size: Option<&Size>| match (at, size) {
                    (Some(at), Some(size)) if size.left + size.right > 0.0 => 0.8 * at / (size.left + size.right),
                    _ => 0.0,
                };
                let (leaves, enters) = (side(arrow.leaves, plan.boxes.get(arrow.from)), side(arrow.enters, plan.boxes.get(arrow.to)));
                let (side_above, side_below) = if chain.back { (enters, leaves) } else { (leaves, enters) };
                let mut through: Vec<(usize, f64)> = chain.items.iter().map(|item| (*item, 0.0)).collect();
                if !chain.over {
                    through.insert(0, (above, side_above));
                }
                if !chain.under {
                    through.push((below, side_below));
                }
                for (upper, lower) in through.iter().zip(through.iter().skip(1)) {
                    grid.items[upper.0].down.push(Joint { item: lower.0, side: lower.1, own: upper.1 });
                    grid.items[lower.0].up.push(Joint { item: upper.0, side: upper.1, own: lower.1 });
                }
            }
            grid.chains.push(chain);
        }
        grid
    }

    /// Counts a row anew.
    pub(crate) fn count(&mut self, row: usize) {
        for (place, number) in self.rows[row].iter().enumerate() {
            self.places[*number] = place as f64;
        }
    }

    /// Puts all rows into another order.
    pub(crate) fn arrange(&mut self, rows: List<Vec<usize>>) {
        self.rows = rows;
        for row in 0..self.rows.len() {
            self.count(row);
        }
    }

    fn add(&mut self, item: Item) -> usize {
        while self.rows.len() <= item.row {
            self.rows.push(Vec::new());
        }
        let row = item.row;
        let number = self.items.push(item);
        self.rows[row].push(number);
        self.places.push(0.0);
        number
    }
}

/// The layer of each box: one below the lowest from which an arrow leads to it.
fn layers(plan: &Plan, back: &List<bool>) -> List<usize> {
    let boxes = plan.boxes.len();
    let mut below: List<Vec<usize>> = List::of(boxes, Vec::new());
    let mut waits: List<usize> = List::of(boxes, 0);
    for (number, arrow) in plan.arrows.iter().enumerate().filter(|(_, arrow)| arrow.from != arrow.to) {
        let (from, to) = if back[number] { (arrow.to, arrow.from) } else { (arrow.from, arrow.to) };
        below[from].push(to);
        waits[to] += 1;
    }
    let mut layers: List<usize> = List::of(boxes, 0);
    let mut ready: Vec<usize> = (0..boxes).filter(|number| waits[*number] == 0).collect();
    while let Some(number) = ready.pop() {
        for to in &below[number] {
            layers[*to] = layers[*to].max(layers[number] + 1);
            waits[*to] -= 1;
            if waits[*to] == 0 {
                ready.push(*to);
            }
        }
    }
    let is_last = |number: usize| plan.boxes.get(number).is_some_and(|size| size.last);
    let lowest = layers.iter().enumerate().filter(|(number, _)| !is_last(*number)).map(|(_, layer)| layer + 1).max().unwrap_or_default();
    for number in (0..boxes).filter(|number| is_last(*number)) {
        layers[number] = layers[number].max(lowest);
    }
    layers
}
