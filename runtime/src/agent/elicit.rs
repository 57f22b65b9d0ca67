//! The node that puts the model's question to the user and takes the answer back.

use graphwright_macros::node;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::ask_user::{ASK_USER, AskUserRequest, AskUserResponse, validate_against_request};
use super::conversation::HasConversation;
use super::message::{ToolResult, ToolStatus};
use crate::context::Context;
use crate::error::{BadAnswer, NodeError};
use crate::interrupt::{Answer, Ask, Interrupt};

/// Puts what the model wants to know to the user, and waits.
///
/// Stands behind the gate: `react -> elicitation if ask_user_pending;`. The question is the one that was stored with
/// the model's message, so asking again after a crash gives the same ids. The answer becomes the result of the model's
/// call; where none comes, the result says so.
#[derive(Debug, Clone, Copy)]
#[expect(non_camel_case_types, reason = "a node is called as its place is")]
pub struct elicitation;

/// What a front end is given when the model asks: `{"type": "ask_user", "tool_call_id": .., "request": ..}`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AskUser {
    #[serde(rename = "type")]
    kind: Kind,
    tool_call_id: String,
    request: AskUserRequest,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Kind {
    AskUser,
}

impl AskUser {
    /// The model's call: the answer will be its result.
    #[must_use]
    pub fn tool_call_id(&self) -> &str {
        &self.tool_call_id
    }

    /// What is asked.
    #[must_use]
    pub fn request(&self) -> &AskUserRequest {
        &self.request
    }
}

/// [`elicitation`] was entered, but the model asks nothing in this turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the elicitation was entered, but the model asks nothing in this turn: lead to it by `-> elicitation if ask_user_pending`")]
pub struct NothingToAsk;

/// Puts what the model wants to know to the user, and waits.
#[node(elicitation, writes(conversation), crate = crate)]
impl<S: HasConversation, D: Send + Sync + 'static> Interrupt<S, D> for elicitation {
    type Question = AskUser;
    type Answer = AskUserResponse;

    async fn ask(state: &S, cx: &Context<D>) -> Result<Ask<Self>, NodeError> {
        // Not its age: the gate judged that by the time of the row, and a later look must not disagree.
        let pending = state.conversation().pending_of(cx.turn()).ok_or_else(|| NodeError::fatal(NothingToAsk))?;
        let (tool_call_id, request) = (pending.tool_call_id().to_owned(), pending.request().clone());
        Ok(Ask::question(AskUser { kind: Kind::AskUser, tool_call_id, request }))
    }

    fn check(_: &S, asked: &AskUser, answer: &AskUserResponse) -> Result<(), BadAnswer> {
        validate_against_request(answer, &asked.request).map_err(BadAnswer::from)
    }

    fn resume(_: &S, asked: &AskUser, answer: Answer<AskUserResponse>) -> Result<S::Update<Self>, NodeError> {
        let (status, content) = match answer {
            Answer::Accepted(response) => (ToolStatus::Ok, response.report(&asked.request)),
            Answer::Declined => (ToolStatus::NotAnswered, "No answer came: the user declined to answer. Go on without it.".to_owned()),
            Answer::Cancelled => (ToolStatus::NotAnswered, "No answer came: the question was cancelled. Go on without it.".to_owned()),
        };
        Ok(S::say(ToolResult { call: asked.tool_call_id.clone(), name: ASK_USER.to_owned(), status, content }.into()))
    }
}
