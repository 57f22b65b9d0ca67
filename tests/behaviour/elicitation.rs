//! Cases 18 to 35, as far as they are decided in the conversation and in the node.

use graphwright::agent::{Message, Reply, ToolCalls, ToolStatus};
use serde_json::{Value, json};

use super::kit::{Thread, bad, calls, first_options, good, id, question, raw};

fn not_executed(thread: &Thread, name: &str) -> usize {
    thread.results().iter().filter(|(status, of, _)| *status == ToolStatus::NotExecuted && *of == name).count()
}

#[tokio::test]
async fn b018_a_valid_call_parks_with_the_message_already_there() {
    let mut thread = Thread::with("my mug is broken");
    thread.say(calls("c", [("ask_user", good())]));
    assert!(thread.gate());
    // One row: the message, and that the user is asked.
    let row: Value = serde_json::from_str(thread.rows.last().unwrap()).unwrap();
    assert!(row.to_string().contains("\"assistant\"") && row.to_string().contains("minted_at"), "{row}");

    let asked = thread.ask().await;
    assert_eq!(asked["type"], "ask_user");
    assert_eq!(asked["tool_call_id"], id("c", 0));
    assert_eq!(asked["tool_call_id"].as_str(), thread.talk().pending().map(|pending| pending.tool_call_id()));
    let questions = asked["request"]["questions"].as_array().unwrap();
    assert_eq!(questions.len(), 1);
    assert!(questions[0]["id"].as_str().unwrap().starts_with("q-"));
    assert!(matches!(thread.talk().messages().last(), Some(Message::Assistant { calls, .. }) if calls[0].id == id("c", 0)));
}

#[tokio::test]
async fn b019_answer_reaches_the_model() {
    let mut thread = Thread::with("my mug is broken");
    thread.say(calls("c", [("ask_user", good())]));
    let asked = thread.ask().await;
    thread.resume(&asked, &first_options(&asked)).unwrap();

    let [(status, name, content)] = thread.results()[..] else { panic!("exactly one result") };
    assert_eq!((status, name), (ToolStatus::Ok, "ask_user"));
    assert_eq!(
        serde_json::from_str::<Value>(content).unwrap(),
        json!({"answers": [{"question": "Which mug?", "header": "Mug", "selections": ["Red"]}]})
    );
    assert!(matches!(thread.talk().messages().last(), Some(Message::Tool(result)) if result.call == id("c", 0)), "the model is next");
    assert!(thread.talk().pending().is_none() && !thread.gate() && thread.talk().open_calls().is_empty());
    thread.say(Reply::text("Sent."));
    assert_eq!((thread.calls(), thread.talk().last_text()), (ToolCalls::Finish, Some("Sent.")));
}

#[tokio::test]
async fn b016_the_tool_result_is_in_the_order_of_the_questions() {
    let mut thread = Thread::with("hello");
    let second = json!({"question": "Where to?", "header": "", "allow_other": true, "options": question()["options"]});
    thread.say(calls("c", [("ask_user", json!({"questions": [question(), second]}))]));
    let asked = thread.ask().await;
    let id = |nth: usize| asked["request"]["questions"][nth]["id"].clone();
    let answers = json!([{"question_id": id(1), "other": "Home", "selections": []}, {"question_id": id(0), "selections": ["Blue"]}]);
    thread.resume(&asked, &json!({"action": "accept", "content": {"answers": answers}})).unwrap();
    let report: Value = serde_json::from_str(thread.results()[0].2).unwrap();
    assert_eq!(
        report["answers"],
        json!([
            {"question": "Which mug?", "header": "Mug", "selections": ["Blue"]},
            {"question": "Where to?", "header": "", "selections": [], "other": "Home"},
        ])
    );
}

#[test]
fn b020_siblings_are_not_executed() {
    let mut thread = Thread::with("hello");
    thread.say(calls("c", [("ask_user", good()), ("lookup", json!({}))]));
    assert!(thread.gate());
    assert_eq!(not_executed(&thread, "lookup"), 1);
    let open: Vec<&str> = thread.talk().open_calls().iter().map(|call| call.name.as_str()).collect();
    assert_eq!(open, ["ask_user"], "lookup can run no more");
}

