//! A node's own concurrent parts.

use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::task::Poll;

/// Runs at most `at_once` of them at the same time, in this task. Gives what they come to in their own order.
pub(crate) async fn join<F: Future>(at_once: usize, parts: impl IntoIterator<Item = F>) -> Vec<F::Output> {
    let mut waiting = parts.into_iter();
    let mut running: Vec<(usize, Pin<Box<F>>)> = Vec::new();
    let mut done: Vec<Option<F::Output>> = Vec::new();
    poll_fn(move |task| {
        loop {
            while running.len() < at_once.max(1)
                && let Some(part) = waiting.next()
            {
                running.push((done.len(), Box::pin(part)));
                done.push(None);
            }
            if running.is_empty() {
                return Poll::Ready(done.drain(..).flatten().collect());
            }
            let before = running.len();
            running.retain_mut(|(index, part)| match part.as_mut().poll(task) {
                Poll::Pending => true,
                Poll::Ready(output) => {
                    if let Some(slot) = done.get_mut(*index) {
                        *slot = Some(output);
                    }
                    false
                }
            });
            if running.len() == before {
                return Poll::Pending;
            }
        }
    })
    .await
}
