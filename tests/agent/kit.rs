//! A conversation without an engine: what commits make of it.

use graphwright::agent::{Call, Conversation, ConversationDelta, HasConversation, Message, ToolStatus};
use graphwright::prelude::*;
use graphwright::{Anything, CountingIds, Ingest, Timestamp, TurnId};
use serde_json::{Value, json};

/// A state with a conversation, and nothing else.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, State)]
pub(super) struct Desk {
    #[state(conversation)]
    pub(super) talk: Conversation,
}

impl Desk {
    /// After a commit of this, in the first turn.
    pub(super) fn and(self, delta: impl Into<ConversationDelta>) -> Self {
        self.and_in(1, delta)
    }

    /// After a commit of this in that turn.
    pub(super) fn and_in(self, turn: u8, delta: impl Into<ConversationDelta>) -> Self {
        let patch = Self::say::<Anything>(delta.into());
        self.committed(turn, patch)
    }

    pub(super) fn committed(mut self, turn: u8, patch: <Self as State>::Patch) -> Self {
        let ids = CountingIds::default();
        let patch = self.ingest(patch, &mut Ingest::new(&ids, Timestamp(1_000), TurnId([turn; 16])));
        self.apply(serde_json::from_str(&serde_json::to_string(&patch).unwrap()).unwrap());
        self
    }
}

/// Every result in the conversation: tool, how it went, what the model reads.
pub(super) fn results(talk: &Conversation) -> Vec<(&str, ToolStatus, &str)> {
    talk.messages()
        .filter_map(|message| match message {
            Message::Tool(result) => Some((result.name.as_str(), result.status, result.content.as_str())),
            _ => None,
        })
        .collect()
}

pub(super) fn call(id: &str, name: &str, arguments: Value) -> Call {
    serde_json::from_value(json!({ "id": id, "name": name, "arguments": arguments })).unwrap()
}
