//! The one way to change a thread.

use std::fmt;

use super::hidden::Hidden;
use super::{Head, NewQuestion, NewRow, Seq, Shut, Uid};
use crate::id::{CommitId, Scope, ScopeHash, ThreadId};

/// Everything that one commit changes.
#[derive(Clone, PartialEq, Eq)]
pub struct Append {
    /// What it is compared with.
    pub target: AppendTarget,
    /// The intention: the same on every retry.
    pub commit: CommitId,
    /// At least one, at most [`MAX_ROWS`](super::MAX_ROWS).
    pub rows: Vec<NewRow>,
    /// The head after it.
    pub head: Head,
    /// Questions that open.
    pub opens: Vec<NewQuestion>,
    /// Questions that change their state, in this order and before any opens. Each must be open at that generation: after
    /// the head was compared it is, or the store is corrupt.
    pub shuts: Vec<Shut>,
    /// An image after the last row, if it is time for one.
    pub snapshot: Option<Vec<u8>>,
    /// The caller's key for a turn, unique per thread; written with the last row's number.
    pub request: Option<String>,
}

impl fmt::Debug for Append {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Append")
            .field("target", &self.target)
            .field("commit", &self.commit)
            .field("rows", &self.rows)
            .field("head", &self.head)
            .field("opens", &self.opens)
            .field("shuts", &self.shuts)
            .field("snapshot", &self.snapshot.as_ref().map(|body| Hidden(body.len())))
            .field("request", &self.request.as_ref().map(|key| Hidden(key.len())))
            .finish()
    }
}

/// What an append is compared with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AppendTarget {
    /// Nothing of that name: create it. If a thread of that name was deleted a short while ago, `over` must name its tombstone.
    New {
        /// Whose.
        scope: Scope,
        /// Its name.
        name: ThreadId,
        /// The uid of the tombstone over which it is created, told by [`AppendError::Deleted`](super::AppendError::Deleted).
        /// A create that comes late finds another one.
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
