//! Answers to one question, and answers while a run is at work.

use graphwright::Given;
use graphwright::prelude::*;

use super::explore::{catch, explore};
use super::stage::{Asks, Beside, Sign, Stage, Tally};
use crate::faults::Plant;

async fn asked(stage: &Stage<Asks>) -> graphwright::Open<Sign> {
    let paused = stage.thread(0).run(Tally::update()).await.unwrap().paused().expect("it asks");
    let Question::<Asks>::sign(open) = paused.questions.into_iter().next().unwrap();
    open
}

/// Of two that answer, each with another number, one is taken, and the other runs nothing.
async fn race(stage: Stage<Asks>) -> &'static str {
    let open = asked(&stage).await;
    let resume = |who: usize, given: Given| tokio::spawn(stage.thread(who).resume(given));
    let (one, two) = (resume(0, open.accept(1)), resume(1, open.accept(2)));
    let (one, two) = (one.await.unwrap(), two.await.unwrap());
    let (won, lost, line, what) = match (one, two) {
        (won @ Ok(_), lost @ Err(_)) => (won, lost, "Accepted(1)", "the first"),
        (lost, won) => (won, lost, "Accepted(2)", "the second"),
    };
    assert!(matches!(lost, Err(RunError::Spent { .. })), "INV-ONE: the other one came to {lost:?}");
    won.unwrap().completed().expect("it goes on to its end");
    stage.over(&["first", line, "second"]).await;
    assert_eq!((stage.begun("first"), stage.begun("second")), (1, 1), "INV-ONE: who lost ran something");
    what
}

#[test]
fn of_two_resumes_one_wins_and_the_other_runs_nothing() {
    explore("resume against resume", &["the first", "the second"], || race(Stage::apart(None)));
}

/// A store that on a conflict sends the same rows again, under the number that the thread has now.
#[test]
fn a_swap_of_the_number_alone_is_caught() {
    let why = catch(10_000, || race(Stage::apart(Some(Plant::SwapsTheNumber))));
    println!("caught: {why}");
    assert!(why.contains("INV-"), "{why}");
}

/// An answer that comes while a run is busy with another branch is taken up by that run, or by the one that it lets in.
async fn beside() -> &'static str {
    let stage = Stage::<Beside>::together();
    let run = tokio::spawn(stage.thread(0).run(Tally::update()));
    let thread = stage.thread(1);
    let answer = tokio::spawn(async move {
        loop {
            match thread.pending().await.as_deref() {
                Ok([Question::<Beside>::sign(open)]) => return thread.resume(open.accept(1)).await.unwrap(),
                Ok(_) | Err(RunError::NoThread) => tokio::task::yield_now().await,
                Err(error) => panic!("{error}"),
            }
        }
    });
    let (ran, answered) = (run.await.unwrap().unwrap(), answer.await.unwrap());
    answered.completed().expect("who answers hears of the end");
    stage.over(&["left", "right", "Accepted(1)", "second"]).await;
    assert_eq!((stage.begun("left"), stage.begun("right"), stage.begun("second")), (1, 1, 1));
    match ran {
        Outcome::Completed(_) => "taken up",
        Outcome::Paused(_) => "taken over",
        Outcome::Stopped(stop) => panic!("{stop:?}"),
    }
}

#[test]
fn an_answer_beside_a_run_is_never_lost() {
    explore("answer against run", &["taken up", "taken over"], beside);
}
