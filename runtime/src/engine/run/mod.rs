//! The loop that drives a thread, and what it hands its steps to.

pub(super) mod bodies;
pub(super) mod breaks;
pub(super) mod commit;
pub(super) mod drive;
pub(super) mod durable;
pub(super) mod failure;
pub(super) mod journal;
pub(super) mod lanes;
pub(super) mod results;
pub(super) mod strands;
pub(super) mod tell;
pub(super) mod trail;
pub(super) mod watch;
