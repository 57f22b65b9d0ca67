//! Guards before a tool runs, and what must have run before it.

use graphwright::agent::{Call, Reply, ToolCalls, ToolGuard, ToolResult, ToolStatus, Toolset, ToolsetError, Verdict, tool_calls};
use graphwright::prelude::*;
use serde_json::json;

use super::kit::{Desk, call, results};
use crate::common::Recorder;

#[tool]
fn lookup() -> Result<String, ToolError> {
    Ok("found".to_owned())
}

#[tool]
fn danger() -> Result<String, ToolError> {
    Ok("done".to_owned())
}

#[tool]
fn broken() -> Result<String, ToolError> {
    Err("out of order")?
}

fn set() -> Toolset<()> {
    toolset![lookup, danger, broken].unwrap()
}

/// Lets everything run, but not what is called this.
fn not(name: &'static str) -> impl Fn(&Call, &Context<()>) -> Verdict {
    move |call, _| if call.name == name { Verdict::Skip { result: format!("no {name}") } } else { Verdict::Proceed }
}

fn calls(names: &[&str]) -> Reply {
    names.iter().fold(Reply::text(""), |reply, name| reply.call(*name, json!({})))
}

/// The model calls these, and what the tools give is said.
async fn turn(desk: Desk, tools: &Toolset<()>, names: &[&str]) -> Desk {
    let desk = desk.and(calls(names));
    let results = tools.call_open(&desk.talk, &Context::test(())).await;
    desk.and(results)
}

#[tokio::test]
async fn b095_a_guard_that_panics_or_fails_refuses_the_call() {
    struct Panics;
    impl<D: Send + Sync> ToolGuard<D> for Panics {
        async fn before_tool(&self, _: &Call, _: &Context<D>) -> Result<Verdict, NodeError> {
            tokio::task::yield_now().await;
            panic!("with a secret inside")
        }
    }
    struct Fails;
    impl<D: Send + Sync> ToolGuard<D> for Fails {
        async fn before_tool(&self, _: &Call, _: &Context<D>) -> Result<Verdict, NodeError> {
            Err("with a secret inside")?
        }
    }
    let at_once = |_: &Call, _: &Context<()>| -> Verdict { panic!("with a secret inside") };
    for tools in [set().guarded(Panics), set().guarded(Fails), set().guarded(at_once)] {
        let (recorder, cx) = Recorder::new(());
        let result = tools.call(&call("c", "lookup", json!({})), &cx).await;
        assert_eq!(result.status, ToolStatus::Rejected);
        assert_eq!(result.content, "`lookup` did not run: whether it may could not be found out.");
        assert_eq!(recorder.kinds(), [], "the tool never began");
    }
}

#[tokio::test]
async fn b095_a_skip_of_one_of_three_calls_leaves_two_and_three_results_in_order() {
    let tools = set().guarded(not("danger"));
    let desk = turn(Desk::default().and("go"), &tools, &["lookup", "danger", "lookup"]).await;
    let expected =
        [("lookup", ToolStatus::Ok, "found"), ("danger", ToolStatus::Rejected, "no danger"), ("lookup", ToolStatus::Ok, "found")];
    assert_eq!(results(&desk.talk), expected);
    assert!(desk.talk.open_calls().is_empty());
}

#[tokio::test]
async fn the_first_skip_wins_and_later_guards_are_not_asked() {
    let later = |_: &Call, _: &Context<()>| -> Verdict { panic!("it must not be asked") };
    let tools = set().guarded(not("nothing")).guarded(not("danger")).guarded(not("danger")).guarded(later);
    let result = tools.call(&call("c", "danger", json!({})), &Context::test(())).await;
    assert_eq!((result.status, result.content.as_str()), (ToolStatus::Rejected, "no danger"));
}

#[tokio::test]
async fn a_guard_sees_the_call_and_its_context() {
    let seen = |call: &Call, cx: &Context<u8>| Verdict::Skip { result: format!("{} {:?} {}", call.name, cx.call(), cx.deps()) };
    let tools: Toolset<u8> = toolset![lookup].unwrap().guarded(seen);
    assert_eq!(tools.call(&call("c", "lookup", json!({})), &Context::test(7)).await.content, "lookup Some(\"c\") 7");
}

