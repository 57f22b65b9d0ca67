//! A thread in memory.

use crate::app::RunError;
use crate::clock::Timestamp;
use crate::engine::row::{self, CodecError, StopWhy, StoredCursor, StoredImage, StoredQuestion};
use crate::graph::{Graph, Next, To};
use crate::id::{QuestionId, RunId, TurnId};
use crate::state::State;
use crate::store::Status;
use crate::topology::{Role, Target};
use crate::turn::{Budgets, Now, Turn};

/// Where the thread stands, its state, and what counts.
#[derive(Debug)]
pub(crate) struct Image<G: Graph> {
    pub(crate) state: G::State,
    pub(crate) cursor: Cursor<G>,
    pub(crate) turn: Turn,
    /// Steps committed before the limit began to count: it counts anew when somebody lets a stopped thread go on.
    pub(crate) counted_from: u64,
    /// Claims since the last progress: a node that kills its process is not run for ever.
    pub(crate) claims: u32,
    pub(crate) at: Timestamp,
    pub(crate) stopped: Option<StopWhy>,
}

/// Where the one frame of a graph without forks stands.
#[derive(Debug)]
pub(crate) enum Cursor<G: Graph> {
    At(G::At),
    Parked(Box<Parked<G>>),
    Unrouted { at: G::At, arm: u16 },
    Ended(u16),
    Closed,
}

/// A place that asked, and its question.
#[derive(Debug)]
pub(crate) struct Parked<G: Graph> {
    pub(crate) at: G::At,
    pub(crate) question: StoredQuestion,
    pub(crate) opened_at: Timestamp,
}

// By hand: a derive would ask it of the graph.
impl<G: Graph> Clone for Image<G> {
    fn clone(&self) -> Self {
        Self {
            state: self.state.clone(),
            cursor: self.cursor.clone(),
            turn: self.turn.clone(),
            counted_from: self.counted_from,
            claims: self.claims,
            at: self.at,
            stopped: self.stopped.clone(),
        }
    }
}

impl<G: Graph> Clone for Cursor<G> {
    fn clone(&self) -> Self {
        match self {
            Self::At(at) => Self::At(*at),
            Self::Parked(parked) => {
                let Parked { at, question, opened_at } = &**parked;
                Self::Parked(Box::new(Parked { at: *at, question: question.clone(), opened_at: *opened_at }))
            }
            Self::Unrouted { at, arm } => Self::Unrouted { at: *at, arm: *arm },
            Self::Ended(exit) => Self::Ended(*exit),
            Self::Closed => Self::Closed,
        }
    }
}

impl<G: Graph> Image<G> {
    /// A thread before its first turn.
    pub(crate) fn new(turn: TurnId, run: RunId, now: Now) -> Self {
        Self {
            state: G::State::default(),
            cursor: Cursor::Closed,
            turn: Turn { id: turn, run, now, steps: 0, taken: Budgets::default() },
            counted_from: 0,
            claims: 0,
            at: Timestamp::default(),
            stopped: None,
        }
    }

    /// What a new turn sets back.
    pub(crate) fn begin_turn(&mut self, turn: TurnId) {
        self.state.begin_turn();
        self.stopped = None;
        self.turn.id = turn;
        self.turn.steps = 0;
        self.turn.taken = Budgets::default();
        self.counted_from = 0;
    }

    pub(crate) fn stored_cursor(&self) -> StoredCursor {
        match &self.cursor {
            Cursor::At(at) => StoredCursor::At(name::<G>(*at).to_owned()),
            Cursor::Parked(parked) => StoredCursor::Parked(name::<G>(parked.at).to_owned()),
            Cursor::Unrouted { at, arm } => StoredCursor::Unrouted { place: name::<G>(*at).to_owned(), arm: *arm },
            Cursor::Ended(exit) => StoredCursor::Ended(exit_name::<G>(*exit).to_owned()),
            Cursor::Closed => StoredCursor::Closed,
        }
    }

    /// The whole image, to be stored.
    pub(crate) fn snapshot(&self) -> Result<Vec<u8>, CodecError> {
        // Made of updates that were read back each, so this one need not be.
        let state = row::raw(&self.state)?;
        let questions = match &self.cursor {
            Cursor::Parked(parked) => vec![parked.question.clone()],
            _ => Vec::new(),
        };
        row::encode(&StoredImage {
            state,
            next: self.stored_cursor(),
            ord: self.turn.steps,
            counted_from: self.counted_from,
            taken: self.stored_budgets(),
            questions,
            claims: self.claims,
            why: self.stopped.clone(),
        })
    }

