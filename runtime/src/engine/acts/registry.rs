//! Which runs live in this process: a dropped run frees its thread at once.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

use crate::id::{RunId, WorkerId};
use crate::store::{ErasedStore, Head, Liveness, StoreError};
use crate::sync::{Mutex, PoisonError, one_in_a_process};

type Live = HashMap<(WorkerId, RunId), Handle>;

/// A run, for whoever knows its id.
#[derive(Debug)]
struct Handle {
    cancel: CancellationToken,
    drain: CancellationToken,
    woken: Arc<Notify>,
}

one_in_a_process! {
    static LIVE: Mutex<Live> = Mutex::default();
    /// Workers of this process: each store that was opened here is one.
    static HERE: Mutex<HashSet<WorkerId>> = Mutex::default();
    static ENDED: Notify = Notify::new();
}

fn with<T>(read: impl FnOnce(&mut Live) -> T) -> T {
    read(&mut LIVE.lock().unwrap_or_else(PoisonError::into_inner))
}

/// A store of this process: what runs on it is known here.
pub(crate) fn settle(worker: WorkerId) {
    HERE.lock().unwrap_or_else(PoisonError::into_inner).insert(worker);
}

/// A run is alive in this process as long as this is held. Taken before its claim is sent: a claim without it would be
/// one of a dead run, for whoever looks in between.
#[derive(Debug)]
pub(crate) struct Lease {
    worker: WorkerId,
    run: RunId,
    /// Told when somebody else in this process changes the thread.
    pub(crate) woken: Arc<Notify>,
}

impl Lease {
    pub(crate) fn take(worker: WorkerId, run: RunId, cancel: CancellationToken, drain: CancellationToken) -> Self {
        let woken = Arc::new(Notify::new());
        let handle = Handle { cancel, drain, woken: Arc::clone(&woken) };
        with(|live| live.insert((worker, run), handle));
        Self { worker, run, woken }
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        with(|live| live.remove(&(self.worker, self.run)));
        ENDED.notify_waiters();
    }
}

/// Cancels a run of this process; false if it is none.
pub(crate) fn cancel(worker: WorkerId, run: RunId) -> bool {
    with(|live| live.get(&(worker, run)).map(|handle| handle.cancel.cancel())).is_some()
}

/// Lets a run of this process stop at its next commit; false if it is none.
pub(crate) fn drain(worker: WorkerId, run: RunId) -> bool {
    with(|live| live.get(&(worker, run)).map(|handle| handle.drain.cancel())).is_some()
}

/// Tells a run of this process that its thread was changed.
pub(crate) fn wake(head: &Head) {
    if let (Some(worker), Some(run)) = (head.worker, head.run) {
        with(|live| live.get(&(worker, run)).map(|handle| handle.woken.notify_one()));
    }
}

/// Ends when some run of this process ends. Made before looking, so that none is missed.
pub(crate) fn ended() -> tokio::sync::futures::Notified<'static> {
    ENDED.notified()
}

/// Whether the run that a head names is surely gone. Only a hint: safety never depends on it.
pub(crate) async fn owner_is_dead(store: &Arc<dyn ErasedStore>, head: &Head) -> Result<bool, StoreError> {
    let (Some(run), Some(worker)) = (head.run, head.worker) else { return Ok(true) };
    if with(|live| live.contains_key(&(worker, run))) {
        return Ok(false);
    }
    if HERE.lock().unwrap_or_else(PoisonError::into_inner).contains(&worker) {
        return Ok(true);
    }
    Ok(store.alive(worker).await? == Liveness::Dead)
}
