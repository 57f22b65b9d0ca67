//! `kill -9` at any moment, on a file: the threads of a process that was killed are taken up by the next one. Every effect
//! is done exactly once under its key, nothing is lost, and each thread comes to what its script says.
#![cfg(unix)]

use std::hash::{BuildHasher, RandomState};
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::atomic::Ordering;
use std::time::Duration;

use graphwright::Durability;
use graphwright::prelude::*;
use tokio::runtime::Runtime;
use tokio::task::JoinSet;

use super::model::{Plain, interpret};
use super::script::{Act, CallSpec, Inner, Op, Script, Sign, Spec, Which};
use super::world::{Deps, Worlds, input, show};
use crate::laws;

pub(super) const THREADS: usize = 6;
/// Where a child finds its folder, and whether it is to forget its keys.
pub(super) const FOLDER: &str = "GRAPHWRIGHT_KILL_FOLDER";
pub(super) const FORGETFUL: &str = "GRAPHWRIGHT_KILL_FORGETFUL";

/// Forks, maps, mounted graphs and questions, other ones on each thread.
pub(super) fn script(thread: usize) -> Script {
    let act = Act::Waits(thread as u8 % 3);
    let signs = [Sign::Accept(thread as u32 + 1), Sign::Decline];
    let part = Inner { act, signs, early: thread.is_multiple_of(2) };
    let spec = |label| Spec { label, act, sign: signs[label as usize % 2] };
    let mut ops = vec![
        Op::All { acts: [act; 3], signs, part },
        Op::Calls(vec![CallSpec { act, sign: None }, CallSpec { act, sign: Some(signs[0]) }, CallSpec { act, sign: None }]),
        Op::Items((0..4).map(spec).collect()),
        Op::Some { ways: vec![Which::A, Which::B, Which::C], act, sign: signs[1], deep: part },
        Op::Rescue,
        Op::Line(act),
    ];
    ops.rotate_left(thread);
    Script { ops, stops: thread.is_multiple_of(2) }
}

pub(super) async fn app(folder: &Path) -> App<Worlds> {
    let deps = Deps { effects: Some(folder.join("effects")), forgetful: std::env::var_os(FORGETFUL).is_some(), ..Deps::default() };
    deps.mended.store(true, Ordering::SeqCst);
    Worlds::app(deps, Sqlite::open(folder.join("threads.db")).await.unwrap())
}

/// What is killed: brings every thread to its end, wherever the last one left it, and says so.
fn child(folder: &Path) {
    Runtime::new().unwrap().block_on(async {
        let app = app(folder).await;
        println!("at work");
        let mut threads = JoinSet::new();
        for nth in 0..THREADS {
            // What is not kept at once is done again, under the same keys.
            let durability = [Durability::Sync, Durability::Behind, Durability::Exit][nth % 3];
            let thread = app.clone().durability(durability).thread(format!("t{nth}"));
            threads.spawn(async move {
                let mut outcome = match thread.status().await.unwrap() {
                    None => thread.run(input(&script(nth))).await,
                    Some(_) => thread.proceed().await,
                };
                loop {
                    outcome = match outcome.unwrap() {
                        Outcome::Completed(_) => return,
                        Outcome::Paused(paused) => thread.resume(show(paused.questions.last().unwrap()).right).await,
                        Outcome::Stopped(_) => thread.proceed().await,
                    };
                }
            });
        }
        while let Some(driven) = threads.join_next().await {
            driven.unwrap();
        }
        println!("all done");
    });
}

/// Starts one child after the other and kills each at a moment of chance, until one says that all is done. Gives the kills.
fn kill_until_done(test: &str, folder: &Path, forgetful: bool, dice: &mut u64) -> u64 {
    let mut kills = 0;
    loop {
        *dice = dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let after = Duration::from_micros((*dice >> 33) % 120_000);
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.args(["--exact", &format!("harness::kill::{test}"), "--nocapture"]).env(FOLDER, folder);
        if forgetful {
            command.env(FORGETFUL, "1");
        }
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines().map_while(Result::ok);
        assert!(lines.any(|line| line.ends_with("at work")), "the child does not begin");
        std::thread::sleep(after);
        child.kill().unwrap();
        let status = child.wait().unwrap();
        if lines.any(|line| line == "all done") {
            return kills;
        }
        assert!(status.code().is_none(), "the child ended by itself: {status}");
        kills += 1;
        assert!(kills < 1_000, "it does not come to an end");
    }
}

/// Looks at what a round left behind. `Err` says what is wrong with the effects.
pub(super) async fn verify(folder: &Path) -> Result<(), String> {
    let app = app(folder).await;
    let mut bodies = 0;
    for nth in 0..THREADS {
        let came = interpret(&Plain::default(), &script(nth));
        bodies += came.bodies;
        let thread = app.thread(format!("t{nth}"));
        let world = thread.state().await.unwrap().expect("the thread is there");
        assert_eq!(Plain::from(&world), came.state, "thread {nth}");
        laws::rows(&[], &thread.history().await.unwrap());
        laws::inv_pair(&world.talk, true);
    }
    assert!(app.pending().list().await.unwrap().waiting.is_empty(), "every question is shut");
    let effects = std::fs::read_dir(folder.join("effects")).unwrap().count();
    if effects == bodies { Ok(()) } else { Err(format!("{bodies} steps of work, and {effects} effects")) }
}

/// Rounds in a folder each, until there were so many kills, or one came to something else. A round gives how many it had.
pub(super) fn until_killed(test: &str, kills: u64, mut round: impl FnMut(&Path, &mut u64) -> Result<u64, String>) -> Result<u64, String> {
    let seed = std::env::var("KILL_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or_else(|| RandomState::new().hash_one(test));
    println!("{test}: KILL_SEED={seed}");
    let (mut dice, mut killed, mut rounds) = (seed, 0, 0);
    while killed < kills {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("effects")).unwrap();
        killed += round(folder.path(), &mut dice)?;
        rounds += 1;
    }
    println!("{killed} kills in {rounds} rounds");
    Ok(killed)
}

fn attack(test: &str, forgetful: bool, kills: u64) -> Result<u64, String> {
    if let Some(folder) = std::env::var_os(FOLDER) {
        child(Path::new(&folder));
        return Ok(kills);
    }
    until_killed(test, kills, |folder, dice| {
        let killed = kill_until_done(test, folder, forgetful, dice);
        Runtime::new().unwrap().block_on(verify(folder))?;
        Ok(killed)
    })
}

#[test]
fn nothing_is_lost_and_nothing_is_done_twice() {
    let kills = std::env::var("KILLS").ok().and_then(|kills| kills.parse().ok()).unwrap_or(40);
    let killed = attack("nothing_is_lost_and_nothing_is_done_twice", false, kills).unwrap();
    assert!(killed >= kills);
}

/// Planted: effects under keys that are others at each attempt.
#[test]
fn effects_under_other_keys_are_caught() {
    let came = attack("effects_under_other_keys_are_caught", true, 400);
    if std::env::var_os(FOLDER).is_none() {
        assert!(came.expect_err("nothing was done twice").contains("effects"));
    }
}
