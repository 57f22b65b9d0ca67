//! Threads in an SQLite file.
/// x
#[derive(Debug)]
pub struct Sqlite;
