//! The graphs of the examples, where their own stories do not lead: every way of them is taken. Part of the package
//! `graphwright-examples`.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::sync::Arc;
use std::time::Duration;

use graphwright::agent::{self, Approval, Message, Model, Reply, Scripted, ToolStatus};
use graphwright::prelude::*;
use graphwright::testing::{TestApp, Untaken};
use serde_json::json;
use tokio::sync::Mutex;

#[allow(dead_code, reason = "its story is told by another test")]
#[path = "../examples/claims.rs"]
mod claims;
#[allow(dead_code, reason = "its story is told by another test")]
#[path = "../examples/coding.rs"]
mod coding;
#[path = "../examples/http/desk.rs"]
mod desk;
#[allow(dead_code, reason = "its story is told by another test")]
#[path = "../examples/pipeline.rs"]
mod pipeline;
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
    let strict = |request: &agent::ChatRequest<'_>| match request.system {
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

/// The coder, driven by what its model says.
fn coder(replies: impl IntoIterator<Item = Reply>) -> (TestApp<coding::Coder>, Arc<Mutex<String>>) {
    let workspace = coding::workspace(replies).unwrap();
    let file = Arc::clone(&workspace.file);
    (TestApp::new(workspace), file)
}

/// The results that the model reads, in their order.
fn results(task: &coding::Task) -> Vec<(String, ToolStatus)> {
    let result = |message: &Message| match message {
        Message::Tool(result) => Some((result.name.clone(), result.status)),
        _ => None,
    };
    task.talk.messages().filter_map(result).collect()
}

#[tokio::test(start_paused = true)]
async fn calls_beside_each_other_are_approved_each_by_itself() {
    use ToolStatus::{Ok as Ran, Rejected};
    // In which order they are answered, and which of the two is approved.
    for (first, approved) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
        let (app, file) = coder(coding::story());
        let thread = app.thread("t");
        thread.run("Rename it").await.unwrap().paused().expect("two calls wait");
        let open = thread.expect_all_paused::<agent::approve>().await;
        assert_eq!(open.iter().map(|open| open.question.tool()).collect::<Vec<_>>(), ["write_file", "run"]);
        for call in [first, 1 - first] {
            let approval = if call == approved { Approval::Approve } else { Approval::Reject("no".to_owned()) };
            assert_eq!(*file.lock().await, "fn greet() {}", "nothing ran that nobody approved");
            thread.answer(open[call].accept(approval)).await.unwrap();
        }
        let done = thread.proceed().await.unwrap().into_completed().unwrap();
        let said = |call: usize| if call == approved { Ran } else { Rejected };
        let wanted = [("read_file", Ran), ("write_file", said(0)), ("run", Ran), ("run", said(1))];
        assert_eq!(results(&done.output), wanted.map(|(tool, status)| (tool.to_owned(), status)), "one each, in the order of the calls");
        assert_eq!(*file.lock().await, if approved == 0 { "fn welcome() {}" } else { "fn greet() {}" });
    }
}

#[tokio::test(start_paused = true)]
async fn the_coder_ends_in_every_way_that_it_has() {
    let call = |n: usize| Reply::text("again").call("run", json!({ "text": format!("cargo check {n}") }));
    let (app, _) = coder([]);
    // Finished, round and round with other words, and the same again and again.
    for (name, replies, ends) in [
        ("done", vec![Reply::text("Done.")], "end"),
        ("many", (0..20).map(call).collect(), "unfinished"),
        ("same", vec![Reply::text("again").call("read_file", json!({})); 9], "unfinished"),
    ] {
        let app = app.with_deps(coding::workspace(replies).unwrap());
        let thread = app.thread(name);
        let mut outcome = thread.run("Change it").await.unwrap();
        let ended = loop {
            outcome = match outcome {
                Outcome::Completed(done) => break format!("{:?}", done.exit),
                Outcome::Stopped(stopped) => break format!("unfinished {:?}", stopped.reason),
                Outcome::Paused(paused) => {
                    let answers =
                        paused.questions.into_iter().map(|Question::<coding::Coder>::tool_call(open)| open.accept(Approval::Approve));
                    thread.resume(answers.collect::<Vec<_>>()).await.unwrap()
                }
            };
        };
        assert!(ended.starts_with(ends), "{name}: {ended}");
    }
    every_way_was_taken(&app).await;
}

#[tokio::test(start_paused = true)]
async fn a_disk_that_stays_busy_ends_the_pipeline() {
    let app = TestApp::<pipeline::Pipeline>::new(());
    let eva = "customer,quantity,unit_cents\nEva,2,150\n";
    for (name, file, report) in [("one", eva, "1 orders for €3.00, most of it by Eva"), ("none", "customer\n", "")] {
        let done = app.thread(name).run(pipeline::Sales::update().file(file)).await.unwrap().into_completed().unwrap();
        assert_eq!(done.output.report, report);
    }
    every_way_was_taken(&app).await;
    let busy = app.stub::<pipeline::read>(|_, _| Err(NodeError::transient("the disk is busy")));
    let error = busy.thread("busy").run(pipeline::Sales::update()).await.unwrap_err();
    assert!(error.to_string().contains("the disk is busy") && error.is_transient(), "{error}");
    assert_eq!(busy.heard().places().iter().filter(|place| *place == "read").count(), 2 + 2 + 4, "three times again, and no more");
}

#[tokio::test(start_paused = true)]
async fn a_refund_is_paid_as_the_manager_says() {
    let app = TestApp::<desk::Refunds>::new(());
    let refund = |cents: u64| desk::Refund::update().order("mug").cents(cents);
    let small = app.thread("small").run(refund(1_000)).await.unwrap().into_completed().unwrap();
    assert_eq!(small.output.paid, 1_000, "nobody is asked");
    for (name, answer, paid) in [("less", Some(400), 400), ("nothing", None, 0)] {
        let thread = app.thread(name);
        thread.run(refund(1_001)).await.unwrap().paused().expect(name);
        let open = thread.expect_paused::<desk::Approve>().await;
        assert_eq!((open.question.cents, open.labels().join(" ").as_str()), (1_001, "managers"));
        assert!(matches!(thread.answer(open.accept(1_002)).await, Err(RunError::BadAnswer(_))), "more than was asked for");
        let done = thread.resume(answer.map_or_else(|| open.decline(), |cents| open.accept(cents))).await.unwrap();
        assert_eq!(done.into_completed().unwrap().output.paid, paid, "{name}");
    }
    every_way_was_taken(&app).await;
}
