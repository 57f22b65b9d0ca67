//! A run of very many steps: the memory of its process stays as it is. In a process of its own, so that nobody else's memory
//! is counted.
#![cfg(target_os = "linux")]

use std::process::Command;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use graphwright::prelude::*;
use graphwright::store::sqlite::{Options, WalSync};
use graphwright::{ManualClock, Retention, Timestamp};

/// Tells the child how many steps to take, and on what.
const STEPS: &str = "GRAPHWRIGHT_SOAK_STEPS";
const ON: &str = "GRAPHWRIGHT_SOAK_ON";
/// Planted: a node that keeps something of each step.
const KEEPS: &str = "GRAPHWRIGHT_SOAK_KEEPS";
const DRIFT: u64 = 20 << 20;

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, State)]
struct Count {
    wanted: u64,
    #[state(sum)]
    n: u64,
    last: String,
}

/// Resident bytes and the time, at every tenth of the steps.
static MARKS: Mutex<Vec<(u64, Instant)>> = Mutex::new(Vec::new());
static KEPT: Mutex<Vec<Vec<u8>>> = Mutex::new(Vec::new());

fn resident() -> u64 {
    let pages = std::fs::read_to_string("/proc/self/statm").unwrap();
    pages.split(' ').nth(1).unwrap().parse::<u64>().unwrap() * 4096
}

#[node]
async fn count(count: &Count) -> NodeResult<Count> {
    let step = count.n + 1;
    if step.is_multiple_of(count.wanted / 10) {
        MARKS.lock().unwrap().push((resident(), Instant::now()));
    }
    if std::env::var_os(KEEPS).is_some() {
        KEPT.lock().unwrap().push(vec![1; 8 << 10]);
    }
    Ok(Count::update().n(1_u64).last(format!("step {step}")))
}

#[router]
fn enough(count: &Count) -> bool {
    count.n >= count.wanted
}

graph! {
    #[graph(endless, steps = 2_000_000)]
    Counter(Count, ()) {
        start -> count;
        count -> end if enough;
        count -> count;
    }
}

/// Runs on a store, and forgets old rows beside it.
async fn stored(app: App<Counter>, steps: u64) -> Count {
    // For whom every row is long ago.
    let app = app.clock(ManualClock::at(Timestamp(1_700_000_000_000_000))).retention(Retention::default().rows(100));
    let run = app.thread("t").run(Count::update().wanted(steps)).steps(steps + 1).spawn();
    tokio::pin!(run);
    let (mut pruned, mut swept) = (0, 0);
    loop {
        tokio::select! {
            done = &mut run => {
                println!("{swept} sweeps forgot {pruned} rows");
                assert!(pruned > steps / 2, "only {pruned} rows of {steps} were forgotten");
                return done.unwrap().unwrap().completed().unwrap().output;
            }
            () = tokio::time::sleep(Duration::from_millis(20)) => {
                pruned += app.sweep().await.unwrap().pruned;
                swept += 1;
            }
        }
    }
}

async fn child(steps: u64, on: &str) {
    let folder = tempfile::tempdir().unwrap();
    let state = match on {
        "no store" => Counter::run((), Count::update().wanted(steps)).await.unwrap().completed().unwrap().output,
        "memory" => stored(Counter::app((), Memory::new()), steps).await,
        "a file" => {
            let options = Options::new().sync(WalSync::LosesLastCommitsWithPower);
            let file = Sqlite::open_with(folder.path().join("t.db"), options).await.unwrap();
            stored(Counter::app((), file), steps).await
        }
        other => panic!("nothing is called {other}"),
    };
    assert_eq!((state.n, state.last), (steps, format!("step {steps}")));
    let marks = MARKS.lock().unwrap();
    let [(warm, at_first), (_, at_second), .., (_, at_last_but_one), (end, at_last)] = marks[..] else { panic!("{} marks", marks.len()) };
    let slower = (at_last - at_last_but_one).as_secs_f64() / (at_second - at_first).as_secs_f64();
    let drift = end.saturating_sub(warm);
    println!(
        "{steps} steps, {warm} bytes resident after a tenth of them, {drift} more at the end; the last tenth took {slower:.2} times as long as the second"
    );
    assert!(drift <= DRIFT, "{drift} bytes more");
}

fn soak(test: &str, on: &str, steps: u64, keeps: bool) -> Result<(), String> {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", &format!("numbers::soak::{test}"), "--nocapture"]).env(ON, on).env(STEPS, steps.to_string());
    if keeps {
        command.env(KEEPS, "1");
    }
    let output = command.output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    for line in said.lines().filter(|line| line.contains("steps") || line.contains("sweeps")) {
        println!("{on}: {line}");
    }
    if output.status.success() { Ok(()) } else { Err(format!("{said}\n{}", String::from_utf8_lossy(&output.stderr))) }
}

/// In the child: what it is to do. In the parent: what the child came to.
fn on(test: &str, on: &str, steps: u64, keeps: bool) -> Result<(), String> {
    let Ok(wanted) = std::env::var(STEPS) else { return soak(test, on, steps, keeps) };
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    runtime.block_on(child(wanted.parse().unwrap(), &std::env::var(ON).unwrap()));
    Ok(())
}

/// A thousandth of the long job's steps.
fn steps(of: u64) -> u64 {
    std::env::var("SOAK").ok().and_then(|thousandths| thousandths.parse().ok()).unwrap_or(20) * of / 1_000
}

#[test]
fn without_a_store_memory_stays_as_it_is() {
    on("without_a_store_memory_stays_as_it_is", "no store", steps(1_000_000), false).unwrap();
}

#[test]
fn in_memory_old_rows_go_and_memory_stays_as_it_is() {
    on("in_memory_old_rows_go_and_memory_stays_as_it_is", "memory", steps(1_000_000), false).unwrap();
}

#[test]
fn on_a_file_old_rows_go_and_memory_stays_as_it_is() {
    on("on_a_file_old_rows_go_and_memory_stays_as_it_is", "a file", steps(100_000), false).unwrap();
}

/// Planted: a node that keeps 8 KiB of each step.
#[test]
fn a_node_that_keeps_everything_is_caught() {
    let came = on("a_node_that_keeps_everything_is_caught", "no store", 20_000, true);
    if std::env::var_os(STEPS).is_none() {
        assert!(came.expect_err("it was not noticed").contains("bytes more"));
    }
}
