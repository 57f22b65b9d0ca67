//! Tools and models, without a graph around them.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod common;

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use common::Recorder;
use graphwright::agent::{
    BoxFuture, ChatRequest, Conversation, HasModel, HasTools, MAX_ARGUMENT_BYTES, MAX_CALLS, MAX_REPLY_BYTES, MAX_RESULT_BYTES, Message,
    Model, ModelError, ModelProvider, NoArgs, Part, Parts, RawCall, Reply, Scripted, Tool, ToolCall, ToolResult, ToolStatus, Toolset,
    ToolsetError, ask_user_pending, close_repeating, elicitation, react, tool_calls, tools,
};
use graphwright::prelude::*;
use graphwright::{Class, EventKind, Mark, Usage};
use schemars::JsonSchema;
use serde_json::{Value, json};

// ------------------------------------------------------------------ tools

#[derive(Clone, Default)]
struct Shop {
    refunded: Arc<AtomicUsize>,
}

#[derive(Deserialize, JsonSchema)]
struct Refund {
    /// The order's number.
    order: u32,
    cents: u64,
}

#[derive(Serialize)]
struct Receipt {
    paid: u64,
    key: String,
}

/// Pays the money back.
#[tool]
async fn refund(args: Refund, cx: &Context<Shop>) -> Result<Receipt, ToolError> {
    if args.order == 0 {
        return Err(ToolError::from("there is no order 0"));
    }
    cx.progress("paying").await;
    cx.deps().refunded.fetch_add(1, Ordering::Relaxed);
    Ok(Receipt { paid: args.cents, key: cx.idempotency_key() })
}

/// Says hello.
#[tool]
fn hello() -> Result<String, ToolError> {
    Ok("hello".to_owned())
}

