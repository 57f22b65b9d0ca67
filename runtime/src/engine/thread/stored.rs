//! A thread at one version, self-contained.

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::clock::Timestamp;
use crate::engine::log::row::{StopWhy, StoredFrom, StoredQuestion, is_false};
use crate::error::FailedPlace;
use crate::id::TurnId;
use crate::usage::Usage;

/// The thread.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct StoredImage {
    pub(crate) root: StoredFrame,
    pub(crate) turn: TurnId,
    pub(crate) at: Timestamp,
    pub(crate) steps: u64,
    #[serde(default, skip_serializing_if = "Usage::is_none")]
    pub(crate) used: Usage,
    #[serde(default)]
    pub(crate) claims: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) why: Option<StopWhy>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) settings: Option<Box<RawValue>>,
}

/// A frame with all that is open in it.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct StoredFrame {
    /// Only where it does not follow from the frame around it and the log.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) state: Option<Box<RawValue>>,
    pub(crate) at: StoredCursor,
    pub(crate) ord: u64,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) taken: Vec<(String, u32)>,
    /// Its updates, which the frame around it does not have yet.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) log: Vec<Box<RawValue>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) trouble: Option<StoredTrouble>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) behind: Option<FailedPlace>,
    #[serde(default, skip_serializing_if = "is_false")]
    pub(crate) passed: bool,
}

/// Attempts that failed.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct StoredTrouble {
    pub(crate) failed: FailedPlace,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) due: Option<Timestamp>,
}

/// Where a frame stands, by the graph's own names.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum StoredCursor {
    At(String),
    Parked { place: String, question: StoredQuestion },
    Unrouted(StoredFrom),
    Fork { fork: String, branches: Vec<StoredBranch> },
    Mounted { place: String, frame: Box<StoredFrame> },
    Arrived,
    Ended(String),
    Closed,
}

/// A branch of a fork.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct StoredBranch {
    /// Its name, unless it works on an item.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) key: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) item: Option<Box<RawValue>>,
    pub(crate) frame: StoredFrame,
}
