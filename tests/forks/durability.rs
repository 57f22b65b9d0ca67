//! Steps that are durable later than they are done, where somebody asked for that: what is told is kept all the same.

use std::collections::BTreeSet;
use std::future::Future;
use std::pin::pin;
use std::sync::{Arc, Mutex};
use std::task::{Context as Task, Poll, Waker};

use graphwright::prelude::*;
use graphwright::store::{By, Checkpointer, Point, RowKind, Status, ThreadKey};
use graphwright::{Durability, Event, EventKind, Scope, Sqlite, StopReason, ThreadId};

use super::tree::{Deps, Log, TEXT, Tree, WORKED, answer, lines};
use crate::doubles::{Fault, Faulty};

const LATER: [Durability; 2] = [Durability::Behind, Durability::Exit];

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, State)]
pub struct Count {
    n: u32,
    wanted: u32,
    #[state(append)]
    ballast: Vec<String>,
    grows: bool,
}

#[node]
async fn add(count: &Count) -> NodeResult<Count> {
    tokio::task::yield_now().await;
    let update = Count::update().n(count.n + 1);
    Ok(if count.grows { update.ballast(["x".repeat(4 << 20)]) } else { update })
}

#[router]
fn enough(count: &Count) -> bool {
    count.n >= count.wanted
}

graph! {
    #[graph(steps = 100_000)]
    Counter(Count) {
        start -> add;
        add -> end if enough;
        add -> add;
    }
}

async fn commits(thread: &graphwright::Thread<Counter>) -> usize {
    let (mut commits, mut after) = (BTreeSet::new(), None);
    loop {
        let history = thread.history();
        let history = if let Some(after) = after { history.after(after) } else { history }.await.unwrap();
        commits.extend(history.iter().map(|row| row.commit));
        match history.next {
            Some(next) => after = Some(next),
            None => return commits.len(),
        }
    }
}

#[tokio::test]
async fn the_rows_are_the_same_in_fewer_commits() {
    graphwright::__private::read_back();
    for sqlite in [false, true] {
        let folder = tempfile::tempdir().unwrap();
        let mut said = Vec::new();
        for durability in [Durability::Sync, Durability::Behind, Durability::Exit] {
            let app = if sqlite {
                Counter::app((), Sqlite::open(folder.path().join(format!("{durability:?}.db"))).await.unwrap())
            } else {
                Counter::app((), Memory::new())
            };
            let thread = app.durability(durability).thread("t");
            let done = thread.run(Count::update().wanted(600)).await.unwrap().completed().unwrap();
            assert_eq!((done.output.n, done.steps), (600, 600));
            assert_eq!(thread.state_at(301).await.unwrap().n, 300, "each step is a row of its own");
            assert_eq!(thread.status().await.unwrap(), Some(Status::Idle));
            said.push(commits(&thread).await);
        }
        let [sync, behind, exit] = said[..] else { unreachable!() };
        assert_eq!(sync, 601);
        assert!(behind <= sync && behind > 1, "{behind}");
        assert_eq!(exit, 1 + 600_usize.div_ceil(250), "the input, and what waits is written at 250 and at the end");
    }
}

#[tokio::test]
async fn every_order_of_answers_comes_to_the_same() {
    graphwright::__private::read_back();
    for durability in LATER {
        for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
            let deps = Deps::default();
            let app = Tree::app(deps.clone(), Memory::new()).durability(durability);
            let questions = app.thread("t").run(Log::update()).await.unwrap().paused().unwrap().questions;
            let mut outcome = None;
            for index in order {
                outcome = Some(app.thread("t").resume(answer(&questions[index])).await.unwrap());
            }
            let log = outcome.unwrap().completed().unwrap().output;
            assert_eq!(
                (log.lines, log.text.as_str()),
                (lines().into_iter().map(str::to_owned).collect(), TEXT),
                "{durability:?} {order:?}"
            );
            assert_eq!(deps.begun.lock().unwrap().len(), WORKED);
            // Who reads it from the store reads the same.
            let afresh = app.thread("t").history().await.unwrap();
            assert!(afresh.iter().enumerate().all(|(n, row)| row.seq == n as u64 + 1));
        }
    }
}

/// What a future of `Memory` gives at its first poll.
fn now<T>(future: impl Future<Output = T>) -> T {
    match pin!(future).poll(&mut Task::from_waker(Waker::noop())) {
        Poll::Ready(value) => value,
        Poll::Pending => panic!("memory never waits"),
    }
}

#[tokio::test]
async fn committed_is_told_in_order_and_when_it_is_true() {
    for durability in LATER {
        let memory = Memory::new();
        let told = Arc::new(Mutex::new(Vec::new()));
        let (hears, store) = (told.clone(), memory.clone());
        let key = ThreadKey { scope: Scope::root().hash(), by: By::Name(ThreadId::new("t").unwrap()) };
        let app = Counter::app((), Faulty::new(memory, Fault::Wait)).durability(durability).observe(move |event: &Event| {
            if let EventKind::Committed { seq } = event.kind {
                assert!(now(store.load(&key, Point::Head)).unwrap().unwrap().seq >= seq, "row {seq} is not there");
                hears.lock().unwrap().push(seq);
            }
            if let EventKind::RunEnded { .. } = event.kind {
                hears.lock().unwrap().push(0);
            }
        });
        app.thread("t").run(Count::update().wanted(20)).await.unwrap().completed().unwrap();
        let mut expected: Vec<u64> = (2..=21).collect();
        expected.push(0);
        assert_eq!(*told.lock().unwrap(), expected, "{durability:?}: each row once, and all before the end");
    }
}

