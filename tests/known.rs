//! A thread that this process left is gone on with as it was left: nothing of it is read, and the swap tells if others were there.
//!
//! By itself: calls of a store are counted, and tests beside it have all of their process read back what was written.
#![allow(clippy::unwrap_used, clippy::panic)]

#[path = "threads/doubles.rs"]
#[allow(dead_code, reason = "these tests have no need of most of them")]
mod doubles;

use std::sync::atomic::Ordering;

use graphwright::prelude::*;
use graphwright::{OnPaused, Thread};

use doubles::{Fault, Faulty};

#[derive(Clone, Default, Debug, Serialize, Deserialize, State)]
pub struct Tally {
    #[state(sum)]
    sum: u64,
}

#[node]
pub async fn one(_: &Tally) -> Update<Tally> {
    Tally::update().sum(1)
}

pub struct Ten;

#[node]
impl Interrupt<Tally, ()> for Ten {
    type Question = u64;
    type Answer = u64;

    async fn ask(tally: &Tally, _: &Context<()>) -> Result<Ask<Self>, NodeError> {
        Ok(Ask::question(tally.sum))
    }

    fn resume(_: &Tally, _: &u64, answer: Answer<u64>) -> NodeResult<Self> {
        Ok(Tally::update().sum(match answer {
            Answer::Accepted(answer) => answer,
            Answer::Declined | Answer::Cancelled => 0,
        }))
    }
}

graph! {
    pub Counts(Tally, ()) {
        start -> one -> end;
    }
}

graph! {
    pub Asks(Tally, ()) {
        start -> one -> ten -> end;
        ten: Ten;
    }
}

async fn turn(thread: &Thread<Counts>) -> u64 {
    thread.run(Tally::update()).await.unwrap().completed().unwrap().output.sum
}

async fn question(thread: &Thread<Asks>) -> graphwright::Open<Ten> {
    let Some(Question::<Asks>::ten(open)) = thread.pending().await.unwrap().pop() else { panic!("it must have asked") };
    open
}

#[tokio::test]
async fn a_turn_is_no_more_than_its_commits() {
    let store = Faulty::new(Memory::new(), Fault::FailOnce(u64::MAX));
    let app = Counts::app((), store.clone());
    let thread = app.thread("a");
    assert_eq!(turn(&thread).await, 1);
    let before = store.hooks.calls.load(Ordering::SeqCst);
    assert_eq!(turn(&thread).await, 2);
    assert_eq!(store.hooks.calls.load(Ordering::SeqCst) - before, 2, "the input and the step");

    let asks = Asks::app((), store.clone());
    let thread = asks.thread("b");
    thread.run(Tally::update()).await.unwrap().paused().unwrap();
    let open = question(&thread).await;
    let before = store.hooks.calls.load(Ordering::SeqCst);
    let done = thread.resume(open.accept(10)).await.unwrap().completed().unwrap();
    assert_eq!(done.output.sum, 11);
    assert_eq!(store.hooks.calls.load(Ordering::SeqCst) - before, 1, "the answer");
}

#[tokio::test]
async fn what_others_wrote_meanwhile_counts() {
    let store = Memory::new();
    let (here, there) = (Counts::app((), store.clone()), Counts::app((), store.clone()));
    let (here, there) = (here.thread("a"), there.thread("a"));
    for sum in 0..4 {
        assert_eq!(turn(&here).await, 2 * sum + 1);
        assert_eq!(turn(&there).await, 2 * sum + 2);
    }
    assert!(there.delete().await.unwrap());
    assert_eq!(turn(&here).await, 1, "it is another thread of that name");
    assert!(there.delete().await.unwrap());
    assert_eq!(turn(&there).await, 1);
    assert_eq!(turn(&here).await, 2);
}

#[tokio::test]
async fn nothing_is_refused_for_what_is_over() {
    let store = Memory::new();
    let here = Asks::app((), store.clone()).on_paused(OnPaused::Reject);
    let there = Asks::app((), store.clone());
    let (here, there) = (here.thread("a"), there.thread("a"));
    here.run(Tally::update()).await.unwrap().paused().unwrap();
    assert!(matches!(here.run(Tally::update()).await, Err(RunError::Waiting { .. })));

    let (mine, theirs) = (question(&here).await, question(&there).await);
    assert_eq!(there.resume(theirs.accept(10)).await.unwrap().completed().unwrap().output.sum, 11);
    assert!(matches!(here.resume(mine.accept(7)).await, Err(RunError::Spent { same_answer: false, .. })));
    here.run(Tally::update()).await.unwrap().paused().unwrap();
    let theirs = question(&there).await;
    there.resume(theirs.accept(10)).await.unwrap().completed().unwrap();
    // It was left as one that waits, and it waits no more.
    here.run(Tally::update()).await.unwrap().paused().unwrap();
    assert_eq!(there.state().await.unwrap().unwrap().sum, 23);
}

/// What it was refused for may be over, too: it is refused for good only after it was read.
#[tokio::test]
async fn nothing_is_too_large_for_what_is_over() {
    let refuses = Faulty::new(Memory::new(), Fault::Refuse(9));
    let known = Counts::app((), refuses.clone()).thread("a");
    assert_eq!(turn(&known).await, 1);
    assert_eq!(refuses.hooks.calls.load(Ordering::SeqCst), 3, "the name is looked for, and there are two commits");
    refuses.hooks.calls.store(9, Ordering::SeqCst);
    assert_eq!(turn(&known).await, 2);

    let other = Counts::app((), refuses.clone()).thread("a");
    refuses.hooks.calls.store(8, Ordering::SeqCst);
    assert!(matches!(other.run(Tally::update()).await, Err(RunError::TooLarge { .. })), "it was read");
}
