//! The record of a question to the user, and whether it still counts.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::agent::ask_user::AskUserRequest;
use crate::clock::Timestamp;
use crate::id::TurnId;

/// A question to the user that has no answer yet, with the call it belongs to. Made when the model's reply enters the
/// conversation, in the same commit; gone when the call has its result.
///
/// Turn and time are required: a record without them is refused when it is read. Rows of a time without them have to be
/// brought over by a migration that says which turn they belong to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PendingAsk {
    tool_call_id: String,
    request: AskUserRequest,
    turn: TurnId,
    minted_at: Timestamp,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    expires_at: Option<Timestamp>,
}

impl PendingAsk {
    pub(super) fn new(call: String, request: AskUserRequest, turn: TurnId, at: Timestamp, ttl: Option<Duration>) -> Self {
        Self { tool_call_id: call, request, turn, minted_at: at, expires_at: ttl.map(|ttl| at.after(ttl)) }
    }

    /// The call that the answer will be the result of.
    #[must_use]
    pub fn tool_call_id(&self) -> &str {
        &self.tool_call_id
    }

    /// What is asked.
    #[must_use]
    pub fn request(&self) -> &AskUserRequest {
        &self.request
    }

    /// The turn it was asked in.
    #[must_use]
    pub fn turn(&self) -> TurnId {
        self.turn
    }

    /// When it was asked.
    #[must_use]
    pub fn minted_at(&self) -> Timestamp {
        self.minted_at
    }

    /// Until when it counts, if not for the whole turn.
    #[must_use]
    pub fn expires_at(&self) -> Option<Timestamp> {
        self.expires_at
    }
}

/// Whether a question to the user still counts: asked in this turn, not in the future, not too long ago.
///
/// The turn decides; it is minted by the runtime, so no id of a caller's can keep a question alive. An age is looked at
/// where one is set: by `ttl`, or in the record by [`ConversationDelta::ask_ttl`](super::ConversationDelta::ask_ttl).
/// Exactly that age still counts. A question that does not count is the same as none, for the gate and for every guard.
///
/// ```
/// use graphwright::agent::ask_user_pending_is_current;
/// use graphwright::{Timestamp, TurnId};
/// assert!(!ask_user_pending_is_current(None, TurnId([7; 16]), Timestamp(0), None));
/// ```
#[must_use]
pub fn ask_user_pending_is_current(pending: Option<&PendingAsk>, turn: TurnId, now: Timestamp, ttl: Option<Duration>) -> bool {
    pending.is_some_and(|pending| {
        pending.turn == turn
            && pending.minted_at <= now
            && pending.expires_at.is_none_or(|end| now <= end)
            && ttl.is_none_or(|ttl| now.since(pending.minted_at) <= ttl)
    })
}
