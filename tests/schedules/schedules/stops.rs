//! Readers that leave, and apps that shut down.

use std::time::Duration;

use graphwright::StopReason;
use graphwright::prelude::*;
use graphwright::store::Status;

use super::explore::{explore, some_time};
use super::stage::{Hangs, Line, Stage, Tally};

/// Somebody reads some events and leaves, while somebody else reads the thread and goes on with it.
async fn leave() -> &'static str {
    let stage = Stage::<Line>::together();
    let mut events = stage.thread(0).run(Tally::update()).stream();
    let reads = shuttle::rand::Rng::gen_range(&mut shuttle::rand::thread_rng(), 1..16);
    let reader = tokio::spawn(async move {
        for _ in 0..reads {
            if events.next().await.is_none() {
                return "to the end";
            }
        }
        "left"
    });
    let thread = stage.thread(1);
    let other = tokio::spawn(async move {
        loop {
            match thread.proceed().await {
                Ok(Outcome::Completed(done)) => return done,
                Ok(_) | Err(RunError::NoThread | RunError::Busy { .. } | RunError::Displaced) => tokio::task::yield_now().await,
                Err(error) => panic!("{error}"),
            }
        }
    });
    let what = reader.await.unwrap();
    if stage.eye().status().await.unwrap().is_none() {
        other.abort();
        return "before it began";
    }
    other.await.unwrap();
    stage.over(&["first", "second"]).await;
    what
}

#[test]
fn a_reader_that_leaves_leaves_a_thread_to_go_on_with() {
    explore("a reader that leaves", &["left", "to the end"], leave);
}

/// When `shutdown` has ended no run is alive, none begins, and what was under way can be gone on with.
async fn shut() -> &'static str {
    let stage = Stage::<Line>::together();
    let run = tokio::spawn(stage.thread(0).run(Tally::update()));
    some_time().await;
    stage.apps[0].shutdown(Duration::from_secs(60)).await;
    assert_ne!(stage.eye().status().await.unwrap(), Some(Status::Running), "a run outlives the shutdown");
    assert!(matches!(stage.thread(0).run(Tally::update()).await, Err(RunError::ShutDown)), "it begins a run");
    let what = match run.await.unwrap() {
        Err(RunError::ShutDown) => return "refused",
        Ok(Outcome::Completed(_)) => "too late",
        Ok(Outcome::Stopped(stop)) if stop.reason == StopReason::Drained => "drained",
        other => panic!("{other:?}"),
    };
    stage.proceed().await.completed().expect("there is nothing in its way");
    stage.over(&["first", "second"]).await;
    what
}

#[test]
fn nothing_outlives_a_shutdown_and_nothing_is_lost_by_it() {
    explore("shutdown against run", &["refused", "drained", "too late"], shut);
}

/// A node that never ends is cancelled when the grace is over.
async fn run_out() -> &'static str {
    tokio::time::clear_triggers();
    let stage = Stage::<Hangs>::together();
    let run = tokio::spawn(stage.thread(0).run(Tally::update()));
    let time = tokio::spawn(async { tokio::time::trigger_timeouts(|_| true) });
    some_time().await;
    stage.apps[0].shutdown(Duration::from_secs(60)).await;
    time.await.unwrap();
    assert_ne!(stage.eye().status().await.unwrap(), Some(Status::Running), "a run outlives the shutdown");
    let what = match run.await.unwrap() {
        Err(RunError::ShutDown) => return "refused",
        Ok(Outcome::Stopped(stop)) if stop.reason == StopReason::Drained => "drained",
        Ok(Outcome::Stopped(stop)) if stop.reason == StopReason::Cancelled => "cancelled",
        other => panic!("{other:?}"),
    };
    // If it was cancelled before it came to the node, that hangs now.
    let thread = stage.eye();
    let goes_on = tokio::spawn(async move { thread.proceed().await });
    while stage.begun("hangs") == 0 {
        tokio::task::yield_now().await;
    }
    goes_on.abort();
    drop(goes_on.await);
    while stage.eye().status().await.unwrap() == Some(Status::Running) {
        tokio::task::yield_now().await;
    }
    stage.proceed().await.completed().expect("it hangs once");
    stage.over(&["first", "hangs"]).await;
    what
}

#[test]
fn a_shutdown_whose_grace_is_over_cancels() {
    explore("shutdown against a node that hangs", &["refused", "drained", "cancelled"], run_out);
}
