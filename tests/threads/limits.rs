//! Step limits, deadlines, cancellation, panics: each acts, is typed, and leaves the thread so that it can go on.

use std::time::Duration;

use graphwright::prelude::*;
use graphwright::store::Status;
use graphwright::{Mark, StopReason};

use super::machine::{Deps, Log, Machine, Order, Record, more};

fn app(record: &Record) -> App<Machine> {
    Machine::app(Deps::default(), Memory::new()).observe(record.clone())
}

#[tokio::test]
async fn a_limit_of_n_lets_exactly_n_steps_run() {
    let record = Record::default();
    let app = app(&record);
    // Three rounds and the question: four steps.
    let paused = app.thread("four").run(Log::update().wanted(3_u32)).steps(4).await.unwrap().paused();
    assert_eq!(more(paused.expect("four are enough").questions).question, "after 3 rounds, how many more?");
    assert_eq!(Record::check_run(&record.take()), Mark::Paused);

    let stopped = app.thread("three").run(Log::update().wanted(3_u32)).steps(3).await.unwrap().stopped().expect("three are not");
    assert_eq!(stopped.reason, StopReason::StepLimit);
    assert_eq!(stopped.state.rounds, 3, "what was done is in the outcome");
    assert_eq!(Record::check_run(&record.take()), Mark::Stopped);
    assert_eq!(app.thread("three").status().await.unwrap(), Some(Status::Stopped));

    // An answer is no step: the question was counted when it was put.
    assert!(app.thread("three").proceed().steps(1).await.unwrap().paused().is_some());
}

#[tokio::test]
async fn the_graphs_own_limit_counts_per_turn() {
    let app = app(&Record::default());
    for turn in 1..=3 {
        let outcome = app.thread("t").run(Log::update().wanted(turn * 20)).await.unwrap();
        let question = more(outcome.paused().expect("twenty rounds are fewer than fifty").questions);
        let done = app.thread("t").resume(question.decline()).await.unwrap().completed();
        assert_eq!(done.unwrap().output.rounds, turn * 20);
    }
    let outcome = app.thread("loop").run(Log::update().order(Order::Spin)).await.unwrap();
    assert_eq!(outcome.stopped().unwrap().state.rounds, 50);
}

#[tokio::test]
async fn a_deadline_that_never_comes_is_none() {
    let run = app(&Record::default()).thread("t").run(Log::update()).deadline(Duration::MAX);
    assert!(run.await.unwrap().paused().is_some());
}

#[tokio::test(start_paused = true)]
async fn a_deadline_acts_while_a_turn_waits_for_another() {
    let app = app(&Record::default());
    let _old = app.thread("t").run(Log::update().order(Order::Hang)).spawn();
    while app.thread("t").status().await.unwrap() != Some(Status::Running) {
        tokio::task::yield_now().await;
    }
    let queued = app.clone().on_busy(graphwright::OnBusy::Queue).thread("t").run(Log::update()).deadline(Duration::from_millis(100));
    assert!(matches!(queued.await.unwrap_err(), RunError::Busy { .. }));
}

#[tokio::test(start_paused = true)]
async fn a_deadline_acts_while_a_node_waits() {
    let record = Record::default();
    let app = app(&record);
    let run = app.thread("t").run(Log::update().order(Order::Hang)).deadline(Duration::from_millis(200));
    let stopped = run.await.unwrap().stopped().expect("it hangs for ever");
    assert_eq!(stopped.reason, StopReason::TimedOut);
    assert_eq!(Record::check_run(&record.take()), Mark::Stopped);
    assert_eq!(app.thread("t").status().await.unwrap(), Some(Status::Stopped));

    // The same in a stream, where nobody looks at a clock.
    let mut events = app.thread("u").run(Log::update().order(Order::Hang)).deadline(Duration::from_millis(200)).stream();
    while events.next().await.is_some() {}
    assert_eq!(events.outcome().await.unwrap().stopped().unwrap().reason, StopReason::TimedOut);
}

#[tokio::test]
async fn cancelling_acts_while_a_node_waits() {
    let record = Record::default();
    let app = app(&record);
    let run = app.thread("t").run(Log::update().order(Order::Hang)).spawn();
    while record.0.lock().unwrap().len() < 2 {
        tokio::task::yield_now().await;
    }
    assert!(app.thread("t").cancel().await.unwrap(), "a run holds the thread");
    let stopped = run.await.unwrap().unwrap().stopped().unwrap();
    assert_eq!(stopped.reason, StopReason::Cancelled);
    assert_eq!(Record::check_run(&record.take()), Mark::Cancelled);
    assert!(!app.thread("t").cancel().await.unwrap(), "no run holds it now");
}

