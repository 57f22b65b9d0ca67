//! The ready-made nodes, in a graph.

use graphwright::EventKind;
use graphwright::agent::{
    Conversation, HasModel, HasTools, Message, Model, ModelError, Reply, Scripted, Toolset, ask_user_pending, close_repeating, elicitation,
    react, tool_calls, tools,
};
use graphwright::prelude::*;
use serde_json::json;

use crate::common::Recorder;

use super::shop::{Text, explode, hello};

#[derive(Clone, Debug, Default, Serialize, Deserialize, State)]
struct Ticket {
    #[state(conversation)]
    talk: Conversation,
}

#[derive(Clone)]
struct Desk {
    model: Model,
    tools: Toolset<Desk>,
}

impl HasModel for Desk {
    fn model(&self) -> &Model {
        &self.model
    }
    fn system(&self) -> &str {
        "Be kind."
    }
}

impl HasTools for Desk {
    fn tools(&self) -> &Toolset<Self> {
        &self.tools
    }
}

graph! {
    /// Calls the model and its tools in turns.
    #[graph(steps = 30)]
    Loop(Ticket, Desk) {
        start -> react;
        react -> elicitation if ask_user_pending;
        react -> match tool_calls {
            Finish => end,
            Continue => tools,
            Repeating => close_repeating,
        };
        elicitation -> react;
        tools -> react;
        close_repeating -> end repeating;
    }
}

/// Says what it was given.
#[tool]
async fn echo(args: Text) -> Result<String, ToolError> {
    Ok(args.text)
}

fn desk(script: &Scripted) -> Desk {
    Desk { model: Model::new(script.clone()), tools: toolset![hello, echo, explode].unwrap() }
}

/// Every message as a short line.
fn lines(talk: &Conversation) -> Vec<String> {
    talk.messages()
        .map(|message| match message {
            Message::User { text } => format!("user: {text}"),
            Message::Assistant { text, calls } => {
                let calls: Vec<&str> = calls.iter().map(|call| call.name.as_str()).collect();
                format!("model: {text} [{}]", calls.join(" "))
            }
            Message::Tool(result) => format!("{}: {}", result.name, result.content),
            _ => "something else".to_owned(),
        })
        .collect()
}

#[tokio::test]
async fn b099_the_loop_goes_on_after_every_kind_of_failure() {
    let script = Scripted::new([
        Reply::text("Let me see.").call("explode", json!({})).call("nothing", json!({})).call("echo", json!({})).call("hello", json!({})),
        Reply::text("Done."),
    ]);
    let recorder = Recorder::default();
    let hears = recorder.clone();
    let app = Loop::app(desk(&script), Memory::new()).observe(move |event: &graphwright::Event| hears.hear(event));
    let done = app.thread("t").run("hi").await.unwrap().completed().expect("it completes");
    let expected = [
        "user: hi",
        "model: Let me see. [explode nothing echo hello]",
        "explode: error: the tool failed inside; calling it again the same way will not help",
        "nothing: error: there is no tool `nothing`; there are: hello, echo, explode",
        "echo: error: missing field `text`",
        "hello: hello",
        "model: Done. []",
    ];
    assert_eq!(lines(&done.output.talk), expected);
    let heard = script.requests();
    assert_eq!((heard[1].system.as_deref(), heard[1].messages.len()), (Some("Be kind."), 6));
    assert_eq!(heard[0].tools, ["hello", "echo", "explode", "ask_user"]);

    // One id for a call, in every event and in what is stored.
    let calls: Vec<String> = done.output.talk.messages().flat_map(|message| message.calls()).map(|call| call.id.clone()).collect();
    let kinds = recorder.kinds();
    let told = |pick: fn(&EventKind) -> Option<&String>| kinds.iter().filter_map(pick).cloned().collect::<Vec<_>>();
    let named = told(|kind| if let EventKind::ToolCallStarted { call, .. } = kind { Some(call) } else { None });
    assert_eq!(named, calls);
    let mut began = told(|kind| if let EventKind::ToolStarted { call, .. } = kind { Some(call) } else { None });
    let mut ended = told(|kind| if let EventKind::ToolEnded { call, .. } = kind { Some(call) } else { None });
    began.sort();
    ended.sort();
    assert_eq!((began.len(), &began), (3, &ended), "the tool that does not exist never began");
}

#[tokio::test]
async fn react_asks_the_user_and_goes_on_with_the_answer() {
    let options = json!([{ "label": "red", "description": "" }, { "label": "blue", "description": "" }]);
    let question = json!({ "question": "Which colour?", "header": "Colour", "options": options });
    let script = Scripted::new([Reply::text("").call("ask_user", json!({ "questions": [question] })), Reply::text("Red it is.")]);
    let app = Loop::app(desk(&script), Memory::new());
    let thread = app.thread("t");
    let paused = thread.run("a mug, please").await.unwrap().paused().expect("it asks");
    let Some(Question::<Loop>::elicitation(open)) = paused.questions.into_iter().next() else { panic!("nothing is open") };
    let id = open.question.request().questions()[0].id().to_string();
    let answer = serde_json::from_value(json!({ "answers": [{ "question_id": id, "selections": ["red"] }] })).unwrap();
    let done = thread.resume(open.accept(answer)).await.unwrap().completed().expect("it completes");
    assert_eq!(done.output.talk.last_text(), Some("Red it is."));
    assert_eq!(script.calls(), 2);
}

#[tokio::test]
async fn b104_text_beside_repeated_calls_is_the_last_text() {
    let again = || Reply::text("Still looking.").call("hello", json!({}));
    let script = Scripted::new([again(), again(), again(), again(), again()]);
    let cut = Loop::app(desk(&script), Memory::new()).thread("t").run("hi").await.unwrap().stopped().expect("the loop is cut");
    assert_eq!(cut.state.talk.last_text(), Some("Still looking."));
    assert!(cut.state.talk.open_calls().is_empty());
    assert_eq!(script.calls(), 3);
}

#[tokio::test]
async fn a_model_that_fails_fails_the_run_with_its_error() {
    let broken = || ModelError::Unauthorized { model: "scripted".to_owned(), hint: "none".to_owned() };
    let script = Scripted::new([Reply::text("hello")]).failing_at(1, broken);
    let app = Loop::app(desk(&script), Memory::new());
    let thread = app.thread("t");
    let error = thread.run("hi").await.expect_err("it fails");
    assert!(format!("{error:?} {error}").contains("refuses the key"), "{error}");
    let done = thread.proceed().await.unwrap().completed().expect("it completes");
    assert_eq!(lines(&done.output.talk), ["user: hi", "model: hello []"]);
}
