//! What bounds a run also bounds it in a fork.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use graphwright::prelude::*;
use graphwright::{CancellationToken, Event, EventKind, Mark, StopReason};

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, State)]
pub struct Work {
    #[state(append)]
    done: Vec<u32>,
}

#[router]
fn ten(_: &Work) -> Vec<u32> {
    (0..10).collect()
}

#[router]
fn again(_: &Work) -> bool {
    true
}

#[node(writes(done))]
async fn work(_: &Work, item: &u32) -> NodeResult<work> {
    if item.is_multiple_of(2) {
        tokio::task::yield_now().await;
    }
    Ok(Work::update().done([*item]))
}

#[node(writes(done))]
async fn rest(_: &Work, item: &u32) -> NodeResult<rest> {
    Ok(Work::update().done([100 + *item]))
}

graph! {
    Ten(Work) {
        start -> each ten { work -> rest } -> end;
    }
}

#[tokio::test]
async fn a_limit_of_n_lets_exactly_n_steps_run_also_in_a_fork() {
    for limit in 0..=20 {
        let bare = Ten::run((), Work::update()).steps(limit).await.unwrap();
        let app = Ten::app((), Memory::new());
        let kept = app.thread("t").run(Work::update()).steps(limit).await.unwrap();
        if limit == 20 {
            assert!(bare.completed().is_some() && kept.completed().is_some(), "it takes exactly twenty");
            continue;
        }
        assert_eq!(bare.stopped().unwrap().reason, StopReason::StepLimit, "{limit}");
        assert_eq!(kept.stopped().unwrap().reason, StopReason::StepLimit, "{limit}");
        let steps = app.thread("t").history().await.unwrap().iter().filter(|row| row.row.kind == graphwright::store::RowKind::Step).count();
        assert_eq!(steps as u64, limit);
        let done = app.thread("t").proceed().await.unwrap().completed().unwrap();
        assert_eq!(done.output.done.len(), 20, "{limit}");
        assert_eq!(done.output.done[..4], [0, 100, 1, 101], "{limit}");
    }
}

#[node]
async fn hang(_: &Work, _item: &u32) -> Update<Work> {
    std::future::pending().await
}

graph! {
    Hangs(Work) {
        start -> each ten { hang } -> end;
    }
}

#[tokio::test(start_paused = true)]
async fn a_deadline_and_a_cancellation_act_while_branches_wait() {
    let timed_out = Hangs::run((), Work::update()).deadline(Duration::from_secs(5)).await.unwrap();
    assert_eq!(timed_out.stopped().unwrap().reason, StopReason::TimedOut);
    let token = CancellationToken::new();
    let run = Hangs::run((), Work::update()).cancelled_by(token.clone()).spawn();
    tokio::time::sleep(Duration::from_secs(1)).await;
    token.cancel();
    assert_eq!(run.await.unwrap().unwrap().stopped().unwrap().reason, StopReason::Cancelled);
}

graph! {
    /// Goes round without a place.
    Idle(Work) {
        start -> each nothing { work } -> match again { true => each nothing2 { work2 } -> match again2 { true => back, false => end }, false => end };
        back -> end;
        work2: work;
        back: idle_back;
    }
}

#[router]
fn nothing(_: &Work) -> Vec<u32> {
    Vec::new()
}

#[router]
fn nothing2(_: &Work) -> Vec<u32> {
    Vec::new()
}

#[router]
fn again2(_: &Work) -> bool {
    true
}

#[node]
async fn idle_back(_: &Work) {}

#[tokio::test]
async fn empty_forks_behind_each_other_are_passed_at_once() {
    assert!(Idle::run((), Work::update()).await.unwrap().completed().is_some_and(|done| done.steps == 1));
}

#[node(writes(done))]
async fn fails(_: &Work) -> NodeResult<fails> {
    Err("told to fail".into())
}

#[node(writes(done))]
async fn left(_: &Work, cx: &Context<()>) -> NodeResult<left> {
    tokio::task::yield_now().await;
    Ok(Work::update().done([cx.steps_left()]))
}

graph! {
    Fails(Work) {
        start -> [l1 -> l2 -> l3, fails] -> end;
        l1: left;
        l2: left;
        l3: left;
    }
}

#[tokio::test]
async fn a_limit_hides_no_failure() {
    let named = |error: RunError| matches!(&error, RunError::Failed(failure) if failure.place() == "fails");
    assert!(Fails::run((), Work::update()).steps(2).await.is_err_and(named));
    let thread = Fails::app((), Memory::new()).thread("t");
    assert!(thread.run(Work::update()).steps(2).await.is_err_and(named));
    let history = thread.history().await.unwrap();
    assert_eq!(history.last().unwrap().row.kind, graphwright::store::RowKind::Stop);
    assert!(history.to_string().contains("`fails` failed: told to fail"), "{history}");
    // What was to be run still is.
    assert!(thread.proceed().steps(2).await.is_err_and(named));
    let steps = thread.history().await.unwrap().iter().filter(|row| row.row.kind == graphwright::store::RowKind::Step).count();
    assert_eq!(steps, 3);
}

