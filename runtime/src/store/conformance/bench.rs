//! What the cases are written with: a store, ids that repeat in every run, and appends to begin from.

use std::fmt::Debug;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

use super::{Failure, Verdict};
use crate::clock::{Clock, CountingIds, IdGen, SystemClock, Timestamp};
use crate::id::{CommitId, QuestionId, RunId, Scope, ThreadId, TurnId, WorkerId};
use crate::store::{
    Append, AppendError, AppendTarget, Appended, By, Checkpointer, ErasedStore, Fate, GraphRef, Head, Listing, Loaded, NewQuestion, NewRow,
    Page, Point, Query, RowKind, Shut, Status, StoreError, ThreadKey, Uid,
};

/// A store to try, and the scope in which it is tried.
#[derive(Clone, Debug)]
pub(super) struct Bench {
    pub(super) store: Arc<dyn ErasedStore>,
    pub(super) scope: Scope,
    ids: Arc<CountingIds>,
    bodies: Arc<AtomicU8>,
}

impl Bench {
    pub(super) fn new(store: impl Checkpointer) -> Self {
        Self { store: Arc::new(store), scope: Scope::root(), ids: Arc::default(), bodies: Arc::default() }
    }

    /// The same store, seen by another tenant.
    pub(super) fn tenant(&self, segments: &[&str]) -> Result<Self, Failure> {
        let scope = Scope::new(segments.iter().copied()).map_err(|error| Failure(error.to_string()))?;
        Ok(Self { scope, ..self.clone() })
    }

    pub(super) fn id(&self) -> [u8; 16] {
        self.ids.fresh()
    }

    pub(super) fn key(&self, name: &str) -> Result<ThreadKey, Failure> {
        Ok(ThreadKey { scope: self.scope.hash(), by: By::Name(thread(name)?) })
    }

    pub(super) fn uid(&self, uid: Uid) -> ThreadKey {
        ThreadKey { scope: self.scope.hash(), by: By::Uid(uid) }
    }

    pub(super) fn version(&self, at: Appended) -> ThreadKey {
        ThreadKey { scope: self.scope.hash(), by: By::At(at.uid, at.seq) }
    }

    /// A row that nobody wrote before.
    pub(super) fn row(&self) -> NewRow {
        NewRow {
            kind: RowKind::Step,
            turn: TurnId(self.id()),
            run: None,
            path: "1:A/2:each[3]".to_owned(),
            ord: 7,
            place: "react".to_owned(),
            at: Timestamp(1_000_000),
            body: vec![1, self.bodies.fetch_add(1, Ordering::Relaxed)],
        }
    }

    pub(super) fn rows(&self, count: usize) -> Vec<NewRow> {
        (0..count).map(|_| self.row()).collect()
    }

    /// An append of one row that creates `name`.
    pub(super) fn create(&self, name: &str) -> Result<Append, Failure> {
        let target = AppendTarget::New { scope: self.scope.clone(), name: thread(name)?, over: None };
        Ok(self.append(target))
    }

    /// An append of one row after `at`.
    pub(super) fn next(&self, at: Appended) -> Append {
        self.append(AppendTarget::At { scope: self.scope.hash(), uid: at.uid, seq: at.seq })
    }

    fn append(&self, target: AppendTarget) -> Append {
        Append {
            target,
            commit: CommitId(self.id()),
            rows: self.rows(1),
            head: self.head(),
            opens: Vec::new(),
            shuts: Vec::new(),
            snapshot: None,
            request: None,
        }
    }

    /// A head that nobody has.
    pub(super) fn head(&self) -> Head {
        let turn = TurnId(self.id());
        Head { status: Status::Idle, run: None, worker: None, turn, graph: graph("Support", 1), at: Timestamp(1_000_000) }
    }

    /// A head that a run of this store has.
    pub(super) fn running(&self) -> Head {
        self.running_by(self.store.worker())
    }

    pub(super) fn running_by(&self, worker: WorkerId) -> Head {
        Head { status: Status::Running, run: Some(RunId(self.id())), worker: Some(worker), ..self.head() }
    }

    pub(super) fn question(&self) -> NewQuestion {
        NewQuestion {
            id: QuestionId(self.id()),
            generation: 0,
            path: "1:A".to_owned(),
            place: "approve".to_owned(),
            digest: [5; 32],
            expires: None,
            expiry_way: false,
            labels: vec!["managers".to_owned()],
            body: vec![1, 2, 3],
            notify: false,
        }
    }

    pub(super) async fn send(&self, append: Append) -> Result<Appended, Failure> {
        Ok(self.store.append(append).await?)
    }

    /// A thread of one row.
    pub(super) async fn begin(&self, name: &str) -> Result<Appended, Failure> {
        self.send(self.create(name)?).await
    }

