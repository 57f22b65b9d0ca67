//! Something that begins and must end, whatever happens in between.

use std::fmt;
use std::sync::Arc;

use super::{Emitter, EventKind, Mark};

type End = Box<dyn FnOnce(Mark) -> EventKind + Send>;

/// Tells the end when it is dropped, so that every start has one: [`Mark::Abandoned`], unless [`Span::end`] said more.
#[must_use = "a span that is dropped at once ends at once"]
pub struct Span {
    emitter: Arc<Emitter>,
    step: u64,
    path: String,
    end: Option<End>,
}

impl Span {
    pub(crate) fn new(emitter: Arc<Emitter>, step: u64, path: String, end: impl FnOnce(Mark) -> EventKind + Send + 'static) -> Self {
        Self { emitter, step, path, end: Some(Box::new(end)) }
    }

    /// Ends it so.
    pub fn end(mut self, mark: Mark) {
        self.close(mark);
    }

    /// Ends it with an event of its own.
    pub fn end_with(mut self, event: EventKind) {
        self.end = None;
        self.emitter.tell(self.step, &self.path, event);
    }

    fn close(&mut self, mark: Mark) {
        if let Some(end) = self.end.take() {
            self.emitter.tell(self.step, &self.path, end(mark));
        }
    }
}

impl Drop for Span {
    fn drop(&mut self) {
        self.close(Mark::Abandoned);
    }
}

impl fmt::Debug for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Span").field("path", &self.path).finish_non_exhaustive()
    }
}
