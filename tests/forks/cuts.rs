//! A run with forks, a mounted graph and three questions is dropped after each number of polls, the store fails at each call,
//! each reply is lost: and then the thread is brought to its end. It must come to the same end every time.

use std::collections::BTreeMap;
use std::future::Future;
use std::pin::Pin;
use std::sync::atomic::Ordering;
use std::task::Poll;

use graphwright::Durability;
use graphwright::prelude::*;
use graphwright::store::Status;

use super::tree::{Deps, Log, TEXT, Tree, WORKED, answer, lines};
use crate::doubles::{Fault, Faulty};

/// A run that keeps its steps later than it must loses none of what was told, and does none of it twice.
const DURABILITIES: [Durability; 3] = [Durability::Sync, Durability::Behind, Durability::Exit];

/// Polls `future` at most `polls` times, then drops it. True if it came to its end.
async fn poll_at_most<F: Future>(future: F, polls: usize) -> bool {
    let mut future = Box::pin(future);
    let mut left = polls;
    std::future::poll_fn(move |task| {
        if left == 0 {
            return Poll::Ready(false);
        }
        left -= 1;
        Pin::as_mut(&mut future).poll(task).map(|_| true)
    })
    .await
}

/// Brings a thread to its end, whatever was done to it before. The last question is answered first.
async fn finish(app: &App<Tree>) -> Log {
    let thread = app.thread("t");
    for _ in 0..40 {
        let outcome = match thread.status().await.unwrap() {
            None => thread.run(Log::update()).await,
            Some(_) => thread.proceed().await,
        };
        match outcome {
            Ok(Outcome::Completed(done)) => return done.output,
            Ok(Outcome::Paused(paused)) => {
                let _answered = thread.answer(answer(paused.questions.last().unwrap())).await.unwrap();
            }
            Ok(Outcome::Stopped(_)) | Err(RunError::Failed(_)) => {}
            Err(error) => panic!("{error}"),
        }
    }
    panic!("it does not come to an end");
}

/// What must hold at the end, however it was reached.
async fn check(app: &App<Tree>, memory: &Memory, deps: &Deps, what: &str) {
    let log = finish(app).await;
    assert_eq!(log.lines, lines(), "{what}");
    assert_eq!((log.text.as_str(), log.count), (TEXT, 68), "{what}");
    assert_eq!(app.thread("t").status().await.unwrap(), Some(Status::Idle), "{what}");
    // Who drove the thread knows of it what everybody reads.
    let afresh = Tree::app(deps.clone(), memory.clone()).thread("t").state().await.unwrap();
    assert_eq!(app.thread("t").state().await.unwrap(), afresh, "{what}");
    assert_eq!(afresh, Some(log), "{what}");
    // One key for each step of work, over all attempts; never one key for two steps.
    let mut places = BTreeMap::new();
    for (place, key) in deps.begun.lock().unwrap().iter() {
        assert_eq!(places.entry(key.clone()).or_insert(place.clone()), place, "{what}: one key for two places");
    }
    assert_eq!(places.len(), WORKED, "{what}: {places:?}");
    let rows = app.thread("t").history().await.unwrap();
    assert!(rows.iter().enumerate().all(|(n, row)| row.seq == n as u64 + 1), "{what}: versions are contiguous");
    assert!(app.pending().list().await.unwrap().waiting.is_empty(), "{what}: every question is shut");
}

#[tokio::test]
async fn dropped_at_every_poll() {
    graphwright::__private::read_back();
    for durability in DURABILITIES {
        let mut cut = 0;
        for polls in 0.. {
            let (deps, memory) = (Deps::default(), Memory::new());
            let app = Tree::app(deps.clone(), Faulty::new(memory.clone(), Fault::Wait)).durability(durability);
            let ended = poll_at_most(app.thread("t").run(Log::update()), polls).await;
            check(&app, &memory, &deps, &format!("{durability:?}, dropped after {polls} polls")).await;
            if ended {
                break;
            }
            cut += 1;
        }
        assert!(cut > 10, "{durability:?}: the sweep cut {cut} times only");
    }
}