#[tokio::test]
async fn b021_results_stand_in_the_order_of_the_calls() {
    let mut thread = Thread::with("hello");
    thread.say(calls("c", [("lookup", json!({"a": 1})), ("ask_user", good()), ("lookup2", json!({}))]));
    let asked = thread.ask().await;
    thread.resume(&asked, &first_options(&asked)).unwrap();
    let results: Vec<_> = thread.results().iter().map(|(status, name, _)| (*status, *name)).collect();
    assert_eq!(results, [(ToolStatus::NotExecuted, "lookup"), (ToolStatus::Ok, "ask_user"), (ToolStatus::NotExecuted, "lookup2")]);
}

#[tokio::test]
async fn b022_the_first_of_two_questions_wins() {
    let mut thread = Thread::with("hello");
    thread.say(calls("c", [("ask_user", bad()), ("ask_user", good()), ("ask_user", good())]));
    let asked = thread.ask().await;
    assert_eq!(asked["tool_call_id"], id("c", 1), "the first valid one");
    assert_eq!(not_executed(&thread, "ask_user"), 2);
    thread.resume(&asked, &first_options(&asked)).unwrap();
    thread.say(calls("d", [("ask_user", good())]));
    assert_eq!(thread.ask().await["tool_call_id"], id("d", 0), "the model may ask again");
}

#[tokio::test]
async fn b023_a_question_with_one_option_is_rejected_and_nobody_asked() {
    let mut thread = Thread::with("hello");
    thread.say(calls("c", [("ask_user", bad())]));
    assert!(!thread.gate());
    assert!(thread.try_ask().await.is_err());
    let [(ToolStatus::Rejected, "ask_user", content)] = thread.results()[..] else { panic!("{:?}", thread.results()) };
    assert!(content.contains("`questions[0]`") && content.contains("`options`") && content.contains("nobody was asked"), "{content}");
    assert_eq!(thread.calls(), ToolCalls::Continue, "the model is told");
}

#[test]
fn b024_every_shape_is_taken_or_rejected() {
    let one = question();
    let text = json!({"questions": [one]}).to_string();
    let taken = [
        json!({"request": {"questions": [one]}}),
        json!({"questions": [one]}),
        json!({"request": text}),
        json!(text),
        json!(json!({"request": {"questions": [one]}}).to_string()),
        json!({"request": {"request": {"questions": [one]}}}),
    ];
    for arguments in taken {
        let mut thread = Thread::with("hello");
        thread.say(calls("c", [("ask_user", arguments.clone())]));
        assert!(thread.gate(), "{arguments}");
    }
    let rejected = [
        (json!({}), "`questions` is missing"),
        (json!({"request": null}), "`request`"),
        (json!({"request": [one]}), "`request`"),
        (json!({"request": "no json"}), "`request`"),
        (json!({"request": {"questions": null}}), "`questions`"),
        (json!({"request": {"questions": "abc"}}), "`questions`"),
        (json!({"request": {"questions": []}}), "`questions`"),
        (json!({"request": {"questions": [null]}}), "`questions[0]`"),
        (json!({"questions": [one, {"question": "Which?", "header": ""}]}), "`options`"),
        (json!({"questions": [one, {"question": "Which?", "header": "", "options": [1, 2]}]}), "`questions[1].options[0]`"),
        (json!(null), "`request`"),
        (json!(7), "`request`"),
        (json!([]), "`request`"),
    ];
    for (arguments, names) in rejected {
        let mut thread = Thread::with("hello");
        thread.say(calls("c", [("ask_user", arguments.clone())]));
        let [(ToolStatus::Rejected, "ask_user", content)] = thread.results()[..] else { panic!("{arguments}: {:?}", thread.results()) };
        assert!(content.contains(names), "{arguments}: {content}");
        assert!(!thread.gate() && thread.talk().open_calls().is_empty());
    }
}

