//! `at_once(1)` where branches ask first, so that all of them can go on at the same moment.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use graphwright::prelude::*;
use graphwright::{Given, Memory};
use tokio::sync::Barrier;

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, State)]
pub struct Log {
    #[state(append)]
    lines: Vec<String>,
    numbers: Vec<u32>,
}

#[router]
fn numbers(log: &Log) -> Vec<u32> {
    log.numbers.clone()
}

/// Where the two of a branch meet, the items whose branches are under way, and the most there were.
#[derive(Clone)]
pub struct Deps {
    meet: Arc<Barrier>,
    under_way: Arc<Mutex<BTreeSet<u32>>>,
    most: Arc<Mutex<usize>>,
}

fn deps() -> Deps {
    Deps { meet: Arc::new(Barrier::new(2)), under_way: Arc::default(), most: Arc::default() }
}

async fn meet(item: u32, cx: &Context<Deps>) -> String {
    let Deps { meet, under_way, most } = cx.deps();
    let now = {
        let mut under_way = under_way.lock().unwrap();
        under_way.insert(item);
        under_way.len()
    };
    let seen = (*most.lock().unwrap()).max(now);
    *most.lock().unwrap() = seen;
    meet.wait().await;
    under_way.lock().unwrap().remove(&item);
    format!("{} {item}", cx.place())
}

#[node(writes(lines))]
async fn left(_: &Log, item: &u32, cx: &Context<Deps>) -> NodeResult<left> {
    Ok(Log::update().lines([meet(*item, cx).await]))
}

#[node(writes(lines))]
async fn right(_: &Log, item: &u32, cx: &Context<Deps>) -> NodeResult<right> {
    Ok(Log::update().lines([meet(*item, cx).await]))
}

pub struct Sign;

#[node(writes(lines))]
impl Interrupt<Log, Deps> for Sign {
    type Question = usize;
    type Answer = bool;

    async fn ask(log: &Log, _: &Context<Deps>) -> Result<Ask<Self>, NodeError> {
        Ok(Ask::question(log.numbers.len()))
    }

    fn resume(_: &Log, _: &usize, answer: Answer<bool>) -> NodeResult<Self> {
        Ok(Log::update().lines([format!("{answer:?}")]))
    }
}

graph! {
    Lanes(Log, Deps) {
        start -> each numbers { sign -> [left, right] } -> end;
        sign: Sign, at_once(1);
    }
}

type Q = Question<Lanes>;

fn accept(question: &Q) -> Given {
    match question {
        Q::sign(open) => open.accept(true),
        // By reference rustc does not see that the rest cannot be.
        _ => unreachable!(),
    }
}

#[tokio::test(start_paused = true)]
async fn all_of_a_branch_runs_at_once_when_its_turn_comes() {
    let deps = deps();
    let thread = Lanes::app(deps.clone(), Memory::new()).thread("t");
    let paused = thread.run(Log::update().numbers([1, 2, 3])).await.unwrap().paused().unwrap();
    assert_eq!(paused.questions.len(), 3, "a branch that waits for an answer holds up no other");
    thread.answer(paused.questions.iter().map(accept).collect::<Vec<_>>()).await.unwrap();
    let done = tokio::time::timeout(Duration::from_secs(60), thread.proceed()).await.expect("the two of a branch run at once");
    let lines = |n: u32| ["Accepted(true)".to_owned(), format!("left {n}"), format!("right {n}")];
    assert_eq!(done.unwrap().completed().unwrap().output.lines, [lines(1), lines(2), lines(3)].concat());
    assert_eq!(*deps.most.lock().unwrap(), 1, "and no other branch beside it");
}
