//! A thread without an engine: what a commit does to a conversation, checked after each of them.

use graphwright::__private::{ChosenKind, HasConversation, IntoStep, Step};
use graphwright::agent::{
    AskUser, AskUserAnswer, AskUserResponse, Call, Conversation, ConversationDelta, Message, RawCall, Reply, ToolCalls, ToolResult,
    ToolStatus, ask_user_pending, elicitation, tool_calls,
};
use graphwright::prelude::*;
use graphwright::{Anything, Closing, Context, CountingIds, Ingest, Node, Timestamp, TurnId};
use serde_json::{Value, json};

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, State)]
pub(super) struct Desk {
    #[state(conversation)]
    pub(super) talk: Conversation,
    #[state(sum)]
    pub(super) visits: u64,
}

/// The state, and every update as it was stored.
pub(super) struct Thread {
    pub(super) state: Desk,
    pub(super) rows: Vec<String>,
    ids: CountingIds,
    pub(super) at: Timestamp,
    turn: u8,
}

impl Thread {
    /// A thread whose first turn began with this.
    pub(super) fn with(text: &str) -> Self {
        // The first turn is that of `Context::test`.
        let mut thread = Self { state: Desk::default(), rows: Vec::new(), ids: CountingIds::default(), at: Timestamp(1_000_000), turn: 0 };
        thread.say(text);
        thread
    }

    pub(super) fn talk(&self) -> &Conversation {
        &self.state.talk
    }

    pub(super) fn turn(&self) -> Turn {
        Turn::test(TurnId([self.turn; 16]), self.at)
    }

    /// Commits an update.
    pub(super) fn commit(&mut self, patch: <Desk as State>::Patch) {
        let turn = self.turn().id();
        let taken = self.state.ingest(patch, &mut Ingest::new(&self.ids, self.at, turn));
        let row = serde_json::to_string(&taken).unwrap();
        let again = self.state.ingest(taken.clone(), &mut Ingest::new(&self.ids, self.at, turn));
        assert_eq!(serde_json::to_string(&again).unwrap(), row, "taking in twice is taking in once");
        self.state.apply(taken);
        self.rows.push(row);
        assert_eq!(self.reloaded(), serde_json::to_string(&self.state).unwrap(), "what is loaded is what was");
        provider_takes(self.talk());
    }

    /// Commits a write to the conversation.
    pub(super) fn say(&mut self, delta: impl Into<ConversationDelta>) {
        self.commit(Desk::say::<Anything>(delta.into()));
    }

    /// What a process finds that reads the log, and a snapshot of what it found.
    fn reloaded(&self) -> String {
        let mut state = Desk::default();
        for row in &self.rows {
            state.apply(serde_json::from_str(row).unwrap());
            let snapshot = serde_json::to_string(&state).unwrap();
            let read: Desk = serde_json::from_str(&snapshot).unwrap();
            assert_eq!(read, state, "a snapshot is the state");
        }
        serde_json::to_string(&state).unwrap()
    }

    pub(super) fn close(&mut self, closing: Closing) {
        if let Some(patch) = self.state.close(closing) {
            self.commit(patch);
        }
    }

    /// The user says something although a question may be open: a new turn, as `OnPaused::Abandon` makes it.
    pub(super) fn new_turn(&mut self, text: &str) {
        self.close(Closing::Abandoned);
        self.turn += 1;
        self.say(text);
    }

    pub(super) fn gate(&self) -> bool {
        ask_user_pending(&self.state, &self.turn())
    }

    pub(super) fn calls(&self) -> ToolCalls {
        tool_calls(&self.state)
    }

    /// Enters the elicitation: the stored question, or the node's error.
    pub(super) async fn try_ask(&self) -> Result<Value, NodeError> {
        let ret = <elicitation as Node<Desk, ()>>::run(&self.state, &(), &Context::test(())).await;
        match IntoStep::<Desk, elicitation>::into_step(ret)? {
            Step::Ask(asking) => Ok(asking.question),
            Step::Done(..) => panic!("nobody has answered"),
        }
    }

    pub(super) async fn ask(&self) -> Value {
        self.try_ask().await.unwrap()
    }

