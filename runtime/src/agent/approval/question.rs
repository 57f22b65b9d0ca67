//! What somebody is shown of a call that waits for them.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::agent::ask_user::{display_text, unseen};
use crate::agent::message::Call;

/// A call that waits for somebody: `{"type": "approve", "tool_call_id": .., "tool": .., "arguments": .., "digest": ..}`.
///
/// Its `Debug` does not show the arguments.
#[derive(Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ApproveCall {
    #[serde(rename = "type")]
    kind: Kind,
    tool_call_id: String,
    tool: String,
    arguments: Value,
    digest: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    asks: Option<String>,
    /// Nobody has to be asked. Never stored: a question that comes out of a store was put to somebody.
    #[serde(skip)]
    pub(super) free: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Kind {
    Approve,
}

impl ApproveCall {
    pub(super) fn of(call: &Call, asks: Option<&str>, free: bool) -> Self {
        Self {
            kind: Kind::Approve,
            tool_call_id: call.id.clone(),
            tool: call.name.clone(),
            arguments: call.arguments.clone(),
            digest: call.digest(),
            asks: asks.map(display_text),
            free,
        }
    }

    /// The model's call: what is decided is bound to it.
    #[must_use]
    pub fn tool_call_id(&self) -> &str {
        &self.tool_call_id
    }

    /// The tool.
    #[must_use]
    pub fn tool(&self) -> &str {
        &self.tool
    }

    /// What it is called with: exactly what runs if it is approved.
    #[must_use]
    pub fn arguments(&self) -> &Value {
        &self.arguments
    }

    /// [`Call::digest`] of what is decided on.
    #[must_use]
    pub fn digest(&self) -> &str {
        &self.digest
    }

    /// What the tool itself wants to know, if it has run and asks: then [`Approval::Respond`](super::Approval::Respond) is
    /// the answer, and there is nothing to approve.
    #[must_use]
    pub fn asks(&self) -> Option<&str> {
        self.asks.as_deref()
    }

    /// The arguments as JSON on several lines, for the person who decides. A model wrote them: what cannot be seen, or
    /// changes how the rest is seen, is written as an escape, so that nothing in them hides.
    ///
    /// ```
    /// # use graphwright::agent::ApproveCall;
    /// # let asked: ApproveCall = serde_json::from_str(
    /// #     r#"{"type":"approve","tool_call_id":"c","tool":"pay","arguments":{"to":"a\u202eb"},"digest":""}"#).unwrap();
    /// assert_eq!(asked.shown_arguments(), "{\n  \"to\": \"a\\u202eb\"\n}");
    /// ```
    #[must_use]
    pub fn shown_arguments(&self) -> String {
        let mut shown = String::new();
        for c in format!("{:#}", self.arguments).chars() {
            if c != '\n' && unseen(c) {
                let mut units = [0; 2];
                c.encode_utf16(&mut units).iter().for_each(|unit| shown.push_str(&format!("\\u{unit:04x}")));
            } else {
                shown.push(c);
            }
        }
        shown
    }
}

impl fmt::Debug for ApproveCall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { tool_call_id, tool, digest, .. } = self;
        f.debug_struct("ApproveCall")
            .field("tool_call_id", tool_call_id)
            .field("tool", tool)
            .field("digest", digest)
            .field("asks", &self.asks.is_some())
            .finish_non_exhaustive()
    }
}