    /// Takes the first way of a turn.
    pub(crate) fn begin(&mut self, next: Next<G::At>) -> Result<(), RunError> {
        if let Some(budget) = next.budget {
            self.turn.taken.count(usize::from(budget));
        }
        self.cursor = match next.to {
            To::Place(to) => Cursor::At(to),
            To::End(exit) => Cursor::Ended(exit),
            To::Never | To::Fork(_) | To::Join => {
                return Err(RunError::NoWay { what: "the start of the graph leads to `never` for this input".to_owned() });
            }
        };
        Ok(())
    }

    /// Moves on by a way.
    pub(crate) fn go(&mut self, at: G::At, arm: u16, next: Next<G::At>) {
        if let Some(budget) = next.budget {
            self.turn.taken.count(usize::from(budget));
        }
        self.cursor = match next.to {
            To::Place(to) => Cursor::At(to),
            To::End(exit) => {
                if role::<G>(at) == Role::Cut {
                    self.stopped = Some(StopWhy::Repeating);
                }
                Cursor::Ended(exit)
            }
            To::Never | To::Fork(_) | To::Join => Cursor::Unrouted { at, arm },
        };
    }

    /// Whether something can run: then the thread keeps its run, else it lets go.
    pub(crate) fn is_runnable(&self) -> bool {
        matches!(self.cursor, Cursor::At(_) | Cursor::Unrouted { .. })
    }

    /// The status of a thread with this image that no run holds.
    pub(crate) fn resting(&self) -> Status {
        match self.cursor {
            Cursor::At(_) | Cursor::Unrouted { .. } => Status::Stopped,
            Cursor::Parked(_) => Status::Paused,
            Cursor::Ended(_) | Cursor::Closed => Status::Idle,
        }
    }

    pub(crate) fn parked(&self) -> Option<&Parked<G>> {
        match &self.cursor {
            Cursor::Parked(parked) => Some(parked),
            _ => None,
        }
    }

    pub(crate) fn restore_budget(&mut self, key: &str, count: u32) {
        let found = (0..G::TOPOLOGY.ways.len()).find(|way| key == budget_key::<G>(*way));
        if let Some(way) = found {
            self.turn.taken.set(way, count);
        }
    }

    fn stored_budgets(&self) -> Vec<(String, u32)> {
        let used = (0..G::TOPOLOGY.ways.len()).filter(|way| self.turn.taken.get(*way) > 0);
        used.map(|way| (budget_key::<G>(way), self.turn.taken.get(way))).collect()
    }
}

/// Budgets are stored by the names that an arrow connects, so that a deploy that reorders the source keeps them.
fn budget_key<G: Graph>(way: usize) -> String {
    let ends = |way: &crate::topology::Way| (way.from, way.to);
    let Some(this) = G::TOPOLOGY.ways.get(way) else { return String::new() };
    let from = this.from.place().and_then(|from| G::TOPOLOGY.places.get(usize::from(from))).map_or("start", |place| place.name);
    let to = match this.to {
        Target::Place(to) => G::TOPOLOGY.places.get(usize::from(to)).map_or("", |place| place.name),
        Target::End(exit) => exit_name::<G>(exit),
        Target::Never | Target::Fork(_) | Target::Join(_) => "never",
    };
    match G::TOPOLOGY.ways.iter().take(way).filter(|other| ends(other) == ends(this)).count() {
        0 => format!("{from}->{to}"),
        twin => format!("{from}->{to}#{twin}"),
    }
}

/// The budget behind a way, by name and count.
pub(crate) fn budget_taken<G: Graph>(turn: &Turn, budget: u16) -> (String, u32) {
    (budget_key::<G>(usize::from(budget)), turn.taken.get(usize::from(budget)))
}

/// The place's name in the graph.
pub(crate) fn name<G: Graph>(at: G::At) -> &'static str {
    G::TOPOLOGY.places.get(G::index(at)).map_or("", |place| place.name)
}

/// The name of the node that stands at a place.
pub(crate) fn node_name<G: Graph>(at: G::At) -> &'static str {
    G::TOPOLOGY.places.get(G::index(at)).map_or("", |place| place.node)
}

fn role<G: Graph>(at: G::At) -> Role {
    G::TOPOLOGY.places.get(G::index(at)).map_or(Role::Plain, |place| place.role)
}

/// The exit's name in the graph.
pub(crate) fn exit_name<G: Graph>(exit: u16) -> &'static str {
    G::TOPOLOGY.exits.get(usize::from(exit)).copied().unwrap_or("end")
}

/// The id of a question: the same when it is asked again after a crash.
pub(crate) fn question_id(uid: u64, turn: TurnId, ord: u64) -> QuestionId {
    let mut hasher = crate::digest::Hasher::new(b"graphwright question v1");
    hasher.number(uid).field(&turn.0).field(b"").number(ord);
    QuestionId(hasher.finish_id())
}