#[test]
fn b025_siblings_of_a_malformed_question_run() {
    let mut thread = Thread::with("hello");
    thread.say(calls("c", [("ask_user", bad()), ("lookup", json!({}))]));
    assert_eq!(thread.calls(), ToolCalls::Continue);
    assert_eq!(thread.run_tools(), ["lookup"]);
    let results: Vec<_> = thread.results().iter().map(|(status, name, _)| (*status, *name)).collect();
    assert_eq!(results, [(ToolStatus::Rejected, "ask_user"), (ToolStatus::Ok, "lookup")]);
}

#[test]
fn b026_after_two_rejections_the_model_is_told_to_go_on() {
    let mut thread = Thread::with("hello");
    // Each wrong in its own way, so that no two calls are the same.
    for (nth, arguments) in [bad(), json!({}), json!({"questions": 3}), json!("no")].into_iter().enumerate() {
        thread.say(calls(&format!("c{nth}-"), [("ask_user", arguments)]));
        let told = thread.results()[0].2.contains("Do not ask again in this turn");
        assert_eq!(told, nth >= 1, "{:?}", thread.results());
        assert_eq!(thread.calls(), if nth < 2 { ToolCalls::Continue } else { ToolCalls::Repeating }, "it ends by itself");
    }
    // A new turn counts anew.
    thread.new_turn("and now?");
    thread.say(calls("d", [("ask_user", bad())]));
    assert!(thread.results()[0].2.contains("ask again"), "{:?}", thread.results());
    // And a budget of one's own.
    thread.say(graphwright::agent::ConversationDelta::from(calls("e", [("ask_user", json!({}))])).max_malformed(9));
    assert!(thread.results()[0].2.contains("Correct the call"), "{:?}", thread.results());
}

#[tokio::test]
async fn b027_no_answer_is_said_in_words() {
    for (action, word) in [("decline", "declined"), ("cancel", "cancelled")] {
        let mut thread = Thread::with("hello");
        thread.say(calls("c", [("lookup", json!({})), ("ask_user", good())]));
        let asked = thread.ask().await;
        thread.resume(&asked, &json!({ "action": action })).unwrap();
        let (status, name, content) = thread.results()[1];
        assert_eq!((status, name), (ToolStatus::NotAnswered, "ask_user"));
        assert!(content.contains("No answer came") && content.contains(word), "{content}");
        assert!(thread.talk().pending().is_none() && thread.talk().open_calls().is_empty());
        thread.say(Reply::text("Then I go on without."));
        thread.new_turn("fine");
        assert!(!thread.gate());
    }
}

#[tokio::test]
async fn b030_the_question_is_the_same_when_it_is_delivered_again() {
    let mut thread = Thread::with("hello");
    thread.say(calls("c", [("ask_user", good())]));
    let asked = thread.ask().await;
    thread.at = graphwright::Timestamp(999_000_000_000);
    assert_eq!(thread.ask().await, asked, "asked again");
    // Another process, with the rows alone.
    let mut state = super::kit::Desk::default();
    for row in &thread.rows {
        graphwright::State::apply(&mut state, serde_json::from_str(row).unwrap());
    }
    let ids: Vec<&str> = state.talk.pending().unwrap().request().questions().iter().map(|question| question.id()).collect();
    assert_eq!(ids, [asked["request"]["questions"][0]["id"].as_str().unwrap()]);
}

#[tokio::test]
async fn b031_ids_are_made_usable_and_unique() {
    let mut thread = Thread::with("hello");
    let mut reply = calls("5a3e", [("lookup", json!({})), ("lookup", json!({"n": 2}))]);
    reply.calls[1].id = reply.calls[0].id.clone();
    for given in [
        None,
        Some(String::new()),
        Some("with space".into()),
        Some("x".repeat(1000)),
        Some("é".into()),
        Some(id("5a3e", 0)),
        Some("call_1".into()),
    ] {
        reply.calls.push(graphwright::agent::RawCall { id: given, name: "lookup".into(), arguments: "{}".into() });
    }
    thread.say(reply.clone());
    let ids: Vec<&str> = thread.talk().open_calls().iter().map(|call| call.id.as_str()).collect();
    assert_eq!(ids[0], id("5a3e", 0), "an id of our own stays");
    let distinct: std::collections::BTreeSet<&&str> = ids.iter().collect();
    assert_eq!(distinct.len(), 9);
    assert!(ids.iter().all(|id| id.starts_with("call_") && id.len() >= 37), "{ids:?}");
    thread.run_tools();
    thread.say(reply);
    assert!(thread.talk().open_calls().iter().all(|call| call.id != id("5a3e", 0)), "also over messages");
    thread.run_tools();

    thread.say(Reply::text("").call("ask_user", good()));
    let asked = thread.ask().await;
    thread.resume(&asked, &first_options(&asked)).unwrap();
    assert_eq!(thread.results()[0].0, ToolStatus::Ok);
}

