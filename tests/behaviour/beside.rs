//! Cases 28, 33 and 41: what stands beside the elicitation in a graph.

use graphwright::agent::{Conversation, Model, Reply, Scripted, ToolStatus, Toolset, ask_user_pending, elicitation, tool_calls};
use graphwright::prelude::*;
use graphwright::{Memory, RunError, graph};
use serde_json::json;

use super::kit::{calls, good};

#[derive(Clone, Debug, Default, Serialize, Deserialize, State)]
pub(super) struct Case {
    #[state(conversation)]
    talk: Conversation,
    #[state(sum)]
    acknowledged: u32,
    wants_approval: bool,
}

#[derive(Clone)]
pub(super) struct Deps {
    model: Model,
    tools: Toolset<Deps>,
}

impl Deps {
    fn of(replies: impl IntoIterator<Item = Reply>) -> (Self, Scripted) {
        let script = Scripted::new(replies);
        (Self { model: Model::new(script.clone()), tools: toolset![lookup].unwrap() }, script)
    }
}

/// Looks something up.
#[tool]
fn lookup() -> Result<String, ToolError> {
    Ok("found".to_owned())
}

/// An answer without a field.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Seen {}

pub(super) struct Acknowledge;

/// Waits until somebody has seen it.
#[node]
impl Interrupt<Case, Deps> for Acknowledge {
    type Question = ();
    type Answer = Seen;
    async fn ask(_: &Case, _: &Context<Deps>) -> Result<Ask<Self>, NodeError> {
        Ok(Ask::question(()))
    }
    fn resume(_: &Case, (): &(), _: Answer<Seen>) -> NodeResult<Self> {
        Ok(Case::update().acknowledged(1_u32).wants_approval(false))
    }
}

/// Calls the model, which may ask.
#[node(model, asks)]
pub(super) async fn react(case: &Case, cx: &Context<Deps>) -> NodeResult<Case> {
    let reply = cx.deps().model.chat(&case.talk).tools(&cx.deps().tools).ask_user().send(cx).await?;
    Ok(Case::update().talk(reply).wants_approval(case.acknowledged == 0))
}

/// Calls the model, which may not.
#[node(model)]
pub(super) async fn plain(case: &Case, cx: &Context<Deps>) -> NodeResult<Case> {
    Ok(Case::update().talk(cx.deps().model.chat(&case.talk).tools(&cx.deps().tools).send(cx).await?))
}

/// Runs what the model called.
#[node(tools)]
pub(super) async fn run_tools(case: &Case, cx: &Context<Deps>) -> NodeResult<Case> {
    Ok(Case::update().talk(cx.deps().tools.call_open(&case.talk, cx).await))
}

#[router]
pub(super) fn wants_approval(case: &Case) -> bool {
    case.wants_approval
}

graph! {
    /// Waits for somebody.
    pub(super) Wait(Case, Deps) { start -> Acknowledge -> end; }
}

graph! {
    /// Does not ask, whatever the model calls.
    pub(super) Silent(Case, Deps) {
        start -> plain;
        plain -> match tool_calls { Finish => end, Continue => run_tools, Repeating => end repeating };
        run_tools -> plain;
    }
}

graph! {
    /// An approval and a question after one message.
    pub(super) Both(Case, Deps) {
        start -> react;
        react -> approve if wants_approval;
        react | approve -> elicitation if ask_user_pending;
        react | approve -> match tool_calls { Finish => end, Continue => run_tools, Repeating => end repeating };
        elicitation | run_tools -> react;
        approve: Acknowledge;
    }
}

#[tokio::test]
async fn b028_an_answer_without_a_field_resumes_once() {
    let (deps, _) = Deps::of([]);
    let thread = Wait::app(deps, Memory::new()).thread("t");
    let mut questions = thread.run("hello").await.unwrap().paused().unwrap().questions;
    let Question::<Wait>::Acknowledge(open) = questions.remove(0);
    let done = thread.resume(open.accept(Seen {})).await.unwrap().completed().unwrap();
    assert_eq!(done.output.acknowledged, 1);
    assert_eq!(done.output.talk.len(), 1, "nothing of it is in the conversation");
    let again = thread.resume(open.accept(Seen {})).await.unwrap_err();
    assert!(matches!(again, RunError::Spent { same_answer: true, .. }), "{again}");
    assert_eq!(thread.state().await.unwrap().unwrap().acknowledged, 1);
}

#[tokio::test]
async fn b033_where_nobody_can_be_asked_the_call_has_an_error() {
    let (deps, script) = Deps::of([calls("c", [("ask_user", good())]), Reply::text("Then I do not ask.")]);
    let thread = Silent::app(deps, Memory::new()).thread("t");
    let done = thread.run("hello").await.unwrap().completed().unwrap();
    assert_eq!(script.requests()[0].tools, ["lookup"], "it is not offered");
    assert_eq!(done.output.talk.last_text(), Some("Then I do not ask."));
    assert!(done.output.talk.pending().is_none());
    let graphwright::agent::Message::Tool(result) = done.output.talk.messages().nth(2).unwrap() else { panic!() };
    assert_eq!((result.status, result.name.as_str()), (ToolStatus::Error, "ask_user"));
    assert!(result.content.contains("nobody was asked"), "{}", result.content);
}

#[tokio::test]
async fn b041_an_approval_and_a_question_are_put_one_after_the_other() {
    let (deps, script) = Deps::of([calls("c", [("lookup", json!({})), ("ask_user", good())]), Reply::text("Done.")]);
    let thread = Both::app(deps, Memory::new()).thread("t");
    type Q = Question<Both>;
    let mut questions = thread.run("hello").await.unwrap().paused().unwrap().questions;
    let Q::approve(open) = questions.remove(0) else { panic!("the approval is first") };
    assert!(questions.is_empty());
    let mut questions = thread.resume(open.accept(Seen {})).await.unwrap().paused().unwrap().questions;
    let Q::elicitation(open) = questions.remove(0) else { panic!("the question is next") };
    let done = thread.resume(open.cancel()).await.unwrap().completed().unwrap();
    assert_eq!(done.output.acknowledged, 1);
    let names: Vec<_> = script.requests()[1]
        .messages
        .iter()
        .filter_map(|message| match message {
            graphwright::agent::Message::Tool(result) => Some((result.name.clone(), result.status)),
            _ => None,
        })
        .collect();
    assert_eq!(names, [("lookup".to_owned(), ToolStatus::NotExecuted), ("ask_user".to_owned(), ToolStatus::NotAnswered)]);
}