#[tokio::test]
async fn dropped_at_every_poll_of_the_resumed_run() {
    let mut cut = 0;
    for (first, durability) in (0..3).flat_map(|first| DURABILITIES.map(|durability| (first, durability))) {
        for polls in 0.. {
            let (deps, memory) = (Deps::default(), Memory::new());
            let app = Tree::app(deps.clone(), Faulty::new(memory.clone(), Fault::Wait)).durability(durability);
            let paused = app.thread("t").run(Log::update()).await.unwrap().paused().unwrap();
            let ended = poll_at_most(app.thread("t").resume(answer(&paused.questions[first])), polls).await;
            check(&app, &memory, &deps, &format!("{durability:?}, question {first}, dropped after {polls} polls")).await;
            if ended {
                break;
            }
            cut += 1;
        }
    }
    assert!(cut > 30, "the sweep cut {cut} times only");
}

#[tokio::test]
async fn the_store_fails_at_every_call() {
    let mut failed = 0;
    for (persistent, durability) in [false, true].into_iter().flat_map(|persistent| DURABILITIES.map(|durability| (persistent, durability)))
    {
        for n in 0.. {
            let (deps, memory) = (Deps::default(), Memory::new());
            let fault = if persistent { Fault::FailFrom(n) } else { Fault::FailOnce(n) };
            let store = Faulty::new(memory.clone(), fault);
            let outcome = Tree::app(deps.clone(), store.clone()).durability(durability).thread("t").run(Log::update()).await;
            let failed_in_it = store.hooks.calls.load(Ordering::SeqCst) > n;
            if let Err(error) = outcome {
                assert!(matches!(error, RunError::Store(_)), "{error}");
            }
            check(&Tree::app(deps.clone(), memory.clone()), &memory, &deps, &format!("{durability:?}, {fault:?}")).await;
            // The failure may have harmed nobody.
            if !failed_in_it {
                break;
            }
            failed += 1;
        }
    }
    assert!(failed >= 25, "only {failed} calls failed");
}

#[tokio::test(start_paused = true)]
async fn a_lost_reply_is_asked_for_again_and_nothing_runs_twice() {
    for (n, durability) in (0..16).flat_map(|n| DURABILITIES.map(|durability| (n, durability))) {
        let (deps, memory) = (Deps::default(), Memory::new());
        let app = Tree::app(deps.clone(), Faulty::new(memory.clone(), Fault::LoseReply(n))).durability(durability);
        let paused = app.thread("t").run(Log::update()).await.unwrap().paused().unwrap();
        app.thread("t").resume(paused.questions.iter().map(answer).collect::<Vec<_>>()).await.unwrap().completed().unwrap();
        assert_eq!(deps.begun.lock().unwrap().len(), WORKED, "{durability:?}, {n}: each body ran once");
        check(&app, &memory, &deps, &format!("{durability:?}, reply {n} was lost")).await;
    }
}

#[tokio::test]
async fn a_branch_that_fails_at_every_place_is_run_again_and_no_other_is() {
    for place in ["before", "left", "left_then", "right", "right_then", "inside", "inside2", "after"] {
        let (deps, memory) = (Deps::default(), Memory::new());
        *deps.fails.lock().unwrap() = Some((place, 2));
        let app = Tree::app(deps.clone(), memory.clone());
        check(&app, &memory, &deps, place).await;
        assert_eq!(deps.begun.lock().unwrap().len(), WORKED + 2, "{place}: it ran three times, the others once");
    }
}

/// The harness must see what it is for: a thread that has another line does not pass.
#[tokio::test]
#[should_panic(expected = "planted")]
async fn the_check_notices_what_is_wrong() {
    let (deps, memory) = (Deps::default(), Memory::new());
    let app = Tree::app(deps.clone(), memory.clone());
    let paused = app.thread("t").run(Log::update()).await.unwrap().paused().unwrap();
    let _answered = app.thread("t").answer(super::tree::asked(&paused.questions[0]).1.accept(11)).await.unwrap();
    check(&app, &memory, &deps, "planted").await;
}
