//! Cases 54 to 74: tokens, answers, and what becomes of a thread (70 comes with approvals).

use std::sync::atomic::Ordering;
use std::time::Duration;

use graphwright::prelude::*;
use graphwright::{
    AnsweredNext, EventKind, KeyError, KeyRing, ManualClock, OnBusy, OnPaused, Scope, Timestamp, Token, TokenError, store::Status,
};
use serde_json::json;

use super::desk::{Approve, Confirm, Decision, Deps, Desk, NOON, Order, Q, Record, app, approval, approve, ask, keys};

#[tokio::test]
async fn b054_a_token_works_once_and_its_second_use_runs_nothing() {
    let deps = Deps::default();
    let app = app(&deps, Memory::new());
    let (_, token) = ask(&app, "t", 500).await;
    let redeemed = app.redeem(&token, approve()).await.unwrap();
    assert_eq!(redeemed.answered.next, AnsweredNext::Ready);
    assert!(redeemed.thread.proceed().await.unwrap().paused().is_some(), "the confirmation");
    assert_eq!(deps.paid.load(Ordering::SeqCst), 1);
    let before = app.thread("t").history().await.unwrap().len();

    let again = app.redeem(&token, approve()).await.unwrap_err();
    assert!(matches!(again, TokenError::Spent { same_answer: true, .. }), "{again}");
    let other = app.redeem(&token, Approve::answer(Answer::Declined)).await.unwrap_err();
    assert!(matches!(other, TokenError::Spent { same_answer: false, .. }), "{other}");
    assert_eq!(again.status(), 410);
    assert_eq!(app.thread("t").history().await.unwrap().len(), before, "nothing was written");
    assert_eq!(deps.paid.load(Ordering::SeqCst), 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn b055_of_many_redemptions_at_once_one_wins() {
    let deps = Deps::default();
    let app = app(&deps, Memory::new());
    let (_, token) = ask(&app, "t", 500).await;
    let mut tries = tokio::task::JoinSet::new();
    for _ in 0..16 {
        let (app, token) = (app.clone(), token.clone());
        tries.spawn(async move {
            match app.redeem(&token, approve()).await {
                Ok(redeemed) => {
                    assert!(redeemed.thread.proceed().await.unwrap().paused().is_some());
                    true
                }
                Err(TokenError::Spent { same_answer: true, .. }) => false,
                Err(other) => panic!("{other}"),
            }
        });
    }
    let won = tries.join_all().await;
    assert_eq!(won.iter().filter(|won| **won).count(), 1);
    assert_eq!(won.len(), 16);
    assert_eq!(deps.paid.load(Ordering::SeqCst), 1);
    let state = app.thread("t").state().await.unwrap().unwrap();
    assert_eq!(state.notes, ["prepared", "decided", "paid 500"]);
}

#[tokio::test]
async fn b056_an_answer_that_does_not_fit_leaves_the_token_good() {
    let app = app(&Deps::default(), Memory::new());
    let (_, token) = ask(&app, "t", 500).await;
    for bad in [
        json!({"action": "accept", "content": 7}),
        json!({"action": "accept"}),
        json!({}),
        json!(null),
        json!({"action": "accept", "content": {"Lower": 600}}),
    ] {
        let error = app.redeem(&token, bad.clone()).await.unwrap_err();
        assert!(matches!(error, TokenError::BadAnswer(_)), "{bad}: {error}");
        assert_eq!(error.status(), 422);
    }
    let error = app.redeem(&token, json!({"action": "accept", "content": {"Lower": 600}})).await.unwrap_err();
    assert!(error.to_string().contains("`Lower` wants less than 500"), "{error}");
    app.redeem(&token, json!({"action": "accept", "content": {"Lower": 100}})).await.unwrap();
    assert_eq!(app.thread("t").state().await.unwrap().unwrap().amount, 100);
}

#[tokio::test]
async fn b057_expired_and_altered_are_told_apart() {
    let clock = ManualClock::at(NOON);
    let app = app(&Deps::default(), Memory::new()).clock(clock.clone());
    let (id, _) = ask(&app, "t", 500).await;
    app.thread("t").reissue(id, Some(NOON.after(Duration::from_secs(60)))).await.unwrap();
    let token = app.token("t", id).await.unwrap();
    clock.advance(Duration::from_secs(61));
    let error = app.redeem(&token, approve()).await.unwrap_err();
    assert!(matches!(error, TokenError::Expired { .. }), "{error}");
    assert_eq!(error.status(), 410);

    let mut altered = token.as_str().to_owned();
    let last = altered.pop().unwrap();
    altered.push(if last == 'A' { 'B' } else { 'A' });
    let error = app.redeem(&Token::new(altered), approve()).await.unwrap_err();
    assert!(matches!(error, TokenError::Invalid), "{error}");
    assert_eq!(error.status(), 401);

    app.thread("t").reissue(id, None).await.unwrap();
    let token = app.token("t", id).await.unwrap();
    app.redeem(&token, approve()).await.unwrap();
}

#[tokio::test]
async fn b058_another_scope_is_forbidden_and_has_other_threads() {
    let app = app(&Deps::default(), Memory::new());
    let paths: [&[&str]; 6] = [&["a", "b:c"], &["a:b", "c"], &[], &["_"], &["org", "brand", "conv1"], &["org", "brand", "conv2"]];
    let apps: Vec<_> = paths.iter().map(|path| app.scope(Scope::new(path.iter().copied()).unwrap())).collect();
    for (n, mine) in apps.iter().enumerate() {
        let (_, token) = ask(mine, "t", n as u64).await;
        for (other, app) in apps.iter().enumerate().filter(|(other, _)| *other != n) {
            let error = app.redeem(&token, approve()).await.unwrap_err();
            assert!(matches!(error, TokenError::Forbidden), "{n} {other}: {error}");
            assert_eq!(error.status(), 403);
        }
    }
    for (n, mine) in apps.iter().enumerate() {
        let state = mine.thread("t").state().await.unwrap().unwrap();
        assert_eq!(state.amount, n as u64, "each scope has a thread of its own");
    }
}

#[tokio::test]
async fn b059_a_token_of_a_question_that_was_given_up_is_superseded() {
    let app = app(&Deps::default(), Memory::new()).on_paused(OnPaused::Abandon);
    let (_, first) = ask(&app, "t", 1).await;
    let (_, second) = ask(&app, "t", 2).await;
    let rows = app.thread("t").history().await.unwrap().len();
    let error = app.redeem(&first, approve()).await.unwrap_err();
    assert!(matches!(error, TokenError::Superseded), "{error}");
    assert_eq!(error.status(), 409);
    assert_eq!(app.thread("t").history().await.unwrap().len(), rows, "nothing was written");
    app.redeem(&second, approve()).await.unwrap();
}

#[tokio::test]
async fn b060_a_token_of_an_earlier_turn_is_superseded_and_nothing_claims_success() {
    let record = Record::default();
    let app = app(&Deps::default(), Memory::new()).on_paused(OnPaused::Abandon).observe(record.clone());
    let (_, first) = ask(&app, "t", 1).await;
    let (_, second) = ask(&app, "t", 2).await;
    app.redeem(&second, Approve::answer(Answer::Accepted(Decision::Reject))).await.unwrap();
    assert_eq!(app.thread("t").status().await.unwrap(), Some(Status::Idle));
    let answered = record.count(|kind| matches!(kind, EventKind::AskUserAnswered { .. }));
    let error = app.redeem(&first, approve()).await.unwrap_err();
    assert!(matches!(error, TokenError::Superseded), "{error}");
    assert_eq!(record.count(|kind| matches!(kind, EventKind::AskUserAnswered { .. })), answered);
    assert_eq!(answered, 1);
}

#[tokio::test]
async fn b061_a_failure_after_the_answer_is_retried_from_the_answer() {
    let deps = Deps::default();
    let app = app(&deps, Memory::new());
    let (_, token) = ask(&app, "t", 500).await;
    deps.broken.store(true, Ordering::SeqCst);
    let redeemed = app.redeem(&token, approve()).await.unwrap();
    let error = redeemed.thread.proceed().await.unwrap_err();
    let RunError::Failed(failure) = &error else { panic!("{error}") };
    assert_eq!(failure.place(), "pay");
    assert_eq!(failure.state::<Order>().unwrap().notes, ["prepared", "decided"], "the answer is kept");
    assert!(error.is_transient());
    assert!(matches!(app.redeem(&token, approve()).await.unwrap_err(), TokenError::Spent { .. }));

    assert!(redeemed.thread.proceed().await.unwrap().paused().is_some());
    assert_eq!(deps.paid.load(Ordering::SeqCst), 1);
    assert_eq!(deps.prepared.load(Ordering::SeqCst), 1);
    let keys = deps.keys.lock().unwrap().clone();
    assert_eq!(keys.len(), 2);
    assert_eq!(keys[0], keys[1], "one key over all attempts");
}

#[tokio::test]
async fn b062_a_reader_that_leaves_after_the_answer_loses_nothing() {
    let deps = Deps::default();
    let app = app(&deps, Memory::new());
    let (_, _) = ask(&app, "t", 500).await;
    let question = approval(app.thread("t").pending().await.unwrap());
    let mut events = app.thread("t").resume(question.accept(Decision::Approve)).stream();
    loop {
        match events.next().await.expect("an event").kind {
            EventKind::AskUserAnswered { .. } => break,
            EventKind::RunEnded { .. } => panic!("the answer was not told"),
            _ => {}
        }
    }
    drop(events);
    assert!(app.thread("t").proceed().await.unwrap().paused().is_some());
    assert_eq!(deps.paid.load(Ordering::SeqCst), 1);
    assert_eq!(app.thread("t").state().await.unwrap().unwrap().notes, ["prepared", "decided", "paid 500"]);
}

#[tokio::test]
async fn b063_a_token_of_another_kind_is_invalid_and_there_are_no_default_keys() {
    let app = app(&Deps::default(), Memory::new());
    ask(&app, "t", 1).await;
    let jwt = "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U";
    for text in [jwt, "", "v1", "v1.1..", "v1.1.AAAA.BBBB", "\u{202e}", "v1.999.x.y"] {
        let error = app.redeem(&Token::new(text), approve()).await.unwrap_err();
        assert!(matches!(error, TokenError::Invalid), "{text}: {error}");
    }
    assert!(matches!(KeyRing::new(1, [7; 31]), Err(KeyError::TooShort { .. })));
    let bare = Desk::app(Deps::default(), Memory::new());
    let outcome = bare.thread("t").run(Order::update()).await.unwrap().paused().unwrap();
    let id = approval(outcome.questions).id();
    assert!(matches!(bare.token("t", id).await.unwrap_err(), TokenError::NoKeys));
}

#[tokio::test]
async fn b064_a_durable_thread_is_answered_after_a_restart_once() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("threads.db");
    let token = {
        let app = app(&Deps::default(), Sqlite::open(&path).await.unwrap());
        ask(&app, "t", 500).await.1
    };
    let deps = Deps::default();
    {
        let app = app(&deps, Sqlite::open(&path).await.unwrap());
        let redeemed = app.redeem(&token, approve()).await.unwrap();
        assert!(redeemed.thread.proceed().await.unwrap().paused().is_some());
    }
    assert_eq!(deps.paid.load(Ordering::SeqCst), 1);
    assert_eq!(deps.prepared.load(Ordering::SeqCst), 0, "what was done before the pause does not run again");
    let app = app(&deps, Sqlite::open(&path).await.unwrap());
    let error = app.redeem(&token, approve()).await.unwrap_err();
    assert!(matches!(error, TokenError::Spent { same_answer: true, .. }), "{error}");
    assert_eq!(deps.paid.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn b065_a_thread_in_memory_is_lost_with_its_process() {
    let (_, token) = ask(&app(&Deps::default(), Memory::new()), "t", 500).await;
    let error = app(&Deps::default(), Memory::new()).redeem(&token, approve()).await.unwrap_err();
    assert!(matches!(error, TokenError::Lost), "{error}");
    assert_eq!(error.status(), 404);
    assert!(error.to_string().contains("durable store"), "{error}");
}

#[tokio::test]
async fn b066_an_answer_for_another_interrupt_is_refused() {
    let app = app(&Deps::default(), Memory::new());
    let (_, token) = ask(&app, "t", 500).await;
    let error = app.redeem(&token, Confirm::answer(Answer::Accepted(()))).await.unwrap_err();
    assert!(matches!(error, TokenError::WrongInterrupt { asked: "Approve", given: "Confirm" }), "{error}");
    assert_eq!(error.status(), 400);
    app.redeem(&token, approve()).await.unwrap();
}

#[tokio::test]
async fn b067_the_time_that_a_person_took_is_told() {
    let (clock, record) = (ManualClock::at(NOON), Record::default());
    let app = app(&Deps::default(), Memory::new()).clock(clock.clone()).observe(record.clone());
    let (_, token) = ask(&app, "t", 500).await;
    clock.advance(Duration::from_secs(42));
    app.redeem(&token, approve()).await.unwrap();
    let waited = record.kinds().into_iter().find_map(|kind| match kind {
        EventKind::AskUserAnswered { waited, .. } => Some(waited),
        _ => None,
    });
    assert_eq!(waited, Some(Duration::from_secs(42)));
}

#[tokio::test]
async fn b068_a_thread_without_a_name_runs_no_node() {
    let deps = Deps::default();
    let app = app(&deps, Memory::new());
    let unseen = ["a\u{200b}", "a\u{ad}", "a\u{e0041}", "a\u{fe0f}", "\u{3164}", "\u{206a}a", "\u{fffb}"];
    for name in ["", ".", "..", "a\0b", "a\nb", "\u{202e}evil", &"x".repeat(256)].into_iter().chain(unseen) {
        let error = app.thread(name).run(Order::update()).await.unwrap_err();
        assert!(matches!(error, RunError::Id(_)), "{name:?}: {error}");
    }
    let scope = |segments| Scope::new(vec!["x"; segments]).map_err(|error| error.to_string());
    assert_eq!(scope(17), Err("the scope has 17 segments: at most 16 are allowed".to_owned()));
    assert!(scope(16).is_ok());
    assert!(app.thread("x".repeat(255)).run(Order::update()).await.is_ok());
    assert_eq!(deps.prepared.load(Ordering::SeqCst), 1);
}

/// What the compiler says is held by the compile-fail cases of these names; an empty name is no identifier.
#[test]
fn b069_an_interrupt_has_a_name_of_its_own_of_bearable_length() {
    let cases = [
        ("interrupt_reserved_name", "`ask_user` is the name of the built-in tool"),
        ("interrupt_long_name", "at most 64 characters"),
        ("interrupt_twice", "conflicting implementation for `Approve`"),
    ];
    for (case, text) in cases {
        let path = format!("{}/compile/ui/node/{case}.stderr", env!("CARGO_MANIFEST_DIR"));
        assert!(std::fs::read_to_string(&path).unwrap().contains(text), "{case}");
    }
}

#[tokio::test]
async fn b071_across_scopes_only_by_name_and_with_an_audit_event() {
    let record = Record::default();
    let store = Memory::new();
    let tenant = app(&Deps::default(), store.clone()).scope(Scope::new(["acme"]).unwrap());
    let (_, token) = ask(&tenant, "t", 500).await;
    let service = app(&Deps::default(), store).observe(record.clone());
    assert!(matches!(service.redeem(&token, approve()).await.unwrap_err(), TokenError::Forbidden));
    assert_eq!(record.kinds(), []);
    let redeemed = service.across_scopes().redeem(&token, approve()).await.unwrap();
    assert_eq!(record.count(|kind| matches!(kind, EventKind::Custom { name, .. } if name == "answered_across_scopes")), 1);
    assert!(redeemed.thread.proceed().await.unwrap().paused().is_some());
    assert_eq!(tenant.thread("t").state().await.unwrap().unwrap().notes, ["prepared", "decided", "paid 500"]);
}

#[tokio::test]
async fn b072_an_answer_without_content_resumes() {
    let app = app(&Deps::default(), Memory::new());
    let (_, token) = ask(&app, "t", 500).await;
    assert!(app.redeem(&token, approve()).await.unwrap().thread.proceed().await.unwrap().paused().is_some());
    let Some(Q::confirm(question)) = app.thread("t").pending().await.unwrap().into_iter().next() else { panic!("it confirms") };
    let token = app.token("t", question.id()).await.unwrap();
    let redeemed = app.redeem(&token, json!({"action": "accept", "content": null})).await.unwrap();
    assert_eq!(redeemed.answered.next, AnsweredNext::Done);
    let state = app.thread("t").state().await.unwrap().unwrap();
    assert_eq!(state.notes, ["prepared", "decided", "paid 500", "confirmed"], "nothing extra");
}

#[tokio::test]
async fn b073_of_two_turns_at_once_one_runs_and_the_other_is_told_or_waits() {
    let deps = Deps::default();
    let app = app(&deps, Memory::new());
    let mut first = app.thread("t").run(Order::update().amount(1)).stream();
    loop {
        if let EventKind::NodeStarted { .. } = first.next().await.expect("it starts").kind {
            break;
        }
    }
    let error = app.thread("t").run(Order::update().amount(2)).await.unwrap_err();
    assert!(matches!(error, RunError::Busy { .. }), "{error}");

    let queued = app.clone().on_busy(OnBusy::Queue).on_paused(OnPaused::Abandon);
    let second = tokio::spawn(queued.thread("t").run(Order::update().amount(3)));
    assert!(first.outcome().await.unwrap().paused().is_some());
    assert!(second.await.unwrap().unwrap().paused().is_some());
    let state = app.thread("t").state().await.unwrap().unwrap();
    assert_eq!((state.amount, state.notes.len()), (3, 2), "both turns are there");
    assert_eq!(deps.prepared.load(Ordering::SeqCst), 2);
}

#[tokio::test]
async fn b074_a_question_is_found_again_and_reissued() {
    let deps = Deps::default();
    let store = Memory::new();
    let (id, old) = ask(&app(&deps, store.clone()), "t", 500).await;
    let app = app(&deps, store);
    let question = approval(app.thread("t").pending().await.unwrap());
    assert_eq!((question.id(), question.question.cents), (id, 500));
    assert_eq!(app.token("t", id).await.unwrap(), old, "made of the stored question");

    app.thread("t").reissue(id, Some(Timestamp(i64::MAX))).await.unwrap();
    let new = app.token("t", id).await.unwrap();
    assert_ne!(old, new);
    assert!(matches!(app.redeem(&old, approve()).await.unwrap_err(), TokenError::Superseded));
    assert!(matches!(app.thread("t").answer(question.accept(Decision::Approve)).await.unwrap_err(), RunError::Superseded));
    app.redeem(&new, approve()).await.unwrap();
}

#[tokio::test]
async fn the_outbox_tells_each_question_once() {
    let deps = Deps::default();
    let app = app(&deps, Memory::new());
    let (_, token) = ask(&app, "t", 500).await;
    assert_eq!(app.sweep().await.unwrap().delivered, 1);
    assert_eq!(app.sweep().await.unwrap().delivered, 0);
    assert_eq!(*deps.told.lock().unwrap(), [format!("500 {}", token.as_str())]);
    let without_keys = Desk::app(deps.clone(), Memory::new());
    assert!(without_keys.thread("t").run(Order::update()).await.unwrap().paused().is_some());
    assert_eq!(without_keys.sweep().await.unwrap().delivered, 0, "no keys, no tokens");
    let _ = keys();
}
