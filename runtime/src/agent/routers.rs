//! Where a loop of model and tools goes on.

use graphwright_macros::{Route, node, router};

use super::ask_user::ASK_USER;
use super::conversation::{Conversation, HasConversation, rejected_ask};
use super::message::{Call, Message, ToolStatus};
use crate::state::Closing;

/// What a model's last message asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Route)]
#[route(crate = crate)]
pub enum ToolCalls {
    /// Nothing: the turn can end.
    Finish,
    /// It calls tools, or has to be told that its calls were refused.
    Continue,
    /// It calls what it has called again and again: going on would only cost.
    Repeating,
}

/// When calls count as repeated. [`tool_calls()`] uses the default; with other numbers, write a router of your own.
///
/// ```
/// use graphwright::agent::{Conversation, RepeatLimits, ToolCalls};
/// let limits = RepeatLimits { same_name: Some(5), ..RepeatLimits::default() };
/// assert_eq!(limits.route(&Conversation::default()), ToolCalls::Finish);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RepeatLimits {
    /// Messages of this turn that are looked at, from the last one back, results counted.
    pub window: usize,
    /// Messages with the same call, name and arguments, that are too many. Within one message the same call counts once.
    pub same: usize,
    /// Messages with a call of the same name, whatever its arguments, that are too many; not looked at unless set.
    pub same_name: Option<usize>,
}

impl Default for RepeatLimits {
    fn default() -> Self {
        Self { window: 10, same: 3, same_name: None }
    }
}

impl RepeatLimits {
    /// What the last message asks for. Pure.
    #[must_use]
    pub fn route(&self, talk: &Conversation) -> ToolCalls {
        match calls_to_go_on_with(talk) {
            [] => ToolCalls::Finish,
            calls if self.repeated(talk, calls) => ToolCalls::Repeating,
            _ => ToolCalls::Continue,
        }
    }

    fn repeated(&self, talk: &Conversation, calls: &[Call]) -> bool {
        let seen = || talk.this_turn().rev().take(self.window);
        let rejected: Vec<&str> = seen()
            .filter_map(|message| match message {
                Message::Tool(result) if rejected_ask(result) => Some(result.call.as_str()),
                _ => None,
            })
            .collect();
        // Questions that could not be put are all the same: none of them reached anybody, however it was wrong.
        let unasked = |call: &Call| call.name == ASK_USER && rejected.contains(&call.id.as_str());
        let same = |a: &Call, b: &Call| a.name == b.name && (a.arguments == b.arguments || unasked(a) && unasked(b));
        let messages = |like: &dyn Fn(&Call) -> bool| seen().filter(|message| message.calls().iter().any(like)).count();
        calls.iter().any(|call| {
            messages(&|other| same(call, other)) >= self.same
                || self.same_name.is_some_and(|most| messages(&|other| call.name == other.name) >= most)
        })
    }
}

/// The calls of the model's last message, if it has to go on because of them: one of them is open, or none of them ran
/// and the model has not been told yet.
fn calls_to_go_on_with(talk: &Conversation) -> &[Call] {
    let mut messages = talk.messages().rev();
    let mut ran = false;
    let calls = messages.find_map(|message| match message {
        Message::Tool(result) => {
            ran |= !matches!(result.status, ToolStatus::Rejected | ToolStatus::NotExecuted);
            None
        }
        message => Some(message.calls()),
    });
    calls.filter(|calls| !ran || calls.iter().any(|call| talk.is_open(&call.id))).unwrap_or_default()
}

/// What the model asks for: tools, the end, or what it has asked for too often; the router of a loop of model and tools.
///
/// The same call, name and arguments, in three of the last ten messages of this turn is too often; the order of keys in
/// the arguments does not matter. Other numbers: [`RepeatLimits`].
#[router(crate = crate)]
pub fn tool_calls<S: HasConversation>(state: &S) -> ToolCalls {
    RepeatLimits::default().route(state.conversation())
}

/// Closes the calls of a model that repeats itself, so that the conversation can be gone on with later: the place for
/// [`ToolCalls::Repeating`].
#[node(cut, writes(conversation), crate = crate)]
pub fn close_repeating<S: HasConversation>(state: &S) -> S::Update<close_repeating> {
    match state.conversation().closing(Closing::Repeating) {
        Some(delta) => S::say(delta),
        None => S::update(),
    }
}
