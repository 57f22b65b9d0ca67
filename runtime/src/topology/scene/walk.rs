//! Which way arrives at a join, and what runs once for each item: it depends on the fork that a place is in.

use std::collections::BTreeSet;

use crate::topology::{ForkKind, Origin, Target, Topology};

/// What a walk from the start has seen.
#[derive(Debug)]
pub(super) struct Walk {
    /// For each way where its arrow ends; in two places if the place stands in a branch and outside too.
    drawn: Vec<Vec<Target>>,
    /// For each place whether it was met in a branch of an `each`, and whether it was met elsewhere.
    met: Vec<(bool, bool)>,
}

/// Where a walk is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct At {
    /// The fork whose branch it is in.
    fork: Option<u16>,
    mapped: bool,
    /// The kind of origin, and its number.
    origin: (u8, u16),
}

const fn code(origin: Origin) -> (u8, u16) {
    match origin {
        Origin::Start => (0, 0),
        Origin::Place(place) => (1, place),
        Origin::Fork(fork) => (2, fork),
        Origin::Join(fork) => (3, fork),
    }
}

impl Walk {
    pub(super) fn over(topology: &Topology) -> Self {
        let mut walk = Self { drawn: vec![Vec::new(); topology.ways.len()], met: vec![(false, false); topology.places.len()] };
        let first = At { fork: None, mapped: false, origin: code(Origin::Start) };
        let mut seen = BTreeSet::from([first]);
        let mut open = vec![first];
        while let Some(at) = open.pop() {
            for (number, way) in topology.ways.iter().enumerate().filter(|(_, way)| code(way.from) == at.origin) {
                let join = at.fork.and_then(|fork| topology.forks.get(usize::from(fork))).and_then(|fork| fork.join);
                let (drawn, next) = match (way.to, at.fork) {
                    (Target::Place(place), Some(fork)) if join == Some(place) => (Target::Join(fork), None),
                    // It arrives at the join of another fork, when the place runs in a branch of that one.
                    (Target::Join(fork), Some(inside)) if fork != inside => continue,
                    (Target::Join(_), None) => continue,
                    (Target::Place(place), _) => (way.to, Some(At { origin: code(Origin::Place(place)), ..at })),
                    (Target::Fork(fork), _) => {
                        let each = topology.forks.get(usize::from(fork)).is_some_and(|fork| fork.kind == ForkKind::Each);
                        let behind = At { origin: code(Origin::Join(fork)), ..at };
                        if seen.insert(behind) {
                            open.push(behind);
                        }
                        (way.to, Some(At { fork: Some(fork), mapped: at.mapped || each, origin: code(Origin::Fork(fork)) }))
                    }
                    (to, _) => (to, None),
                };
                if let Some(targets) = walk.drawn.get_mut(number)
                    && !targets.contains(&drawn)
                {
                    targets.push(drawn);
                }
                if let (Target::Place(place), Some(_)) = (drawn, next)
                    && let Some(met) = walk.met.get_mut(usize::from(place))
                {
                    *if at.mapped { &mut met.0 } else { &mut met.1 } = true;
                }
                if let Some(next) = next.filter(|next| seen.insert(*next)) {
                    open.push(next);
                }
            }
        }
        // What nothing leads to is drawn as it is written.
        let from_nowhere = |from: Origin| !seen.iter().any(|at| at.origin == code(from));
        for (targets, way) in walk.drawn.iter_mut().zip(topology.ways) {
            if targets.is_empty() && from_nowhere(way.from) {
                targets.push(way.to);
            }
        }
        walk
    }

    pub(super) fn drawn(&self, way: usize) -> Vec<Target> {
        self.drawn.get(way).cloned().unwrap_or_default()
    }

    /// Whether there is one of this place for each item, and no other.
    pub(super) fn is_mapped(&self, place: u16) -> bool {
        self.met.get(usize::from(place)) == Some(&(true, false))
    }
}
