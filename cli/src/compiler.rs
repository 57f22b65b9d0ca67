//! Between cargo and rustc.
//!
//! A graph in a function has its test in there, too, of which rustc warns that it is never run. Only its command line can
//! allow that, and flags there replace those that somebody has set; so cargo calls this program as it calls clippy's.

use std::env;
use std::process::{Command, ExitCode};

use crate::failure::{Failure, code};

/// What `graph!` looks for.
const COMMAND: &str = "CARGO_GRAPHWRIGHT";
const WRAPPER: &str = "RUSTC_WORKSPACE_WRAPPER";
/// The wrapper that somebody has set.
const ANOTHER: &str = "CARGO_GRAPHWRIGHT_WRAPPER";

/// Lets a cargo call this program for the packages of the workspace.
pub(crate) fn stand_before(cargo: &mut Command) -> Result<(), Failure> {
    let this = env::current_exe().map_err(Failure::io("this program"))?;
    if let Some(another) = env::var_os(WRAPPER) {
        cargo.env(ANOTHER, another);
    }
    cargo.env(COMMAND, "1").env(WRAPPER, this);
    Ok(())
}

/// Calls rustc, if it is cargo that called.
pub(crate) fn called_by_cargo() -> Option<ExitCode> {
    env::var_os(COMMAND)?;
    let mut words = env::var_os(ANOTHER).into_iter().chain(env::args_os().skip(1));
    let mut rustc = Command::new(words.next()?);
    rustc.args(words).args(["-A", "unnameable_test_items"]);
    Some(rustc.status().map_or(ExitCode::FAILURE, code))
}
