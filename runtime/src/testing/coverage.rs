//! Which ways did my tests take?

use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::io;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::{Divergence, Recording};
use crate::clock::{IdGen as _, RandomIds};
use crate::engine::{way_from, way_to};
use crate::graph::Graph;
use crate::id::CommitId;
use crate::topology::{Target, Topology, Way, WayKind};

/// What the names of its files end with.
const ENDING: &str = ".ways.json";

/// The ways of a graph, and of those that are mounted in it, and how often each was taken. It prints as a report.
///
/// It is made of threads, and not of what runs tell: so it has the ways out of `start`, into branches and behind answers, too,
/// and may be asked of threads of long ago. A graph that is mounted at several places is counted once.
///
/// ```
/// # use graphwright::prelude::*;
/// # #[derive(Clone, Debug, Default, Serialize, Deserialize, State)] struct Count { n: u32 }
/// # #[node] async fn add(count: &Count) -> NodeResult<Count> { Ok(Count::update().n(count.n + 1)) }
/// # #[router] fn enough(count: &Count) -> bool { count.n >= 3 }
/// # graph! { Counter(Count) { start -> add; add -> end if enough; add -> add; } }
/// use graphwright::testing::TestApp;
///
/// # #[tokio::main(flavor = "current_thread", start_paused = true)] async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let app = TestApp::<Counter>::new(());
/// app.thread("t").run(Count::update().n(2)).await?;
/// let coverage = app.coverage().await?;
/// assert_eq!(coverage.to_string(), "Counter: 2 of 3 ways taken\n  never: add -> add\n");
/// # Ok(()) }
/// ```
#[derive(Clone, Debug)]
pub struct Coverage {
    graphs: Vec<Covered>,
}

#[derive(Clone, Debug)]
struct Covered {
    topology: &'static Topology,
    taken: BTreeMap<u16, u64>,
}

/// A way that was never taken.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Untaken {
    /// The graph that has it.
    pub graph: &'static str,
    /// Its number in the topology.
    pub way: usize,
    /// From this place; `start` at the beginning.
    pub from: String,
    /// To this place, fork or exit.
    pub to: String,
    /// When it would be taken, as in the graph; empty if it is always open.
    pub when: String,
}

/// What stands in a file: ways by their numbers, of the graphs as they were.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Stored {
    graph: String,
    fingerprint: [u8; 32],
    taken: BTreeMap<u16, u64>,
}

impl Coverage {
    /// Of a graph and those that are mounted in it: nothing was taken yet.
    #[must_use]
    pub fn of<G: Graph>() -> Self {
        let mut coverage = Self { graphs: Vec::new() };
        coverage.enter(G::TOPOLOGY);
        coverage
    }

    fn enter(&mut self, topology: &'static Topology) {
        if self.graphs.iter().any(|known| is(known.topology, topology)) {
            return;
        }
        self.graphs.push(Covered { topology, taken: BTreeMap::new() });
        topology.places.iter().filter_map(|place| place.graph).for_each(|mounted| self.enter(mounted));
    }

    /// Adds the ways of a thread, told again with no node called.
    ///
    /// # Errors
    /// The first [`Divergence`]: what came before it is counted.
    pub fn add<G: Graph>(&mut self, recording: &Recording) -> Result<(), Divergence> {
        recording.told::<G>(|way| self.count(way.graph, way.way, 1))
    }

    fn count(&mut self, graph: &Topology, way: u16, times: u64) {
        let known = self.graphs.iter_mut().find(|known| is(known.topology, graph));
        if let Some(known) = known {
            let taken = known.taken.entry(way).or_default();
            *taken = taken.saturating_add(times);
        }
    }

    /// Writes it to a new file in a folder, which is made if it is not there. Any number of processes may do so.
    ///
    /// # Errors
    /// The file system's.
    pub fn save(&self, folder: impl AsRef<Path>) -> io::Result<()> {
        let folder = folder.as_ref();
        let stored = |covered: &Covered| {
            let (graph, fingerprint) = (covered.topology.name.to_owned(), covered.topology.fingerprint());
            Stored { graph, fingerprint, taken: covered.taken.clone() }
        };
        let stored: Vec<Stored> = self.graphs.iter().map(stored).collect();
        let name = CommitId(RandomIds.fresh()).to_string();
        fs::create_dir_all(folder)?;
        // Nobody reads half of a file: it has its name when it is whole.
        let half = folder.join(format!("{name}.part"));
        fs::write(&half, serde_json::to_vec(&stored)?)?;
        fs::rename(half, folder.join(format!("{name}{ENDING}")))
    }

