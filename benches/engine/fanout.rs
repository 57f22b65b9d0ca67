//! One branch for each of many items: what a branch costs, and whether it costs more among many.

use std::hint::black_box;
use std::time::{Duration, Instant};

use graphwright::prelude::*;
use graphwright::store::Checkpointer;
use graphwright::{BoxError, Memory, Outcome, Sqlite, graph};
use serde_json::json;

use crate::disk::Folder;
use crate::measured::Measured;
use crate::report::{Line, Report, allocations, per, shortest};

const WIDTHS: [u32; 3] = [100, 1_000, 10_000];
/// The shortest of so many threads is what counts.
const KEPT_ROUNDS: u32 = 5;

#[derive(Clone, Default, Debug, Serialize, Deserialize, State)]
pub struct Wide {
    width: u32,
    #[state(sum)]
    sum: u64,
}

#[router]
pub fn numbers(wide: &Wide) -> Vec<u32> {
    (0..wide.width).collect()
}

/// Does nothing but add.
#[node(writes(sum))]
pub async fn add(_: &Wide, item: &u32) -> Update<Wide, add> {
    Wide::update().sum(u64::from(black_box(*item)))
}

graph! {
    #[graph(steps = 100_000)]
    pub Fan(Wide) {
        start -> each numbers { add } -> end;
    }
}

fn expected(width: u32) -> u64 {
    (0..u64::from(width)).sum()
}

fn check(outcome: Outcome<Fan>, width: u32) -> Result<(), BoxError> {
    match outcome {
        Outcome::Completed(done) if done.output.sum == expected(width) => Ok(()),
        other => Err(format!("{other:?}").into()),
    }
}

/// Without a store.
fn bare(report: &mut Report) -> Result<(), BoxError> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let mut costs = Vec::new();
    for width in WIDTHS {
        let run = || runtime.block_on(Fan::run((), Wide::update().width(width)));
        check(run()?, width)?;
        let [time] = shortest(15, [&mut || drop(run())]);
        let cost = per(time.as_nanos(), width.into());
        let allocs_per_step = Some(per(allocations(|| drop(run())).into(), width.into()));
        let params = json!({ "items": width, "store": null });
        report.line(&Line { workload: "fanout", params, steps: width.into(), ns_per_step: cost, allocs_per_step, bytes_stored: 0 })?;
        costs.push(cost);
    }
    for (bound, cost) in ["fanout: 100 items", "fanout: 1,000 items", "fanout: 10,000 items"].into_iter().zip(costs) {
        report.at_most(bound, cost, "ns per item", 500.0)?;
    }
    Ok(())
}

/// On a store: time and bytes of a branch among 10,000, beside one among 1,000.
async fn kept(report: &mut Report, name: &'static str, store: impl Checkpointer) -> Result<(), BoxError> {
    let (store, meter) = Measured::new(store);
    let app = Fan::app((), store);
    let mut costs = Vec::new();
    for width in WIDTHS {
        let (mut time, mut bytes) = (Duration::MAX, 0);
        for round in 0..KEPT_ROUNDS {
            let before = meter.bytes();
            let start = Instant::now();
            check(app.thread(format!("fan-{width}-{round}")).run(Wide::update().width(width)).await?, width)?;
            (time, bytes) = (time.min(start.elapsed()), meter.bytes() - before);
        }
        let params = json!({ "items": width, "store": name });
        let ns_per_step = per(time.as_nanos(), width.into());
        report.line(&Line { workload: "fanout", params, steps: width.into(), ns_per_step, allocs_per_step: None, bytes_stored: bytes })?;
        costs.push((ns_per_step, per(bytes.into(), width.into())));
    }
    let (Some(thousand), Some(ten)) = (costs.get(1), costs.get(2)) else { return Err("too few widths".into()) };
    let (times, stored) = match name {
        "memory" => ("fanout, memory: time of an item among 10,000", "fanout, memory: bytes of an item among 10,000"),
        _ => ("fanout, sqlite: time of an item among 10,000", "fanout, sqlite: bytes of an item among 10,000"),
    };
    report.at_most(times, ten.0 / thousand.0, "times one among 1,000", 1.5)?;
    report.at_most(stored, ten.1 / thousand.1, "times one among 1,000", 1.5)?;
    Ok(())
}

pub fn measure(report: &mut Report) -> Result<(), BoxError> {
    bare(report)?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let folder = Folder::new("fanout")?;
    runtime.block_on(async {
        kept(report, "memory", Memory::new()).await?;
        kept(report, "sqlite", Sqlite::open(folder.file("fanout.db")).await?).await
    })
}
