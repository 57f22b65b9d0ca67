//! A damaged row is a typed error that names thread and row; everything else goes on.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

#[path = "support/store.rs"]
mod support;

use graphwright::store::{Append, AppendError, By, Checkpointer, Page, Point, Query, Sqlite, StoreError, ThreadKey};
use graphwright::{Scope, Timestamp};
use rusqlite::Connection;
use support::{create, key, load, next, place, question};

/// Whatever is changed in the stored log of a thread, loading it is a typed error that names thread and row.
#[tokio::test]
async fn damage_is_told_by_thread_and_row() {
    let columns = [
        ("gw_row", "commit_id = zeroblob(16)", 2),
        ("gw_row", "commit_id = x'00'", 2),
        ("gw_row", "kind = 3", 2),
        ("gw_row", "kind = 99", 2),
        ("gw_row", "kind = -1", 2),
        ("gw_row", "turn = zeroblob(16)", 2),
        ("gw_row", "turn = zeroblob(1000)", 2),
        ("gw_row", "run = zeroblob(16)", 2),
        ("gw_row", "path = path || 'x'", 2),
        ("gw_row", "path = CAST(x'ff' AS TEXT)", 2),
        ("gw_row", "ord = ord + 1", 2),
        ("gw_row", "ord = -1", 2),
        ("gw_row", "place = ''", 2),
        ("gw_row", "graph = 999", 2),
        ("gw_row", "at = at + 1", 2),
        ("gw_row", "body = x''", 2),
        ("gw_row", "body = x'07070707070707070706'", 2),
        ("gw_row", "body = substr(body, 2)", 2),
        ("gw_row", "crc = crc + 1", 2),
        ("gw_row", "crc = -1", 2),
        ("gw_row", "crc = 9223372036854775807", 2),
        ("gw_row", "seq = 99", 2),
        ("gw_row", "uid = 2", 2),
        ("gw_snapshot", "body = x'00'", 4),
        ("gw_snapshot", "crc = 0", 4),
    ];
    for (table, change, seq) in columns {
        let (_directory, path) = place();
        let store = Sqlite::open(&path).await.unwrap();
        let mut at = store.append(create("t")).await.unwrap();
        store.append(create("other")).await.unwrap();
        for n in 2..=4 {
            let snapshot = (n == 4).then(|| vec![1, 2, 3]);
            at = store.append(Append { snapshot, ..next(at, 10) }).await.unwrap();
        }
        let db = Connection::open(&path).unwrap();
        db.execute_batch("PRAGMA foreign_keys = OFF").unwrap();
        assert_eq!(db.execute(&format!("UPDATE {table} SET {change} WHERE uid = 1 AND seq = {seq}"), []).unwrap(), 1, "{change}");

        let point = if table == "gw_row" { Point::Seq(3) } else { Point::Head };
        match store.load(&key("t"), point).await {
            Err(StoreError::Corrupt { thread, seq: found, .. }) => assert_eq!((thread.as_str(), found), ("t", seq), "{change}"),
            other => panic!("{table}: {change}: {other:?}"),
        }
        assert_eq!(load(&store, "other").await.unwrap().unwrap().seq, 1, "another thread");
        let older = store.load(&key("t"), Point::Seq(1)).await.unwrap().unwrap();
        assert_eq!(older.rows.len(), 1, "an older state");
        if table == "gw_row" && !change.starts_with("seq") && !change.starts_with("uid") {
            let history = Query::History { scope: Scope::root().hash(), uid: at.uid };
            let page = store.list(&history, Page::default()).await.unwrap();
            assert_eq!(page.rows.iter().map(|row| row.seq).collect::<Vec<_>>(), [1], "older rows are listed: {change}");
            let after = store.list(&history, Page { after: page.next, limit: 10 }).await;
            assert!(matches!(after, Err(StoreError::Corrupt { seq: 2, .. })), "{change}: {after:?}");
        }
        assert!(store.delete(&key("t")).await.unwrap(), "it can be deleted: {change}");
    }
}

#[tokio::test]
async fn damaged_heads_and_questions_are_typed_errors() {
    let changes = [
        ("gw_thread", "status = 9"),
        ("gw_thread", "turn = x''"),
        ("gw_thread", "seq = -1"),
        ("gw_thread", "seq = 50"),
        ("gw_thread", "seq = 9223372036854775807"),
        ("gw_thread", "first_seq = -5"),
        ("gw_thread", "debt = -1"),
        ("gw_thread", "name = 'a' || char(0) || char(27) || '[31m'"),
        ("gw_thread", "name = ''"),
        ("gw_thread", "graph = 77"),
        ("gw_graph", "name = 'other'"),
        ("gw_graph", "version = -1"),
        ("gw_graph", "fingerprint = x'00'"),
        ("gw_question", "gen = -1"),
        ("gw_question", "digest = zeroblob(32)"),
        ("gw_question", "digest = x''"),
        ("gw_question", "body = x''"),
        ("gw_question", "place = 'another'"),
        ("gw_question", "notify = 0"),
        ("gw_question", "expiry_way = 0"),
        ("gw_question", "graph = 77"),
        ("gw_question", "opened = -1"),
        ("gw_question", "crc = 0"),
        ("gw_label", "label = 'everybody'"),
    ];
    for (table, change) in changes {
        let (_directory, path) = place();
        let store = Sqlite::open(&path).await.unwrap();
        let question = question();
        let at = store.append(Append { opens: vec![question.clone()], ..create("t") }).await.unwrap();
        let db = Connection::open(&path).unwrap();
        db.execute_batch("PRAGMA foreign_keys = OFF; PRAGMA ignore_check_constraints = ON").unwrap();
        assert!(db.execute(&format!("UPDATE {table} SET {change}"), []).unwrap() > 0, "{change}");
        let by_uid = ThreadKey { scope: Scope::root().hash(), by: By::Uid(at.uid) };
        let loaded = store.load(&by_uid, Point::Head).await;
        assert!(matches!(loaded, Err(StoreError::Corrupt { .. })), "{table}: {change}: {loaded:?}");
        let message = loaded.unwrap_err().to_string();
        assert!(!message.chars().any(char::is_control), "{message:?}");
        // Everything else may find the damage or not; none of it may panic.
        let scope = Scope::root().hash();
        let _ = store.question(scope, at.uid, question.id).await;
        for query in [Query::Threads { scope: Some(scope), status: vec![] }, Query::Due { now: Timestamp(99) }, Query::Outbox] {
            let _ = store.list(&query, Page::default()).await;
        }
        let _ = store.append(next(at, 1)).await;
        let _ = store.prune(&by_uid, 1).await;
        assert!(store.delete(&by_uid).await.unwrap(), "it can be deleted: {change}");
    }
}

#[tokio::test]
async fn rows_left_over_refuse_an_append() {
    let (_directory, path) = place();
    let store = Sqlite::open(&path).await.unwrap();
    let at = store.append(create("t")).await.unwrap();
    store.append(next(at, 1)).await.unwrap();
    Connection::open(&path).unwrap().execute("UPDATE gw_thread SET seq = 1", []).unwrap();
    let refused = store.append(next(at, 1)).await.unwrap_err();
    assert!(matches!(refused, AppendError::Store(StoreError::Corrupt { seq: 1, .. })), "{refused:?}");
    assert_eq!(load(&store, "t").await.unwrap().unwrap().seq, 1, "nothing was written");
}
