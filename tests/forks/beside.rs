//! An answer while something else runs on the thread: it is taken at once, no other code runs again, and the run that holds
//! the thread goes on with it (PROTOCOL H2, R3, R8).

use std::sync::Arc;
use std::time::Duration;

use graphwright::prelude::*;
use graphwright::{AnsweredNext, Durability, Memory};
use tokio::sync::Semaphore;

use crate::doubles::{Fault, Faulty};

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, State)]
pub struct Pair {
    #[state(append)]
    pub lines: Vec<String>,
}

#[derive(Clone)]
pub struct Deps {
    /// Lets the long node end.
    pub gate: Arc<Semaphore>,
    /// Bodies that were begun.
    pub begun: Arc<std::sync::Mutex<Vec<&'static str>>>,
}

impl Default for Deps {
    fn default() -> Self {
        Self { gate: Arc::new(Semaphore::new(0)), begun: Arc::default() }
    }
}

/// Asks at once.
pub struct Quick;

#[node(writes(lines))]
impl Interrupt<Pair, Deps> for Quick {
    type Question = String;
    type Answer = u32;

    async fn ask(_: &Pair, cx: &Context<Deps>) -> Result<Ask<Self>, NodeError> {
        Ok(Ask::question(cx.place().to_owned()))
    }

    fn resume(_: &Pair, asked: &String, answer: Answer<u32>) -> NodeResult<Self> {
        Ok(Pair::update().lines([format!("{asked} {answer:?}")]))
    }
}

#[node(writes(lines))]
async fn long(_: &Pair, cx: &Context<Deps>) -> NodeResult<long> {
    cx.deps().begun.lock().unwrap().push("long");
    cx.deps().gate.acquire().await?.forget();
    Ok(Pair::update().lines(["long"]))
}

#[node(writes(lines))]
async fn then(_: &Pair, cx: &Context<Deps>) -> NodeResult<then> {
    cx.deps().begun.lock().unwrap().push(cx.place());
    Ok(Pair::update().lines([cx.place()]))
}

graph! {
    pub Both(Pair, Deps) {
        start -> [first -> then, long -> second -> then2] -> end;
        first: Quick;
        second: Quick;
        then2: then;
    }
}

type Q = Question<Both>;

fn given(questions: &[Q], place: &str) -> graphwright::Given {
    let open = questions.iter().find_map(|question| match question {
        Q::first(open) | Q::second(open) if open.question == place => Some(open),
        _ => None,
    });
    open.expect("it asks").accept(1)
}

/// The question of the first branch, while the node of the second runs.
async fn asked(app: &App<Both>) -> Vec<Q> {
    loop {
        let pending = app.thread("t").pending().await.unwrap();
        if !pending.is_empty() {
            return pending;
        }
        tokio::task::yield_now().await;
    }
}

const LINES: [&str; 5] = ["first Accepted(1)", "then", "long", "second Accepted(1)", "then2"];

#[tokio::test]
async fn answer_while_sibling_runs() {
    graphwright::__private::read_back();
    // In the process of the run, which is told; and in another one, whose rows the run finds at its next commit.
    let durabilities = [Durability::Sync, Durability::Behind, Durability::Exit];
    for (other_process, durability) in [false, true].into_iter().flat_map(|other| durabilities.map(|durability| (other, durability))) {
        let (deps, memory) = (Deps::default(), Memory::new());
        let app = Both::app(deps.clone(), memory.clone()).durability(durability);
        let from = if other_process { Both::app(deps.clone(), Faulty::new(memory.clone(), Fault::OtherWorker)) } else { app.clone() };
        let run = app.thread("t").run(Pair::update()).spawn();
        let questions = asked(&app).await;
        let answered = from.thread("t").answer(given(&questions, "first")).await.unwrap();
        assert_eq!(answered.next, AnsweredNext::Running, "the run holds the thread, and goes on");
        if !other_process {
            // It goes on although the long node still runs.
            while !deps.begun.lock().unwrap().contains(&"then") {
                tokio::task::yield_now().await;
            }
        }
        deps.gate.add_permits(1);
        let paused = run.await.unwrap().unwrap().paused().expect("the second question");
        let done = app.thread("t").resume(given(&paused.questions, "second")).await.unwrap().completed().unwrap();
        assert_eq!(done.output.lines, LINES);
        let mut begun = deps.begun.lock().unwrap().clone();
        begun.sort_unstable();
        assert_eq!(begun, ["long", "then", "then2"], "nothing ran twice");
    }
}

