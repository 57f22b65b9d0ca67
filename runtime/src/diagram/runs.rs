//! From what runs told to what is drawn over their graph.

use std::collections::BTreeMap;

use graphwright_layout::Mark;

use super::{Marks, ToMarks};
use crate::id::QuestionId;
use crate::observe::{Event, EventKind};
use crate::topology::{Origin, Topology};

/// What runs of a graph have told: one of them, or those of all tests, to see where they never came.
///
/// Ways are counted as they are told: those out of `start`, into a branch, and those that an answer takes are not.
///
/// ```
/// # use graphwright::prelude::*;
/// # use graphwright::{Event, Graph, graph};
/// # #[derive(Clone, Debug, Default, Serialize, Deserialize, State)]
/// # struct Count { n: u32 }
/// # #[node]
/// # fn add(count: &Count) -> NodeResult<Count> { Ok(Count::update().n(count.n + 1)) }
/// # #[router]
/// # fn enough(count: &Count) -> bool { count.n >= 3 }
/// # graph! { Counter(Count) { start -> add; add -> end if enough; add -> add; } }
/// # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), RunError> {
/// use std::sync::{Arc, Mutex};
///
/// let told: Arc<Mutex<Vec<Event>>> = Arc::default();
/// let to = Arc::clone(&told);
/// let app = Counter::app((), Memory::new()).observe(move |event: &Event| to.lock().unwrap().push(event.clone()));
/// app.thread("t").run(Count::update()).await?;
///
/// let picture = Counter::TOPOLOGY.diagram().with(&*told.lock().unwrap()).text();
/// assert!(picture.contains("✓ add") && picture.contains("×2"), "{picture}");
/// # Ok(()) }
/// ```
impl ToMarks for [Event] {
    fn to_marks(&self, topology: &Topology) -> Marks {
        let mut marks = Marks::new();
        let mut asked: BTreeMap<QuestionId, (&str, &str)> = BTreeMap::new();
        for event in self {
            let (spot, mark) = match &event.kind {
                EventKind::NodeStarted { place } => (Spot::Place(place), Mark::Active),
                EventKind::NodeEnded { place } => (Spot::Place(place), Mark::Visited),
                EventKind::NodeFailed { place, .. } => (Spot::Place(place), Mark::Failed),
                EventKind::AskUserQuestion { question, place, .. } => {
                    asked.insert(*question, (&event.path, place));
                    (Spot::Place(place), Mark::Paused)
                }
                // Told of the thread, not of the place.
                EventKind::AskUserAnswered { question, .. } | EventKind::AskUserExpired { question } => {
                    let Some((path, place)) = asked.remove(question) else { continue };
                    marks.hear(topology, path, Spot::Place(place), Mark::Visited);
                    continue;
                }
                EventKind::EdgeTaken { way, from, .. } => (Spot::Way(usize::from(*way), from), Mark::Visited),
                _ => continue,
            };
            marks.hear(topology, &event.path, spot, mark);
        }
        marks
    }
}

impl ToMarks for Vec<Event> {
    fn to_marks(&self, topology: &Topology) -> Marks {
        self.as_slice().to_marks(topology)
    }
}

impl Marks {
    fn hear(&mut self, topology: &Topology, path: &str, spot: Spot<'_>, mark: Mark) {
        let around: Vec<&str> = path.rsplit_once('/').map_or_else(Vec::new, |(around, _)| around.split('/').collect());
        let Some(mounts) = mounts(topology, &around, spot) else { return };
        let (mut marks, mut graph) = (self, topology);
        for mount in mounts {
            let mark = marks.places.entry(mount.to_owned()).or_default();
            if *mark == Mark::None {
                *mark = Mark::Active;
            }
            marks = marks.within.entry(mount.to_owned()).or_default();
            graph = graph.place(mount).and_then(|place| place.graph).unwrap_or(graph);
        }
        match spot {
            Spot::Place(place) => {
                marks.places.insert(place.to_owned(), mark);
            }
            Spot::Way(way, from) => {
                let taken = marks.ways.entry(way).or_default();
                *taken = taken.saturating_add(1);
                // Who failed has failed, also where there is a way on.
                if graph.place(from).is_some() && marks.of(from) != Mark::Failed {
                    marks.places.insert(from.to_owned(), mark);
                }
            }
        }
    }
}

/// What an event speaks of.
#[derive(Clone, Copy)]
enum Spot<'a> {
    Place(&'a str),
    /// By its number, and where it comes from.
    Way(usize, &'a str),
}

/// The mounted graphs among what is around a spot. The other parts of a path are branches, and one may be called like a
/// mounted graph with which it begins: so it is looked at where the spot is.
fn mounts<'a>(topology: &Topology, around: &[&'a str], spot: Spot<'_>) -> Option<Vec<&'a str>> {
    let [first, rest @ ..] = around else { return is_in(topology, spot).then(Vec::new) };
    let name = first.split_once(':').map_or(*first, |(_, name)| name);
    let inside = topology.place(name).and_then(|place| mounts(place.graph?, rest, spot));
    let entered = inside.map(|inside| std::iter::once(name).chain(inside).collect());
    entered.or_else(|| mounts(topology, rest, spot))
}

fn is_in(topology: &Topology, spot: Spot<'_>) -> bool {
    match spot {
        Spot::Place(place) => topology.place(place).is_some(),
        Spot::Way(way, from) => topology.ways.get(way).is_some_and(|way| match way.from {
            Origin::Place(place) => topology.places.get(usize::from(place)).is_some_and(|place| place.name == from),
            Origin::Start | Origin::Fork(_) | Origin::Join(_) => topology.place(from).is_none(),
        }),
    }
}
