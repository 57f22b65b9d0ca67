//! Runs that stop where somebody wants them to: breakpoints, single steps, drains, shutdown.

use std::time::Duration;

use graphwright::prelude::*;
use graphwright::store::{RowKind, Status};
use graphwright::{App, Mark, Place, Sqlite, StopReason};

use super::doubles::{Fault, Faulty};
use super::machine::{Deps, Log, Machine, Order, Record, lines, more};

type P = Place<Machine>;

async fn on_both<F: Future<Output = ()>>(test: impl Fn(App<Machine>) -> F) {
    graphwright::__private::read_back();
    test(Machine::app(Deps::default(), Memory::new())).await;
    let folder = tempfile::tempdir().unwrap();
    test(Machine::app(Deps::default(), Sqlite::open(folder.path().join("t.db")).await.unwrap())).await;
}

fn at_break(outcome: Outcome<Machine>) -> (String, u32) {
    let stopped = outcome.stopped().expect("it stops there");
    assert_eq!(stopped.reason, StopReason::Breakpoint);
    (stopped.place.expect("a breakpoint has a place"), stopped.state.rounds)
}

#[tokio::test]
async fn a_breakpoint_before_a_place_holds_as_often_as_a_thread_comes_there() {
    on_both(async |plain| {
        let app = plain.clone().break_before(P::work);
        let thread = app.thread("t");
        assert_eq!(at_break(thread.run(Log::update().wanted(2_u32)).await.unwrap()), ("work".to_owned(), 0));
        assert_eq!(thread.status().await.unwrap(), Some(Status::Stopped));
        assert_eq!(at_break(thread.proceed().await.unwrap()), ("work".to_owned(), 1));
        // Nobody takes it up who was not told to.
        assert_eq!(app.sweep().await.unwrap().driven, 0);
        let paused = thread.proceed().await.unwrap().paused().expect("two rounds were wanted");
        // It holds over an answer: that lets nothing pass that it was not given for.
        assert_eq!(at_break(thread.resume(more(paused.questions).accept(1)).await.unwrap()), ("work".to_owned(), 2));
        let paused = thread.proceed().await.unwrap().paused().unwrap();
        let done = thread.resume(more(paused.questions).decline()).await.unwrap().completed().unwrap();
        assert_eq!(done.output.lines, lines(2, 1));

        // A breakpoint is the app's: one without it goes on.
        let thread = app.thread("u");
        at_break(thread.run(Log::update().wanted(1_u32)).await.unwrap());
        assert!(plain.thread("u").proceed().await.unwrap().paused().is_some());
    })
    .await;
}

#[tokio::test]
async fn what_was_let_pass_stays_so_when_its_process_dies() {
    // A dead process writes no `stop` row: this store refuses them, but for the one of the breakpoint.
    let store = Memory::new();
    let thread = Machine::app(Deps::default(), store.clone()).break_before(P::work).thread("t");
    at_break(thread.run(Log::update().order(Order::Hang)).await.unwrap());
    let dead = Machine::app(Deps::default(), Faulty::new(store.clone(), Fault::RefuseStops)).break_before(P::work);
    let mut events = dead.thread("t").proceed().stream();
    events.next().await.unwrap();
    drop(events);
    assert_eq!(thread.status().await.unwrap(), Some(Status::Running));
    // Whoever takes it up runs the place, and is not held a second time.
    let deps = Deps::default();
    let app = Machine::app(deps.clone(), store).break_before(P::work);
    let swept = tokio::time::timeout(Duration::from_millis(200), app.sweep()).await;
    assert!(swept.is_err(), "the node hangs");
    assert_eq!(deps.begun.lock().unwrap().len(), 1);
}

#[tokio::test]
async fn a_breakpoint_after_a_place_keeps_its_step() {
    on_both(async |app| {
        let record = Record::default();
        let app = app.break_after(P::work).observe(record.clone());
        let thread = app.thread("t");
        assert_eq!(at_break(thread.run(Log::update().wanted(2_u32)).await.unwrap()), ("work".to_owned(), 1));
        assert_eq!(Record::check_run(&record.take()), Mark::Stopped);
        assert_eq!(at_break(thread.proceed().await.unwrap()), ("work".to_owned(), 2));
        let paused = thread.proceed().await.unwrap().paused().unwrap();
        let done = thread.resume(more(paused.questions).decline()).await.unwrap().completed();
        assert_eq!(done.unwrap().output.lines, lines(2, 0));
        assert_eq!(thread.history().await.unwrap().iter().filter(|row| row.row.kind == RowKind::Step).count(), 2);
    })
    .await;
}

