//! The attacks: one graph that does what its input says, and everything that can be done to a thread of it.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, clippy::ptr_arg, clippy::print_stdout)]

#[path = "common/faults.rs"]
mod faults;
#[path = "common/laws.rs"]
mod laws;

mod harness {
    mod bugs;
    mod crowd;
    mod found;
    mod kill;
    mod model;
    mod moves;
    mod panics;
    mod planted;
    mod play;
    mod random;
    mod script;
    mod streams;
    mod sweeps;
    mod world;
}
