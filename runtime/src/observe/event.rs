//! The one event type.

use std::fmt;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::wire::Wire;
use crate::id::{QuestionId, RunId, ThreadId, TurnId};
use crate::usage::Usage;

/// Something that happened in a run. Ids grow within a run.
///
/// It is sent as one JSON object, with the version of that form first:
///
/// ```json
/// {"v":1,"id":9,"run":"0101…","turn":"0202…","thread":"t","step":3,"path":"a","elapsed":{"secs":1,"nanos":0},
///  "kind":{"type":"committed","seq":4}}
/// ```
///
/// `kind` has the name of an [`EventKind`] in snake case as its `type`, beside its fields; ids are in hexadecimal, durations
/// in `secs` and `nanos`, a [`Mark`] is a word. A new kind or a new field does not change the version; what a reader of it
/// would misread does, and is refused by it. Keys and tokens are in no event; what the user asks, states and says is in
/// those whose fields hold it.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Event {
    /// The version of the form in which it is sent.
    pub(crate) v: Wire,
    /// Its number in the run, from one; in a [`Subscription`](crate::Subscription), in the thread.
    pub id: u64,
    /// The run. What no run did, such as an answer that nobody drives yet, is told under an id of its own.
    pub run: RunId,
    /// The turn.
    pub turn: TurnId,
    /// The thread, where there is one.
    pub thread: Option<ThreadId>,
    /// Steps committed in the turn before this.
    pub step: u64,
    /// Where: the place, behind the branches and mounted graphs around it.
    pub path: String,
    /// Since the run started.
    pub elapsed: Duration,
    /// What.
    pub kind: EventKind,
}

/// What happened. New kinds may come: match with a wildcard. Its `Debug` shows how long it is what somebody says, asks or
/// states, and not the thing itself, so that an event can be logged.
#[derive(Clone, Serialize, Deserialize, PartialEq)]
#[serde(tag = "type", rename_all = "snake_case")]
#[non_exhaustive]
pub enum EventKind {
    /// The first event of every run.
    RunStarted {
        /// Whether it goes on after a pause, a stop or a crash.
        resumed: bool,
        /// The run that it goes on from, if that one ended without a word.
        after: Option<RunId>,
    },
    /// The last event of every run.
    RunEnded {
        /// How it ended.
        outcome: Mark,
    },
    /// A place begins.
    NodeStarted {
        /// The place.
        place: String,
    },
    /// A place's body is done; it counts once it is committed.
    NodeEnded {
        /// The place.
        place: String,
    },
    /// A place failed.
    NodeFailed {
        /// The place.
        place: String,
        /// The error.
        error: String,
    },
    /// A place gives again what it gave for the same key: its body does not run.
    Cached {
        /// The place.
        place: String,
    },
    /// What a step wrote: only in streams that ask for [`Mode::Updates`](crate::Mode::Updates).
    Updated {
        /// The place.
        place: String,
        /// The update, as it is stored.
        update: serde_json::Value,
    },
    /// The state of the root: only in streams that ask for [`Mode::Values`](crate::Mode::Values).
    State {
        /// All of it.
        state: serde_json::Value,
    },
    /// A way was taken.
    EdgeTaken {
        /// Its number in the topology.
        way: u16,
        /// From this place; `start` at the beginning.
        from: String,
        /// To this place; the exit's name at the end.
        to: String,
    },
    /// Something is durable.
    Committed {
        /// The thread's version now.
        seq: u64,
    },
    /// The thread waits.
    Paused {
        /// Open questions.
        questions: usize,
    },
    /// An answer was taken and the graph goes on.
    Resumed {
        /// The question.
        question: QuestionId,
    },
    /// A question is open.
    AskUserQuestion {
        /// Which.
        question: QuestionId,
        /// The place that asks.
        place: String,
        /// What is asked.
        content: serde_json::Value,
    },
    /// A question was answered: the answer is durable.
    AskUserAnswered {
        /// Which.
        question: QuestionId,
        /// How long the person took.
        waited: Duration,
    },
    /// A question ran out of time.
    AskUserExpired {
        /// Which.
        question: QuestionId,
    },
    /// A model is called.
    ModelStarted {
        /// Its name.
        model: String,
    },
    /// The model is done, or was dropped.
    ModelEnded {
        /// Its name.
        model: String,
        /// How it went.
        outcome: Mark,
        /// Why the model stopped, as the provider says it.
        stop: Option<String>,
    },
    /// A piece of the answer.
    TextDelta {
        /// The piece.
        text: String,
    },
    /// A piece of the model's thinking.
    ThinkingDelta {
        /// The piece.
        text: String,
    },
    /// The model begins to call a tool.
    ToolCallStarted {
        /// The call.
        call: String,
        /// The tool.
        tool: String,
    },
    /// A piece of the call's arguments.
    ToolCallDelta {
        /// The call.
        call: String,
        /// The piece.
        arguments: String,
    },
    /// A rewriter would have made this call one of a tool that was not offered: it stays what it was, or is left out if
    /// the rewriter made it.
    RewriteDropped {
        /// The call; empty if it had no id yet.
        call: String,
        /// The tool that it was to be.
        tool: String,
    },
    /// A tool runs.
    ToolStarted {
        /// The call.
        call: String,
        /// The tool.
        tool: String,
    },
    /// The tool is done, or was dropped.
    ToolEnded {
        /// The call.
        call: String,
        /// The tool.
        tool: String,
        /// How it went.
        outcome: Mark,
    },
    /// A tool tells how far it is.
    ToolProgress {
        /// The call.
        call: String,
        /// What it says.
        message: String,
    },
    /// What a model call cost: counted for its turn.
    Usage(Usage),
    /// Something of the user's own.
    Custom {
        /// Its name.
        name: String,
        /// Its content.
        content: serde_json::Value,
    },
}

impl fmt::Debug for EventKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Ok(serde_json::Value::Object(fields)) = serde_json::to_value(self) else { return f.write_str("EventKind") };
        let mut shown = f.debug_struct(fields.get("type").and_then(serde_json::Value::as_str).unwrap_or_default());
        for (field, value) in fields.iter().filter(|(field, _)| *field != "type") {
            match field.as_str() {
                "text" | "arguments" | "content" | "update" | "state" | "message" => {
                    shown.field(field, &format_args!("<{} bytes>", value.to_string().len()))
                }
                _ => shown.field(field, &format_args!("{value}")),
            };
        }
        shown.finish()
    }
}

/// How something ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Mark {
    /// It reached its end.
    Completed,
    /// It waits for an answer.
    Paused,
    /// It was stopped: by a limit, a deadline, a loop cut.
    Stopped,
    /// It failed.
    Failed,
    /// Somebody cancelled it.
    Cancelled,
    /// Its caller went away.
    Abandoned,
    /// Another run took the thread over.
    Displaced,
}
