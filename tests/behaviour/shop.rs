//! An agent with a scripted model, whole: what the cases run that are about runs.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use graphwright::agent::{
    AskUserAnswer, AskUserResponse, Conversation, Message, Model, Reply, Scripted, ToolStatus, Toolset, ask_user_pending, close_repeating,
    elicitation, tool_calls,
};
use graphwright::prelude::*;
use graphwright::{App, Given, Memory, Outcome, graph};

#[derive(Clone, Debug, Default, Serialize, Deserialize, State)]
pub(super) struct Desk {
    #[state(conversation)]
    pub(super) talk: Conversation,
    /// How often the model's node ran.
    #[state(sum)]
    pub(super) rounds: u64,
}

#[derive(Clone)]
pub(super) struct Deps {
    model: Model,
    tools: Toolset<Deps>,
    /// Tools that ran, in order.
    pub(super) ran: Arc<Mutex<Vec<&'static str>>>,
    /// The first tool never ends.
    pub(super) hangs: Arc<AtomicBool>,
    /// So often it was dropped while it ran.
    pub(super) dropped: Arc<AtomicUsize>,
}

/// Counts when it is dropped.
struct Dropped(Arc<AtomicUsize>);

impl Drop for Dropped {
    fn drop(&mut self) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }
}

/// Looks something up.
#[tool]
async fn lookup(cx: &Context<Deps>) -> Result<String, ToolError> {
    cx.deps().ran.lock().unwrap().push("lookup");
    if cx.deps().hangs.load(Ordering::SeqCst) {
        let _dropped = Dropped(cx.deps().dropped.clone());
        std::future::pending::<()>().await;
    }
    Ok("found".to_owned())
}

/// Looks something else up.
#[tool]
async fn lookup2(cx: &Context<Deps>) -> Result<String, ToolError> {
    cx.deps().ran.lock().unwrap().push("lookup2");
    Ok("found".to_owned())
}

/// Calls the model.
#[node(model, asks)]
pub(super) async fn react(desk: &Desk, cx: &Context<Deps>) -> NodeResult<Desk> {
    let reply = cx.deps().model.chat(&desk.talk).tools(&cx.deps().tools).ask_user().send(cx).await?;
    Ok(Desk::update().talk(reply).rounds(1_u64))
}

/// Runs what the model called.
#[node(tools)]
pub(super) async fn run_tools(desk: &Desk, cx: &Context<Deps>) -> NodeResult<Desk> {
    Ok(Desk::update().talk(cx.deps().tools.call_open(&desk.talk, cx).await))
}

graph! {
    /// Answers customers.
    pub(super) Shop(Desk, Deps) {
        start -> react;
        react -> elicitation if ask_user_pending;
        react -> match tool_calls { Finish => end, Continue => run_tools, Repeating => close_repeating };
        elicitation | run_tools -> react;
        close_repeating -> end repeating;
    }
}

pub(super) type Q = Question<Shop>;

/// The agent over a store of its own, and what can be seen of it.
pub(super) struct Stage {
    pub(super) app: App<Shop>,
    pub(super) script: Scripted,
    pub(super) deps: Deps,
    pub(super) store: Memory,
}

impl Stage {
    pub(super) fn of(replies: impl IntoIterator<Item = Reply>) -> Self {
        Self::with(Scripted::new(replies))
    }

    pub(super) fn with(script: Scripted) -> Self {
        let tools = toolset![lookup, lookup2].unwrap();
        let deps = Deps { model: Model::new(script.clone()), tools, ran: Arc::default(), hangs: Arc::default(), dropped: Arc::default() };
        let store = Memory::new();
        let app = Shop::app(deps.clone(), store.clone());
        Self { app, script, deps, store }
    }

    pub(super) fn ran(&self) -> Vec<&'static str> {
        self.deps.ran.lock().unwrap().clone()
    }

    pub(super) async fn state(&self) -> Desk {
        self.app.thread("t").state().await.unwrap().unwrap()
    }

    /// Begins a turn.
    pub(super) async fn run(&self, text: &str) -> Outcome<Shop> {
        self.app.thread("t").run(text).await.unwrap()
    }

    pub(super) async fn resume(&self, given: Given) -> Outcome<Shop> {
        self.app.thread("t").resume(given).await.unwrap()
    }

    /// What every call of the model was given is what a strict provider takes.
    pub(super) fn provider_took_everything(&self) {
        assert!(self.script.calls() > 0);
        for heard in self.script.requests() {
            let mut messages = heard.messages.iter().peekable();
            while let Some(message) = messages.next() {
                assert!(!matches!(message, Message::Tool(_)), "a result without its call");
                for call in message.calls() {
                    match messages.next() {
                        Some(Message::Tool(result)) => assert_eq!((&result.call, &result.name), (&call.id, &call.name)),
                        other => panic!("call {} has no result, but {other:?}", call.id),
                    }
                }
            }
        }
    }
}

/// The one question of a run that paused.
pub(super) fn asked(outcome: Outcome<Shop>) -> graphwright::Open<elicitation> {
    let mut questions = outcome.paused().expect("the run should have paused").questions;
    assert_eq!(questions.len(), 1);
    match questions.remove(0) {
        Q::elicitation(question) => question,
    }
}

/// Picks the first option of every question.
pub(super) fn first_options(open: &graphwright::Open<elicitation>) -> Given {
    let questions = open.question.request().questions().iter();
    let answers = questions.map(|question| AskUserAnswer::select(question.id(), [question.options()[0].label()]).unwrap());
    open.accept(AskUserResponse::new(answers).unwrap())
}

/// Status and name of every result of the conversation.
pub(super) fn results(desk: &Desk) -> Vec<(ToolStatus, String)> {
    let results = desk.talk.messages().filter_map(|message| match message {
        Message::Tool(result) => Some((result.status, result.name.clone())),
        _ => None,
    });
    results.collect()
}
