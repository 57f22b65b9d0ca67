//! A turn, with its questions and their answers, is cut at every point where it can be: dropped at every poll, dropped before,
//! in and behind every call of the store, the store failing at every call, every reply lost; in memory and on a file. Then
//! the thread is brought to its end, and must be what the script comes to.

use std::future::Future;
use std::pin::Pin;
use std::time::Duration;

use graphwright::Durability;
use graphwright::prelude::*;
use graphwright::store::sqlite::{Options, WalSync};
use graphwright::store::{Checkpointer, Status};
use tokio::runtime::{Builder, Runtime};

use super::moves::Move;
use super::play::{Play, poll};
use super::random::{paused, quietly};
use super::script::{Act, CallSpec, Inner, Op, Script, Sign, Spec, Which};
use super::world::{Worlds, input, show};
use crate::faults::Others;

/// All forms of the grammar, each with a question.
fn scripts() -> [Script; 2] {
    let signs = [Sign::Accept(3), Sign::Decline];
    let inner = |early| Inner { act: Act::Waits(1), signs, early };
    let spec = |label, sign| Spec { label, act: Act::Work, sign };
    [
        vec![
            Op::Line(Act::Work),
            Op::All { acts: [Act::Waits(2), Act::Work, Act::Work], signs, part: inner(false) },
            Op::Calls(vec![CallSpec { act: Act::Work, sign: None }, CallSpec { act: Act::Work, sign: Some(Sign::Accept(5)) }]),
        ],
        vec![
            Op::Some { ways: vec![Which::C, Which::A], act: Act::Work, sign: Sign::Skip, deep: inner(true) },
            Op::Items(vec![spec(1, Sign::Accept(7)), spec(2, Sign::Skip), spec(3, Sign::Decline)]),
            Op::Rescue,
            Op::Whole(inner(true)),
            Op::Ask(Sign::Accept(9)),
        ],
    ]
    .map(|ops| Script { ops, stops: false })
}

/// A whole turn, as a front end drives it. It gives up where it cannot.
async fn drive(app: App<Worlds>, script: Script) -> Result<(), RunError> {
    let thread = app.thread("t");
    let mut outcome = thread.run(input(&script)).await?;
    loop {
        outcome = match outcome {
            Outcome::Completed(_) => return Ok(()),
            Outcome::Paused(paused) => thread.resume(paused.questions.iter().map(|q| show(q).right).collect::<Vec<_>>()).await?,
            Outcome::Stopped(_) => thread.proceed().await?,
        };
    }
}

/// What is done to it.
#[derive(Clone, Copy, Debug)]
enum Cut {
    /// Dropped after so many polls.
    Poll(usize),
    /// Dropped when somebody stands before or behind this call, or so many polls later: while the call is under way.
    Call(u64, usize),
    FailOnce(u64),
    FailFrom(u64),
    Lose(u64),
}

/// Drives a turn and makes the cut. False if there was nothing to cut any more.
async fn interrupt<S: Checkpointer + Clone>(play: &mut Play<S>, script: &Script, cut: Cut) -> bool {
    let faults = play.faults[0].clone();
    match cut {
        Cut::FailOnce(n) => faults.fail(n, 1),
        Cut::FailFrom(n) => faults.fail(n, u64::MAX),
        Cut::Lose(n) => faults.lose(n),
        Cut::Poll(_) | Cut::Call(..) => {}
    }
    let mut driven: Pin<Box<dyn Future<Output = Result<(), RunError>> + Send>> = Box::pin(drive(play.apps[0].clone(), script.clone()));
    let ended = match cut {
        Cut::Poll(polls) => poll(&mut driven, polls).await.is_some(),
        Cut::Call(point, polls) => loop {
            if faults.points() > point {
                break poll(&mut driven, polls).await.is_some();
            }
            if poll(&mut driven, 1).await.is_some() {
                break true;
            }
        },
        _ => match (&mut driven).await {
            // The failure may have harmed nobody.
            Ok(()) => !matches!(cut, Cut::FailOnce(n) | Cut::FailFrom(n) | Cut::Lose(n) if faults.calls() > n),
            Err(RunError::Store(_)) => false,
            Err(other) => panic!("{cut:?}: {other:?}"),
        },
    };
    drop(driven);
    faults.heal();
    !ended
}

/// Makes the cut and then everything well. False if there was nothing to cut any more.
async fn cut<S: Checkpointer + Clone>(store: S, script: &Script, cut: Cut) -> bool {
    let mut play = Play::on(store, Vec::new(), Durability::Sync, None);
    let was_cut = interrupt(&mut play, script, cut).await;
    play.adopt(script.clone()).await;
    play.make(Move::Begin { who: 1, polls: 0 }).await;
    play.finish().await;
    assert_eq!(play.done.turns, 1, "{cut:?}");
    was_cut
}

