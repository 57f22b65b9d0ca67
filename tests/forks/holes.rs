//! What goes wrong in forks if nobody thinks of it, by its number in the protocol.

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex};

use graphwright::prelude::*;
use graphwright::store::{RowKind, Status};
use graphwright::{Class, Memory};
use tokio::sync::Semaphore;

use super::tree::{self, Tree};
use crate::doubles::{Fault, Faulty};

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, State)]
pub struct Log {
    #[state(append)]
    pub lines: Vec<String>,
    #[state(sum)]
    pub left: i64,
}

#[derive(Clone, Default)]
pub struct Keys(Arc<Mutex<Vec<String>>>);

#[node(writes(lines, left))]
async fn one(_: &Log, cx: &Context<Keys>) -> NodeResult<one> {
    cx.deps().0.lock().unwrap().push(cx.idempotency_key());
    Ok(Log::update().left(-1))
}

#[router]
fn again(log: &Log) -> bool {
    log.left > 0
}

graph! {
    pub Round(Log, Keys) {
        start -> [one, two] -> match again { true => [one2, two2] -> match again2 { true => back, false => end }, false => end };
        back -> [one3, two3] -> end;
        two: one;
        one2: one;
        two2: one;
        one3: one;
        two3: one;
        back: one;
    }
}

#[router]
fn again2(log: &Log) -> bool {
    again(log)
}

graph! {
    pub Looping(Log, Keys) {
        start -> each three { item } -> match again { true => each three2 { item2 } -> match again2 { true => back, false => end }, false => end };
        back -> each three3 { item3 } -> end;
        back: one;
        item2: item;
        item3: item;
    }
}

macro_rules! three {
    ($($name:ident)*) => {
        $(#[router]
        fn $name(_: &Log) -> Vec<u32> {
            vec![1, 2, 3]
        })*
    };
}
three!(three three2 three3);

#[node(writes(lines, left))]
async fn item(_: &Log, _item: &u32, cx: &Context<Keys>) -> NodeResult<item> {
    cx.deps().0.lock().unwrap().push(cx.idempotency_key());
    Ok(Log::update().left(-1))
}

#[tokio::test]
async fn h7_a_fork_behind_a_fork_and_in_a_loop_has_new_keys() {
    for (keys, steps) in [
        {
            let keys = Keys::default();
            let app = Round::app(keys.clone(), Memory::new());
            (keys, app.thread("t").run(Log::update().left(9)).await.unwrap().completed().unwrap().steps)
        },
        {
            let keys = Keys::default();
            let app = Looping::app(keys.clone(), Memory::new());
            (keys, app.thread("t").run(Log::update().left(9)).await.unwrap().completed().unwrap().steps)
        },
    ] {
        let keys = keys.0.lock().unwrap();
        let distinct: std::collections::BTreeSet<_> = keys.iter().collect();
        assert_eq!((keys.len() as u64, distinct.len() as u64), (steps, steps), "a key for each step, and none twice");
    }
}

#[tokio::test]
async fn h9_abandoned_at_every_image_nothing_is_lost_and_nothing_is_open() {
    graphwright::__private::read_back();
    let mut seen = std::collections::BTreeSet::new();
    for limit in 0..20 {
        for answered in 0..4 {
            let memory = Memory::new();
            let app = Tree::app(tree::Deps::default(), memory.clone());
            let thread = app.thread("t");
            let outcome = thread.run(tree::Log::update()).steps(limit).await.unwrap();
            if matches!(outcome, Outcome::Paused(_)) || answered > 0 {
                for question in thread.pending().await.unwrap().iter().take(answered) {
                    let _answered = thread.answer(tree::answer(question)).await.unwrap();
                }
            }
            if answered > 1 {
                let _outcome = thread.proceed().steps(limit % 4).await;
            }
            let rows = thread.history().await.unwrap();
            let steps = rows.iter().filter(|row| matches!(row.row.kind, RowKind::Step | RowKind::Answer)).count();
            thread.abandon().await.unwrap();
            assert_eq!(thread.status().await.unwrap(), Some(Status::Idle));
            assert!(app.pending().list().await.unwrap().waiting.is_empty(), "{limit}, {answered}: every question is shut");
            let log = thread.state().await.unwrap().unwrap();
            assert_eq!(log.lines.len(), steps, "{limit}, {answered}: each committed update is there, once");
            let afresh = Tree::app(tree::Deps::default(), memory).thread("t").state().await.unwrap().unwrap();
            assert_eq!(afresh, log);
            // In the order of joins, however far each came.
            let order: Vec<usize> =
                log.lines.iter().filter_map(|line| tree::lines().iter().position(|expected| expected == line)).collect();
            assert!(order.windows(2).all(|pair| pair[0] < pair[1]), "{limit}, {answered}: {:?}", log.lines);
            seen.insert(log.lines);
        }
    }
    assert!(seen.len() > 10, "only {} images were abandoned", seen.len());
}

