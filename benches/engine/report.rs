//! What is printed: one JSON line for each workload, and one for each bound.

use std::fs;
use std::io::{self, Write};
use std::time::{Duration, Instant};

use serde::Serialize;
use serde_json::Value;

/// What one workload came to.
#[derive(Debug, Serialize)]
pub struct Line {
    pub workload: &'static str,
    pub params: Value,
    pub steps: u64,
    pub ns_per_step: f64,
    /// `null` where they are not counted: work that is spread over threads.
    pub allocs_per_step: Option<f64>,
    pub bytes_stored: u64,
}

/// What was promised of two workloads, and what came of it.
#[derive(Debug, Serialize)]
struct Bound {
    bound: &'static str,
    measured: f64,
    unit: &'static str,
    at_most: Option<f64>,
    at_least: Option<f64>,
    holds: bool,
}

/// Prints as it goes and remembers which bounds were broken.
#[derive(Debug, Default)]
pub struct Report {
    pub broken: Vec<&'static str>,
}

impl Report {
    pub fn line(&mut self, line: &Line) -> io::Result<()> {
        print(line)
    }

    pub fn at_most(&mut self, bound: &'static str, measured: f64, unit: &'static str, limit: f64) -> io::Result<()> {
        self.bound(Bound { bound, measured, unit, at_most: Some(limit), at_least: None, holds: measured <= limit })
    }

    pub fn at_least(&mut self, bound: &'static str, measured: f64, unit: &'static str, limit: f64) -> io::Result<()> {
        self.bound(Bound { bound, measured, unit, at_most: None, at_least: Some(limit), holds: measured >= limit })
    }

    fn bound(&mut self, bound: Bound) -> io::Result<()> {
        if !bound.holds {
            self.broken.push(bound.bound);
        }
        print(&bound)
    }
}

fn print(line: &impl Serialize) -> io::Result<()> {
    let mut out = io::stdout().lock();
    serde_json::to_writer(&mut out, line)?;
    out.write_all(b"\n")
}

/// The shortest of several rounds of each piece of work, taken in turns so that a busy machine meets all of them alike.
pub fn shortest<const N: usize>(rounds: u32, mut work: [&mut dyn FnMut(); N]) -> [Duration; N] {
    let mut best = [Duration::MAX; N];
    for _ in 0..rounds {
        for (best, work) in best.iter_mut().zip(&mut work) {
            let start = Instant::now();
            work();
            *best = (*best).min(start.elapsed());
        }
    }
    best
}

/// Allocations of this thread while it does that.
pub fn allocations(work: impl FnOnce()) -> u64 {
    allocation_counter::measure(work).count_total
}

/// Bytes of this process that are in memory, where the system tells.
pub fn resident() -> Option<u64> {
    status("VmRSS:")
}

/// How many bytes more this process had in memory at most while it did that, where the system tells.
pub fn peak(work: impl FnOnce()) -> Option<u64> {
    // Forgets the peak there was before.
    let forgot = fs::write("/proc/self/clear_refs", "5").is_ok();
    let before = resident();
    work();
    let most = status("VmHWM:").filter(|_| forgot)?;
    Some(most.saturating_sub(before?))
}

fn status(what: &str) -> Option<u64> {
    let told = fs::read_to_string("/proc/self/status").ok()?;
    let line = told.lines().find_map(|line| line.strip_prefix(what))?;
    line.trim().strip_suffix(" kB")?.trim().parse::<u64>().ok().map(|kilobytes| kilobytes * 1_024)
}

#[allow(clippy::cast_precision_loss, reason = "figures to read, not to count with")]
pub fn per(amount: u128, steps: u64) -> f64 {
    amount as f64 / steps as f64
}
