//! Time travel, breakpoints and retention where branches, mounted graphs and questions are open.

use graphwright::prelude::*;
use graphwright::store::{Checkpointer, RowKind, Status};
use graphwright::{App, Does, Place, Sqlite, StopReason};

use super::tree::{Deps, Log, Part, TEXT, Tree, WORKED, answer, asked, finish, lines};

type P = Place<Tree>;

async fn on_both<F: Future<Output = ()>>(test: impl Fn(App<Tree>, Deps) -> F) {
    graphwright::__private::read_back();
    let deps = Deps::default();
    test(Tree::app(deps.clone(), Memory::new()), deps).await;
    let (folder, deps) = (tempfile::tempdir().unwrap(), Deps::default());
    test(Tree::app(deps.clone(), Sqlite::open(folder.path().join("t.db")).await.unwrap()), deps).await;
}

fn check(log: &Log, what: &str) {
    assert_eq!(log.lines, lines(), "{what}");
    assert_eq!((log.text.as_str(), log.count), (TEXT, 68), "{what}");
}

#[tokio::test]
async fn a_fork_at_any_row_of_open_branches_comes_to_the_same_end() {
    on_both(async |app, _| {
        let thread = app.thread("t");
        let _paused = thread.run(Log::update()).await.unwrap().paused().unwrap();
        check(&finish(&thread).await, "the first one");
        let last = thread.history().await.unwrap().last().unwrap().seq;
        assert!(last > 15, "{last}");
        let mut asking = 0;
        for seq in 1..=last {
            let fork = thread.fork(seq, format!("fork-{seq}")).await.unwrap();
            assert_eq!(fork.state().await.unwrap(), Some(thread.state_at(seq).await.unwrap()));
            asking += fork.pending().await.unwrap().len();
        }
        assert!(asking > 15, "{asking} questions are asked again");
        // Nothing that becomes of the first one is seen in them.
        thread.delete().await.unwrap();
        for seq in 1..=last {
            check(&finish(&app.thread(format!("fork-{seq}"))).await, &format!("from row {seq}"));
        }
        assert!(app.pending().list().await.unwrap().waiting.is_empty());
    })
    .await;
}

#[tokio::test]
async fn the_steps_of_a_fork_have_keys_of_their_own() {
    let deps = Deps::default();
    let app = Tree::app(deps.clone(), Memory::new());
    let thread = app.thread("t");
    let _paused = thread.run(Log::update()).await.unwrap().paused().unwrap();
    let fork = thread.fork(1, "fork").await.unwrap();
    finish(&thread).await;
    finish(&fork).await;
    let begun = deps.begun.lock().unwrap();
    let keys: std::collections::BTreeSet<_> = begun.iter().map(|(_, key)| key).collect();
    assert_eq!((begun.len(), keys.len()), (2 * WORKED, 2 * WORKED));
}

#[tokio::test]
async fn pruning_at_any_row_breaks_nothing() {
    on_both(async |app, _| {
        let open = app.thread("open");
        let _paused = open.run(Log::update()).await.unwrap().paused().unwrap();
        let last = open.history().await.unwrap().last().unwrap().seq;
        for below in 0..=last + 1 {
            // A fork begins with a snapshot: so there is something that a thread can be pruned to.
            let thread = open.fork(last, format!("t{below}")).await.unwrap();
            let other = thread.fork(1, format!("u{below}")).await.unwrap();
            let half = thread.pending().await.unwrap();
            let _answered = thread.answer(answer(&half[0])).await.unwrap();
            thread.prune(below).await.unwrap();
            assert_eq!(thread.pending().await.unwrap().len(), 2);
            check(&finish(&thread).await, &format!("pruned below {below} while it waits"));
            thread.prune(u64::MAX).await.unwrap();
            check(&thread.state().await.unwrap().unwrap(), "pruned at its end");
            check(&finish(&other).await, "its fork");
        }
    })
    .await;
}

