//! Threads in memory.
/// x
#[derive(Debug)]
pub struct Memory;