#[tokio::test]
async fn b096_only_a_result_of_the_tool_itself_counts() {
    let blocked = "`danger` did not run: it needs a result of `lookup` first. Call `lookup`, and `danger` in a later message.";
    let tools = set().requires::<danger, lookup>().unwrap();
    let after = async |desk: Desk| {
        let desk = turn(desk, &tools, &["danger"]).await;
        let (_, status, content) = *results(&desk.talk).last().unwrap();
        (status, content.to_owned())
    };
    let start = || Desk::default().and("go");
    let with = |status, content: &str| {
        let desk = start().and(calls(&["lookup"]));
        let call = desk.talk.open_calls()[0].clone();
        desk.and(ToolResult::new(&call, status, content))
    };
    let skipped = turn(start(), &tools.clone().guarded(not("lookup")), &["lookup"]).await;
    let failing: Toolset<()> = toolset![danger, broken].unwrap().requires::<danger, broken>().unwrap();
    let failed = turn(start(), &failing, &["broken"]).await;
    let none = [
        start(),
        with(ToolStatus::NotExecuted, "not executed"),
        with(ToolStatus::Error, "error: out of order"),
        with(ToolStatus::Rejected, "rejected"),
        with(ToolStatus::NotAnswered, "no result"),
        skipped,
    ];
    for desk in none {
        assert_eq!(after(desk).await, (ToolStatus::Rejected, blocked.to_owned()));
    }
    let desk = turn(failed, &failing, &["danger"]).await;
    assert_eq!(results(&desk.talk).last().unwrap().1, ToolStatus::Rejected);
    // The case can fail: with the result it runs.
    assert_eq!(after(turn(start(), &tools, &["lookup"]).await).await, (ToolStatus::Ok, "done".to_owned()));
    // By itself a call has no conversation around it.
    assert_eq!(tools.call(&call("c", "danger", json!({})), &Context::test(())).await.status, ToolStatus::Rejected);
}

#[tokio::test]
async fn b097_a_result_of_the_same_message_comes_too_late() {
    let tools = set().requires::<danger, lookup>().unwrap();
    for names in [["danger", "lookup"], ["lookup", "danger"]] {
        let desk = turn(Desk::default().and("go"), &tools, &names).await;
        let mut came: Vec<_> = results(&desk.talk).into_iter().map(|(name, status, _)| (name, status)).collect();
        assert_eq!(came.iter().map(|(name, _)| *name).collect::<Vec<_>>(), names);
        came.sort_by_key(|(name, _)| *name);
        assert_eq!(came, [("danger", ToolStatus::Rejected), ("lookup", ToolStatus::Ok)]);
        // In the next message, and in the next turn, it may.
        let next = turn(desk.clone(), &tools, &["danger"]).await;
        assert_eq!(results(&next.talk).last().unwrap().1, ToolStatus::Ok);
        let desk = desk.and_in(2, "again").and_in(2, calls(&["danger"]));
        assert_eq!(tools.call_open(&desk.talk, &Context::test(())).await[0].status, ToolStatus::Ok);
    }
}

#[tokio::test]
async fn b098_a_last_message_without_calls_is_the_end_whatever_was_blocked() {
    let tools = set().requires::<danger, lookup>().unwrap();
    let desk = turn(Desk::default().and("go"), &tools, &["danger"]).await;
    assert_eq!(tool_calls(&desk), ToolCalls::Continue, "the model is told that it was blocked");
    let desk = desk.and(Reply::text("I cannot do that."));
    assert_eq!(tool_calls(&desk), ToolCalls::Finish);
}

#[test]
fn what_is_required_is_in_the_set() {
    let tools: Toolset<()> = toolset![danger].unwrap();
    let error = tools.clone().requires::<danger, lookup>().unwrap_err();
    assert_eq!(error, ToolsetError::Missing { name: "lookup" });
    assert_eq!(tools.requires::<lookup, danger>().unwrap_err(), ToolsetError::Missing { name: "lookup" });
}

#[tokio::test]
async fn a_clone_of_a_set_does_not_get_the_guards_of_the_other() {
    let tools = set();
    let guarded = tools.clone().guarded(not("lookup")).requires::<danger, lookup>().unwrap();
    let cx = Context::test(());
    for (tools, expected) in [(&tools, ToolStatus::Ok), (&guarded, ToolStatus::Rejected)] {
        for name in ["lookup", "danger"] {
            assert_eq!(tools.call(&call("c", name, json!({})), &cx).await.status, expected, "{name}");
        }
    }
}
