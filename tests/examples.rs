//! The examples beside `support`, as somebody runs them: what they print is what examples/README.md shows. Part of the
//! package `graphwright-examples`, so that `cargo test` has built them before.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::fs;
use std::path::Path;
use std::process::Command;

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");
const EXAMPLES: [&str; 5] = ["claims", "coding", "pipeline", "research", "swarm"];

fn read(path: &str) -> String {
    fs::read_to_string(Path::new(ROOT).join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// What the page says that this example prints.
fn shown(example: &str) -> String {
    let page = read("examples/README.md");
    let (_, behind) = page.split_once(&format!("```console\n$ cargo run -q --example {example}\n")).expect("the page shows it");
    behind.split_once("```").expect("the block ends").0.to_owned()
}

/// Runs it, with nothing in its environment that could be a key, and gives what it prints.
fn printed(example: &str) -> String {
    let test = std::env::current_exe().unwrap();
    let built = test.ancestors().nth(2).unwrap().join("examples").join(example);
    assert!(built.exists(), "{} is missing: run `cargo test -p graphwright-examples`, which builds it", built.display());
    let output = Command::new(built).env_clear().env("TMPDIR", env!("CARGO_TARGET_TMPDIR")).output().unwrap();
    let errors = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success() && errors.is_empty(), "{example}: {errors}");
    String::from_utf8(output.stdout).unwrap()
}

#[track_caller]
fn prints_what_is_shown(example: &str) -> String {
    let (printed, shown) = (printed(example), shown(example));
    assert_eq!(printed, shown, "{example} prints\n{printed}");
    printed
}

#[test]
fn the_pipeline_tries_again_and_reports() {
    prints_what_is_shown("pipeline");
}

#[test]
fn the_research_asks_and_writes_again_after_a_review() {
    let printed = prints_what_is_shown("research");
    let places: Vec<&str> = printed.lines().filter_map(|line| line.strip_prefix("  ")).collect();
    assert_eq!(places.iter().filter(|place| **place == "look_up").count(), 3, "one for each topic");
    assert_eq!(places.iter().filter(|place| **place == "write").count(), 2, "the review sent it back");
}

#[test]
fn the_coder_does_what_was_approved_and_nothing_else() {
    let printed = prints_what_is_shown("coding");
    let asked = printed.find("may it").expect("somebody is asked");
    let (before, after) = printed.split_at(asked);
    assert!(before.contains("  run Completed") && !before.contains("write_file Completed"), "only what is free runs before");
    assert!(after.contains("  write_file Completed") && !after.contains("  run Completed"), "what was rejected does not run");
}

#[test]
fn claims_that_version_1_left_are_decided_by_version_2() {
    let printed = prints_what_is_shown("claims");
    let ends: Vec<&str> = printed.lines().filter(|line| line.starts_with("C-")).collect();
    let [first, second, third] = ends[..] else { panic!("three claims: {printed}") };
    assert!(first.starts_with("C-1 paid") && first.contains("fraud_check"), "it goes on behind the place that was renamed: {first}");
    assert!(second.starts_with("C-2 paid") && second.contains("reminder"), "a new way out of a place that is still there: {second}");
    assert!(third.starts_with("C-3 refused") && ends.iter().all(|end| end.contains("registered at attempt 3")), "{printed}");
}

#[test]
fn the_swarm_hands_over_and_does_not_go_round_for_ever() {
    let printed = prints_what_is_shown("swarm");
    assert!(printed.contains("front desk -> billing -> technician:") && printed.contains("(to_a_human)"), "{printed}");
}

/// A copy for Friday has to be short.
#[test]
fn each_is_short_and_says_how_it_is_run() {
    for example in EXAMPLES {
        let source = read(&format!("examples/{example}.rs"));
        assert!(source.lines().count() < 150, "{example} has {} lines", source.lines().count());
        let docs: String = source.lines().take_while(|line| line.starts_with("//!")).collect();
        assert!(docs.contains(&format!("`cargo run --example {example}`")) && docs.contains("It prints"), "{docs}");
    }
    let pipeline = read("examples/pipeline.rs");
    let (_, graph) = pipeline.split_once("\ngraph! {\n").unwrap();
    let inner = graph.split_once("\n}\n").unwrap().0.lines().count();
    assert!(inner + 2 <= 11, "the graph of the pipeline has {} lines", inner + 2);
}

#[test]
fn every_example_is_in_the_table() {
    let (manifest, readme) = (read("examples/Cargo.toml"), read("README.md"));
    let table = readme.split("## Examples").nth(1).expect("a table of examples").split("\n## ").next().unwrap();
    let examples: Vec<&str> = manifest.split("[[example]]\nname = \"").skip(1).map(|rest| rest.split('"').next().unwrap()).collect();
    assert!(EXAMPLES.iter().all(|example| examples.contains(example)), "{examples:?}");
    for example in examples {
        assert!(table.contains(&format!("| [`{example}`](examples/{example}")), "{example} is not in the table of README.md");
    }
}
