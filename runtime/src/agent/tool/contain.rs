//! A panic in a tool is the tool's failure, not the run's.

use std::future::{Future, poll_fn};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::task::Poll;

/// A panic while the future was polled.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Panicked;

/// Waits for the future. It is not polled again once it has panicked.
pub(crate) async fn contain<T>(mut future: Pin<Box<dyn Future<Output = T> + Send + '_>>) -> Result<T, Panicked> {
    poll_fn(|cx| match catch_unwind(AssertUnwindSafe(|| future.as_mut().poll(cx))) {
        Ok(poll) => poll.map(Ok),
        Err(_) => Poll::Ready(Err(Panicked)),
    })
    .await
}

#[cfg(test)]
#[allow(clippy::panic)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_panic_behind_an_await_is_caught() {
        let future = Box::pin(async {
            tokio::task::yield_now().await;
            panic!("on purpose")
        });
        assert_eq!(contain::<()>(future).await, Err(Panicked));
        assert_eq!(contain(Box::pin(async { 7 })).await, Ok(7));
    }
}
