//! Four processes on one file: each begins the same turns, answers whatever is asked, takes up whatever nobody drives, and is
//! killed at any moment. Each turn is begun once, each question is answered once, each effect is done once.
#![cfg(unix)]

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

use graphwright::Durability;
use graphwright::prelude::*;
use graphwright::store::{RowKind, Status};
use tokio::runtime::Runtime;
use tokio::task::JoinSet;

use super::kill::{FOLDER, FORGETFUL, THREADS, app, script, until_killed, verify};
use super::world::{Worlds, input, show};

const PROCESSES: usize = 4;
/// Tells a child which one it is.
const NTH: &str = "GRAPHWRIGHT_CROWD_NTH";

/// What a call may come to while others are at it: somebody else was faster, or is.
fn lost(error: &RunError) -> bool {
    matches!(
        error,
        RunError::Busy { .. }
            | RunError::Waiting { .. }
            | RunError::Duplicate { .. }
            | RunError::Displaced
            | RunError::Spent { .. }
            | RunError::Superseded
            | RunError::NoQuestion
    ) || error.is_transient()
}

#[track_caller]
fn won<T>(came: Result<T, RunError>) -> Option<T> {
    came.map_err(|error| assert!(lost(&error), "{error}")).ok()
}

/// What is killed. It says what it was told: which turns it began, which answers were taken, and that all is done.
fn child(folder: &Path, nth: usize) {
    Runtime::new().unwrap().block_on(async {
        let durability = [Durability::Sync, Durability::Behind, Durability::Exit][nth % 3];
        let app = app(folder).await.durability(durability);
        println!("at work");
        let mut tasks = JoinSet::new();
        for nth in 0..THREADS {
            let thread = app.thread(format!("t{nth}"));
            tasks.spawn(async move {
                won(thread.run(input(&script(nth))).idempotent("the one turn").await.map(drop));
            });
        }
        let sweeps = app.clone();
        tasks.spawn(async move {
            loop {
                won(sweeps.sweep().await);
                tokio::time::sleep(Duration::from_millis(3)).await;
            }
        });
        while !answer_all(&app).await {
            tokio::time::sleep(Duration::from_millis(3)).await;
        }
        println!("all done");
        tasks.shutdown().await;
    });
}

/// Answers what is asked on every thread. Gives whether all of them are at their end.
async fn answer_all(app: &App<Worlds>) -> bool {
    let mut done = 0;
    for nth in 0..THREADS {
        let thread = app.thread(format!("t{nth}"));
        match won(thread.status().await).flatten() {
            Some(Status::Idle) => done += 1,
            // So many died with it that it is left to people.
            Some(Status::Stopped) => {
                won(thread.proceed().await.map(drop));
            }
            Some(Status::Paused | Status::Running) => {
                for question in won(thread.pending().await).unwrap_or_default() {
                    if let Some(answered) = won(thread.answer(show(&question).right).await) {
                        println!("answered {nth} {}", answered.seq);
                    }
                }
            }
            None => {}
        }
    }
    done == THREADS
}

/// A child, and what it said until now.
struct Process {
    child: Child,
    said: Receiver<String>,
}

fn start(test: &str, folder: &Path, nth: usize, forgetful: bool, done: Sender<()>) -> Process {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", &format!("harness::crowd::{test}"), "--nocapture"]).env(FOLDER, folder).env(NTH, nth.to_string());
    if forgetful {
        command.env(FORGETFUL, "1");
    }
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let (say, said) = channel();
    let lines = BufReader::new(child.stdout.take().unwrap()).lines().map_while(Result::ok);
    std::thread::spawn(move || {
        for line in lines {
            if line == "all done" {
                let _ = done.send(());
            }
            let _ = say.send(line);
        }
    });
    Process { child, said }
}

/// Kills it, unless it has come to its end. Gives what it said, and whether it was killed.
fn end(mut process: Process) -> (Vec<String>, bool) {
    process.child.kill().unwrap();
    let status = process.child.wait().unwrap();
    // Until its pipe is read to the end.
    let said: Vec<String> = process.said.iter().collect();
    assert!(said.iter().any(|line| line == "all done") || status.code().is_none(), "it ended by itself, {status}: {said:?}");
    (said, status.code().is_none())
}

/// Four at once, of which one is killed and begun again at moments of chance, until one says that all is done.
fn round(test: &str, folder: &Path, forgetful: bool, dice: &mut u64) -> (u64, Vec<String>) {
    let (done, is_done) = channel();
    let begin = |nth| start(test, folder, nth, forgetful, done.clone());
    let mut processes: Vec<Process> = (0..PROCESSES).map(begin).collect();
    let (mut kills, mut said) = (0, Vec::new());
    loop {
        *dice = dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let after = Duration::from_micros((*dice >> 33) % 150_000);
        if is_done.recv_timeout(after).is_ok() {
            break;
        }
        let victim = (*dice >> 24) as usize % PROCESSES;
        let (lines, killed) = end(std::mem::replace(&mut processes[victim], begin(victim)));
        said.extend(lines);
        kills += u64::from(killed);
        assert!(kills < 2_000, "it does not come to an end");
    }
    for process in processes {
        said.extend(end(process).0);
    }
    (kills, said)
}

/// Every answer that somebody was told is taken is in the log, once, and nobody answered what another one did. Gives how many.
async fn count(folder: &Path, said: &[String]) -> usize {
    let app = app(folder).await;
    let mut taken = BTreeSet::new();
    for nth in 0..THREADS {
        let history = app.thread(format!("t{nth}")).history().await.unwrap();
        assert!(history.next.is_none());
        let of = |kind| history.iter().filter(move |row| row.row.kind == kind);
        assert_eq!(of(RowKind::Input).count(), 1, "one turn, of all that wanted to begin it");
        assert_eq!(of(RowKind::Answer).count(), of(RowKind::Park).count(), "one answer for each question");
        taken.extend(of(RowKind::Answer).map(|row| format!("answered {nth} {}", row.seq)));
    }
    let told: Vec<&String> = said.iter().filter(|line| line.starts_with("answered ")).collect();
    let distinct: BTreeSet<&String> = told.iter().copied().collect();
    assert_eq!(distinct.len(), told.len(), "two were told that their answer was taken");
    for line in distinct {
        assert!(taken.contains(line), "{line}, and it is not in the log");
    }
    told.len()
}

fn attack(test: &str, forgetful: bool, kills: u64) -> Result<u64, String> {
    if let Some(folder) = std::env::var_os(FOLDER) {
        child(Path::new(&folder), std::env::var(NTH).unwrap().parse().unwrap());
        return Ok(kills);
    }
    let mut answers = 0;
    let killed = until_killed(test, kills, |folder, dice| {
        let (killed, said) = round(test, folder, forgetful, dice);
        let runtime = Runtime::new().unwrap();
        runtime.block_on(verify(folder))?;
        answers += runtime.block_on(count(folder, &said));
        Ok(killed)
    })?;
    println!("{answers} answers acknowledged");
    assert!(answers > 0, "nobody answered anything");
    Ok(killed)
}

#[test]
fn each_turn_answer_and_effect_is_there_once() {
    let kills = std::env::var("KILLS").ok().and_then(|kills| kills.parse().ok()).unwrap_or(40);
    let killed = attack("each_turn_answer_and_effect_is_there_once", false, kills).unwrap();
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