    /// Adds what lies in a folder. Files of graphs that have changed since are left out.
    ///
    /// # Errors
    /// The file system's, or that a file is none of these; that there is none at all is an error, too.
    pub fn read(mut self, folder: impl AsRef<Path>) -> io::Result<Self> {
        let folder = folder.as_ref();
        let mut files = 0;
        for entry in fs::read_dir(folder)? {
            let path = entry?.path();
            if !path.to_string_lossy().ends_with(ENDING) {
                continue;
            }
            files += 1;
            let stored: Vec<Stored> = serde_json::from_slice(&fs::read(&path)?)
                .map_err(|error| io::Error::new(io::ErrorKind::InvalidData, format!("{}: {error}", path.display())))?;
            for Stored { graph, fingerprint, taken } in stored {
                let known =
                    self.graphs.iter_mut().find(|known| known.topology.name == graph && known.topology.fingerprint() == fingerprint);
                let Some(known) = known else { continue };
                for (way, times) in taken {
                    let taken = known.taken.entry(way).or_default();
                    *taken = taken.saturating_add(times);
                }
            }
        }
        if files == 0 {
            return Err(io::Error::new(io::ErrorKind::NotFound, format!("{}: no test has left its ways there", folder.display())));
        }
        Ok(self)
    }

    /// How often a way of the graph itself was taken, by its number.
    #[must_use]
    pub fn taken(&self, way: usize) -> u64 {
        self.graphs.first().map_or(0, |graph| graph.times(way))
    }

    /// The ways that were never taken. Those to `never` are not among them.
    #[must_use]
    pub fn never_taken(&self) -> Vec<Untaken> {
        self.graphs.iter().flat_map(Covered::never_taken).collect()
    }

    #[cfg(feature = "diagrams")]
    fn marks_of(&self, covered: &Covered) -> crate::diagram::Marks {
        use crate::diagram::{Mark, Marks};
        let mut marks = Marks::new();
        let at = |place: u16| covered.topology.places.get(usize::from(place));
        for (way, times) in &covered.taken {
            let Some(told) = covered.topology.ways.get(usize::from(*way)) else { continue };
            let to = match told.to {
                Target::Place(place) => at(place),
                _ => None,
            };
            for place in told.from.place().and_then(at).into_iter().chain(to) {
                marks = marks.place(place.name, Mark::Visited);
            }
            marks = marks.way(usize::from(*way), *times);
        }
        for place in covered.topology.places {
            let mounted = place.graph.and_then(|graph| self.graphs.iter().find(|known| is(known.topology, graph)));
            if let Some(mounted) = mounted {
                marks = marks.within(place.name, self.marks_of(mounted));
            }
        }
        marks
    }
}

/// What was visited, and how often each way was taken.
#[cfg(feature = "diagrams")]
impl crate::diagram::ToMarks for Coverage {
    fn to_marks(&self, topology: &Topology) -> crate::diagram::Marks {
        let known = self.graphs.iter().find(|known| is(known.topology, topology));
        known.map_or_else(crate::diagram::Marks::new, |graph| self.marks_of(graph))
    }
}

impl Covered {
    fn never_taken(&self) -> Vec<Untaken> {
        let topology = self.topology;
        let ways = topology.ways.iter().enumerate().filter(|(number, way)| counts(way) && self.times(*number) == 0);
        let untaken = |(way, told): (usize, &Way)| Untaken {
            graph: topology.name,
            way,
            from: way_from(topology, told.from),
            to: way_to(topology, told.to),
            when: when(told),
        };
        ways.map(untaken).collect()
    }

    fn times(&self, way: usize) -> u64 {
        u16::try_from(way).ok().and_then(|way| self.taken.get(&way)).copied().unwrap_or_default()
    }
}

/// Whether it is the same graph: a constant may have several addresses.
fn is(one: &Topology, other: &Topology) -> bool {
    (one.name, one.file, one.line) == (other.name, other.file, other.line)
}

/// What must never be taken is not missing.
fn counts(way: &Way) -> bool {
    way.to != Target::Never
}

fn when(way: &Way) -> String {
    match way.kind {
        WayKind::Always => String::new(),
        WayKind::If { router, .. } => format!("if {router}"),
        WayKind::Arm { label, .. } | WayKind::Branch { label } => label.to_owned(),
        WayKind::Else { at_most, .. } => format!("else, after {at_most}"),
        WayKind::Error => "on error".to_owned(),
        WayKind::Expiry => "on expiry".to_owned(),
    }
}

/// Graph by graph, how many ways were taken, and which were not.
impl fmt::Display for Coverage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, covered) in self.graphs.iter().enumerate() {
            let name = covered.topology.name;
            let (all, never) = (covered.topology.ways.iter().filter(|way| counts(way)).count(), covered.never_taken());
            let taken = all - never.len();
            let mounted = if index == 0 { "" } else { " (mounted)" };
            writeln!(f, "{name}{mounted}: {taken} of {all} ways taken")?;
            for Untaken { from, to, when, .. } in never {
                let when = if when.is_empty() { String::new() } else { format!(" ({when})") };
                writeln!(f, "  never: {from} -> {to}{when}")?;
            }
        }
        Ok(())
    }
}
