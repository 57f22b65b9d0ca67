//! Reports of joins, routers, limits, of what is kept and of what is told.

use std::collections::BTreeSet;

use graphwright::prelude::*;
use graphwright::store::Status;
use graphwright::{EventKind, Mark, Mode, Place, StopReason};

use super::{INNER, QUIET, Stage, all, item, right};
use crate::harness::model::{Plain, interpret};
use crate::harness::random::quietly;
use crate::harness::script::{Act, Op, Script, Sign};
use crate::harness::world::{Deps, World, Worlds, input, show};
use crate::laws;

#[tokio::test]
async fn b43_a_join_keeps_what_arrived_before_a_restart() {
    let mut stage = Stage::of(vec![all([Sign::Skip, Sign::Accept(4)], QUIET)]);
    let open = stage.begin().await;
    assert_eq!((stage.begun("left_then"), stage.begun("inside_then")), (1, 1));
    stage.restart();
    assert!(stage.resume(right(&open)).await.is_empty(), "it has all of them");
    assert_eq!((stage.begun("left"), stage.begun("left_then"), stage.begun("inside_then")), (1, 1, 1));
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, State)]
pub struct Gathered {
    #[state(append)]
    pub lines: Vec<String>,
}

#[node(writes(lines))]
async fn plain(_: &Gathered) -> NodeResult<plain> {
    Ok(Gathered::update().lines(["plain"]))
}

#[router]
fn three(_: &Gathered) -> Vec<u32> {
    vec![1, 2, 3]
}

#[node(writes(lines))]
async fn mapped(_: &Gathered, item: &u32) -> NodeResult<mapped> {
    Ok(Gathered::update().lines([item.to_string()]))
}

graph! {
    Gathering(Gathered) {
        start -> [plain, each three { mapped }] -> end;
    }
}

#[tokio::test]
async fn b46_a_step_and_a_map_before_one_join_all_arrive() {
    let done = Gathering::app((), Memory::new()).thread("t").run(Gathered::update()).await.unwrap().completed().unwrap();
    assert_eq!(done.output.lines, ["plain", "1", "2", "3"]);
}

#[tokio::test]
async fn b47_b52_a_loop_goes_on_to_its_exit_wherever_it_was_saved() {
    let line = || Op::Line(Act::Work);
    let script = Script { ops: vec![line(), line(), line(), line()], stops: true };
    let came = interpret(&Plain::default(), &script).state;
    for limit in 1..11 {
        let mut stage = Stage::of(Vec::new());
        let stopped = stage.app.thread("t").run(input(&script)).steps(limit).await.unwrap().stopped().unwrap();
        assert_eq!(stopped.reason, StopReason::StepLimit, "it is bounded");
        assert_eq!(stopped.state.lines.len() as u64, limit);
        let why = stage.app.thread("t").explain().await.unwrap().to_string();
        let steps = why.matches("\n  row ").count() as u64 - 1;
        assert!(why.contains("stopped: step limit") && steps == limit, "it is said what stopped it, behind how many: {why}");
        if let Some(place) = ["work", "choose", "work", "choose", "work", "tired", "choose"].get(limit as usize - 1) {
            assert!(why.contains(&format!("  {place}: to be run")), "and where: {why}");
        }
        stage.restart();
        let done = stage.app.thread("t").proceed().await.unwrap().completed().unwrap();
        // With the budget of its arrow, which was stored too.
        assert_eq!(Plain::from(&done.output), came, "saved after {limit}");
    }
}

#[tokio::test]
async fn b49_a_router_that_panics_is_named_and_told() {
    let stage = Stage::of(vec![Op::Unrouted]);
    quietly();
    let mut events = stage.app.thread("t").run(input(&stage.script)).stream();
    let mut ends = Vec::new();
    while let Some(event) = events.next().await {
        if let EventKind::RunEnded { outcome } = event.kind {
            ends.push(outcome);
        }
    }
    assert_eq!(ends, [Mark::Failed]);
    let error = events.outcome().await.unwrap_err();
    assert!(matches!(&error, RunError::Unrouted { place, what } if place == "choose" && what.contains("router")), "{error}");
    assert_eq!(stage.app.thread("t").status().await.unwrap(), Some(Status::Stopped));
}

#[tokio::test]
async fn b53_b61_what_is_loaded_is_what_was_saved_and_saves_again_the_same() {
    graphwright::__private::read_back();
    let ops = vec![all([Sign::Accept(3), Sign::Decline], INNER), Op::Items(vec![item(1, Sign::Accept(5))]), Op::Whole(INNER)];
    let mut stage = Stage::of(ops);
    let mut open = stage.begin().await;
    while !open.is_empty() {
        // Enums in enums in a list in a struct.
        let known = stage.state().await;
        stage.restart();
        let loaded = stage.state().await;
        assert_eq!((&loaded, &loaded.script), (&known, &stage.script));
        let saved = serde_json::to_string(&loaded).unwrap();
        assert_eq!(serde_json::to_string(&serde_json::from_str::<World>(&saved).unwrap()).unwrap(), saved);
        open = stage.resume(right(&open)).await;
    }
}

