//! Stores that behave, but not well: slow ones, ones that fail, ones that lose replies.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use graphwright::store::{Append, AppendError, Appended, Checkpointer, RowKind, StoreError};
use graphwright::{Memory, Timestamp, WorkerId};

#[path = "../common/hooked.rs"]
mod hooked;
use hooked::{Hooked, Hooks};

/// What happens at a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fault {
    /// It waits before and after: so that a run can be dropped there.
    Wait,
    /// The n-th call fails, and nothing is done.
    FailOnce(u64),
    /// The same, and every call waits before and after.
    #[allow(dead_code, reason = "tests/forks has these doubles, too, and these tests no need of it")]
    FailOnceSlowly(u64),
    /// An append waits for so many turns before it is done.
    #[allow(dead_code, reason = "tests/forks has these doubles, too, and these tests no need of it")]
    Late(usize),
    /// The n-th call and every later one fails.
    FailFrom(u64),
    /// The n-th call is an append that is refused as too large.
    #[allow(dead_code, reason = "only a thread that is known without a look at the store has need of it")]
    Refuse(u64),
    /// The n-th append is done, and its reply is lost.
    LoseReply(u64),
    /// A run cannot write that it ends: as if its process had died.
    RefuseStops,
    /// It is the store of another process, which sees the first one alive.
    OtherWorker,
    /// It is on another machine, where it is so late.
    #[allow(dead_code, reason = "tests/forks has these doubles, too, and no need of clocks")]
    Clock(Timestamp),
}

/// Memory with a fault in front of it.
pub(super) type Faulty = Hooked<Memory, Faults>;

impl Faulty {
    pub(super) fn new(inner: Memory, fault: Fault) -> Self {
        Self { inner, hooks: Faults { fault, calls: Arc::default() } }
    }
}

/// One fault, and how many calls there were.
#[derive(Clone, Debug)]
pub(super) struct Faults {
    fault: Fault,
    pub(super) calls: Arc<AtomicU64>,
}

impl Hooks for Faults {
    async fn enter(&self) -> Result<u64, StoreError> {
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

    async fn leave(&self) {
        if matches!(self.fault, Fault::Wait | Fault::FailOnceSlowly(_)) {
            tokio::task::yield_now().await;
        }
    }

    async fn append<S: Checkpointer>(&self, inner: &S, call: u64, append: Append) -> Result<Appended, AppendError> {
        let leaves = append.rows.iter().any(|row| row.kind == RowKind::Stop && row.run.is_some());
        if self.fault == Fault::RefuseStops && leaves {
            return Err(AppendError::Store(StoreError::Closed));
        }
        if self.fault == Fault::Refuse(call) {
            return Err(AppendError::TooLarge { bytes: 2, limit: 1 });
        }
        if let Fault::Late(turns) = self.fault {
            for _ in 0..turns {
                tokio::task::yield_now().await;
            }
        }
        let appended = inner.append(append).await;
        if self.fault == Fault::LoseReply(call) && appended.is_ok() {
            return Err(AppendError::Unknown);
        }
        self.leave().await;
        appended
    }

    fn worker(&self, inner: WorkerId) -> WorkerId {
        if self.fault == Fault::OtherWorker { WorkerId([255; 16]) } else { inner }
    }

    fn now(&self) -> Option<Timestamp> {
        if let Fault::Clock(now) = self.fault { Some(now) } else { None }
    }
}
