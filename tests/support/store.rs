//! Appends to begin from, for tests of the SQLite store.

use std::path::PathBuf;

use graphwright::store::{
    Append, AppendTarget, Appended, By, Checkpointer, GraphRef, Head, Loaded, NewQuestion, NewRow, Point, RowKind, Sqlite, Status,
    StoreError, ThreadKey,
};
use graphwright::{CommitId, IdGen, QuestionId, RandomIds, Scope, ThreadId, Timestamp, TurnId};
use tempfile::TempDir;

pub(crate) fn place() -> (TempDir, PathBuf) {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("threads.db");
    (directory, path)
}

pub(crate) fn key(name: &str) -> ThreadKey {
    ThreadKey { scope: Scope::root().hash(), by: By::Name(ThreadId::new(name).unwrap()) }
}

pub(crate) fn append(target: AppendTarget, bytes: usize) -> Append {
    let turn = TurnId(RandomIds.fresh());
    let row = NewRow {
        kind: RowKind::Step,
        turn,
        run: None,
        path: "1:A".to_owned(),
        ord: 3,
        place: "react".to_owned(),
        at: Timestamp(1),
        body: vec![7; bytes],
    };
    let graph = GraphRef { name: "Support".to_owned(), version: 1, fingerprint: [9; 32] };
    Append {
        target,
        commit: CommitId(RandomIds.fresh()),
        rows: vec![row],
        head: Head { status: Status::Idle, run: None, worker: None, turn, graph, at: Timestamp(1) },
        opens: vec![],
        shuts: vec![],
        snapshot: None,
        request: None,
    }
}

pub(crate) fn create(name: &str) -> Append {
    append(AppendTarget::New { scope: Scope::root(), name: ThreadId::new(name).unwrap(), over: None }, 10)
}

pub(crate) fn next(at: Appended, bytes: usize) -> Append {
    append(AppendTarget::At { scope: Scope::root().hash(), uid: at.uid, seq: at.seq }, bytes)
}

pub(crate) fn question() -> NewQuestion {
    NewQuestion {
        id: QuestionId(RandomIds.fresh()),
        generation: 0,
        path: "1:A".to_owned(),
        place: "approve".to_owned(),
        digest: [5; 32],
        expires: Some(Timestamp(9)),
        expiry_way: true,
        labels: vec!["managers".to_owned()],
        body: vec![1, 2, 3],
        notify: true,
    }
}

pub(crate) async fn load(store: &Sqlite, name: &str) -> Result<Option<Loaded>, StoreError> {
    store.load(&key(name), Point::Head).await
}