    /// One row more.
    pub(super) async fn step(&self, at: Appended) -> Result<Appended, Failure> {
        self.send(self.next(at)).await
    }

    /// A thread that waits for an answer to `question`.
    pub(super) async fn ask(&self, name: &str, question: &NewQuestion) -> Result<Appended, Failure> {
        self.send(Append { opens: vec![question.clone()], ..self.create(name)? }).await
    }

    pub(super) async fn load(&self, name: &str) -> Result<Option<Loaded>, Failure> {
        Ok(self.store.load(&self.key(name)?, Point::Head).await?)
    }

    /// A thread that must be there.
    pub(super) async fn loaded(&self, name: &str) -> Result<Loaded, Failure> {
        self.load(name).await?.ok_or_else(|| Failure(format!("there is no thread `{name}`")))
    }

    pub(super) async fn at(&self, uid: Uid, point: Point) -> Result<Loaded, Failure> {
        let loaded = self.store.load(&self.uid(uid), point).await?;
        loaded.ok_or_else(|| Failure(format!("there is no thread with uid {uid}")))
    }

    pub(super) async fn list(&self, query: &Query) -> Result<Listing, Failure> {
        Ok(self.store.list(query, Page { after: None, limit: 1000 }).await?)
    }

    pub(super) async fn history(&self, uid: Uid) -> Result<Listing, Failure> {
        self.list(&Query::History { scope: self.scope.hash(), uid }).await
    }

    /// Everything that this scope can see, from every table.
    pub(super) async fn everything(&self) -> Result<Vec<Listing>, Failure> {
        let scope = self.scope.hash();
        let mut seen = vec![self.list(&Query::Threads { scope: Some(scope), status: Vec::new() }).await?];
        for query in [
            Query::Running,
            Query::Long { keep: 0 },
            Query::Rested { before: Timestamp(i64::MAX) },
            inbox(&self.scope),
            Query::Due { now: Timestamp(i64::MAX) },
            Query::Outbox,
        ] {
            seen.push(self.list(&query).await?);
        }
        let uids: Vec<Uid> = seen.iter().flat_map(|listing| listing.threads.iter().map(|thread| thread.uid)).collect();
        for uid in uids {
            seen.push(self.history(uid).await?);
            let loaded = self.at(uid, Point::Head).await?;
            let rows = loaded.rows.clone();
            seen.push(Listing { rows, questions: loaded.open.clone(), next: Some(format!("{loaded:?}")), ..Listing::default() });
        }
        Ok(seen)
    }

    /// Sends what must be refused as `refusal` says, and leave no trace.
    pub(super) async fn refused(&self, append: Append, refusal: impl Fn(&AppendError) -> bool) -> Verdict {
        let before = self.everything().await?;
        let answer = self.store.append(append).await;
        ensure(answer.as_ref().is_err_and(refusal), || format!("expected another refusal, found {answer:?}"))?;
        same("everything after a refusal", self.everything().await?, before)
    }
}

pub(super) fn thread(name: &str) -> Result<ThreadId, Failure> {
    ThreadId::new(name).map_err(|error| Failure(error.to_string()))
}

pub(super) fn graph(name: &str, version: u32) -> GraphRef {
    GraphRef { name: name.to_owned(), version, fingerprint: [9; 32] }
}

/// All open questions of a scope.
pub(super) fn inbox(scope: &Scope) -> Query {
    Query::Open { scope: Some(scope.hash()), graph: None, place: None, label: None, opened_before: None }
}

pub(super) fn answered(question: &NewQuestion) -> Shut {
    shut(question, Fate::Answered { digest: [6; 32] })
}

pub(super) fn shut(question: &NewQuestion, to: Fate) -> Shut {
    Shut { id: question.id, generation: question.generation, to }
}

pub(super) fn is_conflict(error: &AppendError) -> bool {
    matches!(error, AppendError::Conflict)
}

pub(super) fn is_corrupt(error: &AppendError) -> bool {
    matches!(error, AppendError::Store(StoreError::Corrupt { .. }))
}

pub(super) fn is_invalid(error: &AppendError) -> bool {
    matches!(error, AppendError::Invalid(_))
}

pub(super) fn is_too_large(error: &AppendError) -> bool {
    matches!(error, AppendError::TooLarge { .. })
}

/// Now, for rows that are young.
pub(super) fn now() -> Timestamp {
    SystemClock.now()
}

pub(super) fn ensure(holds: bool, what: impl FnOnce() -> String) -> Verdict {
    if holds { Ok(()) } else { Err(Failure(what())) }
}

pub(super) fn same<T: PartialEq + Debug>(what: &str, found: T, expected: T) -> Verdict {
    ensure(found == expected, || format!("{what}: expected {expected:?}, found {found:?}"))
}
