//! Very many threads that wait for a person at once: how fast they pause and go on, and what one of them takes in memory.

use std::time::{Duration, Instant};

use graphwright::prelude::*;
use graphwright::{BoxError, Outcome, Sqlite};
use serde_json::json;
use tokio::task::JoinSet;

use crate::disk::Folder;
use crate::pauses::{Asking, Talk};
use crate::report::{Line, Report, per, resident};

const THREADS: u64 = 10_000;
/// Before it is measured, so that what is kept for the next ones is there.
const WARM: u64 = 1_000;
/// So many are begun or resumed at the same time.
const AT_ONCE: usize = 256;

type Q = Question<Asking>;

/// Begins a thread, which asks.
async fn pause(app: App<Asking>, thread: u64) -> Result<(), BoxError> {
    match app.thread(format!("thread-{thread}")).run(Talk::update()).await? {
        Outcome::Paused(_) => Ok(()),
        other => Err(format!("{other:?}").into()),
    }
}

/// Answers what it asked, so that it ends.
async fn resume(app: App<Asking>, thread: u64) -> Result<(), BoxError> {
    let thread = app.thread(format!("thread-{thread}"));
    let Some(Q::next(open)) = thread.pending().await?.into_iter().next() else { return Err("it must have asked".into()) };
    match thread.resume(open.accept(u64::MAX)).await? {
        Outcome::Completed(_) => Ok(()),
        other => Err(format!("{other:?}").into()),
    }
}

/// Does that with all threads, so many at once.
async fn all<F>(threads: std::ops::Range<u64>, mut work: impl FnMut(u64) -> F) -> Result<Duration, BoxError>
where
    F: Future<Output = Result<(), BoxError>> + Send + 'static,
{
    let start = Instant::now();
    let mut tasks = JoinSet::new();
    for thread in threads {
        if tasks.len() >= AT_ONCE
            && let Some(done) = tasks.join_next().await
        {
            done??;
        }
        tasks.spawn(work(thread));
    }
    while let Some(done) = tasks.join_next().await {
        done??;
    }
    Ok(start.elapsed())
}

pub fn measure(report: &mut Report) -> Result<(), BoxError> {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    let folder = Folder::new("paused")?;
    runtime.block_on(async {
        let file = folder.file("paused.db");
        let app = Asking::app((), Sqlite::open(&file).await?);
        all(0..WARM, |thread| pause(app.clone(), thread)).await?;
        let before = resident();
        let paused = all(WARM..WARM + THREADS, |thread| pause(app.clone(), thread)).await?;
        let memory = resident().zip(before).map(|(after, before)| per(after.saturating_sub(before).into(), THREADS));
        drop(app);
        // As after a restart: nothing of them is known but what is stored.
        let app = Asking::app((), Sqlite::open(&file).await?);
        let resumed = all(WARM..WARM + THREADS, |thread| resume(app.clone(), thread)).await?;
        for (workload, time) in [("threads paused", paused), ("threads resumed", resumed)] {
            let params = json!({ "threads": THREADS, "at_once": AT_ONCE, "store": "sqlite", "per_second": per(THREADS.into(), 1) / time.as_secs_f64() });
            let ns_per_step = per(time.as_nanos(), THREADS);
            report.line(&Line { workload, params, steps: THREADS, ns_per_step, allocs_per_step: None, bytes_stored: 0 })?;
        }
        if let Some(memory) = memory {
            report.at_most("paused: memory of a paused thread", memory, "bytes", 1_024.0)?;
        }
        Ok(())
    })
}