#[tokio::test]
async fn b032_a_second_question_pauses_again() {
    let mut thread = Thread::with("hello");
    thread.say(calls("c", [("ask_user", good())]));
    let first = thread.ask().await;
    thread.resume(&first, &first_options(&first)).unwrap();
    thread.say(calls("d", [("ask_user", good())]));
    assert!(thread.gate());
    let second = thread.ask().await;
    assert_ne!(second["request"]["questions"][0]["id"], first["request"]["questions"][0]["id"]);
    thread.resume(&second, &first_options(&first)).unwrap_err();
    thread.resume(&second, &first_options(&second)).unwrap();
    thread.say(Reply::text("Done."));
    assert_eq!(thread.calls(), ToolCalls::Finish);
}

#[tokio::test]
async fn b033_without_a_gate_the_call_is_run_as_any_other_and_nothing_hangs() {
    let mut thread = Thread::with("hello");
    thread.say(calls("c", [("ask_user", good())]));
    assert_eq!(thread.calls(), ToolCalls::Continue);
    assert_eq!(thread.run_tools(), ["ask_user"], "a toolset without it answers with an error");
    assert!(thread.talk().pending().is_none() && !thread.gate());
    let error = thread.try_ask().await.unwrap_err();
    assert!(error.to_string().contains("if ask_user_pending"), "entered without a question: {error}");
    assert_eq!(error.class(), graphwright::Class::Fatal);
}

#[test]
fn b034_what_counts_is_the_call_as_it_enters() {
    let mut thread = Thread::with("hello");
    let mut reply = calls("c", [("lookup", good())]);
    // A rewriter works on the reply.
    reply.calls[0].name = "ask_user".into();
    thread.say(reply);
    assert!(thread.gate());
}

#[test]
fn b035_a_message_that_asks_has_no_final_text() {
    let mut thread = Thread::with("hello");
    thread.say(Reply::text("Let me see.").call("lookup", json!({})));
    thread.run_tools();
    let mut reply = Reply::text("");
    reply.calls.push(raw("c", "ask_user", &good().to_string()));
    thread.say(reply);
    assert!(thread.gate());
    assert_eq!(thread.talk().last_text(), None);
}

#[tokio::test]
async fn an_answer_that_does_not_fit_changes_nothing() {
    let mut thread = Thread::with("hello");
    thread.say(calls("c", [("ask_user", good())]));
    let asked = thread.ask().await;
    let id = &asked["request"]["questions"][0]["id"];
    let rows = thread.rows.len();
    for (answer, names) in [
        (json!({"answers": [{"question_id": id, "selections": ["Green"]}]}), "Green"),
        (json!({"answers": [{"question_id": id, "selections": ["Red", "Blue"]}]}), "one selection"),
        (json!({"answers": [{"question_id": id, "selections": ["Red"], "other": "x"}]}), "other"),
        (json!({"answers": [{"question_id": "q-ffffffffffff", "selections": ["Red"]}]}), "q-ffffffffffff"),
        (json!({"answers": []}), "answers"),
        (json!({}), "answers"),
        (json!(null), "action"),
    ] {
        let answer = if answer.is_null() { json!({"content": 1}) } else { json!({"action": "accept", "content": answer}) };
        let refused = thread.resume(&asked, &answer).unwrap_err();
        assert!(refused.contains("Answer(") && refused.contains(names), "{answer}: {refused}");
    }
    assert_eq!(thread.rows.len(), rows);
    assert!(thread.gate(), "the question is still open");
}
