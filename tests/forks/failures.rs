//! A branch that fails.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use graphwright::prelude::*;
use graphwright::{Class, Memory};

use crate::stores::everywhere;

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, State)]
pub(super) struct Log {
    #[state(append)]
    lines: Vec<String>,
}

#[derive(Default)]
pub(super) struct Counts {
    good: AtomicUsize,
    /// Attempts of the bad one that fail.
    bad: AtomicUsize,
    panics: bool,
}

#[node]
async fn good(_: &Log, cx: &Context<Arc<Counts>>) -> Update<Log> {
    for _ in 0..10 {
        tokio::task::yield_now().await;
    }
    cx.deps().good.fetch_add(1, Ordering::SeqCst);
    Log::update().lines(["good"])
}

#[node]
async fn better(_: &Log, cx: &Context<Arc<Counts>>) -> Update<Log> {
    cx.deps().good.fetch_add(1, Ordering::SeqCst);
    Log::update().lines(["better"])
}

#[node]
async fn bad(_: &Log, cx: &Context<Arc<Counts>>) -> NodeResult<Log> {
    let fails = cx.deps().bad.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |left| left.checked_sub(1)).is_ok();
    if fails && cx.deps().panics {
        panic!("told to panic");
    }
    if fails {
        return Err(NodeError::transient("told to fail"));
    }
    Ok(Log::update().lines(["bad"]))
}

#[node]
async fn sorry(_: &Log, cx: &Context<Arc<Counts>>) -> Update<Log> {
    let failed = cx.failure().expect("it is told what failed");
    Log::update().lines([format!("{} after {}: {}, {:?}", failed.place(), failed.attempts(), failed.error(), failed.class())])
}

graph! {
    Plain(Log, Arc<Counts>) {
        start -> [good -> better, bad] -> end;
    }
}

graph! {
    Caught(Log, Arc<Counts>) {
        start -> [good -> better, bad] -> last;
        bad -> last;
        bad -> sorry on error;
        sorry -> last;
        last -> end;
        last: better;
    }
}

graph! {
    /// Also outside of a fork.
    Line(Log, Arc<Counts>) {
        start -> bad -> end;
        bad -> sorry on error;
        sorry -> end;
    }
}

fn failing(times: usize) -> Arc<Counts> {
    Arc::new(Counts { bad: AtomicUsize::new(times), ..Counts::default() })
}

#[tokio::test]
async fn the_others_come_to_rest_and_are_never_run_again() {
    for panics in [false, true] {
        let counts = Arc::new(Counts { bad: AtomicUsize::new(1), panics, ..Counts::default() });
        let app = Plain::app(counts.clone(), Memory::new());
        let error = app.thread("t").run(Log::update()).await.unwrap_err();
        let RunError::Failed(failure) = error else { panic!("{error}") };
        assert_eq!((failure.place(), failure.panicked()), ("bad", panics));
        assert_eq!(counts.good.load(Ordering::SeqCst), 2, "the other branch ran on");
        assert_eq!(app.thread("t").status().await.unwrap(), Some(graphwright::store::Status::Stopped));
        let done = app.thread("t").proceed().await.unwrap().completed().unwrap();
        assert_eq!(done.output.lines, ["good", "better", "bad"]);
        assert_eq!(counts.good.load(Ordering::SeqCst), 2, "and did not run again");
    }
}

#[tokio::test]
async fn a_failure_without_a_store_names_the_place() {
    for panics in [false, true] {
        let counts = Arc::new(Counts { bad: AtomicUsize::new(1), panics, ..Counts::default() });
        let RunError::Failed(failure) = Plain::run(counts, Log::update()).await.unwrap_err() else { panic!() };
        assert_eq!((failure.place(), failure.panicked()), ("bad", panics));
        assert_eq!(failure.class(), if panics { Class::Fatal } else { Class::Transient });
    }
}

#[tokio::test]
async fn a_branch_goes_on_by_its_way_on_error() {
    for (store, done) in everywhere::<Caught>(|| failing(1), Log::update).await {
        assert_eq!(done.output.lines, ["good", "better", "bad after 1: told to fail, Transient", "better"], "{store}");
        assert_eq!(done.steps, 5, "{store}: a failure that goes on is a step");
    }
    for (store, done) in everywhere::<Line>(|| failing(1), Log::update).await {
        assert_eq!(done.output.lines, ["bad after 1: told to fail, Transient"], "{store}");
    }
}

#[tokio::test]
async fn a_panic_goes_on_by_the_way_on_error_too() {
    let panicking = || Arc::new(Counts { bad: AtomicUsize::new(1), panics: true, ..Counts::default() });
    for (store, done) in everywhere::<Caught>(panicking, Log::update).await {
        assert_eq!(done.output.lines[2], "bad after 1: it panicked: told to panic, Fatal", "{store}");
    }
    for (store, done) in everywhere::<Line>(panicking, Log::update).await {
        assert_eq!(done.output.lines, ["bad after 1: it panicked: told to panic, Fatal"], "{store}");
    }
}

/// A state that fails once when it is cloned behind the first place.
#[derive(Debug, Default, Serialize, Deserialize, State)]
pub(super) struct Brittle {
    #[state(append)]
    lines: Vec<String>,
}

static BREAKS: AtomicBool = AtomicBool::new(false);

impl Clone for Brittle {
    fn clone(&self) -> Self {
        assert!(!BREAKS.swap(false, Ordering::SeqCst), "told to panic");
        Self { lines: self.lines.clone() }
    }
}

#[node(writes(lines))]
async fn line(_: &Brittle, cx: &Context<()>) -> NodeResult<line> {
    BREAKS.store(cx.place() == "first", Ordering::SeqCst);
    Ok(Brittle::update().lines([cx.place()]))
}

graph! {
    Breaks(Brittle) {
        start -> [third, first -> second] -> end;
        first: line;
        second: line;
        third: line;
    }
}

#[tokio::test]
async fn what_panics_between_places_stops_the_thread_and_is_left_to_people() {
    let thread = Breaks::app((), Memory::new()).thread("t");
    let error = thread.run(Brittle::update()).await.unwrap_err();
    assert!(matches!(&error, RunError::Failed(failure) if failure.panicked() && failure.place() == "second"), "{error}");
    assert_eq!(thread.status().await.unwrap(), Some(graphwright::store::Status::Stopped), "nobody takes it up by himself");
    assert_eq!(thread.proceed().await.unwrap().completed().unwrap().output.lines, ["third", "first", "second"]);
}
