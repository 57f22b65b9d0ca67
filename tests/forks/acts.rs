//! Whatever is done to a thread, in whatever state it is, by whoever knows it or does not: nothing panics, everybody reads the
//! same afterwards, and the thread comes to its end.

use std::time::Duration;

use graphwright::prelude::*;
use graphwright::store::Status;
use graphwright::{App, Place, Thread};

use super::tree::{Deps, Log, Tree, answer, asked};

type P = Place<Tree>;

/// What can be done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Act {
    Fork,
    Edit,
    Prune,
    Delete,
    Reissue,
    Abandon,
    Drain,
    Cancel,
    Step,
    Proceed,
    Run,
    Answer,
    Explain,
    Past,
}

const ACTS: [Act; 14] = [
    Act::Fork,
    Act::Edit,
    Act::Prune,
    Act::Delete,
    Act::Reissue,
    Act::Abandon,
    Act::Drain,
    Act::Cancel,
    Act::Step,
    Act::Proceed,
    Act::Run,
    Act::Answer,
    Act::Explain,
    Act::Past,
];

/// How the thread is then.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Absent,
    Idle,
    Paused,
    /// One of three questions is answered.
    Answered,
    /// By its step limit, in open branches.
    Stopped,
    /// A branch failed, the others wait.
    Failed,
    /// In another process's hands as far as is known: its run was dropped.
    Dropped,
    /// A run of this process has it.
    Running,
    Edited,
    Abandoned,
}

const STATES: [State; 10] = [
    State::Absent,
    State::Idle,
    State::Paused,
    State::Answered,
    State::Stopped,
    State::Failed,
    State::Dropped,
    State::Running,
    State::Edited,
    State::Abandoned,
];

async fn bring(thread: &Thread<Tree>, deps: &Deps, state: State) {
    let begin = || thread.run(Log::update());
    match state {
        State::Absent => {}
        State::Idle => {
            let _paused = begin().await.unwrap();
            finish(thread, "as it is brought there").await;
        }
        State::Paused => drop(begin().await.unwrap().paused().unwrap()),
        State::Answered | State::Edited | State::Abandoned => {
            let paused = begin().await.unwrap().paused().unwrap();
            match state {
                State::Answered => drop(thread.answer(answer(&paused.questions[1])).await.unwrap()),
                State::Edited => {
                    thread.abandon().await.unwrap();
                    thread.update_state(P::before, Log::update().count(1_u32)).await.unwrap();
                }
                _ => thread.abandon().await.unwrap(),
            }
        }
        State::Stopped => drop(begin().steps(3).await.unwrap().stopped().unwrap()),
        State::Failed => {
            *deps.fails.lock().unwrap() = Some(("right", 1));
            drop(begin().await);
        }
        // A branch of it hangs.
        State::Dropped | State::Running => {
            let run = tokio::spawn(begin().into_future());
            for _ in 0..100 {
                tokio::task::yield_now().await;
            }
            assert!(!run.is_finished(), "it is under way");
            if state == State::Dropped {
                run.abort();
                let _aborted = run.await;
            }
        }
    }
}

async fn act(thread: &Thread<Tree>, act: Act) -> String {
    let shown = |done: Result<String, RunError>| done.unwrap_or_else(|error| format!("refused: {error}"));
    let open = thread.pending().await.unwrap_or_default();
    let last = thread.history().await.map_or(1, |history| history.last().map_or(1, |row| row.seq));
    let done = |what: &str| Ok(what.to_owned());
    shown(match act {
        Act::Fork => thread.fork(last, "fork").await.and_then(|_| done("forked")),
        Act::Edit => thread.update_state(P::before, Log::update().count(100_u32)).await.and_then(|_| done("edited")),
        Act::Prune => thread.prune(last).await.map(|rows| format!("{rows} rows")),
        Act::Delete => thread.delete().await.map(|was| was.to_string()),
        Act::Reissue => match open.first() {
            Some(question) => thread.reissue(asked(question).1.id(), None).await.and_then(|()| done("reissued")),
            None => done("nothing is open"),
        },
        Act::Abandon => thread.abandon().await.and_then(|()| done("abandoned")),
        Act::Drain => thread.drain().await.map(|was| was.to_string()),
        Act::Cancel => thread.cancel().await.map(|was| was.to_string()),
        Act::Step => thread.step().await.and_then(|_| done("a step")),
        Act::Proceed => thread.proceed().await.and_then(|_| done("proceeded")),
        Act::Run => thread.run(Log::update()).await.and_then(|_| done("run")),
        Act::Answer => match open.last() {
            Some(question) => thread.answer(answer(question)).await.and_then(|_| done("answered")),
            None => done("nothing is open"),
        },
        Act::Explain => thread.explain().await.map(|why| why.to_string()),
        Act::Past => thread.state_at(1).await.and_then(|_| done("read")),
    })
}

