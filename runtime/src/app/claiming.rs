//! A claim that nobody waits for to its end.

use std::future::Future;
use std::marker::PhantomData;
use std::time::Duration;

use super::error::RunError;
use crate::engine::{self, Desk, StopWhy};
use crate::graph::Graph;
use crate::id::RunId;
use crate::store::ThreadKey;

/// When it is looked whether the claim was written after all: an append that was sent goes on when its caller is gone.
const LOOKS: [Duration; 3] = [Duration::ZERO, Duration::from_millis(200), Duration::from_secs(2)];

/// Waits for a claim. If it is dropped before it is known what became of it, or if that cannot be known, the thread is let go
/// as far as there is somebody to do it. In this process the thread is free at once all the same.
pub(super) async fn claiming<G: Graph, T>(
    desk: &Desk,
    key: &ThreadKey,
    run: RunId,
    claim: impl Future<Output = Result<T, RunError>>,
) -> Result<T, RunError> {
    let mut guard = Guard::<G> { unknown: Some((desk, key, run)), graph: PhantomData };
    let came = claim.await;
    if !matches!(came, Err(RunError::Unknown)) {
        guard.unknown = None;
    }
    came
}

struct Guard<'a, G: Graph> {
    unknown: Option<(&'a Desk, &'a ThreadKey, RunId)>,
    graph: PhantomData<fn() -> G>,
}

impl<G: Graph> Drop for Guard<'_, G> {
    fn drop(&mut self) {
        let Some((desk, key, run)) = self.unknown.take() else { return };
        let Ok(runtime) = tokio::runtime::Handle::try_current() else { return };
        let (desk, key) = (desk.clone(), key.clone());
        runtime.spawn(async move {
            for wait in LOOKS {
                tokio::time::sleep(wait).await;
                if matches!(engine::stop::<G>(&desk, &key, Some(run), StopWhy::Abandoned).await, Ok(true)) {
                    return;
                }
            }
        });
    }
}
