//! Reports of pauses and questions.

use std::collections::BTreeSet;

use graphwright::prelude::*;
use graphwright::store::RowKind;
use graphwright::{OnPaused, Place, StopReason};

use super::{INNER, QUIET, Stage, all, asks, item, places, right};
use crate::harness::model::{Plain, interpret};
use crate::harness::script::{Act, CallSpec, Op, Script, Sign};
use crate::harness::world::{Deps, Shown, World, Worlds, input, show};
use crate::laws;

#[tokio::test]
async fn b01_both_pauses_are_listed_and_answered_in_any_order() {
    for order in 0..3 {
        let stage = Stage::of(vec![all([Sign::Accept(3), Sign::Skip], INNER)]);
        let open = stage.begin().await;
        assert_eq!(places(&open), ["sign_left", "sign_first"]);
        assert_ne!(open[0].id, open[1].id);
        // An answer without a question cannot be written: it is made of the question that it is for.
        let left = match order {
            0 => stage.resume(right(&open[..1])).await,
            1 => stage.resume(right(&open[1..])).await,
            _ => stage.resume(right(&open)).await,
        };
        assert_eq!(places(&left), [["sign_first"].as_slice(), &["sign_left", "sign_second"], &["sign_second"]][order]);
    }
}

#[tokio::test]
async fn b02_what_was_answered_does_not_come_back() {
    let stage = Stage::of(vec![all([Sign::Accept(3), Sign::Skip], INNER)]);
    let open = stage.begin().await;
    let then = stage.resume(right(&open[1..])).await;
    assert_eq!(places(&then), ["sign_left", "sign_second"]);
    assert!(then.iter().all(|shown| shown.id != open[1].id));
    assert_eq!((stage.begun("inside"), stage.begun("left")), (1, 1), "nothing ran again");
    assert!(stage.resume(right(&then)).await.is_empty());
}

#[tokio::test]
async fn b04_b05_three_calls_that_ask_are_three_questions_at_once_with_ids_that_stay() {
    let mut stage = Stage::of(vec![Op::Calls(vec![asks(1), asks(2), asks(3)])]);
    let open = stage.begin().await;
    assert_eq!(open.len(), 3, "at the first stop");
    let ids: Vec<_> = open.iter().map(|shown| shown.id).collect();
    assert_eq!(ids.iter().collect::<BTreeSet<_>>().len(), 3);
    stage.restart();
    assert_eq!(stage.open().await.iter().map(|shown| shown.id).collect::<Vec<_>>(), ids);
    assert!(stage.resume(right(&open)).await.is_empty());
}

#[tokio::test]
async fn b07_b23_the_second_question_of_a_mounted_graph_is_asked_and_its_answer_leads_on() {
    let stage = Stage::of(vec![Op::Whole(INNER)]);
    let first = stage.begin().await;
    assert_eq!(places(&first), ["sign_first"]);
    let second = stage.resume(right(&first)).await;
    assert_eq!(places(&second), ["sign_second"], "an answer is for one question");
    assert!(stage.resume(right(&second)).await.is_empty());
    assert_eq!(stage.begun("choose"), 2, "the graph around it goes on");
}

#[tokio::test]
async fn b08_each_round_of_a_loop_asks_anew() {
    let stage = Stage::of(vec![Op::Whole(INNER), Op::Ask(Sign::Accept(7)), Op::Whole(INNER)]);
    let mut open = stage.begin().await;
    let mut ids = BTreeSet::new();
    let mut asked = Vec::new();
    while let [shown] = &open[..] {
        assert!(ids.insert(shown.id), "a question that was answered");
        asked.push(shown.asked.place.clone());
        open = stage.resume(right(&open)).await;
    }
    assert_eq!(asked, ["sign_first", "sign_second", "ask", "sign_first", "sign_second"]);
}

#[tokio::test]
async fn b10_branches_that_wait_in_a_mounted_graph_go_on_where_they_are() {
    let stage = Stage::of(vec![Op::Items(vec![item(1, Sign::Accept(5)), item(2, Sign::Accept(6))])]);
    let open = stage.begin().await;
    assert_eq!(open.len(), 2);
    let left = stage.resume(right(&open[1..])).await;
    assert_eq!((left.len(), stage.begun("look"), stage.begun("think")), (1, 2, 2), "not from the beginning");
    assert!(stage.resume(right(&left)).await.is_empty());
    assert_eq!((stage.begun("look"), stage.begun("think_too")), (2, 2));
}

#[tokio::test]
async fn b11_what_is_stopped_behind_a_place_has_been_routed_and_does_not_run_again() {
    let stage = Stage::of(vec![Op::Line(Act::Work), Op::Ask(Sign::Skip)]);
    let stops = stage.app.clone().break_after(Place::<Worlds>::choose);
    let stopped = stops.thread("t").run(input(&stage.script)).await.unwrap().stopped().unwrap();
    assert_eq!((stopped.reason, stage.begun("choose"), stage.begun("work")), (StopReason::Breakpoint, 1, 0));
    // The way was chosen in the commit of the place: who wants another one edits the state as that place.
    let other = Script { ops: vec![Op::Rescue], stops: true };
    let edit = World::update().script(other.clone());
    stage.app.thread("t").update_state(Place::<Worlds>::choose, edit).await.unwrap();
    let done = stage.app.thread("t").proceed().await.unwrap().completed().unwrap();
    assert_eq!((stage.begun("choose"), stage.begun("work"), stage.begun("rescue")), (2, 0, 1));
    assert_eq!(Plain::from(&done.output), interpret(&Plain::default(), &other).state);
}