/// Cuts at one point after the other, or at every so manyth, until there is nothing to cut. Gives how many cuts were made.
fn sweep<S: Checkpointer + Clone>(every: usize, runtime: fn() -> Runtime, store: impl Fn() -> S, cuts: &[fn(u64) -> Cut]) -> u64 {
    graphwright::__private::read_back();
    quietly();
    let mut made = 0;
    for script in scripts() {
        for at in cuts {
            let before = made;
            for n in (0..).step_by(every) {
                if !runtime().block_on(cut(store(), &script, at(n))) {
                    break;
                }
                made += 1;
            }
            // A kind of cut that ends before its time is none.
            assert!((made - before) * every as u64 >= 20, "{:?}: only {} cuts", at(0), made - before);
        }
    }
    made
}

const CALLS: [fn(u64) -> Cut; 2] = [|n| Cut::Call(n, 0), |n| Cut::Call(n, 2)];
const FAILURES: [fn(u64) -> Cut; 3] = [Cut::FailOnce, Cut::FailFrom, Cut::Lose];

#[test]
fn dropped_at_every_poll() {
    let made = sweep(1, paused, Memory::new, &[|n| Cut::Poll(n as usize)]);
    println!("{made} cuts");
    assert!(made > 100, "{made} cuts");
}

#[test]
fn dropped_at_every_call_of_memory() {
    let made = sweep(1, paused, Memory::new, &CALLS);
    println!("{made} cuts");
    assert!(made > 200, "{made} cuts");
}

#[test]
fn memory_fails_at_every_call() {
    let made = sweep(1, paused, Memory::new, &FAILURES);
    println!("{made} calls");
    assert!(made > 100, "{made} calls");
}

/// A file of its own for each cut. Files take their time: `SWEEP_EVERY=1` leaves no point out.
fn on_files(cuts: &[fn(u64) -> Cut]) -> u64 {
    let every = std::env::var("SWEEP_EVERY").ok().and_then(|every| every.parse().ok()).unwrap_or(10);
    let folder = tempfile::tempdir().unwrap();
    let files = std::cell::Cell::new(0);
    // Time is what it is: while a file is written, nobody here does anything.
    let runtime = || Builder::new_current_thread().enable_all().build().unwrap();
    let open = || {
        files.set(files.get() + 1);
        let options = Options::new().sync(WalSync::LosesLastCommitsWithPower);
        runtime().block_on(Sqlite::open_with(folder.path().join(format!("{}.db", files.get())), options)).unwrap()
    };
    let made = sweep(every, runtime, open, cuts);
    println!("{made} cuts on files");
    made
}

#[test]
fn dropped_at_every_call_of_sqlite() {
    assert!(on_files(&CALLS) > 40);
}

#[test]
fn sqlite_fails_at_every_call() {
    assert!(on_files(&FAILURES) > 20);
}

/// A run whose store fails for a moment lets its thread go as soon as it can, and so does one that is dropped, while it claims
/// the thread, too: no other process waits until this one dies.
#[test]
fn a_thread_that_nobody_drives_is_free_for_other_processes() {
    for at in [Cut::FailOnce, |n| Cut::Poll(n as usize), CALLS[0], CALLS[1]] {
        let (mut cuts, mut taken_up) = (0, 0);
        for script in scripts() {
            for n in 0.. {
                let swept = paused().block_on(async {
                    let mut play = Play::on(Memory::new(), Vec::new(), Durability::Sync, None);
                    play.faults[1].presume(Others::Elsewhere);
                    if !interrupt(&mut play, &script, at(n)).await {
                        return None;
                    }
                    // Whoever cut it is gone; what it left to be done is done.
                    tokio::time::sleep(Duration::from_secs(5)).await;
                    let swept = play.apps[1].sweep().await.unwrap();
                    let status = play.apps[1].thread("t").status().await.unwrap();
                    assert_ne!(status, Some(Status::Running), "{:?}: nobody drives it, and nobody may", at(n));
                    Some(swept.driven)
                });
                let Some(driven) = swept else { break };
                (cuts, taken_up) = (cuts + 1, taken_up + driven);
            }
        }
        println!("{:?}: {cuts} cuts, {taken_up} threads taken up", at(0));
        assert!(cuts > 30, "{:?}: {cuts} cuts", at(0));
    }
}

/// The sweep must see what it is for: a thread that was driven with another script does not pass.
#[test]
#[should_panic(expected = "the state is not what the script comes to")]
fn another_script_is_noticed() {
    let [script, other] = scripts();
    paused().block_on(async {
        let mut play = Play::on(Memory::new(), Vec::new(), Durability::Sync, None);
        drive(play.apps[0].clone(), other).await.unwrap();
        play.adopt(script).await;
        play.finish().await;
    });
}
