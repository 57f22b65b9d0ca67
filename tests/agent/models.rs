//! Models, without a graph around them.

use graphwright::agent::{
    BoxFuture, ChatRequest, ConversationDelta, MAX_CALLS, MAX_REPLY_BYTES, Message, Model, ModelError, ModelProvider, Part, Parts, Reply,
    Scripted, ToolResult, ToolStatus,
};
use graphwright::prelude::*;
use graphwright::{Class, EventKind, Mark, Usage};
use serde_json::json;

use super::kit::{Desk, call};
use super::shop::user;
use crate::common::Recorder;

/// Plays parts as they are.
struct Raw(Vec<Part>);

impl ModelProvider for Raw {
    fn name(&self) -> &str {
        "raw"
    }

    fn chat<'a>(&'a self, _: ChatRequest<'a>, out: &'a mut Parts<'_>) -> BoxFuture<'a, Result<(), ModelError>> {
        Box::pin(async move {
            for part in &self.0 {
                out.push(part.clone()).await?;
            }
            Ok(())
        })
    }
}

async fn play(parts: Vec<Part>) -> (Result<Reply, ModelError>, Vec<EventKind>) {
    let (recorder, cx) = Recorder::new(());
    let reply = Model::new(Raw(parts)).chat(&[user("hi")]).send(&cx).await;
    (reply, recorder.kinds())
}

fn started(index: usize, tool: &str) -> Part {
    Part::CallStarted { index, tool: tool.to_owned() }
}

fn delta(index: usize, arguments: &str) -> Part {
    Part::CallDelta { index, arguments: arguments.to_owned() }
}

#[tokio::test]
async fn b100_every_part_is_told_and_kept_under_one_id() {
    let parts = vec![
        Part::Thinking("hm".to_owned()),
        Part::Text("Let me ".to_owned()),
        Part::Text("look.".to_owned()),
        started(0, "look"),
        started(1, "quote"),
        delta(1, "{\"x\""),
        delta(0, "{}"),
        delta(1, ":1}"),
        Part::Call { tool: "pay".to_owned(), arguments: "{\"y\":2}".to_owned() },
    ];
    let (reply, events) = play(parts).await;
    let reply = reply.unwrap();
    assert_eq!(reply.text, "Let me look.");
    let calls: Vec<_> = reply.calls.iter().map(|c| (c.name.as_str(), c.arguments.as_str())).collect();
    assert_eq!(calls, [("look", "{}"), ("quote", "{\"x\":1}"), ("pay", "{\"y\":2}")]);
    let ids: Vec<&str> = reply.calls.iter().map(|c| c.id.as_deref().unwrap()).collect();
    let [a, b, c] = ids[..] else { panic!("{ids:?}") };
    assert!(a != b && b != c && a != c);
    let began = |call: &str, tool: &str| EventKind::ToolCallStarted { call: call.to_owned(), tool: tool.to_owned() };
    let piece = |call: &str, arguments: &str| EventKind::ToolCallDelta { call: call.to_owned(), arguments: arguments.to_owned() };
    let expected = [
        EventKind::ModelStarted { model: "raw".to_owned() },
        EventKind::ThinkingDelta { text: "hm".to_owned() },
        EventKind::TextDelta { text: "Let me ".to_owned() },
        EventKind::TextDelta { text: "look.".to_owned() },
        began(a, "look"),
        began(b, "quote"),
        piece(b, "{\"x\""),
        piece(a, "{}"),
        piece(b, ":1}"),
        began(c, "pay"),
        piece(c, "{\"y\":2}"),
        EventKind::ModelEnded { model: "raw".to_owned(), outcome: Mark::Completed, stop: None },
    ];
    assert_eq!(events, expected);
}

#[tokio::test]
async fn b104_text_beside_calls_is_kept() {
    let (reply, _) = play(vec![Part::Text("Done.".to_owned()), started(0, "look")]).await;
    let reply = reply.unwrap();
    assert_eq!((reply.text.as_str(), reply.calls.len()), ("Done.", 1));
}

#[tokio::test]
async fn b105_usage_once_then_the_end_with_the_real_reason() {
    let (_, events) = play(vec![
        Part::Usage(Usage::new(10, 0)),
        Part::Text("x".to_owned()),
        Part::Usage(Usage::new(10, 5)),
        Part::Stop("max_tokens".to_owned()),
    ])
    .await;
    let end = EventKind::ModelEnded { model: "raw".to_owned(), outcome: Mark::Completed, stop: Some("max_tokens".to_owned()) };
    assert_eq!(events[events.len() - 2..], [EventKind::Usage(Usage::new(10, 5)), end]);
    assert_eq!(events.iter().filter(|event| matches!(event, EventKind::Usage(_))).count(), 1);

    let (_, events) = play(vec![Part::Text("x".to_owned())]).await;
    assert!(!events.iter().any(|event| matches!(event, EventKind::Usage(_))));
    assert!(matches!(events.last(), Some(EventKind::ModelEnded { outcome: Mark::Completed, stop: None, .. })));
}

#[tokio::test]
async fn f056_a_reply_without_end_is_an_error_and_not_more_memory() {
    let piece = "x".repeat(1024 * 1024);
    let (reply, events) = play(vec![Part::Text(piece); MAX_REPLY_BYTES / (1024 * 1024) + 1]).await;
    assert!(matches!(reply, Err(ModelError::TooLong)), "{reply:?}");
    assert!(matches!(events.last(), Some(EventKind::ModelEnded { outcome: Mark::Failed, .. })));

    let many = (0..=MAX_CALLS).map(|n| started(n, "look")).collect();
    assert!(matches!(play(many).await.0, Err(ModelError::TooManyCalls)));
    assert!(matches!(play(vec![delta(3, "{}")]).await.0, Err(ModelError::Malformed { .. })));
}

