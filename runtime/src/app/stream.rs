//! A run driven by whoever reads its events.

use std::fmt;
use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::task::{Context as Task, Poll};

use futures_core::Stream;
use tokio::sync::mpsc;

use super::{Outcome, Run, RunError};
use crate::graph::Graph;
use crate::observe::Event;

/// The events of a run, and the run itself: reading drives it, dropping drops it. No task, bounded memory.
///
/// ```
/// # use graphwright::prelude::*;
/// # #[derive(Clone, Debug, Default, Serialize, Deserialize, State)] struct Count { n: u32 }
/// # #[node] async fn add(count: &Count) -> NodeResult<Count> { Ok(Count::update().n(count.n + 1)) }
/// # graph! { Counter(Count) { start -> add -> end; } }
/// # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), RunError> {
/// # let thread = Counter::app((), Memory::new()).thread("t");
/// let mut events = thread.run(Count::update()).stream();
/// while let Some(event) = events.next().await {
///     println!("{} {:?}", event.path, event.kind);
/// }
/// let outcome = events.outcome().await?;
/// assert_eq!(outcome.completed().unwrap().output.n, 1);
/// # Ok(()) }
/// ```
#[must_use = "a stream of events does nothing until it is read"]
pub struct Events<G: Graph> {
    run: Option<Run<G>>,
    outcome: Option<Result<Outcome<G>, RunError>>,
    receiver: mpsc::Receiver<Event>,
}

impl<G: Graph> Events<G> {
    pub(super) fn new(run: Run<G>, receiver: mpsc::Receiver<Event>) -> Self {
        Self { run: Some(run), outcome: None, receiver }
    }

    /// The next event; none when the run is over. Cancel safe.
    pub async fn next(&mut self) -> Option<Event> {
        poll_fn(|task| self.poll_event(task)).await
    }

    /// Reads what is left and gives the outcome.
    ///
    /// # Errors
    /// What the run would have given when awaited.
    pub async fn outcome(mut self) -> Result<Outcome<G>, RunError> {
        while self.next().await.is_some() {}
        // The stream ends when the run has, so the outcome is there.
        self.outcome.take().unwrap_or(Err(RunError::Displaced))
    }

    /// Why there was no outcome, once the stream is over.
    #[cfg(feature = "axum")]
    pub(crate) fn failure(self) -> Option<RunError> {
        self.outcome?.err()
    }

    fn poll_event(&mut self, task: &mut Task<'_>) -> Poll<Option<Event>> {
        if let Poll::Ready(Some(event)) = self.receiver.poll_recv(task) {
            return Poll::Ready(Some(event));
        }
        if let Some(run) = &mut self.run
            && let Poll::Ready(outcome) = Pin::new(run).poll(task)
        {
            self.outcome = Some(outcome);
            self.run = None;
        }
        match &self.run {
            Some(_) => self.receiver.poll_recv(task).map(Some).map(Option::flatten),
            // A node may have kept its context, and with it a sender: the end of the run is the end of the stream.
            None => Poll::Ready(self.receiver.try_recv().ok()),
        }
    }
}

impl<G: Graph> Stream for Events<G> {
    type Item = Event;
    fn poll_next(mut self: Pin<&mut Self>, task: &mut Task<'_>) -> Poll<Option<Event>> {
        self.poll_event(task)
    }
}

impl<G: Graph> Unpin for Events<G> {}

impl<G: Graph> fmt::Debug for Events<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Events").field("over", &self.run.is_none()).finish_non_exhaustive()
    }
}
