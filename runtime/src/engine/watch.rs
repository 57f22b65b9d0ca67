//! Deadline and cancellation that act while a node waits.

use std::future::Future;
use std::pin::Pin;
use std::task::{Context as Task, Poll};

use tokio::time::{Instant, Sleep};
use tokio_util::sync::WaitForCancellationFuture;

/// What became of something that was watched.
pub(crate) enum Watched<T> {
    Done(T),
    TimedOut,
    Cancelled,
}

/// One timer and one cancellation for a whole run, both touched only when something is pending.
///
/// The timer is made when it is first needed, so a runtime without timers does until a deadline is set.
pub(crate) struct Watch<'a, 'token> {
    pub(crate) sleep: Pin<&'a mut Option<Sleep>>,
    pub(crate) cancel: Pin<&'a mut WaitForCancellationFuture<'token>>,
    pub(crate) deadline: Option<Instant>,
}

impl Watch<'_, '_> {
    pub(crate) fn poll<F: Future>(&mut self, future: Pin<&mut F>, task: &mut Task<'_>) -> Poll<Watched<F::Output>> {
        match future.poll(task) {
            Poll::Ready(output) => Poll::Ready(Watched::Done(output)),
            Poll::Pending => self.pending(task).map(|stopped| match stopped {
                Stopped::TimedOut => Watched::TimedOut,
                Stopped::Cancelled => Watched::Cancelled,
            }),
        }
    }

    fn pending(&mut self, task: &mut Task<'_>) -> Poll<Stopped> {
        if self.cancel.as_mut().poll(task).is_ready() {
            return Poll::Ready(Stopped::Cancelled);
        }
        let Some(deadline) = self.deadline else { return Poll::Pending };
        if self.sleep.is_none() {
            self.sleep.set(Some(tokio::time::sleep_until(deadline)));
        }
        match self.sleep.as_mut().as_pin_mut() {
            Some(sleep) => sleep.poll(task).map(|()| Stopped::TimedOut),
            None => Poll::Pending,
        }
    }
}

enum Stopped {
    TimedOut,
    Cancelled,
}
