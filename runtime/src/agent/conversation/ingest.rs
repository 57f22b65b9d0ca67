//! How a write is taken in: once, before it is stored. What a model sends is decided here and never again.

use std::borrow::Cow;

use serde_json::Value;

use super::Conversation;
use super::delta::{AskRules, ConversationDelta, MAX_TEXT, Write};
use super::pending::PendingAsk;
use crate::agent::ask_user::{ASK_USER, AskUserRequest, AskUserRequestInput, Malformed, cut, parse};
use crate::agent::json;
use crate::agent::message::{Call, Message, RawCall, Reply, ToolResult, ToolStatus};
use crate::state::{Closing, Ingest};

/// The most calls of one message that are taken in.
const MAX_CALLS: usize = 64;
/// The longest arguments of all calls of one message together, in bytes.
const MAX_ARGUMENTS: usize = 1024 * 1024;
/// How ids of calls begin.
const OWN: &str = "call_";
/// The longest name of a tool, in bytes.
const MAX_NAME: usize = 128;

/// Every write against the conversation as the writes before it left it. Taking in twice changes nothing more.
pub(super) fn take_in(current: &Conversation, delta: ConversationDelta, ingest: &mut Ingest<'_>) -> ConversationDelta {
    let mut taken = Taken { talk: Cow::Borrowed(current), applied: 0, writes: Vec::with_capacity(delta.writes.len() + 1) };
    if !delta.writes.is_empty() && current.turn != Some(ingest.turn()) {
        // What an earlier turn left open cannot be answered any more: stale is the same as none.
        taken.writes.extend(close(current, Closing::Abandoned).into_iter().map(Write::Result));
        taken.writes.push(Write::Turn(ingest.turn()));
    }
    for write in delta.writes {
        match write {
            Write::Reply { reply, asks } => taken.reply(reply, asks, ingest),
            Write::Result(result) if !taken.is_open(&result.call) => {}
            Write::Turn(_) => {}
            write => taken.writes.push(write),
        }
    }
    ConversationDelta { writes: taken.writes }
}

/// Results for every call that has none, in the order of the calls. Neutral: who is to blame is not known.
pub(super) fn close(talk: &Conversation, closing: Closing) -> Vec<ToolResult> {
    let why = match closing {
        Closing::Repeating => "the turn ended because the same calls came again and again",
        Closing::Edited => "the conversation was edited before there was one",
        Closing::Abandoned => "the turn ended before there was one",
    };
    let closed = |call: &Call| ToolResult::new(call, ToolStatus::NotAnswered, format!("`{}` has no result: {why}.", call.name));
    talk.open_calls().into_iter().map(closed).collect()
}

/// What has been taken in so far.
struct Taken<'a> {
    /// The conversation with the first `applied` writes; its own copy only where a reply follows other writes.
    talk: Cow<'a, Conversation>,
    applied: usize,
    writes: Vec<Write>,
}

