//! `kill -9` at any moment: every acknowledged commit is there, and nothing is torn.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, clippy::print_stdout)]

use std::collections::BTreeMap;
use std::hash::{BuildHasher, RandomState};
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use graphwright::store::{By, Checkpointer, Liveness, Page, Point, Query, Sqlite, StoreError, ThreadKey};
use graphwright::{CommitId, Scope, WorkerId};
use tokio::runtime::Runtime;

const CYCLES: usize = 60;

/// What the children were told is there: the commit of a row, by `(uid, seq)`.
type Acknowledged = BTreeMap<(u64, u64), CommitId>;

/// The same numbers for the same seed.
struct Dice(u64);

impl Dice {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }

    /// From `KILL_SEED`, or another one each time.
    fn throw(test: &str) -> Self {
        let seed = std::env::var("KILL_SEED").ok().and_then(|seed| seed.parse().ok());
        let seed = seed.unwrap_or_else(|| RandomState::new().hash_one(test));
        println!("{test}: KILL_SEED={seed}");
        Self(seed)
    }
}

/// A writer under way, and what it says.
struct Writer {
    child: Child,
    lines: Receiver<String>,
}

impl Writer {
    fn start(path: &Path, seed: u64, flags: &[&str]) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_store-writer"))
            .arg(path)
            .arg(seed.to_string())
            .args(flags)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let (said, lines) = channel();
        let mut out = BufReader::new(child.stdout.take().unwrap());
        std::thread::spawn(move || {
            let mut line = String::new();
            // A line that was cut off was not said.
            while out.read_line(&mut line).is_ok_and(|read| read > 0) && line.ends_with('\n') {
                if said.send(std::mem::take(&mut line)).is_err() {
                    break;
                }
            }
        });
        Self { child, lines }
    }

    /// The next thing it says.
    fn line(&self) -> String {
        self.lines.recv_timeout(Duration::from_secs(60)).expect("the writer says something")
    }

    fn kill(mut self) -> Vec<String> {
        self.child.kill().unwrap();
        let status = self.child.wait().unwrap();
        assert!(status.code().is_none(), "the writer ended by itself: {status}");
        self.lines.iter().collect()
    }
}

/// One cycle: start, kill, and what was acknowledged. One in ten dies while it opens.
fn cycle(path: &Path, dice: &mut Dice, flags: &[&str]) -> Acknowledged {
    let writer = Writer::start(path, dice.below(u64::MAX), flags);
    let mut said = Vec::new();
    if dice.below(10) == 0 {
        std::thread::sleep(Duration::from_micros(dice.below(15_000)));
    } else {
        said.extend([writer.line(), writer.line()]);
        std::thread::sleep(Duration::from_micros(dice.below(40_000)));
    }
    said.extend(writer.kill());
    let acks = said.iter().filter_map(|line| line.strip_prefix("ack "));
    acks.map(|line| {
        let mut words = line.split_whitespace();
        let mut number = || words.next().unwrap().parse().unwrap();
        ((number(), number()), words.next().unwrap().parse().unwrap())
    })
    .collect()
}

