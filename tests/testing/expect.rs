//! Open questions by their type, and what is said where there is none.

use graphwright::prelude::*;
use graphwright::testing::TestApp;

use super::claims::{Claim, Clerk, Judge, Office, claim, office};

/// What the test that did this would have been told.
async fn refused<T: Send + 'static>(expects: impl Future<Output = T> + Send + 'static) -> String {
    let failed = tokio::spawn(expects).await.err().expect("it was accepted");
    *failed.into_panic().downcast::<String>().unwrap()
}

#[tokio::test(start_paused = true)]
async fn the_question_is_typed() {
    let (_, app) = office();
    let thread = app.thread("t");
    let paused = thread.run(claim(700, &[])).await.unwrap();
    assert!(matches!(paused, Outcome::Paused(_)));
    let open = thread.expect_paused::<Clerk>().await;
    assert_eq!(open.question, 700);
    let done = thread.resume(open.accept(50)).await.unwrap().completed().unwrap();
    assert_eq!(done.output.amount, 50);
}

#[tokio::test(start_paused = true)]
async fn it_is_said_what_the_thread_does_instead() {
    let (_, app) = office();
    let thread = app.thread("t");
    let said = refused(thread.expect_paused::<Clerk>()).await;
    assert!(said.contains("tests/testing/expect.rs:"), "{said}");
    let paused = thread.run(claim(700, &[])).await.unwrap();
    assert!(matches!(paused, Outcome::Paused(_)));
    let said = refused(thread.expect_paused::<Judge>()).await;
    assert!(said.contains("one question of `Judge` was to be open, and there are 0"), "{said}");
    assert!(said.contains("clerk: waits for an answer"), "{said}");
    let open = thread.expect_paused::<Clerk>().await;
    assert!(thread.resume(open.decline()).await.unwrap().completed().is_some());
    let said = refused(thread.expect_paused::<Clerk>()).await;
    assert!(said.contains("has nothing to do") && said.contains("clerk -> refuse: `clerk` chose `Declined | Cancelled`"), "{said}");
}

graph! {
    Hearing(Claim, Office) {
        start -> judge -> end;
        judge: Judge;
    }
}

graph! {
    Court(Claim, Office) {
        start -> [first, hearing] -> closed -> end;
        first: Judge;
        hearing: graph Hearing;
        closed: super::claims::lapse;
    }
}

#[tokio::test(start_paused = true)]
async fn several_are_given_in_order_also_those_of_mounted_graphs() {
    let thread = TestApp::<Court>::new(Office::default()).thread("t");
    let paused = thread.run(Claim::update()).await.unwrap();
    assert!(matches!(paused, Outcome::Paused(_)));
    let said = refused(thread.expect_paused::<Judge>()).await;
    assert!(said.contains("there are 2") && said.contains("first: waits") && said.contains("hearing/judge: waits"), "{said}");
    assert_eq!(thread.expect_all_paused::<Clerk>().await.len(), 0);
    let open = thread.expect_all_paused::<Judge>().await;
    thread.answer(open[1].accept(true)).await.unwrap();
    let left = thread.expect_paused::<Judge>().await;
    assert_eq!(left.id(), open[0].id());
    let done = thread.resume(left.decline()).await.unwrap().completed().unwrap();
    assert_eq!(done.output.filed, ["Declined", "Accepted(true)"]);
}
