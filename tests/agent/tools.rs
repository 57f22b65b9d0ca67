//! Tools, without a graph around them.

use graphwright::agent::{Call, MAX_ARGUMENT_BYTES, MAX_RESULT_BYTES, NoArgs, Reply, Tool, ToolResult, ToolStatus, Toolset, ToolsetError};
use graphwright::prelude::*;
use graphwright::{EventKind, Mark};
use serde_json::{Value, json};

use super::kit::{Desk, call};
use super::shop::{Refund, Shop, greet, hello, refund, shop};
use crate::common::Recorder;

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
    let calls: Vec<Call> = ["refund", "parse", "hello", "nothing"]
        .iter()
        .flat_map(|name| values.iter().enumerate().map(move |(n, value)| call(&format!("{name}{n}"), name, value.clone())))
        .collect();
    let (tools, cx) = (shop(), Context::test(Shop::default()));
    let mut results = Vec::new();
    for call in &calls {
        results.push(tools.call(call, &cx).await);
    }
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
    let names = ["explode", "hello", "nothing"];
    let reply = (0..20).fold(Reply::text(""), |reply, n| reply.call(names[n % 3], json!({})));
    let desk = Desk::default().and(reply);
    let results = shop().call_open(&desk.talk, &Context::test(Shop::default())).await;
    let ids: Vec<&str> = results.iter().map(|result| result.call.as_str()).collect();
    assert_eq!(ids, desk.talk.open_calls().iter().map(|call| call.id.as_str()).collect::<Vec<_>>());
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
