//! Where ids and time enter an update, once.

use crate::clock::{IdGen, Timestamp};
use crate::id::TurnId;

/// What a field may take into an update before it is stored: fresh ids, the time of the row, the turn.
#[derive(Debug)]
pub struct Ingest<'a> {
    ids: &'a dyn IdGen,
    at: Timestamp,
    turn: TurnId,
}

impl<'a> Ingest<'a> {
    /// For a row written at `at` in `turn`.
    #[must_use]
    pub fn new(ids: &'a dyn IdGen, at: Timestamp, turn: TurnId) -> Self {
        Self { ids, at, turn }
    }

    /// 128 fresh bits.
    pub fn fresh(&mut self) -> [u8; 16] {
        self.ids.fresh()
    }

    /// The time that the row will carry.
    #[must_use]
    pub fn at(&self) -> Timestamp {
        self.at
    }

    /// The turn that the row belongs to.
    #[must_use]
    pub fn turn(&self) -> TurnId {
        self.turn
    }
}

/// Why a turn ends although something is open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Closing {
    /// A new turn began, or somebody gave up.
    Abandoned,
    /// The same calls came again and again.
    Repeating,
    /// Somebody edited the state.
    Edited,
}
