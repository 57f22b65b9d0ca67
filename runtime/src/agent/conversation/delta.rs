//! What is written to a conversation.

use std::fmt;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::pending::PendingAsk;
use crate::agent::ask_user::cut;
use crate::agent::message::{Message, Reply, ToolResult};
use crate::id::TurnId;
use crate::usage::Usage;

/// The longest text of one message or result that is kept, in bytes. What is longer is cut, and says so.
pub(super) const MAX_TEXT: usize = 1024 * 1024;

/// A write to a [`Conversation`](super::Conversation): text of the user's, a model's reply, results of tools.
///
/// Before it is stored, a reply is taken in once: ids are made unique, a question to the user is parsed, calls that will
/// not run get their results. Applying what is stored only repeats what was decided then.
///
/// It is serde data because it is stored. Do not read one from outside: take text, and make a delta of it.
///
/// ```
/// use graphwright::agent::{ConversationDelta, Reply};
/// let hello = ConversationDelta::from("my mug is broken");
/// let reply = ConversationDelta::from(Reply::text("I am sorry to hear that."));
/// # let _ = (hello, reply);
/// ```
#[derive(Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ConversationDelta {
    pub(super) writes: Vec<Write>,
}

/// One step of a write. `Reply` is what a node wrote; the rest is also what is stored.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Write {
    /// A turn begins to write.
    Turn(TurnId),
    /// A message comes to the end.
    Message(Message),
    /// A result comes behind its message.
    Result(ToolResult),
    /// The user is asked.
    Ask(PendingAsk),
    /// A call of a model cost this.
    Used(Usage),
    /// A text comes in place of the first messages.
    Summary {
        /// The text.
        text: String,
        /// So many messages, with those that an earlier summary stands for.
        of: usize,
    },
    /// A reply to be taken in.
    Reply {
        /// As the provider sent it.
        reply: Reply,
        /// How questions to the user are treated.
        #[serde(default)]
        asks: AskRules,
    },
}

/// How questions of a model to the user are treated.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct AskRules {
    /// Malformed questions in a turn after which the model is told to go on without.
    pub(super) max_malformed: u32,
    /// How long a question counts.
    pub(super) ttl: Option<Duration>,
}

impl Default for AskRules {
    fn default() -> Self {
        Self { max_malformed: 2, ttl: None }
    }
}

impl ConversationDelta {
    /// Questions of the model in this reply count for so long; without it, until the turn ends.
    #[must_use]
    pub fn ask_ttl(self, ttl: Duration) -> Self {
        self.with_rules(|rules| rules.ttl = Some(ttl))
    }

    /// After so many malformed questions in a turn the model is told to go on without asking; 2 unless said.
    #[must_use]
    pub fn max_malformed(self, count: u32) -> Self {
        self.with_rules(|rules| rules.max_malformed = count)
    }

    fn with_rules(mut self, change: impl Fn(&mut AskRules)) -> Self {
        for write in &mut self.writes {
            if let Write::Reply { asks, .. } = write {
                change(asks);
            }
        }
        self
    }

    /// A call of a model cost this, whose reply is not in the conversation: it counts in [`Conversation::usage`](super::Conversation::usage).
    #[must_use]
    pub fn used(usage: Usage) -> Self {
        Self { writes: vec![Write::Used(usage)] }
    }

    /// This, then that.
    #[must_use]
    pub fn then(mut self, later: impl Into<Self>) -> Self {
        self.writes.extend(later.into().writes);
        self
    }

    /// Whether it writes nothing.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.writes.is_empty()
    }
}

impl From<String> for ConversationDelta {
    /// A message of the user.
    fn from(text: String) -> Self {
        Self { writes: vec![Write::Message(Message::User { text: cut(text, MAX_TEXT) })] }
    }
}

impl From<&str> for ConversationDelta {
    /// A message of the user.
    fn from(text: &str) -> Self {
        text.to_owned().into()
    }
}

impl From<Reply> for ConversationDelta {
    /// A message of the model.
    fn from(reply: Reply) -> Self {
        Self { writes: vec![Write::Reply { reply, asks: AskRules::default() }] }
    }
}

impl From<ToolResult> for ConversationDelta {
    /// The result of a call. A call that has one already keeps it.
    fn from(result: ToolResult) -> Self {
        vec![result].into()
    }
}

impl From<Vec<ToolResult>> for ConversationDelta {
    /// Results of calls, in any order.
    fn from(results: Vec<ToolResult>) -> Self {
        let bounded = |result: ToolResult| Write::Result(ToolResult { content: cut(result.content, MAX_TEXT), ..result });
        Self { writes: results.into_iter().map(bounded).collect() }
    }
}

/// How much is written, and not what: conversations are private.
impl fmt::Debug for ConversationDelta {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ConversationDelta").field("writes", &self.writes.len()).finish_non_exhaustive()
    }
}
