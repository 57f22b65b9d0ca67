//! Windows and summaries of a conversation, and ids of calls.

use graphwright::Usage;
use graphwright::agent::{
    Call, Conversation, ConversationDelta, Message, Model, RawCall, Reply, Scripted, ToolResult, ToolStatus, Transcript,
};
use graphwright::prelude::*;
use serde_json::json;

use super::kit::Desk;

/// A turn: the user, so many rounds of two calls and their results, and an answer.
fn turn(desk: Desk, nth: u8, rounds: usize) -> Desk {
    let mut desk = desk.and_in(nth, format!("turn {nth}").as_str());
    for _ in 0..rounds {
        desk = desk.and_in(nth, Reply::text("").call("a", json!({})).call("b", json!({})));
        let open: Vec<Call> = desk.talk.open_calls().into_iter().cloned().collect();
        for call in open {
            desk = desk.and_in(nth, ToolResult::new(&call, ToolStatus::Ok, "ok"));
        }
    }
    desk.and_in(nth, Reply::text(format!("answer {nth}")))
}

fn texts(messages: impl Iterator<Item = impl std::borrow::Borrow<Message>>) -> Vec<String> {
    messages
        .map(|message| match message.borrow() {
            Message::User { text } => format!("u:{text}"),
            Message::Summary { text } => format!("s:{text}"),
            Message::Assistant { text, calls } => format!("m:{text}{}", ".".repeat(calls.len())),
            Message::Tool(result) => format!("t:{}", result.name),
            _ => "?".to_owned(),
        })
        .collect()
}

fn window(talk: &Conversation, count: usize) -> Vec<String> {
    texts(talk.window(count).messages())
}

/// What a strict provider takes: a user first, every result directly behind its call, no call without one.
fn strict(messages: &[&Message]) -> Result<(), String> {
    let mut open: Vec<&str> = Vec::new();
    for (at, message) in messages.iter().enumerate() {
        match message {
            Message::Tool(result) => match open.iter().position(|call| *call == result.call) {
                Some(nth) => drop(open.remove(nth)),
                None => return Err(format!("{at}: a result of nothing")),
            },
            _ if !open.is_empty() => return Err(format!("{at}: a call is parted from its result")),
            Message::User { .. } | Message::Summary { .. } => {}
            _ if at == 0 => return Err("it begins with the model".to_owned()),
            message => open.extend(message.calls().iter().map(|call| call.id.as_str())),
        }
    }
    if open.is_empty() { Ok(()) } else { Err("a call without a result".to_owned()) }
}

#[test]
fn the_judge_of_these_tests_sees_what_is_wrong() {
    let desk = turn(Desk::default(), 1, 1);
    let all: Vec<&Message> = desk.talk.messages().collect();
    assert_eq!(strict(&all), Ok(()));
    for wrong in [&all[1..], &all[2..], &all[..2], &all[..3], &[all[0], all[1], all[4]][..]] {
        assert!(strict(wrong).is_err(), "{wrong:?}");
    }
}

#[test]
fn a_window_begins_with_the_user_and_parts_no_call_from_its_result() {
    let desk = turn(turn(turn(Desk::default(), 1, 1), 2, 0), 3, 1);
    let talk = &desk.talk;
    assert_eq!(texts(talk.messages()).join(" "), "u:turn 1 m:.. t:a t:b m:answer 1 u:turn 2 m:answer 2 u:turn 3 m:.. t:a t:b m:answer 3");
    assert_eq!(window(talk, 100), texts(talk.messages()));
    assert_eq!(window(talk, 7), ["u:turn 2", "m:answer 2", "u:turn 3", "m:..", "t:a", "t:b", "m:answer 3"]);
    assert_eq!(window(talk, 6), ["u:turn 3", "m:..", "t:a", "t:b", "m:answer 3"]);
    // The turn is longer than the window: what the user wants stays.
    assert_eq!(window(talk, 4), ["u:turn 3", "m:answer 3"]);
    assert_eq!(window(talk, 1), ["u:turn 3", "m:answer 3"]);
    let long = turn(Desk::default(), 1, 20);
    assert_eq!(window(&long.talk, 5), ["u:turn 1", "m:..", "t:a", "t:b", "m:answer 1"]);
    // Results alone are never without their calls.
    let waiting = Desk::default().and("go").and((0..10).fold(Reply::text(""), |reply, _| reply.call("a", json!({}))));
    let results: Vec<ToolResult> = waiting.talk.open_calls().into_iter().map(|call| ToolResult::new(call, ToolStatus::Ok, "ok")).collect();
    let all = window(&waiting.and(results).talk, 3);
    assert_eq!((all.len(), all[0].as_str(), all[1].as_str()), (12, "u:go", "m:.........."));
}

#[test]
fn every_window_and_every_summary_of_every_conversation_is_one_that_providers_take() {
    let mut seen = 0;
    for shape in 0..81_usize {
        let rounds = [shape % 3, shape / 3 % 3, shape / 9 % 3, shape / 27];
        let mut desk = Desk::default();
        for (nth, rounds) in (1..).zip(rounds) {
            desk = turn(desk, nth, rounds);
        }
        let len = desk.talk.len();
        for count in 0..len + 2 {
            let window = desk.talk.window(count);
            let messages: Vec<&Message> = window.messages().collect();
            assert_eq!(strict(&messages), Ok(()), "{rounds:?} {count}");
            assert!(messages.len() <= count.max(4), "{rounds:?} {count}: {}", messages.len());
            assert_eq!(texts(messages.iter().copied()).last(), texts(desk.talk.messages()).last());
            let Some(older) = desk.talk.older_than(count) else { continue };
            let shorter = desk.clone().and_in(4, older.summary(Reply::text("short")));
            let kept: Vec<&Message> = shorter.talk.messages().collect();
            assert_eq!(strict(&kept), Ok(()), "{rounds:?} {count}");
            assert_eq!(texts(kept[..1].iter().copied()), ["s:short"]);
            assert!(kept.len() > count.min(2) && kept.len() < len + 1, "{rounds:?} {count}: {}", kept.len());
            assert_eq!(texts(older.messages()).len() + kept.len() - 1, len, "what is summed up is what is gone");
            seen += 1;
        }
    }
    assert!(seen > 500, "{seen}");
}

