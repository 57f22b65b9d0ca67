//! A store that counts what it is given.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use graphwright::store::{
    Append, AppendError, Appended, Checkpointer, Listing, Liveness, Loaded, Page, Point, Query, QuestionRow, Seq, StoreError, ThreadKey,
    Uid,
};
use graphwright::{QuestionId, ScopeHash, Timestamp, WorkerId};

/// Bytes and commits that went into a store. Clones share them.
#[derive(Clone, Debug, Default)]
pub struct Meter {
    bytes: Arc<AtomicU64>,
    commits: Arc<AtomicU64>,
}

impl Meter {
    /// Bodies of rows, questions and snapshots.
    pub fn bytes(&self) -> u64 {
        self.bytes.load(Ordering::Relaxed)
    }

    pub fn commits(&self) -> u64 {
        self.commits.load(Ordering::Relaxed)
    }

    fn count(&self, append: &Append) {
        let rows: usize = append.rows.iter().map(|row| row.body.len()).sum();
        let opens: usize = append.opens.iter().map(|question| question.body.len()).sum();
        let bytes = rows + opens + append.snapshot.as_ref().map_or(0, Vec::len);
        self.bytes.fetch_add(bytes as u64, Ordering::Relaxed);
        self.commits.fetch_add(1, Ordering::Relaxed);
    }
}

#[derive(Debug)]
pub struct Measured<C> {
    store: C,
    meter: Meter,
}

impl<C> Measured<C> {
    pub fn new(store: C) -> (Self, Meter) {
        let meter = Meter::default();
        (Self { store, meter: meter.clone() }, meter)
    }
}

impl<C: Checkpointer> Checkpointer for Measured<C> {
    async fn load(&self, thread: &ThreadKey, at: Point) -> Result<Option<Loaded>, StoreError> {
        self.store.load(thread, at).await
    }

    async fn append(&self, append: Append) -> Result<Appended, AppendError> {
        self.meter.count(&append);
        self.store.append(append).await
    }

    async fn question(&self, scope: ScopeHash, uid: Uid, id: QuestionId) -> Result<Option<QuestionRow>, StoreError> {
        self.store.question(scope, uid, id).await
    }

    async fn list(&self, query: &Query, page: Page) -> Result<Listing, StoreError> {
        self.store.list(query, page).await
    }

    async fn delivered(&self, uid: Uid, question: QuestionId, generation: u32) -> Result<(), StoreError> {
        self.store.delivered(uid, question, generation).await
    }

    async fn delete(&self, thread: &ThreadKey) -> Result<bool, StoreError> {
        self.store.delete(thread).await
    }

    async fn prune(&self, thread: &ThreadKey, below: Seq) -> Result<u64, StoreError> {
        self.store.prune(thread, below).await
    }

    fn worker(&self) -> WorkerId {
        self.store.worker()
    }

    async fn alive(&self, worker: WorkerId) -> Result<Liveness, StoreError> {
        self.store.alive(worker).await
    }

    async fn now(&self) -> Result<Option<Timestamp>, StoreError> {
        self.store.now().await
    }
}
