//! A run is dropped after each number of polls, the store fails at each call, each reply is lost: and then the thread
//! is brought to its end. It must come to the same end every time.

use std::collections::BTreeMap;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::task::Poll;

use graphwright::prelude::*;
use graphwright::store::Status;

use super::doubles::{Fault, Faulty};
use super::machine::{Deps, Log, Machine, Record, lines, more};

const FIRST: u32 = 3;
const THEN: u32 = 2;

/// Polls `future` at most `polls` times, then drops it. True if it came to its end.
async fn poll_at_most<F: Future>(future: F, polls: usize) -> Option<F::Output> {
    let mut future = Box::pin(future);
    let mut left = polls;
    std::future::poll_fn(move |task| {
        if left == 0 {
            return Poll::Ready(None);
        }
        left -= 1;
        Pin::as_mut(&mut future).poll(task).map(Some)
    })
    .await
}

/// Brings a thread to its end, whatever was done to it before. A turn that never began is begun.
async fn finish(app: &App<Machine>) -> Log {
    let thread = app.thread("t");
    for _ in 0..20 {
        let outcome = match thread.status().await.unwrap() {
            None => thread.run(Log::update().wanted(FIRST)).await,
            Some(_) => thread.proceed().await,
        };
        match outcome.unwrap() {
            Outcome::Completed(done) => return done.output,
            Outcome::Paused(paused) => {
                let question = more(paused.questions);
                let rounds = thread.state().await.unwrap().unwrap().rounds;
                let _answered = thread.answer(question.accept(if rounds == FIRST { THEN } else { 0 })).await.unwrap();
            }
            Outcome::Stopped(_) => {}
        }
    }
    panic!("it does not come to an end");
}

/// What must hold at the end, however it was reached.
async fn check(app: &App<Machine>, memory: &Memory, deps: &Deps, what: &str) {
    let log = finish(app).await;
    assert_eq!(log.lines, lines(FIRST, THEN), "{what}");
    assert_eq!(log.rounds, FIRST + THEN, "{what}");
    assert_eq!(app.thread("t").status().await.unwrap(), Some(Status::Idle), "{what}");
    // Who drove the thread knows of it what everybody reads.
    let afresh = Machine::app(deps.clone(), memory.clone()).thread("t").state().await.unwrap();
    assert_eq!(app.thread("t").state().await.unwrap(), afresh, "{what}");
    assert_eq!(afresh, Some(log), "{what}");
    // One key for each step of work, over all attempts; never one key for two steps.
    let mut bodies = BTreeMap::new();
    for key in deps.begun.lock().unwrap().iter() {
        *bodies.entry(key.clone()).or_insert(0) += 1;
    }
    assert_eq!(bodies.len() as u32, FIRST + THEN, "{what}: {bodies:?}");
    let rows = app.thread("t").history().await.unwrap();
    assert!(rows.iter().enumerate().all(|(n, row)| row.seq == n as u64 + 1), "{what}: versions are contiguous");
}

#[tokio::test]
async fn dropped_at_every_poll() {
    let mut cut = 0;
    for polls in 0.. {
        let (deps, record) = (Deps::default(), Record::default());
        let memory = Memory::new();
        let app = Machine::app(deps.clone(), Faulty::new(memory.clone(), Fault::Wait)).observe(record.clone());
        let run = app.thread("t").run(Log::update().wanted(FIRST));
        let ended = poll_at_most(run, polls).await.is_some();
        let told = record.take();
        if !told.is_empty() {
            Record::check_run(&told);
        }
        check(&app, &memory, &deps, &format!("dropped after {polls} polls")).await;
        if ended {
            break;
        }
        cut += 1;
    }
    assert!(cut > 15, "the sweep cut {cut} times only");
}

#[tokio::test]
async fn dropped_at_every_poll_of_the_resumed_run() {
    let mut cut = 0;
    for polls in 0.. {
        let deps = Deps::default();
        let memory = Memory::new();
        let app = Machine::app(deps.clone(), Faulty::new(memory.clone(), Fault::Wait));
        let paused = app.thread("t").run(Log::update().wanted(FIRST)).await.unwrap().paused().unwrap();
        let answer = more(paused.questions).accept(THEN);
        let ended = poll_at_most(app.thread("t").resume(answer), polls).await.is_some();
        check(&app, &memory, &deps, &format!("dropped after {polls} polls")).await;
        assert_eq!(deps.asked.load(Ordering::SeqCst).min(2), 2, "two questions, each asked once at least");
        if ended {
            break;
        }
        cut += 1;
    }
    assert!(cut > 10, "the sweep cut {cut} times only");
}

#[tokio::test]
async fn the_store_fails_at_every_call() {
    let mut failed = 0;
    for persistent in [false, true] {
        for n in 0.. {
            let (deps, memory) = (Deps::default(), Memory::new());
            let fault = if persistent { Fault::FailFrom(n) } else { Fault::FailOnce(n) };
            let store = Faulty::new(memory.clone(), fault);
            let outcome = Machine::app(deps.clone(), store.clone()).thread("t").run(Log::update().wanted(FIRST)).await;
            let failed_in_it = store.hooks.calls.load(Ordering::SeqCst) > n;
            if let Err(error) = outcome {
                assert!(matches!(error, RunError::Store(_)), "{error}");
            }
            let bodies = deps.begun.lock().unwrap().len();
            let kept = Machine::app(deps.clone(), memory.clone()).thread("t").state().await.unwrap().map_or(0, |log| log.rounds);
            assert!(bodies as u32 <= kept + 1, "no body runs on a step that is not kept");
            check(&Machine::app(deps.clone(), memory.clone()), &memory, &deps, &format!("{fault:?}")).await;
            // The failure may have harmed nobody.
            if !failed_in_it {
                break;
            }
            failed += 1;
        }
    }
    assert!(failed > 10, "only {failed} calls failed");
}

#[tokio::test(start_paused = true)]
async fn a_lost_reply_is_asked_for_again_and_nothing_runs_twice() {
    let mut lost = 0;
    for n in 0..24 {
        let (deps, memory) = (Deps::default(), Memory::new());
        let store = Faulty::new(memory, Fault::LoseReply(n));
        let calls = Arc::clone(&store.hooks.calls);
        let app = Machine::app(deps.clone(), store);
        let paused = app.thread("t").run(Log::update().wanted(FIRST)).await.unwrap().paused().unwrap();
        assert_eq!(deps.begun.lock().unwrap().len() as u32, FIRST, "each body ran once");
        let done = app.thread("t").resume(more(paused.questions).accept(0)).await.unwrap().completed();
        assert_eq!(done.unwrap().output.lines, lines(FIRST, 0));
        lost += usize::from(calls.load(Ordering::SeqCst) > n);
    }
    assert!(lost > 5, "only {lost} replies were lost");
}

/// The harness must see what it is for: a thread that forgets a round does not pass.
#[tokio::test]
#[should_panic(expected = "forgot")]
async fn the_check_notices_a_lost_step() {
    let deps = Deps::default();
    let memory = Memory::new();
    let app = Machine::app(deps.clone(), memory.clone());
    let paused = app.thread("t").run(Log::update().wanted(FIRST - 1)).await.unwrap().paused().unwrap();
    let _answered = app.thread("t").answer(more(paused.questions).accept(THEN)).await.unwrap();
    check(&app, &memory, &deps, "forgot").await;
}
