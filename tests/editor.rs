//! What an editor makes of a graph: a real rust-analyzer on a small crate of ours.
//!
//! `RUST_ANALYZER=path cargo test -p graphwright-tests --test editor`; without the variable the one in the `PATH` is asked.
//! It is no part of the toolchain that everybody has: where there is none, the test says so and is over.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

#[path = "editor/laid.rs"]
mod laid;
#[path = "editor/server.rs"]
mod server;

use std::collections::BTreeSet;
use std::io::{Write, stderr};
use std::path::PathBuf;
use std::process::Command;
use std::{env, fs};

use serde_json::{Value, json};
use server::{Server, uri};

/// The program, or why there is none.
fn analyzer() -> Result<String, String> {
    let program = env::var("RUST_ANALYZER").unwrap_or_else(|_| "rust-analyzer".to_owned());
    match Command::new(&program).arg("--version").output() {
        Ok(output) if output.status.success() => Ok(program),
        // rustup's stand-in for a component that is not installed.
        Ok(output) => Err(format!("`{program}` is none: {}", String::from_utf8_lossy(&output.stderr).lines().next().unwrap_or_default())),
        Err(error) => Err(format!("`{program}`: {error}")),
    }
}

/// The crate in tests/editor/fixture, opened in an editor.
struct Editor {
    server: Server,
    root: PathBuf,
    version: u32,
}

/// What is asked about: a text of a file, with `^` where the cursor is, in the place of another.
struct Cursor {
    uri: String,
    at: Value,
}

impl Editor {
    fn open(program: &str) -> Self {
        let root = laid::lay("editor");
        let server = Server::start(program, &root, &root.join("target"));
        let mut editor = Self { server, root, version: 0 };
        for file in ["nodes.rs", "writer.rs"] {
            let text = editor.text(file);
            let document = json!({ "uri": editor.uri(file), "languageId": "rust", "version": 0, "text": text });
            editor.server.notify("textDocument/didOpen", &json!({ "textDocument": document }));
        }
        editor
    }

    fn uri(&self, file: &str) -> String {
        uri(&self.root.join("src").join(file))
    }

    /// As it is on the disk.
    fn text(&self, file: &str) -> String {
        fs::read_to_string(self.root.join("src").join(file)).unwrap()
    }

    /// Writes `typed` where `written` stands in the file; `^` in it is the cursor.
    fn cursor(&mut self, file: &str, written: &str, typed: &str) -> Cursor {
        let text = self.text(file);
        assert_eq!(text.matches(written).count(), 1, "`{written}` stands once in {file}");
        let text = text.replace(written, typed);
        let (before, _) = text.split_once('^').expect("a cursor");
        let (line, character) = (before.matches('\n').count(), before.rsplit('\n').next().unwrap_or_default().len());
        let uri = self.uri(file);
        self.version += 1;
        let changes = json!([{ "text": text.replace('^', "") }]);
        self.server.notify(
            "textDocument/didChange",
            &json!({ "textDocument": { "uri": uri, "version": self.version }, "contentChanges": changes }),
        );
        Cursor { uri, at: json!({ "line": line, "character": character }) }
    }

    fn ask(&mut self, method: &str, cursor: &Cursor, more: &[(&str, Value)]) -> Value {
        let mut params = json!({ "textDocument": { "uri": cursor.uri }, "position": cursor.at });
        more.iter().for_each(|(key, value)| params[*key] = value.clone());
        self.server.request(&format!("textDocument/{method}"), &params)
    }

    /// Where the word under the cursor is defined: `file: line`, each.
    fn definitions(&mut self, cursor: &Cursor) -> Vec<String> {
        let targets = self.ask("definition", cursor, &[]);
        let place = |target: &Value| self.line(target["uri"].as_str().unwrap(), &target["range"]);
        targets.as_array().into_iter().flatten().map(place).collect()
    }

