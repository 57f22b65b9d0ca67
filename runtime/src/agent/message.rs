//! What is said between a user, a model and tools.

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

/// One message of a conversation, as it is stored.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "role", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Message {
    /// What the user said.
    User {
        /// The text.
        text: String,
    },
    /// What the model said, and the tools that it called.
    Assistant {
        /// The text; empty if there was none.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        text: String,
        /// Calls, each with an id of its own.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        calls: Vec<ToolCall>,
    },
    /// What a tool gave: stands behind the message that called it, in the order of the calls.
    Tool(ToolResult),
}

impl Message {
    /// The calls that it makes: only a model's messages make any.
    #[must_use]
    pub fn calls(&self) -> &[ToolCall] {
        match self {
            Self::Assistant { calls, .. } => calls,
            _ => &[],
        }
    }
}

/// A call of a tool.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ToolCall {
    /// Unique in the conversation: made unique when it enters the state.
    pub id: String,
    /// The tool.
    pub name: String,
    /// The arguments, as the model sent them; `null` if they were no JSON.
    pub arguments: serde_json::Value,
}

/// The result of one call.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ToolResult {
    /// The call.
    pub call: String,
    /// The tool.
    pub name: String,
    /// How it went.
    pub status: ToolStatus,
    /// What the model reads.
    pub content: String,
}

impl ToolResult {
    /// How this call went, and what the model reads of it.
    pub fn new(call: &ToolCall, status: ToolStatus, content: impl Into<String>) -> Self {
        Self { call: call.id.clone(), name: call.name.clone(), status, content: content.into() }
    }
}

/// How a call went.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ToolStatus {
    /// The tool ran.
    Ok,
    /// The tool failed, or does not exist, or its arguments do not fit.
    Error,
    /// Refused before it ran: malformed, or by a guard.
    Rejected,
    /// It did not run: another call of the message came first.
    NotExecuted,
    /// The turn ended before there was an answer.
    NotAnswered,
}

/// A model's reply before it enters a conversation.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Reply {
    /// The text.
    pub text: String,
    /// The calls, ids as the provider made them: perhaps missing, empty or twice the same.
    pub calls: Vec<RawCall>,
    /// Why the model stopped, as the provider says it.
    pub stop: Option<String>,
    /// What it cost, if the provider says so.
    pub usage: Option<crate::Usage>,
}

/// A call as a provider sends it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RawCall {
    /// The provider's id, if it gave one.
    pub id: Option<String>,
    /// The tool.
    pub name: String,
    /// The arguments as text: JSON, one hopes.
    pub arguments: String,
}

impl Reply {
    /// A reply of text alone.
    #[must_use]
    pub fn text(text: impl Into<String>) -> Self {
        Self { text: text.into(), ..Self::default() }
    }

    /// And this call.
    #[must_use]
    pub fn call(mut self, name: impl Into<String>, arguments: impl Serialize) -> Self {
        let arguments = serde_json::to_string(&arguments).unwrap_or_default();
        self.calls.push(RawCall { id: None, name: name.into(), arguments });
        self
    }
}

/// A tool as a model is told of it.
#[derive(Clone, Debug)]
pub struct ToolSpec {
    /// Its name.
    pub name: String,
    /// What it does.
    pub description: String,
    /// JSON Schema of its arguments.
    pub schema: Box<RawValue>,
}
