//! Brings events to observers and to the stream.

use std::collections::VecDeque;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Instant;

use tokio::sync::mpsc;

use super::{Event, EventKind, Filter, Mode, Observer, Wire};
use crate::id::{RunId, ThreadId, TurnId};
use crate::sync::atomic::{AtomicU64, Ordering};
use crate::sync::{Mutex, PoisonError};

/// One per run.
pub(crate) struct Emitter {
    observers: Vec<Arc<dyn Observer>>,
    stream: Option<Sink>,
    /// Events told where nothing can wait, such as in a drop: sent with the next one that can.
    late: Mutex<VecDeque<Event>>,
    count: AtomicU64,
    started: Instant,
    run: RunId,
    turn: TurnId,
    thread: Option<ThreadId>,
}

/// A stream, and what it takes.
#[derive(Clone, Debug)]
pub(crate) struct Sink {
    pub(crate) sender: mpsc::Sender<Event>,
    pub(crate) filter: Filter,
}

impl Emitter {
    pub(crate) fn new(observers: Vec<Arc<dyn Observer>>, stream: Option<Sink>, run: RunId, turn: TurnId, thread: Option<ThreadId>) -> Self {
        Self { observers, stream, late: Mutex::default(), count: AtomicU64::new(0), started: Instant::now(), run, turn, thread }
    }

    /// Nobody listens: nothing needs to be made.
    pub(crate) fn is_silent(&self) -> bool {
        self.observers.is_empty() && self.stream.is_none()
    }

    fn event(&self, step: u64, path: &str, kind: EventKind) -> Event {
        Event {
            v: Wire,
            id: self.count.fetch_add(1, Ordering::Relaxed) + 1,
            run: self.run,
            turn: self.turn,
            thread: self.thread.clone(),
            step,
            path: path.to_owned(),
            elapsed: self.started.elapsed(),
            kind,
        }
    }

    fn observe(&self, event: &Event) {
        for observer in &self.observers {
            if catch_unwind(AssertUnwindSafe(|| observer.on_event(event))).is_err() {
                tracing::error!(target: "graphwright", "an observer panicked; the run goes on");
            }
        }
    }

    /// Tells where nothing can wait; the stream gets it with the next event that can.
    pub(crate) fn tell(&self, step: u64, path: &str, kind: EventKind) {
        if self.is_silent() {
            return;
        }
        let event = self.event(step, path, kind);
        self.observe(&event);
        self.push(event);
    }

    fn push(&self, event: Event) {
        if self.stream.as_ref().is_some_and(|stream| stream.filter.takes(&event)) {
            self.late.lock().unwrap_or_else(PoisonError::into_inner).push_back(event);
        }
    }

    /// Whether the stream asks for a mode by its name.
    pub(crate) fn asks_for(&self, mode: Mode) -> bool {
        self.stream.as_ref().is_some_and(|stream| stream.filter.asks_for(mode))
    }

    /// Tells what is in the state: to the stream that asked for it, and to no observer.
    pub(crate) async fn show(&self, step: u64, path: &str, kind: EventKind) {
        self.push(self.event(step, path, kind));
        self.flush().await;
    }

    /// Tells, and waits while the stream is full. Cancel safe: an event that was not sent goes with the next.
    pub(crate) async fn emit(&self, step: u64, path: &str, kind: EventKind) {
        if self.is_silent() {
            return;
        }
        self.tell(step, path, kind);
        self.flush().await;
    }

    /// Sends what was told where nothing could wait.
    pub(crate) async fn flush(&self) {
        let Some(stream) = &self.stream else { return };
        loop {
            if self.late.lock().unwrap_or_else(PoisonError::into_inner).is_empty() {
                return;
            }
            // A stream that nobody reads any more takes nothing.
            let Ok(permit) = stream.sender.reserve().await else {
                self.late.lock().unwrap_or_else(PoisonError::into_inner).clear();
                return;
            };
            if let Some(event) = self.late.lock().unwrap_or_else(PoisonError::into_inner).pop_front() {
                permit.send(event);
            }
        }
    }
}

impl fmt::Debug for Emitter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Emitter").field("observers", &self.observers.len()).field("streams", &self.stream.is_some()).finish_non_exhaustive()
    }
}
