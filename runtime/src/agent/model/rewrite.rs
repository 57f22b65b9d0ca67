//! What may change a reply before it counts.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use crate::agent::message::{RawCall, Reply, ToolSpec};
use crate::error::NodeError;

/// Changes what a model said, before anything is made of it: [`Model::rewritten`](super::Model::rewritten).
///
/// Rewriters chain in order: the whole reply through all of them, then each of its calls. They fail closed: an error or a
/// panic in one, and nothing of the reply counts. A call that one turns into a call of a tool that was not offered stays
/// what it was, which [`EventKind::RewriteDropped`](crate::EventKind::RewriteDropped) tells; one that becomes `ask_user`
/// asks the user. What somebody approves comes later, so that what they see is what runs.
///
/// ```
/// use graphwright::NodeError;
/// use graphwright::agent::{Model, Reply, Rewriter, Scripted};
///
/// struct Redact;
/// impl Rewriter for Redact {
///     fn on_response(&self, mut reply: Reply) -> Result<Reply, NodeError> {
///         reply.text = reply.text.replace("4111 1111 1111 1111", "(card)");
///         Ok(reply)
///     }
/// }
/// let model = Model::new(Scripted::new([])).rewritten(Redact);
/// # let _ = model;
/// ```
pub trait Rewriter: Send + Sync + 'static {
    /// The whole reply.
    ///
    /// # Errors
    /// The call of the model fails with it.
    fn on_response(&self, reply: Reply) -> Result<Reply, NodeError> {
        Ok(reply)
    }

    /// One call of a tool, as the provider sent it: its arguments are text. Its id stays as it is.
    ///
    /// # Errors
    /// The call of the model fails with it.
    fn on_tool_call(&self, call: RawCall) -> Result<RawCall, NodeError> {
        Ok(call)
    }
}

/// A reply behind all rewriters.
pub(super) struct Rewritten {
    pub(super) reply: Reply,
    /// Calls that were to become calls of a tool that was not offered: their ids, and that tool.
    pub(super) dropped: Vec<(String, String)>,
}

pub(super) fn rewrite(rewriters: &[Arc<dyn Rewriter>], reply: Reply, offered: &[Arc<ToolSpec>]) -> Result<Rewritten, NodeError> {
    let mut dropped = Vec::new();
    let mut reply = reply;
    for rewriter in rewriters {
        let before = reply.calls.clone();
        reply = contained(|| rewriter.on_response(reply))?;
        let kept = |call| keep(call, &before, offered, &mut dropped);
        reply.calls = reply.calls.into_iter().filter_map(kept).collect();
    }
    for rewriter in rewriters {
        let mut calls = Vec::with_capacity(reply.calls.len());
        for before in reply.calls {
            let call = contained(|| rewriter.on_tool_call(before.clone()))?;
            let call = RawCall { id: before.id.clone(), ..call };
            calls.extend(keep(call, &[before], offered, &mut dropped));
        }
        reply.calls = calls;
    }
    Ok(Rewritten { reply, dropped })
}

/// The call; or what it was before, if there is no such tool now and there was one to begin with.
fn keep(call: RawCall, before: &[RawCall], offered: &[Arc<ToolSpec>], dropped: &mut Vec<(String, String)>) -> Option<RawCall> {
    let was = before.iter().find(|was| was.id == call.id);
    // What the model itself calls wrongly it is told of, as without a rewriter.
    if was.is_some_and(|was| was.name == call.name) || offered.iter().any(|tool| tool.name == call.name) {
        return Some(call);
    }
    dropped.push((call.id.unwrap_or_default(), call.name));
    was.cloned()
}

fn contained<T>(call: impl FnOnce() -> Result<T, NodeError>) -> Result<T, NodeError> {
    // What it panicked with may hold anything: it stays with the panic hook.
    catch_unwind(AssertUnwindSafe(call)).unwrap_or_else(|_| Err(NodeError::fatal("it panicked")))
}
