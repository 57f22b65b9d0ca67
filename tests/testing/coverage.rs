//! Which ways the tests took, over threads and processes.

use std::env;
use std::fs;
use std::process::Command;
use std::sync::atomic::Ordering;

use graphwright::Graph;
use graphwright::diagram::{Mark, Marks, ToMarks as _};
use graphwright::prelude::*;
use graphwright::testing::{COVERAGE, Coverage, Recording, TestApp};

use super::claims::now::Claims;
use super::claims::{Clerk, Office, claim, office};

fn never(coverage: &Coverage) -> Vec<String> {
    coverage.never_taken().into_iter().map(|way| format!("{}: {} -> {} {}", way.graph, way.from, way.to, way.when)).collect()
}

/// A small claim, and a large one that a clerk accepts.
async fn two_claims(app: &TestApp<Claims>) {
    assert!(app.thread("small").run(claim(10, &[])).await.unwrap().completed().is_some());
    let thread = app.thread("large");
    assert!(matches!(thread.run(claim(700, &["a bill"])).await.unwrap(), Outcome::Paused(_)));
    let open = thread.expect_paused::<Clerk>().await;
    assert!(thread.resume(open.accept(650)).await.unwrap().completed().is_some());
}

#[tokio::test(start_paused = true)]
async fn ways_never_taken_are_named() {
    let (office, app) = office();
    assert_eq!(app.coverage().await.unwrap().never_taken().len(), Claims::TOPOLOGY.ways.len() - 1 + 2, "`never` is not counted");
    two_claims(&app).await;
    let calls = office.called.load(Ordering::Relaxed);
    let coverage = app.coverage().await.unwrap();
    assert_eq!(office.called.load(Ordering::Relaxed), calls, "a node was called");
    let left = [
        "Claims: clerk -> refuse Declined | Cancelled",
        "Claims: clerk -> lapse on expiry",
        "Claims: sorted -> pay ",
        "Claims: pay -> refuse on error",
        "Claims: refuse -> end ",
        "Claims: lapse -> end ",
    ];
    assert_eq!(never(&coverage), left);
    let report = coverage.to_string();
    assert!(report.starts_with("Claims: 10 of 16 ways taken\n  never: clerk -> refuse (Declined | Cancelled)\n"), "{report}");
    assert!(report.ends_with("Letter (mounted): 2 of 2 ways taken\n"), "{report}");
    assert_eq!(coverage.taken(0), 2, "both began");

    let marks = coverage.to_marks(Claims::TOPOLOGY);
    assert_eq!((marks.of("letter"), marks.of("file"), marks.of("lapse")), (Mark::Visited, Mark::Visited, Mark::None));
    assert_eq!(marks.inside("letter").unwrap().of("write"), Mark::Visited);
    assert_eq!(marks.taken(0), 2);
}

#[tokio::test(start_paused = true)]
async fn failures_and_lapses_are_ways_too() {
    let (office, app) = office();
    office.refusals.store(9, Ordering::Relaxed);
    assert!(app.thread("refused").run(claim(10, &[])).await.unwrap().completed().is_some());
    assert!(matches!(app.thread("late").run(claim(700, &[])).await.unwrap(), Outcome::Paused(_)));
    app.advance(std::time::Duration::from_secs(200_000)).await;
    app.sweep().await.unwrap();
    let left = never(&app.coverage().await.unwrap());
    for taken in ["pay -> refuse on error", "refuse -> end", "clerk -> lapse", "lapse -> end"] {
        assert!(!left.iter().any(|way| way.contains(taken)), "{taken} in {left:?}");
    }
    assert!(left.iter().any(|way| way.contains("pay -> end")), "{left:?}");
}

