//! `cargo graphwright check`.

use std::io::{self, Write};
use std::process::ExitCode;

use graphwright::topology::Topology;

use crate::failure::Failure;
use crate::found::{self, Found};
use crate::workspace::Selection;

/// Compiles the workspace, and tells which graphs are in it
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Fail if there is a warning
    #[arg(long)]
    strict: bool,

    #[command(flatten)]
    selection: Selection,
}

pub(crate) fn run(args: &Args) -> Result<ExitCode, Failure> {
    let (_, graphs) = found::graphs(&args.selection, &[])?;
    let mut text = graphs.iter().map(told).collect::<String>();
    let warnings = graphs.iter().map(|graph| graph.warnings.len()).sum();
    text.push_str(&format!("{}, {}\n", counted(graphs.len(), "graph"), counted(warnings, "warning")));
    io::stdout().write_all(text.as_bytes()).map_err(Failure::output)?;
    Ok(if args.strict && warnings > 0 { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

fn told(graph: &Found) -> String {
    let Topology { file, line, places, ways, forks, exits, .. } = graph.topology;
    let mut counts = vec![counted(places.len(), "place"), counted(ways.len(), "way")];
    if !forks.is_empty() {
        counts.push(counted(forks.len(), "fork"));
    }
    counts.push(counted(exits.len(), "exit"));
    let pauses = if graph.topology.pauses() { "; it can pause" } else { "" };
    let mut text = format!("{}  {file}:{line}\n    {}{pauses}\n", graph.path(), counts.join(", "));
    for warning in &graph.warnings {
        text.push_str(&format!("    warning: {}\n", warning.replace('\n', "\n    ")));
    }
    text
}

fn counted(number: usize, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}
