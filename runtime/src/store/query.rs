//! Listings: a closed set of queries over declared columns, in pages.

use super::{Head, QuestionRow, Row, Seq, Status, Uid};
use crate::clock::Timestamp;
use crate::id::{ScopeHash, ThreadId};

/// What to list. A closed set over declared columns: nothing a caller says becomes SQL.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Query {
    /// Threads, oldest life first.
    Threads {
        /// Whose; of all scopes if none.
        scope: Option<ScopeHash>,
        /// Only these; all if empty.
        status: Vec<Status>,
    },
    /// Running threads of all scopes, with their workers: the sweep looks whose process is dead.
    Running,
    /// Threads of all scopes that [`prune`](super::Checkpointer::prune) could make shorter although their last `keep` rows
    /// stay: those with a snapshot above their oldest row, and no higher than that. Oldest life first.
    Long {
        /// So many rows stay.
        keep: u64,
    },
    /// Threads of all scopes with nothing to do, and without a row since `before`. Oldest life first.
    Rested {
        /// The time.
        before: Timestamp,
    },
    /// Open questions, oldest first.
    Open {
        /// Whose; of all scopes if none.
        scope: Option<ScopeHash>,
        /// Only of this graph.
        graph: Option<String>,
        /// Only at this place.
        place: Option<String>,
        /// Only with this label.
        label: Option<String>,
        /// Only those opened at or before this.
        opened_before: Option<Timestamp>,
    },
    /// Open questions of all scopes, longest overdue first, whose time was over before `now` and whose place has a way `on expiry`.
    Due {
        /// The time.
        now: Timestamp,
    },
    /// Messages of all scopes not yet delivered, of questions that are open.
    Outbox,
    /// The rows of a thread, oldest first. A damaged row ends a page; asked for by itself it is an error.
    History {
        /// Whose.
        scope: ScopeHash,
        /// The life.
        uid: Uid,
    },
    /// The last row of the append that brought a request key; none if it was pruned.
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
    /// At most so many, from 1 to 1,000; fewer if their bodies are large.
    pub limit: usize,
}

impl Default for Page {
    fn default() -> Self {
        Self { after: None, limit: 100 }
    }
}

/// A page of a listing; only the part that was asked for is filled.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
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
#[derive(Clone, Debug, PartialEq, Eq)]
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
