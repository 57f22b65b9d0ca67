//! What is said between a user, a model and tools.

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::digest::{Hasher, canonical_json};

/// One message of a conversation, as it is stored. Its `Debug` shows how long texts are, and not the texts.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
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
        calls: Vec<Call>,
    },
    /// What was said before, in short: stands in the place of messages that are gone.
    Summary {
        /// The text.
        text: String,
    },
    /// What a tool gave: stands behind the message that called it, in the order of the calls.
    Tool(ToolResult),
}

impl Message {
    /// What the user said.
    pub fn user(text: impl Into<String>) -> Self {
        Self::User { text: text.into() }
    }

    /// What the model said, without calls.
    pub fn assistant(text: impl Into<String>) -> Self {
        Self::Assistant { text: text.into(), calls: Vec::new() }
    }

    /// The calls that it makes: only a model's messages make any.
    #[must_use]
    pub fn calls(&self) -> &[Call] {
        match self {
            Self::Assistant { calls, .. } => calls,
            _ => &[],
        }
    }
}

/// A call of a tool. Its `Debug` does not show the arguments.
#[derive(Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Call {
    /// Unique in the conversation: made unique when it enters the state.
    pub id: String,
    /// The tool.
    pub name: String,
    /// The arguments, as the model sent them; `null` if they were no JSON.
    pub arguments: serde_json::Value,
}

impl Call {
    /// SHA-256 of id, tool and arguments, in hexadecimal digits: what an approval is bound to. The order of keys in the
    /// arguments does not matter.
    #[must_use]
    pub fn digest(&self) -> String {
        let mut hasher = Hasher::new(b"graphwright approval v1");
        hasher.field(self.id.as_bytes()).field(self.name.as_bytes()).field(canonical_json(&self.arguments).as_bytes());
        hasher.finish().iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

/// The result of one call. Its `Debug` does not show the content.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
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
    pub fn new(call: &Call, status: ToolStatus, content: impl Into<String>) -> Self {
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
    /// Refused before it ran: malformed, by a guard or a precondition, or by who had to approve it.
    Rejected,
    /// It did not run: another call of the message came first, or somebody gave the result in its place.
    NotExecuted,
    /// The turn ended before there was an answer.
    NotAnswered,
}

/// A model's reply before it enters a conversation. Its `Debug` shows how long the text is, and not the text.
#[derive(Clone, Default, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Reply {
    /// The text.
    pub text: String,
    /// The calls, not yet taken in.
    pub calls: Vec<RawCall>,
    /// Why the model stopped, as the provider says it.
    pub stop: Option<String>,
    /// What it cost, if the provider says so.
    pub usage: Option<crate::Usage>,
}

/// A call as a model makes it. Its `Debug` does not show the arguments.
#[derive(Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RawCall {
    /// The id under which it was told, if it was; what is no id of ours is replaced.
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

    /// And it cost this.
    #[must_use]
    pub fn costing(self, usage: crate::Usage) -> Self {
        Self { usage: Some(usage), ..self }
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

/// A text that is not shown, only its length: what people and models say is private.
pub(in crate::agent) struct Unshown<'a>(pub(in crate::agent) &'a str);

impl fmt::Debug for Unshown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({} bytes)", self.0.len())
    }
}

impl fmt::Debug for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::User { text } => f.debug_struct("User").field("text", &Unshown(text)).finish(),
            Self::Summary { text } => f.debug_struct("Summary").field("text", &Unshown(text)).finish(),
            Self::Assistant { text, calls } => f.debug_struct("Assistant").field("text", &Unshown(text)).field("calls", calls).finish(),
            Self::Tool(result) => f.debug_tuple("Tool").field(result).finish(),
        }
    }
}

impl fmt::Debug for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Call").field("id", &self.id).field("name", &self.name).finish_non_exhaustive()
    }
}

impl fmt::Debug for ToolResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { call, name, status, content } = self;
        let content = Unshown(content);
        f.debug_struct("ToolResult").field("call", call).field("name", name).field("status", status).field("content", &content).finish()
    }
}

impl fmt::Debug for Reply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { text, calls, stop, usage } = self;
        let text = Unshown(text);
        f.debug_struct("Reply").field("text", &text).field("calls", calls).field("stop", stop).field("usage", usage).finish()
    }
}

impl fmt::Debug for RawCall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let arguments = Unshown(&self.arguments);
        f.debug_struct("RawCall").field("id", &self.id).field("name", &self.name).field("arguments", &arguments).finish()
    }
}
