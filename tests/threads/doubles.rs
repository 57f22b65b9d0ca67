//! Stores that behave, but not well: slow ones, ones that fail, ones that lose replies.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use graphwright::store::{
    Append, AppendError, Appended, Checkpointer, Listing, Liveness, Loaded, Page, Point, Query, QuestionRow, RowKind, Seq, StoreError,
    ThreadKey, Uid,
};
use graphwright::{Memory, QuestionId, ScopeHash, Timestamp, WorkerId};

/// What happens at a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fault {
    /// It waits before and after: so that a run can be dropped there.
    Wait,
    /// The n-th call fails, and nothing is done.
    FailOnce(usize),
    /// The same, and every call waits before and after.
    #[allow(dead_code, reason = "tests/forks has these doubles, too, and these tests no need of it")]
    FailOnceSlowly(usize),
    /// An append waits for so many turns before it is done.
    #[allow(dead_code, reason = "tests/forks has these doubles, too, and these tests no need of it")]
    Late(usize),
    /// The n-th call and every later one fails.
    FailFrom(usize),
    /// The n-th append is done, and its reply is lost.
    LoseReply(usize),
    /// A run cannot write that it ends: as if its process had died.
    RefuseStops,
    /// It is the store of another process, which sees the first one alive.
    OtherWorker,
    /// It is on another machine, where it is so late.
    #[allow(dead_code, reason = "tests/forks has these doubles, too, and no need of clocks")]
    Clock(Timestamp),
}

/// Memory with a fault in front of it.
#[derive(Clone, Debug)]
pub(super) struct Faulty {
    pub(super) inner: Memory,
    pub(super) fault: Fault,
    pub(super) calls: Arc<AtomicUsize>,
}

impl Faulty {
    pub(super) fn new(inner: Memory, fault: Fault) -> Self {
        Self { inner, fault, calls: Arc::default() }
    }

    async fn enter(&self) -> Result<usize, StoreError> {
        let call = self.calls.fetch_add(1, Ordering::SeqCst);
        match self.fault {
            Fault::Wait => tokio::task::yield_now().await,
            Fault::FailOnceSlowly(n) => {
                tokio::task::yield_now().await;
                if call == n {
                    return Err(StoreError::Io("told to fail".into()));
                }
            }
            Fault::FailOnce(n) if call == n => return Err(StoreError::Io("told to fail".into())),
            Fault::FailFrom(n) if call >= n => return Err(StoreError::Io("told to fail".into())),
            _ => {}
        }
        Ok(call)
    }

    async fn leave<T>(&self, value: T) -> T {
        if matches!(self.fault, Fault::Wait | Fault::FailOnceSlowly(_)) {
            tokio::task::yield_now().await;
        }
        value
    }
}

impl Checkpointer for Faulty {
    async fn load(&self, thread: &ThreadKey, at: Point) -> Result<Option<Loaded>, StoreError> {
        self.enter().await?;
        self.leave(self.inner.load(thread, at).await).await
    }
    async fn append(&self, append: Append) -> Result<Appended, AppendError> {
        let call = self.enter().await?;
        let leaves = append.rows.iter().any(|row| row.kind == RowKind::Stop && row.run.is_some());
        if self.fault == Fault::RefuseStops && leaves {
            return Err(AppendError::Store(StoreError::Closed));
        }
        if let Fault::Late(turns) = self.fault {
            for _ in 0..turns {
                tokio::task::yield_now().await;
            }
        }
        let appended = self.inner.append(append).await;
        if self.fault == Fault::LoseReply(call) && appended.is_ok() {
            return Err(AppendError::Unknown);
        }
        self.leave(appended).await
    }
    async fn question(&self, scope: ScopeHash, uid: Uid, id: QuestionId) -> Result<Option<QuestionRow>, StoreError> {
        self.enter().await?;
        self.leave(self.inner.question(scope, uid, id).await).await
    }
    async fn list(&self, query: &Query, page: Page) -> Result<Listing, StoreError> {
        self.enter().await?;
        self.leave(self.inner.list(query, page).await).await
    }
    async fn delivered(&self, uid: Uid, question: QuestionId, generation: u32) -> Result<(), StoreError> {
        self.enter().await?;
        self.leave(self.inner.delivered(uid, question, generation).await).await
    }
    async fn delete(&self, thread: &ThreadKey) -> Result<bool, StoreError> {
        self.enter().await?;
        self.leave(self.inner.delete(thread).await).await
    }
    async fn prune(&self, thread: &ThreadKey, below: Seq) -> Result<u64, StoreError> {
        self.enter().await?;
        self.leave(self.inner.prune(thread, below).await).await
    }
    fn worker(&self) -> WorkerId {
        if self.fault == Fault::OtherWorker { WorkerId([255; 16]) } else { self.inner.worker() }
    }
    async fn alive(&self, worker: WorkerId) -> Result<Liveness, StoreError> {
        self.inner.alive(worker).await
    }
    async fn now(&self) -> Result<Option<Timestamp>, StoreError> {
        if let Fault::Clock(now) = self.fault {
            return Ok(Some(now));
        }
        self.inner.now().await
    }
}