/// Parses a number; `?` takes any error.
#[tool]
fn parse(args: Text) -> Result<u8, std::num::ParseIntError> {
    args.text.parse()
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Text {
    text: String,
}

#[tool]
async fn explode(_args: NoArgs) -> Result<(), ToolError> {
    tokio::task::yield_now().await;
    panic!("with a secret inside")
}

trait Greets: Send + Sync {
    fn greeting(&self) -> String;
}

impl Greets for Shop {
    fn greeting(&self) -> String {
        "welcome".to_owned()
    }
}

/// Greets out of anybody's dependencies.
#[tool]
async fn greet<D>(cx: &Context<D>) -> Result<String, ToolError>
where
    D: Greets,
{
    Ok(cx.deps().greeting())
}

/// Gives more than a model can read.
#[tool]
fn dump() -> Result<String, ToolError> {
    Ok("ä".repeat(MAX_RESULT_BYTES))
}

fn shop() -> Toolset<Shop> {
    toolset![refund, hello, parse, explode, greet, dump].unwrap()
}

fn call(id: &str, name: &str, arguments: Value) -> ToolCall {
    serde_json::from_value(json!({ "id": id, "name": name, "arguments": arguments })).unwrap()
}

async fn run(name: &str, arguments: Value) -> ToolResult {
    shop().call(&call("c1", name, arguments), &Context::test(Shop::default())).await
}

#[tokio::test]
async fn a_tool_stays_a_function() {
    let cx = Context::test(Shop::default());
    let receipt = refund(Refund { order: 7, cents: 500 }, &cx).await.unwrap();
    assert_eq!(receipt.paid, 500);
    assert_eq!(hello().unwrap(), "hello");
    assert_eq!(greet(&cx).await.unwrap(), "welcome");
}

#[test]
fn name_docs_and_arguments_are_what_the_model_reads() {
    let tools = shop();
    let spec = tools.specs().next().unwrap();
    assert_eq!((spec.name.as_str(), spec.description.as_str()), ("refund", "Pays the money back."));
    let schema: Value = serde_json::from_str(spec.schema.get()).unwrap();
    assert_eq!(schema["type"], "object");
    assert_eq!(schema["properties"]["order"]["description"], "The order's number.");
    assert_eq!(schema["required"], json!(["order", "cents"]));
    let bare: Value = serde_json::from_str(tools.specs().nth(1).unwrap().schema.get()).unwrap();
    assert_eq!(bare["type"], "object");
}

#[tokio::test]
async fn results_are_text_or_json() {
    assert_eq!(run("hello", json!({})).await.content, "hello");
    assert_eq!(run("greet", json!(null)).await.content, "welcome");
    let receipt = run("refund", json!({ "order": 7, "cents": 500 })).await;
    assert_eq!((receipt.status, receipt.name.as_str(), receipt.call.as_str()), (ToolStatus::Ok, "refund", "c1"));
    assert_eq!(serde_json::from_str::<Value>(&receipt.content).unwrap()["paid"], 500);
}

#[tokio::test]
async fn a_long_result_is_cut_with_a_note() {
    let content = run("dump", json!({})).await.content;
    assert!(content.len() < MAX_RESULT_BYTES + 100, "{}", content.len());
    assert!(content.ends_with("[cut here: 131072 bytes in all]"));
}

#[tokio::test]
async fn b099_whatever_goes_wrong_in_a_tool_is_a_result() {
    let cases = [
        (run("refund", json!({ "order": 0, "cents": 1 })).await, "error: there is no order 0"),
        (run("reefund", json!({})).await, "error: there is no tool `reefund`; there are: refund, hello, parse, explode, greet, dump"),
        (run("refund", json!({ "order": 7 })).await, "error: missing field `cents`"),
        (run("refund", json!({ "order": "x", "cents": 1 })).await, "error: `order`: invalid type: string \"x\", expected u32"),
        (run("refund", json!(null)).await, "error: the arguments are no JSON object"),
        (run("parse", json!({ "text": "x", "more": 1 })).await, "error: `more`: unknown field `more`, expected `text`"),
        (run("parse", json!({ "text": "x" })).await, "error: invalid digit found in string"),
        (run("explode", json!({})).await, "error: the tool failed inside; calling it again the same way will not help"),
    ];
    for (result, content) in &cases {
        assert_eq!((result.status, result.content.as_str()), (ToolStatus::Error, *content));
    }
}

#[tokio::test]
async fn f056_arguments_that_are_too_deep_or_too_long_go_no_further() {
    let deep = run("parse", (0..100).fold(json!(1), |inner, _| json!([inner]))).await;
    assert_eq!((deep.status, deep.content.as_str()), (ToolStatus::Error, "error: the arguments are nested more than 64 levels deep"));
    let long = run("parse", json!({ "text": "x".repeat(MAX_ARGUMENT_BYTES) })).await;
    assert_eq!((long.status, long.content.as_str()), (ToolStatus::Error, "error: the arguments are longer than 65536 bytes"));
    let name = "x\u{202e}\n".repeat(10_000);
    let unknown = run(&name, json!({})).await;
    assert_eq!(unknown.status, ToolStatus::Error);
    assert!(unknown.content.len() < 300 && !unknown.content.contains(['\u{202e}', '\n']), "{}", unknown.content);
}

/// Every tool with every value of a small grammar of wrong and right arguments.
#[tokio::test]
async fn f056_a_thousand_calls_are_a_thousand_results() {
    let leaves = [json!(null), json!(true), json!(-1), json!(1e300), json!(u64::MAX), json!(""), json!("7"), json!([]), json!({})];
    let mut values: Vec<Value> = leaves.to_vec();
    for field in ["order", "cents", "text", "\u{0}"] {
        for a in &leaves {
            values.push(json!({ field: a }));
            values.extend(leaves.iter().map(|b| json!({ field: a, "cents": b })));
        }
    }
    let calls: Vec<ToolCall> = ["refund", "parse", "hello", "nothing"]
        .iter()
        .flat_map(|name| values.iter().enumerate().map(move |(n, value)| call(&format!("{name}{n}"), name, value.clone())))
        .collect();
    let results = shop().call_all(&calls, &Context::test(Shop::default())).await;
    assert!(results.len() > 1000, "{}", results.len());
    assert_eq!(results.len(), calls.len());
    for (call, result) in calls.iter().zip(&results) {
        assert_eq!(call.id, result.call);
        assert!(!result.content.is_empty());
        assert!(matches!(result.status, ToolStatus::Ok | ToolStatus::Error));
    }
}

#[tokio::test]
async fn each_call_has_a_key_of_its_own_that_outlives_an_attempt() {
    let (tools, cx) = (shop(), Context::test(Shop::default()));
    let key = async |id: &str| {
        let result = tools.call(&call(id, "refund", json!({ "order": 7, "cents": 1 })), &cx).await;
        serde_json::from_str::<Value>(&result.content).unwrap()["key"].as_str().unwrap().to_owned()
    };
    let first = key("a").await;
    assert_eq!(first, key("a").await);
    assert_ne!(first, key("b").await);
    assert_ne!(first, cx.idempotency_key());
}

#[tokio::test]
async fn results_are_in_the_order_of_the_calls() {
    let calls: Vec<ToolCall> = (0..20)
        .map(|n| match n % 3 {
            0 => call(&n.to_string(), "explode", json!({})),
            1 => call(&n.to_string(), "hello", json!({})),
            _ => call(&n.to_string(), "nothing", json!({})),
        })
        .collect();
    let results = shop().call_all(&calls, &Context::test(Shop::default())).await;
    let ids: Vec<&str> = results.iter().map(|result| result.call.as_str()).collect();
    assert_eq!(ids, (0..20).map(|n| n.to_string()).collect::<Vec<_>>());
    assert_eq!(results.iter().filter(|result| result.status == ToolStatus::Ok).count(), 7);
}

#[tokio::test]
async fn a_tool_tells_its_start_its_progress_and_its_end() {
    let (recorder, cx) = Recorder::new(Shop::default());
    let tools = shop();
    tools.call(&call("c1", "refund", json!({ "order": 7, "cents": 1 })), &cx).await;
    tools.call(&call("c2", "explode", json!({})), &cx).await;
    let (call, tool) = ("c1".to_owned(), "refund".to_owned());
    let (call2, tool2) = ("c2".to_owned(), "explode".to_owned());
    let expected = [
        EventKind::ToolStarted { call: call.clone(), tool: tool.clone() },
        EventKind::ToolProgress { call: call.clone(), message: "paying".to_owned() },
        EventKind::ToolEnded { call, tool, outcome: Mark::Completed },
        EventKind::ToolStarted { call: call2.clone(), tool: tool2.clone() },
        EventKind::ToolEnded { call: call2, tool: tool2, outcome: Mark::Failed },
    ];
    assert_eq!(recorder.kinds(), expected);
}

#[tokio::test]
async fn a_tool_that_is_dropped_ends_as_abandoned() {
    #[tool]
    async fn hang() -> Result<(), ToolError> {
        std::future::pending().await
    }
    let (recorder, cx) = Recorder::new(());
    let tools: Toolset<()> = toolset![hang].unwrap();
    let sent = call("c", "hang", json!({}));
    tokio::select! {
        biased;
        _ = tools.call(&sent, &cx) => panic!("it hangs"),
        () = tokio::task::yield_now() => {}
    }
    let ended = EventKind::ToolEnded { call: "c".to_owned(), tool: "hang".to_owned(), outcome: Mark::Abandoned };
    assert_eq!(recorder.kinds().last(), Some(&ended));
}

#[test]
fn names_are_checked_when_a_toolset_is_made() {
    struct Named<const N: usize>;
    const NAMES: [&str; 4] = ["ask_user", "", "a b", "hello"];
    impl<const N: usize> Tool<Shop> for Named<N> {
        const NAME: &'static str = NAMES[N];
        type Args = NoArgs;
        type Ret = Result<(), ToolError>;
        async fn call(_: NoArgs, _: &Context<Shop>) -> Result<(), ToolError> {
            Ok(())
        }
    }
    struct Listed;
    impl Tool<Shop> for Listed {
        const NAME: &'static str = "listed";
        type Args = Vec<u8>;
        type Ret = Result<(), ToolError>;
        async fn call(_: Vec<u8>, _: &Context<Shop>) -> Result<(), ToolError> {
            Ok(())
        }
    }
    let error = |set: Result<Toolset<Shop>, ToolsetError>| set.unwrap_err();
    assert_eq!(error(toolset![Named<0>]), ToolsetError::Reserved);
    assert_eq!(error(toolset![Named<1>]), ToolsetError::Name { name: "" });
    assert_eq!(error(toolset![Named<2>]), ToolsetError::Name { name: "a b" });
    assert_eq!(error(toolset![hello, Named<3>]), ToolsetError::Duplicate { name: "hello" });
    assert_eq!(error(toolset![Listed]), ToolsetError::Arguments { name: "listed" });
    let none: Result<Toolset<Shop>, ToolsetError> = toolset![];
    assert_eq!(none.unwrap().names().count(), 0);
}

// ------------------------------------------------------------------ models

fn user(text: &str) -> Message {
    serde_json::from_value(json!({ "role": "user", "text": text })).unwrap()
}

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

async fn play(parts: Vec<Part>, messages: &[Message]) -> (Result<Reply, ModelError>, Vec<EventKind>) {
    let (recorder, cx) = Recorder::new(());
    let reply = Model::new(Raw(parts)).chat(&messages).send(&cx).await;
    (reply, recorder.kinds())
}

fn started(index: usize, id: &str, tool: &str) -> Part {
    Part::CallStarted { index, id: Some(id.to_owned()), tool: tool.to_owned() }
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
        started(0, "a", "look"),
        started(1, "b", "quote"),
        delta(1, "{\"x\""),
        delta(0, "{}"),
        delta(1, ":1}"),
        Part::Call(RawCall { id: Some("c".to_owned()), name: "pay".to_owned(), arguments: "{\"y\":2}".to_owned() }),
    ];
    let (reply, events) = play(parts, &[]).await;
    let reply = reply.unwrap();
    assert_eq!(reply.text, "Let me look.");
    let calls: Vec<_> = reply.calls.iter().map(|c| (c.id.as_deref().unwrap(), c.name.as_str(), c.arguments.as_str())).collect();
    assert_eq!(calls, [("a", "look", "{}"), ("b", "quote", "{\"x\":1}"), ("c", "pay", "{\"y\":2}")]);
    let began = |call: &str, tool: &str| EventKind::ToolCallStarted { call: call.to_owned(), tool: tool.to_owned() };
    let piece = |call: &str, arguments: &str| EventKind::ToolCallDelta { call: call.to_owned(), arguments: arguments.to_owned() };
    let expected = [
        EventKind::ModelStarted { model: "raw".to_owned() },
        EventKind::ThinkingDelta { text: "hm".to_owned() },
        EventKind::TextDelta { text: "Let me ".to_owned() },
        EventKind::TextDelta { text: "look.".to_owned() },
        began("a", "look"),
        began("b", "quote"),
        piece("b", "{\"x\""),
        piece("a", "{}"),
        piece("b", ":1}"),
        began("c", "pay"),
        piece("c", "{\"y\":2}"),
        EventKind::ModelEnded { model: "raw".to_owned(), outcome: Mark::Completed, stop: None },
    ];
    assert_eq!(events, expected);
}

