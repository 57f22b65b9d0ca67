//! What is let go by itself: old rows and threads that nobody uses, and never anything that is open.

use std::time::Duration;

use graphwright::prelude::*;
use graphwright::store::Status;
use graphwright::{App, ManualClock, Retention, Scope, Sqlite, Thread, Timestamp};

use super::tree::{Deps, Log, Part, Tree, answer, finish};

const HOUR: Duration = Duration::from_secs(3600);
const TURNS: usize = 8;

/// A time for which every row of these tests is long ago.
fn clock() -> ManualClock {
    ManualClock::at(Timestamp(1_700_000_000_000_000))
}

async fn on_both<F: Future<Output = ()>>(test: impl Fn(App<Tree>, ManualClock) -> F) {
    graphwright::__private::read_back();
    let (memory, clocks) = (clock(), clock());
    test(Tree::app(Deps::default(), Memory::new()).clock(memory.clone()), memory).await;
    let folder = tempfile::tempdir().unwrap();
    let file = Sqlite::open(folder.path().join("t.db")).await.unwrap();
    test(Tree::app(Deps::default(), file).clock(clocks.clone()), clocks).await;
}

/// Several turns, and one that waits for three answers.
async fn turns(thread: &Thread<Tree>) {
    for _ in 0..TURNS {
        let _paused = thread.run(Log::update()).await.unwrap().paused().unwrap();
        finish(thread).await;
    }
    let _paused = thread.run(Log::update()).await.unwrap().paused().unwrap();
}

#[tokio::test]
async fn old_rows_go_and_what_is_open_goes_on() {
    let plain = Tree::app(Deps::default(), Memory::new()).thread("t");
    turns(&plain).await;
    let (paused, finished) = (plain.state().await.unwrap(), finish(&plain).await);
    on_both(async |app, _| {
        let (app, keeps) = (app.clone().retention(Retention::default().rows(12)), app);
        let thread = app.thread("t");
        turns(&thread).await;
        let all = thread.history().await.unwrap();
        let last = all.last().unwrap().seq;
        let fork = thread.fork(last, "fork").await.unwrap();
        assert_eq!(keeps.sweep().await.unwrap(), graphwright::Swept::default(), "everything is kept unless something is said");
        let swept = app.sweep().await.unwrap();
        assert!(swept.pruned > 20 && swept.deleted == 0, "{swept:?}");
        let kept = thread.history().await.unwrap();
        assert_eq!(kept.len() as u64, all.len() as u64 - swept.pruned);
        assert!(kept.len() >= 12 && kept.iter().zip(all.iter().skip(swept.pruned as usize)).all(|(kept, all)| kept.seq == all.seq));
        assert!(matches!(thread.state_at(1).await.unwrap_err(), RunError::NoRow { .. }));
        assert_eq!(app.sweep().await.unwrap(), graphwright::Swept::default(), "there is nothing more to let go");
        for thread in [&thread, &fork] {
            assert_eq!((thread.state().await.unwrap(), thread.pending().await.unwrap().len()), (paused.clone(), 3));
            assert_eq!(finish(thread).await, finished);
        }
    })
    .await;
}

#[tokio::test]
async fn a_sweep_at_every_row_breaks_nothing() {
    let plain = Tree::app(Deps::default(), Memory::new()).thread("t");
    turns(&plain).await;
    let finished = finish(&plain).await;
    on_both(async |app, _| {
        let app = app.retention(Retention::default().rows(0));
        let thread = app.thread("t");
        turns(&thread).await;
        let mut pruned = app.sweep().await.unwrap().pruned;
        while let Some(question) = thread.pending().await.unwrap().first() {
            let _answered = thread.answer(answer(question)).await.unwrap();
            pruned += app.sweep().await.unwrap().pruned;
        }
        while !matches!(thread.status().await.unwrap(), Some(Status::Idle)) {
            let _stopped = thread.step().await.unwrap();
            pruned += app.sweep().await.unwrap().pruned;
        }
        assert!(pruned > 100, "{pruned} rows");
        assert_eq!(thread.state().await.unwrap(), Some(finished.clone()));
    })
    .await;
}

#[tokio::test]
async fn threads_that_nobody_uses_go_and_those_that_wait_stay() {
    on_both(async |app, clock| {
        let app = app.retention(Retention::default().idle(HOUR));
        let done = app.thread("done");
        let _paused = done.run(Log::update()).await.unwrap().paused().unwrap();
        let expected = finish(&done).await;
        let (stopped, paused) = (done.fork(2, "stopped").await.unwrap(), app.thread("paused"));
        let _paused = paused.run(Log::update()).await.unwrap().paused().unwrap();
        let elsewhere = app.scope(Scope::new(["acme"]).unwrap()).thread("done");
        let _paused = elsewhere.run(Log::update()).await.unwrap().paused().unwrap();
        elsewhere.abandon().await.unwrap();
        clock.advance(HOUR);
        assert_eq!(app.sweep().await.unwrap().deleted, 0, "an hour is not more than an hour");
        clock.advance(Duration::from_micros(1));
        let fresh = app.thread("fresh");
        let _paused = fresh.run(Log::update()).await.unwrap().paused().unwrap();
        fresh.abandon().await.unwrap();
        assert_eq!(app.sweep().await.unwrap().deleted, 2, "one in each scope");
        let mut left = Vec::new();
        for thread in [&done, &elsewhere, &stopped, &paused, &fresh] {
            left.push(thread.status().await.unwrap());
        }
        assert_eq!(left, [None, None, Some(Status::Stopped), Some(Status::Paused), Some(Status::Idle)]);
        // What was forked from one that is gone, and what waits, come to their ends; and the name is free.
        let _paused = done.run(Log::update()).await.unwrap().paused().unwrap();
        for thread in [&done, &stopped, &paused] {
            assert_eq!(finish(thread).await, expected);
        }
    })
    .await;
}

#[tokio::test]
async fn another_graph_says_for_itself_what_is_kept() {
    let (store, clock) = (Memory::new(), clock());
    let tree = Tree::app(Deps::default(), store.clone()).clock(clock.clone()).retention(Retention::default().rows(0).idle(HOUR));
    let part = Part::app(Deps::default(), store).clock(clock.clone()).thread("part");
    for _ in 0..TURNS {
        let _paused = part.run(Log::update()).await.unwrap().paused().unwrap();
        part.abandon().await.unwrap();
    }
    clock.advance(2 * HOUR);
    assert_eq!(tree.sweep().await.unwrap(), graphwright::Swept::default());
    assert_eq!(part.status().await.unwrap(), Some(Status::Idle));
}

#[tokio::test(start_paused = true)]
async fn whoever_works_lets_go_at_once_and_every_minute() {
    let clock = clock();
    let app = Tree::app(Deps::default(), Memory::new()).clock(clock.clone()).retention(Retention::default().idle(HOUR));
    let work = app.work();
    tokio::pin!(work);
    for (name, wait) in [("first", 1), ("second", 61)] {
        let thread = app.thread(name);
        let _paused = thread.run(Log::update()).await.unwrap().paused().unwrap();
        thread.abandon().await.unwrap();
        clock.advance(2 * HOUR);
        tokio::select! {
            () = &mut work => panic!("it works until the app is shut down"),
            () = tokio::time::sleep(Duration::from_secs(wait)) => {}
        }
        assert_eq!(thread.status().await.unwrap(), None, "{name}");
    }
}
