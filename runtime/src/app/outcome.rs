//! How a run ends.

use std::fmt;

use super::RunError;
use crate::graph::Graph;
use crate::id::{RunId, TurnId};
use crate::store::Seq;
use crate::usage::Usage;

/// How a run ended. Not `#[non_exhaustive]`: a `match` names `Paused`, or drops a pause knowingly.
#[must_use = "a run that paused waits for an answer"]
pub enum Outcome<G: Graph> {
    /// The turn reached an end.
    Completed(Completed<G>),
    /// Nothing can run until somebody answers.
    Paused(Paused<G>),
    /// The run was stopped; the turn can go on with `thread.proceed()`, unless the reason says that it is over.
    Stopped(Stopped<G>),
}

/// A turn that reached an end.
#[non_exhaustive]
pub struct Completed<G: Graph> {
    /// What the graph gives: its state, unless `#[graph(output = ..)]` says otherwise.
    pub output: G::Output,
    /// The end that was reached.
    pub exit: G::Exit,
    /// The turn.
    pub turn: TurnId,
    /// The run.
    pub run: RunId,
    /// Steps of the turn.
    pub steps: u64,
    /// What the models cost in the turn.
    pub usage: Usage,
}

/// A run that waits.
#[non_exhaustive]
pub struct Paused<G: Graph> {
    /// What is open: an enum of this graph's interrupts, by value.
    pub questions: Vec<G::Question>,
    /// The turn.
    pub turn: TurnId,
    /// The run.
    pub run: RunId,
    /// What the models cost in the turn so far.
    pub usage: Usage,
}

/// A run that was stopped.
#[non_exhaustive]
pub struct Stopped<G: Graph> {
    /// Why.
    pub reason: StopReason,
    /// The place, where it was a breakpoint.
    pub place: Option<String>,
    /// The state so far.
    pub state: G::State,
    /// The turn.
    pub turn: TurnId,
    /// The run.
    pub run: RunId,
    /// What the models cost in the turn so far.
    pub usage: Usage,
}

/// Why a run was stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum StopReason {
    /// It took as many steps as the graph, or the call, allows; after [`Thread::step`](crate::Thread::step) that is one.
    StepLimit,
    /// Its turn has used its [`Budget`](crate::Budget): no model is asked any more.
    BudgetSpent,
    /// A cut ended its turn: the model said the same again and again. The turn is over.
    Repeating,
    /// Its deadline passed.
    TimedOut,
    /// Somebody cancelled it.
    Cancelled,
    /// It was let to stop at its next commit.
    Drained,
    /// It stands before a breakpoint, or behind one.
    Breakpoint,
    /// Its turn was given up.
    Abandoned,
    /// The thread was taken up ten times without getting on: something in it ends the process.
    CrashLoop,
}

impl<G: Graph> Outcome<G> {
    /// The completed turn, if it is one.
    #[must_use]
    pub fn completed(self) -> Option<Completed<G>> {
        match self {
            Self::Completed(done) => Some(done),
            _ => None,
        }
    }

    /// The completed turn, where nothing else is expected: a pause or a stop is an error, and the thread is left as it is.
    ///
    /// ```
    /// # use graphwright::prelude::*;
    /// # #[derive(Clone, Debug, Default, Serialize, Deserialize, State)] struct Count { n: u32 }
    /// # #[node] async fn add(count: &Count) -> NodeResult<Count> { Ok(Count::update().n(count.n + 1)) }
    /// # graph! { Counter(Count) { start -> add -> end; } }
    /// # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), RunError> {
    /// let done = Counter::run((), Count::update()).await?.into_completed()?;
    /// assert_eq!(done.output.n, 1);
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    /// [`RunError::Unfinished`].
    pub fn into_completed(self) -> Result<Completed<G>, RunError> {
        match self {
            Self::Completed(done) => Ok(done),
            Self::Paused(paused) => Err(RunError::Unfinished { why: format!("it waits for {} answers", paused.questions.len()) }),
            Self::Stopped(stopped) => Err(RunError::Unfinished { why: format!("it was stopped: {:?}", stopped.reason) }),
        }
    }

    /// The pause, if it is one.
    #[must_use]
    pub fn paused(self) -> Option<Paused<G>> {
        match self {
            Self::Paused(paused) => Some(paused),
            _ => None,
        }
    }

    /// The stop, if it is one.
    #[must_use]
    pub fn stopped(self) -> Option<Stopped<G>> {
        match self {
            Self::Stopped(stopped) => Some(stopped),
            _ => None,
        }
    }
}

impl<G: Graph> fmt::Debug for Outcome<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Completed(done) => done.fmt(f),
            Self::Paused(paused) => paused.fmt(f),
            Self::Stopped(stopped) => stopped.fmt(f),
        }
    }
}

// What users keep in their state and questions is theirs to show.
impl<G: Graph> fmt::Debug for Completed<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Completed").field("exit", &self.exit).field("turn", &self.turn).field("steps", &self.steps).finish_non_exhaustive()
    }
}

impl<G: Graph> fmt::Debug for Paused<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Paused").field("questions", &self.questions.len()).field("turn", &self.turn).finish_non_exhaustive()
    }
}

impl<G: Graph> fmt::Debug for Stopped<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Stopped").field("reason", &self.reason).field("turn", &self.turn).finish_non_exhaustive()
    }
}

/// Answers that were taken. They are durable; the graph goes on when it is driven.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Answered {
    /// The thread's version with the answers.
    pub seq: Seq,
    /// Who goes on.
    pub next: AnsweredNext,
}

/// Who goes on after an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum AnsweredNext {
    /// A run holds the thread and takes the answers up at its next commit.
    Running,
    /// Nobody yet: `thread.proceed()` drives it here, and `app.work()` in any process.
    Ready,
    /// Nothing: other questions are open.
    Waiting,
    /// Nothing: the answers brought the turn to its end.
    Done,
}
