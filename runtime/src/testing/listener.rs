//! Who hears everything.

use std::sync::{Arc, Mutex, PoisonError};

use crate::observe::{Event, EventKind, Observer};

/// An observer that keeps what it is told. A clone hears the same.
///
/// ```
/// use graphwright::testing::Listener;
/// use graphwright::{Context, EventKind};
/// # #[tokio::main(flavor = "current_thread")] async fn main() {
/// let heard = Listener::default();
/// let cx = Context::test_observed((), heard.clone());
/// cx.text("Hi").await;
/// assert_eq!(heard.kinds(), [EventKind::TextDelta { text: "Hi".to_owned() }]);
/// # }
/// ```
#[derive(Clone, Debug, Default)]
pub struct Listener(Arc<Mutex<Vec<Event>>>);

impl Listener {
    /// What it heard so far.
    #[must_use]
    pub fn events(&self) -> Vec<Event> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The same, without when and where.
    #[must_use]
    pub fn kinds(&self) -> Vec<EventKind> {
        self.events().into_iter().map(|event| event.kind).collect()
    }

    /// The places that began, in that order.
    #[must_use]
    pub fn places(&self) -> Vec<String> {
        let place = |kind| match kind {
            EventKind::NodeStarted { place } => Some(place),
            _ => None,
        };
        self.kinds().into_iter().filter_map(place).collect()
    }

    /// The ways that runs told of, as `from -> to`. Those out of `start`, into a branch and behind an answer are told by
    /// nobody: [`Coverage`](super::Coverage) has them.
    #[must_use]
    pub fn ways(&self) -> Vec<String> {
        let way = |kind| match kind {
            EventKind::EdgeTaken { from, to, .. } => Some(format!("{from} -> {to}")),
            _ => None,
        };
        self.kinds().into_iter().filter_map(way).collect()
    }
}

impl Observer for Listener {
    fn on_event(&self, event: &Event) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(event.clone());
    }
}
