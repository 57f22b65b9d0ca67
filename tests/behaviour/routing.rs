//! Cases 36 to 53: what still counts, where the loop goes on, and what is closed.

use std::time::Duration;

use graphwright::agent::{
    Conversation, ConversationDelta, Message, PendingAsk, RepeatLimits, Reply, ToolCalls, ToolStatus, ask_user_pending_is_current,
    close_repeating,
};
use graphwright::{Closing, State, Timestamp, TurnId};
use serde_json::{Value, json};

use super::kit::{Desk, Thread, calls, first_options, good, id};

const TTL: Duration = Duration::from_secs(600);
const MINTED: Timestamp = Timestamp(1_000_000);
const TURN: TurnId = TurnId([0; 16]);

/// A question that was asked at [`MINTED`] in [`TURN`].
fn pending() -> PendingAsk {
    let mut thread = Thread::with("hello");
    thread.say(calls("c", [("ask_user", good())]));
    let pending = thread.talk().pending().unwrap().clone();
    assert_eq!((pending.minted_at(), pending.turn()), (MINTED, TURN));
    pending
}

fn current(turn: TurnId, now: Timestamp, ttl: Option<Duration>) -> bool {
    ask_user_pending_is_current(Some(&pending()), turn, now, ttl)
}

#[test]
fn b036_no_record_is_not_current() {
    assert!(!ask_user_pending_is_current(None, TURN, MINTED, None));
    assert!(!ask_user_pending_is_current(None, TURN, MINTED, Some(TTL)));
}

#[test]
fn b037_the_turn_decides() {
    assert!(current(TURN, MINTED, None));
    assert!(current(TURN, Timestamp(i64::MAX), None), "no age is looked at unless one is set");
    assert!(!current(TurnId([9; 16]), MINTED, None));
}

#[test]
fn b038_exactly_the_ttl_is_current() {
    assert!(current(TURN, MINTED.after(TTL), Some(TTL)));
    assert!(!current(TURN, Timestamp(MINTED.after(TTL).0 + 1), Some(TTL)), "the turn does not save it");
}

#[test]
fn b038_a_ttl_in_the_record_reaches_the_gate() {
    let mut thread = Thread::with("hello");
    thread.say(ConversationDelta::from(calls("c", [("ask_user", good())])).ask_ttl(TTL));
    thread.at = MINTED.after(TTL);
    assert!(thread.gate());
    thread.at = Timestamp(thread.at.0 + 1);
    assert!(!thread.gate());
    assert_eq!(thread.calls(), ToolCalls::Continue, "as if nobody had been asked");
}

#[test]
fn b039_minted_in_the_future_is_not_current() {
    assert!(!current(TURN, Timestamp(MINTED.0 - 1), None));
    assert!(!current(TURN, Timestamp(i64::MIN), Some(TTL)));
}

#[test]
fn b040_a_record_without_turn_or_time_needs_a_migration() {
    let stored = serde_json::to_value(pending()).unwrap();
    for field in ["turn", "minted_at"] {
        let mut legacy = stored.clone();
        legacy.as_object_mut().unwrap().remove(field);
        let error = serde_json::from_value::<PendingAsk>(legacy.clone()).unwrap_err().to_string();
        assert!(error.contains(field), "{error}");
        // What a migration does, on purpose: it says which turn the record is of.
        legacy[field] = stored[field].clone();
        assert!(ask_user_pending_is_current(Some(&serde_json::from_value(legacy).unwrap()), TURN, MINTED, None));
    }
}

/// The ways out of a model, as `react -> elicitation if ask_user_pending; react -> match tool_calls { .. }` tries them.
fn route(thread: &Thread, gate: bool) -> &'static str {
    if gate && thread.gate() {
        return "ask";
    }
    match thread.calls() {
        ToolCalls::Finish => "finish",
        ToolCalls::Continue => "continue",
        ToolCalls::Repeating => "repeating",
    }
}

#[tokio::test]
async fn b042_the_elicitation_does_not_put_the_question_of_another_turn() {
    let mut thread = Thread::with("hello");
    thread.new_turn("next");
    thread.say(calls("c", [("ask_user", good())]));
    assert!(thread.gate());
    // The context of a test is of the first turn.
    assert!(thread.try_ask().await.is_err());
}

#[test]
fn b042_a_stale_record_is_the_same_as_none() {
    let mut thread = Thread::with("hello");
    thread.say(calls("c", [("ask_user", good())]));
    thread.say(calls("d", [("lookup", json!({}))]));
    thread.at = Timestamp(0);
    assert_eq!((route(&thread, true), route(&thread, false)), ("continue", "continue"));
    thread.at = MINTED;
    assert_eq!((route(&thread, true), route(&thread, false)), ("ask", "continue"));
    thread.run_tools();
    thread.say(Reply::text("Done."));
    assert_eq!(route(&thread, true), "finish");
}

