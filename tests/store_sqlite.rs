//! What an SQLite store does beyond the suite: files that are none, lack of space, other processes.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

#[path = "support/store.rs"]
mod support;

use std::path::Path;
use std::time::Duration;

use graphwright::store::sqlite::Options;
use graphwright::store::{
    Append, AppendError, AppendTarget, Appended, Checkpointer, Liveness, NewQuestion, Page, Query, Sqlite, StoreError,
};
use graphwright::{Scope, ThreadId};
use rusqlite::Connection;
use support::{append, create, key, load, next, place, question};

async fn refused(path: impl AsRef<Path>) -> String {
    match Sqlite::open(path).await.unwrap_err() {
        StoreError::Open { what, .. } => what,
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn what_was_written_is_there_when_opened_again() {
    let (_directory, path) = place();
    let store = Sqlite::open(&path).await.unwrap();
    let at = store.append(create("t")).await.unwrap();
    let before = load(&store, "t").await.unwrap();
    drop(store);
    let store = Sqlite::open(&path).await.unwrap();
    assert_eq!(load(&store, "t").await.unwrap(), before);
    assert_eq!(store.append(next(at, 1)).await.unwrap().seq, 2);
    assert_eq!(store.path(), path.canonicalize().unwrap());
}

#[tokio::test]
async fn an_append_that_was_begun_outlives_its_future_and_its_store() {
    let (_directory, path) = place();
    let store = Sqlite::open(&path).await.unwrap();
    let at = store.append(create("t")).await.unwrap();
    {
        let mut sent = std::pin::pin!(store.append(next(at, 1)));
        std::future::poll_fn(|cx| std::task::Poll::Ready(sent.as_mut().poll(cx).is_pending())).await;
    }
    drop(store);
    let store = Sqlite::open(&path).await.unwrap();
    assert_eq!(load(&store, "t").await.unwrap().unwrap().seq, 2);
}

#[tokio::test]
async fn what_is_no_store_is_refused_by_name() {
    let (directory, path) = place();
    assert!(refused(directory.path()).await.contains("directory"));
    assert!(refused(directory.path().join("missing/threads.db")).await.contains("its directory cannot be used"));
    assert!(refused(":memory:").await.contains("Memory::new()"));

    std::fs::write(&path, "a letter to my aunt, much longer than the header of a database, so that nobody takes it for one".repeat(9))
        .unwrap();
    assert!(refused(&path).await.contains("not an SQLite database"));
    assert!(std::fs::read_to_string(&path).unwrap().starts_with("a letter to my aunt"), "it was written to");
}

#[tokio::test]
async fn a_database_of_another_program_is_left_alone() {
    for setup in
        ["CREATE TABLE aunts (name TEXT)", "PRAGMA application_id = 77", "PRAGMA application_id = 77; CREATE TABLE aunts (name TEXT)"]
    {
        let (_directory, path) = place();
        Connection::open(&path).unwrap().execute_batch(setup).unwrap();
        let before = std::fs::read(&path).unwrap();
        assert!(refused(&path).await.contains("another program"), "{setup}");
        assert_eq!(std::fs::read(&path).unwrap(), before, "{setup}");
    }
}

#[tokio::test]
async fn a_newer_format_is_refused_and_a_broken_one_too() {
    let (_directory, path) = place();
    drop(Sqlite::open(&path).await.unwrap());
    let set = |version: i64| Connection::open(&path).unwrap().pragma_update(None, "user_version", version).unwrap();
    for (version, found) in [(2, 2), (i64::from(i32::MAX), 2_147_483_647)] {
        set(version);
        assert_eq!(Sqlite::open(&path).await.unwrap_err(), StoreError::Version { found, known: 1 });
    }
    for broken in [0, -1] {
        set(broken);
        assert!(matches!(Sqlite::open(&path).await.unwrap_err(), StoreError::Damaged(_)));
    }
    set(1);
    Sqlite::open(&path).await.unwrap();
}

#[tokio::test]
async fn an_empty_file_becomes_a_store() {
    let (_directory, path) = place();
    std::fs::write(&path, "").unwrap();
    Sqlite::open(&path).await.unwrap().append(create("t")).await.unwrap();
}

#[tokio::test]
async fn a_file_that_cannot_be_written_is_told_at_once() {
    let (_directory, path) = place();
    drop(Sqlite::open(&path).await.unwrap());
    let mut permissions = std::fs::metadata(&path).unwrap().permissions();
    permissions.set_readonly(true);
    std::fs::set_permissions(&path, permissions).unwrap();
    // The superuser may write it all the same.
    let may_write = std::fs::OpenOptions::new().append(true).open(&path).is_ok();
    match Sqlite::open(&path).await {
        Ok(_) => assert!(may_write, "it was opened and cannot be written"),
        Err(StoreError::ReadOnly(what)) => assert!(!may_write && what.contains("threads.db"), "{what}"),
        Err(other) => panic!("{other:?}"),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn many_may_open_one_new_file_at_once() {
    let (_directory, path) = place();
    let opened: Vec<_> = (0..8).map(|_| tokio::spawn(Sqlite::open(path.clone()))).collect();
    let mut stores = Vec::new();
    for store in opened {
        stores.push(store.await.unwrap().unwrap());
    }
    let at = stores[0].append(create("t")).await.unwrap();
    for store in &stores {
        assert_eq!(load(store, "t").await.unwrap().unwrap().uid, at.uid);
        for other in &stores {
            assert_eq!(store.alive(other.worker()).await.unwrap(), Liveness::Alive);
        }
    }
    let worker = stores.pop().unwrap().worker();
    assert_eq!(stores[0].alive(worker).await.unwrap(), Liveness::Dead, "its store was dropped");
}

#[tokio::test(flavor = "multi_thread")]
async fn several_stores_of_one_file_have_one_winner_for_each_version() {
    let (_directory, path) = place();
    let first = Sqlite::open(&path).await.unwrap();
    let begun = first.append(create("t")).await.unwrap();
    let contenders: Vec<_> = (0..4)
        .map(|_| {
            let path = path.clone();
            tokio::spawn(async move {
                let store = Sqlite::open_with(path, Options::new().busy_timeout(Duration::from_secs(60))).await.unwrap();
                let mut won = Vec::new();
                loop {
                    let seq = load(&store, "t").await.unwrap().unwrap().seq;
                    if seq >= 60 {
                        return won;
                    }
                    match store.append(next(Appended { seq, ..begun }, 10)).await {
                        Ok(at) => won.push(at.seq),
                        Err(AppendError::Conflict) => {}
                        Err(error) => panic!("{error:?}"),
                    }
                }
            })
        })
        .collect();
    let mut won = Vec::new();
    for contender in contenders {
        won.extend(contender.await.unwrap());
    }
    won.sort_unstable();
    let last = load(&first, "t").await.unwrap().unwrap().seq;
    assert!(last >= 60);
    assert_eq!(won, (2..=last).collect::<Vec<_>>());
}

#[tokio::test]
async fn somebody_who_holds_the_file_is_waited_for_and_then_named() {
    let (_directory, path) = place();
    let wait = Duration::from_millis(50);
    let store = Sqlite::open_with(&path, Options::new().busy_timeout(wait)).await.unwrap();
    let begun = store.append(create("t")).await.unwrap();
    let other = Connection::open(&path).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    let append = next(begun, 1);
    let busy = StoreError::Busy { waited: wait };
    assert_eq!(store.append(append.clone()).await.unwrap_err(), AppendError::Store(busy.clone()));
    assert_eq!(store.delete(&key("t")).await.unwrap_err(), busy);
    assert_eq!(load(&store, "t").await.unwrap().unwrap().seq, 1, "readers do not wait");
    other.execute_batch("ROLLBACK").unwrap();
    assert_eq!(store.append(append).await.unwrap().seq, 2);
}

#[tokio::test]
async fn a_full_store_says_so_and_goes_on_when_there_is_space() {
    let (_directory, path) = place();
    let store = Sqlite::open_with(&path, Options::new().max_file_bytes(1 << 20)).await.unwrap();
    let mut at = store.append(create("t")).await.unwrap();
    let victim = store.append(create("victim")).await.unwrap();
    store.append(next(victim, 300_000)).await.unwrap();
    let refused = loop {
        match store.append(next(at, 100_000)).await {
            Ok(next) => at = next,
            Err(error) => break error,
        }
        assert!(at.seq < 100, "it was never full");
    };
    assert_eq!(refused, AppendError::Store(StoreError::Full));
    let loaded = load(&store, "t").await.unwrap().unwrap();
    assert_eq!((loaded.seq, loaded.rows.len() as u64), (at.seq, at.seq), "half of it was written");

    // One that does not fit does not take with it those of its group that do.
    let large = next(at, 400_000);
    let small = append(AppendTarget::New { scope: Scope::root(), name: ThreadId::new("small").unwrap(), over: None }, 1);
    let (large, small) = tokio::join!(store.append(large), store.append(small));
    assert_eq!(large.unwrap_err(), AppendError::Store(StoreError::Full));
    small.unwrap();

    assert!(store.delete(&key("victim")).await.unwrap());
    assert_eq!(store.append(next(at, 100_000)).await.unwrap().seq, at.seq + 1);
    let db = Connection::open(&path).unwrap();
    assert_eq!(db.query_row("PRAGMA integrity_check", [], |row| row.get::<_, String>(0)).unwrap(), "ok");
}

#[tokio::test]
async fn the_limit_of_a_body_can_be_set() {
    let (_directory, path) = place();
    let store = Sqlite::open_with(&path, Options::new().max_bytes(100)).await.unwrap();
    let at = store.append(create("t")).await.unwrap();
    assert_eq!(store.append(next(at, 101)).await.unwrap_err(), AppendError::TooLarge { bytes: 101, limit: 100 });
    store.append(next(at, 100)).await.unwrap();
}

#[tokio::test]
async fn a_tombstone_is_dropped_after_an_hour() {
    let (_directory, path) = place();
    let store = Sqlite::open(&path).await.unwrap();
    let at = store.append(create("t")).await.unwrap();
    assert!(store.delete(&key("t")).await.unwrap());
    assert_eq!(store.append(create("t")).await.unwrap_err(), AppendError::Deleted(at.uid));
    let db = Connection::open(&path).unwrap();
    let age = |minutes: i64| db.execute("UPDATE gw_thread SET at = at - ? * 60000000 WHERE status = 4", [minutes]).unwrap();
    assert_eq!(age(55), 1);
    assert!(!store.delete(&key("nobody")).await.unwrap());
    assert_eq!(store.append(create("t")).await.unwrap_err(), AppendError::Deleted(at.uid), "after 55 minutes");
    assert_eq!(age(6), 1);
    assert!(!store.delete(&key("nobody")).await.unwrap());
    let again = store.append(create("t")).await.unwrap();
    assert_ne!(again.uid, at.uid);
}

#[tokio::test]
async fn what_is_stored_is_not_in_debug() {
    let (_directory, path) = place();
    let store = Sqlite::open(&path).await.unwrap();
    let secret = b"SECRET".to_vec();
    let open = NewQuestion { body: secret.clone(), ..question() };
    let mut sent = Append { opens: vec![open], snapshot: Some(secret.clone()), request: Some("SECRET".to_owned()), ..create("t") };
    sent.rows[0].body = secret;
    let at = store.append(sent.clone()).await.unwrap();
    let history = store.list(&Query::History { scope: Scope::root().hash(), uid: at.uid }, Page::default()).await.unwrap();
    let seen = format!("{sent:?} {:?} {history:?} {store:?}", load(&store, "t").await.unwrap());
    let numbers = "83, 69, 67, 82, 69, 84";
    assert!(!seen.contains("SECRET") && !seen.contains(numbers), "{seen}");
}

#[test]
fn any_runtime_will_do_and_a_store_may_be_dropped_in_it() {
    let (_directory, path) = place();
    let other = path.clone();
    let first = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let (store, at) = first.block_on(async {
        let store = Sqlite::open(&path).await.unwrap();
        let at = store.append(create("t")).await.unwrap();
        (store, at)
    });
    drop(first);
    let second = tokio::runtime::Builder::new_multi_thread().build().unwrap();
    second.block_on(async {
        assert_eq!(store.append(next(at, 1)).await.unwrap().seq, 2);
        drop(store);
        assert_eq!(load(&Sqlite::open(other).await.unwrap(), "t").await.unwrap().unwrap().seq, 2);
    });
}
