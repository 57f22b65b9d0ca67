//! A run, as it is drawn over its graph.

use std::collections::BTreeMap;

use graphwright_layout::Mark;

use crate::topology::Topology;

/// What a run did, or many runs: at which places, and how often by which way.
///
/// Places go by their names and ways by their numbers in the graph; those of a mounted graph stand in marks of its own.
///
/// ```
/// use graphwright::diagram::{Mark, Marks};
///
/// let inner = Marks::new().place("agent", Mark::Active);
/// let marks = Marks::new().place("react", Mark::Visited).place("research", Mark::Active).way(2, 3).within("research", inner);
/// assert_eq!(marks.of("react"), Mark::Visited);
/// assert_eq!(marks.of("elsewhere"), Mark::None);
/// assert_eq!(marks.taken(2), 3);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Marks {
    pub(super) places: BTreeMap<String, Mark>,
    pub(super) ways: BTreeMap<usize, u64>,
    pub(super) within: BTreeMap<String, Marks>,
}

/// What is drawn over a graph: a thread's [`History`](crate::History), what runs told, the coverage of tests, or marks that
/// were put down by hand.
pub trait ToMarks {
    /// The marks, for a picture of this graph.
    fn to_marks(&self, topology: &Topology) -> Marks;
}

impl ToMarks for Marks {
    fn to_marks(&self, _: &Topology) -> Marks {
        self.clone()
    }
}

impl Marks {
    /// A run that has not begun.
    #[must_use]
    pub const fn new() -> Self {
        Self { places: BTreeMap::new(), ways: BTreeMap::new(), within: BTreeMap::new() }
    }

    /// What it did at a place.
    #[must_use]
    pub fn place(mut self, name: impl Into<String>, mark: Mark) -> Self {
        self.places.insert(name.into(), mark);
        self
    }

    /// It took a way, by its number in the graph, so often. Added to what was said before.
    #[must_use]
    pub fn way(mut self, number: usize, times: u64) -> Self {
        let taken = self.ways.entry(number).or_default();
        *taken = taken.saturating_add(times);
        self
    }

    /// What it did in a mounted graph, by the name of its place.
    #[must_use]
    pub fn within(mut self, place: impl Into<String>, marks: Self) -> Self {
        self.within.insert(place.into(), marks);
        self
    }

    /// What it did at a place.
    #[must_use]
    pub fn of(&self, place: &str) -> Mark {
        self.places.get(place).copied().unwrap_or_default()
    }

    /// How often it took a way.
    #[must_use]
    pub fn taken(&self, way: usize) -> u64 {
        self.ways.get(&way).copied().unwrap_or_default()
    }

    /// What it did in a mounted graph.
    #[must_use]
    pub fn inside(&self, place: &str) -> Option<&Self> {
        self.within.get(place)
    }
}