    /// `file: line`, as it is on the disk.
    fn line(&self, uri: &str, range: &Value) -> String {
        let file = uri.rsplit('/').next().unwrap();
        let line = usize::try_from(range["start"]["line"].as_u64().unwrap()).unwrap();
        format!("{file}: {}", self.text(file).lines().nth(line).unwrap().trim())
    }

    /// The lines that a new name for the word under the cursor changes.
    fn renamed(&mut self, cursor: &Cursor) -> BTreeSet<String> {
        let edit = self.ask("rename", cursor, &[("newName", json!("another"))]);
        let files: Vec<(String, &Value)> = match (edit.get("changes"), edit.get("documentChanges")) {
            (Some(changes), _) => changes.as_object().unwrap().iter().map(|(uri, edits)| (uri.clone(), edits)).collect(),
            (None, changes) => {
                let changes = changes.and_then(Value::as_array).into_iter().flatten();
                changes.map(|change| (change["textDocument"]["uri"].as_str().unwrap().to_owned(), &change["edits"])).collect()
            }
        };
        let lines = files.iter().flat_map(|(uri, edits)| edits.as_array().unwrap().iter().map(|edit| self.line(uri, &edit["range"])));
        lines.collect()
    }

    fn completions(&mut self, cursor: &Cursor) -> BTreeSet<String> {
        let answer = self.ask("completion", cursor, &[]);
        let items = answer.get("items").unwrap_or(&answer).as_array().cloned().unwrap_or_default();
        items.iter().map(|item| item["label"].as_str().unwrap().to_owned()).collect()
    }

    fn hover(&mut self, cursor: &Cursor) -> String {
        self.ask("hover", cursor, &[])["contents"]["value"].as_str().unwrap_or_default().to_owned()
    }

    /// What is said against the file in which the cursor is.
    fn complaints(&mut self, cursor: &Cursor) -> Vec<String> {
        let answer = self.server.request("textDocument/diagnostic", &json!({ "textDocument": { "uri": cursor.uri } }));
        let items = answer["items"].as_array().cloned().unwrap_or_default();
        items.iter().map(|item| item["message"].as_str().unwrap().to_owned()).collect()
    }
}

const COMPOSE: &str = "nodes.rs: pub fn compose(letter: &Letter) -> NodeResult<Letter> {";
const RECITE: &str = "nodes.rs: pub fn recite(letter: &Letter) {";

#[test]
fn an_editor_follows_every_name_in_a_graph() {
    let program = match analyzer() {
        Ok(program) => program,
        Err(reason) => return writeln!(stderr(), "skipped: there is no rust-analyzer here: {reason}").unwrap(),
    };
    let editor = &mut Editor::open(&program);
    every_name_leads_to_one_place(editor);
    a_node_says_what_it_does(editor);
    a_new_name_goes_everywhere(editor);
    half_a_statement_is_completed(editor);
    nothing_is_said_against_what_is_right(editor);
}

fn every_name_leads_to_one_place(editor: &mut Editor) {
    for (written, typed, definition) in [
        ("start -> compose;", "start -> com^pose;", COMPOSE),
        ("compose -> match", "com^pose -> match", COMPOSE),
        ("compose at_most", "com^pose at_most", COMPOSE),
        ("else recite", "else rec^ite", RECITE),
        ("Good => recite", "Good => rec^ite", RECITE),
        ("recite -> end", "rec^ite -> end", RECITE),
        ("match verdict", "match ver^dict", "nodes.rs: pub fn verdict(letter: &Letter) -> Verdict {"),
        ("TooShort =>", "Too^Short =>", "nodes.rs: TooShort,"),
        ("Good =>", "Go^od =>", "nodes.rs: Good,"),
        ("pub Writer(Letter)", "pub Writer(Let^ter)", "nodes.rs: pub struct Letter {"),
    ] {
        let cursor = editor.cursor("writer.rs", written, typed);
        assert_eq!(editor.definitions(&cursor), [definition], "{typed}");
    }
    // Planted: two words of a macro at one place of the user's.
    let cursor = editor.cursor("writer.rs", "twice!(planted)", "twice!(pla^nted)");
    assert_eq!(editor.definitions(&cursor).len(), 2);
}

