//! What an operator and a front end ask: who would be refused, what waits, what was committed since.

use std::time::Duration;

use graphwright::prelude::*;
use graphwright::store::{Checkpointer, Status};
use graphwright::{Event, EventKind, ManualClock, Mark, Scope, Thread, ThreadId, Timestamp};

use super::doubles::{Fault, Faulty};
use super::machine::{Deps, Log, Machine, Order, more};
use super::refused::{Another, later};

async fn file() -> (tempfile::TempDir, Sqlite) {
    let folder = tempfile::tempdir().unwrap();
    let store = Sqlite::open(folder.path().join("t.db")).await.unwrap();
    (folder, store)
}

#[tokio::test]
async fn a_build_tells_whom_it_would_refuse() {
    let (_folder, sqlite) = file().await;
    looks_before_it_is_deployed(Memory::new()).await;
    looks_before_it_is_deployed(sqlite).await;
}

async fn looks_before_it_is_deployed(store: impl Checkpointer + Clone) {
    let old = Machine::app(Deps::default(), store.clone());
    let tenant = old.scope(Scope::new(["acme"]).unwrap());
    for thread in ["a", "b", "c"] {
        old.thread(thread).run(Log::update()).await.unwrap().paused().unwrap();
    }
    tenant.thread("theirs").run(Log::update()).await.unwrap().paused().unwrap();
    old.thread("failed").run(Log::update().order(Order::Fail)).await.unwrap_err();
    let answered = more(old.thread("b").pending().await.unwrap());
    old.thread("b").answer(answered.accept(3)).await.unwrap();
    // Of nobody's concern: one that is done, one of another graph.
    let done = more(old.thread("c").pending().await.unwrap());
    old.thread("c").resume(done.decline()).await.unwrap().completed().unwrap();
    Another::app(Deps::default(), store.clone()).thread("other").run(Log::update()).await.unwrap().completed().unwrap();

    let mine = old.preflight().await.unwrap();
    assert_eq!((mine.looked, mine.refused.len(), mine.next), (3, 0, None), "what wrote them goes on with them");

    let before = old.thread("a").history().await.unwrap().rows;
    let new = later::Machine::app(Deps::default(), store.clone());
    let found = new.preflight().await.unwrap();
    assert_eq!(found.looked, 3);
    let told: Vec<_> = found.refused.iter().map(|refused| (refused.thread.as_str(), refused.status)).collect();
    assert_eq!(told, [("a", Status::Paused), ("b", Status::Running), ("failed", Status::Stopped)]);
    for refused in &found.refused {
        let gives = new.thread(refused.thread.as_str()).state().await.unwrap_err();
        assert_eq!(refused.why.to_string(), gives.to_string(), "what every call would give");
    }
    assert!(found.refused[0].why.to_string().contains("`more`, which is no place of `Machine` now"));
    assert_eq!(old.thread("a").history().await.unwrap().rows, before, "nothing is written");

    let theirs = new.scope(Scope::new(["acme"]).unwrap()).preflight().await.unwrap();
    assert_eq!((theirs.looked, theirs.refused[0].thread.as_str()), (1, "theirs"), "each scope for itself");

    // Page by page it is the same.
    let (mut looked, mut refused, mut after) = (0, Vec::new(), None::<String>);
    loop {
        let mut look = new.preflight().limit(1);
        if let Some(after) = after {
            look = look.after(after);
        }
        let page = look.await.unwrap();
        assert!(page.looked <= 1);
        looked += page.looked;
        refused.extend(page.refused.into_iter().map(|refused| refused.thread.to_string()));
        let Some(next) = page.next else { break };
        after = Some(next);
    }
    assert_eq!((looked, refused.join(" ")), (3, "a b failed".to_owned()));
    assert_eq!(new.preflight().after("nonsense").await.unwrap_err().status(), 400);
}