#[tokio::test]
async fn b100_ids_that_are_missing_empty_or_taken_are_made_anew() {
    let before: Message = serde_json::from_value(json!({
        "role": "assistant", "calls": [{ "id": "old", "name": "look", "arguments": {} }]
    }))
    .unwrap();
    let parts = vec![
        started(0, "old", "look"),
        started(1, "x", "look"),
        started(2, "x", "look"),
        started(3, "", "look"),
        Part::CallStarted { index: 4, id: None, tool: "look".to_owned() },
        started(5, &"y".repeat(10_000), "look"),
    ];
    let (reply, events) = play(parts, &[before]).await;
    let ids: Vec<String> = reply.unwrap().calls.into_iter().map(|call| call.id.unwrap()).collect();
    assert_eq!(ids[1], "x");
    let mut distinct = ids.clone();
    distinct.push("old".to_owned());
    distinct.sort();
    distinct.dedup();
    assert_eq!(distinct.len(), 7, "{ids:?}");
    let told: Vec<String> = events
        .into_iter()
        .filter_map(|event| match event {
            EventKind::ToolCallStarted { call, .. } => Some(call),
            _ => None,
        })
        .collect();
    assert_eq!(told, ids);
}

#[tokio::test]
async fn b104_text_beside_calls_is_kept() {
    let (reply, _) = play(vec![Part::Text("Done.".to_owned()), started(0, "a", "look")], &[]).await;
    let reply = reply.unwrap();
    assert_eq!((reply.text.as_str(), reply.calls.len()), ("Done.", 1));
}

