//! The store contract: how a thread is kept, compared and swapped.
//!
//! A thread is a log of rows with a head. Every change appends at least one row by one compare-and-swap on
//! `(uid, seq)`; stores know nothing of graphs. What a store must promise is written at [`Checkpointer`].

mod erased;
mod memory;
#[cfg(feature = "sqlite")]
mod sqlite;

use std::fmt;
use std::future::Future;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::clock::Timestamp;
use crate::id::{CommitId, QuestionId, RunId, Scope, ScopeHash, ThreadId, TurnId, WorkerId};

pub(crate) use erased::ErasedStore;
pub use memory::Memory;
#[cfg(feature = "sqlite")]
pub use sqlite::Sqlite;

/// Identity of one life of a thread; given by the store, never used again.
pub type Uid = u64;
/// The version of a thread: the number of its last row, from one.
pub type Seq = u64;

/// The most rows of one append.
pub const MAX_ROWS: usize = 512;
/// The largest state or row that is stored, in bytes, unless a store is told otherwise.
pub const MAX_BYTES: usize = 16 << 20;
/// The deepest JSON that is stored.
pub const MAX_DEPTH: usize = 100;

/// Keeps threads.
///
/// * `append` is the only way to change a thread: all of it or nothing, compared with `(uid, seq)`, and idempotent: the
///   same commit id again gives the same answer, also when the first try was executed after its connection died.
/// * `load` is one consistent read: the head belongs to the rows.
/// * A scope that does not own a thread is told what it is told of a thread that does not exist.
/// * A `uid` never comes back; a deleted thread leaves a tombstone, so a late writer finds nothing.
/// * A dropped future cuts nothing: an append that was begun is finished or rolled back by its owner.
pub trait Checkpointer: Send + Sync + fmt::Debug + 'static {
    /// Head, newest snapshot at or below `at`, the rows after it up to `at`, open questions: one consistent read.
    fn load(&self, thread: &ThreadKey, at: Point) -> impl Future<Output = Result<Option<Loaded>, StoreError>> + Send;

    /// Appends rows and moves the head, or does nothing.
    fn append(&self, append: Append) -> impl Future<Output = Result<Appended, AppendError>> + Send;

    /// The record of one question, open or not.
    fn question(&self, scope: ScopeHash, uid: Uid, id: QuestionId) -> impl Future<Output = Result<Option<QuestionRow>, StoreError>> + Send;

    /// Heads, questions and messages to deliver, in pages.
    fn list(&self, query: &Query, page: Page) -> impl Future<Output = Result<Listing, StoreError>> + Send;

    /// Marks a message of the outbox as delivered. Twice is as good as once.
    fn delivered(&self, uid: Uid, question: QuestionId, generation: u32) -> impl Future<Output = Result<(), StoreError>> + Send;

    /// Deletes a thread and leaves a tombstone; false if there was none.
    fn delete(&self, thread: &ThreadKey) -> impl Future<Output = Result<bool, StoreError>> + Send;

    /// Drops the rows and snapshots below the newest snapshot at or below `below`, and closed questions past their
    /// time. Rows younger than a minute stay: they answer for a lost reply. Gives the number of rows dropped.
    fn prune(&self, thread: &ThreadKey, below: Seq) -> impl Future<Output = Result<u64, StoreError>> + Send;

    /// This process, as the store knows it.
    fn worker(&self) -> WorkerId;

    /// Whether a process is alive. A hint: safety never depends on it.
    fn alive(&self, worker: WorkerId) -> impl Future<Output = Result<Liveness, StoreError>> + Send;

    /// The time where the store is, for sweeps. `None` if it is the same machine.
    fn now(&self) -> impl Future<Output = Result<Option<Timestamp>, StoreError>> + Send;
}

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
}

/// Up to where to read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Point {
    /// The newest row.
    Head,
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
    /// The process of that run.
    pub worker: Option<WorkerId>,
    /// The turn.
    pub turn: TurnId,
    /// The graph that wrote the last row.
    pub graph: GraphRef,
    /// When, never falling.
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

/// What a row tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[repr(u8)]
pub enum RowKind {
    /// A turn begins: closes what is open, applies the input, claims.
    Input = 1,
    /// A place is done.
    Step = 2,
    /// A place asks and waits.
    Park = 3,
    /// An answer was taken.
    Answer = 4,
    /// A question ran out of time and takes its way.
    Expire = 5,
    /// An attempt failed and another will follow.
    Attempt = 6,
    /// A place failed and takes its way `on error`.
    Failed = 7,
    /// A run takes the thread: after a crash, or after a stop.
    Claim = 8,
    /// A question gets another token.
    Reissue = 9,
    /// A run ends, the turn does not.
    Stop = 10,
    /// A turn ends before its time.
    Close = 11,
    /// Somebody edited the state.
    Edit = 12,
    /// The first row of a thread forked from another.
    Origin = 13,
}