#[tokio::test]
async fn b13_b22_nothing_behind_a_pause_runs_before_its_answer() {
    let stage = Stage::of(vec![all([Sign::Accept(3), Sign::Accept(4)], QUIET), Op::Line(Act::Work)]);
    let open = stage.begin().await;
    assert_eq!(places(&open), ["sign_left", "sign_right"]);
    let left = stage.resume(right(&open[..1])).await;
    assert_eq!(places(&left), ["sign_right"]);
    assert_eq!((stage.begun("choose"), stage.begun("right_then"), stage.begun("work")), (1, 0, 0));
    let stage = Stage::of(vec![Op::Ask(Sign::Decline), Op::Line(Act::Work)]);
    let open = stage.begin().await;
    assert_eq!(stage.begun("work"), 0);
    assert!(stage.resume(right(&open)).await.is_empty());
}

#[tokio::test]
async fn b14_an_answer_while_another_branch_runs_is_kept_and_so_is_the_work() {
    let op = Op::All { acts: [Act::Waits(200), Act::Work, Act::Work], signs: [Sign::Skip, Sign::Accept(4)], part: INNER };
    let stage = Stage::of(vec![op]);
    let run = stage.app.thread("t").run(input(&stage.script)).spawn();
    let mut answered = 0;
    while !run.is_finished() {
        let open = stage.app.thread("t").pending().await.unwrap_or_default();
        if let Some(shown) = open.iter().map(show).next() {
            assert!(stage.begun("left_then") == 0 || answered > 0, "the slow branch runs");
            stage.app.thread("t").answer(shown.right).await.unwrap();
            answered += 1;
        }
        tokio::task::yield_now().await;
    }
    let mut outcome = run.await.unwrap().unwrap();
    while let Outcome::Paused(paused) = outcome {
        outcome = stage.app.thread("t").resume(show(&paused.questions[0]).right).await.unwrap();
        answered += 1;
    }
    let done = outcome.completed().unwrap();
    assert_eq!((answered, stage.begun("left"), stage.begun("inside")), (3, 1, 1));
    assert_eq!(Plain::from(&done.output), interpret(&Plain::default(), &stage.script).state);
}

#[tokio::test]
async fn b16_items_that_wait_are_as_they_were_when_another_goes_on() {
    let mut stage = Stage::of(vec![Op::Calls(vec![asks(1), asks(2), asks(3)])]);
    let open = stage.begin().await;
    let stored = |waiting: Vec<graphwright::Waiting>| -> Vec<String> {
        waiting.iter().map(|waiting| format!("{:?} {} {}", waiting.id, waiting.path, waiting.question)).collect()
    };
    let before = stored(stage.app.pending().list().await.unwrap().waiting);
    let left = stage.resume(right(&open[1..2])).await;
    assert_eq!(left.len(), 2);
    stage.restart();
    let after = stored(stage.app.pending().list().await.unwrap().waiting);
    assert_eq!((after.len(), before.len()), (2, 3));
    assert!(after.iter().all(|waiting| before.contains(waiting)), "byte for byte");
}

#[tokio::test]
async fn b17_items_of_a_bounded_map_that_all_ask_get_their_own_answers() {
    let items = || vec![Op::Items((1..5).map(|n| item(n, Sign::Accept(n * 10))).collect())];
    for together in [true, false] {
        let stage = Stage::of(items());
        let mut open = stage.begin().await;
        let mut answers = 0;
        while !open.is_empty() {
            let given = if together { right(&open) } else { right(&open[open.len() - 1..]) };
            answers += given.len();
            open = stage.resume(given).await;
        }
        assert_eq!(answers, 4, "each item is asked about once");
        let lines = stage.state().await.lines;
        for n in 1..5 {
            assert!(lines[n].starts_with(&format!("apart {n}: ")) && lines[n].contains(&format!(": {}0 at", n)), "{lines:?}");
        }
    }
}

#[tokio::test]
async fn b19_a_mounted_graph_behind_one_that_paused_begins_afresh() {
    let stage = Stage::of(vec![Op::Whole(INNER), Op::Whole(QUIET)]);
    let first = stage.begin().await;
    let second = stage.resume(right(&first)).await;
    assert!(stage.resume(right(&second)).await.is_empty());
    assert_eq!((stage.begun("inside"), stage.begun("inside_then")), (2, 2));
}

