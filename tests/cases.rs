//! Every graph of the corpus has its case, and says as often as its table that it is wrong; every case of the specification
//! and every report of a fault elsewhere is a test by its number, or has a row that says what shows it.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

const COMPILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/compile");

/// The ids of the corpus: a letter, and the numbers that it has.
const IDS: &[(char, &[u8])] = &[
    ('I', &[1, 2, 4, 5, 7, 8, 10, 11, 13, 14, 16, 17, 19, 20, 22, 23, 25, 26, 28, 29, 31, 32, 34, 35, 37, 38, 40, 41, 43, 44, 46, 47]),
    ('L', &[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]),
    ('V', &[1, 2, 4, 5, 7, 8, 10, 11, 13, 14, 16, 17, 19, 20, 22, 23]),
    ('W', &[1, 2, 3, 4, 5, 6, 7, 8, 9]),
];

struct Row {
    id: String,
    /// Its path below `tests/compile`, without an ending.
    case: String,
    errors: usize,
}

/// `| I01 | `ui/names/i01_unknown_target` | 1 | .. |`
fn rows(table: &str) -> Vec<Row> {
    let row = |line: &str| {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        let [_, id, case, errors, _, _] = cells[..] else { return None };
        Some(Row { id: id.to_owned(), case: case.trim_matches('`').to_owned(), errors: errors.parse().ok()? })
    };
    table.lines().filter_map(row).collect()
}

fn table() -> Vec<Row> {
    rows(&fs::read_to_string(Path::new(COMPILE).join("CASES.md")).unwrap())
}

/// Every case in a folder and below it, as the table writes it.
fn cases(folder: &Path, found: &mut BTreeSet<String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            cases(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            found.insert(path.with_extension("").strip_prefix(COMPILE).unwrap().to_string_lossy().replace('\\', "/"));
        }
    }
}

/// `i01_unknown_target` is a case of `I01`.
fn id_of(case: &str) -> Option<String> {
    let id = case.rsplit('/').next()?.split('_').next()?.to_uppercase();
    let mut letters = id.chars();
    let letter = letters.next()?;
    (letters.as_str().len() == 2 && letters.all(|digit| digit.is_ascii_digit()) && IDS.iter().any(|(known, _)| *known == letter))
        .then_some(id)
}

fn errors_of(stderr: &str) -> usize {
    stderr.lines().filter(|line| line.starts_with("error")).count()
}

#[test]
fn a_row_and_an_id_are_read() {
    let rows =
        rows("| I01 | `ui/names/i01_unknown_target` | 1 | rustc's words |\n| id | case | errors | else |\n| --- | --- | --- | --- |");
    assert_eq!(
        rows.iter().map(|row| (row.id.as_str(), row.case.as_str(), row.errors)).collect::<Vec<_>>(),
        [("I01", "ui/names/i01_unknown_target", 1)]
    );
    assert_eq!(id_of("ui/names/i01_unknown_target").as_deref(), Some("I01"));
    assert_eq!(id_of("ui/names/interrupt_twice"), None);
    assert_eq!(errors_of("error: one\n help: x\n\nerror[E0425]: two\n"), 2);
}

/// The names of all tests of this package.
fn tests() -> BTreeSet<String> {
    tests_in(&[Path::new(env!("CARGO_MANIFEST_DIR")).to_owned()])
}

/// The names of all tests, those of the crates included.
fn all_tests() -> BTreeSet<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    tests_in(&["tests", "runtime/src", "macros/src", "layout/src", "cli/src"].map(|folder| root.join(folder)))
}

fn tests_in(folders: &[PathBuf]) -> BTreeSet<String> {
    fn look(folder: &Path, found: &mut BTreeSet<String>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() && !path.ends_with("compile") {
                look(&path, found);
            } else if path.extension().is_some_and(|ending| ending == "rs") {
                let text = fs::read_to_string(path).unwrap();
                let lines: Vec<&str> = text.lines().map(str::trim).collect();
                for pair in lines.windows(2).filter(|pair| pair[0].starts_with("#[test]") || pair[0].starts_with("#[tokio::test")) {
                    let name = pair[1].strip_prefix("async ").unwrap_or(pair[1]).strip_prefix("fn ");
                    found.extend(name.and_then(|name| name.split_once('(')).map(|(name, _)| name.to_owned()));
                }
            }
        }
    }
    let mut found = BTreeSet::new();
    folders.iter().for_each(|folder| look(folder, &mut found));
    found
}

