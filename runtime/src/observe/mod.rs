//! What a run tells: events, to observers by reference and to a stream by value.

mod emitter;
mod event;
mod mode;
mod span;
mod wire;

pub use event::{Event, EventKind, Mark};
pub use mode::Mode;
pub use span::Span;

pub(crate) use emitter::{Emitter, Sink};
pub(crate) use mode::Filter;
pub(crate) use wire::Wire;

/// Gets every event by reference, in the order of registration. A panic in it is contained and reported.
///
/// Implement any subset: match on the kinds you want.
pub trait Observer: Send + Sync + 'static {
    /// Something happened.
    fn on_event(&self, event: &Event);
}

impl<F: Fn(&Event) + Send + Sync + 'static> Observer for F {
    fn on_event(&self, event: &Event) {
        self(event);
    }
}
