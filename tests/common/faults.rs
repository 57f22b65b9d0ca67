//! The store of one worker: it waits, fails, loses replies and takes others for dead, as it is told.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use graphwright::store::{
    Append, AppendError, AppendTarget, Appended, Checkpointer, Head, Liveness, Point, RowKind, Seq, StoreError, ThreadKey,
};
use graphwright::{IdGen as _, RandomIds, WorkerId};

#[path = "hooked.rs"]
mod hooked;
pub use hooked::{Hooked, Hooks};

/// What a worker's store does, until it is told otherwise.
#[derive(Clone, Debug)]
pub struct Faults(Arc<Told>);

#[derive(Debug)]
struct Told {
    worker: WorkerId,
    calls: AtomicU64,
    /// Before and behind calls, so many times.
    points: AtomicU64,
    /// Calls that fail, by number: from the first, below the second.
    fail: Mutex<(u64, u64)>,
    /// The call from which on the reply to the next append is lost.
    lose: Mutex<Option<u64>>,
    refuse_stops: AtomicBool,
    /// Where it takes the other workers to be.
    others: Mutex<Others>,
    plant: Option<Plant>,
}

/// Where a worker takes the others to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Others {
    /// In its process.
    Here,
    /// In another one, alive.
    Elsewhere,
    Dead,
}

/// A bug that a harness must catch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Plant {
    /// On a conflict the same rows are sent again, under the number that the thread has now.
    SwapsTheNumber,
}

impl Faults {
    pub fn of(plant: Option<Plant>) -> Self {
        Self(Arc::new(Told {
            worker: WorkerId(RandomIds.fresh()),
            calls: AtomicU64::new(0),
            points: AtomicU64::new(0),
            fail: Mutex::new((0, 0)),
            lose: Mutex::new(None),
            refuse_stops: AtomicBool::new(false),
            others: Mutex::new(Others::Here),
            plant,
        }))
    }

    /// Calls so far.
    pub fn calls(&self) -> u64 {
        self.0.calls.load(Ordering::SeqCst)
    }

    /// How often somebody stood before a call or behind one.
    pub fn points(&self) -> u64 {
        self.0.points.load(Ordering::SeqCst)
    }

    /// So many calls fail, when so many more have passed.
    pub fn fail(&self, after: u64, calls: u64) {
        let from = self.calls() + after;
        *self.0.fail.lock().unwrap() = (from, from.saturating_add(calls));
    }

    /// The reply to an append is lost, when so many more calls have passed.
    pub fn lose(&self, after: u64) {
        *self.0.lose.lock().unwrap() = Some(self.calls() + after);
    }

    /// A run cannot write that it ends: as if its process had died.
    pub fn refuse_stops(&self, refuse: bool) {
        self.0.refuse_stops.store(refuse, Ordering::SeqCst);
    }

    /// Where it takes all other workers to be.
    pub fn presume(&self, others: Others) {
        *self.0.others.lock().unwrap() = others;
    }

    fn others(&self) -> Others {
        *self.0.others.lock().unwrap()
    }

    /// Nothing fails any more.
    pub fn heal(&self) {
        *self.0.fail.lock().unwrap() = (0, 0);
        *self.0.lose.lock().unwrap() = None;
        self.refuse_stops(false);
    }

    /// Whether something may fail yet.
    pub fn is_armed(&self) -> bool {
        self.0.fail.lock().unwrap().1 > self.calls() || self.0.lose.lock().unwrap().is_some() || self.0.refuse_stops.load(Ordering::SeqCst)
    }

    /// As another worker's id looks to one that does not take it to be here: the registry of the process does not know it.
    fn alias(worker: WorkerId) -> WorkerId {
        WorkerId(worker.0.map(|byte| !byte))
    }
}

/// A worker's way to the threads that all share.
pub type Worker<S> = Hooked<S, Faults>;

impl Hooks for Faults {
    async fn enter(&self) -> Result<u64, StoreError> {
        self.0.points.fetch_add(1, Ordering::SeqCst);
        tokio::task::yield_now().await;
        let call = self.0.calls.fetch_add(1, Ordering::SeqCst);
        let (from, below) = *self.0.fail.lock().unwrap();
        if (from..below).contains(&call) { Err(StoreError::Io("told to fail".into())) } else { Ok(call) }
    }

    async fn leave(&self) {
        self.0.points.fetch_add(1, Ordering::SeqCst);
        tokio::task::yield_now().await;
    }

    async fn append<S: Checkpointer>(&self, inner: &S, call: u64, mut append: Append) -> Result<Appended, AppendError> {
        if let Some(worker) = append.head.worker
            && self.others() != Others::Here
            && worker != self.0.worker
        {
            append.head.worker = Some(Self::alias(worker));
        }
        let stops = append.rows.iter().any(|row| row.kind == RowKind::Stop && row.run.is_some());
        if stops && self.0.refuse_stops.load(Ordering::SeqCst) {
            return Err(AppendError::Store(StoreError::Closed));
        }
        let mut appended = inner.append(append.clone()).await;
        if self.0.plant == Some(Plant::SwapsTheNumber)
            && matches!(appended, Err(AppendError::Conflict))
            && let AppendTarget::At { scope, uid, .. } = append.target
        {
            let key = ThreadKey { scope, by: graphwright::store::By::Uid(uid) };
            if let Some(loaded) = inner.load(&key, Point::After(Seq::MAX)).await? {
                append.target = AppendTarget::At { scope, uid, seq: loaded.seq };
                appended = inner.append(append).await;
            }
        }
        let loses = self.0.lose.lock().unwrap().take_if(|from| *from <= call).is_some();
        if loses && appended.is_ok() {
            return Err(AppendError::Unknown);
        }
        self.leave().await;
        appended
    }

    fn show(&self, head: &mut Head) {
        if let Some(worker) = head.worker.filter(|worker| *worker != self.0.worker)
            && self.others() != Others::Here
        {
            head.worker = Some(Self::alias(worker));
        }
    }

    fn worker(&self, _: WorkerId) -> WorkerId {
        self.0.worker
    }

    fn alive(&self) -> Option<Liveness> {
        Some(if self.others() == Others::Dead { Liveness::Dead } else { Liveness::Alive })
    }
}
