//! What a picture costs: `cargo bench --bench diagrams`.
//!
//! Prints one JSON line for each picture, and one for each bound that is promised of them. The machine decides how far a
//! figure can be trusted, so a broken bound is an exit code only with `-- --check`.

mod graphs;
#[allow(dead_code, reason = "shared with the engine's workloads, which ask for more of it")]
#[path = "../engine/report.rs"]
mod report;

use std::env;
use std::hint::black_box;
use std::io::{self, Write};
use std::process::ExitCode;
use std::time::Duration;

use graphwright::BoxError;
use graphwright::topology::Topology;
use report::{Line, Report, shortest};
use serde_json::json;

fn main() -> Result<ExitCode, BoxError> {
    let mut report = Report::default();
    let (small, large) = (graphs::team(2), graphs::team(40));
    let (time, bytes) = draw(&mut report, "svg", &small, 50, |topology| topology.diagram().svg())?;
    report.at_most("svg of 20 nodes", milliseconds(time), "ms", 5.0)?;
    report.at_most("svg of 20 nodes, size", kilobytes(bytes), "KB", 30.0)?;
    let (time, _) = draw(&mut report, "svg", &large, 3, |topology| topology.diagram().svg())?;
    report.at_most("svg of 400 nodes", milliseconds(time), "ms", 1_000.0)?;
    let (time, _) = draw(&mut report, "svg of a web", &graphs::web(400), 3, |topology| topology.diagram().svg())?;
    report.at_most("svg of 400 nodes, 800 arrows without any order", milliseconds(time), "ms", 1_000.0)?;
    draw(&mut report, "text", &small, 50, |topology| topology.diagram().text())?;
    draw(&mut report, "text", &large, 3, |topology| topology.diagram().text())?;
    draw(&mut report, "mermaid", &large, 50, Topology::mermaid)?;
    draw(&mut report, "dot", &large, 50, |topology| topology.diagram().dot())?;
    draw(&mut report, "json", &large, 50, |topology| topology.diagram().json())?;
    if report.broken.is_empty() || !env::args().any(|argument| argument == "--check") {
        return Ok(ExitCode::SUCCESS);
    }
    writeln!(io::stderr(), "broken: {}", report.broken.join(", "))?;
    Ok(ExitCode::FAILURE)
}

fn draw(
    report: &mut Report,
    workload: &'static str,
    topology: &Topology,
    rounds: u32,
    form: impl Fn(&Topology) -> String,
) -> io::Result<(Duration, usize)> {
    let first = form(topology);
    let mut same = true;
    let [time] = shortest(rounds, [&mut || same &= black_box(form(black_box(topology))) == first]);
    assert!(same, "two pictures of one graph differ");
    report.line(&Line {
        workload,
        params: json!({"nodes": topology.places.len(), "ways": topology.ways.len()}),
        steps: 1,
        #[allow(clippy::cast_precision_loss, reason = "a figure to read")]
        ns_per_step: time.as_nanos() as f64,
        allocs_per_step: None,
        bytes_stored: first.len() as u64,
    })?;
    Ok((time, first.len()))
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

#[allow(clippy::cast_precision_loss, reason = "a figure to read")]
fn kilobytes(bytes: usize) -> f64 {
    bytes as f64 / 1e3
}