/// Brings a thread to its end, whatever it is at.
async fn finish(thread: &Thread<Tree>, what: &str) {
    for _ in 0..60 {
        match thread.status().await.unwrap() {
            None | Some(Status::Idle) => return,
            Some(_) => {}
        }
        for question in thread.pending().await.unwrap() {
            let answered = thread.answer(answer(&question)).await;
            assert!(answered.is_ok(), "{what}: {answered:?}");
        }
        match tokio::time::timeout(Duration::from_secs(60), thread.proceed()).await {
            // The run that hangs.
            Ok(Err(RunError::Busy { .. })) | Err(_) => {
                let _was = thread.cancel().await.unwrap();
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
            Ok(Err(RunError::Failed(_)) | Ok(_)) => {}
            Ok(Err(error)) => panic!("{what}: {error}"),
        }
    }
    panic!("{what}: it does not come to its end");
}

/// Every case. `forgets` is an app that reads what is not there.
async fn attack(forgets: bool) {
    let (mut cases, mut refused) = (0, 0);
    for state in STATES {
        for one in ACTS {
            // Two acts, of two apps on one store: `here` knows the thread, and not what is done `there`.
            for (first, two) in
                [(one, None), (one, Some(Act::Proceed)), (one, Some(Act::Answer)), (Act::Abandon, Some(one)), (Act::Delete, Some(one))]
            {
                let what = format!("{state:?}, {first:?}, {two:?}");
                let (store, deps) = (Memory::new(), Deps::default());
                let app = |deps: &Deps| -> App<Tree> { Tree::app(deps.clone(), store.clone()) };
                let (mut here, there) = (app(&deps).thread("t"), app(&deps).thread("t"));
                if forgets {
                    here = Tree::app(deps.clone(), Memory::new()).thread("t");
                }
                let hangs = matches!(state, State::Dropped | State::Running).then_some("right");
                bring(&app(&Deps { hangs, ..deps.clone() }).thread("t"), &deps, state).await;
                let _known = here.state().await.unwrap();
                let mut said = act(&there, first).await;
                refused += usize::from(said.starts_with("refused"));
                if let Some(two) = two {
                    said = format!("{said}; {}", act(&here, two).await);
                }
                let fresh = app(&deps).thread("t");
                // A run that is under way may have moved on between two of these.
                if state != State::Running {
                    let read = fresh.state().await.unwrap();
                    assert_eq!(here.state().await.unwrap(), read, "{what}: {said}");
                    assert_eq!(there.state().await.unwrap(), read, "{what}: {said}");
                }
                *deps.fails.lock().unwrap() = None;
                finish(&here, &what).await;
                let read = fresh.state().await.unwrap();
                assert_eq!(here.state().await.unwrap(), read, "{what}: {said}");
                assert_eq!(there.state().await.unwrap(), read, "{what}: {said}");
                cases += 1;
            }
        }
    }
    println!("{cases} cases, {refused} refused");
    assert!(cases == STATES.len() * ACTS.len() * 5 && refused > 50, "{cases} cases, {refused} refused");
}

#[tokio::test(start_paused = true)]
async fn whatever_is_done_in_whatever_state_everybody_reads_the_same_and_it_comes_to_its_end() {
    attack(false).await;
}

/// Planted: an app that knows nothing of what others did.
#[tokio::test(start_paused = true)]
#[should_panic(expected = "Absent, Run, None")]
async fn an_app_that_reads_something_else_is_caught() {
    attack(true).await;
}
