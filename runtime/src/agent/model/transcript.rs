//! What can be put before a model.

use crate::agent::conversation::Conversation;
use crate::agent::message::Message;
use crate::usage::Usage;

/// Messages in order, without a copy.
pub type Messages<'a> = Box<dyn DoubleEndedIterator<Item = &'a Message> + Send + 'a>;

/// What can be put before a model: a conversation, or a plain list of messages.
pub trait Transcript: Sync {
    /// The messages, from the first on.
    fn messages(&self) -> Messages<'_>;

    /// A call that has no result behind its message: no model takes such a conversation.
    fn open_call(&self) -> Option<&str> {
        let mut open: Vec<&str> = Vec::new();
        for message in self.messages() {
            match message {
                Message::Tool(result) => open.retain(|call| *call != result.call),
                _ if !open.is_empty() => break,
                _ => open.extend(message.calls().iter().map(|call| call.id.as_str())),
            }
        }
        open.first().copied()
    }

    /// What the turn has used so far, if it is known.
    fn used(&self) -> Usage {
        Usage::default()
    }
}

impl Transcript for Conversation {
    fn messages(&self) -> Messages<'_> {
        Box::new(Conversation::messages(self))
    }

    fn open_call(&self) -> Option<&str> {
        self.first_open()
    }

    fn used(&self) -> Usage {
        self.usage()
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
