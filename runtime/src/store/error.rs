//! Why a store did nothing.

use std::path::PathBuf;
use std::time::Duration;

use super::{Seq, Uid};

/// Why a store could not do what it was asked.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// What is at that path is not a store, or cannot be opened as one.
    #[error("cannot open the store `{path}`: {what}", path = .path.display())]
    Open {
        /// Where.
        path: PathBuf,
        /// Why, and what to do.
        what: String,
    },
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
    /// What is stored of a thread is damaged.
    #[error("thread `{thread}` is damaged at row {seq}: {what}; older states can still be listed")]
    Corrupt {
        /// The thread.
        thread: String,
        /// The row.
        seq: Seq,
        /// What is wrong.
        what: String,
    },
    /// The store as a whole is damaged.
    #[error("the store is damaged: {0}; restore it from a backup")]
    Damaged(String),
    /// The file was written by a newer version.
    #[error("the store has format {found}, this version knows {known}: use a newer version of graphwright")]
    Version {
        /// What was found.
        found: u32,
        /// What is known.
        known: u32,
    },
    /// A page was asked for behind a cursor that this listing did not give.
    #[error("the cursor is not one of this listing: pass `next` of the page before as it was given")]
    Cursor,
    /// The store was closed.
    #[error("the store is closed")]
    Closed,
}

/// Why an append did nothing.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum AppendError {
    /// The thread is at another version, or the tombstone is not the one that was named: read again, verify everything
    /// again.
    #[error("the thread has moved on")]
    Conflict,
    /// A thread of that name is there already.
    #[error("the thread exists")]
    Exists,
    /// A thread of that name was deleted a short while ago: verify again, and create it `over` this tombstone.
    #[error("a thread of that name was deleted: create it over tombstone {0}")]
    Deleted(Uid),
    /// That life of the thread is over.
    #[error("the thread is gone")]
    Gone,
    /// The request key was used before.
    #[error("this request was taken before, at row {0}")]
    Duplicate(Seq),
    /// A body, a text or the whole is too large.
    #[error("{bytes} bytes are more than the {limit} allowed: nothing was written")]
    TooLarge {
        /// How many.
        bytes: usize,
        /// How many are allowed.
        limit: usize,
    },
    /// There is too much of something.
    #[error("{count} {what} are more than the {limit} allowed: nothing was written")]
    TooMany {
        /// Of what.
        what: &'static str,
        /// How many.
        count: usize,
        /// How many are allowed.
        limit: usize,
    },
    /// The append contradicts itself.
    #[error("the append is not valid: {0}; nothing was written")]
    Invalid(&'static str),
    /// The connection was lost before the reply: send the same append again.
    #[error("the reply was lost: send the same append again")]
    Unknown,
    /// The store failed; nothing was written.
    #[error(transparent)]
    Store(#[from] StoreError),
}
