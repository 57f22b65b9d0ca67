//! Time and randomness, injected: whatever decides something gets them from here, once, before a row is written.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::time::Duration;

use serde::{Deserialize, Serialize};

/// A point in time: microseconds since 1970-01-01 UTC.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Timestamp(pub i64);

impl Timestamp {
    /// This much later; stays at the largest value.
    #[must_use]
    pub fn after(self, duration: Duration) -> Self {
        Self(self.0.saturating_add(i64::try_from(duration.as_micros()).unwrap_or(i64::MAX)))
    }

    /// How long after `earlier` this is; zero if it is not.
    #[must_use]
    pub fn since(self, earlier: Self) -> Duration {
        Duration::from_micros(u64::try_from(self.0.saturating_sub(earlier.0)).unwrap_or(0))
    }
}

/// Tells the time of day. Deadlines inside a node's wait use tokio's timer; what is stored uses this.
pub trait Clock: Send + Sync + fmt::Debug + 'static {
    /// Now.
    fn now(&self) -> Timestamp;
}

/// The machine's clock.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> Timestamp {
        let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
        Timestamp(i64::try_from(since.as_micros()).unwrap_or(i64::MAX))
    }
}

/// A clock that only moves when told: for tests.
///
/// ```
/// use graphwright::{Clock, ManualClock, Timestamp};
/// use std::time::Duration;
/// let clock = ManualClock::at(Timestamp(1_000_000));
/// clock.advance(Duration::from_secs(2));
/// assert_eq!(clock.now(), Timestamp(3_000_000));
/// ```
#[derive(Clone, Debug, Default)]
pub struct ManualClock(Arc<AtomicI64>);

impl ManualClock {
    /// Starts at `at`.
    #[must_use]
    pub fn at(at: Timestamp) -> Self {
        Self(Arc::new(AtomicI64::new(at.0)))
    }

    /// Moves on.
    pub fn advance(&self, duration: Duration) {
        self.set(self.now().after(duration));
    }

    /// Jumps, also back.
    pub fn set(&self, at: Timestamp) {
        self.0.store(at.0, Ordering::SeqCst);
    }
}

impl Clock for ManualClock {
    fn now(&self) -> Timestamp {
        Timestamp(self.0.load(Ordering::SeqCst))
    }
}

/// Makes identifiers of 128 bits.
pub trait IdGen: Send + Sync + fmt::Debug + 'static {
    /// A new one, never given before.
    fn fresh(&self) -> [u8; 16];
}

/// Random bits of the operating system.
#[derive(Clone, Copy, Debug, Default)]
pub struct RandomIds;

impl IdGen for RandomIds {
    fn fresh(&self) -> [u8; 16] {
        let mut bytes = [0; 16];
        // A machine without randomness has no threads to name; zero would repeat, so time and a counter stand in.
        if getrandom::fill(&mut bytes).is_err() {
            static COUNT: AtomicU64 = AtomicU64::new(0);
            let mixed = (SystemClock.now().0 as u128) << 64 | u128::from(COUNT.fetch_add(1, Ordering::Relaxed));
            bytes = mixed.to_be_bytes();
        }
        bytes
    }
}

/// Counts from one: the same ids in every run of a test.
#[derive(Debug, Default)]
pub struct CountingIds(AtomicU64);

impl IdGen for CountingIds {
    fn fresh(&self) -> [u8; 16] {
        u128::from(self.0.fetch_add(1, Ordering::Relaxed) + 1).to_be_bytes()
    }
}
