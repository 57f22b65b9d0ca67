//! What rustdoc shows of a crate with a graph: the user's words where they were written, and nothing without any.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

#[path = "editor/laid.rs"]
mod laid;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The pages of the crate in tests/editor/fixture.
fn pages() -> PathBuf {
    let root = laid::lay("docs");
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["doc", "--no-deps", "--offline", "--quiet"]).current_dir(&root);
    // A variable of whoever runs the tests may hold flags that this crate is not built with.
    cargo.env_remove("RUSTFLAGS").env("RUSTDOCFLAGS", "-D warnings -D missing_docs").env("CARGO_TARGET_DIR", root.join("target"));
    let output = cargo.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    root.join("target/doc/fixture")
}

/// What stands above the first item of a page; empty where nothing was written.
fn said(pages: &Path, page: &str) -> String {
    let html = fs::read_to_string(pages.join(page)).unwrap_or_else(|error| panic!("{page}: {error}"));
    let Some((_, docs)) = html.split_once("toggle top-doc") else { return String::new() };
    docs.split_once("</div>").unwrap().0.to_owned()
}

#[test]
fn what_is_written_is_shown() {
    let pages = &pages();
    for (page, words) in [
        ("nodes/fn.compose.html", "Writes the letter, or writes on."),
        ("nodes/struct.compose.html", "Writes the letter, or writes on."),
        ("nodes/fn.verdict.html", "Judges it."),
        ("nodes/struct.Letter.html", "A letter."),
        ("writer/struct.Writer.html", "Writes until it is long enough."),
        ("struct.Plain.html", "The graph <code>Plain</code>."),
    ] {
        assert!(said(pages, page).contains(words), "{page} says: {}", said(pages, page));
    }
    everything_public_says_something(pages);
}

fn everything_public_says_something(pages: &Path) {
    let all = fs::read_to_string(pages.join("all.html")).unwrap();
    let items: Vec<&str> =
        all.split("<li><a href=\"").skip(1).map(|rest| rest.split_once('"').unwrap().0).filter(|page| !page.starts_with('#')).collect();
    assert!(items.len() >= 9, "{items:?}");
    // How a graph asks the compiler about its types is nobody's business.
    let ours =
        |page: &&&str| ["Sound", "__State", "graph_macro"].iter().any(|word| fs::read_to_string(pages.join(page)).unwrap().contains(word));
    assert_eq!(items.iter().filter(ours).collect::<Vec<_>>(), Vec::<&&str>::new());
    let silent: Vec<&&str> = items.iter().filter(|page| said(pages, page).is_empty()).collect();
    // Planted: hidden from `missing_docs`, as a macro could hide it, and found all the same.
    assert_eq!(silent, [&"nodes/struct.Undocumented.html"]);
}
