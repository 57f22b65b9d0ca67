//! What a run tells, and in which order.

use graphwright::prelude::*;
use graphwright::{EventKind, Mark};

use super::machine::{Deps, Log, Machine, Order, Record, more};

fn names(events: &[graphwright::Event]) -> Vec<String> {
    let name = |kind: &EventKind| match kind {
        EventKind::RunStarted { resumed, .. } => format!("started {resumed}"),
        EventKind::RunEnded { outcome } => format!("ended {outcome:?}"),
        EventKind::NodeStarted { place } => format!("node {place}"),
        EventKind::NodeEnded { place } => format!("done {place}"),
        EventKind::NodeFailed { place, .. } => format!("failed {place}"),
        EventKind::Committed { seq } => format!("committed {seq}"),
        EventKind::EdgeTaken { from, to, .. } => format!("{from} -> {to}"),
        EventKind::AskUserQuestion { place, .. } => format!("{place} asks"),
        EventKind::AskUserAnswered { .. } => "answered".to_owned(),
        EventKind::Resumed { .. } => "resumed".to_owned(),
        EventKind::Paused { questions } => format!("paused {questions}"),
        other => format!("{other:?}"),
    };
    events.iter().map(|event| name(&event.kind)).collect()
}

#[tokio::test]
async fn a_turn_with_a_pause_tells_this() {
    let record = Record::default();
    let app = Machine::app(Deps::default(), Memory::new()).observe(record.clone());
    let paused = app.thread("t").run(Log::update().wanted(1_u32)).await.unwrap().paused().unwrap();
    let first = record.take();
    assert_eq!(
        names(&first),
        [
            "started false",
            "node work",
            "done work",
            "committed 2",
            "work -> more",
            "node more",
            "done more",
            "committed 3",
            "more asks",
            "paused 1",
            "ended Paused",
        ]
    );
    let done = app.thread("t").resume(more(paused.questions).decline()).await.unwrap().completed();
    assert!(done.is_some());
    let second = record.take();
    assert_eq!(names(&second), ["started true", "answered", "resumed", "ended Completed"]);
    assert!(first.iter().chain(&second).all(|event| event.turn == first[0].turn), "one turn");
    assert_ne!(first[0].run, second[0].run, "two runs");
    assert!(first.iter().all(|event| event.thread.as_ref().is_some_and(|thread| thread.as_str() == "t")));
}

#[tokio::test]
async fn a_stream_gives_what_observers_get_and_drives_the_run() {
    let record = Record::default();
    let app = Machine::app(Deps::default(), Memory::new()).observe(record.clone());
    let mut events = app.thread("t").run(Log::update().wanted(2_u32)).stream();
    let mut read = Vec::new();
    while let Some(event) = events.next().await {
        read.push(event);
    }
    assert!(events.outcome().await.unwrap().paused().is_some());
    assert_eq!(names(&read), names(&record.take()));
    assert_eq!(Record::check_run(&read), Mark::Paused);
}

#[tokio::test]
async fn a_stream_that_nobody_reads_holds_no_more_than_its_buffer() {
    let record = Record::default();
    let app = Machine::app(Deps::default(), Memory::new()).observe(record.clone());
    let mut events = app.thread("t").run(Log::update().order(Order::Spin)).steps(100_000).stream();
    let first = events.next().await.unwrap();
    assert!(matches!(first.kind, EventKind::RunStarted { .. }));
    // The run goes on only while the stream is read, and no further than the buffer.
    for _ in 0..50 {
        tokio::task::yield_now().await;
    }
    assert!(record.take().len() <= 300);
    drop(events);
    assert_eq!(app.thread("t").proceed().steps(1).await.unwrap().stopped().unwrap().reason, graphwright::StopReason::StepLimit);
}

#[tokio::test]
async fn a_reader_that_leaves_ends_the_run_with_one_end() {
    let record = Record::default();
    let app = Machine::app(Deps::default(), Memory::new()).observe(record.clone());
    let mut events = app.thread("t").run(Log::update().wanted(30_u32)).stream();
    for _ in 0..3 {
        events.next().await.unwrap();
    }
    drop(events);
    let told = record.take();
    assert_eq!(Record::check_run(&told), Mark::Abandoned);
}

#[tokio::test]
async fn a_failure_closes_what_is_open_before_the_end() {
    let record = Record::default();
    let app = Machine::app(Deps::default(), Memory::new()).observe(record.clone());
    app.thread("t").run(Log::update().order(Order::Fail)).await.unwrap_err();
    assert_eq!(names(&record.take()), ["started false", "node work", "failed work", "ended Failed"]);
}

#[tokio::test]
async fn what_panics_or_cannot_be_kept_is_told_as_failed() {
    for order in [Order::Panic, Order::Huge] {
        let record = Record::default();
        let app = Machine::app(Deps::default(), Memory::new()).observe(record.clone());
        app.thread("t").run(Log::update().order(order)).await.unwrap_err();
        assert_eq!(names(&record.take()), ["started false", "node work", "failed work", "ended Failed"], "{order:?}");
    }
}

#[tokio::test]
async fn a_stream_ends_with_its_run_although_a_node_kept_its_context() {
    let kept = std::sync::Arc::new(std::sync::Mutex::new(None));
    let deps = Deps { kept: Some(kept.clone()), ..Deps::default() };
    let mut events = Machine::app(deps, Memory::new()).thread("t").run(Log::update()).stream();
    while events.next().await.is_some() {}
    assert!(kept.lock().unwrap().is_some(), "the node kept it");
    assert!(events.outcome().await.unwrap().paused().is_some());
}

#[tokio::test]
async fn events_survive_being_sent() {
    let record = Record::default();
    let app = Machine::app(Deps::default(), Memory::new()).observe(record.clone());
    let paused = app.thread("t").run(Log::update().wanted(1_u32)).await.unwrap().paused().unwrap();
    app.thread("t").resume(more(paused.questions).accept(0)).await.unwrap().completed().unwrap();
    let told = record.take();
    assert!(told.len() > 10);
    for event in told {
        let text = serde_json::to_string(&event).unwrap();
        let back: graphwright::Event = serde_json::from_str(&text).unwrap();
        assert_eq!(serde_json::to_string(&back).unwrap(), text);
        assert!(!text.contains('\n'), "one line each");
    }
}
