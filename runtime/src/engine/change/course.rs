//! One change of a thread: what is decided while frames move on, by routers or as a row tells it. Both take the same steps,
//! so what is read is what was.

use std::any::Any;
use std::slice;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;

use crate::clock::{IdGen, Timestamp};
use crate::engine::log::row::{self, CodecError, Move, StoredQuestion};
use crate::engine::thread::address::Address;
use crate::engine::thread::frame::Trouble;
use crate::engine::thread::looks::Looks;
use crate::error::FailedPlace;
use crate::id::QuestionId;
use crate::path::Path;
use crate::state::Ingest;
use crate::turn::Turn;

/// What happens to a frame.
pub(crate) enum Change<'a> {
    /// Its place is done.
    Step { update: Update<'a>, arm: u16 },
    /// Its place asks.
    Park { question: StoredQuestion, at: Timestamp },
    /// Its question was answered.
    Answer { update: &'a RawValue, arm: u16 },
    /// Its question ran out of time.
    Expire,
    /// An attempt of its place failed.
    Attempt(Trouble),
    /// Its place failed, and somebody takes that over.
    Fail(FailedPlace),
    /// Its way is looked for again.
    Reroute,
}

/// An update on its way into a frame.
pub(crate) enum Update<'a> {
    /// As the place gave it.
    Fresh(Box<dyn Any + Send>),
    /// As it is stored; nothing if a row has none.
    Stored(Option<&'a RawValue>),
}

/// What a frame came to, for the one around it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rest {
    Going,
    Arrived,
    Ended(u16),
    /// It failed, and it has no way for that.
    Failing,
}

/// Why a change cannot be made. What was changed until then is to be thrown away.
#[derive(Debug)]
pub(crate) enum Fault {
    /// There is no such frame, or it does not stand where it should.
    Moved,
    /// Something cannot be stored, or not be read.
    Codec(CodecError),
    /// A row does not tell what it should.
    Damaged(&'static str),
}

/// A way that was taken, for whoever listens.
#[derive(Debug)]
pub(crate) struct WayTaken {
    /// The graph that has it.
    #[cfg(feature = "testing")]
    pub(crate) graph: &'static crate::topology::Topology,
    pub(crate) path: Path,
    pub(crate) way: u16,
    pub(crate) from: String,
    pub(crate) to: String,
}

/// A change while it is made.
pub(crate) struct Course<'a> {
    pub(crate) turn: &'a mut Turn,
    pub(crate) by: By<'a>,
    /// Where the frame is that moves now.
    pub(crate) here: Address,
    /// Frames that can run since.
    pub(crate) opened: Vec<Address>,
    /// Frames in which everything that was open was given up.
    pub(crate) closed: Vec<Address>,
    /// The questions that were open there.
    pub(crate) shut: Vec<(QuestionId, u32)>,
    /// None if nobody listens.
    pub(crate) ways: Option<Vec<WayTaken>>,
    /// Why no way was found, if none was.
    pub(crate) unrouted: Option<FailedPlace>,
    /// Whether that was a panic.
    pub(crate) panicked: bool,
    /// A cut ended the turn.
    pub(crate) repeating: bool,
    /// What is looking for somebody to take it over.
    pub(crate) failing: Option<FailedPlace>,
}

/// Who decides.
pub(crate) enum By<'a> {
    /// Routers; what they decide is kept if there is a row for it.
    Routers { ids: &'a dyn IdGen, looks: &'a mut Looks, record: Option<Vec<Move>> },
    /// A row.
    Row(slice::Iter<'a, Move>),
}

impl<'a> Course<'a> {
    pub(crate) fn new(turn: &'a mut Turn, by: By<'a>) -> Self {
        Self {
            turn,
            by,
            here: Address::ROOT,
            opened: Vec::new(),
            closed: Vec::new(),
            shut: Vec::new(),
            ways: None,
            unrouted: None,
            panicked: false,
            repeating: false,
            failing: None,
        }
    }

    /// Tells the ways that are taken, if somebody listens.
    pub(crate) fn tell(&mut self, listened: bool) {
        self.ways = listened.then(Vec::new);
    }

    pub(crate) fn is_told(&self) -> bool {
        matches!(self.by, By::Row(_))
    }

    pub(crate) fn is_kept(&self) -> bool {
        matches!(self.by, By::Routers { record: Some(_), .. })
    }

    /// What was decided, for the row.
    pub(crate) fn moves(&mut self) -> Vec<Move> {
        match &mut self.by {
            By::Routers { record, .. } => record.take().unwrap_or_default(),
            By::Row(_) => Vec::new(),
        }
    }

    pub(crate) fn record(&mut self, decided: impl FnOnce() -> Move) {
        if let By::Routers { record: Some(record), .. } = &mut self.by {
            record.push(decided());
        }
    }

    /// The next decision of the row.
    pub(crate) fn told(&mut self) -> Result<&'a Move, Fault> {
        match &mut self.by {
            By::Row(moves) => moves.next().ok_or(Fault::Damaged("it does not tell where the thread goes on")),
            By::Routers { .. } => Err(Fault::Damaged("a router is asked for what a row tells")),
        }
    }

    /// Whether the next decision of the row is this.
    pub(crate) fn is_next(&self, is: impl FnOnce(&Move) -> bool) -> bool {
        match &self.by {
            By::Row(moves) => moves.as_slice().first().is_some_and(is),
            By::Routers { .. } => false,
        }
    }

    /// The frame that moves can run.
    pub(crate) fn open(&mut self) {
        self.opened.push(self.here.clone());
    }

    /// Code of the user panicked.
    pub(crate) fn panicked(&mut self, what: &str, panic: &str) -> String {
        self.panicked = true;
        format!("{what} panicked: {panic}")
    }

    /// Ids and time for updates.
    pub(crate) fn with_ingest<T>(&mut self, take_in: impl FnOnce(&mut Ingest<'_>) -> T) -> Option<T> {
        let (at, turn) = (self.turn.now(), self.turn.id);
        match &self.by {
            By::Routers { ids, .. } => Some(take_in(&mut Ingest::new(*ids, at, turn))),
            By::Row(_) => None,
        }
    }

    /// What is applied is what will be read, where it will be read.
    pub(crate) fn settle<T: Serialize + DeserializeOwned>(&self, value: T) -> Result<(Option<Box<RawValue>>, T), CodecError> {
        if !self.is_kept() {
            return Ok((None, value));
        }
        row::settle(&value).map(|(raw, back)| (Some(raw), back))
    }
}