#[tokio::test]
async fn b079_a_failed_call_ends_once_and_keeps_its_class_behind_a_question_mark() {
    async fn node(model: &Model, cx: &Context<()>) -> Result<Reply, NodeError> {
        Ok(model.chat(&[user("hi")]).send(cx).await?)
    }
    let broken = || ModelError::RateLimited { model: "scripted".to_owned(), retry_after: None };
    let model = Model::new(Scripted::new([Reply::text("later")]).failing_at(1, broken));
    let (recorder, cx) = Recorder::new(());
    assert_eq!(node(&model, &cx).await.unwrap_err().class(), Class::Transient);
    let ended = EventKind::ModelEnded { model: "scripted".to_owned(), outcome: Mark::Failed, stop: None };
    assert_eq!(recorder.kinds(), [EventKind::ModelStarted { model: "scripted".to_owned() }, ended]);
    assert_eq!(node(&model, &cx).await.unwrap().text, "later");
    let ended = node(&model, &cx).await.unwrap_err();
    assert_eq!(ended.class(), Class::Fatal);
    assert!(ended.to_string().contains("has 1 replies, and this is call 3"), "{ended}");
}

#[tokio::test]
async fn a_call_that_is_dropped_ends_as_abandoned() {
    struct Silent;
    impl ModelProvider for Silent {
        fn name(&self) -> &str {
            "silent"
        }
        fn chat<'a>(&'a self, _: ChatRequest<'a>, _: &'a mut Parts<'_>) -> BoxFuture<'a, Result<(), ModelError>> {
            Box::pin(std::future::pending())
        }
    }
    let (recorder, cx) = Recorder::new(());
    let (model, talk) = (Model::new(Silent), [user("hi")]);
    tokio::select! {
        biased;
        _ = model.chat(&talk).send(&cx) => panic!("it is silent"),
        () = tokio::task::yield_now() => {}
    }
    let ended = EventKind::ModelEnded { model: "silent".to_owned(), outcome: Mark::Abandoned, stop: None };
    assert_eq!(recorder.kinds().last(), Some(&ended));
}

#[tokio::test]
async fn h06_a_model_never_reads_a_call_without_a_result() {
    let call = call("c1", "look", json!({}));
    let asks = Message::Assistant { text: String::new(), calls: vec![call.clone()] };
    let result = Message::Tool(ToolResult::new(&call, ToolStatus::Ok, "found"));
    let model = Model::new(Scripted::by(|_| Reply::text("fine")));
    let (recorder, cx) = Recorder::new(());
    let open = [
        vec![user("hi"), asks.clone()],
        vec![user("hi"), asks.clone(), user("hello?")],
        // Behind it, but not directly.
        vec![user("hi"), asks.clone(), user("hello?"), result.clone()],
    ];
    for talk in &open {
        let error = model.chat(talk).send(&cx).await.unwrap_err();
        assert!(matches!(&error, ModelError::OpenCall { call, .. } if call == "c1"), "{error}");
        assert_eq!(error.class(), Class::Fatal);
    }
    assert_eq!(recorder.kinds(), [], "nobody was asked");
    assert!(model.chat(&vec![user("hi"), asks, result]).send(&cx).await.is_ok());

    let desk = Desk::default().and("go").and(Reply::text("").call("look", json!({})));
    assert!(matches!(model.chat(&desk.talk).send(&cx).await, Err(ModelError::OpenCall { .. })));
    assert!(matches!(model.chat(&desk.talk.window(1)).send(&cx).await, Err(ModelError::OpenCall { .. })));
}

#[tokio::test]
async fn a_turn_that_has_used_its_tokens_asks_no_model() {
    let costs = |input, output| Reply::text("fine").costing(Usage::new(input, output));
    let (recorder, cx) = Recorder::new(());
    let script = Scripted::by(move |_| costs(60, 30));
    let model = Model::new(script.clone());
    let ask = async |desk: &Desk, budget: u64| model.chat(&desk.talk).budget(budget).send(&cx).await;
    let desk = Desk::default().and("go");
    let desk = desk.clone().and(ask(&desk, 100).await.unwrap());
    assert_eq!(desk.talk.usage(), Usage::new(60, 30));
    let desk = desk.clone().and(ask(&desk, 100).await.unwrap());
    let spent = ask(&desk, 180).await.unwrap_err();
    assert!(matches!(spent, ModelError::BudgetSpent { used: 180, budget: 180 }), "{spent}");
    assert_eq!((spent.class(), script.calls()), (Class::Fatal, 2));
    assert!(ask(&desk, 181).await.is_ok());
    // What is not in the conversation can be put there; the next turn begins at nothing.
    let desk = desk.and(ConversationDelta::used(Usage::new(1, 0)));
    assert!(matches!(ask(&desk, 181).await, Err(ModelError::BudgetSpent { used: 181, .. })));
    let desk = desk.and_in(2, "again");
    assert_eq!(desk.talk.usage(), Usage::default());
    assert!(ask(&desk, 1).await.is_ok());
    let started = recorder.kinds().iter().filter(|kind| matches!(kind, EventKind::ModelStarted { .. })).count();
    assert_eq!(started, script.calls(), "a call that is refused never began");
    // It is kept with the conversation.
    let desk: Desk = serde_json::from_str(&serde_json::to_string(&desk.and_in(2, costs(5, 6))).unwrap()).unwrap();
    assert_eq!(desk.talk.usage(), Usage::new(5, 6));
}
