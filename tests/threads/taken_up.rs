//! Threads that nobody drives: after a drop, an answer, a crash; and two that want the same one.

use std::sync::atomic::Ordering;
use std::time::Duration;

use graphwright::prelude::*;
use graphwright::store::{Checkpointer, Status};
use graphwright::{AnsweredNext, EventKind, OnBusy, StopReason};

use super::doubles::{Fault, Faulty};
use super::machine::{Deps, Log, Machine, Order, Record, lines, more};

#[tokio::test]
async fn an_answer_is_a_commit_and_a_sweep_goes_on() {
    let (deps, record) = (Deps::default(), Record::default());
    let app = Machine::app(deps.clone(), Memory::new()).observe(record.clone());
    let paused = app.thread("t").run(Log::update().wanted(1_u32)).await.unwrap().paused().unwrap();
    let bodies = deps.begun.lock().unwrap().len();
    let answered = app.thread("t").answer(more(paused.questions).accept(1)).await.unwrap();
    assert_eq!(answered.next, AnsweredNext::Ready);
    assert_eq!(deps.begun.lock().unwrap().len(), bodies, "an answer runs nothing");
    record.take();
    assert_eq!(app.sweep().await.unwrap().driven, 1);
    assert!(matches!(record.take()[0].kind, EventKind::RunStarted { resumed: true, after: None }), "nobody died");
    assert_eq!(app.sweep().await.unwrap().driven, 0, "it waits for a person now");
    let question = more(app.thread("t").pending().await.unwrap());
    assert_eq!(question.question, "after 2 rounds, how many more?");
}

#[tokio::test]
async fn a_dropped_run_frees_its_thread_at_once() {
    let app = Machine::app(Deps::default(), Memory::new());
    let mut events = app.thread("t").run(Log::update().wanted(2_u32)).stream();
    for _ in 0..2 {
        events.next().await.unwrap();
    }
    assert_eq!(app.thread("t").status().await.unwrap(), Some(Status::Running));
    drop(events);
    let paused = app.thread("t").proceed().await.unwrap().paused().expect("no waiting, no lease");
    assert_eq!(more(paused.questions).question, "after 2 rounds, how many more?");
}

#[tokio::test]
async fn a_spawned_run_outlives_its_caller_and_is_followed_and_stopped_from_elsewhere() {
    let memory = Memory::new();
    let app = Machine::app(Deps::default(), memory.clone());
    let elsewhere = Machine::app(Deps::default(), memory);
    let until_end = async |thread: &str, after: u64| {
        let mut events = elsewhere.thread(thread).subscribe(after);
        loop {
            let event = events.next().await.unwrap().unwrap();
            if let EventKind::RunEnded { outcome } = event.kind {
                break (event.id, outcome);
            }
        }
    };
    // Nobody holds it: neither the run nor what it comes to.
    drop(app.thread("t").run(Log::update().wanted(2_u32)).spawn());
    while elsewhere.thread("t").status().await.unwrap().is_none() {
        tokio::task::yield_now().await;
    }
    let (last, ended) = until_end("t", 0).await;
    assert_eq!(ended, graphwright::Mark::Paused);
    drop(elsewhere.thread("t").resume(more(elsewhere.thread("t").pending().await.unwrap()).decline()).spawn());
    assert_eq!(until_end("t", last).await.1, graphwright::Mark::Completed);

    drop(app.thread("u").run(Log::update().order(Order::Hang)).spawn());
    while elsewhere.thread("u").status().await.unwrap() != Some(Status::Running) {
        tokio::task::yield_now().await;
    }
    elsewhere.thread("u").cancel().await.unwrap();
    assert_eq!(until_end("u", 0).await.1, graphwright::Mark::Cancelled);
    assert_eq!(elsewhere.thread("u").status().await.unwrap(), Some(Status::Stopped));
}

#[tokio::test]
async fn a_new_turn_on_a_stopped_thread_begins() {
    let app = Machine::app(Deps::default(), Memory::new());
    app.thread("t").run(Log::update().order(Order::Fail)).await.unwrap_err();
    let paused = app.thread("t").run(Log::update().order(Order::Work)).await.unwrap().paused();
    assert!(paused.is_some(), "a thread that failed is no brick");
}

