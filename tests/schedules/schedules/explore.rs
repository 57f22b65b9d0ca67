//! Many orders of one body.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex};

use shuttle::scheduler::{PctScheduler, RandomScheduler, Scheduler};
use shuttle::{Config, FailurePersistence, MaxSteps, Runner};

/// In a commit; eight bodies are 50,000 together. `SCHEDULES` says how many, where somebody has the time.
const SCHEDULES: usize = 6_300;

/// What the orders of a body came to, each with how many did.
pub(super) type Came = BTreeMap<&'static str, usize>;

/// Runs a body in many orders, by chance and by priorities that change thrice (the PCT scheduler), half of them each. It says
/// what it came to; all of `wanted` must have come.
pub(super) fn explore<F: Future<Output = &'static str> + Send + 'static>(name: &str, wanted: &[&'static str], body: fn() -> F) {
    let schedules = std::env::var("SCHEDULES").ok().and_then(|many| many.parse().ok()).unwrap_or(SCHEDULES);
    let came = run(RandomScheduler::new(schedules.div_ceil(2)), body);
    let more = run(PctScheduler::new(3, schedules.div_ceil(2)), body);
    let total = came.values().sum::<usize>() + more.values().sum::<usize>();
    println!("{total} schedules of {name}: {came:?} by chance, {more:?} by priority");
    assert!(total >= schedules, "only {total} schedules");
    for what in wanted {
        assert!(came.contains_key(what) || more.contains_key(what), "no order came to '{what}'");
    }
}

/// Runs a body with a planted bug, until an order shows it. Gives what was said then.
pub(super) fn catch<F: Future<Output = &'static str> + Send + 'static>(schedules: usize, body: fn() -> F) -> String {
    let caught = catch_unwind(AssertUnwindSafe(|| run(RandomScheduler::new(schedules), body)));
    let panic = caught.err().unwrap_or_else(|| panic!("{schedules} schedules did not catch it"));
    let text = panic.downcast_ref::<String>().cloned().or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned()));
    text.expect("it says what is wrong")
}

fn run<F: Future<Output = &'static str> + Send + 'static>(scheduler: impl Scheduler + 'static, body: fn() -> F) -> Came {
    let came = Arc::new(Mutex::new(Came::new()));
    let counts = Arc::clone(&came);
    let mut config = Config::new();
    // Debug builds of async functions are deep.
    config.stack_size = 1 << 20;
    config.max_steps = MaxSteps::FailAfter(1_000_000);
    config.failure_persistence = FailurePersistence::Print;
    Runner::new(scheduler, config).run(move || {
        let what = shuttle::future::block_on(body());
        *counts.lock().unwrap().entry(what).or_default() += 1;
    });
    Arc::into_inner(came).map_or_else(Came::new, |came| came.into_inner().unwrap())
}

/// Lets others go on, for a time of chance.
pub(super) async fn some_time() {
    for _ in 0..shuttle::rand::Rng::gen_range(&mut shuttle::rand::thread_rng(), 0..16) {
        tokio::task::yield_now().await;
    }
}
