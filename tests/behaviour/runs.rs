//! Cases 18 to 53 as a user sees them: in runs, over a store.

use graphwright::agent::{Message, Reply, Scripted, ToolStatus};
use graphwright::{GraphExt as _, OnPaused, Outcome, RunError, StopReason};
use serde_json::json;

use super::kit::{bad, calls, good};
use super::shop::{Deps, Shop, Stage, asked, first_options, results};

fn ask(prefix: &str) -> Reply {
    calls(prefix, [("ask_user", good())])
}

fn completed(outcome: Outcome<Shop>) -> super::shop::Desk {
    outcome.completed().expect("the run should have completed").output
}

#[tokio::test]
async fn b018_the_run_pauses_and_the_message_is_in_the_store() {
    let stage = Stage::of([ask("c")]);
    let open = asked(stage.run("my mug is broken").await);
    assert_eq!(open.record().question["type"], "ask_user");
    assert_eq!(open.question.request().questions().len(), 1);
    let state = stage.state().await;
    let asked = open.question.tool_call_id();
    assert!(matches!(state.talk.messages().last(), Some(Message::Assistant { calls, .. }) if calls[0].id == asked));
    assert_eq!(stage.script.requests()[0].tools, ["lookup", "lookup2", "ask_user"], "it is offered what it may call");
}

#[tokio::test]
async fn b019_answer_reaches_the_model() {
    let stage = Stage::of([ask("c"), Reply::text("A red one is on its way.")]);
    let open = asked(stage.run("my mug is broken").await);
    let desk = completed(stage.resume(first_options(&open)).await);
    assert_eq!(desk.talk.last_text(), Some("A red one is on its way."));
    assert!(desk.talk.pending().is_none());
    let heard = stage.script.requests();
    assert_eq!(heard.len(), 2);
    let Some(Message::Tool(result)) = heard[1].messages.last() else { panic!("{:?}", heard[1]) };
    let called = open.question.tool_call_id();
    assert_eq!((result.call.as_str(), result.name.as_str(), result.status), (called, "ask_user", ToolStatus::Ok));
    assert!(result.content.contains("Which mug?") && result.content.contains("Red"));
    stage.provider_took_everything();
}

#[tokio::test]
async fn b020_a_sibling_of_the_question_does_not_run() {
    let stage = Stage::of([calls("c", [("ask_user", good()), ("lookup", json!({})), ("lookup2", json!({}))]), Reply::text("Done.")]);
    let open = asked(stage.run("hello").await);
    let desk = completed(stage.resume(first_options(&open)).await);
    assert_eq!(stage.ran(), [""; 0]);
    let names: Vec<_> = results(&desk);
    assert_eq!(
        names,
        [(ToolStatus::Ok, "ask_user".into()), (ToolStatus::NotExecuted, "lookup".into()), (ToolStatus::NotExecuted, "lookup2".into())]
    );
    stage.provider_took_everything();
}

#[tokio::test]
async fn b023_a_question_with_one_option_reaches_nobody_and_the_run_goes_on() {
    let stage = Stage::of([calls("c", [("ask_user", bad())]), Reply::text("I will not ask then.")]);
    let desk = completed(stage.run("hello").await);
    assert_eq!(results(&desk), [(ToolStatus::Rejected, "ask_user".into())]);
    let told = stage.script.requests();
    assert!(matches!(told[1].messages.last(), Some(Message::Tool(result)) if result.content.contains("options")));
    assert!(stage.app.thread("t").pending().await.unwrap().is_empty());
}

#[tokio::test]
async fn b024_no_shape_of_a_call_ends_the_run() {
    for arguments in
        [json!({}), json!({"request": null}), json!({"request": [1]}), json!({"request": {"questions": null}}), json!("x"), json!(0)]
    {
        let stage = Stage::of([calls("c", [("ask_user", arguments.clone())]), Reply::text("Done.")]);
        assert_eq!(completed(stage.run("hello").await).talk.last_text(), Some("Done."), "{arguments}");
    }
}