static MENDED: AtomicBool = AtomicBool::new(false);

/// Panics only where two branches meet.
fn fragile(current: &String, given: String) -> String {
    assert!(MENDED.load(Ordering::SeqCst) || current.is_empty(), "told to panic at the join");
    format!("{current}{given}")
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, State)]
pub struct Poison {
    #[state(with = fragile)]
    pub text: String,
    #[state(append)]
    pub large: Vec<String>,
}

#[node(writes(text))]
async fn text(_: &Poison, cx: &Context<()>) -> NodeResult<text> {
    Ok(Poison::update().text(cx.place()))
}

graph! {
    pub Poisoned(Poison, ()) {
        start -> [a, b] -> end;
        a: text;
        b: text;
    }
}

#[tokio::test]
async fn h10_what_fails_only_at_the_join_refuses_the_last_branch_and_bricks_nothing() {
    let app = Poisoned::app((), Memory::new());
    for thread in ["mended", "abandoned"] {
        let RunError::Failed(failure) = app.thread(thread).run(Poison::update()).await.unwrap_err() else { panic!("it fails") };
        assert_eq!((failure.place(), failure.class()), ("b", Class::Fatal));
        assert!(failure.to_string().contains("told to panic at the join"), "{failure}");
        let steps = app.thread(thread).history().await.unwrap().iter().filter(|row| row.row.kind == RowKind::Step).count();
        assert_eq!(steps, 1, "the first branch is committed");
        app.thread(thread).proceed().await.unwrap_err();
    }
    app.thread("abandoned").abandon().await.unwrap();
    assert_eq!(app.thread("abandoned").state().await.unwrap().unwrap().text, "", "nobody is asked how to merge");
    MENDED.store(true, Ordering::SeqCst);
    let done = app.thread("mended").proceed().await.unwrap().completed().unwrap();
    assert_eq!(done.output.text, "ab");
}

#[node(writes(large))]
async fn large(_: &Poison) -> NodeResult<large> {
    Ok(Poison::update().large(["x".repeat(9 << 20)]))
}

graph! {
    pub Large(Poison, ()) {
        start -> [a, b] -> end;
        a: large;
        b: large;
    }
}

#[tokio::test]
async fn h10_branches_that_are_too_large_together() {
    let app = Large::app((), Memory::new());
    let RunError::Failed(failure) = app.thread("t").run(Poison::update()).await.unwrap_err() else { panic!("it fails") };
    assert_eq!(failure.place(), "b");
    assert!(failure.to_string().contains("with it the state has"), "{failure}");
    app.thread("t").abandon().await.unwrap();
    assert_eq!(app.thread("t").state().await.unwrap().unwrap().large.len(), 1, "what was committed is there");
}

#[derive(Clone)]
pub struct Gate {
    gate: Arc<Semaphore>,
    bad: Arc<AtomicU32>,
    slow: Arc<AtomicU32>,
    fails: bool,
}

fn gate() -> Gate {
    Gate { gate: Arc::new(Semaphore::new(0)), bad: Arc::default(), slow: Arc::default(), fails: true }
}

#[node(writes(lines))]
async fn bad(_: &Log, cx: &Context<Gate>) -> NodeResult<bad> {
    let attempts = cx.deps().bad.fetch_add(1, Ordering::SeqCst);
    if cx.deps().fails && attempts == 0 {
        return Err("told to fail".into());
    }
    Ok(Log::update().lines(["bad"]))
}

