//! The ready-made nodes of a loop of model and tools.

use graphwright_macros::node;

use super::conversation::HasConversation;
use super::model::HasModel;
use super::toolset::HasTools;
use crate::context::Context;
use crate::error::NodeError;
use crate::node::IntoStep;

/// Calls the model with the conversation so far, offers it the tools of the dependencies, and lets it ask the user.
///
/// Stands in anybody's graph whose state has a conversation and whose dependencies have a model and tools. It asks, so
/// the gate stands behind it: `react -> elicitation if ask_user_pending;`. [`HasModel::system`] says what the model is
/// told before the conversation. For more, write a node of your own around [`Model::chat`](super::Model::chat).
#[node(model, asks, writes(conversation), crate = crate)]
pub async fn react<S: HasConversation, D: HasModel + HasTools + Send + Sync + 'static>(
    state: &S,
    cx: &Context<D>,
) -> Result<S::Update<react>, NodeError>
where
    S::Update<react>: IntoStep<S, react>,
{
    let deps = cx.deps();
    let chat = deps.model().chat(state.conversation()).system(deps.system()).tools(deps.tools()).ask_user();
    Ok(S::say(chat.send(cx).await?.into()))
}

/// Runs every call that has no result yet, some at a time, with the tools of the dependencies. It never fails: whatever
/// goes wrong with a call is its result, for the model to read.
///
/// It asks nobody: a call of a tool that needs an approval is refused when it comes. Which tools the dependencies hold is
/// known at run time only, so the compiler cannot say it earlier: with such tools, mount [`ToolCall`](super::ToolCall).
///
/// Leads back to the model: `tools -> react;`.
#[node(tools, writes(conversation), crate = crate)]
pub async fn tools<S: HasConversation, D: HasTools + Send + Sync + 'static>(state: &S, cx: &Context<D>) -> S::Update<tools>
where
    S::Update<tools>: IntoStep<S, tools>,
{
    S::say(cx.deps().tools().call_open(state.conversation(), cx).await.into())
}
