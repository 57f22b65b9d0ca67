//! The engine under a scheduler that takes one order of tasks after the other: resume against resume, run against run,
//! answer against run, a reader that leaves, a shutdown, a run that is dropped while another takes its thread.
//!
//! Each body is run in so many orders, `SCHEDULES` if that is set, and says what they came to: both sides of a race must have
//! won some of them. What is run is the library as users have it; only tokio's tasks, channels and timers and the locks of
//! `runtime/src/sync.rs` are the scheduler's. A timer may end at any time.
#![cfg(shuttle)]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, clippy::print_stdout)]

extern crate shuttle_tokio as tokio;

#[allow(dead_code, reason = "some of it is of the other tests")]
#[path = "../common/faults.rs"]
mod faults;
#[allow(dead_code, reason = "some of it is of the other tests")]
#[path = "../common/laws.rs"]
mod laws;

mod schedules {
    mod explore;
    mod resumes;
    mod runs;
    mod stage;
    mod stops;
}
