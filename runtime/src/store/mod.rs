//! The store contract: how a thread is kept, compared and swapped.
//!
//! A thread is a log of rows with a head. Every change appends at least one row by one compare-and-swap on
//! `(uid, seq)`; stores know nothing of graphs. What a store must promise is written at [`Checkpointer`], and the
//! suite in `conformance` (feature `conformance`) tries it.

mod append;
#[cfg(feature = "conformance")]
pub mod conformance;
mod cursor;
mod erased;
mod error;
mod hidden;
mod limits;
mod memory;
mod query;
mod question;
mod row;
#[cfg(feature = "sqlite")]
pub mod sqlite;
mod thread;

use std::fmt;
use std::future::Future;

use crate::clock::Timestamp;
use crate::id::{QuestionId, ScopeHash, WorkerId};

pub use append::{Append, AppendTarget, Appended};
pub(crate) use erased::ErasedStore;
pub use error::{AppendError, StoreError};
pub use limits::{MAX_BYTES, MAX_DEPTH, MAX_LABELS, MAX_PATH_BYTES, MAX_QUESTIONS, MAX_ROWS, MAX_TEXT_BYTES, YOUNG};
pub use memory::Memory;
pub use query::{Listing, Page, Query, ThreadRow};
pub use question::{Fate, NewQuestion, QuestionRow, QuestionState, Shut};
pub use row::{NewRow, Row, RowKind};
#[cfg(feature = "sqlite")]
pub use sqlite::Sqlite;
pub use thread::{By, GraphRef, Head, Loaded, Point, Seq, Snapshot, Status, ThreadKey, Uid};

/// Keeps threads.
///
/// * [`append`](Self::append) is the only way to change a thread: all of it or nothing, compared with `(uid, seq)`, and
///   idempotent: the same commit id again gives the same answer, also when the first try was executed after its
///   connection died. The rows are the evidence, so this holds for at least [`YOUNG`] after the commit.
/// * [`load`](Self::load) is one consistent read: the head belongs to the rows.
/// * A scope that does not own a thread is told what it is told of a thread that does not exist.
/// * A [`Uid`] never comes back; a deleted thread leaves a tombstone, so a late writer finds nothing.
/// * A dropped future cuts nothing: an append that was begun is finished or rolled back by its owner.
/// * Whatever is stored or asked for, a store answers with a typed error and does not panic.
///
/// A store of one's own is held to this by the suite behind the feature `conformance`.
pub trait Checkpointer: Send + Sync + fmt::Debug + 'static {
    /// Head, newest snapshot at or below `at`, the rows after it up to `at`, open questions: one consistent read.
    ///
    /// `None` if this scope has no such thread. A point above the head is the head. A point below everything that
    /// [`prune`](Self::prune) left comes with neither snapshot nor rows.
    ///
    /// # Errors
    /// [`StoreError::Corrupt`] names the first row that is damaged; otherwise the store could not be read.
    fn load(&self, thread: &ThreadKey, at: Point) -> impl Future<Output = Result<Option<Loaded>, StoreError>> + Send;

    /// Appends rows and moves the head, or does nothing.
    ///
    /// Dropping the future before the first poll does nothing; later the append may still be executed. Whether it was
    /// is told by sending it again.
    ///
    /// # Errors
    /// See [`AppendError`]: only after [`AppendError::Unknown`] may something have been written.
    fn append(&self, append: Append) -> impl Future<Output = Result<Appended, AppendError>> + Send;

    /// The record of one question, open or not.
    ///
    /// # Errors
    /// The store could not be read, or the record is damaged.
    fn question(&self, scope: ScopeHash, uid: Uid, id: QuestionId) -> impl Future<Output = Result<Option<QuestionRow>, StoreError>> + Send;

    /// Heads, questions and messages to deliver, in pages.
    ///
    /// # Errors
    /// [`StoreError::Cursor`] for a cursor that this listing did not give; otherwise the store could not be read.
    fn list(&self, query: &Query, page: Page) -> impl Future<Output = Result<Listing, StoreError>> + Send;

    /// Marks a message of the outbox as delivered. Twice is as good as once; another generation's is left alone.
    ///
    /// # Errors
    /// The store could not be written.
    fn delivered(&self, uid: Uid, question: QuestionId, generation: u32) -> impl Future<Output = Result<(), StoreError>> + Send;

    /// Deletes a thread and leaves a tombstone; false if there was none. Whoever still works on it finds it gone.
    ///
    /// # Errors
    /// The store could not be written.
    fn delete(&self, thread: &ThreadKey) -> impl Future<Output = Result<bool, StoreError>> + Send;

    /// Drops the rows and snapshots below the newest snapshot at or below `below`, and closed questions past their
    /// time. Rows younger than [`YOUNG`] stay, and every row behind one. Gives the number of rows dropped.
    ///
    /// # Errors
    /// The store could not be written.
    fn prune(&self, thread: &ThreadKey, below: Seq) -> impl Future<Output = Result<u64, StoreError>> + Send;

    /// This process, as the store knows it.
    fn worker(&self) -> WorkerId;

    /// Whether a process is alive. A hint: safety never depends on it.
    ///
    /// # Errors
    /// The store could not be asked. What cannot be told is [`Liveness::Unknown`], not an error.
    fn alive(&self, worker: WorkerId) -> impl Future<Output = Result<Liveness, StoreError>> + Send;

    /// The time where the store is, for sweeps. `None` if it is the same machine.
    ///
    /// # Errors
    /// The store could not be asked.
    fn now(&self) -> impl Future<Output = Result<Option<Timestamp>, StoreError>> + Send;
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
