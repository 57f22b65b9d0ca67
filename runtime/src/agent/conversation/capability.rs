//! A state that has a conversation: what ready-made nodes and routers ask of anybody's state.

use super::{Conversation, ConversationDelta};
use crate::state::{State, Writes};

/// What a generic node may write: not a field, whose name it cannot know, but a capability.
pub mod cap {
    /// The conversation of a state.
    #[derive(Debug, Clone, Copy)]
    pub enum Conversation {}
}

/// A state with a field that is `#[state(conversation)]`. Written by `#[derive(State)]`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no conversation",
    label = "has no conversation",
    note = "add a field `#[state(conversation)] talk: Conversation` to `{Self}`"
)]
pub trait HasConversation: State {
    /// The conversation.
    fn conversation(&self) -> &Conversation;
    /// An update that writes to it.
    fn say<N: Writes<Self, cap::Conversation>>(delta: ConversationDelta) -> Self::Update<N>;
}
