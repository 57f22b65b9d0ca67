//! What several tests need.

use std::sync::{Arc, Mutex};

use graphwright::{Context, Event, EventKind};

/// Hears everything.
#[derive(Clone, Default)]
pub(crate) struct Recorder(Arc<Mutex<Vec<EventKind>>>);

impl Recorder {
    /// With a context that tells it everything.
    pub(crate) fn new<D>(deps: D) -> (Self, Context<D>) {
        let recorder = Self::default();
        let hears = recorder.clone();
        (recorder, Context::test_observed(deps, move |event: &Event| hears.hear(event)))
    }

    /// Takes an event in.
    pub(crate) fn hear(&self, event: &Event) {
        self.0.lock().unwrap().push(event.kind.clone());
    }

    /// What it heard so far.
    pub(crate) fn kinds(&self) -> Vec<EventKind> {
        self.0.lock().unwrap().clone()
    }
}