#[tokio::test]
async fn every_end_of_a_run_makes_its_steps_durable() {
    for durability in LATER {
        let app = Counter::app((), Memory::new()).durability(durability);
        let limited = app.thread("limited").run(Count::update().wanted(9)).steps(3).await.unwrap().stopped().unwrap();
        assert_eq!((limited.reason, limited.state.n), (StopReason::StepLimit, 3));
        assert_eq!(app.thread("limited").state().await.unwrap(), Some(limited.state));

        let run = app.thread("drained").run(Count::update().wanted(u32::MAX)).spawn();
        while !app.thread("drained").drain().await.unwrap() {
            tokio::task::yield_now().await;
        }
        let drained = run.await.unwrap().unwrap().stopped().unwrap();
        assert_eq!(app.thread("drained").state().await.unwrap(), Some(drained.state));

        let run = app.thread("cancelled").run(Count::update().wanted(u32::MAX)).spawn();
        for _ in 0..50 {
            tokio::task::yield_now().await;
        }
        app.thread("cancelled").cancel().await.unwrap();
        let cancelled = run.await.unwrap().unwrap().stopped().unwrap();
        assert!(cancelled.state.n > 1);
        assert_eq!(app.thread("cancelled").state().await.unwrap(), Some(cancelled.state));

        // Dropped, as far as there is somebody to write it.
        let mut events = app.thread("dropped").run(Count::update().wanted(9)).stream();
        while !matches!(events.next().await.unwrap().kind, EventKind::NodeStarted { .. }) {}
        for _ in 0..6 {
            events.next().await.unwrap();
        }
        drop(events);
        while app.thread("dropped").status().await.unwrap() == Some(Status::Running) {
            tokio::task::yield_now().await;
        }
        assert!(app.thread("dropped").state().await.unwrap().unwrap().n >= 2, "{durability:?}");
        assert_eq!(app.thread("dropped").proceed().await.unwrap().completed().unwrap().output.n, 9);
    }
}

#[tokio::test]
async fn the_step_that_makes_the_state_too_large_is_still_the_one_that_is_refused() {
    for durability in [Durability::Sync, Durability::Behind, Durability::Exit] {
        let thread = Counter::app((), Memory::new()).durability(durability).thread("t");
        let error = thread.run(Count::update().wanted(10).grows(true)).await.unwrap_err();
        let RunError::Failed(failure) = &error else { panic!("{durability:?}: {error}") };
        assert_eq!(failure.state::<Count>().unwrap().n, 3, "{durability:?}");
        assert_eq!(thread.state().await.unwrap().unwrap().n, 3, "{durability:?}: what is told is what is kept");
    }
}

#[tokio::test]
async fn whoever_ends_the_turn_from_outside_ends_what_trails() {
    for durability in LATER {
        let app = Counter::app((), Faulty::new(Memory::new(), Fault::Wait)).durability(durability);
        let run = app.thread("t").run(Count::update().wanted(u32::MAX)).spawn();
        while app.thread("t").status().await.unwrap() != Some(Status::Running) {
            tokio::task::yield_now().await;
        }
        app.thread("t").abandon().await.unwrap();
        let kept = app.thread("t").state().await.unwrap();
        let stopped = run.await.unwrap().unwrap().stopped().unwrap();
        assert!(matches!(stopped.reason, StopReason::Abandoned | StopReason::Cancelled), "{:?}", stopped.reason);
        assert_eq!(app.thread("t").state().await.unwrap(), kept, "nothing is written behind the end");
        assert_eq!(kept, Some(stopped.state), "and nothing else is told");
        assert_eq!(app.thread("t").status().await.unwrap(), Some(Status::Idle));
    }
}

/// A commit that trails fails, and the run is dropped before it has looked what is there: what was planned behind that commit is
/// not written by whoever writes that the run ended.
#[tokio::test]
async fn nothing_is_written_behind_a_commit_that_failed() {
    let mut cut = 0;
    for (fails, polls) in (0..10).flat_map(|fails| (0..40).map(move |polls| (fails, polls))) {
        let memory = Memory::new();
        let app = Counter::app((), Faulty::new(memory.clone(), Fault::FailOnceSlowly(fails))).durability(Durability::Behind);
        {
            let mut run = pin!(app.thread("t").run(Count::update().wanted(6_u32)).into_future());
            let mut left: usize = polls;
            std::future::poll_fn(|task| {
                if run.as_mut().poll(task).is_ready() {
                    return Poll::Ready(());
                }
                if left == 0 {
                    cut += 1;
                    return Poll::Ready(());
                }
                left -= 1;
                Poll::Pending
            })
            .await;
        }
        for _ in 0..20 {
            tokio::task::yield_now().await;
        }
        let thread = Counter::app((), memory).thread("t");
        if thread.status().await.unwrap().is_none() {
            continue;
        }
        let history = thread.history().await.unwrap();
        let steps: Vec<u64> = history.iter().filter(|row| row.row.kind == RowKind::Step).map(|row| row.row.ord).collect();
        let all: Vec<u64> = (0..steps.len() as u64).collect();
        assert_eq!(steps, all, "call {fails} fails, dropped after {polls} polls: a step is missing");
        assert_eq!(thread.proceed().await.unwrap().completed().unwrap().output.n, 6, "call {fails}, {polls} polls");
    }
    assert!(cut > 100, "{cut}");
}