#[tokio::test]
async fn b025_a_sibling_of_a_malformed_question_runs() {
    let stage = Stage::of([calls("c", [("ask_user", bad()), ("lookup", json!({}))]), Reply::text("Done.")]);
    let desk = completed(stage.run("hello").await);
    assert_eq!(stage.ran(), ["lookup"]);
    assert_eq!(results(&desk), [(ToolStatus::Rejected, "ask_user".into()), (ToolStatus::Ok, "lookup".into())]);
    stage.provider_took_everything();
}

#[tokio::test]
async fn b026_a_model_that_sends_malformed_questions_for_ever_ends_by_itself() {
    let stage = Stage::with(Scripted::by(|request| {
        let wrong = json!({ "nth": request.messages().count() });
        Reply::text("").call("ask_user", wrong)
    }));
    let cut = stage.run("hello").await.stopped().expect("the loop is cut");
    assert_eq!(cut.reason, StopReason::Repeating);
    let desk = cut.state;
    assert_eq!(desk.rounds, 3);
    let told: Vec<bool> = desk
        .talk
        .messages()
        .filter_map(|message| match message {
            Message::Tool(result) => Some(result.content.contains("go on without asking") && !result.content.contains("Correct")),
            _ => None,
        })
        .collect();
    assert_eq!(told, [false, true, true]);
}

#[tokio::test]
async fn b027_an_abort_is_told_and_the_thread_goes_on() {
    for cancel in [false, true] {
        let stage = Stage::of([ask("c"), Reply::text("Then without."), Reply::text("Yes?")]);
        let open = asked(stage.run("hello").await);
        let desk = completed(stage.resume(if cancel { open.cancel() } else { open.decline() }).await);
        assert_eq!(results(&desk), [(ToolStatus::NotAnswered, "ask_user".into())]);
        assert!(desk.talk.pending().is_none());
        assert_eq!(completed(stage.run("are you there?").await).talk.last_text(), Some("Yes?"));
        stage.provider_took_everything();
    }
}

#[tokio::test]
async fn b029_what_ran_before_the_pause_does_not_run_again() {
    let stage = Stage::of([ask("c"), Reply::text("Done.")]);
    let open = asked(stage.run("hello").await);
    assert_eq!(stage.state().await.rounds, 1);
    let desk = completed(stage.resume(first_options(&open)).await);
    assert_eq!((desk.rounds, stage.script.calls()), (2, 2), "once before, once behind");
}

#[tokio::test]
async fn b030_another_process_finds_the_same_question() {
    let stage = Stage::of([ask("c"), Reply::text("Done.")]);
    let open = asked(stage.run("hello").await);
    let again = Shop::app(Deps::clone(&stage.deps), stage.store.clone());
    for _ in 0..2 {
        let mut pending = again.thread("t").pending().await.unwrap();
        let super::shop::Q::elicitation(found) = pending.remove(0);
        assert_eq!((found.id(), &found.question), (open.id(), &open.question));
    }
    let outcome = again.thread("t").resume(first_options(&open)).await.unwrap();
    assert_eq!(completed(outcome).talk.last_text(), Some("Done."));
}

#[tokio::test]
async fn b031_ids_that_a_provider_got_wrong_do_not_matter() {
    let mut wrong = ask("c");
    wrong.calls.push(super::kit::raw("c0", "lookup", "{}"));
    wrong.calls.push(super::kit::raw("", "lookup", "{}"));
    for nth in 0..3 {
        let mut reply = wrong.clone();
        reply.calls[0].id = [None, Some(String::new()), Some("c0".to_owned())][nth].clone();
        let stage = Stage::of([calls("c", [("lookup", json!({}))]), reply, Reply::text("Done.")]);
        let open = asked(stage.run("hello").await);
        let desk = completed(stage.resume(first_options(&open)).await);
        assert_eq!(desk.talk.last_text(), Some("Done."));
        stage.provider_took_everything();
    }
}

