//! Both stores pass the suite, and stores with a bug do not.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use std::sync::atomic::{AtomicU64, Ordering};

use graphwright::store::conformance::{self, cases};
use graphwright::store::{
    Append, AppendError, AppendTarget, Appended, By, Checkpointer, Listing, Liveness, Loaded, Page, Point, Query, QuestionRow, Seq, Sqlite,
    StoreError, ThreadKey, Uid,
};
use graphwright::{CommitId, Memory, QuestionId, ScopeHash, Timestamp, WorkerId};
use tempfile::TempDir;

mod memory {
    graphwright::conformance_tests!(|| async { graphwright::Memory::new() });
}

mod sqlite {
    graphwright::conformance_tests!(super::in_a_file);
}

/// An SQLite store in a directory that goes with it.
async fn in_a_file() -> Changed<Sqlite> {
    let directory = tempfile::tempdir().unwrap();
    let store = Sqlite::open(directory.path().join("threads.db")).await.unwrap();
    Changed { store, bug: Bug::None, seen: AtomicU64::new(0), _directory: Some(directory) }
}

#[test]
fn the_suite_has_its_cases() {
    let mut names: Vec<_> = cases().iter().map(conformance::Case::name).collect();
    assert!(names.len() >= 60, "{} cases", names.len());
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), cases().len(), "a case is listed twice");
}

#[test]
fn there_is_no_case_of_another_name() {
    let failure = conformance::run("append::nothing", || async { Memory::new() }).unwrap_err();
    assert_eq!(failure.to_string(), "there is no case `append::nothing`");
}

/// Every planted bug fails the case that is meant to catch it, which the same store without the bug passes.
#[test]
fn planted_bugs_are_caught() {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    for (bug, by) in BUGS {
        let case = cases().iter().find(|case| case.name() == *by).unwrap_or_else(|| panic!("there is no case {by}"));
        let store = |bug| Changed { store: Memory::new(), bug, seen: AtomicU64::new(0), _directory: None };
        assert_eq!(runtime.block_on(case.run(store(Bug::None))), Ok(()), "{by}, without a bug");
        assert!(runtime.block_on(case.run(store(*bug))).is_err(), "{bug:?} was not caught by {by}");
    }
}