#[test]
fn b043_all_routers_agree() {
    // An interrupt that is open parks the thread: no router runs beside it, so its column adds no rows.
    for (ask, called, gate, to) in [
        (false, false, false, "finish"),
        (false, false, true, "finish"),
        (false, true, false, "continue"),
        (false, true, true, "continue"),
        (true, false, false, "continue"),
        (true, false, true, "ask"),
        (true, true, false, "continue"),
        (true, true, true, "ask"),
    ] {
        let mut thread = Thread::with("hello");
        let mut wanted = Vec::new();
        wanted.extend(called.then(|| ("lookup", json!({}))));
        wanted.extend(ask.then(|| ("ask_user", good())));
        thread.say(calls("c", wanted));
        assert_eq!(route(&thread, gate), to, "ask {ask}, calls {called}, gate {gate}");
    }
}

#[test]
fn b044_a_stored_question_without_a_gate_is_no_crash() {
    let mut thread = Thread::with("hello");
    thread.say(calls("c", [("ask_user", good())]));
    let read: Desk = serde_json::from_str(&serde_json::to_string(&thread.state).unwrap()).unwrap();
    thread.state = read;
    assert_eq!(route(&thread, false), "continue");
    thread.new_turn("and now?");
    assert_eq!(route(&thread, false), "finish");
}

#[test]
fn b045_calls_go_on_and_nothing_else() {
    assert_eq!(RepeatLimits::default().route(&Conversation::default()), ToolCalls::Finish);
    let mut thread = Thread::with("hello");
    assert_eq!(thread.calls(), ToolCalls::Finish);
    thread.say(Reply::text("Hi."));
    assert_eq!(thread.calls(), ToolCalls::Finish);
    thread.say(calls("c", [("lookup", json!({}))]));
    assert_eq!(thread.calls(), ToolCalls::Continue);
    thread.run_tools();
    assert_eq!(thread.calls(), ToolCalls::Finish, "a result is the last");
}

/// One call after the other, each run; where the loop goes after the last one, before it runs.
fn after(arguments: &[Value]) -> (Thread, ToolCalls) {
    let mut thread = Thread::with("hello");
    let mut to = ToolCalls::Finish;
    for (nth, arguments) in arguments.iter().enumerate() {
        thread.run_tools();
        thread.say(calls(&format!("c{nth}-"), [("lookup", arguments.clone())]));
        to = thread.calls();
    }
    (thread, to)
}