#[tokio::test]
async fn b105_usage_once_then_the_end_with_the_real_reason() {
    let (_, events) = play(
        vec![
            Part::Usage(Usage::new(10, 0)),
            Part::Text("x".to_owned()),
            Part::Usage(Usage::new(10, 5)),
            Part::Stop("max_tokens".to_owned()),
        ],
        &[],
    )
    .await;
    let end = EventKind::ModelEnded { model: "raw".to_owned(), outcome: Mark::Completed, stop: Some("max_tokens".to_owned()) };
    assert_eq!(events[events.len() - 2..], [EventKind::Usage(Usage::new(10, 5)), end]);
    assert_eq!(events.iter().filter(|event| matches!(event, EventKind::Usage(_))).count(), 1);

    let (_, events) = play(vec![Part::Text("x".to_owned())], &[]).await;
    assert!(!events.iter().any(|event| matches!(event, EventKind::Usage(_))));
    assert!(matches!(events.last(), Some(EventKind::ModelEnded { outcome: Mark::Completed, stop: None, .. })));
}

#[tokio::test]
async fn f056_a_reply_without_end_is_an_error_and_not_more_memory() {
    let piece = "x".repeat(1024 * 1024);
    let (reply, events) = play(vec![Part::Text(piece); MAX_REPLY_BYTES / (1024 * 1024) + 1], &[]).await;
    assert!(matches!(reply, Err(ModelError::TooLong)), "{reply:?}");
    assert!(matches!(events.last(), Some(EventKind::ModelEnded { outcome: Mark::Failed, .. })));

    let many = (0..=MAX_CALLS).map(|n| started(n, &n.to_string(), "look")).collect();
    assert!(matches!(play(many, &[]).await.0, Err(ModelError::TooManyCalls)));
    assert!(matches!(play(vec![delta(3, "{}")], &[]).await.0, Err(ModelError::Malformed { .. })));
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

// ------------------------------------------------------------------ the scripted model

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
    send(tools.call_all(&[], &cx));
}

// ------------------------------------------------------------------ the ready-made nodes, in a graph

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