impl RowKind {
    /// By its number.
    #[must_use]
    pub const fn from_number(number: u8) -> Option<Self> {
        Some(match number {
            1 => Self::Input,
            2 => Self::Step,
            3 => Self::Park,
            4 => Self::Answer,
            5 => Self::Expire,
            6 => Self::Attempt,
            7 => Self::Failed,
            8 => Self::Claim,
            9 => Self::Reissue,
            10 => Self::Stop,
            11 => Self::Close,
            12 => Self::Edit,
            13 => Self::Origin,
            _ => return None,
        })
    }
}

/// One row to append. Its number, commit id and graph come from the append.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewRow {
    /// What it tells.
    pub kind: RowKind,
    /// The turn.
    pub turn: TurnId,
    /// The run that wrote it, if one did.
    pub run: Option<RunId>,
    /// The frame: empty for the root.
    pub path: String,
    /// The step's number in its frame.
    pub ord: u64,
    /// The place.
    pub place: String,
    /// When.
    pub at: Timestamp,
    /// A format byte, then what it says.
    pub body: Vec<u8>,
}

/// One row as it was stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// Its number.
    pub seq: Seq,
    /// The intention that wrote it.
    pub commit: CommitId,
    /// The graph that wrote it.
    pub graph: GraphRef,
    /// What it says.
    pub row: NewRow,
}

/// A whole image of a thread, self-contained.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Snapshot {
    /// After this row.
    pub seq: Seq,
    /// A format byte, then the image.
    pub body: Vec<u8>,
}

/// What [`Checkpointer::load`] gives.
#[derive(Clone, Debug)]
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
    /// Questions that are open now.
    pub open: Vec<QuestionRow>,
    /// Bytes of rows since the newest snapshot of the thread.
    pub debt: u64,
    /// Size of the newest snapshot of the thread, in bytes.
    pub snapshot_bytes: u64,
}

/// Everything that one commit changes.
#[derive(Clone, Debug)]
pub struct Append {
    /// What it is compared with.
    pub target: AppendTarget,
    /// The intention: the same on every retry.
    pub commit: CommitId,
    /// At least one, at most [`MAX_ROWS`].
    pub rows: Vec<NewRow>,
    /// The head after it.
    pub head: Head,
    /// Questions that open.
    pub opens: Vec<NewQuestion>,
    /// Questions that change their state; each must be open at that generation.
    pub shuts: Vec<Shut>,
    /// An image after the last row, if it is time for one.
    pub snapshot: Option<Vec<u8>>,
    /// The caller's key for a turn, unique per thread; written with the last row's number.
    pub request: Option<String>,
}

/// What an append is compared with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AppendTarget {
    /// Nothing of that name: create it. `over` is the tombstone that was read, if one was.
    New {
        /// Whose.
        scope: Scope,
        /// Its name.
        name: ThreadId,
        /// The uid of the tombstone over which it is created.
        over: Option<Uid>,
    },
    /// That life at that version.
    At {
        /// Whose.
        scope: ScopeHash,
        /// The life.
        uid: Uid,
        /// The version.
        seq: Seq,
    },
}

/// What an append came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Appended {
    /// The life.
    pub uid: Uid,
    /// The version after the last row.
    pub seq: Seq,
}

/// A question that opens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewQuestion {
    /// Its id.
    pub id: QuestionId,
    /// How often it was issued anew: zero at first.
    pub generation: u32,
    /// The frame.
    pub path: String,
    /// The place.
    pub place: String,
    /// Hash of what is asked.
    pub digest: [u8; 32],
    /// Until when it can be answered, if not for ever.
    pub expires: Option<Timestamp>,
    /// Whether its place has a way `on expiry`.
    pub expiry_way: bool,
    /// Who should answer.
    pub labels: Vec<String>,
    /// A format byte, then what is asked.
    pub body: Vec<u8>,
    /// Whether somebody outside is to be told: a message in the outbox.
    pub notify: bool,
}

/// A question that changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shut {
    /// Which.
    pub id: QuestionId,
    /// At which generation it must be open.
    pub generation: u32,
    /// To what.
    pub to: Fate,
}

/// What became of a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It was answered; the digest tells a repeated answer from another one.
    Answered {
        /// Hash of the answer.
        digest: [u8; 32],
    },
    /// A new turn or a close gave it up.
    Abandoned,
    /// Its time ran out.
    Expired,
    /// An edit made it moot.
    Superseded,
    /// It is open at the next generation, until then.
    Reissued {
        /// The new deadline.
        expires: Option<Timestamp>,
    },
}

/// The state of a stored question.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[repr(u8)]
pub enum QuestionState {
    /// It waits.
    Open = 0,
    /// It was answered.
    Answered = 1,
    /// It was given up.
    Abandoned = 2,
    /// Its time ran out.
    Expired = 3,
    /// It became moot.
    Superseded = 4,
}

