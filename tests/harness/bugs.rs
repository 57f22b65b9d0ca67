//! Faults that other systems had, each by its id: pauses, joins, routers, checkpoints, limits and what is told of them.
//! `BUGS.md` has those that are shown elsewhere, or that cannot be written.

use std::collections::BTreeSet;

use graphwright::prelude::*;
use graphwright::store::{RowKind, Status};
use graphwright::{EventKind, Given, Mark, OnPaused, Place, StopReason};

use super::laws;
use super::model::{Plain, interpret};
use super::world::{Act, CallSpec, Deps, Inner, Op, Script, Shown, Sign, Spec, World, Worlds, input, show};

const INNER: Inner = Inner { act: Act::Work, signs: [Sign::Accept(1), Sign::Accept(2)], early: false };
const QUIET: Inner = Inner { act: Act::Work, signs: [Sign::Skip, Sign::Skip], early: false };

/// A thread in memory, and what can be seen of it.
struct Stage {
    memory: Memory,
    deps: Deps,
    app: App<Worlds>,
    script: Script,
}

impl Stage {
    fn of(ops: Vec<Op>) -> Self {
        let (memory, deps) = (Memory::new(), Deps::default());
        let app = Worlds::app(deps.clone(), memory.clone());
        Self { memory, deps, app, script: Script { ops, stops: false } }
    }

    async fn begin(&self) -> Vec<Shown> {
        let paused = self.app.thread("t").run(input(&self.script)).await.unwrap().paused().expect("it asks");
        paused.questions.iter().map(show).collect()
    }

    /// Another process, which knows nothing but what is stored.
    fn restart(&mut self) {
        self.app = Worlds::app(self.deps.clone(), self.memory.clone());
    }

    async fn open(&self) -> Vec<Shown> {
        self.app.thread("t").pending().await.unwrap().iter().map(show).collect()
    }

    /// Answers, and gives what is open then.
    async fn resume(&self, given: Vec<Given>) -> Vec<Shown> {
        match self.app.thread("t").resume(given).await.unwrap() {
            Outcome::Paused(paused) => paused.questions.iter().map(show).collect(),
            Outcome::Completed(done) => {
                assert_eq!(Plain::from(&done.output), interpret(&Plain::default(), &self.script).state);
                Vec::new()
            }
            Outcome::Stopped(stop) => panic!("{stop:?}"),
        }
    }

    /// How often the bodies of a place were begun.
    fn begun(&self, place: &str) -> usize {
        self.deps.begun.lock().unwrap().iter().filter(|(at, _)| at == place).count()
    }

    async fn state(&self) -> World {
        self.app.thread("t").state().await.unwrap().unwrap()
    }
}

fn places(shown: &[Shown]) -> Vec<&str> {
    shown.iter().map(|shown| shown.asked.place.as_str()).collect()
}

fn right(shown: &[Shown]) -> Vec<Given> {
    shown.iter().map(|shown| shown.right.clone()).collect()
}

/// Three branches: one asks, one asks beside another, one mounts a graph that asks twice.
fn all(signs: [Sign; 2], part: Inner) -> Op {
    Op::All { acts: [Act::Work; 3], signs, part }
}

fn asks(wants: u32) -> CallSpec {
    CallSpec { act: Act::Work, sign: Some(Sign::Accept(wants)) }
}

fn item(label: u32, sign: Sign) -> Spec {
    Spec { label, act: Act::Work, sign }
}

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
    laws::pairs(&world.talk, true);
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
        stage.restart();
        let done = stage.app.thread("t").proceed().await.unwrap().completed().unwrap();
        // With the budget of its arrow, which was stored too.
        assert_eq!(Plain::from(&done.output), came, "saved after {limit}");
    }
}

#[tokio::test]
async fn b49_a_router_that_panics_is_named_and_told() {
    let stage = Stage::of(vec![Op::Unrouted]);
    super::random::quietly();
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
