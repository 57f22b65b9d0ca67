//! A conversation in a state: what was said, which calls have no result yet, and what the user is asked.

mod capability;
mod delta;
mod history;
mod ingest;
mod pending;
mod seen;
mod summary;
mod talk;
mod window;

use std::fmt;

use serde::{Deserialize, Serialize};

pub use capability::{HasConversation, cap};
pub use delta::ConversationDelta;
pub use pending::{PendingAsk, ask_user_pending_is_current};
pub use summary::Older;
pub use talk::Talk;
pub use window::Window;

pub(in crate::agent) use ingest::{is_own_id, own_id, rejected_ask};

use super::message::{Call, Message};
use crate::id::TurnId;
use crate::usage::Usage;
use history::History;

/// Messages, and the question that is open: the type of a `#[state(conversation)]` field.
///
/// It changes only by [`ConversationDelta`]s. Every result stands directly behind the message that called for it, in
/// the order of the calls, and there is never more than one; so what a model is sent is what a strict provider takes.
/// A clone shares the messages.
///
/// ```
/// use graphwright::agent::{Conversation, Message};
/// let talk = Conversation::default();
/// assert_eq!(talk.messages().count(), 0);
/// assert!(talk.pending().is_none());
/// ```
#[derive(Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Stored")]
pub struct Conversation {
    messages: History,
    /// Questions of the model that have no answer, each with its call.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pending: Vec<PendingAsk>,
    /// The turn that wrote last.
    #[serde(skip_serializing_if = "Option::is_none")]
    turn: Option<TurnId>,
    /// The first message of that turn.
    #[serde(skip_serializing_if = "is_zero")]
    since: usize,
    /// What the calls of models in that turn cost.
    #[serde(skip_serializing_if = "is_nothing")]
    used: Usage,
    /// How many messages the summary stands for that is the first one.
    #[serde(skip_serializing_if = "is_zero")]
    gone: usize,
    /// Ids of calls without a result, in the order of the calls. Follows from the messages.
    #[serde(skip)]
    open: Vec<String>,
}

fn is_zero(number: &usize) -> bool {
    *number == 0
}

fn is_nothing(usage: &Usage) -> bool {
    *usage == Usage::default()
}

impl Conversation {
    /// What was said, from the first message on.
    pub fn messages(&self) -> impl DoubleEndedIterator<Item = &Message> + Clone {
        self.messages.iter()
    }

    /// What was said in the turn that wrote last, from its first message on.
    pub fn this_turn(&self) -> impl DoubleEndedIterator<Item = &Message> + Clone {
        self.messages.iter_from(self.since)
    }

    /// How many messages there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.messages.len()
    }

    /// Whether nothing was said yet.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.messages.len() == 0
    }

    /// Calls that have no result yet, in the order in which they were made.
    #[must_use]
    pub fn open_calls(&self) -> Vec<&Call> {
        let mut calls = Vec::with_capacity(self.open.len());
        for message in self.messages.iter().rev() {
            if calls.len() == self.open.len() {
                break;
            }
            calls.extend(message.calls().iter().rev().filter(|call| self.is_open(&call.id)));
        }
        calls.reverse();
        calls
    }

    /// What the user is asked and has not answered: the oldest question, whatever turn it is of. Whether it still counts
    /// is said by [`ask_user_pending_is_current`].
    #[must_use]
    pub fn pending(&self) -> Option<&PendingAsk> {
        self.pending.first()
    }

    /// What the user is asked in this turn. A question of another turn is the same as none.
    #[must_use]
    pub fn pending_of(&self, turn: TurnId) -> Option<&PendingAsk> {
        self.pending.iter().find(|pending| pending.turn() == turn)
    }

    /// The text of the last message of the model, if there is one and it has a text.
    #[must_use]
    pub fn last_text(&self) -> Option<&str> {
        self.messages
            .iter()
            .rev()
            .find_map(|message| match message {
                Message::Assistant { text, .. } => Some(text.as_str()),
                _ => None,
            })
            .filter(|text| !text.is_empty())
    }

    /// What the model's replies of the turn that wrote last cost, and what [`ConversationDelta::used`] added.
    #[must_use]
    pub fn usage(&self) -> Usage {
        self.used
    }

    pub(in crate::agent) fn first_open(&self) -> Option<&str> {
        self.open.first().map(String::as_str)
    }

    pub(in crate::agent) fn is_open(&self, call: &str) -> bool {
        self.open.iter().any(|open| open == call)
    }
}

/// How much there is, and not what: conversations are private.
impl fmt::Debug for Conversation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Conversation")
            .field("messages", &self.messages.len())
            .field("open", &self.open.len())
            .field("pending", &self.pending.len())
            .finish_non_exhaustive()
    }
}

/// A conversation as it stands in a row, before what follows from it is known.
#[derive(Deserialize)]
struct Stored {
    messages: History,
    #[serde(default)]
    pending: Vec<PendingAsk>,
    #[serde(default)]
    turn: Option<TurnId>,
    #[serde(default)]
    since: usize,
    #[serde(default)]
    used: Usage,
    #[serde(default)]
    gone: usize,
}

impl TryFrom<Stored> for Conversation {
    type Error = String;
    fn try_from(Stored { messages, pending, turn, since, used, gone }: Stored) -> Result<Self, String> {
        let mut open: Vec<String> = Vec::new();
        for message in messages.iter() {
            match message {
                Message::Tool(result) => open.retain(|call| *call != result.call),
                _ => open.extend(message.calls().iter().map(|call| call.id.clone())),
            }
        }
        if let Some(orphan) = pending.iter().find(|pending| !open.iter().any(|call| call == pending.tool_call_id())) {
            return Err(format!("the user is asked for call {:?}, which has a result or does not exist", orphan.tool_call_id()));
        }
        let since = since.min(messages.len());
        Ok(Self { messages, pending, turn, since, used, gone, open })
    }
}