#[tokio::test]
async fn a_loop_that_never_waits_lets_others_run_and_can_be_cancelled() {
    let app = app(&Record::default());
    let run = app.thread("t").run(Log::update().order(Order::Spin)).steps(u64::MAX).spawn();
    // On one thread: this is polled at all only because the loop yields.
    while app.thread("t").state().await.unwrap().is_none_or(|log| log.rounds < 300) {
        tokio::task::yield_now().await;
    }
    app.thread("t").cancel().await.unwrap();
    assert_eq!(run.await.unwrap().unwrap().stopped().unwrap().reason, StopReason::Cancelled);
}

#[tokio::test]
async fn a_panic_is_typed_and_nothing_of_it_is_kept() {
    let record = Record::default();
    let app = app(&record);
    let error = app.thread("t").run(Log::update().order(Order::Panic)).await.unwrap_err();
    let RunError::Failed(failure) = &error else { panic!("{error}") };
    assert_eq!((failure.place(), failure.panicked()), ("work", true));
    assert_eq!(error.to_string(), "`work` panicked: told to panic");
    assert_eq!(Record::check_run(&record.take()), Mark::Failed);
    assert_eq!(app.thread("t").status().await.unwrap(), Some(Status::Stopped));
    assert!(app.thread("u").run(Log::update()).await.is_ok(), "other runs go on");
}

#[tokio::test]
async fn a_router_that_panics_keeps_the_step_and_is_asked_again() {
    graphwright::__private::read_back();
    let deps = Deps::default();
    let app = Machine::app(deps.clone(), Memory::new());
    for order in [Order::RouterPanics, Order::Never] {
        let name = format!("{order:?}");
        let error = app.thread(&name).run(Log::update().order(order)).await.unwrap_err();
        assert!(matches!(&error, RunError::Unrouted { place, .. } if place == "work"), "{error}");
        let state = app.thread(&name).state().await.unwrap().unwrap();
        assert_eq!(state.lines, ["round 1"], "the body's work is kept");
        let bodies = deps.begun.lock().unwrap().len();
        let error = app.thread(&name).proceed().await.unwrap_err();
        assert!(matches!(error, RunError::Unrouted { .. } | RunError::Failed(_)), "{error}");
        assert_eq!(deps.begun.lock().unwrap().len(), bodies, "and not done again");
    }
}

#[tokio::test]
async fn an_observer_that_panics_changes_nothing() {
    let (first, last) = (Record::default(), Record::default());
    let app = app(&first).observe(|_: &graphwright::Event| panic!("told to panic"));
    let outcome = app.thread("t").run(Log::update()).observe(last.clone()).await.unwrap();
    assert!(outcome.paused().is_some());
    let (first, last) = (first.take(), last.take());
    assert_eq!(Record::check_run(&first), Mark::Paused);
    assert_eq!(first.len(), last.len(), "the others hear everything, in order");
}

#[tokio::test]
async fn what_cannot_be_stored_is_the_nodes_failure() {
    let app = app(&Record::default());
    let error = app.thread("t").run(Log::update().order(Order::Huge)).await.unwrap_err();
    let RunError::Failed(failure) = &error else { panic!("{error}") };
    assert_eq!(failure.place(), "work");
    assert!(error.to_string().contains("keep large things elsewhere"), "{error}");
    assert_eq!(app.thread("t").state().await.unwrap().unwrap().lines, Vec::<String>::new());
}

#[tokio::test]
async fn the_step_that_makes_the_state_too_large_is_the_one_that_is_refused() {
    let app = app(&Record::default());
    let error = app.thread("t").run(Log::update().order(Order::Grow).wanted(10_u32)).await.unwrap_err();
    let RunError::Failed(failure) = &error else { panic!("{error}") };
    assert!(error.to_string().contains("with it the state has"), "{error}");
    // Sixteen megabytes hold three of four, and not a fourth beside the rest.
    assert_eq!(failure.state::<Log>().unwrap().rounds, 3);
    assert_eq!(app.thread("t").state().await.unwrap().unwrap().rounds, 3, "what is told is what is kept");
}
