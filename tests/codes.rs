//! A diagnostic has a code in the registry, a text, a case that shows it, and a page in the book: the four lists are the same,
//! and a page says what the compiler says.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use graphwright::diagnostics::CODES;

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

/// Those that stand in a text: in the macros, at a trait, or in the checker. The registry does not count.
fn said() -> BTreeSet<String> {
    let sources = files("macros/src", ".rs").into_iter().chain(files("runtime/src", ".rs"));
    let sources = sources.filter(|path| !path.ends_with("runtime/src/diagnostics.rs"));
    sources.flat_map(|path| codes(&fs::read_to_string(path).unwrap())).collect()
}

fn page(code: &str) -> String {
    fs::read_to_string(Path::new(ROOT).join(format!("book/src/diagnostics/{code}.md"))).unwrap()
}

/// What is said, whatever the names are: `` `read` has no way out`` and `` `draft` has no way out`` are the same sentence.
fn sentence(line: &str) -> String {
    let line = line.trim().trim_start_matches("= ").replace("evaluation panicked: ", "");
    let said = match line.split_once(": ") {
        Some(("path", _)) => "path: ",
        Some((word, said)) if word.starts_with("error") => said,
        _ => &line,
    };
    said.split('`').step_by(2).collect::<Vec<_>>().join("``")
}

/// The sentences in a page's block of text.
fn quoted(page: &str) -> Vec<String> {
    let blocks = page.split("```text\n").skip(1).filter_map(|block| block.split("\n```").next());
    blocks.flat_map(|block| block.lines().map(sentence)).collect()
}

#[test]
fn a_code_is_found_in_a_message() {
    assert_eq!(codes("error: [GW012] two ways\nGW1 GWA12"), BTreeSet::from(["GW012".to_owned()]));
}

#[test]
fn names_make_no_difference_to_a_sentence() {
    assert_eq!(sentence("error[E0080]: evaluation panicked: `a` has no way out [GW043]"), sentence("`b` has no way out [GW043]"));
    assert_eq!(sentence("   = note: take `&Mail`: or else"), "note: take ``: or else");
    assert_eq!(sentence("  path: a -> b"), sentence("                path: x -> y -> z"));
    assert_eq!(quoted("Wrong:\n\n```text\n`a` is no node\n  help: write `b`\n```\n"), ["`` is no node", "help: write ``"]);
}

#[test]
fn every_code_is_in_the_registry_once_and_in_order() {
    let registered: Vec<String> = CODES.iter().map(|(code, _)| (*code).to_owned()).collect();
    assert_eq!(
        registered,
        said().into_iter().collect::<Vec<_>>(),
        "left: runtime/src/diagnostics.rs, right: codes in macros/ and runtime/"
    );
}

#[test]
fn every_page_says_what_the_compiler_says() {
    let cases: Vec<BTreeSet<String>> =
        files("tests/compile/ui", ".stderr").iter().map(|path| fs::read_to_string(path).unwrap().lines().map(sentence).collect()).collect();
    let mut unsaid = Vec::new();
    for code in pages() {
        let quoted = quoted(&page(&code));
        assert!(quoted.iter().any(|line| line.ends_with(&format!("[{code}]"))), "the page of {code} does not quote its message");
        assert!(quoted.iter().any(|line| line.starts_with("help: ") || line.starts_with("note: ")), "the page of {code} quotes no cure");
        // A message and its cure stand together; a page may quote several.
        let messages = quoted.chunk_by(|_, next| !next.contains("[GW")).map(<[String]>::to_vec);
        unsaid.extend(messages.filter(|said| !cases.iter().any(|case| said.iter().all(|line| case.contains(line)))));
    }
    assert!(unsaid.is_empty(), "pages quote what no case says: {unsaid:#?}");
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
fn every_page_has_its_title_and_is_in_the_summary_by_it() {
    let summary = fs::read_to_string(Path::new(ROOT).join("book/src/SUMMARY.md")).unwrap();
    for (code, title) in CODES {
        assert!(
            summary.contains(&format!("\n- [{code}: {title}](diagnostics/{code}.md)\n")),
            "{code} is not in book/src/SUMMARY.md by its title"
        );
        let page = page(code);
        assert!(page.starts_with(&format!("# {code}: {title}\n")), "the page of {code} does not begin with its code and title");
        let reason = page.split("\nWrong:\n").next().unwrap().lines().skip(1).any(|line| !line.trim().is_empty());
        assert!(reason, "the page of {code} gives no reason");
        assert!(page.contains("\nRight") && page.matches("```rust").count() == 2, "the page of {code} lacks a wrong or a right example");
    }
}
