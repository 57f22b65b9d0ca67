//! Cases 77, 78, 81, 85 to 88, 102, 107 and 109: a turn from its start to its outcome.

use std::sync::atomic::Ordering;
use std::time::Duration;

use graphwright::agent::{Message, Reply, Scripted};
use graphwright::{Event, EventKind, GraphExt as _, Memory, RunError, Sqlite, StopReason};
use serde_json::json;

use super::desk::{self, Desk, Record, approval, approve};
use super::kit::{calls, good};
use super::shop::{Shop, Stage, asked, first_options};

fn lookup(nth: usize) -> Reply {
    calls(&format!("{nth:x}"), [("lookup", json!({ "nth": nth }))])
}

#[tokio::test]
async fn b077_a_plain_turn_is_completed_and_told_from_start_to_end() {
    let (stage, record) = (Stage::of([lookup(1), Reply::text("It is on its way.")]), Record::default());
    let run = stage.app.thread("t").run("where is it?").label("mail 7").observe(record.clone());
    let done = run.await.unwrap().completed().unwrap();
    assert_eq!((done.output.talk.last_text(), done.steps), (Some("It is on its way."), 3));
    let rows = stage.app.thread("t").history().await.unwrap();
    let log: Vec<&str> = rows.iter().map(|row| row.row.place.as_str()).collect();
    assert_eq!(log, ["", "react", "run_tools", "react"], "every place that ran");
    let input: serde_json::Value = serde_json::from_slice(&rows[0].row.body[1..]).unwrap();
    assert_eq!(input["label"], "mail 7", "the caller's name is kept, and decides nothing");
    assert_eq!(rows[0].row.run, Some(done.run));
    let told = record.events();
    assert!(told.iter().all(|event| event.run == done.run && event.turn == done.turn));
    assert!(matches!(told.first().unwrap().kind, EventKind::RunStarted { resumed: false, after: None }));
    assert!(matches!(told.last().unwrap().kind, EventKind::RunEnded { outcome: graphwright::Mark::Completed }));
    assert!(told.windows(2).all(|pair| pair[0].elapsed <= pair[1].elapsed) && told.last().unwrap().elapsed > Duration::ZERO);
}

#[tokio::test]
async fn b078_a_paused_turn_says_so_and_nothing_else_is_called() {
    let (stage, record) = (Stage::of([calls("c", [("ask_user", good())])]), Record::default());
    let paused = stage.app.thread("t").run("hello").observe(record.clone()).await.unwrap().paused().unwrap();
    assert_eq!(paused.questions.len(), 1);
    assert_eq!(stage.script.calls(), 1, "no model sums up a turn that is not over");
    assert_eq!(record.count(|kind| matches!(kind, EventKind::RunEnded { outcome: graphwright::Mark::Paused })), 1);
    assert_eq!(record.count(|kind| matches!(kind, EventKind::RunEnded { .. })), 1);
    assert_eq!(record.count(|kind| matches!(kind, EventKind::Paused { questions: 1 })), 1);
}

#[tokio::test(start_paused = true)]
async fn b081_a_limit_holds_within_a_tool_in_a_run_and_in_a_stream() {
    for streamed in [false, true] {
        let stage = Stage::of([lookup(1), Reply::text("Done.")]);
        stage.deps.hangs.store(true, Ordering::SeqCst);
        let begun = tokio::time::Instant::now();
        let run = stage.app.thread("t").run("hello").deadline(Duration::from_millis(200));
        let outcome = if streamed { run.stream().outcome().await } else { run.await };
        assert_eq!(outcome.unwrap().stopped().unwrap().reason, StopReason::TimedOut);
        // By the clock of the test, which stands still while anybody works.
        assert!(begun.elapsed() < Duration::from_millis(300), "{:?}", begun.elapsed());
        assert_eq!(stage.deps.dropped.load(Ordering::SeqCst), 1, "the tool is dropped");
        stage.deps.hangs.store(false, Ordering::SeqCst);
        assert!(stage.app.thread("t").proceed().await.unwrap().completed().is_some());
    }
}

#[tokio::test]
async fn b085_a_turn_that_takes_too_many_steps_keeps_what_it_has() {
    let stage = Stage::with(Scripted::by(|request| lookup(request.messages().count())));
    let stopped = stage.app.thread("t").run("hello").steps(6).await.unwrap().stopped().unwrap();
    assert_eq!(stopped.reason, StopReason::StepLimit);
    let results = stopped.state.talk.messages().filter(|message| matches!(message, Message::Tool(_))).count();
    assert_eq!((results, stage.ran().len()), (3, 3), "what the tools found is there");
    assert_eq!(stopped.state.talk.last_text(), None, "and no final text");
    assert_eq!(stage.state().await.rounds, stopped.state.rounds, "it is what is kept");
}