/// The ways of a history are those that the routers decide when it is told again.
#[tokio::test(start_paused = true)]
async fn a_history_shows_the_ways_that_were_taken() {
    let (office, app) = office();
    two_claims(&app).await;
    office.refusals.store(9, Ordering::Relaxed);
    assert!(app.thread("refused").run(claim(10, &[])).await.unwrap().completed().is_some());
    assert!(matches!(app.thread("late").run(claim(700, &[])).await.unwrap(), Outcome::Paused(_)));
    app.advance(std::time::Duration::from_secs(200_000)).await;
    app.sweep().await.unwrap();
    let mut ways = 0;
    for name in ["small", "large", "refused", "late"] {
        let thread = app.thread(name);
        let mut decided = Coverage::of::<Claims>();
        decided.add::<Claims>(&Recording::of(&thread).await.unwrap()).unwrap();
        let (decided, shown) = (decided.to_marks(Claims::TOPOLOGY), thread.history().await.unwrap().to_marks(Claims::TOPOLOGY));
        for way in 0..Claims::TOPOLOGY.ways.len() {
            assert_eq!(shown.taken(way), decided.taken(way), "{name}: way {way}");
            ways += shown.taken(way);
        }
        let inside = |marks: &Marks| [0, 1].map(|way| marks.inside("letter").map_or(0, |letter| letter.taken(way)));
        assert_eq!(inside(&shown), inside(&decided), "{name}");
    }
    assert!(ways > 15, "{ways}");
    let refused = app.thread("refused").history().await.unwrap().to_marks(Claims::TOPOLOGY);
    assert_eq!(
        (refused.of("pay"), refused.of("refuse")),
        (Mark::Failed, Mark::Visited),
        "who failed has failed, also where there is a way on"
    );
}

/// Says which of the processes below it is.
const PART: &str = "GRAPHWRIGHT_TEST_PART";

/// What a process of its own does; nothing in this one.
#[tokio::test(start_paused = true)]
async fn a_part_in_a_process_of_its_own() {
    let Ok(part) = env::var(PART) else { return };
    let app = TestApp::<Claims>::new(Office::default());
    let amount = if part == "small" { 10 } else { 700 };
    let _outcome = app.thread("t").run(claim(amount, &[])).await.unwrap();
}

#[test]
fn processes_are_merged() {
    let folder = tempfile::tempdir().unwrap();
    let parts = ["small", "large"].map(|part| {
        let mut command = Command::new(env::current_exe().unwrap());
        command.args(["--exact", "testing::coverage::a_part_in_a_process_of_its_own"]).env(PART, part).env(COVERAGE, folder.path());
        command.spawn().unwrap()
    });
    for mut part in parts {
        assert!(part.wait().unwrap().success());
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
    let coverage = Coverage::of::<Claims>().read(folder.path()).unwrap();
    assert_eq!(coverage.taken(0), 2);
    let left = never(&coverage);
    assert!(!left.iter().any(|way| way.contains("appraise ->")), "{left:?}");
    assert!(left.iter().any(|way| way.contains("clerk -> refuse")), "{left:?}");

    // Of a graph that has changed since, nothing can be said.
    let other = Coverage::of::<super::claims::smaller::Claims>().read(folder.path()).unwrap();
    assert_eq!(other.taken(0), 0);

    // A file that is damaged is told of, and one that is no such file is left alone.
    fs::write(folder.path().join("notes.txt"), "mine").unwrap();
    assert!(Coverage::of::<Claims>().read(folder.path()).is_ok());
    fs::write(folder.path().join("half.ways.json"), "[{").unwrap();
    let said = Coverage::of::<Claims>().read(folder.path()).unwrap_err().to_string();
    assert!(said.contains("half.ways.json"), "{said}");
}

#[test]
fn a_folder_in_which_nothing_lies_is_no_report() {
    let folder = tempfile::tempdir().unwrap();
    let said = Coverage::of::<Claims>().read(folder.path()).unwrap_err().to_string();
    assert!(said.contains("no test has left its ways"), "{said}");
}

#[tokio::test(start_paused = true)]
async fn an_app_leaves_its_ways_where_it_is_told_to() {
    let folder = tempfile::tempdir().unwrap();
    let app = TestApp::<Claims>::new(Office::default()).coverage_to(folder.path());
    two_claims(&app).await;
    drop(app);
    assert_eq!(Coverage::of::<Claims>().read(folder.path()).unwrap().never_taken().len(), 6);
    // A test whose ways cannot be written does not pass.
    let nowhere = folder.path().join("notes.txt");
    fs::write(&nowhere, "mine").unwrap();
    let app = TestApp::<Claims>::new(Office::default()).coverage_to(nowhere);
    let failed = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| drop(app))).unwrap_err();
    assert!(failed.downcast_ref::<String>().unwrap().contains("cannot be told"));
}
