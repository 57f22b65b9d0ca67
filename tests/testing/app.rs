//! One clock for all that takes time, and ids that are the same in every run.

use std::sync::atomic::Ordering;
use std::time::Duration;

use graphwright::prelude::*;
use graphwright::store::RowKind;
use graphwright::testing::Recording;
use graphwright::{EventKind, OnPaused};

use super::claims::{Clerk, claim, office};

const HOUR: Duration = Duration::from_secs(3_600);

#[tokio::test(start_paused = true)]
async fn a_question_expires_when_its_time_is_up_and_not_before() {
    let (_, app) = office();
    let thread = app.thread("t");
    let paused = thread.run(claim(700, &[])).await.unwrap();
    assert!(matches!(paused, Outcome::Paused(_)));
    app.advance(HOUR * 48).await;
    assert_eq!(app.sweep().await.unwrap().expired, 0);
    app.advance(Duration::from_secs(1)).await;
    assert_eq!(app.sweep().await.unwrap().expired, 1);
    assert_eq!(app.heard().places(), ["appraise", "clerk", "lapse"]);
}

#[tokio::test(start_paused = true)]
async fn work_goes_with_the_same_clock() {
    let (_, app) = office();
    let paused = app.thread("t").run(claim(700, &[])).await.unwrap();
    assert!(matches!(paused, Outcome::Paused(_)));
    let work = tokio::spawn(app.work());
    tokio::time::sleep(HOUR * 49).await;
    work.abort();
    assert_eq!(app.heard().places(), ["appraise", "clerk", "lapse"]);
}

#[tokio::test(start_paused = true)]
async fn a_backoff_takes_its_time_on_the_clock_of_the_rows() {
    let (office, app) = office();
    office.refusals.store(1, Ordering::Relaxed);
    let thread = app.thread("t");
    assert!(thread.run(claim(10, &[])).await.unwrap().completed().unwrap().output.paid);
    let history = thread.history().await.unwrap();
    let kinds: Vec<RowKind> = history.iter().map(|row| row.row.kind).collect();
    assert_eq!(kinds, [RowKind::Input, RowKind::Step, RowKind::Attempt, RowKind::Step]);
    let waited = history[3].row.at.since(history[2].row.at);
    // Half to all of the ten seconds.
    assert!((Duration::from_secs(5)..=Duration::from_millis(10_010)).contains(&waited), "it waited {waited:?}");
    assert_eq!(history[1].row.at, history[0].row.at, "nothing else took time");
}

/// A thread with its ids and times.
async fn told() -> String {
    let (_, app) = office();
    let thread = app.thread("t");
    let paused = thread.run(claim(700, &["a bill", "a photograph"])).await.unwrap();
    assert!(matches!(paused, Outcome::Paused(_)));
    app.advance(HOUR).await;
    let open = thread.expect_paused::<Clerk>().await;
    assert!(thread.resume(open.accept(600)).await.unwrap().completed().is_some());
    Recording::of(&thread).await.unwrap().to_json()
}

#[tokio::test(start_paused = true)]
async fn two_runs_are_the_same_to_the_last_byte() {
    let first = told().await;
    assert!(first.contains("filed a photograph") && first.contains("\"turn\""), "{first}");
    assert_eq!(first, told().await);
}

#[tokio::test(start_paused = true)]
async fn what_an_app_can_be_set_to_can_be_set() {
    let (_, app) = office();
    let app = app.with(|app| app.on_paused(OnPaused::Abandon));
    for _ in 0..2 {
        assert!(matches!(app.thread("t").run(claim(700, &[])).await.unwrap(), Outcome::Paused(_)));
    }
    let asked = app.heard().kinds().into_iter().filter(|kind| matches!(kind, EventKind::AskUserQuestion { .. })).count();
    assert_eq!(asked, 2);
}

#[tokio::test]
async fn a_clock_that_goes_by_itself_is_told() {
    let moved = tokio::spawn(async { office().1.advance(Duration::from_secs(1)).await }).await.unwrap_err().into_panic();
    let why = moved.downcast_ref::<String>().unwrap();
    assert!(why.starts_with("tests/testing/app.rs:") && why.contains("start_paused = true"), "{why}");
}
