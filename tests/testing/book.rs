//! What `book/src/testing.md` shows: each of its blocks stands here, and is compiled and run.

use std::fs;
use std::time::Duration;

use graphwright::prelude::*;
use graphwright::testing::{Coverage, Recording, TestApp};
use graphwright::{Timestamp, TurnId};

#[derive(Clone, Debug, Default, Serialize, Deserialize, State)]
struct Refund {
    cents: u64,
    paid: bool,
}

/// Asks whether the money may be paid back.
#[derive(Debug)]
struct Approve;

#[node]
impl Interrupt<Refund, ()> for Approve {
    type Question = u64;
    type Answer = bool;

    async fn ask(refund: &Refund, _: &Context<()>) -> Result<Ask<Self>, NodeError> {
        Ok(Ask::question(refund.cents))
    }

    fn resume(_: &Refund, _: &u64, answer: Answer<bool>) -> NodeResult<Self> {
        Ok(Refund::update().paid(matches!(answer, Answer::Accepted(true))))
    }
}

#[node]
async fn pay(_: &Refund, _: &Context<()>) -> NodeResult<Refund> {
    Ok(Refund::update().paid(true))
}

#[node]
fn forget(_: &Refund) {}

#[router]
fn is_large(refund: &Refund, turn: &Turn) -> bool {
    refund.cents > 5_000 && turn.now() > Timestamp(0)
}

graph! {
    Refunds(Refund) {
        start -> approve if is_large;
        start -> pay;
        approve -> end;
        approve -> forget on expiry;
        forget -> end;
        pay -> end;

        approve: Approve, expires(48h);
    }
}

#[tokio::test]
async fn a_node_is_a_function() {
    let mut refund = Refund::default();
    pay(&refund, &Context::test(())).await.unwrap().apply_to(&mut refund);
    assert!(refund.paid);
}

#[test]
fn a_router_is_a_function() {
    let turn = Turn::test(TurnId([1; 16]), Timestamp(1));
    assert!(is_large(&Refund { cents: 9_900, ..Refund::default() }, &turn));
}

#[tokio::test(start_paused = true)]
async fn much_money_is_paid_when_somebody_says_so() {
    let thread = TestApp::<Refunds>::new(()).thread("t");
    assert!(matches!(thread.run(Refund::update().cents(9_900)).await.unwrap(), Outcome::Paused(_)));
    let open = thread.expect_paused::<Approve>().await;
    assert_eq!(open.question, 9_900);
    let done = thread.resume(open.accept(true)).await.unwrap().completed().unwrap();
    assert!(done.output.paid);
}

#[tokio::test(start_paused = true)]
async fn a_bank_that_is_away_pays_nothing() {
    let app = TestApp::<Refunds>::new(()).stub::<pay>(|_, _| Err(NodeError::fatal("the bank is away")));
    let error = app.thread("t").run(Refund::update().cents(100)).await.unwrap_err();
    assert!(error.to_string().contains("the bank is away"));
}

#[tokio::test(start_paused = true)]
async fn after_two_days_nobody_is_asked_any_more() {
    let app = TestApp::<Refunds>::new(());
    let thread = app.thread("t");
    assert!(matches!(thread.run(Refund::update().cents(9_900)).await.unwrap(), Outcome::Paused(_)));
    app.advance(Duration::from_secs(49 * 60 * 60)).await;
    app.sweep().await.unwrap();
    assert_eq!(app.heard().places(), ["approve", "forget"]);
}

#[tokio::test(start_paused = true)]
async fn every_way_is_taken() {
    let app = TestApp::<Refunds>::new(());
    assert!(app.thread("small").run(Refund::update().cents(100)).await.unwrap().completed().is_some());
    let large = app.thread("large");
    assert!(matches!(large.run(Refund::update().cents(9_900)).await.unwrap(), Outcome::Paused(_)));
    let coverage = app.coverage().await.unwrap();
    println!("{coverage}");
    println!("{}", <Refunds as graphwright::Graph>::TOPOLOGY.diagram().with(&coverage).text());
    let never: Vec<String> = coverage.never_taken().iter().map(|way| format!("{} -> {}", way.from, way.to)).collect();
    assert_eq!(never, ["approve -> end", "approve -> forget", "forget -> end"]);
}

/// What a process of the whole test run leaves, and what is read of all of them.
fn merged(folder: &std::path::Path) -> std::io::Result<()> {
    let coverage = Coverage::of::<Refunds>().read(folder)?;
    println!("{coverage}");
    Ok(())
}

#[tokio::test(start_paused = true)]
async fn what_was_recorded_goes_the_same_ways() -> Result<(), Box<dyn std::error::Error>> {
    let folder = tempfile::tempdir()?;
    let app = TestApp::<Refunds>::new(()).coverage_to(folder.path());
    let thread = app.thread("t");
    thread.run(Refund::update().cents(100)).await?.completed().unwrap();

    let path = folder.path().join("small_refund.json");
    let recording = Recording::of(&thread).await?;
    let public = recording.redacted(|at, value| {
        if at == "/update/cents" {
            *value = 1.into();
        }
    })?;
    public.save(&path)?;

    Recording::open(&path)?.replay::<Refunds>()?;
    drop(app);
    merged(folder.path())?;
    Ok(())
}

/// Lines without what they have in common on the left.
fn unindented(lines: &str) -> String {
    let indent = lines.lines().filter(|line| !line.trim().is_empty()).map(|line| line.len() - line.trim_start().len()).min().unwrap_or(0);
    lines.lines().map(|line| line.get(indent..).unwrap_or("")).collect::<Vec<_>>().join("\n")
}

/// The chapter shows what stands in the file of this folder.
fn shows(chapter: &str, file: &str, least: usize) -> String {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/..");
    let book = fs::read_to_string(format!("{root}/book/src/{chapter}.md")).unwrap();
    let source = fs::read_to_string(format!("{root}/tests/testing/{file}.rs")).unwrap();
    let blocks: Vec<&str> = book.split("```rust\n").skip(1).map(|rest| rest.split("\n```").next().unwrap()).collect();
    assert!(blocks.len() >= least, "the chapter shows {} blocks", blocks.len());
    let flat = |text: &str| unindented(text).lines().map(str::trim).collect::<Vec<_>>().join("\n");
    for block in blocks {
        assert!(flat(&source).contains(&flat(block)), "tests/testing/{file}.rs does not contain\n{block}");
    }
    book
}

#[test]
fn the_book_shows_what_is_compiled_here() {
    assert!(shows("testing", "book", 6).contains("Refunds: 4 of 7 ways taken"));
    shows("people", "people", 6);
}
