//! How a write meets a conversation.

use super::delta::{ConversationDelta, Write};
use super::{Conversation, ingest};
use crate::agent::message::{Message, ToolResult};
use crate::state::{Closing, Ingest, Kind, Reducer};
use crate::usage::Usage;

/// The reducer of `#[state(conversation)]`.
#[derive(Debug)]
pub enum Talk {}

impl Reducer<Conversation> for Talk {
    type Delta = ConversationDelta;
    const KIND: Kind = Kind::Merge;
    const INGESTS: bool = true;

    fn ingest(current: &Conversation, delta: ConversationDelta, ingest: &mut Ingest<'_>) -> ConversationDelta {
        ingest::take_in(current, delta, ingest)
    }

    fn join(earlier: ConversationDelta, later: ConversationDelta) -> ConversationDelta {
        earlier.then(later)
    }

    fn reduce(into: &mut Conversation, delta: ConversationDelta) {
        for write in delta.writes {
            into.apply(write);
        }
    }

    fn close(current: &Conversation, closing: Closing) -> Option<ConversationDelta> {
        current.closing(closing)
    }
}

impl Conversation {
    /// Applies what was taken in. Total: what does not fit any more, such as a second result, changes nothing.
    pub(super) fn apply(&mut self, write: Write) {
        match write {
            Write::Turn(turn) if self.turn == Some(turn) => {}
            Write::Turn(turn) => (self.turn, self.since, self.used) = (Some(turn), self.len(), Usage::default()),
            Write::Used(usage) => self.used = self.used.and(usage),
            Write::Summary { text, of } => self.shorten(text, of),
            Write::Message(message) => {
                self.open.extend(message.calls().iter().map(|call| call.id.clone()));
                self.messages.push(message);
            }
            Write::Result(result) => self.place(result),
            Write::Ask(pending) if self.is_open(pending.tool_call_id()) => self.pending.push(pending),
            Write::Ask(_) => {}
            // Taken in before it is stored; there is nothing to apply.
            Write::Reply { .. } => {}
        }
    }

    /// Puts a result behind its message, after the results of earlier calls of that message.
    fn place(&mut self, result: ToolResult) {
        if !self.is_open(&result.call) {
            return;
        }
        let mut behind = self.len();
        for message in self.messages.iter().rev() {
            if let Some(nth) = message.calls().iter().position(|call| call.id == result.call) {
                let earlier = message.calls().iter().take(nth).filter(|call| !self.is_open(&call.id)).count();
                behind += earlier;
                break;
            }
            behind -= 1;
        }
        self.open.retain(|call| *call != result.call);
        self.pending.retain(|pending| pending.tool_call_id() != result.call);
        self.messages.insert(behind, Message::Tool(result));
    }

    /// Results that say that no answer came, for every call that has none; nothing if there is no such call.
    ///
    /// The same however often it is asked for: once the results are there, there is nothing to close.
    #[must_use]
    pub fn closing(&self, closing: Closing) -> Option<ConversationDelta> {
        let results = ingest::close(self, closing);
        (!results.is_empty()).then(|| results.into())
    }
}
