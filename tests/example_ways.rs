//! The graphs of the examples, where their own stories do not lead: every way of them is taken. Part of the package
//! `graphwright-examples`.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::time::Duration;

use graphwright::agent::{Model, Reply, Scripted};
use graphwright::prelude::*;
use graphwright::testing::{TestApp, Untaken};

#[allow(dead_code, reason = "its story is told by another test")]
#[path = "../examples/claims.rs"]
mod claims;
#[allow(dead_code, reason = "its story is told by another test")]
#[path = "../examples/research.rs"]
mod research;
#[allow(dead_code, reason = "its story is told by another test")]
#[path = "../examples/swarm.rs"]
mod swarm;

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// Every way of the example's own graph; those of the graphs that are mounted in it are theirs.
async fn every_way_was_taken<G: graphwright::Graph>(app: &TestApp<G>) {
    let untaken = app.coverage().await.unwrap().never_taken();
    let own: Vec<&Untaken> = untaken.iter().filter(|way| way.graph == G::TOPOLOGY.name).collect();
    assert!(own.is_empty(), "{own:#?}");
}

#[tokio::test(start_paused = true)]
async fn a_manager_is_reminded_twice_and_then_the_claim_is_refused() {
    type Q = Question<claims::v2::Claims>;
    let app = TestApp::<claims::v2::Claims>::new(());
    // Who answers (yes), says no (no), and who is silent (nothing), first the expert and then the manager.
    for (claim, said, ends) in [
        ("paid", &[Some(true), Some(true)][..], "paid"),
        ("too late", &[None], "refused"),
        ("worth nothing", &[Some(false)], "refused"),
        ("not paid", &[Some(true), Some(false)], "refused"),
        ("reminded", &[Some(true), None, None, Some(true)], "paid"),
        ("never decided", &[Some(true), None, None, None], "refused"),
    ] {
        let thread = app.thread(claim);
        thread.run(claims::Claim::update().what(claim)).await.unwrap().paused().expect(claim);
        for answer in said {
            let [Q::expert(open) | Q::manager(open)] = &thread.pending().await.unwrap()[..] else { panic!("{claim}: one question") };
            match answer {
                Some(true) => drop(thread.answer(open.accept(100)).await.unwrap()),
                Some(false) => drop(thread.answer(open.decline()).await.unwrap()),
                None => app.advance(4 * DAY).await,
            }
            app.sweep().await.unwrap();
        }
        let done = thread.proceed().await.unwrap().completed().expect(claim);
        assert_eq!(format!("{:?}", done.exit), ends, "{claim}");
    }
    every_way_was_taken(&app).await;
}

#[tokio::test(start_paused = true)]
async fn a_report_that_stays_thin_ends_unfinished() {
    let app = TestApp::<research::Research>::new(Model::new(Scripted::by(research::rules)));
    let strict = |request: &graphwright::agent::ChatRequest<'_>| match request.system {
        Some(system) if system.starts_with("Review") => Reply::text("\"Thin\""),
        _ => research::rules(request),
    };
    let strict = app.with(|app| app.with_deps(Model::new(Scripted::by(strict))));
    let Outcome::Paused(paused) = strict.thread("thin").run("Mugs?").await.unwrap() else { panic!("it asks first") };
    let answers: Vec<_> = paused.questions.into_iter().map(|question| research::pick(question).unwrap()).collect();
    let done = strict.thread("thin").resume(answers).await.unwrap().completed().unwrap();
    assert_eq!(format!("{:?}", done.exit), "unfinished");
    let written = strict.heard().places().into_iter().filter(|place| place == "write").count();
    assert_eq!(written, 3, "once, and twice more");
    // Another story on the same store: the user says nothing, and the reviewer is kind.
    let app = strict.with(|app| app.with_deps(Model::new(Scripted::by(research::rules))));
    let Outcome::Paused(paused) = app.thread("good").run("Mugs?").await.unwrap() else { panic!("it asks first") };
    let declined = paused.questions.into_iter().map(|Question::<research::Research>::elicitation(open)| open.decline());
    let done = app.thread("good").resume(declined.collect::<Vec<_>>()).await.unwrap().completed().unwrap();
    assert_eq!(format!("{:?}", done.exit), "end");
    every_way_was_taken(&app).await;
}

#[tokio::test(start_paused = true)]
async fn whoever_has_a_case_last_may_call_a_human() {
    let app = TestApp::<swarm::Swarm>::new(Model::new(Scripted::by(swarm::rules)));
    for (text, last, ends) in [
        ("My invoice is wrong", "billing", "end"),
        ("Thank you", "front desk", "end"),
        ("The invoice does not open in the app", "technician", "end"),
        ("The app charges me twice", "a human", "to_a_human"),
        ("The invoice of the app charges me twice", "a human", "to_a_human"),
    ] {
        let done = app.thread(text).run(text).await.unwrap().completed().expect(text);
        assert_eq!((done.output.seen_by.last().map(String::as_str), format!("{:?}", done.exit)), (Some(last), ends.to_owned()), "{text}");
        assert!(done.output.seen_by.len() <= 7, "{text}: {:?}", done.output.seen_by);
    }
    every_way_was_taken(&app).await;
}