impl Taken<'_> {
    fn apply(&mut self) {
        if self.applied < self.writes.len() {
            let talk = self.talk.to_mut();
            self.writes.iter().skip(self.applied).for_each(|write| talk.apply(write.clone()));
            self.applied = self.writes.len();
        }
    }

    /// Whether a call has no result, with all writes.
    fn is_open(&self, call: &str) -> bool {
        let later = || self.writes.iter().skip(self.applied);
        let made = |write: &Write| matches!(write, Write::Message(message) if message.calls().iter().any(|made| made.id == call));
        let closed = |write: &Write| matches!(write, Write::Result(result) if result.call == call);
        (self.talk.is_open(call) || later().any(made)) && !later().any(closed)
    }

    /// The message, what the user is asked, and a result for every call that will not run.
    fn reply(&mut self, reply: Reply, asks: AskRules, ingest: &mut Ingest<'_>) {
        self.apply();
        let (calls, faults) = self.calls(reply.calls, ingest);
        let mut fates: Vec<Fate> = calls.iter().zip(faults).map(|(call, fault)| fate(call, fault)).collect();
        let asked = fates.iter().position(|fate| matches!(fate, Fate::Ask(_)));
        self.writes.extend(reply.usage.map(Write::Used));
        self.writes.push(Write::Message(Message::Assistant { text: cut(reply.text, MAX_TEXT), calls: calls.clone() }));
        if let Some(asked) = asked {
            // The user is asked first: whatever else the message wants is not done.
            for (nth, fate) in fates.iter_mut().enumerate() {
                if nth != asked {
                    *fate = Fate::NotExecuted;
                }
            }
        }
        for (call, fate) in calls.into_iter().zip(fates) {
            match fate {
                Fate::Run => {}
                Fate::Ask(input) => {
                    let request: AskUserRequest = input.stamp(ingest);
                    self.writes.push(Write::Ask(PendingAsk::new(call.id, request, ingest.turn(), ingest.at(), asks.ttl)));
                }
                Fate::NotExecuted => {
                    let why = format!("`{}` was not executed: the user is asked first. Call it again if it is still wanted.", call.name);
                    self.writes.push(Write::Result(ToolResult::new(&call, ToolStatus::NotExecuted, why)));
                }
                Fate::Malformed(fault) => {
                    let why = self.malformed(&fault, asks);
                    self.writes.push(Write::Result(ToolResult::new(&call, ToolStatus::Rejected, why)));
                }
                Fate::Unreadable(fault) => {
                    let why = format!("`{}` was not executed: {fault}.", call.name);
                    self.writes.push(Write::Result(ToolResult::new(&call, ToolStatus::Rejected, why)));
                }
            }
        }
    }

    /// What the model is told of a question that could not be put.
    fn malformed(&self, fault: &Malformed, asks: AskRules) -> String {
        let earlier = self.talk.this_turn().filter(|message| matches!(message, Message::Tool(result) if rejected_ask(result))).count();
        let beside = self.writes.iter().skip(self.applied).filter(|write| matches!(write, Write::Result(result) if rejected_ask(result)));
        let advice = if earlier + beside.count() + 1 < asks.max_malformed as usize {
            "Correct the call and ask again, or go on without asking."
        } else {
            "Do not ask again in this turn: go on without asking."
        };
        format!("The question was rejected, and nobody was asked: {}. {advice}", fault.0)
    }

    /// Calls with ids of their own, names that a provider takes back, and arguments that are JSON; beside each, what is
    /// wrong with it.
    fn calls(&self, raw: Vec<RawCall>, ingest: &mut Ingest<'_>) -> (Vec<Call>, Vec<Option<String>>) {
        let surplus = raw.len().saturating_sub(MAX_CALLS);
        let mut calls: Vec<Call> = Vec::with_capacity(raw.len().min(MAX_CALLS));
        let mut faults = Vec::with_capacity(calls.capacity());
        let mut left = MAX_ARGUMENTS;
        for (nth, raw) in raw.into_iter().take(MAX_CALLS).enumerate() {
            let (arguments, fault) = if surplus > 0 && nth + 1 == MAX_CALLS {
                (Value::Null, Some(format!("a message may have {MAX_CALLS} calls, and {surplus} more stood behind this one")))
            } else if raw.arguments.len() > left {
                (Value::Null, Some(format!("the arguments of a message may have {MAX_ARGUMENTS} bytes together")))
            } else {
                left -= raw.arguments.len();
                arguments(&raw.arguments)
            };
            let id = self.id(raw.id, &calls, ingest);
            calls.push(Call { id, name: name(&raw.name), arguments });
            faults.push(fault);
        }
        (calls, faults)
    }

    /// An id of our own: one that the events named already, or a new one. A provider's is never kept: two branches of a fork
    /// may both be given it, and meet at the join.
    fn id(&self, given: Option<String>, before: &[Call], ingest: &mut Ingest<'_>) -> String {
        let new = |id: &str| !self.talk.messages.may_have_call(id) && before.iter().all(|call| call.id != id);
        if let Some(id) = given.filter(|id| is_own_id(id) && new(id)) {
            return id;
        }
        let made = own_id(ingest.fresh());
        // A generator that repeats itself must not make two calls one.
        let numbered = (2_u64..).map(|n| format!("{made}_{n}"));
        std::iter::once(made.clone()).chain(numbered).find(|id| new(id)).unwrap_or(made)
    }
}

/// What becomes of a call.
enum Fate {
    /// It stays open: a tool will run.
    Run,
    /// The user is asked.
    Ask(AskUserRequestInput),
    /// Something else of the message comes first.
    NotExecuted,
    /// It should ask, and cannot.
    Malformed(Malformed),
    /// Its arguments cannot be read.
    Unreadable(String),
}

fn fate(call: &Call, fault: Option<String>) -> Fate {
    match (call.name == ASK_USER, fault) {
        (true, Some(fault)) => Fate::Malformed(Malformed(fault)),
        (false, Some(fault)) => Fate::Unreadable(fault),
        (true, None) => parse(&call.arguments).map_or_else(Fate::Malformed, Fate::Ask),
        (false, None) => Fate::Run,
    }
}

/// The id of a call, of 128 fresh bits.
pub(in crate::agent) fn own_id(fresh: [u8; 16]) -> String {
    format!("{OWN}{:032x}", u128::from_be_bytes(fresh))
}

pub(in crate::agent) fn is_own_id(id: &str) -> bool {
    let digit = |byte: u8| byte.is_ascii_digit() || matches!(byte, b'a'..=b'f');
    id.strip_prefix(OWN).is_some_and(|digits| digits.len() == 32 && digits.bytes().all(digit))
}

/// A rejected question to the user?
pub(in crate::agent) fn rejected_ask(result: &ToolResult) -> bool {
    result.name == ASK_USER && result.status == ToolStatus::Rejected
}

/// No text at all is how some providers say "no arguments".
fn arguments(text: &str) -> (Value, Option<String>) {
    if text.trim().is_empty() {
        return (Value::Object(serde_json::Map::new()), None);
    }
    match json::parse(text) {
        Ok(value) => (value, None),
        Err(fault) => (Value::Null, Some(format!("its arguments are not usable JSON: {fault}"))),
    }
}

/// The name with characters that providers refuse replaced: one they refuse would spoil every later request.
fn name(given: &str) -> String {
    let usable = |c: char| if c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.') { c } else { '_' };
    let name: String = given.chars().take(MAX_NAME).map(usable).collect();
    if name.is_empty() { "unnamed".into() } else { name }
}
