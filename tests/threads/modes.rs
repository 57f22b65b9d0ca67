//! Modes of a stream: filters over the one event type; and what a node tells, joins and lives from.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use graphwright::prelude::*;
use graphwright::{Event, EventKind, Mark, Mode, RunsBare};

use super::machine::Record;

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, State)]
pub struct Talk {
    #[state(append)]
    lines: Vec<String>,
    slow: bool,
    beats: bool,
}

#[node(writes(lines))]
async fn speak(_: &Talk, cx: &Context<()>) -> NodeResult<speak> {
    cx.text("Hel").await;
    cx.text("lo").await;
    cx.custom("thought", 7).await;
    Ok(Talk::update().lines(["Hello"]))
}

#[node(writes(lines))]
async fn left(_: &Talk, cx: &Context<()>) -> NodeResult<left> {
    cx.text("left").await;
    Ok(Talk::update().lines(["left"]))
}

#[node(writes(lines))]
async fn right(_: &Talk) -> NodeResult<right> {
    tokio::task::yield_now().await;
    Ok(Talk::update().lines(["right"]))
}

graph! {
    Inner(Talk) {
        start -> echo -> end;
        echo: left;
    }
}

graph! {
    Speech(Talk) {
        start -> speak -> [left, right, inner] -> last -> end;
        last: right;
        inner: graph Inner;
    }
}

fn name(event: &Event) -> String {
    match &event.kind {
        EventKind::RunStarted { .. } => "start".to_owned(),
        EventKind::RunEnded { outcome } => format!("end {outcome:?}"),
        EventKind::TextDelta { text } => format!("text {text}"),
        EventKind::Custom { name, content } => format!("{name} {content}"),
        EventKind::State { state } => format!("state {}", state["lines"]),
        EventKind::Updated { place, update } => format!("{place} {}", update["lines"]["add"]),
        EventKind::NodeStarted { place } => format!("node {place}"),
        EventKind::Committed { .. } => "committed".to_owned(),
        other => format!("{other:?}"),
    }
}

async fn read<G: graphwright::Graph>(run: graphwright::Run<G>) -> Vec<Event> {
    let mut events = run.stream();
    let mut read = Vec::new();
    while let Some(event) = events.next().await {
        read.push(event);
    }
    assert!(matches!(events.outcome().await.unwrap(), Outcome::Completed(_)));
    assert!(read.windows(2).all(|pair| pair[0].id < pair[1].id), "ids grow, whatever is left out");
    read
}

/// Without a store, and with one.
async fn both(modes: &[Mode]) -> [Vec<String>; 2] {
    fn is_bare<G: graphwright::Graph>()
    where
        G::Pauses: RunsBare<G>,
    {
    }
    is_bare::<Speech>();
    let bare = read(Speech::run((), Talk::update()).modes(modes.iter().copied())).await;
    let app = Speech::app((), Memory::new());
    let kept = read(app.thread("t").run(Talk::update()).modes(modes.iter().copied())).await;
    [bare, kept].map(|events| events.iter().map(name).collect())
}