#[node(writes(lines))]
async fn slow(_: &Log, cx: &Context<Gate>) -> NodeResult<slow> {
    cx.deps().slow.fetch_add(1, Ordering::SeqCst);
    cx.deps().gate.acquire().await?.forget();
    Ok(Log::update().lines(["slow"]))
}

pub struct Wait;

#[node(writes(lines))]
impl Interrupt<Log, Gate> for Wait {
    type Question = String;
    type Answer = u32;

    async fn ask(_: &Log, _: &Context<Gate>) -> Result<Ask<Self>, NodeError> {
        Ok(Ask::question("go on?".to_owned()))
    }

    fn resume(_: &Log, _: &String, _: Answer<u32>) -> NodeResult<Self> {
        Ok(Log::update().lines(["answered"]))
    }
}

graph! {
    pub Mixed(Log, Gate) {
        start -> [bad, wait, slow] -> end;
        wait: Wait;
    }
}

type Q = Question<Mixed>;

#[tokio::test]
async fn h16_a_failed_a_parked_and_a_running_branch_and_a_process_that_dies() {
    graphwright::__private::read_back();
    let deps = gate();
    let memory = Memory::new();
    // A dead process writes no `stop` row: this store refuses them.
    let app = Mixed::app(deps.clone(), Faulty::new(memory.clone(), Fault::RefuseStops));
    let mut run = app.thread("t").run(Log::update()).stream();
    let mut asked = false;
    while !asked {
        asked = matches!(run.next().await.unwrap().kind, graphwright::EventKind::AskUserQuestion { .. });
    }
    drop(run);
    tokio::task::yield_now().await;
    let app = Mixed::app(deps.clone(), memory);
    assert_eq!(app.thread("t").status().await.unwrap(), Some(Status::Running), "an orphan");
    deps.gate.add_permits(1);
    assert_eq!(app.sweep().await.unwrap().failed, 1, "it fails, as it did");
    assert_eq!(deps.bad.load(Ordering::SeqCst), 1, "who takes over does not run again what failed");
    assert_eq!(deps.slow.load(Ordering::SeqCst), 2, "only what had not finished");
    assert_eq!(app.thread("t").status().await.unwrap(), Some(Status::Stopped));
    let questions = app.thread("t").pending().await.unwrap();
    assert_eq!(questions.len(), 1, "the question is open all the same");
    let paused = app.thread("t").proceed().await.unwrap().paused().unwrap();
    assert_eq!(deps.bad.load(Ordering::SeqCst), 2, "who lets it proceed runs it");
    let Some(Q::wait(open)) = paused.questions.into_iter().next() else { panic!("one question") };
    let done = app.thread("t").resume(open.accept(1)).await.unwrap().completed().unwrap();
    assert_eq!(done.output.lines, ["bad", "answered", "slow"]);
    assert_eq!(deps.slow.load(Ordering::SeqCst), 2);
}

#[tokio::test]
async fn h19_the_state_of_a_thread_in_a_fork_is_what_it_was_at_the_fork() {
    let deps = Gate { fails: false, ..gate() };
    let app = Mixed::app(deps.clone(), Memory::new());
    let run = app.thread("t").run(Log::update().lines(["before"])).spawn();
    while app.thread("t").history().await.unwrap_or_default().len() < 3 {
        tokio::task::yield_now().await;
    }
    assert_eq!(app.thread("t").state().await.unwrap().unwrap().lines, ["before"], "a branch is seen when it is joined");
    deps.gate.add_permits(1);
    let paused = run.await.unwrap().unwrap().paused().unwrap();
    assert_eq!(app.thread("t").state().await.unwrap().unwrap().lines, ["before"]);
    let Some(Q::wait(open)) = paused.questions.into_iter().next() else { panic!("one question") };
    app.thread("t").resume(open.accept(1)).await.unwrap().completed().unwrap();
    assert_eq!(app.thread("t").state().await.unwrap().unwrap().lines, ["before", "bad", "answered", "slow"]);
}