#[tokio::test]
async fn b55_an_edit_beside_a_mounted_graph_that_waits_loses_nothing_and_voids_the_question() {
    let stage = Stage::of(vec![Op::Whole(INNER)]);
    let open = stage.begin().await;
    let before = stage.state().await;
    stage.app.thread("t").update_state(Place::<Worlds>::choose, World::update().count(100_u32)).await.unwrap();
    let after = stage.state().await;
    assert_eq!(after.lines, ["choose 0", "inside 1"], "what the mounted graph had done is kept");
    assert!(before.lines.len() <= after.lines.len() && after.count == 102);
    let late = stage.app.thread("t").answer(open[0].right.clone()).await.unwrap_err();
    assert!(matches!(late, RunError::Superseded), "what was asked about is not what is there: {late}");
    let paused = stage.app.thread("t").proceed().await.unwrap().paused().unwrap();
    assert_eq!(show(&paused.questions[0]).asked.saw, 3, "it is asked anew, with what is there now");
}

#[tokio::test]
async fn b56_a_mounted_graph_with_a_state_of_its_own_begins_with_a_fresh_one_each_time() {
    let stage = Stage::of(vec![Op::Items(vec![item(1, Sign::Skip)]), Op::Items(vec![item(2, Sign::Skip)])]);
    let done = stage.app.thread("t").run(input(&stage.script)).await.unwrap().completed().unwrap();
    let notes: Vec<&str> =
        done.output.lines.iter().filter_map(|line| line.strip_prefix("apart ")?.split_once(": ").map(|(_, n)| n)).collect();
    assert_eq!(notes.len(), 2);
    assert_eq!(notes[0], notes[1], "what it is to keep is given to it, and it gives it back");
    // Over the state around it there is one state.
    let stage = Stage::of(vec![Op::Whole(QUIET), Op::Whole(QUIET)]);
    let done = stage.app.thread("t").run(input(&stage.script)).await.unwrap().completed().unwrap();
    assert!(done.output.lines.contains(&"inside 1".to_owned()) && done.output.lines.contains(&"inside 6".to_owned()));
}

#[tokio::test]
async fn b58_who_goes_back_before_a_question_is_asked_again() {
    let stage = Stage::of(vec![Op::Whole(INNER)]);
    let first = stage.begin().await;
    let asked = stage.app.thread("t").history().await.unwrap().last().unwrap().seq;
    let second = stage.resume(right(&first)).await;
    assert!(stage.resume(right(&second)).await.is_empty());
    // Before the question, and where it was open.
    for (seq, name) in [(asked - 1, "before"), (asked, "there")] {
        let fork = stage.app.thread("t").fork(seq, name).await.unwrap();
        let again = match fork.proceed().await.unwrap() {
            Outcome::Paused(paused) => show(&paused.questions[0]),
            other => panic!("{name}: it takes an answer that was for another thread: {other:?}"),
        };
        assert_eq!((again.asked.place.as_str(), again.asked.saw), ("sign_first", 2), "the mounted graph is as it was then");
        if name == "before" {
            // Asked anew, it is another question; where it was open it is the same one, on the thread that is given the answer.
            fork.answer(first[0].right.clone()).await.expect_err("an answer of the other thread");
        }
        let paused = fork.resume(again.right).await.unwrap().paused().unwrap();
        assert_eq!(show(&paused.questions[0]).asked.place, "sign_second");
    }
}

#[tokio::test]
async fn b59_history_does_not_change_and_both_stores_have_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let sqlite = Sqlite::open(folder.path().join("threads.db")).await.unwrap();
    let script = Script { ops: vec![all([Sign::Accept(3), Sign::Decline], INNER), Op::Rescue, Op::Line(Act::Work)], stops: false };
    let mut told = Vec::new();
    for app in [Worlds::app(Deps::default(), Memory::new()), Worlds::app(Deps::default(), sqlite)] {
        let thread = app.thread("t");
        let mut outcome = thread.run(input(&script)).await.unwrap();
        let mut before = thread.history().await.unwrap();
        while let Outcome::Paused(paused) = outcome {
            outcome = thread.resume(show(&paused.questions[0]).right).await.unwrap();
            let now = thread.history().await.unwrap();
            laws::rows(&before, &now);
            before = now;
        }
        assert!(outcome.completed().is_some());
        let mut rows: Vec<_> = before.iter().map(|row| (row.row.kind, row.row.path.clone(), row.row.ord, row.row.place.clone())).collect();
        // What runs beside each other is written in the order in which it is done.
        rows.sort_by(|a, b| (&a.1, a.2, &a.3, a.0 as u8).cmp(&(&b.1, b.2, &b.3, b.0 as u8)));
        told.push(rows);
    }
    assert!(told[0].len() > 15);
    assert_eq!(told[0], told[1]);
}