#[tokio::test]
async fn an_explanation_and_a_history_tell_of_branches() {
    let thread = Tree::app(Deps::default(), Memory::new()).thread("t");
    let _paused = thread.run(Log::update()).await.unwrap().paused().unwrap();
    let why = thread.explain().await.unwrap();
    let places: Vec<&str> = why.stands.iter().filter(|at| matches!(at.does, Does::Waits { .. })).map(|at| at.place.as_str()).collect();
    assert_eq!(places, ["1:sign_left/sign_left", "1:all/0:sign_right/sign_right", "1:part/0:part/sign_inside"]);
    let said = |from: &str| why.decided.iter().find(|way| way.from == from).unwrap();
    assert_eq!((said("before").to.as_str(), said("before").because.as_slice()), ("all (3)", &["the way is always open".to_owned()][..]));
    let inside = said("1:part/0:part/inside");
    assert_eq!((inside.to.as_str(), inside.because.as_slice()), ("sign_inside", &["the way is always open".to_owned()][..]));
    let right = said("1:all/0:right/right");
    assert_eq!((right.to.as_str(), right.because.as_slice()), ("join", &["the way is always open".to_owned()][..]));
    let history = thread.history().await.unwrap();
    let before = history.entries().find(|row| row.place == "before").unwrap();
    assert_eq!(before.then[0], "all (3)");
}

#[tokio::test]
async fn no_edit_while_branches_are_open() {
    let thread = Tree::app(Deps::default(), Memory::new()).thread("t");
    let _paused = thread.run(Log::update()).await.unwrap().paused().unwrap();
    let error = thread.update_state(P::before, Log::update()).await.unwrap_err();
    assert!(matches!(error, RunError::ForkOpen), "{error}");
    assert_eq!(thread.pending().await.unwrap().len(), 3);
    thread.abandon().await.unwrap();
    thread.update_state(P::before, Log::update()).await.unwrap();
    assert_eq!(thread.status().await.unwrap(), Some(Status::Stopped), "the fork is to be run");
    finish(&thread).await;
}

fn breakpoint(outcome: Outcome<Tree>) -> String {
    let stopped = outcome.stopped().expect("it stops there");
    assert_eq!(stopped.reason, StopReason::Breakpoint);
    stopped.place.unwrap()
}

#[tokio::test]
async fn a_breakpoint_in_a_branch_lets_the_others_go_on() {
    on_both(async |app, deps| {
        let app = app.break_before(P::right_then).break_before_in::<Part>(Place::<Part>::inside2);
        let thread = app.thread("t");
        let paused = thread.run(Log::update()).await.unwrap().paused().unwrap();
        // Answers run what they can; what stands before a breakpoint stays there.
        let answers: Vec<_> = paused.questions.iter().map(answer).collect();
        assert_eq!(breakpoint(thread.resume(answers).await.unwrap()), "right_then");
        let begun = |place: &str| deps.begun.lock().unwrap().iter().any(|(begun, _)| begun == place);
        assert!(begun("left_then") && !begun("right_then") && !begun("inside2") && !begun("after"));
        assert_eq!(thread.status().await.unwrap(), Some(Status::Stopped));
        assert_eq!(app.sweep().await.unwrap().driven, 0);
        check(&thread.proceed().await.unwrap().completed().unwrap().output, "both are passed at once");
    })
    .await;
}

#[tokio::test]
async fn a_question_that_is_issued_anew_leaves_a_stopped_thread_as_it_was() {
    on_both(async |app, _| {
        let app = app.break_before(P::right_then);
        let thread = app.thread("t");
        let paused = thread.run(Log::update()).await.unwrap().paused().unwrap();
        assert_eq!(breakpoint(thread.resume(answer(&paused.questions[1])).await.unwrap()), "right_then");
        thread.reissue(asked(&paused.questions[0]).1.id(), None).await.unwrap();
        assert_eq!(thread.status().await.unwrap(), Some(Status::Stopped));
        assert_eq!(thread.explain().await.unwrap().stopped.as_deref(), Some("breakpoint before `right_then`"));
        assert!(thread.proceed().await.unwrap().paused().is_some(), "it was let pass");
    })
    .await;
}

#[tokio::test]
async fn a_breakpoint_after_a_place_in_a_branch_begins_nothing_more() {
    on_both(async |app, deps| {
        let app = app.break_after(P::right).break_after_in::<Part>(Place::<Part>::inside);
        let thread = app.thread("t");
        let mut stops = vec![breakpoint(thread.run(Log::update()).await.unwrap())];
        while let Outcome::Stopped(stopped) = thread.proceed().await.unwrap() {
            stops.push(stopped.place.unwrap());
        }
        stops.sort();
        assert!(stops.iter().all(|place| place == "inside" || place == "right") && !stops.is_empty(), "{stops:?}");
        // The two run beside each other: one stop is behind both.
        assert_eq!(thread.pending().await.unwrap().len(), 3);
        check(&finish(&thread).await, "and goes on");
        let keys: std::collections::BTreeSet<_> = deps.begun.lock().unwrap().iter().map(|(_, key)| key.clone()).collect();
        assert_eq!((deps.begun.lock().unwrap().len(), keys.len()), (WORKED, WORKED), "no body was cut");
    })
    .await;
}

