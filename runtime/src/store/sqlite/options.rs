//! How an SQLite store is opened.

use std::time::Duration;

use crate::store::MAX_BYTES;

/// The most that SQLite can be asked to keep in one value, with room for the columns beside it.
const LARGEST_BODY: usize = 512 << 20;
/// The longest that is waited for another process.
const LONGEST_WAIT: Duration = Duration::from_secs(3600);

/// How an SQLite store is opened.
///
/// ```
/// use graphwright::store::sqlite::Options;
/// use std::time::Duration;
/// let options = Options::new().busy_timeout(Duration::from_secs(1)).max_bytes(1 << 20);
/// ```
#[derive(Clone, Debug)]
pub struct Options {
    busy_timeout: Duration,
    max_bytes: usize,
    max_file_bytes: Option<u64>,
    sync: WalSync,
}

/// When a commit counts as durable.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum WalSync {
    /// Once it is on the disk. A loss of power loses nothing that was acknowledged.
    #[default]
    Full,
    /// Once the operating system has it. A crash of the process loses nothing; a loss of power may lose the last
    /// commits, answers and payments among them, though never a part of one.
    LosesLastCommitsWithPower,
}

impl Options {
    /// The usual: 5 seconds, 16 MiB, no limit of the file, [`WalSync::Full`].
    #[must_use]
    pub const fn new() -> Self {
        Self { busy_timeout: Duration::from_secs(5), max_bytes: MAX_BYTES, max_file_bytes: None, sync: WalSync::Full }
    }

    /// How long to wait while another process writes, at most an hour; then [`StoreError::Busy`](crate::store::StoreError::Busy).
    #[must_use]
    pub fn busy_timeout(self, wait: Duration) -> Self {
        Self { busy_timeout: wait.min(LONGEST_WAIT), ..self }
    }

    /// The largest state or row, in bytes, at most 512 MiB.
    #[must_use]
    pub fn max_bytes(self, bytes: usize) -> Self {
        Self { max_bytes: bytes.min(LARGEST_BODY), ..self }
    }

    /// The largest file, in bytes, rounded down to whole pages; then [`StoreError::Full`](crate::store::StoreError::Full).
    /// The log beside it, which is worked into it now and then, comes on top.
    #[must_use]
    pub fn max_file_bytes(self, bytes: u64) -> Self {
        Self { max_file_bytes: Some(bytes), ..self }
    }

    /// When a commit counts as durable.
    #[must_use]
    pub fn sync(self, sync: WalSync) -> Self {
        Self { sync, ..self }
    }

    pub(super) fn wait(&self) -> Duration {
        self.busy_timeout
    }

    pub(super) fn largest_body(&self) -> usize {
        self.max_bytes
    }

    pub(super) fn largest_file(&self) -> Option<u64> {
        self.max_file_bytes
    }

    /// The value of the pragma `synchronous`.
    pub(super) fn synchronous(&self) -> i64 {
        match self.sync {
            WalSync::LosesLastCommitsWithPower => 1,
            WalSync::Full => 2,
        }
    }
}

impl Default for Options {
    fn default() -> Self {
        Self::new()
    }
}
