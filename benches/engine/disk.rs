//! Steps on SQLite, beside bare inserts of the same bytes, and many threads beside one.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use std::{fs, io};

use graphwright::prelude::*;
use graphwright::{App, BoxError, Outcome, Sqlite};
use rusqlite::Connection;
use serde_json::json;
use tokio::task::JoinSet;

use crate::loops::{Count, Counter};
use crate::measured::Measured;
use crate::report::{Line, Report, per};

/// Steps of one round; rounds of steps and of inserts take turns.
const STEPS: u64 = 200;
const ROUNDS: u32 = 5;
/// Threads at once, and the steps of each: an even number, since the loop ends behind its second node.
const THREADS: u64 = 64;
const STEPS_EACH: u64 = 26;

/// A folder on the disk that the build is on, gone afterwards.
pub struct Folder(PathBuf);

impl Folder {
    pub fn new(name: &str) -> io::Result<Self> {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("engine-{name}-{}", std::process::id()));
        fs::create_dir_all(&folder)?;
        Ok(Self(folder))
    }

    pub fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // What stays behind is in the build's folder for such things.
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// One turn of so many steps.
async fn turn(app: &App<Count>, thread: String, steps: u64) -> Result<(), BoxError> {
    match app.thread(thread).run(Counter::update().limit(steps)).await? {
        Outcome::Completed(done) if done.output.count() == steps => Ok(()),
        other => Err(format!("{other:?}").into()),
    }
}

/// What a program would do that keeps its rows by itself.
pub struct Bare(Connection);

impl Bare {
    pub fn open(path: &Path) -> Result<Self, BoxError> {
        let connection = Connection::open(path)?;
        connection.pragma_update(None, "journal_mode", "WAL")?;
        connection.pragma_update(None, "synchronous", "FULL")?;
        connection.execute_batch("CREATE TABLE rows (seq INTEGER PRIMARY KEY, body BLOB NOT NULL)")?;
        Ok(Self(connection))
    }

    pub fn insert(&self, rows: u64, body: &[u8]) -> Result<Duration, BoxError> {
        let start = Instant::now();
        let mut insert = self.0.prepare("INSERT INTO rows (body) VALUES (?)")?;
        for _ in 0..rows {
            insert.execute([body])?;
        }
        Ok(start.elapsed())
    }
}

pub fn measure(report: &mut Report) -> Result<(), BoxError> {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    runtime.block_on(async {
        steps(report).await?;
        threads(report).await
    })
}

/// Commits of the engine, one after the other, beside inserts of as many bytes.
async fn steps(report: &mut Report) -> Result<(), BoxError> {
    let folder = Folder::new("steps")?;
    let (store, meter) = Measured::new(Sqlite::open(folder.file("ours.db")).await?);
    let app = Count::app((), store);
    let bare = Bare::open(&folder.file("bare.db"))?;
    turn(&app, "warm".to_owned(), STEPS).await?;
    let (commits, bytes) = (meter.commits(), meter.bytes());
    let body = vec![b'x'; usize::try_from(bytes / commits)?];
    bare.insert(STEPS, &body)?;
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    for round in 0..ROUNDS {
        let before = meter.commits();
        let start = Instant::now();
        turn(&app, format!("round-{round}"), STEPS).await?;
        ours.push(per(start.elapsed().as_nanos(), meter.commits() - before));
        theirs.push(per(bare.insert(STEPS, &body)?.as_nanos(), STEPS));
    }
    let stored = meter.bytes() - bytes;
    let (ours, theirs) = (median(ours), median(theirs));
    let steps = STEPS * u64::from(ROUNDS);
    let params = json!({ "journal_mode": "WAL", "synchronous": "FULL", "bytes_per_commit": body.len() });
    for (workload, ns_per_step, bytes_stored) in [("sqlite inserts", theirs, body.len() as u64 * steps), ("sqlite", ours, stored)] {
        report.line(&Line { workload, params: params.clone(), steps, ns_per_step, allocs_per_step: None, bytes_stored })?;
    }
    Ok(report.at_least("sqlite: commits beside bare inserts", theirs / ours, "times the rate", 0.8)?)
}

/// Many threads at once: what is waiting is committed as one group.
async fn threads(report: &mut Report) -> Result<(), BoxError> {
    let folder = Folder::new("threads")?;
    let app = Count::app((), Sqlite::open(folder.file("threads.db")).await?);
    turn(&app, "warm".to_owned(), STEPS_EACH).await?;
    let start = Instant::now();
    for thread in 0..8 {
        turn(&app, format!("one-{thread}"), STEPS_EACH).await?;
    }
    let one = per(start.elapsed().as_nanos(), 8 * STEPS_EACH);
    let start = Instant::now();
    let mut turns = JoinSet::new();
    for thread in 0..THREADS {
        let app = app.clone();
        turns.spawn(async move { turn(&app, format!("many-{thread}"), STEPS_EACH).await });
    }
    while let Some(done) = turns.join_next().await {
        done??;
    }
    let many = per(start.elapsed().as_nanos(), THREADS * STEPS_EACH);
    for (threads, ns_per_step) in [(1, one), (THREADS, many)] {
        report.line(&Line {
            workload: "sqlite threads",
            params: json!({ "threads": threads }),
            steps: STEPS_EACH * if threads == 1 { 8 } else { threads },
            ns_per_step,
            allocs_per_step: None,
            bytes_stored: 0,
        })?;
    }
    Ok(report.at_least("sqlite: 64 threads beside one", one / many, "times the rate", 3.0)?)
}

pub fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}