#[tokio::test]
async fn each_mode_gives_its_own_and_the_ends_of_the_run() {
    for said in both(&[Mode::Updates]).await {
        let mut said = said;
        said[2..5].sort();
        let forks = [r#"echo ["left"]"#, r#"left ["left"]"#, r#"right ["right"]"#];
        assert_eq!(said[2..5], forks);
        assert_eq!([&said[..2], &said[5..]].concat(), ["start", r#"speak ["Hello"]"#, r#"last ["right"]"#, "end Completed"]);
    }
    for said in both(&[Mode::Values]).await {
        let after = |lines: &str| format!("state {lines}");
        let states = [
            "start".to_owned(),
            after("[]"),
            after(r#"["Hello"]"#),
            after(r#"["Hello","left","right","left"]"#),
            after(r#"["Hello","left","right","left","right"]"#),
            "end Completed".to_owned(),
        ];
        assert_eq!(said, states);
    }
    for said in both(&[Mode::Messages]).await {
        assert_eq!(said, ["start", "text Hel", "text lo", "text left", "text left", "end Completed"]);
    }
    for said in both(&[Mode::Custom]).await {
        assert_eq!(said, ["start", "thought 7", "end Completed"]);
    }
    let [bare, kept] = both(&[Mode::Checkpoints]).await;
    assert_eq!((bare.len(), kept.iter().filter(|name| *name == "committed").count()), (2, 5));
    for said in both(&[Mode::Custom, Mode::Messages]).await {
        assert_eq!(said[..4], ["start", "text Hel", "text lo", "thought 7"]);
    }
    for said in both(&[]).await {
        assert_eq!(said, ["start", "end Completed"], "every stream has a start and an end");
    }
}

#[tokio::test]
async fn all_modes_together_are_everything_once() {
    let all = [Mode::Values, Mode::Updates, Mode::Messages, Mode::Custom, Mode::Tasks, Mode::Checkpoints];
    let [_, kept] = both(&all).await;
    let app = Speech::app((), Memory::new());
    let plain: Vec<String> = read(app.thread("t").run(Talk::update())).await.iter().map(name).collect();
    let content = |name: &&String| name.starts_with("state") || name.ends_with(']');
    assert_eq!(kept.iter().filter(content).count(), 4 + 5);
    let mut rest: Vec<&String> = kept.iter().filter(|name| !content(name)).collect();
    let mut plain: Vec<&String> = plain.iter().collect();
    rest.sort();
    plain.sort();
    assert_eq!(rest, plain, "without a mode there is everything but what is in the state");
}

#[tokio::test]
async fn what_is_in_the_state_is_for_the_stream_alone() {
    let record = Record::default();
    let run = Speech::app((), Memory::new()).observe(record.clone()).thread("t").run(Talk::update());
    let shown = read(run.modes([Mode::Values, Mode::Updates])).await;
    assert!(shown.len() > 5);
    let told = record.take();
    assert_eq!(Record::check_ends(&told), Mark::Completed);
    assert!(told.iter().all(|event| !matches!(event.kind.mode(), Some(Mode::Values | Mode::Updates))));
}

#[tokio::test]
async fn a_stream_may_be_of_one_place_or_of_what_is_within_it() {
    let app = Speech::app((), Memory::new());
    let within = async |name: &str| {
        let events = read(app.thread(name).run(Talk::update()).modes([Mode::Tasks]).within(name)).await;
        events.iter().filter_map(name_of_start).collect::<Vec<_>>()
    };
    assert_eq!(within("speak").await, ["speak"]);
    assert_eq!(within("inner").await, ["echo"]);
    assert_eq!(within("echo").await, ["echo"]);
    assert_eq!(within("left").await, ["left"]);
    assert!(within("nowhere").await.is_empty());
}

fn name_of_start(event: &Event) -> Option<String> {
    match &event.kind {
        EventKind::NodeStarted { place } => Some(place.clone()),
        _ => None,
    }
}

#[tokio::test]
async fn a_stream_in_a_mode_is_not_held_up_by_what_it_does_not_take() {
    #[derive(Clone, Debug, Default, Serialize, Deserialize, State)]
    struct Count {
        n: u32,
    }
    #[node]
    async fn add(count: &Count) -> NodeResult<Count> {
        Ok(Count::update().n(count.n + 1))
    }
    #[router]
    fn enough(count: &Count) -> bool {
        count.n == 2_000
    }
    graph! {
        #[graph(steps = 5_000)]
        Counter(Count) {
            start -> add;
            add -> end if enough;
            add -> add;
        }
    }
    let events = read(Counter::run((), Count::update()).modes([Mode::Custom])).await;
    assert_eq!(events.iter().map(name).collect::<Vec<_>>(), ["start", "end Completed"]);
    assert!(events[1].id > 4_000, "two thousand steps told more than that");
}

#[node(writes(lines))]
async fn long(talk: &Talk, cx: &Context<()>) -> NodeResult<long> {
    for _ in 0..10 {
        tokio::time::sleep(Duration::from_millis(60)).await;
        if talk.beats {
            cx.heartbeat();
        }
    }
    Ok(Talk::update().lines(["done"]))
}

graph! {
    Long(Talk) {
        start -> long -> end;
        long: timeout(100ms);
    }
}

graph! {
    Wide(Talk) {
        start -> [long, right] -> end;
        long: timeout(100ms);
    }
}

#[tokio::test(start_paused = true)]
async fn a_heartbeat_begins_the_time_limit_anew() {
    let beats = |beats| Talk::update().beats(beats);
    assert!(Long::run((), beats(true)).await.unwrap().completed().is_some(), "600 ms, and never 100 ms without a word");
    assert!(Wide::run((), beats(true)).await.unwrap().completed().is_some(), "in a branch, too");
    for error in [Long::run((), beats(false)).await.unwrap_err(), Wide::run((), beats(false)).await.unwrap_err()] {
        assert_eq!(error.to_string(), "`long` failed: it took longer than 100ms");
    }
}

#[node]
async fn beats_and_hangs(_: &Talk, cx: &Context<()>) -> NodeResult<Talk> {
    cx.heartbeat();
    std::future::pending::<()>().await;
    Ok(Talk::update())
}

graph! {
    Hangs(Talk) {
        start -> beats_and_hangs -> end;
        beats_and_hangs: timeout(100ms);
    }
}

#[tokio::test(start_paused = true)]
async fn a_heart_that_stopped_is_noticed() {
    let start = tokio::time::Instant::now();
    Hangs::run((), Talk::update()).await.unwrap_err();
    assert!(start.elapsed() < Duration::from_millis(250), "{:?}", start.elapsed());
}

#[tokio::test(start_paused = true)]
async fn parts_are_joined_in_their_order_and_so_many_at_once() {
    let cx = Context::test(());
    let (now, most) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    let begun = Arc::new(Mutex::new(Vec::new()));
    let part = |n: u64| {
        let (now, most, begun) = (now.clone(), most.clone(), begun.clone());
        async move {
            begun.lock().unwrap().push(n);
            most.fetch_max(now.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
            tokio::time::sleep(Duration::from_millis(20 - n)).await;
            now.fetch_sub(1, Ordering::SeqCst);
            n
        }
    };
    assert_eq!(cx.join(3, (0..10).map(part)).await, (0..10).collect::<Vec<_>>());
    assert_eq!(most.load(Ordering::SeqCst), 3);
    assert_eq!(begun.lock().unwrap().len(), 10);
    assert_eq!(cx.join(0, (0..2).map(part)).await, [0, 1], "none at once is one at once");
    assert_eq!(cx.join(9, (0..0).map(part)).await, Vec::<u64>::new());
    let parts = vec![part(1), part(2)];
    let spawned = tokio::spawn(async move { cx.join(2, parts).await });
    assert_eq!(spawned.await.unwrap(), [1, 2], "it is `Send`");
}

#[tokio::test]
async fn parts_that_were_not_begun_never_begin_when_the_join_is_dropped() {
    let begun = Arc::new(AtomicUsize::new(0));
    let cx = Context::test(());
    let part = |_| {
        begun.fetch_add(1, Ordering::SeqCst);
        std::future::pending::<()>()
    };
    let joined = tokio::time::timeout(Duration::from_millis(10), cx.join(2, (0..10).map(part))).await;
    assert!(joined.is_err());
    assert_eq!(begun.load(Ordering::SeqCst), 2);
}