#[tokio::test]
async fn a_whole_turn_step_by_step() {
    on_both(async |app, deps| {
        let thread = app.thread("t");
        let mut outcome = thread.run(Log::update()).steps(1).await.unwrap();
        let mut steps = 1;
        let log = loop {
            let rows = |rows: graphwright::History| rows.iter().filter(|row| matches!(row.row.kind, RowKind::Step | RowKind::Park)).count();
            assert_eq!(rows(thread.history().await.unwrap()), steps, "one at a time");
            match outcome {
                Outcome::Completed(done) => break done.output,
                Outcome::Paused(paused) => {
                    let _answered = thread.answer(answer(&paused.questions[0])).await.unwrap();
                }
                Outcome::Stopped(_) => {}
            }
            outcome = thread.step().await.unwrap();
            steps = rows(thread.history().await.unwrap()).clamp(steps, steps + 1);
        };
        check(&log, "step by step");
        assert_eq!(deps.begun.lock().unwrap().len(), WORKED);
    })
    .await;
}

#[tokio::test]
async fn a_drain_lets_every_branch_come_to_its_commit() {
    let deps = Deps::default();
    let app = Tree::app(deps.clone(), Memory::new());
    let thread = app.thread("t");
    let run = thread.run(Log::update()).spawn();
    // Both branches that work have begun.
    while deps.begun.lock().unwrap().len() < 3 {
        tokio::task::yield_now().await;
    }
    assert!(thread.drain().await.unwrap());
    let stopped = run.await.unwrap().unwrap().stopped().unwrap();
    assert_eq!(stopped.reason, StopReason::Drained);
    let steps = thread.history().await.unwrap().iter().filter(|row| row.row.kind == RowKind::Step).count();
    assert_eq!(steps, deps.begun.lock().unwrap().len(), "what was begun is kept");
    check(&finish(&thread).await, "and goes on");
    assert_eq!(deps.begun.lock().unwrap().len(), WORKED, "no body was cut");
}

#[tokio::test]
async fn a_question_that_is_asked_again_has_the_time_that_was_left() {
    use std::time::Duration;

    use graphwright::{Clock as _, ManualClock, Timestamp};
    let clock = ManualClock::at(Timestamp(1_000));
    let store = Memory::new();
    let app = Waits::app((), store.clone()).clock(clock.clone());
    let _paused = app.thread("t").run(Log::update()).await.unwrap().paused().unwrap();
    clock.advance(Duration::from_secs(3600));
    let fork = app.thread("t").fork(2, "fork").await.unwrap();
    let open = app.pending().list().await.unwrap().waiting;
    let left = |name: &str| open.iter().find(|open| open.thread.as_str() == name).unwrap().expires.unwrap().since(clock.now());
    assert_eq!((left("t"), left("fork")), (Duration::from_secs(3600), Duration::from_secs(7200)));
    clock.advance(Duration::from_secs(3601));
    assert_eq!(app.sweep().await.unwrap().expired, 1, "the first one's time is up");
    assert_eq!(fork.pending().await.unwrap().len(), 1);
    clock.advance(Duration::from_secs(3600));
    assert_eq!(app.sweep().await.unwrap().expired, 1);
    assert_eq!(fork.status().await.unwrap(), Some(Status::Idle));
    let _listed = store.list(&graphwright::store::Query::Running, graphwright::store::Page::default()).await.unwrap();
}

/// Asks for two hours.
pub struct Wait;

#[node]
impl Interrupt<Log, ()> for Wait {
    type Question = String;
    type Answer = u32;

    async fn ask(_: &Log, _: &Context<()>) -> Result<Ask<Self>, NodeError> {
        Ok(Ask::question("well?".to_owned()))
    }

    fn resume(_: &Log, _: &String, _: Answer<u32>) -> NodeResult<Self> {
        Ok(Log::update())
    }
}

graph! {
    Waits(Log) {
        start -> wait -> end;
        wait -> end on expiry;
        wait: Wait, expires(2h);
    }
}
