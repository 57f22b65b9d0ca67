//! Why there is no outcome.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use crate::clock::Timestamp;
use crate::engine::CodecError;
use crate::error::{BadAnswer, BoxError, Class};
use crate::id::{IdError, QuestionId, RunId, ThreadId};
use crate::store::{Seq, StoreError};

/// Why a run, an answer or a question about a thread came to nothing. The thread is as it was, unless said otherwise.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RunError {
    /// A place, a router or a reducer failed. What was done before is kept; `thread.proceed()` tries the place again.
    #[error(transparent)]
    Failed(Box<Failure>),
    /// A step is done and kept, and no way leads on from it.
    #[error("`{place}` is done and kept, but no way leads on: {what}; `thread.proceed()` asks the routers again")]
    Unrouted {
        /// The place.
        place: String,
        /// Why.
        what: String,
    },
    /// No way begins.
    #[error("{what}")]
    NoWay {
        /// Why.
        what: String,
    },
    /// Code of the user panicked before anything was written.
    #[error("a router, a reducer or an answer's `resume` panicked, and nothing was written: {what}")]
    Panicked {
        /// The place, if it is known.
        place: Option<String>,
        /// The panic's text.
        what: String,
    },
    /// Another run holds the thread.
    #[error("another run ({run}) holds the thread: wait for it, cancel it with `thread.cancel()`, or set `on_busy`")]
    Busy {
        /// That run.
        run: RunId,
        /// Its last commit.
        since: Timestamp,
    },
    /// The thread waits for an answer.
    #[error("the thread waits for an answer at `{place}`: answer it, give it up with `thread.abandon()`, or set `on_paused`")]
    Waiting {
        /// The open question.
        question: QuestionId,
        /// The place that asked.
        place: String,
    },
    /// The app was shut down.
    #[error("the app was shut down, and begins no more runs: `thread.proceed()` goes on in another process")]
    ShutDown,
    /// Another run took the thread over; this one runs nothing more.
    #[error("another run took the thread over: this one stopped, and what it had committed is kept")]
    Displaced,
    /// There is no such thread here.
    #[error(
        "there is no such thread in this scope and store: a thread begins with `thread.run(..)`; one in `Memory` ends with its process"
    )]
    NoThread,
    /// There is no such question here.
    #[error("there is no such question on this thread")]
    NoQuestion,
    /// The answer does not fit. The question is still open.
    #[error(transparent)]
    BadAnswer(#[from] BadAnswer),
    /// The question was answered before.
    #[error("the question was answered before, at row {seq}{}", if *.same_answer { ", with the same answer" } else { ", with another answer" })]
    Spent {
        /// Whether that answer was the same: then a client that lost the reply may take it for its own.
        same_answer: bool,
        /// The row of that answer.
        seq: Seq,
    },
    /// The question's time is up.
    #[error("the question's time is up: `thread.reissue(..)` opens it again")]
    Expired,
    /// The question was given up, or issued anew, or the thread has moved on.
    #[error("the question is no longer open as it was asked: a new turn, an edit or a new token took its place")]
    Superseded,
    /// The answer is typed for another interrupt.
    #[error("the answer is for `{given}`, and the question was asked by `{asked}`")]
    WrongInterrupt {
        /// Who asked.
        asked: &'static str,
        /// For whom the answer is.
        given: &'static str,
    },
    /// The thread belongs to another graph.
    #[error("thread `{thread}` was written by graph `{wrote}`, and this is `{graph}`")]
    OtherGraph {
        /// The thread.
        thread: ThreadId,
        /// The graph that wrote it.
        wrote: String,
        /// This graph.
        graph: &'static str,
    },
    /// The thread stands where this build of the graph cannot go on.
    #[error("`{graph}` has changed under the thread: {what}; the thread is as it was")]
    GraphChanged {
        /// This graph.
        graph: &'static str,
        /// What does not fit.
        what: String,
    },
    /// There is already a thread of that name.
    #[error("there is already a thread `{thread}` here: fork to another name, or delete that one first")]
    Exists {
        /// Its name.
        thread: ThreadId,
    },
    /// The thread has not that row, or not any more.
    #[error("row {seq} is not kept: the thread has rows {first} to {last}, and a state can be read from its oldest snapshot on")]
    NoRow {
        /// The row.
        seq: Seq,
        /// The oldest that is kept.
        first: Seq,
        /// The newest.
        last: Seq,
    },
    /// Branches are open, and each of them goes on from the state as it was at the fork.
    #[error("branches are open: let them meet, or end the turn with `thread.abandon()`, before the state is changed from outside")]
    ForkOpen,
    /// The request was taken before.
    #[error("this request was taken before, at row {seq}")]
    Duplicate {
        /// The row that it wrote.
        seq: Seq,
    },
    /// What was given cannot be stored.
    #[error("what was given cannot be stored: {0}")]
    Input(CodecError),
    /// Too many bytes.
    #[error("{bytes} bytes are more than the {limit} allowed: nothing was written")]
    TooLarge {
        /// How many.
        bytes: usize,
        /// How many are allowed.
        limit: usize,
    },
    /// The thread's name cannot be one.
    #[error(transparent)]
    Id(#[from] IdError),
    /// Others changed the thread again and again.
    #[error("others changed the thread {tries} times in a row: try again")]
    Contended {
        /// So often.
        tries: u32,
    },
    /// The store's reply was lost again and again.
    #[error("the store's reply was lost again and again: read the thread to see whether it was written")]
    Unknown,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl RunError {
    /// Whether trying again later may help.
    #[must_use]
    pub fn is_transient(&self) -> bool {
        match self {
            Self::Failed(failure) => failure.class == Class::Transient,
            Self::Busy { .. } | Self::Contended { .. } | Self::Unknown => true,
            Self::Store(error) => matches!(error, StoreError::Busy { .. } | StoreError::Io(_) | StoreError::Full),
            _ => false,
        }
    }
}

/// A place that failed, and what there was until then.
pub struct Failure {
    pub(crate) place: String,
    pub(crate) attempts: u32,
    pub(crate) class: Class,
    pub(crate) panicked: bool,
    pub(crate) source: BoxError,
    pub(crate) state: Arc<dyn Any + Send + Sync>,
}

impl Failure {
    /// The place.
    #[must_use]
    pub fn place(&self) -> &str {
        &self.place
    }

    /// How often it was tried.
    #[must_use]
    pub fn attempts(&self) -> u32 {
        self.attempts
    }

    /// How the failure is to be met.
    #[must_use]
    pub fn class(&self) -> Class {
        self.class
    }

    /// Whether it panicked.
    #[must_use]
    pub fn panicked(&self) -> bool {
        self.panicked
    }

    /// The state so far: what was committed before the place ran; without a store, what it was when the place failed.
    #[must_use]
    pub fn state<S: 'static>(&self) -> Option<&S> {
        self.state.downcast_ref()
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let how = if self.panicked { "panicked" } else { "failed" };
        write!(f, "`{}` {how}: {}", self.place, self.source)
    }
}

impl fmt::Debug for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut s = f.debug_struct("Failure");
        s.field("place", &self.place).field("attempts", &self.attempts).field("class", &self.class);
        s.field("panicked", &self.panicked).field("source", &self.source).finish_non_exhaustive()
    }
}

impl std::error::Error for Failure {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&*self.source)
    }
}
