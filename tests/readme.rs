//! The README tells what is so: its code is compiled, its errors are rustc's, its pictures are drawn, its tests exist.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, clippy::ptr_arg)]

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

// As a reader would paste it.
include!("readme/writer.rs");
include!("readme/book.rs");

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");

fn read(path: &str) -> String {
    fs::read_to_string(Path::new(ROOT).join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The blocks of the README in this language.
fn blocks(language: &str) -> Vec<String> {
    let readme = read("README.md");
    let fence = format!("```{language}\n");
    readme.split(&fence).skip(1).map(|rest| rest.split("\n```").next().unwrap().to_owned()).collect()
}

#[track_caller]
fn expect_block(language: &str, wanted: &str) {
    let blocks = blocks(language);
    let wanted = wanted.trim_end();
    assert!(blocks.iter().any(|block| block == wanted), "no block ```{language} of README.md is\n{wanted}\nbut there are\n{blocks:#?}");
}

/// Lines without what they have in common on the left.
fn unindented(lines: &str) -> String {
    let indent = lines.lines().filter(|line| !line.trim().is_empty()).map(|line| line.len() - line.trim_start().len()).min().unwrap_or(0);
    lines.lines().map(|line| line.get(indent..).unwrap_or("")).collect::<Vec<_>>().join("\n")
}

#[test]
fn the_first_graph_is_compiled() {
    let source = read("tests/readme/writer.rs");
    expect_block("rust", &source);
    let graph = &source[source.find("graph! {").unwrap()..];
    let graph = &graph[..graph.find("\n}\n").unwrap() + 2];
    assert_eq!(graph.lines().count(), 11, "the README says that it has eleven lines");
}

#[tokio::test]
async fn the_first_graph_runs() {
    assert_eq!(written().await.unwrap(), "A text about mugs. A mug has a handle.");
}

#[test]
fn the_second_graph_is_compiled() {
    expect_block("rust", &read("tests/readme/book.rs"));
}

#[tokio::test]
async fn the_book_is_in_the_order_written() {
    let book = Book::run((), Paper::update()).await.unwrap().completed().unwrap().output;
    let parts: Vec<&str> = book.parts.iter().map(|part| part.get(..15).unwrap_or(part)).collect();
    assert_eq!(parts, ["On mugs and pla", "A text about mu", "A text about mu"]);
    assert_eq!(book.topics, ["mugs", "plates"]);
}

#[test]
fn the_picture_is_drawn_from_the_graph() {
    expect_block("mermaid", &<Writer as graphwright::Graph>::TOPOLOGY.mermaid());
}

#[test]
fn the_errors_are_what_the_compiler_says() {
    // That rustc says so is tested beside them, in `compile`.
    expect_block("text", &read("tests/compile/ui/readme/missing_arm.stderr"));
    expect_block("text", &read("tests/compile/ui/readme/no_gate.stderr"));
}

#[test]
fn the_agent_shown_is_the_example() {
    let example = read("examples/support/graph.rs");
    let shown: Vec<String> = blocks("rust,ignore");
    assert!(!shown.is_empty(), "the README shows nothing of the example");
    for block in shown {
        for part in block.split("\n\n") {
            assert!(unindented(&example).contains(part), "examples/support/graph.rs does not contain\n{part}");
        }
    }
}

/// `tests/file.rs: name`, as the table of guarantees has it.
#[test]
fn every_guarantee_names_a_test() {
    let readme = read("README.md");
    let table = readme.split("## What is promised").nth(1).expect("a table of guarantees").split("\n## ").next().unwrap();
    let rows: Vec<&str> = table.lines().filter(|line| line.starts_with("| ") && !line.starts_with("| ---")).skip(1).collect();
    assert!(rows.len() >= 10, "the table has {} rows", rows.len());
    for row in rows {
        let named: BTreeSet<&str> = row.split('`').skip(1).step_by(2).filter(|word| word.contains(": ")).collect();
        assert!(!named.is_empty(), "no test is named in\n{row}");
        for test in named {
            let (file, name) = test.split_once(": ").unwrap();
            let source = read(file);
            let there = if file.ends_with(".rs") && file.contains("/ui/") { true } else { source.contains(&format!("fn {name}()")) };
            assert!(there, "there is no test {name} in {file}");
        }
    }
}
