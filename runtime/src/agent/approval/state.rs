//! One call on its way to its result.

use std::fmt;

use graphwright_macros::State;
use serde::{Deserialize, Serialize};

use crate::agent::conversation::Conversation;
use crate::agent::message::{Call, ToolResult, ToolStatus, Unshown};
use crate::agent::toolset::ran_before;
use crate::state::Update;

/// The state of [`ToolCall`](super::ToolCall): one call, what was decided, and its result.
///
/// For an approval graph of your own, with a deadline or a second pair of eyes, over the same parts:
///
/// ```
/// use graphwright::agent::{self, Call, CallState, Conversation, HasTools, Toolset, approve, run_call};
/// use graphwright::prelude::*;
///
/// # #[derive(Clone, Debug, Default, Serialize, Deserialize, State)]
/// # struct Ticket { #[state(conversation)] talk: Conversation }
/// # pub struct Deps { tools: Toolset<Deps> }
/// # impl HasTools for Deps { fn tools(&self) -> &Toolset<Self> { &self.tools } }
/// graph! {
///     /// The same, but nobody is waited for longer than two days.
///     pub CallInTime(CallState, Deps) {
///         start -> approve;
///         approve -> match {
///             Approve | Edit => run_call,
///             Reject | Respond | Declined | Cancelled => end,
///         };
///         approve -> end on expiry;
///         run_call -> match { Done => end, NeedsAnswer => approve };
///         approve: expires(48h);
///     }
/// }
///
/// // Mounted by `tool_call: graph CallInTime, enter(open), exit(close);`.
/// fn open(ticket: &Ticket, call: &Call) -> Update<CallState> {
///     CallState::of(&ticket.talk, call)
/// }
/// fn close(done: &CallState) -> Update<Ticket> {
///     Ticket::update().talk(done.result())
/// }
/// # let _ = (open, close);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, State)]
#[state(crate = crate)]
pub struct CallState {
    /// As the model made it, or as somebody changed it.
    pub(super) call: Call,
    /// The tools that gave a result before the message that makes the call.
    pub(super) ran: Vec<String>,
    /// What somebody approved.
    pub(super) approved: Option<Approved>,
    /// What the tool wants to know.
    pub(super) asks: Option<Asked>,
    /// Whether somebody changed the arguments.
    pub(super) edited: bool,
    pub(super) result: Option<ToolResult>,
}

/// The digest of what somebody approved: made where it was decided, and nowhere else.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Approved(pub(super) String);

/// A question of a tool.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Asked(pub(super) String);

impl fmt::Debug for Asked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Unshown(&self.0).fmt(f)
    }
}

impl CallState {
    /// Begins with this call of the conversation: what [`Mount::enter`](crate::Mount::enter) gives.
    pub fn of(talk: &Conversation, call: &Call) -> Update<Self> {
        Self::update().call(call.clone()).ran(ran_before(talk, &call.id))
    }

    /// The call, as it runs.
    #[must_use]
    pub fn call(&self) -> &Call {
        &self.call
    }

    /// Its result; where nobody decided, one that says so. Every call has one.
    #[must_use]
    pub fn result(&self) -> ToolResult {
        self.result.clone().unwrap_or_else(|| not_answered(&self.call))
    }
}

/// The result of a call on which nobody decided.
pub(super) fn not_answered(call: &Call) -> ToolResult {
    ToolResult::new(call, ToolStatus::NotAnswered, format!("`{}` has no result: nobody decided on it. Go on without it.", call.name))
}
