//! Cases 79, 82 to 84, 91 to 94, 101 and 106: what observers and readers hear, whatever goes wrong.

use std::sync::{Arc, Mutex};

use graphwright::agent::{ModelError, Reply, Scripted};
use graphwright::{CancellationToken, Event, EventKind, GraphExt as _, Mark, Observer, RunError, StopReason};
use serde_json::json;

use super::kit::{calls, good};
use super::shop::{Shop, Stage, asked, first_options};

/// What was heard, in order: a name, and who heard it.
#[derive(Clone, Default)]
struct Heard(Arc<Mutex<Vec<(usize, EventKind)>>>);

impl Heard {
    fn by(&self, who: usize) -> impl Observer {
        let heard = self.clone();
        move |event: &Event| heard.0.lock().unwrap().push((who, event.kind.clone()))
    }

    fn of(&self, who: usize) -> Vec<EventKind> {
        self.0.lock().unwrap().iter().filter(|(by, _)| *by == who).map(|(_, kind)| kind.clone()).collect()
    }

    fn ends(&self) -> Vec<Mark> {
        ends(&self.of(0))
    }
}

fn ends(kinds: &[EventKind]) -> Vec<Mark> {
    let ends = kinds.iter().filter_map(|kind| match kind {
        EventKind::RunEnded { outcome } => Some(*outcome),
        _ => None,
    });
    ends.collect()
}

/// The kinds in order, as they are called.
fn names(kinds: &[EventKind]) -> Vec<String> {
    let name = |kind: &EventKind| {
        let value = serde_json::to_value(kind).unwrap();
        let (kind, detail) = (value["type"].as_str().unwrap(), value["place"].as_str().or(value["outcome"].as_str()));
        detail.map_or_else(|| kind.to_owned(), |detail| format!("{kind} {detail}"))
    };
    kinds.iter().map(name).collect()
}

/// Everything that was begun is ended, once.
fn balanced(kinds: &[EventKind]) {
    let count = |which: fn(&EventKind) -> bool| kinds.iter().filter(|kind| which(kind)).count();
    assert_eq!(count(|kind| matches!(kind, EventKind::RunStarted { .. })), 1);
    assert_eq!(count(|kind| matches!(kind, EventKind::RunEnded { .. })), 1);
    assert_eq!(
        count(|kind| matches!(kind, EventKind::NodeStarted { .. })),
        count(|kind| matches!(kind, EventKind::NodeEnded { .. } | EventKind::NodeFailed { .. }))
    );
    assert_eq!(count(|kind| matches!(kind, EventKind::ModelStarted { .. })), count(|kind| matches!(kind, EventKind::ModelEnded { .. })));
    assert_eq!(count(|kind| matches!(kind, EventKind::ToolStarted { .. })), count(|kind| matches!(kind, EventKind::ToolEnded { .. })));
    assert!(matches!(kinds.last(), Some(EventKind::RunEnded { .. })), "the end is the last: {:?}", kinds.last());
}

fn broken() -> ModelError {
    ModelError::TimedOut { model: "scripted".to_owned() }
}

fn lookup() -> Reply {
    calls("c", [("lookup", json!({}))])
}

#[tokio::test]
async fn b079_a_failed_model_ends_everything_once() {
    let script = Scripted::new([Reply::text("never said")]).failing_at(1, broken);
    let (stage, heard) = (Stage::with(script), Heard::default());
    let error = stage.app.thread("t").run("hello").observe(heard.by(0)).await.unwrap_err();
    let RunError::Failed(failure) = &error else { panic!("{error}") };
    assert_eq!(failure.place(), "react");
    assert!(error.to_string().contains("silent for too long"), "{error}");
    let expected = ["run_started", "node_started react", "model_started", "model_ended failed", "node_failed react", "run_ended failed"];
    assert_eq!(names(&heard.of(0)), expected);
}

