//! A diagnostic has a code, a case that shows it, and a page in the book: the three lists are the same.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");

/// The files below `folder` whose name ends so.
fn files(folder: &str, ending: &str) -> Vec<PathBuf> {
    fn walk(folder: &Path, ending: &str, found: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display())) {
            let path = entry.unwrap().path();
            if path.is_dir() {
                walk(&path, ending, found);
            } else if path.to_string_lossy().ends_with(ending) {
                found.push(path);
            }
        }
    }
    let mut found = Vec::new();
    walk(&Path::new(ROOT).join(folder), ending, &mut found);
    assert!(!found.is_empty(), "no file in {folder} ends in {ending}");
    found.sort();
    found
}

/// Every `GW` with three digits behind it.
fn codes(text: &str) -> BTreeSet<String> {
    let digits =
        |rest: &str| rest.get(..3).filter(|digits| digits.bytes().all(|byte| byte.is_ascii_digit())).map(|digits| format!("GW{digits}"));
    text.match_indices("GW").filter_map(|(at, _)| digits(&text[at + 2..])).collect()
}

fn codes_in(folder: &str, ending: &str) -> BTreeSet<String> {
    files(folder, ending).iter().flat_map(|path| codes(&fs::read_to_string(path).unwrap())).collect()
}

fn pages() -> BTreeSet<String> {
    files("book/src/diagnostics", ".md").iter().flat_map(|path| codes(&path.file_stem().unwrap().to_string_lossy())).collect()
}

fn said() -> BTreeSet<String> {
    &codes_in("macros/src", ".rs") | &codes_in("runtime/src", ".rs")
}

#[test]
fn a_code_is_found_in_a_message() {
    assert_eq!(codes("error: [GW012] two ways\nGW1 GWA12"), BTreeSet::from(["GW012".to_owned()]));
}

#[test]
fn every_code_is_shown_by_a_case() {
    assert_eq!(
        said(),
        codes_in("tests/compile/ui", ".stderr"),
        "left: codes in macros/ and runtime/, right: codes in tests/compile/ui/**/*.stderr"
    );
}

#[test]
fn every_code_has_a_page() {
    assert_eq!(said(), pages(), "left: codes in macros/ and runtime/, right: pages in book/src/diagnostics/");
}

#[test]
fn every_page_is_in_the_summary_and_names_its_code() {
    let summary = fs::read_to_string(Path::new(ROOT).join("book/src/SUMMARY.md")).unwrap();
    for code in pages() {
        assert!(summary.contains(&format!("diagnostics/{code}.md")), "{code} is not in book/src/SUMMARY.md");
        let page = fs::read_to_string(Path::new(ROOT).join(format!("book/src/diagnostics/{code}.md"))).unwrap();
        assert!(page.starts_with(&format!("# {code}: ")), "the page of {code} does not begin with its code and title");
        assert!(page.matches("```rust").count() >= 2, "the page of {code} lacks a wrong or a right example");
    }
}
