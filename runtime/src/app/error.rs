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
    /// The turn was to be done, and is not: said by [`Outcome::into_completed`](crate::Outcome::into_completed) alone.
    #[error("the turn is not done: {why}")]
    Unfinished {
        /// What it does instead.
        why: String,
    },
    /// Other scopes are none of this app's business.
    #[error("this app sees its own scope alone: `app.across_scopes()` is for the operator of all of them")]
    OtherScopes,
    /// A thread would begin in a scope of which only the hash is known. Nothing was written.
    #[error("no thread begins in a scope of which only the hash is known: begin it, or fork to it, with `app.scope(..)` of its path")]
    ScopeUnknown,
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
    /// The status code with which a server says it.
    ///
    /// | status | what |
    /// | --- | --- |
    /// | 400 | a thread's name that cannot be one, an answer for another interrupt, a cursor of another listing |
    /// | 403 | other scopes, of an app that was not let at them; a thread that would begin in a scope known by its hash alone |
    /// | 404 | no such thread, question or row |
    /// | 409 | the thread is busy, waits, is not done, has moved on, is another graph's or another build's; the request was taken before |
    /// | 410 | the question was answered before, or its time is up |
    /// | 413 | too many bytes |
    /// | 422 | an answer or input that does not fit |
    /// | 500 | what is the server's to mend: a place, a router or a reducer that failed, a damaged store |
    /// | 503 | try again later: a transient failure, a shutdown, a store that is busy or away |
    #[must_use]
    pub fn status(&self) -> u16 {
        match self {
            Self::Id(_) | Self::WrongInterrupt { .. } | Self::Store(StoreError::Cursor) => 400,
            Self::OtherScopes | Self::ScopeUnknown => 403,
            Self::NoThread | Self::NoQuestion | Self::NoRow { .. } => 404,
            Self::Busy { .. }
            | Self::Waiting { .. }
            | Self::Displaced
            | Self::Superseded
            | Self::OtherGraph { .. }
            | Self::GraphChanged { .. }
            | Self::Exists { .. }
            | Self::ForkOpen
            | Self::Unfinished { .. }
            | Self::Duplicate { .. } => 409,
            Self::Spent { .. } | Self::Expired => 410,
            Self::TooLarge { .. } | Self::Input(CodecError::TooLarge(_) | CodecError::StateTooLarge(_)) => 413,
            Self::BadAnswer(_) | Self::Input(_) => 422,
            Self::ShutDown | Self::Contended { .. } | Self::Unknown | Self::Store(StoreError::Closed) => 503,
            Self::Failed(_) | Self::Store(_) if self.is_transient() => 503,
            Self::Failed(_) | Self::Unrouted { .. } | Self::NoWay { .. } | Self::Panicked { .. } | Self::Store(_) => 500,
        }
    }

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

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn failed(class: Class) -> RunError {
        let (place, source) = ("a".to_owned(), "no".into());
        RunError::Failed(Box::new(Failure { place, attempts: 1, class, panicked: false, source, state: Arc::new(()) }))
    }

    #[test]
    fn each_kind_has_its_status() {
        let what = || "it".to_owned();
        let thread = || ThreadId::new("t").unwrap();
        let cases = [
            (failed(Class::Fatal), 500),
            (failed(Class::Transient), 503),
            (RunError::Unrouted { place: what(), what: what() }, 500),
            (RunError::NoWay { what: what() }, 500),
            (RunError::Panicked { place: None, what: what() }, 500),
            (RunError::Busy { run: RunId::default(), since: Timestamp(0) }, 409),
            (RunError::Waiting { question: QuestionId::default(), place: what() }, 409),
            (RunError::ShutDown, 503),
            (RunError::Displaced, 409),
            (RunError::NoThread, 404),
            (RunError::NoQuestion, 404),
            (RunError::BadAnswer(BadAnswer::new("no")), 422),
            (RunError::Spent { same_answer: false, seq: 1 }, 410),
            (RunError::Expired, 410),
            (RunError::Superseded, 409),
            (RunError::WrongInterrupt { asked: "A", given: "B" }, 400),
            (RunError::OtherGraph { thread: thread(), wrote: what(), graph: "A" }, 409),
            (RunError::GraphChanged { graph: "A", what: what() }, 409),
            (RunError::Exists { thread: thread() }, 409),
            (RunError::NoRow { seq: 1, first: 2, last: 3 }, 404),
            (RunError::ForkOpen, 409),
            (RunError::OtherScopes, 403),
            (RunError::ScopeUnknown, 403),
            (RunError::Duplicate { seq: 1 }, 409),
            (RunError::Input(CodecError::TooDeep), 422),
            (RunError::Input(CodecError::TooLarge(9)), 413),
            (RunError::Input(CodecError::StateTooLarge(9)), 413),
            (RunError::TooLarge { bytes: 9, limit: 8 }, 413),
            (RunError::Id(ThreadId::new("").unwrap_err()), 400),
            (RunError::Contended { tries: 16 }, 503),
            (RunError::Unknown, 503),
            (StoreError::Io(what()).into(), 503),
            (StoreError::Full.into(), 503),
            (StoreError::Busy { waited: Duration::ZERO }.into(), 503),
            (StoreError::Closed.into(), 503),
            (StoreError::Cursor.into(), 400),
            (StoreError::ReadOnly(what()).into(), 500),
            (StoreError::Corrupt { thread: what(), seq: 1, what: what() }.into(), 500),
            (StoreError::Damaged(what()).into(), 500),
            (StoreError::Version { found: 2, known: 1 }.into(), 500),
        ];
        for (error, status) in cases {
            assert_eq!(error.status(), status, "{error}");
        }
    }
}
