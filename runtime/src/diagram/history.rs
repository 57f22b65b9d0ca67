//! From the rows of a thread to what is drawn over its graph.

use std::collections::BTreeMap;

use graphwright_layout::Mark;

use super::{Marks, ToMarks};
use crate::app::History;
use crate::engine::{Trace, follow};
use crate::topology::Topology;

/// Where the thread went by these rows, and where it stands behind the last of them: a page that begins or ends in between
/// tells no more than its rows do.
///
/// So does the history of a thread that was forked: what was open by then, and which way it went, is told by the rows of the
/// thread that it was forked from.
///
/// Rows say where a thread went on to, and not by which way: where two ways lead from one place to another, the first is
/// counted.
///
/// ```
/// # use graphwright::prelude::*;
/// # use graphwright::{Graph, graph};
/// # #[derive(Clone, Debug, Default, Serialize, Deserialize, State)]
/// # struct Count { n: u32 }
/// # #[node]
/// # fn add(count: &Count) -> NodeResult<Count> { Ok(Count::update().n(count.n + 1)) }
/// # #[router]
/// # fn enough(count: &Count) -> bool { count.n >= 3 }
/// # graph! { Counter(Count) { start -> add; add -> end if enough; add -> add; } }
/// # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let thread = Counter::app((), Memory::new()).thread("t");
/// thread.run(Count::update()).await?;
/// let history = thread.history().await?;
/// let picture = Counter::TOPOLOGY.diagram().with(&history).text();
/// assert!(picture.contains("✓ add") && picture.contains("×2"), "{picture}");
/// # Ok(()) }
/// ```
impl ToMarks for History {
    fn to_marks(&self, topology: &Topology) -> Marks {
        let mut level = Level::default();
        follow(topology, &self.rows, |mounts, trace| level.see(mounts, trace));
        level.marks()
    }
}

/// One graph.
#[derive(Default)]
struct Level {
    stays: BTreeMap<String, Stay>,
    ways: BTreeMap<usize, u64>,
    within: BTreeMap<String, Level>,
}

/// At one place, in all branches.
#[derive(Default)]
struct Stay {
    been: bool,
    failed: bool,
    here: u32,
    asks: u32,
}

impl Level {
    fn see(&mut self, mounts: &[&str], trace: Trace<'_>) {
        if let Some((first, rest)) = mounts.split_first() {
            return self.within.entry((*first).to_owned()).or_default().see(rest, trace);
        }
        let mut stay = |place: &str, change: fn(&mut Stay)| change(self.stays.entry(place.to_owned()).or_default());
        match trace {
            Trace::Takes(way) => {
                let taken = self.ways.entry(way).or_default();
                *taken = taken.saturating_add(1);
            }
            Trace::Comes(place) => stay(place, |stay| stay.here += 1),
            Trace::Asks(place) => stay(place, |stay| stay.asks += 1),
            Trace::Fails(place) => stay(place, |stay| stay.failed = true),
            Trace::Leaves(place) => stay(place, |stay| {
                (stay.been, stay.failed) = (true, false);
                stay.here = stay.here.saturating_sub(1);
                stay.asks = stay.asks.saturating_sub(1);
            }),
            Trace::Drops(place, asks) => {
                let stay = self.stays.entry(place.to_owned()).or_default();
                stay.here = stay.here.saturating_sub(1);
                stay.asks = stay.asks.saturating_sub(u32::from(asks));
            }
            Trace::Closes => self.close(),
        }
    }

    fn close(&mut self) {
        for stay in self.stays.values_mut() {
            (stay.here, stay.asks) = (0, 0);
        }
        self.within.values_mut().for_each(Self::close);
    }

    fn marks(self) -> Marks {
        Marks {
            places: self.stays.into_iter().map(|(place, stay)| (place, stay.mark())).collect(),
            ways: self.ways,
            within: self.within.into_iter().map(|(place, level)| (place, level.marks())).collect(),
        }
    }
}

impl Stay {
    /// What somebody who looks at the picture has to know first.
    fn mark(&self) -> Mark {
        match self {
            Self { asks: 1.., .. } => Mark::Paused,
            Self { failed: true, .. } => Mark::Failed,
            Self { here: 1.., .. } => Mark::Active,
            Self { been: true, .. } => Mark::Visited,
            _ => Mark::None,
        }
    }
}
