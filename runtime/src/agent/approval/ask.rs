//! The interrupt that puts a call to somebody.

use graphwright_macros::node;

use super::decision::Approval;
use super::question::ApproveCall;
use super::state::{Approved, CallState, not_answered};
use crate::agent::message::{Call, ToolResult, ToolStatus};
use crate::agent::tool::{MAX_RESULT_BYTES, fit};
use crate::agent::toolset::HasTools;
use crate::context::Context;
use crate::error::{BadAnswer, NodeError};
use crate::interrupt::{Answer, Ask, Interrupt};
use crate::state::Update;
use crate::token::Token;

/// Puts a call to somebody where its tool needs an approval, or where the tool itself asks; else it goes on at once.
///
/// What was approved is what runs: the answer is bound to the call's id and to a digest of its arguments.
#[derive(Debug, Clone, Copy)]
#[expect(non_camel_case_types, reason = "a node is called as its place is")]
pub struct approve;

/// Puts a call to somebody where its tool needs an approval, or where the tool itself asks; else it goes on at once.
#[node(approves, writes(call, approved, asks, edited, result), crate = crate)]
impl<D: HasTools + Send + Sync + 'static> Interrupt<CallState, D> for approve {
    type Question = ApproveCall;
    type Answer = Approval;

    async fn ask(state: &CallState, cx: &Context<D>) -> Result<Ask<Self>, NodeError> {
        let asks = state.asks.as_ref().map(|asked| asked.0.as_str());
        let free = asks.is_none() && !cx.deps().tools().has_to_ask(&state.call, &state.ran, cx);
        let asked = ApproveCall::of(&state.call, asks, free);
        if free {
            return Ok(Ask::question(asked).answered(Answer::Accepted(Approval::Approve)));
        }
        let approvers = cx.deps().approvers(&asked);
        Ok(approvers.into_iter().fold(Ask::question(asked), Ask::to))
    }

    async fn notify(_: &CallState, asked: &ApproveCall, token: &Token, cx: &Context<D>) -> Result<(), NodeError> {
        D::notify_approvers(asked, token, cx).await
    }

    fn check(state: &CallState, asked: &ApproveCall, answer: &Approval) -> Result<(), BadAnswer> {
        if asked.digest() != state.call.digest() {
            return Err(BadAnswer::new("the call is not the one that was asked about: its arguments changed"));
        }
        match answer {
            Approval::Approve | Approval::Edit(_) if asked.asks().is_some() => {
                Err(BadAnswer::new("the tool has run and wants an answer: respond, or reject"))
            }
            Approval::Edit(arguments) if !arguments.is_object() => Err(BadAnswer::new("arguments are an object")),
            Approval::Edit(arguments) => fit(arguments).map_err(BadAnswer::new),
            Approval::Respond(text) if text.trim().is_empty() => Err(BadAnswer::new("a response has a text")),
            Approval::Reject(text) | Approval::Respond(text) if text.len() > MAX_RESULT_BYTES => {
                Err(BadAnswer::new(format!("a text has at most {MAX_RESULT_BYTES} bytes")))
            }
            Approval::Approve | Approval::Reject(_) | Approval::Respond(_) => Ok(()),
        }
    }

    fn resume(state: &CallState, asked: &ApproveCall, answer: Answer<Approval>) -> Result<Update<CallState, Self>, NodeError> {
        let update = CallState::update().asks(None);
        let call = &state.call;
        let name = &call.name;
        Ok(match answer {
            Answer::Accepted(Approval::Approve) if asked.free => update,
            Answer::Accepted(Approval::Approve) => update.approved(Approved(asked.digest().to_owned())),
            Answer::Accepted(Approval::Edit(arguments)) => {
                let edited = *asked.arguments() != arguments;
                let call = Call { arguments, ..call.clone() };
                update.approved(Approved(call.digest())).call(call).edited(edited)
            }
            Answer::Accepted(Approval::Respond(text)) => {
                // What answers the tool's own question is what the tool gives.
                let status = if asked.asks().is_some() { ToolStatus::Ok } else { ToolStatus::NotExecuted };
                update.result(ToolResult::new(call, status, text))
            }
            Answer::Accepted(Approval::Reject(why)) if why.trim().is_empty() => {
                update.result(rejected(call, format!("`{name}` was rejected. Go on without it.")))
            }
            Answer::Accepted(Approval::Reject(why)) => update.result(rejected(call, format!("`{name}` was rejected: {why}"))),
            Answer::Declined => update.result(rejected(call, format!("`{name}` was declined. Go on without it."))),
            Answer::Cancelled => update.result(not_answered(call)),
        })
    }
}

fn rejected(call: &Call, why: String) -> ToolResult {
    ToolResult::new(call, ToolStatus::Rejected, why)
}