#[test]
fn a_bug_fails_the_suite_as_a_whole() {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    let store = || async { Changed { store: Memory::new(), bug: Bug::BelievesInGhosts, seen: AtomicU64::new(0), _directory: None } };
    let failed = runtime.block_on(conformance::check(store)).unwrap_err();
    assert_eq!(failed.iter().map(|(name, _)| *name).collect::<Vec<_>>(), ["worker::a_stranger_does_not_live"]);
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Bug {
    None,
    /// The swap takes whatever version there is.
    SwapsWithoutComparing,
    /// A resent append is another one.
    ForgetsCommitIds,
    /// The row is written, then the refusal is told.
    WritesBeforeRefusing,
    /// Whoever knows a uid may have the thread.
    IgnoresScope,
    /// A head, and the rows as they are a moment later.
    TearsReads,
    /// Tombstones are taken for nothing.
    ForgetsTombstones,
    /// What is to go at one version goes at any.
    DeletesAtAnyVersion,
    /// Rows go that were to stay.
    PrunesEverything,
    /// A question can be shut at any generation.
    IgnoresGenerations,
    /// Messages stay for ever.
    NeverDelivers,
    /// The last item of a page is on the next one too.
    RepeatsItems,
    /// Deadlines come a microsecond early.
    HurriesDeadlines,
    /// What is too large is cut.
    Truncates,
    /// Request keys are not kept.
    ForgetsRequests,
    /// Every process is alive.
    BelievesInGhosts,
}

const BUGS: &[(Bug, &str)] = &[
    (Bug::SwapsWithoutComparing, "append::an_old_version_conflicts"),
    (Bug::SwapsWithoutComparing, "race::every_version_has_one_winner"),
    (Bug::ForgetsCommitIds, "append::twice_with_one_commit_id_is_once"),
    (Bug::ForgetsCommitIds, "race::the_same_append_at_once_is_once"),
    (Bug::WritesBeforeRefusing, "append::a_conflict_leaves_no_trace"),
    (Bug::IgnoresScope, "tenants::append_in_another_scope_is_gone"),
    (Bug::TearsReads, "race::reads_are_never_torn"),
    (Bug::ForgetsTombstones, "delete::a_new_life_names_the_tombstone"),
    (Bug::DeletesAtAnyVersion, "delete::deleting_at_a_version"),
    (Bug::PrunesEverything, "retention::pruning_keeps_the_snapshot_and_what_is_above"),
    (Bug::IgnoresGenerations, "questions::an_older_generation_is_refused"),
    (Bug::NeverDelivers, "inbox::messages_wait_until_delivered"),
    (Bug::RepeatsItems, "listing::pages_hold_everything_once"),
    (Bug::HurriesDeadlines, "inbox::due_is_after_the_deadline"),
    (Bug::Truncates, "size::a_body_above_the_limit_leaves_no_trace"),
    (Bug::ForgetsRequests, "requests::a_request_is_taken_once"),
    (Bug::BelievesInGhosts, "worker::a_stranger_does_not_live"),
];

/// A store that does what another does, but for a bug.
#[derive(Debug)]
struct Changed<S> {
    store: S,
    bug: Bug,
    seen: AtomicU64,
    _directory: Option<TempDir>,
}

impl<S: Checkpointer> Changed<S> {
    fn has(&self, bug: Bug) -> bool {
        self.bug == bug
    }

    /// The append as the bug makes it.
    async fn bent(&self, mut append: Append) -> Append {
        match (self.bug, append.target.clone()) {
            (Bug::SwapsWithoutComparing, AppendTarget::At { scope, uid, .. }) => {
                let key = ThreadKey { scope, by: By::Uid(uid) };
                if let Ok(Some(Loaded { seq, .. })) = self.store.load(&key, Point::Head).await {
                    append.target = AppendTarget::At { scope, uid, seq };
                }
            }
            (Bug::ForgetsCommitIds, _) => append.commit = CommitId(u128::from(self.seen.fetch_add(1, Ordering::Relaxed)).to_be_bytes()),
            (Bug::IgnoresScope, AppendTarget::At { scope, uid, seq }) => {
                append.target = AppendTarget::At { scope: self.owner(uid).await.unwrap_or(scope), uid, seq };
            }
            (Bug::ForgetsTombstones, AppendTarget::New { scope, name, .. }) => {
                let over = |over| AppendTarget::New { scope: scope.clone(), name: name.clone(), over };
                let asked = self.store.append(Append { target: over(Some(u64::MAX)), ..append.clone() }).await;
                append.target = over(if let Err(AppendError::Deleted(uid)) = asked { Some(uid) } else { None });
            }
            (Bug::IgnoresGenerations, AppendTarget::At { scope, uid, .. }) => {
                for shut in &mut append.shuts {
                    if let Ok(Some(row)) = self.store.question(scope, uid, shut.id).await {
                        shut.generation = row.question.generation;
                    }
                }
            }
            (Bug::Truncates, _) => append.rows.iter_mut().for_each(|row| row.body.truncate(graphwright::store::MAX_BYTES)),
            (Bug::ForgetsRequests, _) => append.request = None,
            _ => {}
        }
        append
    }

    async fn owner(&self, uid: Uid) -> Option<ScopeHash> {
        let scopes = [&["acme", "support"][..], &["acme"], &[]].map(|path| graphwright::Scope::new(path.iter().copied()).unwrap().hash());
        for scope in scopes {
            if self.store.load(&ThreadKey { scope, by: By::Uid(uid) }, Point::Head).await.unwrap().is_some() {
                return Some(scope);
            }
        }
        None
    }
}

impl<S: Checkpointer> Checkpointer for Changed<S> {
    async fn load(&self, thread: &ThreadKey, at: Point) -> Result<Option<Loaded>, StoreError> {
        let first = self.store.load(thread, at).await?;
        if !self.has(Bug::TearsReads) {
            return Ok(first);
        }
        // Until something was written in between, however busy the machine is.
        let mut second = self.store.load(thread, at).await?;
        for _ in 0..10_000 {
            if second.as_ref().map(|loaded| loaded.seq) != first.as_ref().map(|loaded| loaded.seq) {
                break;
            }
            tokio::task::yield_now().await;
            second = self.store.load(thread, at).await?;
        }
        Ok(first.zip(second).map(|(first, second)| Loaded { seq: first.seq, head: first.head, ..second }))
    }

    async fn append(&self, append: Append) -> Result<Appended, AppendError> {
        let answer = self.store.append(self.bent(append.clone()).await).await;
        if let (Bug::SwapsWithoutComparing, Ok(at), AppendTarget::At { seq, .. }) = (self.bug, &answer, &append.target) {
            return Ok(Appended { seq: seq + append.rows.len() as u64, ..*at });
        }
        if self.has(Bug::WritesBeforeRefusing)
            && let (Err(AppendError::Conflict), AppendTarget::At { scope, uid, .. }) = (&answer, &append.target)
        {
            let key = ThreadKey { scope: *scope, by: By::Uid(*uid) };
            let seq = self.store.load(&key, Point::Head).await.unwrap().unwrap().seq;
            let target = AppendTarget::At { scope: *scope, uid: *uid, seq };
            let _ = self.store.append(Append { target, ..append }).await;
        }
        answer
    }

    async fn question(&self, scope: ScopeHash, uid: Uid, id: QuestionId) -> Result<Option<QuestionRow>, StoreError> {
        self.store.question(scope, uid, id).await
    }

    async fn list(&self, query: &Query, page: Page) -> Result<Listing, StoreError> {
        let query = match query {
            Query::Due { now } if self.has(Bug::HurriesDeadlines) => &Query::Due { now: Timestamp(now.0.saturating_add(1)) },
            query => query,
        };
        let mut listing = self.store.list(query, page.clone()).await?;
        if self.has(Bug::RepeatsItems) && listing.next.is_some() && page.limit > 1 {
            let shorter = Page { limit: page.limit - 1, ..page };
            listing.next = self.store.list(query, shorter).await?.next;
        }
        Ok(listing)
    }

    async fn delivered(&self, uid: Uid, question: QuestionId, generation: u32) -> Result<(), StoreError> {
        if self.has(Bug::NeverDelivers) {
            return Ok(());
        }
        self.store.delivered(uid, question, generation).await
    }

    async fn delete(&self, thread: &ThreadKey) -> Result<bool, StoreError> {
        let thread = match thread.by {
            By::At(uid, _) if self.has(Bug::DeletesAtAnyVersion) => &ThreadKey { scope: thread.scope, by: By::Uid(uid) },
            _ => thread,
        };
        self.store.delete(thread).await
    }

    async fn prune(&self, thread: &ThreadKey, below: Seq) -> Result<u64, StoreError> {
        let below = if self.has(Bug::PrunesEverything) { u64::MAX } else { below };
        self.store.prune(thread, below).await
    }

    fn worker(&self) -> WorkerId {
        self.store.worker()
    }

    async fn alive(&self, worker: WorkerId) -> Result<Liveness, StoreError> {
        if self.has(Bug::BelievesInGhosts) { Ok(Liveness::Alive) } else { self.store.alive(worker).await }
    }

    async fn now(&self) -> Result<Option<Timestamp>, StoreError> {
        self.store.now().await
    }
}
