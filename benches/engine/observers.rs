//! Who listens: what a step costs with nobody, with one and with four.

use std::hint::black_box;

use graphwright::prelude::*;
use graphwright::{BoxError, Event};
use serde_json::json;

use crate::loops::{Count, Counter, by_hand};
use crate::report::{Line, Report, allocations, per, shortest};

const STEPS: u64 = 20_000;
const ROUNDS: u32 = 15;

async fn observed(steps: u64, observers: u32) -> u64 {
    let mut run = Count::run((), Counter::update().limit(steps));
    for _ in 0..observers {
        run = run.observe(|event: &Event| {
            black_box(event);
        });
    }
    run.await.ok().and_then(Outcome::completed).map_or(0, |done| done.output.count())
}

pub fn measure(report: &mut Report) -> Result<(), BoxError> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let run = |steps, observers| {
        black_box(runtime.block_on(observed(black_box(steps), observers)));
    };
    let hand = || {
        black_box(runtime.block_on(by_hand(black_box(STEPS))));
    };
    let [hand, none, one, four] = shortest(ROUNDS, [&mut || hand(), &mut || run(STEPS, 0), &mut || run(STEPS, 1), &mut || run(STEPS, 4)]);
    // What a run costs once is in both, and cancels out.
    let extra = |observers| allocations(|| run(2 * STEPS, observers)) - allocations(|| run(STEPS, observers));
    for (observers, time) in [(0, none), (1, one), (4, four)] {
        let ns_per_step = per(time.as_nanos(), STEPS);
        let (params, allocs_per_step) = (json!({ "observers": observers }), Some(per(extra(observers).into(), STEPS)));
        report.line(&Line { workload: "observers", params, steps: STEPS, ns_per_step, allocs_per_step, bytes_stored: 0 })?;
    }
    // Where nobody listens no event is made: what is left is what the loop costs.
    report.at_most("observers: allocations with none", per(extra(0).into(), STEPS), "per step", 0.0)?;
    let above = per(none.as_nanos(), STEPS) - per(hand.as_nanos(), STEPS);
    report.at_most("observers: with none, above the loop by hand", above, "ns per step", 25.0)?;
    Ok(())
}