#[tokio::test]
async fn who_resumes_beside_a_run_follows_it() {
    let deps = Deps::default();
    let app = Both::app(deps.clone(), Memory::new());
    let run = app.thread("t").run(Pair::update()).spawn();
    let questions = asked(&app).await;
    let follows = app.thread("t").resume(given(&questions, "first")).spawn();
    while !deps.begun.lock().unwrap().contains(&"then") {
        tokio::task::yield_now().await;
    }
    deps.gate.add_permits(1);
    for outcome in [run.await.unwrap().unwrap(), follows.await.unwrap().unwrap()] {
        assert_eq!(outcome.paused().expect("both are told the same").questions.len(), 1);
    }
}

#[tokio::test(start_paused = true)]
async fn who_follows_a_run_of_another_process_is_let_go_by_a_shutdown() {
    let (deps, memory) = (Deps::default(), Memory::new());
    let run = Both::app(deps.clone(), memory.clone()).thread("t").run(Pair::update()).spawn();
    let app = Both::app(deps.clone(), memory);
    let questions = asked(&app).await;
    let follows = app.thread("t").resume(given(&questions, "first")).spawn();
    while !deps.begun.lock().unwrap().contains(&"then") {
        tokio::task::yield_now().await;
    }
    app.shutdown(Duration::from_secs(60)).await;
    let error = follows.await.unwrap().unwrap_err();
    assert!(matches!(error, RunError::ShutDown), "{error}");
    deps.gate.add_permits(1);
    let paused = run.await.unwrap().unwrap().paused().expect("its answer is kept, and was gone on with");
    assert_eq!(paused.questions.len(), 1);
}

#[tokio::test]
async fn who_follows_a_run_that_dies_goes_on_with_it() {
    let deps = Deps::default();
    let app = Both::app(deps.clone(), Memory::new());
    let run = app.thread("t").run(Pair::update()).spawn();
    let questions = asked(&app).await;
    let follows = app.thread("t").resume(given(&questions, "first")).spawn();
    tokio::time::sleep(Duration::from_millis(20)).await;
    run.abort();
    deps.gate.add_permits(2);
    let paused = follows.await.unwrap().unwrap().paused();
    // Its `stop` row may come first: then the thread is stopped, and for people.
    let paused = match paused {
        Some(paused) => paused,
        None => app.thread("t").proceed().await.unwrap().paused().unwrap(),
    };
    assert_eq!(paused.questions.len(), 1);
}

#[tokio::test]
async fn both_answers_work_in_both_orders_while_the_run_is_at_its_end() {
    // The answer comes at each poll of the run's last commits.
    for polls in 0..40 {
        let deps = Deps::default();
        deps.gate.add_permits(1);
        let memory = Memory::new();
        let app = Both::app(deps.clone(), Faulty::new(memory.clone(), Fault::Wait));
        let mut run = Box::pin(app.thread("t").run(Pair::update()).into_future());
        let mut left = polls;
        let early = std::future::poll_fn(|task| {
            if left == 0 {
                return std::task::Poll::Ready(None);
            }
            left -= 1;
            run.as_mut().poll(task).map(Some)
        })
        .await;
        let questions = app.thread("t").pending().await.unwrap();
        for question in &questions {
            let place = match question {
                Q::first(open) | Q::second(open) => open.question.clone(),
                _ => unreachable!(),
            };
            let _answered = app.thread("t").answer(given(&questions, &place)).await.unwrap();
        }
        if early.is_none() {
            let _outcome = run.await.unwrap();
        }
        // Whatever is left to do is done now.
        let done = loop {
            match app.thread("t").proceed().await.unwrap() {
                Outcome::Completed(done) => break done,
                Outcome::Paused(paused) => {
                    for place in ["first", "second"] {
                        if paused
                            .questions
                            .iter()
                            .any(|question| matches!(question, Q::first(open) | Q::second(open) if open.question == place))
                        {
                            let _answered = app.thread("t").answer(given(&paused.questions, place)).await.unwrap();
                        }
                    }
                }
                Outcome::Stopped(_) => panic!("{polls}: nobody stopped it"),
            }
        };
        assert_eq!(done.output.lines, LINES, "{polls}");
        let mut begun = deps.begun.lock().unwrap().clone();
        begun.sort_unstable();
        assert_eq!(begun, ["long", "then", "then2"], "{polls}: nothing ran twice");
    }
}