graph! {
    LeftPart(Work) {
        start -> p1 -> p2 -> end;
        p1: left;
        p2: left;
    }
}

graph! {
    Left(Work) {
        start -> l1 -> [l2, part -> l3] -> l4 -> whole -> end;
        l1: left;
        l2: left;
        l3: left;
        l4: left;
        part: graph LeftPart;
        whole: graph LeftPart;
    }
}

#[tokio::test]
async fn a_place_is_told_how_many_steps_are_left_wherever_it_is() {
    // What runs beside a place is not left to it.
    let all = |n: u32| [n, n - 1, n - 2, n - 3, n - 4, n - 5, n - 6, n - 7];
    for limit in [8, 100] {
        let bare = Left::run((), Work::update()).steps(u64::from(limit)).await.unwrap().completed().unwrap();
        assert_eq!(bare.output.done, all(limit));
        let app = Left::app((), Memory::new());
        let kept = app.thread("t").run(Work::update()).steps(u64::from(limit)).await.unwrap().completed().unwrap();
        assert_eq!(kept.output.done, all(limit));
    }
    // They are the run's: each begins to count anew.
    let thread = Left::app((), Memory::new()).thread("t");
    let mut outcome = thread.run(Work::update()).steps(3).await.unwrap();
    while matches!(outcome, Outcome::Stopped(_)) {
        outcome = thread.proceed().steps(2).await.unwrap();
    }
    assert_eq!(outcome.completed().unwrap().output.done, [3, 2, 1, 2, 1, 2, 1, 2]);
}

/// Asks, and waits.
pub struct Sign;

#[node(writes(done))]
impl Interrupt<Work, ()> for Sign {
    type Question = u32;
    type Answer = u32;

    async fn ask(_: &Work, _: &Context<()>) -> Result<Ask<Self>, NodeError> {
        Ok(Ask::question(1))
    }

    fn resume(_: &Work, _: &u32, _: Answer<u32>) -> NodeResult<Self> {
        Ok(Work::update())
    }
}

graph! {
    Alone(Work) {
        start -> sign -> end;
        sign: Sign;
    }
}

graph! {
    Beside(Work) {
        start -> [sign, l1] -> end;
        sign: Sign;
        l1: left;
    }
}

/// What a run came to that is cancelled as soon as so many of its commits were told, and how it said that it ended.
async fn cancelled<G: graphwright::Graph>(thread: graphwright::Thread<G>, input: impl Into<G::Input>, commits: u32) -> (Outcome<G>, Mark) {
    let (token, told) = (CancellationToken::new(), Arc::new(Mutex::new((0, None))));
    let (cancels, hears) = (token.clone(), told.clone());
    let run = thread.run(input).cancelled_by(token).observe(move |event: &Event| {
        let mut told = hears.lock().unwrap();
        match event.kind {
            EventKind::Committed { .. } => told.0 += 1,
            EventKind::RunEnded { outcome } => told.1 = Some(outcome),
            _ => {}
        }
        if told.0 == commits {
            cancels.cancel();
        }
    });
    let outcome = run.await.unwrap();
    let mark = told.lock().unwrap().1.expect("it ends");
    (outcome, mark)
}

#[tokio::test]
async fn who_is_cancelled_behind_the_last_commit_is_what_that_made_of_it() {
    let (outcome, mark) = cancelled(Alone::app((), Memory::new()).thread("t"), Work::update(), 1).await;
    assert_eq!((outcome.paused().is_some(), mark), (true, Mark::Paused));
    let thread = Beside::app((), Memory::new()).thread("t");
    let (outcome, mark) = cancelled(thread.clone(), Work::update(), 2).await;
    assert_eq!((outcome.paused().is_some(), mark), (true, Mark::Paused));
    assert_eq!(thread.status().await.unwrap(), Some(graphwright::store::Status::Paused));
    // One commit earlier there was something to be cancelled.
    let thread = Beside::app((), Memory::new()).thread("t");
    let (outcome, mark) = cancelled(thread.clone(), Work::update(), 1).await;
    assert_eq!((outcome.stopped().is_some(), mark), (true, Mark::Cancelled));
    assert_eq!(thread.status().await.unwrap(), Some(graphwright::store::Status::Stopped));
}
