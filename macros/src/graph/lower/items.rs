//! Where each place stands: outside of every `each`, or in branches of some.
//!
//! A flood over pairs of a point of the graph and the fork in whose branch it is come to. `#[cfg]` is not looked at: what
//! might be there is.

use std::collections::BTreeSet;

use crate::graph::model::{Around, ForkId, ForkKind, Model, Origin, To};

/// A point, and the innermost fork around it.
pub(crate) type Point = (Origin, Option<ForkId>);

pub(super) fn settle(model: &mut Model) {
    let seen = points(model);
    for id in 0..model.places.len() {
        let around: Vec<Option<ForkId>> = around(&seen, Origin::Place(id)).collect();
        let mut items = BTreeSet::new();
        around.iter().for_each(|fork| given(*fork, model, &seen, &mut BTreeSet::new(), &mut items));
        if items.is_empty() {
            items.insert(Around::Nothing);
        }
        if let Some(place) = model.places.get_mut(id) {
            place.in_branch = around.iter().any(Option::is_some);
            place.items = items.into_iter().collect();
        }
    }
}

/// Every point that is come to.
pub(crate) fn points(model: &Model) -> BTreeSet<Point> {
    let mut out = vec![Vec::new(); model.places.len()];
    let mut joins = vec![Vec::new(); model.forks.len()];
    let mut forks = vec![Vec::new(); model.forks.len()];
    let mut start = Vec::new();
    for way in &model.ways {
        let list = match way.from {
            Origin::Start => Some(&mut start),
            Origin::Place(id) => out.get_mut(id),
            Origin::Fork(id) => forks.get_mut(id),
            Origin::Join(id) => joins.get_mut(id),
        };
        list.into_iter().for_each(|list| list.push(way.to));
    }
    let mut seen: BTreeSet<Point> = BTreeSet::new();
    let mut todo: Vec<Point> = vec![(Origin::Start, None)];
    while let Some((origin, around)) = todo.pop() {
        if !seen.insert((origin, around)) {
            continue;
        }
        let (ways, within) = match origin {
            Origin::Start => (Some(&start), around),
            Origin::Place(id) => (out.get(id), around),
            Origin::Fork(id) => {
                todo.push((Origin::Join(id), around));
                (forks.get(id), Some(id))
            }
            Origin::Join(id) => (joins.get(id), around),
        };
        let met = within.and_then(|fork| model.meeting(fork));
        todo.extend(ways.into_iter().flatten().filter_map(|to| match to {
            To::Place(place) if Some(*place) == met => None,
            To::Place(place) => Some((Origin::Place(*place), within)),
            To::Fork(fork) => Some((Origin::Fork(*fork), within)),
            To::Join(_) | To::End(_) | To::Never => None,
        }));
    }
    seen
}

/// Whose items the branches of a fork work on: its own, or those of what is around it.
fn given(fork: Option<ForkId>, model: &Model, seen: &BTreeSet<Point>, asked: &mut BTreeSet<ForkId>, items: &mut BTreeSet<Around>) {
    let Some(fork) = fork else {
        items.insert(Around::Nothing);
        return;
    };
    if model.forks.get(fork).is_some_and(|fork| matches!(fork.kind, ForkKind::Each { .. })) {
        items.insert(Around::Each(fork));
    } else if asked.insert(fork) {
        for around in around(seen, Origin::Fork(fork)) {
            given(around, model, seen, asked, items);
        }
    }
}

/// The forks in whose branches a point is come to.
pub(crate) fn around(seen: &BTreeSet<Point>, origin: Origin) -> impl Iterator<Item = Option<ForkId>> {
    seen.range((origin, None)..=(origin, Some(ForkId::MAX))).map(|(_, fork)| *fork)
}
