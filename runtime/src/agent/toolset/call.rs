//! The one place where tools are called.

use std::panic::{AssertUnwindSafe, catch_unwind};

use super::guard::Verdict;
use super::{AT_ONCE, Entry, MAX_NAME_BYTES, Toolset};
use crate::agent::ask_user::ASK_USER;
use crate::agent::conversation::Conversation;
use crate::agent::message::{Call, Message, ToolResult, ToolStatus};
use crate::agent::tool::{Fault, MAX_RESULT_BYTES, contain, cut, fit, join};
use crate::context::Context;
use crate::observe::{EventKind, Mark};

/// What a call is judged by, beside itself.
#[derive(Clone, Copy)]
pub(in crate::agent) struct Leave<'a> {
    /// The tools that gave a result before the message that makes the call.
    pub(in crate::agent) ran: &'a [String],
    /// The digest of what somebody approved.
    pub(in crate::agent) approved: Option<&'a str>,
}

/// What a call came to.
pub(in crate::agent) enum Came {
    /// Its result.
    Done(ToolResult),
    /// The tool wants to know this, and what is answered is its result.
    Asks(String),
}

impl<D: Send + Sync + 'static> Toolset<D> {
    /// Runs one call. Whatever goes wrong is in the result, for the model to read: there is no such tool, its arguments
    /// do not fit, it failed, it panicked.
    ///
    /// Nobody approved it, and no conversation is around it: where the tool needs an approval, or the result of another
    /// tool first, the call is refused.
    ///
    /// Tells [`EventKind::ToolStarted`] and [`EventKind::ToolEnded`], also when it is dropped halfway.
    pub async fn call(&self, call: &Call, cx: &Context<D>) -> ToolResult {
        self.call_alone(call, Leave { ran: &[], approved: None }, cx).await
    }

    /// Runs every open call of the conversation, some at a time, in this task; the results are in the order of the calls.
    ///
    /// Nobody approved them: a call of a tool that needs an approval is refused. [`ToolCall`](crate::agent::ToolCall) asks.
    pub async fn call_open(&self, talk: &Conversation, cx: &Context<D>) -> Vec<ToolResult> {
        self.call_approved(talk, &[], cx).await
    }

    /// The same, and somebody approved what has these digests: [`Call::digest`] of what they were shown. For an interrupt
    /// of your own, `#[node(approves)]`, that asks for several calls at once.
    pub async fn call_approved(&self, talk: &Conversation, digests: &[String], cx: &Context<D>) -> Vec<ToolResult> {
        let calls: Vec<(&Call, Vec<String>)> = talk.open_calls().into_iter().map(|call| (call, ran_before(talk, &call.id))).collect();
        let approved = |call: &Call| digests.iter().find(|digest| **digest == call.digest()).map(String::as_str);
        // Made first: a closure held over an await makes this future one that rustc cannot prove `Send`.
        let runs: Vec<_> = calls.iter().map(|(call, ran)| self.call_alone(call, Leave { ran, approved: approved(call) }, cx)).collect();
        join(AT_ONCE, runs).await
    }

    /// Whether somebody has to approve this call before it runs. A call that cannot run, since there is no such tool or
    /// its arguments do not fit, needs no approval.
    #[must_use]
    pub fn needs_approval(&self, call: &Call, cx: &Context<D>) -> bool {
        let needs = |entry: &Entry<D>| fit(&call.arguments).is_ok() && needs(entry, call, cx);
        self.entry(&call.name).is_some_and(needs)
    }

    /// The same; and a call that is refused for what has not run before it is put to nobody.
    pub(in crate::agent) fn has_to_ask(&self, call: &Call, ran: &[String], cx: &Context<D>) -> bool {
        self.entry(&call.name).is_some_and(|entry| entry.unmet(ran).is_none()) && self.needs_approval(call, cx)
    }

    async fn call_alone(&self, call: &Call, leave: Leave<'_>, cx: &Context<D>) -> ToolResult {
        match self.call_with(call, leave, cx).await {
            Came::Done(result) => result,
            Came::Asks(_) => {
                let why = format!("error: `{}` wants to ask somebody, and nobody can be asked here: go on without it", call.name);
                ToolResult::new(call, ToolStatus::Error, why)
            }
        }
    }

    /// Runs one call as far as it has leave to.
    pub(in crate::agent) async fn call_with(&self, call: &Call, leave: Leave<'_>, cx: &Context<D>) -> Came {
        let (status, content) = match self.try_call(call, leave, cx).await {
            Ok(content) => (ToolStatus::Ok, content),
            Err(Fault::Failed(fault)) => (ToolStatus::Error, format!("error: {fault}")),
            Err(Fault::Refused(why)) => (ToolStatus::Rejected, cut(why, MAX_RESULT_BYTES)),
            Err(Fault::Asks(question)) => return Came::Asks(question),
        };
        Came::Done(ToolResult::new(call, status, content))
    }

    async fn try_call(&self, call: &Call, leave: Leave<'_>, cx: &Context<D>) -> Result<String, Fault> {
        let entry = self.entry(&call.name).ok_or_else(|| Fault::Failed(self.unknown(&call.name)))?;
        fit(&call.arguments).map_err(Fault::Failed)?;
        if let Some(first) = entry.unmet(leave.ran) {
            let name = &call.name;
            return Err(Fault::Refused(format!(
                "`{name}` did not run: it needs a result of `{first}` first. Call `{first}`, and `{name}` in a later message."
            )));
        }
        let approved = approved(call, leave.approved)?;
        let cx = cx.for_call(&call.id);
        self.guard(call, &cx).await?;
        // Last of all, so that nothing that is waited for comes between this and the tool.
        if !approved && needs(entry, call, &cx) {
            return Err(Fault::Refused(format!("`{}` did not run: somebody has to approve it, and nobody did.", call.name)));
        }
        let (id, tool) = (call.id.clone(), call.name.clone());
        let start = EventKind::ToolStarted { call: id.clone(), tool: tool.clone() };
        let span = cx.span(start, move |outcome| EventKind::ToolEnded { call: id, tool, outcome }).await;
        let done = contain((entry.run)(call.arguments.clone(), &cx)).await;
        // What it panicked with may hold anything: it stays with the panic hook.
        let inside = "the tool failed inside; calling it again the same way will not help";
        let done = done.unwrap_or_else(|_| Err(Fault::Failed(inside.to_owned())));
        span.end(match done {
            Ok(_) => Mark::Completed,
            Err(Fault::Asks(_)) => Mark::Paused,
            Err(_) => Mark::Failed,
        });
        done
    }

    /// Every guard in turn, until one says no.
    async fn guard(&self, call: &Call, cx: &Context<D>) -> Result<(), Fault> {
        for guard in self.guards.iter() {
            match contain(guard.look(call, cx)).await {
                Ok(Ok(Verdict::Proceed)) => {}
                Ok(Ok(Verdict::Skip { result })) => return Err(Fault::Refused(result)),
                // What it says may hold anything: it is not for the model, and not for a log.
                Ok(Err(_)) | Err(_) => {
                    tracing::warn!(target: "graphwright", tool = %call.name, "a guard failed: the call is refused");
                    return Err(Fault::Refused(format!("`{}` did not run: whether it may could not be found out.", call.name)));
                }
            }
        }
        Ok(())
    }

    fn unknown(&self, name: &str) -> String {
        if name == ASK_USER {
            return "nobody was asked: the user cannot be asked here; go on without asking".to_owned();
        }
        let name = cut(name.escape_debug().to_string(), MAX_NAME_BYTES);
        let known: Vec<&str> = self.names().collect();
        match known.as_slice() {
            [] => format!("there is no tool `{name}`, and no other either: answer without one"),
            known => format!("there is no tool `{name}`; there are: {}", known.join(", ")),
        }
    }
}

/// Whether this very call was approved. One that is not what was approved does not run, whatever its tool asks for.
fn approved(call: &Call, digest: Option<&str>) -> Result<bool, Fault> {
    match digest {
        None => Ok(false),
        Some(digest) if digest == call.digest() => Ok(true),
        Some(_) => Err(Fault::Refused(format!("`{}` did not run: it is not what was approved.", call.name))),
    }
}

/// A predicate that panics wants an approval.
fn needs<D>(entry: &Entry<D>, call: &Call, cx: &Context<D>) -> bool {
    catch_unwind(AssertUnwindSafe(|| (entry.needs_approval)(&call.arguments, cx))).unwrap_or(true)
}

/// The tools that gave a result before the message that makes this call. What was not executed, failed or was refused
/// gave none.
pub(in crate::agent) fn ran_before(talk: &Conversation, call: &str) -> Vec<String> {
    let mut ran: Vec<String> = Vec::new();
    for message in talk.messages() {
        if message.calls().iter().any(|made| made.id == call) {
            break;
        }
        if let Message::Tool(ToolResult { name, status: ToolStatus::Ok, .. }) = message
            && !ran.contains(name)
        {
            ran.push(name.clone());
        }
    }
    ran
}