#[tokio::test]
async fn a_thread_that_runs_is_left_alone_and_a_dead_one_is_looked_at() {
    let memory = Memory::new();
    let app = Machine::app(Deps::default(), memory.clone());
    let mut run = app.thread("t").run(Log::update().order(Order::Spin)).steps(u64::MAX).stream();
    run.next().await.unwrap();
    assert_eq!(later::Machine::app(Deps::default(), memory.clone()).preflight().await.unwrap().looked, 0);
    drop(run);
    let found = later::Machine::app(Deps::default(), memory).preflight().await.unwrap();
    assert_eq!((found.looked, found.refused.len()), (1, 1), "nobody drives it");
}

#[tokio::test]
async fn an_inbox_is_narrowed_and_widened() {
    let memory = Memory::new();
    let clock = ManualClock::at(Timestamp(1_700_000_000_000_000));
    let app = Machine::app(Deps::default(), memory.clone()).clock(clock.clone());
    app.thread("old").run(Log::update()).await.unwrap().paused().unwrap();
    clock.advance(Duration::from_secs(100));
    app.thread("new").run(Log::update()).await.unwrap().paused().unwrap();
    app.scope(Scope::new(["acme"]).unwrap()).thread("theirs").run(Log::update()).await.unwrap().paused().unwrap();
    let threads = async |inbox: graphwright::Inbox<Machine>| {
        let waiting = inbox.list().await.unwrap().waiting;
        assert!(waiting.iter().all(|waiting| waiting.graph == "Machine"));
        waiting.iter().map(|waiting| waiting.thread.to_string()).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(threads(app.pending()).await, "old new");
    assert_eq!(threads(app.pending().older_than(Duration::from_secs(60))).await, "old");
    assert_eq!(threads(app.pending().at("more")).await, "old new");
    assert_eq!(threads(app.pending().at("less")).await, "");
    assert_eq!(threads(app.pending().to("managers")).await, "");
    assert_eq!(threads(app.scope(Scope::new(["acme"]).unwrap()).pending()).await, "theirs");
    let another = Another::app(Deps::default(), memory);
    assert!(another.pending().list().await.unwrap().waiting.is_empty(), "its own graph asks nothing");
    let all = another.pending().every_graph().older_than(Duration::ZERO).list().await.unwrap().waiting;
    assert_eq!(all.iter().map(|waiting| waiting.graph.as_str()).collect::<Vec<_>>(), ["Machine", "Machine"]);
}

#[tokio::test]
async fn an_operator_sees_all_scopes_and_nobody_else_does() {
    let (_folder, sqlite) = file().await;
    sees_all(Memory::new()).await;
    sees_all(sqlite).await;
}

async fn sees_all(store: impl Checkpointer + Clone) {
    let app = Machine::app(Deps::default(), store.clone());
    let (red, blue) = (Scope::new(["red"]).unwrap(), Scope::new(["blue"]).unwrap());
    for (app, thread) in [(app.clone(), "a"), (app.scope(red.clone()), "b"), (app.scope(blue.clone()), "b")] {
        app.thread(thread).run(Log::update()).await.unwrap().paused().unwrap();
    }
    // Closed until opened: for the app of no tenant, and for a tenant's, who is told nothing of the others.
    for closed in [app.clone(), app.scope(red.clone())] {
        let error = closed.pending().every_scope().list().await.unwrap_err();
        assert!(matches!(error, RunError::OtherScopes) && error.status() == 403, "{error}");
        assert!(matches!(closed.preflight().every_scope().await.unwrap_err(), RunError::OtherScopes));
        assert_eq!(closed.pending().list().await.unwrap().waiting.len(), 1);
    }
    let operator = app.clone().across_scopes();
    assert_eq!(operator.pending().list().await.unwrap().waiting.len(), 1, "nobody asked for all of them");
    let all = operator.pending().every_scope().at("more").list().await.unwrap().waiting;
    let mut found: Vec<_> = all.iter().map(|waiting| (waiting.thread.as_str(), waiting.scope)).collect();
    found.sort();
    let mut wanted = [("a", Scope::root().hash()), ("b", red.hash()), ("b", blue.hash())];
    wanted.sort();
    assert_eq!(found, wanted);
    let (mut pages, mut after) = (Vec::new(), None::<String>);
    loop {
        let inbox = operator.pending().every_scope().limit(1);
        let page = if let Some(after) = after { inbox.after(after) } else { inbox }.list().await.unwrap();
        pages.extend(page.waiting.into_iter().map(|waiting| waiting.id));
        let Some(next) = page.next else { break };
        after = Some(next);
    }
    assert_eq!(pages, all.iter().map(|waiting| waiting.id).collect::<Vec<_>>());

    let new = later::Machine::app(Deps::default(), store).across_scopes();
    let found = new.preflight().every_scope().await.unwrap();
    assert_eq!((found.looked, found.refused.len()), (3, 3), "whom a deploy would meet, whoever it is");
    let mut whose: Vec<_> = found.refused.iter().map(|refused| (refused.thread.as_str(), refused.scope)).collect();
    whose.sort();
    assert_eq!(whose, wanted);

    // A tenant's app that is made of the operator's is a tenant's, whatever it was handed.
    let theirs = operator.scope(red.clone());
    assert!(matches!(theirs.pending().every_scope().list().await.unwrap_err(), RunError::OtherScopes));
    assert!(matches!(theirs.preflight().every_scope().await.unwrap_err(), RunError::OtherScopes));
    for waiting in &all {
        let mine = waiting.scope == red.hash();
        assert_eq!(theirs.thread_of(waiting).is_ok(), mine);
        assert!(mine || matches!(theirs.thread_of(waiting).unwrap_err(), RunError::OtherScopes));
    }
    assert!(matches!(Another::app(Deps::default(), Memory::new()).thread_of(&all[0]).unwrap_err(), RunError::OtherGraph { .. }));

    // It begins nothing there: of another scope it knows the hash alone, and its own is not the place for it.
    let waiting = all.iter().find(|waiting| waiting.scope == blue.hash()).unwrap();
    let thread = operator.thread_of(waiting).unwrap();
    let last = thread.history().await.unwrap().rows.last().unwrap().seq;
    let error = thread.fork(last, "copy").await.unwrap_err();
    assert!(matches!(error, RunError::ScopeUnknown) && error.status() == 403, "{error}");
    let mut gone = waiting.clone();
    gone.thread = ThreadId::new("gone").unwrap();
    let gone = operator.thread_of(&gone).unwrap();
    assert!(matches!(gone.run(Log::update()).await.unwrap_err(), RunError::ScopeUnknown));
    assert!(matches!(gone.proceed().await.unwrap_err(), RunError::NoThread));
    for name in ["copy", "gone"] {
        for app in [app.clone(), app.scope(red.clone()), app.scope(blue.clone())] {
            assert_eq!(app.thread(name).status().await.unwrap(), None, "{name}");
        }
    }
    let mine = all.iter().find(|waiting| waiting.scope == Scope::root().hash()).unwrap();
    let copy = operator.thread_of(mine).unwrap().fork(last, "copy").await.unwrap();
    assert!(copy.delete().await.unwrap(), "its own scope it knows");

    // And answers where it is.
    for waiting in &all {
        let thread = operator.thread_of(waiting).unwrap();
        let open = more(thread.pending().await.unwrap());
        assert_eq!(open.id(), waiting.id);
        thread.resume(open.decline()).await.unwrap().into_completed().unwrap();
    }
    assert!(operator.pending().every_scope().list().await.unwrap().waiting.is_empty());
    assert!(app.scope(red).thread("b").pending().await.unwrap().is_empty());
}

/// Events until one of these ids, with their ids.
async fn read_to(thread: &Thread<Machine>, after: u64, last: u64) -> Vec<Event> {
    let mut events = thread.subscribe(after);
    let mut read: Vec<Event> = Vec::new();
    while read.last().is_none_or(|event| event.id < last) {
        read.push(events.next().await.unwrap().unwrap());
    }
    read
}

fn told(events: &[Event]) -> Vec<(u64, String)> {
    let name = |kind: &EventKind| match kind {
        EventKind::RunStarted { resumed, .. } => format!("started {resumed}"),
        EventKind::RunEnded { outcome } => format!("ended {outcome:?}"),
        EventKind::NodeFailed { place, error } => format!("{place} failed: {error}"),
        EventKind::Committed { seq } => format!("committed {seq}"),
        EventKind::AskUserQuestion { place, content, .. } => format!("{place} asks {content}"),
        EventKind::Resumed { .. } => "resumed".to_owned(),
        other => format!("{other:?}"),
    };
    events.iter().map(|event| (event.id, name(&event.kind))).collect()
}

#[tokio::test]
async fn a_way_that_is_looked_for_again_begins_no_run() {
    let thread = Machine::app(Deps::default(), Memory::new()).thread("t");
    thread.run(Log::update().order(Order::RouterPanics)).await.unwrap_err();
    thread.proceed().await.unwrap_err();
    // A turn, its step and its stop; then a claim, the way that was not found again, and a stop.
    let told = told(&read_to(&thread, 0, 12).await);
    let wanted = ["started false", "committed 2", "ended Failed", "started true", "committed 5", "ended Failed"];
    assert_eq!(told.iter().map(|(_, told)| told.as_str()).collect::<Vec<_>>(), wanted);
}

#[tokio::test]
async fn a_thread_is_followed_from_any_event_on() {
    let (_folder, sqlite) = file().await;
    follows(Memory::new()).await;
    follows(sqlite).await;
}

async fn follows(store: impl Checkpointer + Clone) {
    let thread = Machine::app(Deps::default(), store.clone()).thread("t");
    let paused = thread.run(Log::update().wanted(1_u32)).await.unwrap().paused().unwrap();
    let first = read_to(&thread, 0, 7).await;
    let asks = r#"more asks "after 1 rounds, how many more?""#;
    let mut wanted = vec![(2, "started false"), (4, "committed 2"), (6, asks), (7, "ended Paused")];
    assert_eq!(told(&first), wanted.iter().map(|(id, told)| (*id, (*told).to_owned())).collect::<Vec<_>>());

    // From another process it is the same, and what comes later is told there.
    let elsewhere = Machine::app(Deps::default(), store).thread("t");
    let mut events = elsewhere.subscribe(6);
    assert!(matches!(events.next().await.unwrap().unwrap().kind, EventKind::RunEnded { outcome: Mark::Paused }));
    let follower = tokio::spawn(async move {
        let mut read = Vec::new();
        while read.last().is_none_or(|event: &Event| !matches!(event.kind, EventKind::RunEnded { .. })) {
            read.push(events.next().await.unwrap().unwrap());
        }
        (read, events)
    });
    thread.resume(more(paused.questions).decline()).await.unwrap().completed().unwrap();
    let (then, mut events) = follower.await.unwrap();
    wanted = vec![(8, "resumed"), (9, "ended Completed")];
    assert_eq!(told(&then), wanted.iter().map(|(id, told)| (*id, (*told).to_owned())).collect::<Vec<_>>());
    let turn = first[0].turn;
    assert!(first.iter().chain(&then).all(|event| event.turn == turn && event.thread.as_ref().is_some_and(|t| t.as_str() == "t")));

    // Whoever lost the connection behind any event gets each later one, and none twice.
    let all = read_to(&thread, 0, 9).await;
    for after in 0..9 {
        let rest: Vec<_> = told(&all).into_iter().filter(|(id, _)| *id > after).collect();
        assert_eq!(told(&read_to(&thread, after, 9).await), rest, "after {after}");
    }

    thread.run(Log::update().order(Order::Fail)).await.unwrap_err();
    let failed = [events.next().await, events.next().await].map(|event| event.unwrap().unwrap());
    assert_eq!(told(&failed), [(10, "started false".to_owned()), (12, "ended Failed".to_owned())]);
    thread.delete().await.unwrap();
    assert!(matches!(events.next().await, Some(Err(RunError::NoThread))));
    assert!(events.next().await.is_none(), "nothing behind an error");
}

#[tokio::test]
async fn nobody_follows_what_is_not_there_or_not_theirs() {
    let memory = Memory::new();
    let app = Machine::app(Deps::default(), memory.clone());
    app.thread("t").run(Log::update()).await.unwrap().paused().unwrap();
    let tenant = app.scope(Scope::new(["acme"]).unwrap());
    for (thread, after, status) in [
        (app.thread("nowhere"), 0, 404),
        (app.thread(""), 0, 400),
        (tenant.thread("t"), 0, 404),
        // Ids that nobody gave.
        (app.thread("t"), 8, 404),
        (app.thread("t"), u64::MAX, 404),
    ] {
        let error = thread.subscribe(after).next().await.unwrap().unwrap_err();
        assert_eq!(error.status(), status, "{error}");
    }
    let error = Another::app(Deps::default(), memory).thread("t").subscribe(0).next().await.unwrap().unwrap_err();
    assert!(matches!(error, RunError::OtherGraph { .. }), "{error}");
}

#[tokio::test]
async fn a_long_thread_is_followed_page_by_page() {
    let app = Machine::app(Deps::default(), Memory::new());
    app.thread("t").run(Log::update().order(Order::Spin)).steps(2_500).await.unwrap().stopped().unwrap();
    let last = app.thread("t").history().newest(1).await.unwrap()[0].seq;
    assert!(last > 2_500);
    for after in [0, 1_500, 2 * last - 10] {
        let ids: Vec<u64> = read_to(&app.thread("t"), after, 2 * last).await.iter().map(|event| event.id).collect();
        let wanted: Vec<u64> = (after / 2 + 1..=last).map(|seq| 2 * seq).collect();
        assert_eq!(ids, wanted);
    }
}

#[tokio::test]
async fn a_store_that_fails_ends_a_subscription() {
    let memory = Memory::new();
    Machine::app(Deps::default(), memory.clone()).thread("t").run(Log::update()).await.unwrap().paused().unwrap();
    let mut events = Machine::app(Deps::default(), Faulty::new(memory, Fault::FailFrom(1))).thread("t").subscribe(0);
    assert_eq!(events.next().await.unwrap().unwrap_err().status(), 503);
    assert!(events.next().await.is_none());
}

#[tokio::test]
async fn what_was_pruned_is_no_gap_that_nobody_sees() {
    // Rows of long ago, since young ones are not dropped.
    let app = Machine::app(Deps::default(), Memory::new()).clock(ManualClock::at(Timestamp(1_000_000)));
    let thread = app.thread("t");
    let mut slow = thread.subscribe(0);
    app.thread("t").run(Log::update().order(Order::Grow).wanted(10_u32)).steps(1).await.unwrap().stopped().unwrap();
    assert_eq!(slow.next().await.unwrap().unwrap().id, 2);
    while slow.next().await.unwrap().unwrap().id < 6 {}
    thread.proceed().await.unwrap_err();
    let last = thread.history().await.unwrap().last().unwrap().seq;
    assert!(thread.prune(last).await.unwrap() > 0);
    let first = thread.history().await.unwrap()[0].seq;
    assert!(first > 4, "{first}");
    for (mut events, row) in [(slow, 4), (thread.subscribe(2), 2)] {
        let error = events.next().await.unwrap().unwrap_err();
        assert!(matches!(error, RunError::NoRow { seq, .. } if seq == row), "{error}");
    }
    assert_eq!(thread.subscribe(0).next().await.unwrap().unwrap().id, 2 * first, "from the oldest that is kept");
    assert_eq!(thread.subscribe(2 * (first - 1)).next().await.unwrap().unwrap().id, 2 * first, "nothing is missed");
}
