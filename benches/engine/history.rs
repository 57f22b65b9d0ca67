//! A thread of very many steps: what its head costs to load, what is stored of a step, and what a run of it holds in memory.

use std::time::{Duration, Instant};

use graphwright::prelude::*;
use graphwright::store::Checkpointer;
use graphwright::{App, BoxError, Durability, Memory, Outcome, Sqlite};
use serde_json::json;

use crate::disk::Folder;
use crate::loops::{Count, Counter};
use crate::measured::Measured;
use crate::report::{Line, Report, peak, per};

const SHORT: u64 = 1_000;
const LONG: u64 = 100_000;
/// How many rows lie behind the last snapshot is chance: so a thread goes on by so many turns, and is loaded after each.
const TURNS: u64 = 24;
/// An even number, since the loop ends behind its second node.
const STEPS: u64 = 16;

/// What a thread of so many steps came to.
struct Measures {
    load: Duration,
    bytes_per_step: f64,
    memory: Option<u64>,
}

async fn turn(app: &App<Count>, thread: &str, limit: u64) -> Result<(), BoxError> {
    match app.thread(thread).run(Counter::update().limit(limit)).await? {
        Outcome::Completed(done) if done.output.count() == limit => Ok(()),
        other => Err(format!("{other:?}").into()),
    }
}

fn measure_one(report: &mut Report, name: &'static str, store: impl Checkpointer + Clone, steps: u64) -> Result<Measures, BoxError> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let (counted, meter) = Measured::new(store.clone());
    // So that it is done in seconds: the same rows, many of them in one commit.
    let app = Count::app((), counted).durability(Durability::Behind);
    let thread = format!("of-{steps}");
    let mut ran = Ok(());
    let begun = Instant::now();
    let memory = peak(|| ran = runtime.block_on(turn(&app, &thread, steps)));
    ran?;
    let (time, bytes) = (begun.elapsed(), meter.bytes());
    let params = json!({ "steps": steps, "store": name, "durability": "behind" });
    let ns_per_step = per(time.as_nanos(), steps);
    report.line(&Line { workload: "history", params, steps, ns_per_step, allocs_per_step: None, bytes_stored: bytes })?;

    let mut load = Duration::ZERO;
    for more in 1..=TURNS {
        runtime.block_on(turn(&app, &thread, steps + more * STEPS))?;
        let mut best = Duration::MAX;
        for _ in 0..5 {
            // An app that has just been started knows no thread.
            let fresh = Count::app((), store.clone());
            let begun = Instant::now();
            let state = runtime.block_on(fresh.thread(&thread).state())?.ok_or("the thread is gone")?;
            best = best.min(begun.elapsed());
            if state.count() != steps + more * STEPS {
                return Err(format!("{state:?}").into());
            }
        }
        load += best;
    }
    let params = json!({ "steps": steps, "store": name });
    let ns_per_step = per(load.as_nanos(), TURNS);
    report.line(&Line { workload: "history: load of the head", params, steps: 1, ns_per_step, allocs_per_step: None, bytes_stored: 0 })?;
    Ok(Measures { load, bytes_per_step: per(bytes.into(), steps), memory })
}

fn compare(report: &mut Report, name: &'static str, store: impl Checkpointer + Clone) -> Result<(), BoxError> {
    let short = measure_one(report, name, store.clone(), SHORT)?;
    let long = measure_one(report, name, store, LONG)?;
    let (load, bytes) = match name {
        "memory" => ("history, memory: load of the head", "history, memory: bytes of a step"),
        _ => ("history, sqlite: load of the head", "history, sqlite: bytes of a step"),
    };
    report.at_most(load, per(long.load.as_nanos(), 1) / per(short.load.as_nanos(), 1), "times that of 1,000 steps", 2.0)?;
    report.at_most(bytes, long.bytes_per_step / short.bytes_per_step, "times one of 1,000", 1.2)?;
    if let Some(memory) = long.memory.filter(|_| name != "memory") {
        // What the other store keeps is in memory. SQLite's caches are in it.
        report.at_most("history, sqlite: memory of a run of 100,000 steps", per(memory.into(), 1 << 20), "MiB more", 8.0)?;
    }
    Ok(())
}

pub fn measure(report: &mut Report) -> Result<(), BoxError> {
    let folder = Folder::new("history")?;
    let runtime = tokio::runtime::Builder::new_current_thread().build()?;
    compare(report, "sqlite", runtime.block_on(Sqlite::open(folder.file("history.db")))?)?;
    compare(report, "memory", Memory::new())
}