fn a_node_says_what_it_does(editor: &mut Editor) {
    let cursor = editor.cursor("writer.rs", "start -> compose;", "start -> com^pose;");
    let hover = editor.hover(&cursor);
    assert_eq!(hover.matches("Writes the letter, or writes on.").count(), 1, "{hover}");
    assert_eq!(hover.matches("fixture::nodes").count(), 1, "{hover}");
    let cursor = editor.cursor("writer.rs", "pub Writer", "pub Wri^ter");
    assert!(editor.hover(&cursor).contains("Writes until it is long enough."));
}

fn a_new_name_goes_everywhere(editor: &mut Editor) {
    let in_the_graph = [
        COMPOSE,
        "writer.rs: use crate::nodes::{Letter, compose, recite, verdict};",
        "writer.rs: start -> compose;",
        "writer.rs: compose -> match verdict {",
        "writer.rs: TooShort => compose at_most 8 else recite,",
    ];
    let in_the_graph = BTreeSet::from(in_the_graph.map(str::to_owned));
    // A node is a function and a type of one name, and the graph speaks of the type: calls of the function stay as they are,
    // and the compiler tells of them.
    let cursor = editor.cursor("writer.rs", "start -> compose;", "start -> com^pose;");
    assert_eq!(editor.renamed(&cursor), in_the_graph);
    // From where it is defined both are renamed.
    let cursor = editor.cursor("nodes.rs", "pub fn compose", "pub fn com^pose");
    let everywhere = &in_the_graph | &BTreeSet::from(["writer.rs: compose(&Letter::default()).is_ok()".to_owned()]);
    assert_eq!(editor.renamed(&cursor), everywhere);
    let cursor = editor.cursor("nodes.rs", "    TooShort,", "    Too^Short,");
    let arm = "writer.rs: TooShort => compose at_most 8 else recite,";
    assert!(editor.renamed(&cursor).contains(arm));
}

fn half_a_statement_is_completed(editor: &mut Editor) {
    for (written, typed) in [
        ("recite -> end;", "recite -> com^"),
        ("recite -> end;", "recite -> com^;"),
        ("recite -> end;", "recite -> ^;"),
        ("start -> compose;", "start -> com^"),
        ("TooShort => compose at_most 8 else recite,", "TooShort => com^"),
        ("TooShort => compose at_most 8 else recite,", "TooShort => ^,"),
        ("TooShort => compose at_most 8 else recite,", "TooShort => recite at_most 8 else com^,"),
        ("recite -> end;", "recite -> end; com^"),
    ] {
        let cursor = editor.cursor("writer.rs", written, typed);
        let completions = editor.completions(&cursor);
        assert!(completions.contains("compose"), "{typed}: {completions:?}");
        let ours: Vec<&String> = completions.iter().filter(|name| name.starts_with("__")).collect();
        assert!(ours.is_empty(), "{typed}: {ours:?}");
    }
    let cursor = editor.cursor("writer.rs", "start -> compose;", "start -> crate::nodes::re^;");
    let completions = editor.completions(&cursor);
    assert!(completions.contains("recite") && !completions.contains("Writer"), "{completions:?}");
}

fn nothing_is_said_against_what_is_right(editor: &mut Editor) {
    for (file, written, typed) in [("writer.rs", "recite -> end;", "recite -> end;^"), ("nodes.rs", "pub fn compose", "pub fn compose^")] {
        let cursor = editor.cursor(file, written, typed);
        assert_eq!(editor.complaints(&cursor), Vec::<String>::new(), "{file}");
    }
    let cursor = editor.cursor("writer.rs", "recite -> end;", "recite -> ;^");
    assert_eq!(editor.complaints(&cursor), ["this `->` leads nowhere [GW002]\nhelp: write a place behind it, or `end`, or `never`"]);
}
