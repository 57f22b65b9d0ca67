//! Threads: how one is named, what its head says, what a load gives.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::hidden::Hidden;
use super::{Appended, QuestionRow, Row};
use crate::clock::Timestamp;
use crate::id::{RunId, ScopeHash, ThreadId, TurnId, WorkerId};

/// Identity of one life of a thread; given by the store, never used again.
pub type Uid = u64;
/// The version of a thread: the number of its last row, from one.
pub type Seq = u64;

/// Which thread, and who asks for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ThreadKey {
    /// Whose it is.
    pub scope: ScopeHash,
    /// Which one.
    pub by: By,
}

/// How a thread is named.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum By {
    /// By its name: the life that it has now.
    Name(ThreadId),
    /// One life of it.
    Uid(Uid),
    /// One life of it, as long as it stands at this version: once there is another row, there is no such thread. It is how
    /// something is deleted that nobody may have gone on with meanwhile.
    At(Uid, Seq),
}

/// Up to where to read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Point {
    /// The newest row.
    Head,
    /// The newest row, for who knows the thread up to this one: no snapshot, no open questions, and only the rows behind it
    /// that are kept.
    After(Seq),
    /// This row.
    Seq(Seq),
}

/// What a thread does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// Nothing to do.
    Idle,
    /// A run has it.
    Running,
    /// It waits for answers.
    Paused,
    /// It could go on, and nobody drives it: see the last `stop` row.
    Stopped,
}

/// The head of a thread: constant size, the only thing that is ever compared and swapped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Head {
    /// What it does.
    pub status: Status,
    /// The run that has it, exactly while it is running.
    pub run: Option<RunId>,
    /// The process of that run; none while a thread could go on and nobody drives it yet.
    pub worker: Option<WorkerId>,
    /// The turn.
    pub turn: TurnId,
    /// The graph that wrote the last row.
    pub graph: GraphRef,
    /// When, never falling: a store keeps the larger of what it had and what it is given.
    pub at: Timestamp,
}

/// Which graph wrote a row.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct GraphRef {
    /// Its name.
    pub name: String,
    /// `#[graph(version = ..)]`.
    pub version: u32,
    /// Hash of its topology and of its state's fields.
    pub fingerprint: [u8; 32],
}

/// A whole image of a thread, self-contained.
#[derive(Clone, PartialEq, Eq)]
pub struct Snapshot {
    /// After this row.
    pub seq: Seq,
    /// A format byte, then the image.
    pub body: Vec<u8>,
}

impl fmt::Debug for Snapshot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Snapshot").field("seq", &self.seq).field("body", &Hidden(self.body.len())).finish()
    }
}

/// What [`Checkpointer::load`](super::Checkpointer::load) gives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loaded {
    /// This life.
    pub uid: Uid,
    /// Its name.
    pub name: ThreadId,
    /// The version now, whatever was asked for.
    pub seq: Seq,
    /// The head now.
    pub head: Head,
    /// The oldest row kept.
    pub first_seq: Seq,
    /// The newest snapshot at or below the point.
    pub snapshot: Option<Snapshot>,
    /// The rows after it, up to the point, without gaps.
    pub rows: Vec<Row>,
    /// Questions that are open now, by the row that opened them, then by id; none for who knows the thread.
    pub open: Vec<QuestionRow>,
    /// Bytes of rows since the newest snapshot of the thread.
    pub debt: u64,
    /// Size of the newest snapshot of the thread, in bytes.
    pub snapshot_bytes: u64,
}

impl Loaded {
    /// Of a thread that was just written: nothing was read of it, and what lies far back is not known.
    pub(crate) fn known(written: Appended, name: ThreadId, head: Head, debt: u64, snapshot_bytes: u64) -> Self {
        let Appended { uid, seq } = written;
        Self { uid, name, seq, head, first_seq: 1, snapshot: None, rows: Vec::new(), open: Vec::new(), debt, snapshot_bytes }
    }
}