#[test]
fn b046_the_same_call_in_three_messages_is_cut() {
    let (ab, ba) = (json!({"a": 1, "b": {"x": 1, "y": 2}}), r#"{"b": {"y": 2, "x": 1}, "a": 1}"#);
    assert_eq!(after(&[ab.clone(), ab.clone()]).1, ToolCalls::Continue);
    assert_eq!(after(&[ab.clone(), ab.clone(), ab.clone()]).1, ToolCalls::Repeating);
    assert_eq!(after(&[ab.clone(), json!({"a": 2}), ab.clone(), json!(null), ab.clone()]).1, ToolCalls::Repeating);
    assert_eq!(after(&[ab.clone(), ab.clone(), json!({"a": 2})]).1, ToolCalls::Continue, "only what is called now");

    // The order of keys, as the model wrote them.
    let (mut thread, _) = after(&[ab.clone(), ab]);
    thread.run_tools();
    let mut reply = Reply::text("");
    reply.calls.push(super::kit::raw("x", "lookup", ba));
    thread.say(reply);
    assert_eq!(thread.calls(), ToolCalls::Repeating);
}

#[test]
fn b046_only_the_last_ten_messages_count() {
    // Two messages for each call: with four others between them the first one is the eleventh from the end.
    let same = json!({"same": true});
    let other = |nth: u32| json!({ "nth": nth });
    let within = [same.clone(), other(1), other(2), same.clone(), same.clone()];
    assert_eq!(after(&within).1, ToolCalls::Repeating, "nine messages");
    let beyond = [same.clone(), other(1), other(2), other(3), same.clone(), same];
    assert_eq!(after(&beyond).1, ToolCalls::Continue, "eleven messages");
}

#[test]
fn b047_within_a_message_and_over_turns_is_no_loop() {
    let mut thread = Thread::with("hello");
    thread.say(calls("c", [("lookup", json!({})), ("lookup", json!({})), ("lookup", json!({}))]));
    assert_eq!(thread.calls(), ToolCalls::Continue);
    assert_eq!(thread.run_tools().len(), 3);
    for nth in 0..3 {
        thread.new_turn("again, please");
        thread.say(calls(&format!("d{nth}"), [("lookup", json!({}))]));
        assert_eq!(thread.calls(), ToolCalls::Continue);
        thread.run_tools();
    }
}

#[test]
fn b048_a_threshold_on_the_name_alone_is_for_who_sets_it() {
    let (thread, to) = after(&[json!({"n": 1}), json!({"n": 2}), json!({"n": 3})]);
    assert_eq!(to, ToolCalls::Continue);
    let by_name = |most| RepeatLimits { same_name: Some(most), ..RepeatLimits::default() }.route(thread.talk());
    assert_eq!((by_name(3), by_name(4)), (ToolCalls::Repeating, ToolCalls::Continue));
}

#[test]
fn b049_after_a_cut_every_call_has_a_result() {
    let same = json!({"same": true});
    let (mut thread, to) = after(&[same.clone(), same.clone(), same]);
    assert_eq!(to, ToolCalls::Repeating);
    thread.commit(Desk::widen(close_repeating(&thread.state)));
    let [(ToolStatus::NotAnswered, "lookup", content)] = thread.results()[..] else { panic!("{:?}", thread.results()) };
    assert!(content.contains("again and again"), "{content}");
    assert!(thread.talk().open_calls().is_empty());
    assert_eq!(thread.calls(), ToolCalls::Finish, "nothing to go on with");
    let rows = thread.rows.len();
    thread.close(Closing::Repeating);
    assert_eq!(thread.rows.len(), rows, "there is nothing left to close");
}

#[test]
fn b050_a_new_turn_closes_the_question_once() {
    let mut thread = Thread::with("hello");
    thread.say(calls("c", [("ask_user", good()), ("lookup", json!({}))]));
    assert!(thread.gate());
    thread.new_turn("never mind, what time is it?");
    assert!(!thread.gate() && thread.talk().pending().is_none() && thread.talk().open_calls().is_empty());
    let of_ask = |thread: &Thread| {
        thread.talk().messages().filter(|message| matches!(message, Message::Tool(result) if result.call == id("c", 0))).count()
    };
    assert_eq!(of_ask(&thread), 1);
    assert!(matches!(thread.talk().messages().last(), Some(Message::User { text }) if text.starts_with("never mind")));
    thread.say(Reply::text("Noon."));
    assert_eq!(thread.calls(), ToolCalls::Finish);
    thread.new_turn("thanks");
    thread.say(Reply::text("Bye."));
    assert_eq!((of_ask(&thread), thread.calls()), (1, ToolCalls::Finish));
}

#[test]
fn b051_even_if_nobody_closed_it_the_next_turn_does() {
    // Turn ids are the runtime's; what the caller calls its runs is not seen here at all.
    let mut thread = Thread::with("hello");
    thread.say(calls("c", [("ask_user", good())]));
    let mut closed = Thread::with("hello");
    closed.say(calls("c", [("ask_user", good())]));
    closed.new_turn("next");
    // The same, with no close of its own: what the input takes in closes it.
    let patch = Desk::widen(<Desk as graphwright::agent::HasConversation>::say::<graphwright::Anything>("next".into()));
    let ids = graphwright::CountingIds::default();
    let taken = thread.state.ingest(patch, &mut graphwright::Ingest::new(&ids, MINTED, TurnId([1; 16])));
    thread.state.apply(taken);
    assert_eq!(serde_json::to_string(&thread.state).unwrap(), serde_json::to_string(&closed.state).unwrap());
}

#[test]
fn b052_closing_is_idempotent_and_the_same_every_time() {
    let mut thread = Thread::with("hello");
    thread.say(Reply::text("Hi."));
    assert!(thread.state.close(Closing::Abandoned).is_none(), "nothing is open: nothing is copied");
    thread.say(calls("c", [("lookup", json!({})), ("ask_user", good())]));
    let close = |thread: &Thread| serde_json::to_string(&thread.state.close(Closing::Abandoned).unwrap()).unwrap();
    assert_eq!(close(&thread), close(&thread));
    thread.close(Closing::Abandoned);
    let history = serde_json::to_string(&thread.state).unwrap();
    thread.close(Closing::Abandoned);
    thread.close(Closing::Edited);
    assert_eq!(serde_json::to_string(&thread.state).unwrap(), history);
}

#[tokio::test]
async fn b053_only_what_is_open_is_closed_behind_its_message() {
    let mut thread = Thread::with("hello");
    thread.say(calls("c", [("lookup", json!({})), ("send_mail", json!({}))]));
    let done = thread.talk().open_calls()[0].clone();
    thread.say(graphwright::agent::ToolResult::new(&done, ToolStatus::Ok, "found"));
    // Something was said in between; the result still goes to its place.
    thread.say("are you there?");
    thread.close(Closing::Abandoned);
    let roles: Vec<String> = thread
        .talk()
        .messages()
        .map(|message| match message {
            Message::User { .. } => "user".into(),
            Message::Tool(result) => format!("{} {:?}", result.name, result.status),
            _ => "assistant".into(),
        })
        .collect();
    assert_eq!(roles, ["user", "assistant", "lookup Ok", "send_mail NotAnswered", "user"]);
    let Some(Message::Tool(stub)) = thread.talk().messages().nth(3) else { panic!() };
    assert!(stub.content.contains("`send_mail`") && !stub.content.contains("user"), "neutral: {}", stub.content);

    // An answer that comes too late changes nothing.
    let mut thread = Thread::with("hello");
    thread.say(calls("c", [("ask_user", good())]));
    let asked = thread.ask().await;
    thread.new_turn("never mind");
    let before = serde_json::to_string(&thread.state.talk).unwrap();
    thread.resume(&asked, &first_options(&asked)).unwrap();
    assert_eq!(serde_json::to_string(&thread.state.talk).unwrap(), before);
}
