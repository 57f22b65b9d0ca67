//! Two nodes and a counter: what the engine itself costs.

use std::hint::black_box;
use std::pin::Pin;
use std::time::Duration;

use graphwright::prelude::*;
use graphwright::{BoxError, Memory, graph};
use serde_json::json;

use crate::measured::Measured;
use crate::report::{Line, Report, allocations, per, shortest};

/// Steps of one round.
const STEPS: u64 = 200_000;
const ROUNDS: u32 = 15;

#[derive(Clone, Default, Debug, Serialize, Deserialize, State)]
pub struct Counter {
    #[state(sum)]
    count: u64,
    limit: u64,
}

impl Counter {
    pub fn count(&self) -> u64 {
        self.count
    }
}

#[node]
pub async fn tick(counter: &Counter) -> Update<Counter> {
    Counter::update().count(step(counter))
}

#[node]
pub async fn tock(counter: &Counter) -> Update<Counter> {
    Counter::update().count(step(counter))
}

/// What a node does, in all three loops: the compiler must not see through it.
fn step(counter: &Counter) -> u64 {
    black_box(counter);
    1
}

#[router]
pub fn more(counter: &Counter) -> bool {
    counter.count < counter.limit
}

graph! {
    /// Counts, with a budget that is never used up.
    #[graph(steps = 4_000_000)]
    pub Count(Counter) {
        start -> tick -> tock;
        tock -> match more {
            true  => tick at_most 4_000_000 else end cut,
            false => end,
        };
    }
}

pub async fn by_hand(limit: u64) -> u64 {
    enum At {
        Tick,
        Tock,
    }
    async fn tick(counter: &Counter) -> u64 {
        step(counter)
    }
    async fn tock(counter: &Counter) -> u64 {
        step(counter)
    }
    let mut counter = Counter { count: 0, limit };
    let mut at = At::Tick;
    loop {
        match at {
            At::Tick => {
                counter.count += tick(&counter).await;
                at = At::Tock;
            }
            At::Tock => {
                counter.count += tock(&counter).await;
                if counter.count >= counter.limit {
                    return counter.count;
                }
                at = At::Tick;
            }
        }
    }
}

async fn boxed(limit: u64) -> u64 {
    type Node = fn(&Counter) -> Pin<Box<dyn Future<Output = u64> + Send + '_>>;
    let nodes: Vec<(Node, usize)> =
        vec![(|counter| Box::pin(async move { step(counter) }), 1), (|counter| Box::pin(async move { step(counter) }), 0)];
    let mut counter = Counter { count: 0, limit };
    let mut at = 0;
    while let Some((node, next)) = nodes.get(at) {
        counter.count += node(&counter).await;
        if *next == 0 && counter.count >= counter.limit {
            break;
        }
        at = *next;
    }
    counter.count
}

/// With everything on that a user has on: a step limit, a budget, a deadline, cancellation, and panics contained.
async fn graph(limit: u64) -> u64 {
    let run = Count::run((), Counter::update().limit(limit)).deadline(Duration::from_secs(3600));
    match run.await.ok().and_then(Outcome::completed) {
        Some(done) => done.output.count,
        None => 0,
    }
}

pub fn measure(report: &mut Report) -> Result<(), BoxError> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    for count in [runtime.block_on(by_hand(STEPS)), runtime.block_on(boxed(STEPS)), runtime.block_on(graph(STEPS))] {
        if count != STEPS {
            return Err(format!("a loop counted to {count} and not to {STEPS}").into());
        }
    }
    let count = |counted: u64| {
        black_box(counted);
    };
    let by_hand = |steps| count(runtime.block_on(by_hand(black_box(steps))));
    let boxed = |steps| count(runtime.block_on(boxed(black_box(steps))));
    let graph = |steps| count(runtime.block_on(graph(black_box(steps))));
    let [hand, vec, ours] = shortest(ROUNDS, [&mut || by_hand(STEPS), &mut || boxed(STEPS), &mut || graph(STEPS)]);
    // What a run costs once is in both, and cancels out.
    let extra = |work: &dyn Fn(u64)| allocations(|| work(2 * STEPS)) - allocations(|| work(STEPS));
    let (hand_allocations, vec_allocations, our_allocations) = (extra(&by_hand), extra(&boxed), extra(&graph));
    for (workload, time, allocations) in
        [("loop by hand", hand, hand_allocations), ("loop of boxed futures", vec, vec_allocations), ("loop", ours, our_allocations)]
    {
        report.line(&Line {
            workload,
            params: json!({ "nodes": 2, "store": null }),
            steps: STEPS,
            ns_per_step: per(time.as_nanos(), STEPS),
            allocs_per_step: Some(per(allocations.into(), STEPS)),
            bytes_stored: 0,
        })?;
    }
    report.at_most("loop: above the loop by hand", per(ours.as_nanos(), STEPS) - per(hand.as_nanos(), STEPS), "ns per step", 25.0)?;
    report.at_most("loop: allocations", per(our_allocations.into(), STEPS), "per step", 0.0)?;
    Ok(())
}

/// One turn of so many steps on memory: what a step costs in a short one and in a long one.
pub fn sequential(report: &mut Report) -> Result<(), BoxError> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let (store, meter) = Measured::new(Memory::new());
    let app = Count::app((), store);
    let (mut threads, mut costs) = (0, Vec::new());
    for steps in [10, 1_000] {
        let before = meter.bytes();
        let mut turn = || {
            threads += 1;
            runtime.block_on(app.thread(format!("t-{threads}")).run(Counter::update().limit(steps)).into_future())
        };
        match turn()? {
            Outcome::Completed(done) if done.output.count == steps => {}
            other => return Err(format!("{other:?}").into()),
        }
        let bytes_stored = meter.bytes() - before;
        let [time] = shortest(if steps == 10 { 500 } else { 15 }, [&mut || drop(turn())]);
        let ns_per_step = per(time.as_nanos(), steps);
        let params = json!({ "steps": steps, "store": "memory" });
        report.line(&Line { workload: "sequential", params, steps, ns_per_step, allocs_per_step: None, bytes_stored })?;
        costs.push(ns_per_step);
    }
    let (Some(short), Some(long)) = (costs.first(), costs.last()) else { return Err("no turn was measured".into()) };
    report.at_most("sequential: a step of a thousand", long / short, "times one of ten", 1.2)?;
    Ok(())
}
