//! Locks and counters that tasks share. With `--cfg shuttle` they are those of a scheduler that takes one order of tasks
//! after the other, as `tokio` is in the whole crate (see `lib.rs`): tests/schedules runs the engine itself under it.
//!
//! What a waker touches stays with `std`: wakers are called under locks that the scheduler does not know.

#[cfg(not(shuttle))]
pub(crate) use std::sync::{Mutex, MutexGuard, PoisonError, atomic};

#[cfg(shuttle)]
pub(crate) use shuttle::sync::{Mutex, MutexGuard, atomic};
#[cfg(shuttle)]
pub(crate) use std::sync::PoisonError;

/// What there is one of in a process; under the scheduler, one in each order that it takes.
#[cfg(not(shuttle))]
macro_rules! one_in_a_process {
    ($($(#[$doc:meta])* static $name:ident: $of:ty = $make:expr;)*) => {
        $($(#[$doc])* static $name: std::sync::LazyLock<$of> = std::sync::LazyLock::new(|| $make);)*
    };
}

#[cfg(shuttle)]
macro_rules! one_in_a_process {
    ($($(#[$doc:meta])* static $name:ident: $of:ty = $make:expr;)*) => {
        shuttle::lazy_static! { $($(#[$doc])* static ref $name: $of = $make;)* }
    };
}

pub(crate) use one_in_a_process;
