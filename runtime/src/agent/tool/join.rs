//! Several futures at once, but not too many, and their results in order.

use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::task::Poll;

/// Runs at most `at_once` of the futures at a time, in this task. Results come in the order of the futures, whoever
/// finishes first. Dropping it drops all of them.
pub(crate) async fn join<F: Future>(at_once: usize, futures: impl IntoIterator<Item = F>) -> Vec<F::Output> {
    let mut waiting = futures.into_iter().enumerate();
    let mut running: Vec<(usize, Pin<Box<F>>)> = Vec::new();
    let mut done: Vec<(usize, F::Output)> = Vec::new();
    poll_fn(|cx| {
        loop {
            let free = at_once.max(1).saturating_sub(running.len());
            running.extend(waiting.by_ref().take(free).map(|(at, future)| (at, Box::pin(future))));
            let before = running.len();
            running.retain_mut(|(at, future)| match future.as_mut().poll(cx) {
                Poll::Ready(output) => {
                    done.push((*at, output));
                    false
                }
                Poll::Pending => true,
            });
            match (before, running.len()) {
                // Nothing ran, so nothing was waiting either.
                (0, _) => return Poll::Ready(()),
                // Nobody finished, so there is no room for another.
                (before, still) if before == still => return Poll::Pending,
                _ => {}
            }
        }
    })
    .await;
    done.sort_by_key(|(at, _)| *at);
    done.into_iter().map(|(_, output)| output).collect()
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[tokio::test]
    async fn results_come_in_order_and_few_run_at_once() {
        let (running, most) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let (running, most) = (&running, &most);
        let futures = (0..20).map(|n| async move {
            most.fetch_max(running.fetch_add(1, Ordering::Relaxed) + 1, Ordering::Relaxed);
            for _ in 0..(20 - n) {
                tokio::task::yield_now().await;
            }
            running.fetch_sub(1, Ordering::Relaxed);
            n
        });
        assert_eq!(join(3, futures).await, (0..20).collect::<Vec<_>>());
        assert_eq!(most.load(Ordering::Relaxed), 3);
    }

    #[tokio::test]
    async fn none_is_done_at_once() {
        assert_eq!(join(3, std::iter::empty::<std::future::Ready<u8>>()).await, Vec::<u8>::new());
    }
}
