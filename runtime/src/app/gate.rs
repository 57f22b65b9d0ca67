//! The runs of an app: what is told to all of them, and that no more begin.

use std::collections::HashSet;
use std::sync::Arc;

use tokio::sync::Notify;

use super::RunError;
use crate::id::RunId;
use crate::sync::{Mutex, PoisonError};

/// One for an app and every app that was made of it.
#[derive(Debug, Default)]
pub(super) struct Gate {
    inside: Mutex<Inside>,
    left: Notify,
}

#[derive(Debug, Default)]
struct Inside {
    closed: bool,
    runs: HashSet<RunId>,
}

/// A run is inside as long as this is held.
pub(super) struct Pass {
    gate: Arc<Gate>,
    run: RunId,
}

impl Gate {
    fn with<T>(&self, change: impl FnOnce(&mut Inside) -> T) -> T {
        change(&mut self.inside.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Lets a run in, unless the app is shut down. Its lease is taken before, so that it can be told.
    pub(super) fn enter(self: &Arc<Self>, run: RunId) -> Result<Pass, RunError> {
        let closed = self.with(|inside| inside.closed || !inside.runs.insert(run));
        if closed { Err(RunError::ShutDown) } else { Ok(Pass { gate: Arc::clone(self), run }) }
    }

    pub(super) fn is_closed(&self) -> bool {
        self.with(|inside| inside.closed)
    }

    /// Lets no more in. Gives those that are inside.
    pub(super) fn close(&self) -> Vec<RunId> {
        self.with(|inside| {
            inside.closed = true;
            inside.runs.iter().copied().collect()
        })
    }

    pub(super) async fn empty(&self) {
        loop {
            let left = self.left.notified();
            if self.with(|inside| inside.runs.is_empty()) {
                return;
            }
            left.await;
        }
    }
}

impl Drop for Pass {
    fn drop(&mut self) {
        self.gate.with(|inside| inside.runs.remove(&self.run));
        self.gate.left.notify_waiters();
    }
}
