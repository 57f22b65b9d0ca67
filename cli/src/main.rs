//! `cargo graphwright`: the graphs of a workspace, drawn, checked and explained.

mod check;
mod compiler;
mod diagram;
mod explain;
mod failure;
mod found;
mod names;
mod pages;
mod workspace;

use std::env;
use std::io::{self, Write};
use std::process::ExitCode;

use clap::{Parser, Subcommand};

use crate::failure::Failure;

const WHERE: &str = "Graphs are found wherever they stand in a module of a library, a binary or an example; with --tests in tests, too.
One that stands in a function has no name that could be called from outside, and is not found.

Exit codes:
  0    all is well
  1    a diagram is stale, a warning under --strict, no such graph or diagnostic, or a file cannot be written
  2    the command line is wrong
  101  the workspace does not compile: cargo has said why";

/// Draws, checks and explains the graphs of a workspace.
#[derive(Debug, Parser)]
#[command(name = "cargo-graphwright", bin_name = "cargo graphwright", version, after_help = WHERE)]
struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Diagram(diagram::Args),
    Check(check::Args),
    Explain(explain::Args),
}

fn main() -> ExitCode {
    if let Some(code) = compiler::called_by_cargo() {
        return code;
    }
    // Cargo calls `cargo-graphwright graphwright ..`.
    let is_ours = |(at, word): &(usize, std::ffi::OsString)| *at != 1 || word != "graphwright";
    let words = env::args_os().enumerate().filter(is_ours).map(|(_, word)| word);
    let done = match Args::parse_from(words).command {
        Command::Diagram(args) => diagram::run(&args),
        Command::Check(args) => check::run(&args),
        Command::Explain(args) => explain::run(&args),
    };
    let failure = match done {
        Ok(code) => return code,
        // Cargo has said it.
        Err(Failure::Cargo(code)) => return code,
        // Whoever reads has enough.
        Err(Failure::Io { source, .. }) if source.kind() == io::ErrorKind::BrokenPipe => return ExitCode::SUCCESS,
        Err(failure) => failure,
    };
    let _ = writeln!(io::stderr(), "error: {failure}");
    ExitCode::FAILURE
}