#[tokio::test]
async fn b032_a_second_question_pauses_again() {
    let stage = Stage::of([ask("c"), ask("d"), Reply::text("Done.")]);
    let first = asked(stage.run("hello").await);
    let second = asked(stage.resume(first_options(&first)).await);
    assert_ne!(first.id(), second.id());
    let stale = stage.app.thread("t").resume(first_options(&first)).await.unwrap_err();
    assert!(matches!(stale, RunError::Spent { same_answer: true, .. }), "{stale}");
    assert_eq!(completed(stage.resume(first_options(&second)).await).talk.last_text(), Some("Done."));
    stage.provider_took_everything();
}

#[tokio::test]
async fn b035_a_pause_carries_no_final_text() {
    let stage = Stage::of([Reply::text("Let me see.").call("lookup", json!({})), ask("c")]);
    asked(stage.run("hello").await);
    assert_eq!(stage.state().await.talk.last_text(), None);
    assert_eq!(stage.ran(), ["lookup"]);
}

#[tokio::test]
async fn b049_a_loop_is_cut_and_every_call_has_a_result() {
    let stage = Stage::with(Scripted::by(|_| Reply::text("").call("lookup", json!({"same": true}))));
    let cut = stage.run("hello").await.stopped().expect("a cut is no completion");
    assert_eq!(cut.reason, StopReason::Repeating);
    assert_eq!(stage.ran(), ["lookup"; 2], "the third one is cut before it runs");
    let statuses: Vec<ToolStatus> = results(&cut.state).into_iter().map(|(status, _)| status).collect();
    assert_eq!(statuses, [ToolStatus::Ok, ToolStatus::Ok, ToolStatus::NotAnswered]);
    let thread = stage.app.thread("t");
    assert!(thread.state().await.unwrap().unwrap().talk.open_calls().is_empty());
    // The turn is over: there is nothing to go on with, and a new one may begin.
    assert_eq!(thread.proceed().await.unwrap().stopped().unwrap().reason, StopReason::Repeating);
    assert_eq!(thread.status().await.unwrap(), Some(graphwright::store::Status::Idle));
}

#[tokio::test]
async fn b050_a_new_turn_on_a_paused_thread_is_refused_or_closes_the_question() {
    let stage = Stage::of([calls("c", [("lookup", json!({})), ("ask_user", good())]), Reply::text("Noon."), Reply::text("Bye.")]);
    let open = asked(stage.run("hello").await);
    let refused = stage.app.thread("t").run("what time is it?").await.unwrap_err();
    assert!(matches!(refused, RunError::Waiting { .. }), "{refused}");

    let chat = stage.app.clone().on_paused(OnPaused::Abandon);
    let desk = completed(chat.thread("t").run("what time is it?").await.unwrap());
    assert_eq!(desk.talk.last_text(), Some("Noon."));
    assert!(desk.talk.pending().is_none());
    let closed = [(ToolStatus::NotExecuted, "lookup".into()), (ToolStatus::NotAnswered, "ask_user".into())];
    assert_eq!(results(&desk), closed);
    let late = chat.thread("t").resume(first_options(&open)).await.unwrap_err();
    assert!(matches!(late, RunError::Superseded), "{late}");
    let desk = completed(chat.thread("t").run("thanks").await.unwrap());
    assert_eq!((desk.talk.last_text(), results(&desk).len()), (Some("Bye."), 2));
    stage.provider_took_everything();
}

#[tokio::test]
async fn b052_what_was_abandoned_stays_as_it_was() {
    let stage = Stage::of([ask("c"), Reply::text("1"), Reply::text("2"), Reply::text("3")]);
    asked(stage.run("hello").await);
    let chat = stage.app.clone().on_paused(OnPaused::Abandon);
    let mut before: Option<Vec<String>> = None;
    for turn in ["one", "two", "three"] {
        let desk = completed(chat.thread("t").run(turn).await.unwrap());
        let history: Vec<String> = desk.talk.messages().map(|message| serde_json::to_string(message).unwrap()).collect();
        if let Some(before) = &before {
            assert_eq!(history[..before.len()], before[..], "byte for byte");
        }
        before = Some(history);
    }
    assert_eq!(before.unwrap().len(), 9);
}
