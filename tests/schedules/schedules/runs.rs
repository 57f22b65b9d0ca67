//! Turns on one thread, and a run whose thread is taken.

use graphwright::prelude::*;
use graphwright::{OnBusy, StopReason};

use super::explore::{explore, some_time};
use super::stage::{Line, Stage, Tally};

/// Of two turns at once one is refused while the other runs; or they come one after the other.
async fn reject() -> &'static str {
    let stage = Stage::<Line>::apart(None);
    let run = |who: usize| tokio::spawn(stage.thread(who).run(Tally::update()));
    let (one, two) = (run(0), run(1));
    let (one, two) = (one.await.unwrap(), two.await.unwrap());
    let (lines, what): (&[&str], _) = match (&one, &two) {
        (Ok(_), Ok(_)) => (&["first", "second", "first", "second"], "one after the other"),
        (Ok(_), Err(RunError::Busy { .. })) => (&["first", "second"], "the first"),
        (Err(RunError::Busy { .. }), Ok(_)) => (&["first", "second"], "the second"),
        other => panic!("{other:?}"),
    };
    stage.over(lines).await;
    what
}

#[test]
fn two_turns_at_once_are_never_one_chain() {
    explore("run against run", &["the first", "the second", "one after the other"], reject);
}

/// Of two turns at once that may wait, each comes to its end.
async fn queue() -> &'static str {
    let stage = Stage::<Line>::together();
    let run = |who: usize| tokio::spawn(stage.apps[who].clone().on_busy(OnBusy::Queue).thread("t").run(Tally::update()));
    let (one, two) = (run(0), run(1));
    let turns = [one.await.unwrap(), two.await.unwrap()].map(|came| came.unwrap().completed().expect("it has its turn"));
    stage.over(&["first", "second", "first", "second"]).await;
    if turns[0].output.lines.len() == 2 { "the first" } else { "the second" }
}

#[test]
fn whoever_waits_for_a_thread_gets_it() {
    explore("queue against run", &["the first", "the second"], queue);
}

/// A run that is dropped, wherever it is, leaves a thread that another one takes and brings to its end.
async fn drop_it() -> &'static str {
    let stage = Stage::<Line>::together();
    let run = tokio::spawn(stage.thread(0).run(Tally::update()));
    let other = stage.thread(1);
    let takes = tokio::spawn(async move {
        loop {
            match other.proceed().await {
                Ok(outcome) => return outcome,
                Err(RunError::NoThread | RunError::Busy { .. } | RunError::Displaced) => tokio::task::yield_now().await,
                Err(error) => panic!("{error}"),
            }
        }
    });
    some_time().await;
    run.abort();
    let came = run.await;
    if !matches!(stage.eye().status().await, Ok(Some(_))) {
        // It had not begun.
        takes.abort();
        return "before it began";
    }
    let what = match takes.await.unwrap() {
        Outcome::Completed(_) if came.is_ok() => "too late",
        Outcome::Completed(_) => "taken",
        Outcome::Stopped(stop) if stop.reason == StopReason::Abandoned => "freed",
        other => panic!("{other:?}"),
    };
    stage.proceed().await.completed().expect("there is nothing in its way");
    stage.over(&["first", "second"]).await;
    what
}

#[test]
fn a_run_that_is_dropped_frees_its_thread() {
    explore("drop against proceed", &["before it began", "taken", "too late"], drop_it);
}
