//! What a step costs, beside a loop written by hand and a list of boxed futures: `cargo bench --bench engine`.
//!
//! Prints one JSON line for each workload, and one for each bound that is promised of them. The machine decides how far
//! a figure can be trusted, so a broken bound is an exit code only with `-- --check`.

mod chat;
mod disk;
mod fanout;
mod loops;
mod measured;
mod react;
mod report;

use std::env;
use std::io::{self, Write};
use std::process::ExitCode;

use graphwright::BoxError;
use report::Report;

fn main() -> Result<ExitCode, BoxError> {
    let mut report = Report::default();
    loops::measure(&mut report)?;
    fanout::measure(&mut report)?;
    react::measure(&mut report)?;
    chat::measure(&mut report)?;
    disk::measure(&mut report)?;
    if report.broken.is_empty() || !env::args().any(|argument| argument == "--check") {
        return Ok(ExitCode::SUCCESS);
    }
    writeln!(io::stderr(), "broken: {}", report.broken.join(", "))?;
    Ok(ExitCode::FAILURE)
}
