//! Which places route by the state: only for these the updates of a branch are applied before the branch needs them.

use crate::graph::Graph;
use crate::topology::{Origin, Topology, WayKind};

/// What was found out of the graphs of a run.
#[derive(Debug, Default)]
pub(crate) struct Looks(Vec<Known>);

#[derive(Debug)]
struct Known {
    topology: &'static Topology,
    places: Vec<bool>,
    joins: Vec<bool>,
}

impl Looks {
    /// Whether the way on from there depends on the state: not where the first way is always open.
    pub(crate) fn at<G: Graph>(&mut self, from: Origin) -> bool {
        let topology = G::TOPOLOGY;
        let known = match self.0.iter().position(|known| std::ptr::eq(known.topology, topology)) {
            Some(known) => known,
            None => {
                self.0.push(Known::of(topology));
                self.0.len() - 1
            }
        };
        let Some(known) = self.0.get(known) else { return true };
        match from {
            Origin::Place(place) => known.places.get(usize::from(place)).copied().unwrap_or(true),
            Origin::Join(fork) => known.joins.get(usize::from(fork)).copied().unwrap_or(true),
            Origin::Start | Origin::Fork(_) => true,
        }
    }
}

impl Known {
    fn of(topology: &'static Topology) -> Self {
        let (mut places, mut joins) = (vec![None; topology.places.len()], vec![None; topology.forks.len()]);
        for way in topology.ways {
            let slot = match way.from {
                Origin::Place(place) => places.get_mut(usize::from(place)),
                Origin::Join(fork) => joins.get_mut(usize::from(fork)),
                Origin::Start | Origin::Fork(_) => None,
            };
            let looks = match way.kind {
                WayKind::Error | WayKind::Expiry => continue,
                WayKind::Always => false,
                WayKind::If { .. } | WayKind::Arm { .. } | WayKind::Else { .. } | WayKind::Branch { .. } => true,
            };
            if let Some(first @ None) = slot {
                *first = Some(looks);
            }
        }
        let settled = |found: Vec<Option<bool>>| found.into_iter().map(|looks| looks.unwrap_or(true)).collect();
        Self { topology, places: settled(places), joins: settled(joins) }
    }
}