/// What the tests are called by: `b01_b02_both` is one of `b01` and of `b02`.
fn numbers(tests: &BTreeSet<String>, digits: usize) -> BTreeSet<String> {
    let numbered = |word: &&str| word.len() > 2 && word.starts_with('b') && word[1..].bytes().all(|b| b.is_ascii_digit());
    let numbers = tests.iter().flat_map(|name| name.split('_').take_while(numbered));
    numbers.filter(|number| number.len() == digits + 1).map(str::to_owned).collect()
}

/// The ids of rows of `| 75 | `what shows it` | why |`. Panics if one names what is not there.
fn shown_elsewhere(table: &str, tests: &BTreeSet<String>) -> BTreeSet<String> {
    let mut ids = BTreeSet::new();
    for line in table.lines().filter(|line| line.starts_with("| ") && !line.starts_with("| ---")).skip(1) {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        let [_, id, shown, why, _] = cells[..] else { panic!("no row: {line}") };
        assert!(!why.is_empty() && ids.insert(id.to_owned()), "{line}");
        match shown.trim_matches('`') {
            path if path.contains('/') => {
                let stated = if path.starts_with("ui-pass/") { "rs" } else { "stderr" };
                assert!(Path::new(COMPILE).join(path).with_extension(stated).exists(), "there is no case {path}");
            }
            test => assert!(tests.contains(test), "there is no test {test}"),
        }
    }
    ids
}

#[test]
fn every_case_of_the_specification_is_shown() {
    let tests = tests();
    let numbered = numbers(&tests, 3);
    let rows = shown_elsewhere(include_str!("behaviour/CASES.md"), &tests);
    for number in 1..=110 {
        let (test, row) = (numbered.contains(&format!("b{number:03}")), rows.contains(&number.to_string()));
        assert!(test != row, "case {number} is {}", if test { "a test, and has a row" } else { "no test, and has no row" });
    }
}

/// The reports of the corpus; the others are kept back.
const REPORTS: &[u8] = &[
    1, 2, 4, 5, 7, 8, 10, 11, 13, 14, 16, 17, 19, 20, 22, 23, 25, 26, 28, 29, 31, 32, 34, 35, 37, 38, 40, 41, 43, 44, 46, 47, 49, 50, 52,
    53, 55, 56, 58, 59, 61, 62, 64, 65, 67, 68, 70, 71,
];

#[test]
fn every_report_of_a_fault_is_shown() {
    let tests = tests();
    let numbered = numbers(&tests, 2);
    let rows = shown_elsewhere(include_str!("harness/BUGS.md"), &tests);
    for number in REPORTS {
        let (test, row) = (numbered.contains(&format!("b{number:02}")), rows.contains(&format!("B{number:02}")));
        assert!(test != row, "B{number:02} is {}", if test { "a test, and has a row" } else { "no test, and has no row" });
    }
    for report in ["S1", "S2", "S4", "S5"] {
        assert!(rows.contains(report), "{report} has no row");
    }
}

/// What RELIABILITY asks for, by its names.
fn asked() -> BTreeSet<String> {
    [("T-S", 27), ("F", 60), ("G-", 29)].iter().flat_map(|(kind, count)| (1..=*count).map(move |n| format!("{kind}{n}"))).collect()
}

