//! The graph of one call, and how it stands in a graph around a conversation.

use graphwright_macros::{Route, node, router};

use super::ask::approve;
use super::state::{Asked, CallState};
use crate::agent::conversation::{Conversation, HasConversation};
use crate::agent::message::{Call, Message, ToolResult};
use crate::agent::toolset::{Came, HasTools, Leave};
use crate::context::Context;
use crate::error::NodeError;
use crate::graph;
use crate::interrupt::{Open, OpenRecord};
use crate::mount::{Entry, Family, Left, Mount};
use crate::node::Refused;
use crate::state::{Anything, FieldSet, Update};

graph! {
    /// One call of a tool: asks where the tool needs an approval, then runs it.
    ///
    /// Stands behind a model, once for each of its calls, over any state with a conversation and any dependencies with
    /// tools. Several calls are asked at once, each by itself; every call gets exactly one result, behind its message and
    /// in the order of the calls, whatever is decided.
    ///
    /// ```text
    /// react -> match next { Tools => each agent::open_calls { tool_call } -> react, Finish => end };
    /// tool_call: graph agent::ToolCall;
    /// ```
    ///
    /// A front end answers the question as that of any interrupt: `Q::tool_call(q) => q.accept(Approval::Approve)`.
    ///
    /// It waits for as long as it takes. For a deadline, write one over the same parts: [`CallState`](super::CallState).
    pub ToolCall<D: HasTools>(CallState, D) {
        start -> approve;
        approve -> match {
            Approve | Edit => run_call,
            Reject | Respond | Declined | Cancelled => end,
        };
        run_call -> match { Done => end, NeedsAnswer => approve };
    }
}

/// What [`run_call`](fn@run_call) came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Route)]
#[route(crate = crate)]
pub enum Ran {
    /// There is a result.
    Done,
    /// The tool wants to know something first, by [`ToolError::ask`](crate::agent::ToolError::ask).
    NeedsAnswer,
}

/// Runs the call of a [`ToolCall`], if it needs no approval, or with the one that it has.
#[node(tools, needs_approval, writes(asks, result), crate = crate)]
pub async fn run_call<D: HasTools + Send + Sync + 'static>(state: &CallState, cx: &Context<D>) -> (Update<CallState, run_call>, Ran) {
    let approved = state.approved.as_ref().map(|approved| approved.0.as_str());
    match cx.deps().tools().call_with(&state.call, Leave { ran: &state.ran, approved }, cx).await {
        Came::Asks(question) => (CallState::update().asks(Asked(question)), Ran::NeedsAnswer),
        Came::Done(result) => (CallState::update().result(told(state, result)), Ran::Done),
    }
}

/// The model called it otherwise: it is told what ran.
fn told(state: &CallState, result: ToolResult) -> ToolResult {
    if !state.edited {
        return result;
    }
    let content = format!("It was called with other arguments: {}\n{}", state.call.arguments, result.content);
    ToolResult { content, ..result }
}

/// The calls of the model's last message that have no result, in their order: what stands after `each`.
#[router(crate = crate)]
pub fn open_calls<S: HasConversation>(state: &S) -> Vec<Call> {
    last_open_calls(state.conversation())
}

fn last_open_calls(talk: &Conversation) -> Vec<Call> {
    let last = talk.messages().rev().find(|message| !matches!(message, Message::Tool(_)));
    let calls = last.map(Message::calls).unwrap_or_default();
    calls.iter().filter(|call| talk.is_open(&call.id)).cloned().collect()
}

impl<S: HasConversation, D: HasTools + Send + Sync + 'static> Mount<S, D, Call> for ToolCall {
    type Graph = <Self as Family<CallState, D>>::Graph;
    // There is one place that asks: what a front end holds is its question, with no enum around it.
    type Open = Open<approve>;
    // A conversation is merged, so that it may be written beside others.
    const WRITES: FieldSet = FieldSet::EMPTY;

    fn enter(outer: &S, call: &Call) -> Entry<Self::Graph> {
        Entry::Input(CallState::of(outer.conversation(), call))
    }

    fn leave(left: Left<Self::Graph>) -> Result<Vec<S::Patch>, NodeError> {
        Ok(vec![S::widen(S::say::<Anything>(left.state.result().into()))])
    }

    fn open(record: OpenRecord) -> Result<Open<approve>, Refused> {
        Open::new(record)
    }
}
