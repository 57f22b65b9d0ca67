//! What only the inside can see.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use std::sync::mpsc;

use rusqlite::Connection;

use super::fault::Fault;
use super::open::{Opener, check_version};
use super::writer::Writer;
use super::{Options, WalSync};
use crate::store::{AppendError, StoreError};

#[test]
fn an_sqlite_that_damages_files_is_refused() {
    for (number, name) in [(3_051_002, "3.51.2"), (3_045_000, "3.45.0"), (3_000_000, "3.0.0"), (0, "0.0.0")] {
        let refusal = check_version(number).unwrap_err();
        assert!(refusal.starts_with(&format!("SQLite {name} ")), "{refusal}");
    }
    for number in [3_051_003, 3_052_000, 4_000_000, rusqlite::version_number()] {
        assert_eq!(check_version(number), Ok(()));
    }
}

fn pragma(db: &Connection, name: &str) -> String {
    db.pragma_query_value(None, name, |row| row.get::<_, rusqlite::types::Value>(0).map(|value| format!("{value:?}"))).unwrap()
}

#[test]
fn every_connection_is_set_as_promised() {
    let directory = tempfile::tempdir().unwrap();
    for (n, (sync, synchronous)) in
        [(WalSync::Full, "Integer(2)"), (WalSync::LosesLastCommitsWithPower, "Integer(1)")].into_iter().enumerate()
    {
        let options = Options::new().sync(sync).max_file_bytes(1 << 20);
        let mut opener = Opener::new(directory.path().join(format!("{n}.db")), options);
        let connections = [opener.prepare().unwrap(), opener.write().unwrap(), opener.read().unwrap()];
        for (db, query_only) in connections.iter().zip(["Integer(0)", "Integer(0)", "Integer(1)"]) {
            assert_eq!(pragma(db, "journal_mode"), "Text(\"wal\")");
            assert_eq!(pragma(db, "synchronous"), synchronous);
            assert_eq!(pragma(db, "foreign_keys"), "Integer(1)");
            assert_eq!(pragma(db, "trusted_schema"), "Integer(0)");
            assert_eq!(pragma(db, "query_only"), query_only);
            assert_eq!(pragma(db, "max_page_count"), "Integer(256)");
            assert_eq!(pragma(db, "busy_timeout"), "Integer(5000)");
        }
    }
}

/// No listing may look at every thread or question there is.
#[test]
fn every_listing_has_an_index() {
    let directory = tempfile::tempdir().unwrap();
    let db = Opener::new(directory.path().join("threads.db"), Options::new()).prepare().unwrap();
    for (sql, index) in super::list::STATEMENTS {
        let mut explain = db.prepare(&format!("EXPLAIN QUERY PLAN {sql}")).unwrap();
        let nulls = vec![rusqlite::types::Null; explain.parameter_count()];
        let plan = explain.query_map(rusqlite::params_from_iter(nulls), |row| row.get::<_, String>(3)).unwrap();
        let plan = plan.collect::<Result<Vec<_>, _>>().unwrap().join("\n");
        assert!(plan.contains(index), "{sql}\nis not answered by {index}:\n{plan}");
        assert!(!plan.contains("SCAN") && !plan.contains("TEMP B-TREE"), "{sql}\nwalks or sorts:\n{plan}");
    }
}

/// What one task of a group does to it.
type Harm = fn(&Connection) -> Result<(), Fault>;

/// Three tasks wait while the writer is held up, so that they become one group, and the one in the middle does harm.
/// Gives the three answers, and which of the good ones are in the file.
async fn group(harm: Harm) -> ([Result<(), AppendError>; 3], Vec<i64>) {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("threads.db");
    let (writer, thread, lock) = Writer::start(Opener::new(path.clone(), Options::new())).await.unwrap();
    let (let_go, held) = mpsc::channel::<()>();
    let hold = writer.write::<_, StoreError, _>(0, move |_| Ok(held.recv().is_err()));
    let good = |id: i64| {
        move |db: &Connection| {
            db.execute("INSERT INTO gw_scope (hash, path) VALUES (?, '')", [id.to_be_bytes()])?;
            Ok(())
        }
    };
    let tasks = async {
        let (first, second, third) = tokio::join!(writer.write(0, good(1)), writer.write(0, harm), writer.write(0, good(3)));
        [first, second, third]
    };
    let go = async move { drop(let_go) };
    // Polled in this order: the writer is busy before the tasks come, and let go once they wait.
    let (held, answers, ()) = tokio::join!(biased; hold, tasks, go);
    held.unwrap();
    drop((writer, lock));
    thread.join().unwrap();
    let db = Connection::open(path).unwrap();
    let mut found = db.prepare("SELECT hash FROM gw_scope ORDER BY hash").unwrap();
    let found = found.query_map([], |row| row.get(0).map(i64::from_be_bytes)).unwrap().collect::<Result<_, _>>().unwrap();
    (answers, found)
}

#[tokio::test]
async fn a_refusal_in_a_group_leaves_the_others_alone() {
    let (answers, found) = group(|db| {
        db.execute("INSERT INTO gw_scope (hash, path) VALUES (x'00', '')", [])?;
        Err(AppendError::Conflict.into())
    })
    .await;
    assert_eq!(answers, [Ok(()), Err(AppendError::Conflict), Ok(())]);
    assert_eq!(found, [1, 3]);
}

#[tokio::test]
async fn a_group_whose_transaction_was_lost_is_done_one_by_one() {
    let (answers, found) = group(|db| {
        db.execute_batch("ROLLBACK")?;
        Err(StoreError::Full.into())
    })
    .await;
    assert_eq!(answers, [Ok(()), Err(AppendError::Store(StoreError::Full)), Ok(())]);
    assert_eq!(found, [1, 3]);
}

#[tokio::test]
async fn a_group_whose_commit_failed_is_done_one_by_one() {
    let (answers, found) = group(|db| {
        // Found out by the commit, not by the statement.
        db.execute_batch("PRAGMA defer_foreign_keys = ON; INSERT INTO gw_request (uid, key, seq) VALUES (99, '', 1)")?;
        Ok(())
    })
    .await;
    assert_eq!(answers, [Ok(()), Err(AppendError::Unknown), Ok(())]);
    assert_eq!(found, [1, 3]);
}

#[cfg(unix)]
#[test]
fn a_new_file_is_its_owners() {
    use std::os::unix::fs::PermissionsExt;
    let directory = tempfile::tempdir().unwrap();
    let db = Opener::new(directory.path().join("threads.db"), Options::new()).prepare().unwrap();
    db.execute("INSERT INTO gw_scope (hash, path) VALUES (x'', '')", []).unwrap();
    for name in ["threads.db", "threads.db-wal", "threads.db-shm"] {
        let mode = std::fs::metadata(directory.path().join(name)).unwrap().permissions().mode();
        assert_eq!(mode & 0o077, 0, "{name} has mode {mode:o}");
    }
}