#[tokio::test]
async fn b082_a_reader_that_stops_leaves_nothing_open() {
    for read in 1..12 {
        let stage = Stage::of([lookup(), Reply::text("Done.")]);
        // The run is ahead of its reader by no more than a buffer: here it waits for a tool.
        stage.deps.hangs.store(true, std::sync::atomic::Ordering::SeqCst);
        let heard = Heard::default();
        let mut events = stage.app.thread("t").run("hello").observe(heard.by(0)).stream();
        for _ in 0..read {
            events.next().await.unwrap();
        }
        assert!(heard.ends().is_empty(), "it is not over after {read} events");
        drop(events);
        assert_eq!(heard.ends(), [Mark::Abandoned], "once, and before the drop returns");
        balanced(&heard.of(0));
        stage.deps.hangs.store(false, std::sync::atomic::Ordering::SeqCst);
        let done = stage.app.thread("t").proceed().await.unwrap().completed().expect("the thread is free at once");
        assert_eq!(done.output.talk.last_text(), Some("Done."));
    }
}

#[tokio::test]
async fn b083_a_cancelled_run_is_cancelled_and_not_failed() {
    let stage = Stage::of([lookup(), Reply::text("Done.")]);
    stage.deps.hangs.store(true, std::sync::atomic::Ordering::SeqCst);
    let (heard, token) = (Heard::default(), CancellationToken::new());
    let run = stage.app.thread("t").run("hello").observe(heard.by(0)).cancelled_by(token.clone()).spawn();
    while stage.ran().is_empty() {
        tokio::task::yield_now().await;
    }
    token.cancel();
    assert_eq!(run.await.unwrap().unwrap().stopped().unwrap().reason, StopReason::Cancelled);
    assert_eq!(heard.ends(), [Mark::Cancelled]);
    balanced(&heard.of(0));
    assert_eq!(stage.deps.dropped.load(std::sync::atomic::Ordering::SeqCst), 1, "it reaches the tool");
}

#[tokio::test]
async fn b084_b091_an_observer_that_panics_changes_nothing_and_the_others_hear_everything() {
    let stage = Stage::of([lookup(), Reply::text("Done.")]);
    let heard = Heard::default();
    let run = stage.app.thread("t").run("hello");
    let run = run.observe(heard.by(0)).observe(|_: &Event| panic!("told to panic")).observe(heard.by(1));
    let done = run.await.unwrap().completed().unwrap();
    assert_eq!(done.output.talk.last_text(), Some("Done."));
    assert!(heard.of(0).len() > 10);
    assert_eq!(heard.of(0), heard.of(1));
    balanced(&heard.of(0));
    let order: Vec<usize> = heard.0.lock().unwrap().iter().map(|(who, _)| *who).collect();
    assert!(order.chunks(2).all(|pair| pair == [0, 1]), "in the order of registration");
}

#[tokio::test]
async fn b092_observers_of_the_app_hear_before_those_of_the_call() {
    let stage = Stage::of([Reply::text("One."), Reply::text("Two.")]);
    let heard = Heard::default();
    let observed = stage.app.clone().observe(heard.by(0));
    let _done = observed.thread("t").run("hello").observe(heard.by(1)).await.unwrap().completed().unwrap();
    let order: Vec<usize> = heard.0.lock().unwrap().iter().map(|(who, _)| *who).collect();
    assert!(order.len() > 10 && order.chunks(2).all(|pair| pair == [0, 1]));
    // The app that was observed is another one.
    let before = order.len();
    let _done = stage.app.thread("u").run("hello").await.unwrap().completed().unwrap();
    assert_eq!(heard.0.lock().unwrap().len(), before);
}

