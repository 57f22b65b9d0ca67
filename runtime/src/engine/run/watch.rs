//! Deadline, time limit of a place, and cancellation that act while something waits.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context as Task, Poll};
use std::time::Duration;

use tokio::time::{Instant, Sleep};
use tokio_util::sync::WaitForCancellationFuture;

use crate::sync::{Mutex, PoisonError};

/// What became of something that was watched.
pub(crate) enum Watched<T> {
    Done(T),
    /// The run's deadline passed.
    TimedOut,
    Cancelled,
    /// The place took longer than it may.
    TooLong,
}

/// One timer and one cancellation for a whole run, touched only when something is pending, and a timer for the place.
///
/// The timers are made when they are first needed, so a runtime without timers does until a deadline is set.
pub(crate) struct Watch<'a, 'token> {
    pub(crate) sleep: Pin<&'a mut Option<Sleep>>,
    pub(crate) place: Pin<&'a mut Option<Sleep>>,
    pub(crate) cancel: Pin<&'a mut WaitForCancellationFuture<'token>>,
    pub(crate) deadline: Option<Instant>,
    /// How long the place may take.
    pub(crate) limit: Option<Duration>,
    /// When it last said that it gets on.
    pub(crate) beat: Option<Arc<Beat>>,
}

/// When a place last said that it gets on.
#[derive(Debug, Default)]
pub(crate) struct Beat(Mutex<Option<Instant>>);

impl Beat {
    pub(crate) fn now(&self) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now());
    }

    /// Until when the place may take, if it said so since a timer was set that is over now.
    pub(crate) fn until(&self, limit: Duration) -> Option<Instant> {
        let last = (*self.0.lock().unwrap_or_else(PoisonError::into_inner))?;
        last.checked_add(limit).filter(|until| *until > Instant::now())
    }
}

impl<'w, 't> Watch<'w, 't> {
    /// Runs a body as long as it is watched.
    #[inline]
    pub(crate) fn over<'a, F: Future>(&'a mut self, span: &'a tracing::Span, body: Pin<&'a mut F>) -> Over<'a, 'w, 't, F> {
        Over { watch: self, span, body }
    }

    /// Another place begins, and it or the one before is limited.
    pub(crate) fn begin(&mut self, limit: Option<Duration>, beat: Option<Arc<Beat>>) {
        self.place.set(None);
        (self.limit, self.beat) = (limit, beat);
    }

    #[inline(always)]
    pub(crate) fn poll<F: Future>(&mut self, future: Pin<&mut F>, task: &mut Task<'_>) -> Poll<Watched<F::Output>> {
        match future.poll(task) {
            Poll::Ready(output) => Poll::Ready(Watched::Done(output)),
            Poll::Pending => self.pending(task),
        }
    }

    /// Whether it is over before what is waited for.
    pub(crate) fn pending<T>(&mut self, task: &mut Task<'_>) -> Poll<Watched<T>> {
        if self.cancel.as_mut().poll(task).is_ready() {
            return Poll::Ready(Watched::Cancelled);
        }
        if let Some(deadline) = self.deadline
            && poll_timer(&mut self.sleep, task, || tokio::time::sleep_until(deadline))
        {
            return Poll::Ready(Watched::TimedOut);
        }
        let Some(limit) = self.limit else { return Poll::Pending };
        while poll_timer(&mut self.place, task, || tokio::time::sleep(limit)) {
            let Some(until) = self.beat.as_ref().and_then(|beat| beat.until(limit)) else { return Poll::Ready(Watched::TooLong) };
            self.place.set(Some(tokio::time::sleep_until(until)));
        }
        Poll::Pending
    }
}

/// A body that is watched. It has a name so that its `poll` can be inlined: what a body gives is then not copied on its way.
pub(crate) struct Over<'a, 'w, 't, F> {
    watch: &'a mut Watch<'w, 't>,
    span: &'a tracing::Span,
    body: Pin<&'a mut F>,
}

impl<F: Future> Future for Over<'_, '_, '_, F> {
    type Output = Watched<F::Output>;

    #[inline(always)]
    fn poll(mut self: Pin<&mut Self>, task: &mut Task<'_>) -> Poll<Self::Output> {
        let Self { watch, span, body } = &mut *self;
        let _entered = span.enter();
        watch.poll(body.as_mut(), task)
    }
}

fn poll_timer(timer: &mut Pin<&mut Option<Sleep>>, task: &mut Task<'_>, make: impl FnOnce() -> Sleep) -> bool {
    if timer.is_none() {
        timer.set(Some(make()));
    }
    timer.as_mut().as_pin_mut().is_some_and(|timer| timer.poll(task).is_ready())
}