#[tokio::test]
async fn a_run_whose_thread_was_taken_runs_nothing_more() {
    let deps = Deps::default();
    let app = Machine::app(deps.clone(), Faulty::new(Memory::new(), Fault::Wait));
    let mut first = app.thread("t").run(Log::update().wanted(5_u32)).stream();
    for _ in 0..2 {
        first.next().await.unwrap();
    }
    let kept = app.thread("t").state().await.unwrap().unwrap().lines;
    app.thread("t").abandon().await.unwrap();
    let bodies = deps.begun.lock().unwrap().len();
    let ended = first.outcome().await.unwrap().stopped().expect("it was told to end");
    assert!(matches!(ended.reason, StopReason::Abandoned | StopReason::Cancelled), "{:?}", ended.reason);
    assert!(deps.begun.lock().unwrap().len() <= bodies + 1, "the body that was under way, and no other");
    assert_eq!(app.thread("t").status().await.unwrap(), Some(Status::Idle));
    assert_eq!(app.thread("t").state().await.unwrap().unwrap().lines, kept, "what was committed before, and nothing after");
    let outcome = app.thread("t").proceed().await.unwrap();
    assert_eq!(outcome.stopped().unwrap().reason, StopReason::Abandoned);
}

#[tokio::test(start_paused = true)]
async fn what_kills_its_process_is_not_taken_up_for_ever() {
    // A dead process writes no `stop` row: this store refuses them.
    let app = Machine::app(Deps::default(), Faulty::new(Memory::new(), Fault::RefuseStops));
    let mut events = app.thread("t").run(Log::update().order(Order::Hang)).stream();
    events.next().await.unwrap();
    drop(events);
    let mut claims = 0;
    while claims < 30 {
        // The node hangs, so the time passes as soon as nothing else is left to do.
        let Ok(swept) = tokio::time::timeout(Duration::from_secs(1), app.sweep()).await else {
            claims += 1;
            // What the dropped sweep was driving ends with it, as soon as tokio gets to it.
            tokio::time::sleep(Duration::from_secs(1)).await;
            continue;
        };
        assert_eq!(swept.unwrap().driven, 1, "the crash loop is written down");
        break;
    }
    assert_eq!(claims, 10);
    assert_eq!(app.thread("t").status().await.unwrap(), Some(Status::Stopped));
    assert_eq!(app.sweep().await.unwrap().driven, 0, "it is for people now");
    let mut by_hand = app.thread("t").proceed().stream();
    assert!(by_hand.next().await.is_some(), "who let it stop may let it go on");
}

#[tokio::test]
async fn a_request_is_taken_once() {
    let deps = Deps::default();
    let app = Machine::app(deps.clone(), Memory::new());
    app.thread("t").run(Log::update()).idempotent("mail-1").await.unwrap().paused().unwrap();
    let app = app.on_paused(graphwright::OnPaused::Abandon);
    let error = app.thread("t").run(Log::update()).idempotent("mail-1").await.unwrap_err();
    assert!(matches!(error, RunError::Duplicate { seq: 1 }), "{error}");
    assert_eq!(deps.begun.lock().unwrap().len(), 1);
    app.thread("t").run(Log::update()).idempotent("mail-2").await.unwrap().paused().unwrap();
}

#[tokio::test]
async fn a_request_that_is_sent_again_too_early_ends_nothing() {
    for on_busy in [OnBusy::Reject, OnBusy::Queue, OnBusy::Cancel] {
        let app = Machine::app(Deps::default(), Memory::new()).on_busy(on_busy);
        let thread = app.thread("t");
        let run = thread.run(Log::update().order(Order::Hang)).idempotent("mail-1").spawn();
        while thread.status().await.unwrap() != Some(Status::Running) {
            tokio::task::yield_now().await;
        }
        let again = thread.run(Log::update().order(Order::Hang)).idempotent("mail-1").deadline(Duration::from_secs(60));
        let error = again.await.unwrap_err();
        assert!(matches!(error, RunError::Duplicate { seq: 1 }), "{on_busy:?}: {error}");
        assert!(!run.is_finished() && thread.status().await.unwrap() == Some(Status::Running), "{on_busy:?}: it is what was asked for");
        let _cancelled = thread.cancel().await.unwrap();
        assert_eq!(run.await.unwrap().unwrap().stopped().unwrap().reason, StopReason::Cancelled);
    }
    let thread = Machine::app(Deps::default(), Memory::new()).thread("t");
    thread.run(Log::update()).idempotent("mail-1").await.unwrap().paused().unwrap();
    let error = thread.run(Log::update()).idempotent("mail-1").await.unwrap_err();
    assert!(matches!(error, RunError::Duplicate { seq: 1 }), "it waits for whom it asked: {error}");
    let error = thread.run(Log::update()).idempotent("mail-2").await.unwrap_err();
    assert!(matches!(error, RunError::Waiting { .. }), "another one is refused: {error}");
}