#[tokio::test]
async fn b086_a_turn_of_so_many_steps_needs_so_many() {
    let replies = || [lookup(1), lookup(2), Reply::text("Done.")];
    let steps = Stage::of(replies()).run("hello").await.completed().unwrap().steps;
    assert_eq!(steps, 5);
    let exactly = Stage::of(replies()).app.thread("t").run("hello").steps(steps).await.unwrap();
    assert!(exactly.completed().is_some(), "{steps} are enough");
    let less = Stage::of(replies()).app.thread("t").run("hello").steps(steps - 1).await.unwrap();
    assert_eq!(less.stopped().unwrap().reason, StopReason::StepLimit);
}

#[tokio::test]
async fn b087_what_belongs_to_a_run_is_there_after_a_resume() {
    let (stage, record) = (Stage::of([calls("c", [("ask_user", good())]), lookup(1), Reply::text("Done.")]), Record::default());
    let open = asked(stage.run("hello").await);
    let run = stage.app.thread("t").resume(first_options(&open)).observe(record.clone());
    let done = run.await.unwrap().completed().unwrap();
    assert_eq!(stage.ran(), ["lookup"], "the dependencies are there");
    let told: Vec<Event> = record.events();
    assert!(matches!(told[0].kind, EventKind::RunStarted { resumed: true, .. }));
    assert!(record.count(|kind| matches!(kind, EventKind::NodeStarted { .. })) >= 3, "the observer of the call hears of every place");
    // A run is the part between two pauses; the turn is what stays.
    assert!(told.iter().all(|event| event.run == done.run && event.turn == done.turn));
}

#[tokio::test]
async fn b088_a_question_is_not_answered_by_a_new_turn() {
    let stage = Stage::of([calls("c", [("ask_user", good())]), Reply::text("Done.")]);
    let open = asked(stage.run("hello").await);
    let error = stage.app.thread("t").run("(resume)").await.unwrap_err();
    assert!(matches!(&error, RunError::Waiting { question, .. } if *question == open.id()), "{error}");
    let rows = stage.app.thread("t").history().await.unwrap().len();
    // Going on by itself answers nothing either.
    assert!(stage.app.thread("t").proceed().await.unwrap().paused().is_some());
    assert_eq!(stage.app.thread("t").history().await.unwrap().len(), rows);
    let texts = stage.state().await;
    assert!(texts.talk.messages().all(|message| !matches!(message, Message::User { text } if text == "(resume)")));
    let _done = stage.resume(first_options(&open)).await.completed().unwrap();
}

#[tokio::test]
async fn b107_the_first_call_of_a_process_may_be_an_answer() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("threads.db");
    let stage = Stage::of([calls("c", [("ask_user", good())]), Reply::text("Done.")]);
    let open = {
        let app = Shop::app(stage.deps.clone(), Sqlite::open(&path).await.unwrap());
        asked(app.thread("t").run("hello").await.unwrap())
    };
    let app = Shop::app(stage.deps.clone(), Sqlite::open(&path).await.unwrap());
    let done = app.thread("t").resume(first_options(&open)).await.unwrap().completed().unwrap();
    assert_eq!(done.output.talk.last_text(), Some("Done."));
}

#[tokio::test]
async fn b109_two_apps_share_what_is_spent_by_their_store_alone() {
    let deps = desk::Deps::default();
    let (first, second) = (Memory::new(), Memory::new());
    let one = desk::app(&deps, first.clone());
    let (_, token) = desk::ask(&one, "t", 7).await;
    let _spent = one.redeem(&token, approve()).await.unwrap();
    // The same store: spent. Another one: never heard of.
    let again = desk::app(&deps, first).redeem(&token, approve()).await.unwrap_err();
    assert!(format!("{again:?}").contains("Spent"), "{again:?}");
    let other = desk::app(&deps, second.clone());
    let lost = other.redeem(&token, approve()).await.unwrap_err();
    assert!(format!("{lost:?}").contains("Lost"), "{lost:?}");
    // And nothing in the process remembers a token for a thread of the same name.
    let questions = Desk::app(deps.clone(), second).thread("t").run(desk::Order::update().amount(7_u64)).await.unwrap();
    assert_eq!(approval(questions.paused().unwrap().questions).question.cents, 7);
}
