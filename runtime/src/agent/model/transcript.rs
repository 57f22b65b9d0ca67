//! What can be put before a model.

use crate::agent::conversation::Conversation;
use crate::agent::message::Message;

/// Messages in order, without a copy.
pub type Messages<'a> = Box<dyn DoubleEndedIterator<Item = &'a Message> + Send + 'a>;

/// What can be put before a model: a conversation, or a plain list of messages.
pub trait Transcript: Sync {
    /// The messages, from the first on.
    fn messages(&self) -> Messages<'_>;

    /// Whether a call with this id was made: no other call may have it.
    fn has_call(&self, id: &str) -> bool {
        self.messages().any(|message| message.calls().iter().any(|call| call.id == id))
    }
}

impl Transcript for Conversation {
    fn messages(&self) -> Messages<'_> {
        Box::new(Conversation::messages(self))
    }

    fn has_call(&self, id: &str) -> bool {
        self.may_have_call(id)
    }
}

impl Transcript for Vec<Message> {
    fn messages(&self) -> Messages<'_> {
        Box::new(self.iter())
    }
}

impl<const N: usize> Transcript for [Message; N] {
    fn messages(&self) -> Messages<'_> {
        Box::new(self.iter())
    }
}

impl Transcript for &[Message] {
    fn messages(&self) -> Messages<'_> {
        Box::new(self.iter())
    }
}