#[tokio::test]
async fn b20_what_is_around_a_mounted_graph_does_not_begin_again() {
    let mut stage = Stage::of(vec![Op::Line(Act::Work), Op::Whole(INNER)]);
    let first = stage.begin().await;
    stage.restart();
    let second = stage.resume(right(&first)).await;
    stage.restart();
    assert!(stage.resume(right(&second)).await.is_empty());
    assert_eq!((stage.begun("work"), stage.begun("choose"), stage.begun("inside")), (1, 3, 1));
}

#[tokio::test]
async fn b25_a_call_that_is_asked_about_and_calls_that_are_not_have_a_result_each() {
    let free = CallSpec { act: Act::Work, sign: None };
    let stage = Stage::of(vec![Op::Calls(vec![free, asks(2), free]), Op::Line(Act::Work)]);
    let open = stage.begin().await;
    assert_eq!((open.len(), stage.begun("run_call")), (1, 2), "who asks nobody does not wait");
    assert!(stage.resume(right(&open)).await.is_empty());
    let world = stage.state().await;
    laws::inv_pair(&world.talk, true);
    assert_eq!(world.results().len(), 3);
}

#[tokio::test]
async fn b28_an_answer_reaches_the_call_it_is_for_and_a_wrong_one_leaves_it_open() {
    let mut stage = Stage::of(vec![Op::Calls(vec![asks(1), asks(2)])]);
    let open = stage.begin().await;
    stage.restart();
    let error = stage.app.thread("t").answer(open[1].wrong.clone()).await.unwrap_err();
    assert!(matches!(error, RunError::BadAnswer(_)), "{error}");
    assert_eq!(stage.open().await.len(), 2, "both are open");
    let left = stage.resume(right(&open[1..])).await;
    assert_eq!((left.len(), left[0].id), (1, open[0].id));
    assert!(stage.resume(right(&left)).await.is_empty());
    assert_eq!(stage.state().await.results(), interpret(&Plain::default(), &stage.script).state.results);
}

#[tokio::test]
async fn b34_a_turn_on_a_thread_that_waits_is_refused_or_gives_the_question_up() {
    let stage = Stage::of(vec![Op::Ask(Sign::Accept(7))]);
    let open = stage.begin().await;
    let other = Script { ops: vec![Op::Line(Act::Work)], stops: false };
    let error = stage.app.thread("t").run(input(&other)).await.unwrap_err();
    assert!(matches!(&error, RunError::Waiting { place, .. } if place == "ask"), "{error}");
    assert_eq!(stage.open().await.len(), 1);
    let chat = stage.app.clone().on_paused(OnPaused::Abandon);
    assert!(chat.thread("t").run(input(&other)).await.unwrap().completed().is_some());
    let late = stage.app.thread("t").answer(open[0].right.clone()).await.unwrap_err();
    assert!(matches!(late, RunError::Superseded), "{late}");
}

#[tokio::test]
async fn b35_a_mounted_graph_that_was_restored_asks_its_next_question_alone() {
    let mut stage = Stage::of(vec![Op::Whole(INNER)]);
    let first = stage.begin().await;
    stage.restart();
    let second = stage.resume(right(&first)).await;
    stage.restart();
    let open = stage.open().await;
    assert_eq!((places(&open), open[0].id), (vec!["sign_second"], second[0].id));
    assert_eq!(stage.app.pending().list().await.unwrap().waiting.len(), 1);
}

#[tokio::test]
async fn b37_the_commit_of_a_pause_has_its_question() {
    let stage = Stage::of(vec![Op::Line(Act::Work), Op::Ask(Sign::Accept(7))]);
    let open = stage.begin().await;
    let rows = stage.app.thread("t").history().await.unwrap();
    let last = rows.last().unwrap();
    assert_eq!(last.row.kind, RowKind::Park);
    let body: serde_json::Value = serde_json::from_slice(&last.row.body[1..]).unwrap();
    assert_eq!(body["question"]["id"], serde_json::to_value(open[0].id).unwrap());
    assert_eq!(body["question"]["asked"]["wants"], 7);
    // No version of the thread has one of the two without the other.
    let waiting = stage.app.pending().list().await.unwrap().waiting;
    assert_eq!((waiting.len(), waiting[0].id), (1, open[0].id));
}

#[tokio::test]
async fn b38_a_question_is_answered_by_the_id_that_was_shown_before_the_restart() {
    let folder = tempfile::tempdir().unwrap();
    let open = || Sqlite::open(folder.path().join("threads.db"));
    let script = Script { ops: vec![all([Sign::Accept(3), Sign::Skip], INNER)], stops: false };
    let shown: Vec<Shown> = {
        let app = Worlds::app(Deps::default(), open().await.unwrap());
        let paused = app.thread("t").run(input(&script)).await.unwrap().paused().unwrap();
        paused.questions.iter().map(show).collect()
    };
    let app = Worlds::app(Deps::default(), open().await.unwrap());
    let left = app.thread("t").resume(right(&shown)).await.unwrap().paused().unwrap();
    let done = app.thread("t").resume(show(&left.questions[0]).right).await.unwrap().completed().unwrap();
    assert_eq!(Plain::from(&done.output), interpret(&Plain::default(), &script).state);
}
