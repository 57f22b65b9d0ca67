//! Rows: what a commit appends.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::hidden::Hidden;
use super::{GraphRef, Seq};
use crate::clock::Timestamp;
use crate::id::{CommitId, RunId, TurnId};

/// What a row tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[repr(u8)]
pub enum RowKind {
    /// A turn begins: closes what is open, applies the input, claims.
    Input = 1,
    /// A place is done.
    Step = 2,
    /// A place asks and waits.
    Park = 3,
    /// An answer was taken.
    Answer = 4,
    /// A question ran out of time and takes its way.
    Expire = 5,
    /// An attempt failed and another will follow.
    Attempt = 6,
    /// A place failed and takes its way `on error`.
    Failed = 7,
    /// A run takes the thread: after a crash, or after a stop.
    Claim = 8,
    /// A question gets another token.
    Reissue = 9,
    /// A run ends, the turn does not.
    Stop = 10,
    /// A turn ends before its time.
    Close = 11,
    /// Somebody edited the state.
    Edit = 12,
    /// The first row of a thread forked from another.
    Origin = 13,
}

impl RowKind {
    /// By its number.
    #[must_use]
    pub const fn from_number(number: u8) -> Option<Self> {
        Some(match number {
            1 => Self::Input,
            2 => Self::Step,
            3 => Self::Park,
            4 => Self::Answer,
            5 => Self::Expire,
            6 => Self::Attempt,
            7 => Self::Failed,
            8 => Self::Claim,
            9 => Self::Reissue,
            10 => Self::Stop,
            11 => Self::Close,
            12 => Self::Edit,
            13 => Self::Origin,
            _ => return None,
        })
    }
}

/// One row to append. Its number, commit id and graph come from the append.
#[derive(Clone, PartialEq, Eq)]
pub struct NewRow {
    /// What it tells.
    pub kind: RowKind,
    /// The turn.
    pub turn: TurnId,
    /// The run that wrote it, if one did.
    pub run: Option<RunId>,
    /// The frame: empty for the root.
    pub path: String,
    /// The step's number in its frame.
    pub ord: u64,
    /// The place.
    pub place: String,
    /// When.
    pub at: Timestamp,
    /// A format byte, then what it says.
    pub body: Vec<u8>,
}

impl fmt::Debug for NewRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("NewRow")
            .field("kind", &self.kind)
            .field("turn", &self.turn)
            .field("run", &self.run)
            .field("path", &self.path)
            .field("ord", &self.ord)
            .field("place", &self.place)
            .field("at", &self.at)
            .field("body", &Hidden(self.body.len()))
            .finish()
    }
}

/// One row as it was stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// Its number.
    pub seq: Seq,
    /// The intention that wrote it.
    pub commit: CommitId,
    /// The graph that wrote it.
    pub graph: GraphRef,
    /// What it says.
    pub row: NewRow,
}
