//! The end of a conversation, as a model can read it.

use super::Conversation;
use crate::agent::message::Message;
use crate::agent::model::{Messages, Transcript};
use crate::usage::Usage;

/// The last messages of a conversation: to be put before a model. Made by [`Conversation::window`].
#[derive(Clone, Debug)]
pub struct Window<'a> {
    talk: &'a Conversation,
    /// What stands before the cut all the same.
    front: Vec<&'a Message>,
    from: usize,
}

impl Conversation {
    /// The last `count` messages, cut so that strict providers take them: they begin with a message of the user's, and no
    /// call is parted from its result. So there may be fewer; and where a turn is longer than that, what the user wants of
    /// it stands before its end. A summary stays in front.
    ///
    /// ```
    /// # use graphwright::agent::{Conversation, Model, Scripted};
    /// # let (talk, model) = (Conversation::default(), Model::new(Scripted::new([])));
    /// let window = talk.window(40);
    /// let chat = model.chat(&window);
    /// # let _: graphwright::agent::Chat<'_, ()> = chat;
    /// ```
    #[must_use]
    pub fn window(&self, count: usize) -> Window<'_> {
        let first = self.len().saturating_sub(count.max(1)).max(self.summaries());
        let mut front: Vec<&Message> = self.messages().take(self.summaries()).collect();
        if first <= self.summaries() {
            return Window { talk: self, front, from: first };
        }
        let find =
            |from: usize, wanted: fn(&Message) -> bool| self.messages.iter_from(from).zip(from..).find(|(message, _)| wanted(message));
        if let Some((_, from)) = find(first, |message| matches!(message, Message::User { .. })) {
            return Window { talk: self, front, from };
        }
        // The turn is longer than the window: one place in it is for what the user wants.
        front.extend(self.messages().rev().find(|message| matches!(message, Message::User { .. })));
        let no_result = |message: &Message| !matches!(message, Message::Tool(_));
        let from = match find(first + 1, no_result) {
            Some((_, from)) => from,
            // Results alone: their calls are before them.
            None => self.messages().zip(0..).take(first + 1).filter(|(message, _)| no_result(message)).last().map_or(first, |(_, at)| at),
        };
        Window { talk: self, front, from }
    }
}

impl Transcript for Window<'_> {
    fn messages(&self) -> Messages<'_> {
        Box::new(self.front.iter().copied().chain(self.talk.messages.iter_from(self.from)))
    }

    fn open_call(&self) -> Option<&str> {
        self.talk.first_open()
    }

    fn used(&self) -> Usage {
        self.talk.usage()
    }
}
