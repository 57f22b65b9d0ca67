//! What a step costs, beside a loop written by hand and a list of boxed futures: `cargo bench --bench engine`.
//!
//! `-- loop fanout` measures these only. Prints one JSON line for each workload, and one for each bound that is promised of
//! them. The machine decides how far a figure can be trusted, so a broken bound is an exit code only with `-- --check`.

mod chat;
mod disk;
mod fanout;
mod history;
mod loops;
mod measured;
mod observers;
mod paused;
mod pauses;
mod react;
mod report;

use std::env;
use std::io::{self, Write};
use std::process::ExitCode;

use graphwright::BoxError;
use report::Report;

fn main() -> Result<ExitCode, BoxError> {
    type Measure = fn(&mut Report) -> Result<(), BoxError>;
    let workloads: [(&str, Measure); 10] = [
        ("loop", loops::measure),
        ("sequential", loops::sequential),
        ("observers", observers::measure),
        ("fanout", fanout::measure),
        ("react", react::measure),
        ("chat", chat::measure),
        ("disk", disk::measure),
        ("interrupt", pauses::measure),
        ("history", history::measure),
        ("paused", paused::measure),
    ];
    let wanted: Vec<String> = env::args().skip(1).filter(|argument| !argument.starts_with('-')).collect();
    let mut report = Report::default();
    for (name, measure) in workloads {
        if wanted.is_empty() || wanted.iter().any(|wanted| wanted == name) {
            measure(&mut report)?;
        }
    }
    if report.broken.is_empty() || !env::args().any(|argument| argument == "--check") {
        return Ok(ExitCode::SUCCESS);
    }
    writeln!(io::stderr(), "broken: {}", report.broken.join(", "))?;
    Ok(ExitCode::FAILURE)
}
