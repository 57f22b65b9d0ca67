//! A summary in place of what was said long ago.

use super::Conversation;
use super::delta::{ConversationDelta, MAX_TEXT, Write};
use crate::agent::ask_user::cut;
use crate::agent::message::{Message, Reply};
use crate::agent::model::{Messages, Transcript};

/// What was said before the last messages: to be put before a model that sums it up. Made by [`Conversation::older_than`].
#[derive(Clone, Copy, Debug)]
pub struct Older<'a> {
    talk: &'a Conversation,
    count: usize,
}

impl Conversation {
    /// What was said before the last `keep` messages; nothing if there is nothing before them.
    ///
    /// The cut is before a message of the user's: no call is parted from its result, and what the user wants now stays as
    /// it is, however long the turn. So more than `keep` messages may stay.
    ///
    /// ```
    /// # use graphwright::agent::{Conversation, HasModel, Model};
    /// # use graphwright::prelude::*;
    /// # #[derive(Clone, Debug, Default, Serialize, Deserialize, State)]
    /// # struct Ticket { #[state(conversation)] talk: Conversation }
    /// # struct Deps { model: Model }
    /// /// Sums up what is older than the last forty messages.
    /// #[node(model)]
    /// async fn sum_up(ticket: &Ticket, cx: &Context<Deps>) -> NodeResult<Ticket> {
    ///     let Some(older) = ticket.talk.older_than(40) else { return Ok(Ticket::update()) };
    ///     let reply = cx.deps().model.chat(&older).system("Sum this conversation up.").send(cx).await?;
    ///     Ok(Ticket::update().talk(older.summary(reply)))
    /// }
    /// ```
    #[must_use]
    pub fn older_than(&self, keep: usize) -> Option<Older<'_>> {
        let is_user = |(_, message): &(usize, &Message)| matches!(message, Message::User { .. });
        let latest = self.len().checked_sub(keep).filter(|latest| *latest > self.summaries())?;
        let at = |from: usize| self.messages.iter_from(from).zip(from..).map(|(message, at)| (at, message)).find(is_user);
        let last = || self.messages().rev().zip((0..self.len()).rev()).map(|(message, at)| (at, message)).find(is_user);
        let (count, _) = at(latest).or_else(last)?;
        (count > self.summaries()).then_some(Older { talk: self, count })
    }

    /// A summary in place of the first messages, `of` of them counted from the first that there ever was. Nothing if it would
    /// part a call from its result, or if it comes too late.
    pub(super) fn shorten(&mut self, text: String, of: usize) {
        let Some(count) = of.checked_sub(self.gone).map(|count| count + self.summaries()) else { return };
        let parts = self.messages.iter_from(count).next().is_none_or(|next| !matches!(next, Message::User { .. }));
        let open = self.messages.iter().take(count).flat_map(Message::calls).any(|call| self.is_open(&call.id));
        if count <= self.summaries() || parts || open {
            return;
        }
        self.messages.shorten(count, Message::Summary { text });
        self.since = (self.since + 1).saturating_sub(count).max(1);
        self.gone = of;
    }

    /// How many messages at the beginning are summaries: one or none.
    pub(super) fn summaries(&self) -> usize {
        usize::from(self.gone > 0)
    }
}

impl Older<'_> {
    /// This reply in their place, and what it cost. A reply without a text leaves them where they are.
    #[must_use]
    pub fn summary(&self, reply: Reply) -> ConversationDelta {
        let mut writes: Vec<Write> = reply.usage.map(Write::Used).into_iter().collect();
        if !reply.text.trim().is_empty() {
            let of = self.talk.gone + self.count - self.talk.summaries();
            writes.push(Write::Summary { text: cut(reply.text, MAX_TEXT), of });
        }
        ConversationDelta { writes }
    }
}

impl Transcript for Older<'_> {
    fn messages(&self) -> Messages<'_> {
        let messages: Vec<&Message> = self.talk.messages().take(self.count).collect();
        Box::new(messages.into_iter())
    }
}
