//! What failed, and whether it is tried again.

use std::time::Duration;

use crate::clock::IdGen;
use crate::error::{Class, FailedPlace, NodeError};
use crate::policy::Policy;

/// What failed.
#[derive(Debug)]
pub(crate) struct Failed {
    pub(crate) place: &'static str,
    pub(crate) attempts: u32,
    pub(crate) error: Fault,
}

/// How it failed.
#[derive(Debug)]
pub(crate) enum Fault {
    Node(NodeError),
    Panic(String),
}

impl Fault {
    /// As it is kept with the thread.
    pub(in crate::engine) fn place(&self, place: &str, attempts: u32) -> FailedPlace {
        match self {
            Self::Node(error) => FailedPlace::new(place, error, attempts),
            Self::Panic(text) => FailedPlace::new(place, &NodeError::fatal(format!("it panicked: {text}")), attempts),
        }
    }

    fn class(&self) -> Class {
        match self {
            Self::Node(error) => error.class(),
            Self::Panic(_) => Class::Fatal,
        }
    }
}

pub(in crate::engine) fn panicked(text: String) -> Fault {
    Fault::Panic(text)
}

/// A place took longer than its policy lets it.
pub(in crate::engine) fn too_long(limit: Duration) -> NodeError {
    NodeError::transient(format!("it took longer than {limit:?}"))
}

/// How long to wait before the next attempt, if there is one: twice as long each time, and not all at once.
pub(in crate::engine) fn retry(policy: &Policy, fault: &Fault, attempts: u32, ids: &dyn IdGen) -> Option<Duration> {
    let retry = policy.retry.filter(|retry| attempts <= retry.times && fault.class() != Class::Fatal)?;
    let doubled = 1_u32.checked_shl(attempts.saturating_sub(1)).map_or(Duration::MAX, |factor| retry.backoff.saturating_mul(factor));
    let most = doubled.min(retry.limit);
    let [random, ..] = ids.fresh();
    Some(most / 2 + most / 2 * u32::from(random) / 255)
}
