//! What a graph costs the compiler, beside the same nodes without it: `cargo bench --bench compile`.
//!
//! Prints one JSON line for each workload, and one for each bound that is promised of them: seconds of the processor that
//! `cargo check` of one crate takes, everything that it depends on being ready. A broken bound is an exit code only with
//! `-- --check`.

mod generated;
mod measured;
#[path = "../engine/report.rs"]
#[allow(dead_code, reason = "steps are the other bench's")]
mod report;

use std::env;
use std::io::{self, Write};
use std::process::ExitCode;

use generated::Shape;
use graphwright::BoxError;
use measured::Checked;
use report::Report;
use serde_json::{Value, json};

fn main() -> Result<ExitCode, BoxError> {
    let mut report = Report::default();
    let checked = Checked::lay()?;
    let mut meshes = Vec::new();
    for places in [20, 100, 200, 400] {
        meshes.push(measure(&checked, Shape::Mesh { places })?);
    }
    measure(&checked, Shape::Chain { places: 60 })?;
    measure(&checked, Shape::Fork { branches: 19 })?;
    if let [_, hundred, two_hundred, four_hundred] = meshes[..] {
        report.at_most("200 places beside the same nodes without a graph", two_hundred, "s", 1.0)?;
        report.at_most("400 places beside 100: four times as much, were it linear", four_hundred / hundred, "", 5.0)?;
    }
    if report.broken.is_empty() || !env::args().any(|argument| argument == "--check") {
        return Ok(ExitCode::SUCCESS);
    }
    writeln!(io::stderr(), "broken: {}", report.broken.join(", "))?;
    Ok(ExitCode::FAILURE)
}

/// What the graph alone costs, in seconds.
fn measure(checked: &Checked, shape: Shape) -> Result<f64, BoxError> {
    let params = serde_json::to_value(shape)?;
    let nodes = checked.seconds(&generated::nodes(shape))?;
    let both = checked.seconds(&format!("{}{}", generated::nodes(shape), generated::graph(shape)))?;
    let graph = both - nodes;
    print(&json!({ "workload": "check", "params": params, "nodes_s": nodes, "nodes_and_graph_s": both, "graph_s": graph }))?;
    Ok(graph)
}

fn print(line: &Value) -> io::Result<()> {
    writeln!(io::stdout(), "{line}")
}