#[tokio::test]
async fn b093_whatever_an_observer_does_at_the_start_there_is_one_end() {
    let stage = Stage::of([lookup(), Reply::text("Done.")]);
    let (heard, token) = (Heard::default(), CancellationToken::new());
    let cancels = token.clone();
    let run = stage.app.thread("t").run("hello").cancelled_by(token).observe(heard.by(0)).observe(move |event: &Event| {
        if matches!(event.kind, EventKind::RunStarted { .. }) {
            cancels.cancel();
        }
    });
    assert_eq!(run.await.unwrap().stopped().unwrap().reason, StopReason::Cancelled);
    assert_eq!(heard.ends(), [Mark::Cancelled]);
    balanced(&heard.of(0));
}

#[tokio::test]
async fn b094_every_place_tells_that_it_begins_and_ends() {
    let stage = Stage::of([calls("c", [("ask_user", good())]), lookup(), Reply::text("Done.")]);
    let heard = Heard::default();
    let app = stage.app.clone().observe(heard.by(0));
    let open = asked(app.thread("t").run("hello").await.unwrap());
    let _done = app.thread("t").resume(first_options(&open)).await.unwrap().completed().unwrap();
    let names = names(&heard.of(0));
    for place in ["react", "elicitation", "run_tools"] {
        for what in ["node_started", "node_ended"] {
            assert!(names.contains(&format!("{what} {place}")), "{what} {place}: {names:?}");
        }
    }
    // Gates and routers are no places: the way that they chose is told.
    let taken: Vec<_> =
        heard.of(0).into_iter().filter(|kind| matches!(kind, EventKind::EdgeTaken { to, .. } if to == "elicitation")).collect();
    assert_eq!(taken.len(), 1);
}

#[tokio::test]
async fn b101_every_stream_ends_with_one_terminal_event() {
    let ask = || calls("c", [("ask_user", good())]);
    let failing = || Scripted::new([Reply::text("x")]).failing_at(1, broken);
    let again = || Scripted::by(|_| Reply::text("").call("lookup", json!({})));
    let cases = [
        (Stage::of([Reply::text("Done.")]), Mark::Completed),
        (Stage::of([ask()]), Mark::Paused),
        (Stage::with(failing()), Mark::Failed),
        (Stage::with(again()), Mark::Stopped),
    ];
    for (stage, mark) in cases {
        let mut events = stage.app.thread("t").run("hello").stream();
        let mut kinds = Vec::new();
        while let Some(event) = events.next().await {
            kinds.push(event.kind);
        }
        assert_eq!(ends(&kinds), [mark]);
        balanced(&kinds);
    }
}

#[tokio::test]
async fn b101_what_is_the_users_own_goes_through() {
    use graphwright::Context;
    let heard = Arc::new(Mutex::new(Vec::new()));
    let hears = heard.clone();
    let cx = Context::test_observed((), move |event: &Event| hears.lock().unwrap().push(event.clone()));
    let own = EventKind::Custom { name: "progress".to_owned(), content: json!({"done": 3}) };
    cx.emit(own.clone()).await;
    let told = heard.lock().unwrap().pop().unwrap();
    assert_eq!(told.kind, own);
    let sent: Event = serde_json::from_str(&serde_json::to_string(&told).unwrap()).unwrap();
    assert_eq!(sent.kind, own);
}

/// There is one hook. Whoever wants one kind matches on it, and a kind that is not there is an error of rustc's.
struct OnlyEnds(Arc<Mutex<Vec<Mark>>>);

impl Observer for OnlyEnds {
    fn on_event(&self, event: &Event) {
        if let EventKind::RunEnded { outcome } = event.kind {
            self.0.lock().unwrap().push(outcome);
        }
    }
}

#[tokio::test]
async fn b106_an_observer_of_one_kind_needs_no_more() {
    let (stage, ends) = (Stage::of([Reply::text("Done.")]), Arc::default());
    let app = Shop::app(stage.deps.clone(), graphwright::Memory::new()).observe(OnlyEnds(Arc::clone(&ends)));
    let _done = app.thread("t").run("hello").await.unwrap().completed().unwrap();
    assert_eq!(*ends.lock().unwrap(), [Mark::Completed]);
}