#[tokio::test]
async fn b62_steps_are_counted_for_each_run() {
    let stage = Stage::of(vec![Op::Line(Act::Work)]);
    for turn in 0..3 {
        // Three steps each: more than ten over all turns would be too many.
        let done = stage.app.thread("t").run(input(&stage.script)).steps(3).await.unwrap().completed().expect("within its own limit");
        assert_eq!(done.steps, 3, "turn {turn}");
    }
    let script =
        Script { ops: vec![Op::Line(Act::Work), Op::Line(Act::Work), Op::Ask(Sign::Accept(1)), Op::Line(Act::Work)], stops: false };
    let paused = stage.app.thread("t").run(input(&script)).steps(6).await.unwrap().paused().expect("six to the question");
    let done = stage.app.thread("t").resume(show(&paused.questions[0]).right).steps(4).await.unwrap().completed();
    assert!(done.is_some(), "and four behind it");

    // What a node is told of it counts as the limit does: for each run, in branches, too.
    let thread = Countdown::app((), Memory::new()).thread("t");
    for turn in 0..3 {
        let done = thread.run(Gathered::update()).steps(6).await.unwrap().completed().unwrap();
        assert_eq!(done.output.lines[turn * 4..], ["6", "5", "4", "3"], "turn {turn}");
    }
}

#[node(writes(lines))]
async fn counts_down(_: &Gathered, cx: &Context<()>) -> NodeResult<counts_down> {
    Ok(Gathered::update().lines([cx.steps_left().to_string()]))
}

graph! {
    Countdown(Gathered) {
        start -> counts_down -> [one, two] -> last -> end;
        one: counts_down;
        two: counts_down;
        last: counts_down;
    }
}

#[tokio::test]
async fn b64_b65_a_stream_tells_of_every_question_that_is_open_and_of_the_pause() {
    let stage = Stage::of(vec![all([Sign::Accept(3), Sign::Accept(4)], INNER)]);
    let mut events = stage.app.thread("t").run(input(&stage.script)).stream();
    let (mut asked, mut last) = (BTreeSet::new(), Vec::new());
    while let Some(event) = events.next().await {
        if let EventKind::AskUserQuestion { question, .. } = &event.kind {
            assert!(asked.insert(*question));
        }
        last.push(event.kind);
    }
    assert!(events.outcome().await.unwrap().paused().is_some());
    assert_eq!(stage.open().await.iter().map(|shown| shown.id).collect::<BTreeSet<_>>(), asked);
    assert_eq!(asked.len(), 3);
    assert_eq!(last[last.len() - 2..], [EventKind::Paused { questions: 3 }, EventKind::RunEnded { outcome: Mark::Paused }]);

    // Whatever else it is asked to tell, every stream ends by saying so.
    for mode in [Mode::Values, Mode::Updates, Mode::Messages, Mode::Custom, Mode::Tasks, Mode::Checkpoints] {
        let stage = Stage::of(vec![all([Sign::Accept(3), Sign::Accept(4)], INNER)]);
        let mut events = stage.app.thread("t").run(input(&stage.script)).modes([mode]).stream();
        let mut last = None;
        while let Some(event) = events.next().await {
            last = Some(event.kind);
        }
        assert_eq!(last, Some(EventKind::RunEnded { outcome: Mark::Paused }), "{mode:?}");
    }
}

#[tokio::test]
async fn b68_b102_a_mounted_graph_is_heard_and_asks_by_its_path() {
    let stage = Stage::of(vec![Op::Whole(INNER)]);
    let mut events = stage.app.thread("t").run(input(&stage.script)).stream();
    let mut paths = Vec::new();
    while let Some(event) = events.next().await {
        if let EventKind::NodeStarted { place } = &event.kind {
            paths.push((event.path.clone(), place.clone()));
        }
    }
    let paused = events.outcome().await.unwrap().paused().expect("the graph around it waits");
    assert_eq!(paths[1], ("1:whole/inside".to_owned(), "inside".to_owned()));
    let waiting = stage.app.pending().list().await.unwrap().waiting;
    assert_eq!((waiting[0].path.as_str(), waiting[0].place.as_str()), ("1:whole", "sign_first"));
    let second = stage.resume(vec![show(&paused.questions[0]).right]).await;
    assert!(stage.resume(right(&second)).await.is_empty(), "the inner one goes on, then the outer one");
}
