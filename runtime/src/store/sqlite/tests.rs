//! What only the inside can see.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use rusqlite::Connection;

use super::open::{Opener, check_version};
use super::{Options, WalSync};

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