#[tokio::test]
async fn a_summary_stands_for_what_is_gone() {
    let desk = turn(turn(turn(Desk::default(), 1, 1), 2, 1), 3, 0);
    assert!(desk.talk.older_than(desk.talk.len()).is_none());
    let script = Scripted::new([{
        let mut reply = Reply::text("They said hello.");
        reply.usage = Some(Usage::new(7, 1));
        reply
    }]);
    let model = Model::new(script.clone());
    let older = desk.talk.older_than(7).unwrap();
    let reply = model.chat(&older).send(&Context::test(())).await.unwrap();
    assert_eq!(texts(script.requests()[0].messages.iter()), ["u:turn 1", "m:..", "t:a", "t:b", "m:answer 1"]);
    let desk = desk.clone().and_in(3, older.summary(reply));
    let rest = "u:turn 2 m:.. t:a t:b m:answer 2 u:turn 3 m:answer 3";
    assert_eq!(texts(desk.talk.messages()).join(" "), format!("s:They said hello. {rest}"));
    assert_eq!(texts(desk.talk.this_turn()), ["u:turn 3", "m:answer 3"]);
    assert_eq!(desk.talk.usage(), Usage::new(7, 1));
    assert_eq!(window(&desk.talk, 3), ["s:They said hello.", "u:turn 3", "m:answer 3"]);

    // A second one stands for the first as well; one without a text changes nothing.
    let older = desk.talk.older_than(2).unwrap();
    assert_eq!(texts(older.messages()).len(), 6);
    let again = desk.clone().and_in(3, older.summary(Reply::text("Much was said.")));
    assert_eq!(texts(again.talk.messages()), ["s:Much was said.", "u:turn 3", "m:answer 3"]);
    assert_eq!(desk.clone().and_in(3, older.summary(Reply::text(" \n"))), desk);
    assert!(again.talk.older_than(2).is_none(), "there is nothing before it");
    let again = turn(again, 4, 0);
    let again = again.clone().and_in(4, again.talk.older_than(2).unwrap().summary(Reply::text("All of it.")));
    assert_eq!(texts(again.talk.messages()), ["s:All of it.", "u:turn 4", "m:answer 4"]);
}

#[test]
fn a_summary_that_comes_too_late_changes_nothing() {
    let desk = turn(turn(turn(Desk::default(), 1, 1), 2, 1), 3, 0);
    let (long, short) = (desk.talk.older_than(2).unwrap(), desk.talk.older_than(7).unwrap());
    // Two branches of a fork sum up the same conversation: their updates meet at the join.
    let both = |first: &str, second: &str, a: ConversationDelta, b: ConversationDelta| {
        let joined = desk.clone().and_in(3, a.then(b));
        assert_eq!(texts(joined.talk.messages())[0], format!("s:{first}"), "{second}");
        assert_eq!(strict(&joined.talk.messages().collect::<Vec<_>>()), Ok(()));
    };
    let (a, b) = (|| Reply::text("a"), || Reply::text("b"));
    both("a", "the same", long.summary(a()), long.summary(b()));
    both("a", "less", long.summary(a()), short.summary(b()));
    both("b", "more", short.summary(a()), long.summary(b()));
    // A call of the user's last wish has no result yet.
    let waiting = desk.clone().and_in(4, "go").and_in(4, Reply::text("").call("a", json!({})));
    let older = waiting.talk.older_than(1).unwrap();
    let shorter = waiting.clone().and_in(4, older.summary(a()));
    assert_eq!(texts(shorter.talk.messages()), ["s:a", "u:go", "m:."]);
    assert_eq!(shorter.talk.open_calls().len(), 1);
    let call = shorter.talk.open_calls()[0].clone();
    assert!(shorter.and_in(4, ToolResult::new(&call, ToolStatus::Ok, "ok")).talk.open_calls().is_empty());
}

#[test]
fn h06_branches_both_called_call_1() {
    let desk = Desk::default().and("go");
    let called = || {
        let mut reply = Reply::text("").call("a", json!({}));
        reply.calls[0].id = Some("call_1".to_owned());
        reply
    };
    let branch = |fresh: u8| {
        let patch = <Desk as graphwright::agent::HasConversation>::say::<graphwright::Anything>(called().into());
        let ids = graphwright::CountingIds::default();
        for _ in 0..fresh {
            graphwright::IdGen::fresh(&ids);
        }
        let mut ingest = graphwright::Ingest::new(&ids, graphwright::Timestamp(1_000), graphwright::TurnId([1; 16]));
        desk.ingest(patch, &mut ingest)
    };
    let mut joined = desk.clone();
    joined.apply(branch(0));
    joined.apply(branch(1));
    let ids: Vec<String> = joined.talk.open_calls().into_iter().map(|call| call.id.clone()).collect();
    assert_eq!(ids.len(), 2);
    assert!(ids[0] != ids[1] && !ids.contains(&"call_1".to_owned()), "{ids:?}");
    let raw = RawCall { id: Some("call_1".to_owned()), name: "a".to_owned(), arguments: "{}".to_owned() };
    assert_eq!(called().calls, [raw]);
}
