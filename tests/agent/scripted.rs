//! The scripted model.

use std::sync::Arc;

use graphwright::EventKind;
use graphwright::agent::{Message, Model, Reply, Scripted};
use graphwright::prelude::*;
use serde_json::json;

use crate::common::Recorder;

use super::shop::{Shop, shop, user};

#[tokio::test]
async fn a_script_plays_in_order_and_remembers_what_it_was_given() {
    let script = Scripted::new([Reply::text("").call("hello", json!({})), Reply::text("bye")]);
    let model = Model::new(script.clone());
    let cx = Context::test(Shop::default());
    let talk = vec![user("hi")];
    let reply = model.chat(&talk).system("Be kind.").tools(&shop()).send(&cx).await.unwrap();
    assert_eq!((reply.calls[0].name.as_str(), reply.calls[0].arguments.as_str()), ("hello", "{}"));
    assert_eq!(model.chat(&talk).send(&cx).await.unwrap().text, "bye");
    let heard = script.requests();
    assert_eq!((script.calls(), heard.len()), (2, 2));
    assert_eq!((heard[0].system.as_deref(), heard[0].messages.as_slice()), (Some("Be kind."), talk.as_slice()));
    assert_eq!(heard[0].tools, ["refund", "hello", "parse", "explode", "greet", "dump"]);
    assert_eq!((heard[1].system.as_deref(), heard[1].tools.len()), (None, 0));
}

#[tokio::test]
async fn a_script_streams_in_pieces() {
    let (recorder, cx) = Recorder::new(());
    let model = Model::new(Scripted::new([Reply::text("äöüß").call("look", json!({ "n": 1 }))]).in_chunks_of(3));
    let reply = model.chat(&[user("hi")]).send(&cx).await.unwrap();
    assert_eq!((reply.text.as_str(), reply.calls[0].arguments.as_str()), ("äöüß", "{\"n\":1}"));
    let pieces =
        recorder.kinds().iter().filter(|event| matches!(event, EventKind::TextDelta { .. } | EventKind::ToolCallDelta { .. })).count();
    assert_eq!(pieces, 2 + 3);
}

#[tokio::test]
async fn a_model_made_of_rules_sees_the_request() {
    let rules = Scripted::by(|request| match request.messages().next_back() {
        Some(Message::User { text, .. }) if text.contains("order") => Reply::text("").call("look", json!({})),
        _ => Reply::text("What?"),
    });
    let model = Model::new(rules);
    let cx = Context::test(());
    assert_eq!(model.chat(&[user("my order")]).send(&cx).await.unwrap().calls.len(), 1);
    assert_eq!(model.chat(&[user("hm")]).send(&cx).await.unwrap().text, "What?");
}

#[tokio::test]
async fn b110_the_list_in_the_prompt_is_the_list_that_is_bound() {
    let script = Scripted::new([Reply::text(""), Reply::text("")]);
    let model = Model::new(script.clone());
    let cx = Context::test(Shop::default());
    let listed = |specs: &[Arc<graphwright::agent::ToolSpec>]| specs.iter().map(|spec| spec.name.as_str()).collect::<Vec<_>>().join(" ");
    model.chat(&[user("hi")]).system_with(listed).tools(&shop()).ask_user().send(&cx).await.unwrap();
    model.chat(&[user("hi")]).system_with(listed).tools(&shop()).send(&cx).await.unwrap();
    let heard = script.requests();
    for heard in &heard {
        assert_eq!(heard.system.as_deref(), Some(heard.tools.join(" ").as_str()));
    }
    assert!(heard[0].tools.iter().any(|name| name == "ask_user"));
    assert!(!heard[1].tools.iter().any(|name| name == "ask_user"));
}

#[test]
fn futures_of_models_and_tools_can_be_spawned() {
    fn send<T: Send>(_: T) {}
    let (cx, talk, tools) = (Context::test(Shop::default()), [user("hi")], shop());
    let model = Model::new(Scripted::new([]));
    send(model.chat(&talk).system("x").tools(&tools).send(&cx));
    send(tools.call_open(&graphwright::agent::Conversation::default(), &cx));
}