/// A question as it is stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QuestionRow {
    /// The life of the thread.
    pub uid: Uid,
    /// The thread's name.
    pub thread: ThreadId,
    /// What was opened.
    pub question: NewQuestion,
    /// What became of it.
    pub state: QuestionState,
    /// The row that opened it.
    pub opened: Seq,
    /// When that was.
    pub opened_at: Timestamp,
    /// The row that closed it.
    pub closed: Option<Seq>,
    /// Hash of the answer taken.
    pub answer: Option<[u8; 32]>,
    /// The graph of the row that opened it.
    pub graph: GraphRef,
}

/// Whether a process is alive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Liveness {
    /// It holds its lock, or beats.
    Alive,
    /// It is gone.
    Dead,
    /// Cannot be told.
    Unknown,
}

/// What to list. A closed set over declared columns: nothing a caller says becomes SQL.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Query {
    /// Threads of a scope, by status.
    Threads {
        /// Whose.
        scope: ScopeHash,
        /// Only these; all if empty.
        status: Vec<Status>,
    },
    /// Running threads of all scopes, with their workers: the sweep looks whose process is dead.
    Running,
    /// Open questions of a scope.
    Open {
        /// Whose.
        scope: ScopeHash,
        /// Only of this graph.
        graph: Option<String>,
        /// Only at this place.
        place: Option<String>,
        /// Only with this label.
        label: Option<String>,
        /// Only those opened at or before this.
        opened_before: Option<Timestamp>,
    },
    /// Open questions of all scopes whose time is up at `now` and whose place has a way `on expiry`.
    Due {
        /// The time.
        now: Timestamp,
    },
    /// Messages of all scopes not yet delivered, of questions that are open.
    Outbox,
    /// The rows of a thread, oldest first.
    History {
        /// Whose.
        scope: ScopeHash,
        /// The life.
        uid: Uid,
    },
    /// The row written for a request key.
    Request {
        /// Whose.
        scope: ScopeHash,
        /// The life.
        uid: Uid,
        /// The key.
        key: String,
    },
}

/// Which part of a listing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page {
    /// Behind this cursor; from the start if none.
    pub after: Option<String>,
    /// At most so many, at most 1,000.
    pub limit: usize,
}

impl Default for Page {
    fn default() -> Self {
        Self { after: None, limit: 100 }
    }
}

/// A page of a listing; only the part that was asked for is filled.
#[derive(Clone, Debug, Default)]
pub struct Listing {
    /// Heads.
    pub threads: Vec<ThreadRow>,
    /// Questions.
    pub questions: Vec<QuestionRow>,
    /// Rows.
    pub rows: Vec<Row>,
    /// For the next page; none if this was the last.
    pub next: Option<String>,
}

/// A thread in a listing.
#[derive(Clone, Debug)]
pub struct ThreadRow {
    /// The life.
    pub uid: Uid,
    /// Whose.
    pub scope: ScopeHash,
    /// Its name.
    pub name: ThreadId,
    /// The version.
    pub seq: Seq,
    /// The head.
    pub head: Head,
}

/// Why a store could not do what it was asked.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// Reading or writing failed.
    #[error("the store cannot be read or written: {0}")]
    Io(String),
    /// There is no space left.
    #[error("the store is full: free some space; the thread is as it was")]
    Full,
    /// Somebody else held the store for too long.
    #[error("the store is busy: another process held it for more than {waited:?}")]
    Busy {
        /// How long it was waited for.
        waited: Duration,
    },
    /// The store cannot be written to.
    #[error("the store is read-only: {0}")]
    ReadOnly(String),
    /// What is stored is damaged.
    #[error("thread `{thread}` is damaged at row {seq}: {what}; older states can still be listed")]
    Corrupt {
        /// The thread.
        thread: String,
        /// The row.
        seq: Seq,
        /// What is wrong.
        what: String,
    },
    /// The file was written by a newer version.
    #[error("the store has format {found}, this version knows {known}: use a newer version of graphwright")]
    Version {
        /// What was found.
        found: u32,
        /// What is known.
        known: u32,
    },
    /// The store was closed.
    #[error("the store is closed")]
    Closed,
}

/// Why an append did nothing.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AppendError {
    /// The thread is at another version: read again, verify everything again.
    #[error("the thread has moved on")]
    Conflict,
    /// A thread of that name is there already.
    #[error("the thread exists")]
    Exists,
    /// That life of the thread is over.
    #[error("the thread is gone")]
    Gone,
    /// The request key was used before.
    #[error("this request was taken before, at row {0}")]
    Duplicate(Seq),
    /// Too many bytes or rows.
    #[error("{bytes} bytes are more than the {limit} allowed: nothing was written")]
    TooLarge {
        /// How many.
        bytes: usize,
        /// How many are allowed.
        limit: usize,
    },
    /// The connection was lost before the reply: send the same append again.
    #[error("the reply was lost: send the same append again")]
    Unknown,
    /// The store failed; nothing was written.
    #[error(transparent)]
    Store(#[from] StoreError),
}
