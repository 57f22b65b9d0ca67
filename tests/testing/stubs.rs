//! Nodes whose bodies a test gives: wherever they stand, with everything around them as ever.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use graphwright::prelude::*;
use graphwright::testing::TestApp;

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, State)]
pub struct Study {
    #[state(append)]
    notes: Vec<String>,
    draft: String,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, State)]
pub struct Page {
    text: String,
}

/// Every body that a test did not mean to run.
fn ran(node: &str) -> ! {
    panic!("the body of `{node}` ran")
}

#[node(writes(notes))]
async fn plan(_: &Study) -> NodeResult<plan> {
    ran("plan")
}

#[node(writes(notes))]
async fn read(_: &Study, page: &String, _: &Context<()>) -> NodeResult<read> {
    ran(page)
}

#[node(writes(notes))]
async fn note(_: &Study) -> NodeResult<note> {
    ran("note")
}

#[node]
fn write(_: &Study) {
    ran("write")
}

#[node]
async fn print(_: &Page) -> NodeResult<Page> {
    ran("print")
}

#[derive(Clone, Copy, Route)]
enum Next {
    Again,
    Enough,
}

#[node]
async fn judge(_: &Study) -> Result<(Update<Study>, Next), NodeError> {
    ran("judge")
}

#[router]
fn pages(_: &Study) -> Vec<String> {
    ["one", "two"].map(str::to_owned).into()
}

#[node]
fn give_up(_: &Study) {}

graph! {
    pub Press(Page) {
        start -> print -> end;
    }
}

fn open(study: &Study) -> Update<Page> {
    Page::update().text(study.draft.clone())
}

fn take(page: &Page) -> Update<Study> {
    Study::update().notes([page.text.clone()])
}

graph! {
    pub Research(Study) {
        start -> plan -> each pages { read -> note } -> again;
        again -> judge -> match { Again => write at_most 1 else end unfinished, Enough => press };
        write -> judge;
        press -> end;
        plan -> give_up on error;
        give_up -> end failed;

        again: plan;
        plan: retry(3, backoff(10ms));
        press: graph Press, enter(open), exit(take), writes(notes);
    }
}

/// With every node replaced.
fn app() -> TestApp<Research> {
    TestApp::<Research>::new(())
        .stub::<plan>(|_, cx| Ok(Study::update().notes([format!("{} {}", cx.place(), cx.attempt())])))
        .stub_in::<Research, read, String>(|_, page, _| Ok(Study::update().notes([format!("read {page}")])))
        .stub::<note>(|study, _| Ok(Study::update().notes([format!("noted after {}", study.notes.len())])))
        .stub::<judge>(|study, _| Ok((Study::update().draft("Mugs"), if study.draft.is_empty() { Next::Again } else { Next::Enough })))
        .stub::<write>(|_, _| ())
        .stub_in::<Press, print, ()>(|page, (), _| Ok(Page::update().text(format!("printed {}", page.text))))
}

#[tokio::test(start_paused = true)]
async fn every_kind_of_node_wherever_it_stands() {
    let app = app();
    let done = app.thread("t").run(Study::update()).await.unwrap().completed().unwrap();
    let notes = ["plan 1", "read one", "noted after 2", "read two", "noted after 2", "again 1", "printed Mugs"];
    assert_eq!(done.output.notes, notes);
    assert_eq!(format!("{:?}", done.exit), "end");
    let untaken: Vec<String> =
        app.coverage().await.unwrap().never_taken().iter().map(|way| format!("{} -> {}", way.from, way.to)).collect();
    assert_eq!(untaken, ["judge -> unfinished", "plan -> give_up", "give_up -> failed"], "the ways are counted as ever");
}

#[tokio::test(start_paused = true)]
async fn an_error_is_retried_and_goes_its_way() {
    let tries = Arc::new(AtomicU32::new(0));
    let counted = Arc::clone(&tries);
    let app = app().stub::<plan>(move |_, _| {
        counted.fetch_add(1, Ordering::Relaxed);
        Err(NodeError::transient("no network"))
    });
    let done = app.thread("t").run(Study::update()).await.unwrap().completed().unwrap();
    assert_eq!((tries.load(Ordering::Relaxed), format!("{:?}", done.exit)), (4, "failed".to_owned()));
}

#[tokio::test(start_paused = true)]
async fn a_panic_of_a_stub_is_its_nodes() {
    let app = app().stub::<write>(|_, _| panic!("no paper"));
    let error = app.thread("t").run(Study::update()).await.unwrap_err();
    assert!(error.to_string().contains("no paper") && error.to_string().contains("write"), "{error}");
}

#[tokio::test(start_paused = true)]
async fn a_thread_outlives_its_stubs_and_an_app_without_them_runs_the_bodies() {
    let app = app();
    app.thread("t").run(Study::update()).steps(1).await.unwrap().stopped().unwrap();
    app.advance(Duration::from_secs(1)).await;
    let app = app.stub::<note>(|_, _| Ok(Study::update().notes(["another"])));
    let done = app.thread("t").proceed().await.unwrap().completed().unwrap();
    assert_eq!(done.output.notes.iter().filter(|note| *note == "another").count(), 2, "the last one counts");
    let bare = TestApp::<Research>::new(());
    let error = bare.thread("t").run(Study::update()).await.unwrap().completed().unwrap();
    assert_eq!(format!("{:?}", error.exit), "failed", "the body of `plan` panicked");
}

/// With an item, and without one.
#[node(writes(notes))]
fn weigh(_: &Study, page: Option<&String>) -> NodeResult<weigh> {
    ran(&format!("weigh {page:?}"))
}

graph! {
    pub Scale(Study) {
        start -> each pages { weigh -> note } -> last;
        last: weigh;
        last -> end;
    }
}

graph! {
    pub Weighs(Study) {
        start -> scale -> end;
        scale: graph Scale;
    }
}

#[tokio::test(start_paused = true)]
async fn a_node_that_takes_no_item_is_replaced_where_there_is_one() {
    let weighed = |note: &str| Ok(Study::update().notes([note.to_owned()]));
    let app = || TestApp::<Weighs>::new(()).stub_in::<Scale, note, ()>(|_, (), _| Ok(Study::update().notes(["noted"])));
    let all = app().stub_in::<Scale, weigh, ()>(move |_, (), _| weighed("weighed"));
    let done = all.thread("t").run(Study::update()).await.unwrap().completed().unwrap();
    assert_eq!(done.output.notes, ["weighed", "noted", "weighed", "noted", "weighed"]);
    // Each its own.
    let each =
        app().stub_in::<Scale, weigh, ()>(move |_, (), _| weighed("all")).stub_in::<Scale, weigh, String>(move |_, page, _| weighed(page));
    let done = each.thread("t").run(Study::update()).await.unwrap().completed().unwrap();
    assert_eq!(done.output.notes, ["one", "noted", "two", "noted", "all"]);
    // Not given at all, it runs, and says so.
    let error = app().thread("t").run(Study::update()).await.unwrap_err();
    assert!(error.to_string().contains("weigh Some"), "{error}");
}