#[tokio::test]
async fn one_step_at_a_time() {
    on_both(async |app| {
        let thread = app.thread("t");
        let mut outcome = thread.run(Log::update().wanted(3_u32)).steps(1).await.unwrap();
        for round in 1..=2 {
            assert_eq!(outcome.stopped().unwrap().state.rounds, round);
            outcome = thread.step().await.unwrap();
        }
        assert_eq!(outcome.stopped().unwrap().state.rounds, 3);
        let paused = thread.step().await.unwrap().paused().expect("a question is a step");
        assert!(thread.step().await.unwrap().paused().is_some(), "there is nothing to do");
        thread.answer(more(paused.questions).accept(1)).await.unwrap();
        assert_eq!(thread.step().await.unwrap().stopped().unwrap().state.rounds, 4);
    })
    .await;
}

#[tokio::test]
async fn a_drain_stops_at_the_next_commit() {
    let deps = Deps::default();
    let app = Machine::app(deps.clone(), Memory::new());
    let thread = app.thread("t");
    assert!(!thread.drain().await.unwrap(), "there is no such thread");
    let run = thread.run(Log::update().order(Order::Spin)).steps(u64::MAX).spawn();
    while thread.state().await.unwrap().is_none_or(|log| log.rounds < 5) {
        tokio::task::yield_now().await;
    }
    assert!(thread.drain().await.unwrap());
    let stopped = run.await.unwrap().unwrap().stopped().unwrap();
    assert_eq!(stopped.reason, StopReason::Drained);
    assert_eq!(stopped.state.rounds as usize, deps.begun.lock().unwrap().len(), "no body was cut");
    assert_eq!(thread.state().await.unwrap().unwrap(), stopped.state);
    assert!(!thread.drain().await.unwrap(), "no run holds it now");
    assert_eq!(thread.step().await.unwrap().stopped().unwrap().reason, StopReason::StepLimit);
}

#[tokio::test(start_paused = true)]
async fn a_shutdown_drains_what_can_and_cancels_what_hangs() {
    let app = Machine::app(Deps::default(), Memory::new());
    let tenant = app.scope(graphwright::Scope::new(["acme"]).unwrap());
    let spins = tenant.thread("spins").run(Log::update().order(Order::Spin)).steps(u64::MAX).spawn();
    let hangs = app.thread("hangs").run(Log::update().order(Order::Hang)).spawn();
    let worker = tokio::spawn(app.work());
    let paused = app.thread("asks").run(Log::update()).await.unwrap().paused().unwrap();
    while app.thread("hangs").status().await.unwrap() != Some(Status::Running)
        || tenant.thread("spins").status().await.unwrap() != Some(Status::Running)
    {
        tokio::task::yield_now().await;
    }
    app.shutdown(Duration::from_secs(5)).await;
    assert!(spins.is_finished() && hangs.is_finished(), "it ends when all of them have");
    assert_eq!(spins.await.unwrap().unwrap().stopped().unwrap().reason, StopReason::Drained);
    assert_eq!(hangs.await.unwrap().unwrap().stopped().unwrap().reason, StopReason::Cancelled);
    worker.await.expect("a worker of an app that is shut down ends");
    for thread in [app.thread("new"), tenant.thread("new"), app.with_deps(Deps::default()).thread("new")] {
        let error = thread.run(Log::update()).await.unwrap_err();
        assert!(matches!(error, RunError::ShutDown), "{error}");
    }
    // A person's answer is not lost.
    app.thread("asks").answer(more(paused.questions).decline()).await.unwrap();
}

#[tokio::test]
async fn a_shutdown_of_an_idle_app_ends_at_once() {
    let app = Machine::app(Deps::default(), Memory::new());
    let _paused = app.thread("t").run(Log::update()).await.unwrap();
    app.shutdown(Duration::MAX).await;
}