/// The ids of rows of `| F1 | `a_test`, `another` | why |`. Panics if one names what is not there, or names nothing and does not
/// say why.
fn shown_or_not_here(table: &str, tests: &BTreeSet<String>, suite: &BTreeSet<&str>) -> BTreeSet<String> {
    let mut ids = BTreeSet::new();
    for line in table.lines().filter(|line| line.starts_with("| ") && !line.starts_with("| ---")).skip(1) {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        let [_, id, shown, why, _] = cells[..] else { panic!("no row: {line}") };
        assert!(ids.insert(id.to_owned()), "{id} is there twice");
        if shown == "-" {
            assert!(why.starts_with("not here: "), "{id} is shown by nothing, and it is not said why");
            continue;
        }
        for name in shown.split(", ").map(|name| name.trim_matches('`')) {
            let is_there = match name {
                script if script.starts_with(".ci/") => Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(script).exists(),
                case if case.starts_with("ui/") => Path::new(COMPILE).join(case).with_extension("stderr").exists(),
                case if case.contains("::") => suite.contains(case),
                test => tests.contains(test),
            };
            assert!(is_there, "{id}: there is no test {name}");
        }
    }
    ids
}

#[test]
fn everything_that_reliability_asks_is_shown_or_said_to_be_missing() {
    let suite = graphwright::store::conformance::cases().iter().map(graphwright::store::conformance::Case::name).collect();
    let rows = shown_or_not_here(include_str!("RELIABILITY.md"), &all_tests(), &suite);
    assert_eq!(rows, asked(), "left: rows, right: what is asked");
}

#[test]
#[should_panic(expected = "F1: there is no test nothing_of_the_kind")]
fn a_row_of_reliability_that_names_nothing_is_noticed() {
    shown_or_not_here("| id | shown by | why |\n| --- | --- | --- |\n| F1 | `nothing_of_the_kind` | |", &tests(), &BTreeSet::new());
}

#[test]
#[should_panic(expected = "there is no test nothing_of_the_kind")]
fn a_row_that_names_nothing_is_noticed() {
    shown_elsewhere("| id | shown by | why |\n| --- | --- | --- |\n| B01 | `nothing_of_the_kind` | so |", &tests());
}

#[test]
fn every_id_has_a_case() {
    let expected: BTreeSet<String> =
        IDS.iter().flat_map(|(letter, numbers)| numbers.iter().map(move |n| format!("{letter}{n:02}"))).collect();
    let found: BTreeSet<String> = table().into_iter().map(|row| row.id).collect();
    assert_eq!(expected, found, "left: ids of the corpus, right: ids in CASES.md");
}

#[test]
fn the_table_and_the_files_are_the_same() {
    let mut files = BTreeSet::new();
    cases(Path::new(COMPILE), &mut files);
    let named: BTreeSet<String> = files.into_iter().filter(|case| id_of(case).is_some()).collect();
    let listed: BTreeSet<String> = table().into_iter().map(|row| row.case).collect();
    let apart: Vec<&String> = named.symmetric_difference(&listed).collect();
    assert!(apart.is_empty(), "either called by an id or in CASES.md, and not both: {apart:#?}");
    for row in table() {
        assert_eq!(id_of(&row.case), Some(row.id), "{}", row.case);
    }
}

#[test]
fn each_case_is_as_wrong_as_the_table_says() {
    for row in table() {
        let stderr: PathBuf = Path::new(COMPILE).join(&row.case).with_extension("stderr");
        match row.errors {
            0 => assert!(row.case.starts_with("ui-pass/"), "{} is accepted, but not in ui-pass/", row.case),
            errors => {
                let said = fs::read_to_string(&stderr).unwrap_or_else(|error| panic!("{}: {error}", stderr.display()));
                assert_eq!(errors_of(&said), errors, "{}", row.case);
            }
        }
    }
}

#[test]
fn what_must_compile_must_do_so_without_a_warning() {
    let mut files = BTreeSet::new();
    cases(&Path::new(COMPILE).join("ui-pass"), &mut files);
    assert!(files.len() >= 30, "{} cases", files.len());
    for case in files {
        let text = fs::read_to_string(Path::new(COMPILE).join(&case).with_extension("rs")).unwrap();
        assert!(text.lines().any(|line| line == "#![deny(warnings)]"), "{case} does not deny warnings");
    }
}