#[tokio::test]
async fn a_deleted_thread_is_gone_and_its_name_is_free() {
    let app = Machine::app(Deps::default(), Memory::new());
    let paused = app.thread("t").run(Log::update()).await.unwrap().paused().unwrap();
    let old = more(paused.questions);
    assert!(app.thread("t").delete().await.unwrap());
    assert!(!app.thread("t").delete().await.unwrap());
    assert_eq!(app.thread("t").state().await.unwrap(), None);
    app.thread("t").run(Log::update().wanted(2_u32)).await.unwrap().paused().unwrap();
    let error = app.thread("t").answer(old.accept(1)).await.unwrap_err();
    assert!(matches!(error, RunError::NoQuestion), "an answer of the first life does not reach the second: {error}");
}

#[tokio::test]
async fn long_threads_are_read_from_a_snapshot() {
    let memory = Memory::new();
    let app = Machine::app(Deps::default(), memory.clone());
    app.thread("t").run(Log::update().wanted(2_000_u32)).steps(5_000).await.unwrap().paused().unwrap();
    let key = graphwright::store::ThreadKey {
        scope: graphwright::Scope::root().hash(),
        by: graphwright::store::By::Name(graphwright::ThreadId::new("t").unwrap()),
    };
    let loaded = memory.load(&key, graphwright::store::Point::Head).await.unwrap().unwrap();
    assert!(loaded.snapshot.is_some() && loaded.rows.len() < 2_000, "{} rows are read", loaded.rows.len());
    let state = app.thread("t").state().await.unwrap().unwrap();
    assert_eq!(state.lines[..], lines(2_000, 0)[..2_000]);
    let question = more(app.thread("t").pending().await.unwrap());
    let done = app.thread("t").resume(question.decline()).await.unwrap().completed().unwrap();
    assert_eq!(done.output.rounds, 2_000);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn many_answers_at_once_and_one_counts() {
    let deps = Deps::default();
    let app = Machine::app(deps.clone(), Memory::new());
    for n in 0..50 {
        let thread = app.thread(format!("t{n}"));
        let paused = thread.run(Log::update()).await.unwrap().paused().unwrap();
        let question = more(paused.questions);
        let tries: Vec<_> = (0..4).map(|_| tokio::spawn(thread.resume(question.accept(1)))).collect();
        let mut won = 0;
        for run in tries {
            match run.await.unwrap() {
                Ok(_) => won += 1,
                Err(RunError::Spent { same_answer: true, .. } | RunError::Superseded) => {}
                Err(other) => panic!("{other}"),
            }
        }
        assert_eq!(won, 1, "thread {n}");
    }
    assert_eq!(deps.begun.lock().unwrap().len(), 100, "fifty first rounds and fifty second ones");
    assert_eq!(deps.asked.load(Ordering::SeqCst), 100);
}

#[tokio::test]
async fn a_run_is_cancelled_from_another_process() {
    // Another worker's view of the same rows: it does not know the run, so it can only write that it ends.
    let memory = Memory::new();
    let mine = Machine::app(Deps::default(), Faulty::new(memory.clone(), Fault::Wait));
    let theirs = Machine::app(Deps::default(), Faulty::new(memory, Fault::OtherWorker));
    let mut run = mine.thread("t").run(Log::update().order(Order::Spin)).steps(u64::MAX).stream();
    run.next().await.unwrap();
    assert!(matches!(theirs.thread("t").run(Log::update()).await.unwrap_err(), RunError::Busy { .. }), "its owner lives");
    assert!(theirs.thread("t").cancel().await.unwrap());
    assert_eq!(run.outcome().await.unwrap().stopped().unwrap().reason, StopReason::Cancelled);
}

#[tokio::test]
async fn a_new_turn_may_cancel_the_old_one() {
    let app = Machine::app(Deps::default(), Memory::new());
    let old = app.thread("t").run(Log::update().order(Order::Hang)).spawn();
    while app.thread("t").status().await.unwrap() != Some(Status::Running) {
        tokio::task::yield_now().await;
    }
    let new = app.clone().on_busy(OnBusy::Cancel).thread("t").run(Log::update().order(Order::Work));
    assert!(new.await.unwrap().paused().is_some());
    assert_eq!(old.await.unwrap().unwrap().stopped().unwrap().reason, StopReason::Cancelled);
}

#[tokio::test]
async fn two_apps_take_turns_on_one_thread() {
    // Each knows the thread as it left it, and must see what the other did since.
    let memory = Memory::new();
    let apps = [(); 2].map(|()| Machine::app(Deps::default(), memory.clone()));
    let mut wanted = 0;
    for turn in 0..6 {
        let (mine, other) = (&apps[turn % 2], &apps[(turn + 1) % 2]);
        wanted += 1;
        let paused = mine.thread("t").run(Log::update().wanted(wanted)).await.unwrap().paused().unwrap();
        let question = more(other.thread("t").pending().await.unwrap());
        assert_eq!(question.question, more(paused.questions).question);
        wanted += 1;
        assert_eq!(other.thread("t").answer(question.accept(1)).await.unwrap().next, AnsweredNext::Ready);
        let paused = mine.thread("t").proceed().await.unwrap().paused().unwrap();
        let done = other.thread("t").resume(more(paused.questions).decline()).await.unwrap().completed().unwrap();
        assert_eq!(done.output.rounds, wanted);
        assert_eq!(mine.thread("t").state().await.unwrap(), Some(done.output));
        // A thread of the same name in its next life is another one.
        if turn == 2 {
            assert!(other.thread("t").delete().await.unwrap());
            assert_eq!(mine.thread("t").state().await.unwrap(), None);
            wanted = 0;
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_run_that_has_just_claimed_is_no_dead_one() {
    // Turns on threads of their own, turns on one thread, and a sweeper that looks all the time.
    let app = Machine::app(Deps::default(), Memory::new());
    let sweeper = tokio::spawn({
        let app = app.clone();
        async move {
            loop {
                app.sweep().await.unwrap();
                tokio::task::yield_now().await;
            }
        }
    });
    for n in 0..200 {
        let alone = app.thread(format!("alone {n}")).run(Log::update().wanted(2_u32)).spawn();
        let together = [(); 4].map(|()| app.thread(format!("together {n}")).run(Log::update().wanted(2_u32)).spawn());
        assert!(alone.await.unwrap().unwrap().paused().is_some(), "turn {n} was stolen");
        let mut paused = 0;
        for run in together {
            match run.await.unwrap() {
                Ok(outcome) => paused += usize::from(outcome.paused().is_some()),
                Err(RunError::Busy { .. } | RunError::Waiting { .. }) => {}
                Err(other) => panic!("turn {n}: {other}"),
            }
        }
        assert_eq!(paused, 1, "turn {n}");
    }
    sweeper.abort();
}

#[tokio::test]
async fn cancelling_a_thread_cancels_no_other() {
    let app = Machine::app(Deps::default(), Memory::new());
    let shutdown = graphwright::CancellationToken::new();
    let runs = ["a", "b"].map(|name| app.thread(name).run(Log::update().order(Order::Hang)).cancelled_by(shutdown.clone()).spawn());
    while app.thread("b").status().await.unwrap() != Some(Status::Running) {
        tokio::task::yield_now().await;
    }
    assert!(app.thread("a").cancel().await.unwrap());
    let [a, b] = runs;
    assert_eq!(a.await.unwrap().unwrap().stopped().unwrap().reason, StopReason::Cancelled);
    assert!(!shutdown.is_cancelled() && !b.is_finished());
    shutdown.cancel();
    assert_eq!(b.await.unwrap().unwrap().stopped().unwrap().reason, StopReason::Cancelled);
}

#[tokio::test]
async fn abandoning_and_deleting_end_the_run_that_lives() {
    let app = Machine::app(Deps::default(), Memory::new());
    for delete in [false, true] {
        let run = app.thread("t").run(Log::update().order(Order::Hang)).spawn();
        while app.thread("t").status().await.unwrap() != Some(Status::Running) {
            tokio::task::yield_now().await;
        }
        if delete {
            assert!(app.thread("t").delete().await.unwrap());
            assert!(matches!(run.await.unwrap().unwrap_err(), RunError::Displaced));
        } else {
            app.thread("t").abandon().await.unwrap();
            assert_eq!(run.await.unwrap().unwrap().stopped().unwrap().reason, StopReason::Abandoned);
        }
    }
}

#[tokio::test]
async fn two_handles_of_one_process_know_of_each_others_runs() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("threads.db");
    let first = Machine::app(Deps::default(), Sqlite::open(&path).await.unwrap());
    let second = Machine::app(Deps::default(), Sqlite::open(&path).await.unwrap());
    let mut events = first.thread("t").run(Log::update().order(Order::Hang)).stream();
    events.next().await.unwrap();
    assert!(matches!(second.thread("t").run(Log::update()).await.unwrap_err(), RunError::Busy { .. }));
    drop(events);
    assert!(second.thread("t").run(Log::update().order(Order::Work)).await.unwrap().paused().is_some(), "at once");
}