/// Opens what was left behind and looks at everything. Gives the number of rows ever written.
async fn verify(path: &Path, acknowledged: &Acknowledged) -> Result<u64, String> {
    let scope = Scope::root().hash();
    let store = Sqlite::open(path).await.map_err(|error| error.to_string())?;
    let told = |error: StoreError| error.to_string();
    let threads =
        store.list(&Query::Threads { scope: Some(scope), status: vec![] }, Page { after: None, limit: 1000 }).await.map_err(told)?.threads;
    let mut seqs = BTreeMap::new();
    for thread in &threads {
        let uid = thread.uid;
        let loaded =
            store.load(&ThreadKey { scope, by: By::Uid(uid) }, Point::Head).await.map_err(told)?.ok_or("a listed thread is gone")?;
        let base = loaded.snapshot.as_ref().map_or(0, |snapshot| snapshot.seq);
        let seqs_loaded: Vec<_> = loaded.rows.iter().map(|row| row.seq).collect();
        ensure(seqs_loaded == (base + 1..=loaded.seq).collect::<Vec<_>>(), || format!("rows {seqs_loaded:?} of {base}..{}", loaded.seq))?;
        ensure(loaded.open.len() == 1 && loaded.open[0].opened == loaded.seq, || "head and questions disagree".to_owned())?;

        let mut rows = Vec::new();
        let mut after = None;
        loop {
            let page = store.list(&Query::History { scope, uid }, Page { after, limit: 1000 }).await.map_err(told)?;
            rows.extend(page.rows);
            after = page.next;
            if after.is_none() {
                break;
            }
        }
        let kept: Vec<_> = rows.iter().map(|row| row.seq).collect();
        ensure(kept == (loaded.first_seq..=loaded.seq).collect::<Vec<_>>(), || format!("thread {uid} has rows {kept:?}"))?;
        for row in rows {
            if let Some(commit) = acknowledged.get(&(uid, row.seq)) {
                ensure(row.commit == *commit, || format!("row {} of {uid} is another commit than was acknowledged", row.seq))?;
            }
        }
        seqs.insert(uid, loaded.seq);
    }
    for (uid, seq) in acknowledged.keys() {
        let there = seqs.get(uid).copied().unwrap_or(0);
        ensure(there >= *seq, || format!("row {seq} of {uid} was acknowledged, the thread ends at {there}"))?;
    }
    drop(store);
    let db = rusqlite::Connection::open(path).unwrap();
    let integrity: String = db.query_row("PRAGMA integrity_check", [], |row| row.get(0)).unwrap();
    ensure(integrity == "ok", || integrity)?;
    let dangling: i64 = db.query_row("SELECT count(*) FROM pragma_foreign_key_check", [], |row| row.get(0)).unwrap();
    ensure(dangling == 0, || format!("{dangling} rows point nowhere"))?;
    Ok(seqs.values().sum())
}

fn ensure(holds: bool, what: impl FnOnce() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(what()) }
}

#[test]
fn nothing_acknowledged_is_lost() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("threads.db");
    let mut dice = Dice::throw("nothing_acknowledged_is_lost");
    let runtime = Runtime::new().unwrap();
    let mut acknowledged = Acknowledged::new();
    let mut rows = 0;
    for n in 0..CYCLES {
        acknowledged.extend(cycle(&path, &mut dice, &[]));
        rows = runtime.block_on(verify(&path, &acknowledged)).unwrap_or_else(|what| panic!("after kill {n}: {what}"));
    }
    println!("{CYCLES} kills, {} commits acknowledged, {rows} rows", acknowledged.len());
    assert!(acknowledged.len() >= CYCLES / 2, "only {} commits were acknowledged: nothing was tried", acknowledged.len());
    let locks = locks(directory.path());
    assert_eq!(locks, Vec::<String>::new(), "lock files of the dead were left behind");
}

#[test]
fn acknowledging_before_the_commit_is_caught() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("threads.db");
    let mut dice = Dice::throw("acknowledging_before_the_commit_is_caught");
    let runtime = Runtime::new().unwrap();
    let mut acknowledged = Acknowledged::new();
    let caught = (0..CYCLES).find_map(|_| {
        acknowledged.extend(cycle(&path, &mut dice, &["--acknowledge-early"]));
        runtime.block_on(verify(&path, &acknowledged)).err()
    });
    let caught = caught.expect("a commit that was acknowledged too early was never missed");
    assert!(caught.contains("acknowledged"), "caught for another reason: {caught}");
}

#[test]
fn a_killed_process_is_dead_and_a_frozen_one_is_not() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("threads.db");
    let writer = Writer::start(&path, 1, &[]);
    let line = writer.line();
    let worker: WorkerId = line.strip_prefix("worker ").unwrap().trim().parse().unwrap();
    let runtime = Runtime::new().unwrap();
    let store = runtime.block_on(Sqlite::open(&path)).unwrap();
    let alive = || runtime.block_on(store.alive(worker)).unwrap();
    assert_eq!(alive(), Liveness::Alive);
    #[cfg(unix)]
    {
        let stopped = Command::new("kill").args(["-STOP", &writer.child.id().to_string()]).status().unwrap();
        assert!(stopped.success());
        assert_eq!(alive(), Liveness::Alive, "frozen");
    }
    writer.kill();
    assert_eq!(alive(), Liveness::Dead);
    assert_eq!(alive(), Liveness::Dead, "asked again, its lock file gone");
    assert_eq!(locks(directory.path()).len(), 1, "its own lock file is the only one");
    drop(store);
    assert_eq!(locks(directory.path()).len(), 0);
}

fn locks(directory: &Path) -> Vec<String> {
    let names = std::fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    names.filter(|name| name.ends_with(".lock")).collect()
}
