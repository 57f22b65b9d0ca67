//! What may change a reply before it counts.

use graphwright::agent::{
    ASK_USER, HasConversation, Model, ModelError, NoArgs, RawCall, Reply, Rewriter, Scripted, Toolset, ask_user_pending, open_calls,
};
use graphwright::prelude::*;
use graphwright::{Class, EventKind, Mark, Timestamp, TurnId, Usage};
use serde_json::{Value, json};

use super::kit::Desk;
use crate::common::Recorder;

#[tool]
fn lookup() -> Result<String, ToolError> {
    Ok("found".to_owned())
}

#[tool]
fn search(_args: NoArgs) -> Result<String, ToolError> {
    Ok("found".to_owned())
}

fn tools() -> Toolset<()> {
    toolset![lookup, search].unwrap()
}

/// Adds a letter to the text and to the arguments of every call.
struct Adds(char);
impl Rewriter for Adds {
    fn on_response(&self, mut reply: Reply) -> Result<Reply, NodeError> {
        reply.text.push(self.0);
        Ok(reply)
    }
    fn on_tool_call(&self, mut call: RawCall) -> Result<RawCall, NodeError> {
        call.arguments.push(self.0);
        Ok(call)
    }
}

/// Makes every call one of this tool.
struct Becomes(&'static str, Value);
impl Rewriter for Becomes {
    fn on_tool_call(&self, _: RawCall) -> Result<RawCall, NodeError> {
        Ok(RawCall { id: Some("another".to_owned()), name: self.0.to_owned(), arguments: self.1.to_string() })
    }
}

struct Fails(bool, bool);
impl Rewriter for Fails {
    fn on_response(&self, reply: Reply) -> Result<Reply, NodeError> {
        match *self {
            Self(true, false) => Err("no")?,
            Self(true, true) => panic!("with a secret inside"),
            Self(false, _) => Ok(reply),
        }
    }
    fn on_tool_call(&self, call: RawCall) -> Result<RawCall, NodeError> {
        match *self {
            Self(false, false) => Err("no")?,
            Self(false, true) => panic!("with a secret inside"),
            Self(true, _) => Ok(call),
        }
    }
}

fn looks() -> Reply {
    let mut reply = Reply::text("Let me see.").call("lookup", json!({}));
    reply.usage = Some(Usage::new(3, 4));
    reply
}

async fn said(model: Model, asks: bool) -> (Result<Reply, ModelError>, Vec<EventKind>) {
    let (recorder, cx) = Recorder::new(());
    let desk = Desk::default().and("go");
    let (model, tools) = (&model, tools());
    let chat = model.chat(&desk.talk).tools(&tools);
    let reply = if asks { chat.ask_user().send(&cx).await } else { chat.send(&cx).await };
    (reply, recorder.kinds())
}

fn model(reply: Reply) -> Model {
    Model::new(Scripted::new([reply]).in_chunks_of(2))
}

#[tokio::test]
async fn rewriters_chain_in_order() {
    let (reply, _) = said(model(looks()).rewritten(Adds('1')).rewritten(Adds('2')), false).await;
    let reply = reply.unwrap();
    assert_eq!((reply.text.as_str(), reply.calls[0].arguments.as_str()), ("Let me see.12", "{}12"));
}

#[tokio::test]
async fn what_is_told_is_what_was_made_of_it() {
    struct Redacts;
    impl Rewriter for Redacts {
        fn on_response(&self, mut reply: Reply) -> Result<Reply, NodeError> {
            reply.text = reply.text.replace("s3cr3t", "(gone)");
            reply.calls[0].arguments = json!({ "q": "(gone)" }).to_string();
            Ok(reply)
        }
    }
    let reply = Reply::text("It is s3cr3t.").call("lookup", json!({ "q": "s3cr3t" }));
    let (reply, events) = said(model(reply).rewritten(Redacts), false).await;
    let reply = reply.unwrap();
    let call = reply.calls[0].id.clone().unwrap();
    let expected = [
        EventKind::ModelStarted { model: "scripted".to_owned() },
        EventKind::TextDelta { text: "It is (gone).".to_owned() },
        EventKind::ToolCallStarted { call: call.clone(), tool: "lookup".to_owned() },
        EventKind::ToolCallDelta { call: call.clone(), arguments: "{\"q\":\"(gone)\"}".to_owned() },
        EventKind::ModelEnded { model: "scripted".to_owned(), outcome: Mark::Completed, stop: None },
    ];
    assert_eq!(events, expected);
    let desk = Desk::default().and("go").and(reply);
    assert_eq!(open_calls(&desk)[0].id, call, "one id for a call, in every event and in what is stored");
}

#[tokio::test]
async fn b034_a_call_that_becomes_ask_user_asks_the_user() {
    let options = json!([{ "label": "red", "description": "" }, { "label": "blue", "description": "" }]);
    let question = json!({ "questions": [{ "question": "Which colour?", "header": "Colour", "options": options }] });
    let (reply, _) = said(model(looks()).rewritten(Becomes(ASK_USER, question.clone())), true).await;
    let desk = Desk::default().and("go").and(reply.unwrap());
    let pending = desk.conversation().pending().expect("the user is asked");
    assert_eq!(pending.request().questions()[0].question(), "Which colour?");
    assert!(ask_user_pending(&desk, &Turn::test(TurnId([1; 16]), Timestamp(1_000))));

    // Where the model may not ask, neither may a rewriter.
    let (reply, events) = said(model(looks()).rewritten(Becomes(ASK_USER, question)), false).await;
    let desk = Desk::default().and("go").and(reply.unwrap());
    assert!(desk.conversation().pending().is_none());
    assert!(events.iter().any(|event| matches!(event, EventKind::RewriteDropped { tool, .. } if tool == ASK_USER)));
}

#[tokio::test]
async fn a_rewrite_to_an_unknown_tool_is_dropped_and_told() {
    let (reply, events) = said(model(looks()).rewritten(Becomes("nothing", json!({ "x": 1 }))).rewritten(Adds('1')), false).await;
    let call = reply.unwrap().calls.remove(0);
    assert_eq!((call.name.as_str(), call.arguments.as_str()), ("lookup", "{}1"), "the one behind it sees what it was");
    let dropped = EventKind::RewriteDropped { call: call.id.unwrap(), tool: "nothing".to_owned() };
    assert_eq!(events.iter().filter(|event| **event == dropped).count(), 1);

    let (reply, events) = said(model(looks()).rewritten(Becomes("search", json!({}))), false).await;
    let call = reply.unwrap().calls.remove(0);
    assert_eq!(call.name, "search");
    assert!(call.id.as_deref().is_some_and(|id| id != "another"), "its id stays");
    assert!(!events.iter().any(|event| matches!(event, EventKind::RewriteDropped { .. })));

    // What the model itself calls wrongly is for the toolset to answer.
    let (reply, events) = said(model(Reply::text("").call("nothing", json!({}))).rewritten(Adds('1')), false).await;
    assert_eq!(reply.unwrap().calls[0].name, "nothing");
    assert!(!events.iter().any(|event| matches!(event, EventKind::RewriteDropped { .. })));
}

#[tokio::test]
async fn a_reply_may_get_calls_of_tools_that_are_offered_and_of_no_others() {
    struct Calls;
    impl Rewriter for Calls {
        fn on_response(&self, reply: Reply) -> Result<Reply, NodeError> {
            Ok(reply.call("search", json!({})).call("nothing", json!({})))
        }
    }
    let (reply, events) = said(model(looks()).rewritten(Calls), false).await;
    let calls = reply.unwrap().calls;
    assert_eq!(calls.iter().map(|call| call.name.as_str()).collect::<Vec<_>>(), ["lookup", "search"]);
    assert!(calls.iter().all(|call| call.id.is_some()) && calls[0].id != calls[1].id);
    assert!(events.contains(&EventKind::RewriteDropped { call: String::new(), tool: "nothing".to_owned() }));
}

#[tokio::test]
async fn one_that_fails_or_panics_and_nothing_of_the_reply_counts() {
    for fails in [Fails(true, false), Fails(true, true), Fails(false, false), Fails(false, true)] {
        let panics = fails.1;
        let (reply, events) = said(model(looks()).rewritten(Adds('1')).rewritten(fails), false).await;
        let error = reply.unwrap_err();
        assert!(matches!(&error, ModelError::Rewriter { .. }), "{error}");
        assert_eq!(error.class(), if panics { Class::Fatal } else { Class::Unknown });
        assert!(!error.to_string().contains("secret"), "{error}");
        let ended = EventKind::ModelEnded { model: "scripted".to_owned(), outcome: Mark::Failed, stop: None };
        let expected = [EventKind::ModelStarted { model: "scripted".to_owned() }, EventKind::Usage(Usage::new(3, 4)), ended];
        assert_eq!(events, expected, "what it cost is told, and nothing else");
    }
}