    /// Answers what was asked: a commit, or why not.
    pub(super) fn resume(&mut self, asked: &Value, answer: &Value) -> Result<(), String> {
        let (patch, choice) =
            <elicitation as Node<Desk, ()>>::resume(&self.state, &(), asked, answer).map_err(|refused| format!("{refused:?}"))?;
        let _ = choice.chosen_kind();
        self.commit(patch);
        Ok(())
    }

    /// Runs the open calls as a tools node does: each gives its own name.
    pub(super) fn run_tools(&mut self) -> Vec<String> {
        let results: Vec<ToolResult> = self
            .talk()
            .open_calls()
            .into_iter()
            .map(|call: &Call| ToolResult::new(call, ToolStatus::Ok, format!("ran {}", call.name)))
            .collect();
        let ran = results.iter().map(|result| result.name.clone()).collect();
        self.say(results);
        ran
    }

    /// The results of the last message that made calls: status and name, in order.
    pub(super) fn results(&self) -> Vec<(ToolStatus, &str, &str)> {
        let mut results: Vec<_> = self
            .talk()
            .messages()
            .rev()
            .map_while(|message| match message {
                Message::Tool(result) => Some((result.status, result.name.as_str(), result.content.as_str())),
                _ => None,
            })
            .collect();
        results.reverse();
        results
    }
}

/// What a strict provider checks: directly behind a message with calls stand their results, one each, in order; a call
/// without one is only in the last of such messages; ids are unique. A result stands nowhere else.
fn provider_takes(talk: &Conversation) {
    let messages: Vec<&Message> = talk.messages().collect();
    let open = talk.open_calls();
    let mut ids = std::collections::HashSet::new();
    let mut at = 0;
    while at < messages.len() {
        assert!(!matches!(messages[at], Message::Tool(_)), "a result without its call");
        let mut behind = at + 1;
        for call in messages[at].calls() {
            assert!(!call.id.is_empty() && ids.insert(&call.id), "call id {:?} is there twice", call.id);
            if open.iter().any(|open| open.id == call.id) {
                continue;
            }
            match messages.get(behind) {
                Some(Message::Tool(result)) => assert_eq!((&result.call, &result.name), (&call.id, &call.name)),
                _ => panic!("call {} has no result", call.id),
            }
            behind += 1;
        }
        at = behind;
    }
    if let Some(pending) = talk.pending() {
        assert!(open.iter().any(|call| call.id == pending.tool_call_id()));
    }
}

/// A question that can be put.
pub(super) fn good() -> Value {
    json!({"request": {"questions": [question()]}})
}

pub(super) fn question() -> Value {
    json!({"question": "Which mug?", "header": "Mug", "options": [
        {"label": "Red", "description": "the red one"}, {"label": "Blue", "description": "the blue one"}]})
}

/// A question with one option.
pub(super) fn bad() -> Value {
    json!({"request": {"questions": [{"question": "Which?", "header": "", "options": [{"label": "A", "description": ""}]}]}})
}

pub(super) fn raw(id: &str, name: &str, arguments: &str) -> RawCall {
    RawCall { id: Some(id.into()), name: name.into(), arguments: arguments.into() }
}

/// An id as the library makes them, so that it is kept; `group` is in hexadecimal digits.
pub(super) fn id(group: &str, nth: usize) -> String {
    format!("call_{group:0>16}{nth:016x}")
}

/// A reply with these calls, by the ids of this group.
pub(super) fn calls<'a>(group: &str, calls: impl IntoIterator<Item = (&'a str, Value)>) -> Reply {
    let mut reply = Reply::text("");
    for (nth, (name, arguments)) in calls.into_iter().enumerate() {
        reply.calls.push(raw(&id(group, nth), name, &arguments.to_string()));
    }
    reply
}

/// Picks the first option of every question.
pub(super) fn first_options(asked: &Value) -> Value {
    let asked: AskUser = serde_json::from_value(asked.clone()).unwrap();
    let answers =
        asked.request().questions().iter().map(|question| AskUserAnswer::select(question.id(), [question.options()[0].label()]).unwrap());
    json!({"action": "accept", "content": AskUserResponse::new(answers).unwrap()})
}
