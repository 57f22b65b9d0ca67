//! The support agent as a user runs it: processes, files, exit codes. Part of the package `graphwright-examples`, so that
//! `cargo test` has built the example before.
#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};
use std::thread::sleep;
use std::time::Duration;

use serde_json::Value;

const MUG: &str = "My blue mug arrived broken, please refund it";
const LAMP: &str = "The brass floor lamp arrived broken, I want my money back";

/// The example, built by the same `cargo test`.
fn agent() -> PathBuf {
    let test = std::env::current_exe().unwrap();
    let built = test.ancestors().nth(2).unwrap().join("examples/support");
    assert!(built.exists(), "{} is missing: run `cargo test -p graphwright-examples`, which builds it", built.display());
    built
}

/// A folder with a database of its own.
struct Desk(PathBuf);

impl Desk {
    fn new(name: &str) -> Self {
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("support-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        Self(folder)
    }

    fn command(&self, thread: &str, arguments: &[&str]) -> Command {
        let mut command = Command::new(agent());
        command.current_dir(&self.0).args(["--thread", thread]).args(arguments);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    fn run(&self, thread: &str, arguments: &[&str]) -> Told {
        Told::from(self.command(thread, arguments).output().unwrap())
    }

    fn start(&self, thread: &str, arguments: &[&str]) -> Running {
        Running(self.command(thread, arguments).stdin(Stdio::piped()).spawn().unwrap())
    }

    /// What was paid: one receipt per order.
    fn receipts(&self) -> Vec<Value> {
        let mut names: Vec<_> = fs::read_dir(self.0.join("support.refunds")).unwrap().map(|entry| entry.unwrap().path()).collect();
        names.retain(|name| name.extension().is_some_and(|ending| ending == "json"));
        names.sort();
        names.iter().map(|name| serde_json::from_slice(&fs::read(name).unwrap()).unwrap()).collect()
    }
}

impl Drop for Desk {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// A process that is killed when the test is done with it, whatever comes.
struct Running(Child);

impl Running {
    /// Reads until a line holds `text`.
    fn wait_for(&mut self, text: &str) {
        let lines = BufReader::new(self.0.stdout.as_mut().unwrap()).lines();
        let seen: Vec<String> = lines.map(Result::unwrap).take_while(|line| !line.contains(text)).collect();
        if let Some(status) = self.0.try_wait().unwrap() {
            let mut stderr = String::new();
            self.0.stderr.as_mut().unwrap().read_to_string(&mut stderr).unwrap();
            panic!("it ended with {status} before it said {text:?}\n{}\n{stderr}", seen.join("\n"));
        }
    }

    /// Waits until the bank has the order and takes its time.
    fn wait_for_receipt(&mut self, desk: &Desk, order: &str) {
        let receipt = desk.0.join("support.refunds").join(format!("{order}.json"));
        while !receipt.exists() {
            assert!(self.0.try_wait().unwrap().is_none(), "it ended before it paid");
            sleep(Duration::from_millis(5));
        }
    }

    /// `kill -9`.
    fn kill(mut self) {
        self.0.kill().unwrap();
        self.0.wait().unwrap();
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// What a process said, and how it ended.
#[derive(Debug)]
struct Told {
    code: Option<i32>,
    out: String,
    err: String,
}

impl From<Output> for Told {
    fn from(output: Output) -> Self {
        let text = |bytes| String::from_utf8(bytes).unwrap();
        Self { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
    }
}

impl Told {
    /// It ended with this code and said this, on whichever of the two.
    #[track_caller]
    fn expect(self, code: i32, said: &str) -> Self {
        assert_eq!(self.code, Some(code), "{self:#?}");
        assert!(self.out.contains(said) || self.err.contains(said), "nobody said {said:?}: {self:#?}");
        self
    }
}

#[test]
fn a_turn_that_needs_nobody() {
    let desk = Desk::new("plain");
    desk.run("a", &["--ask", "Where is order K-1008?"])
        .expect(0, "agent: Order K-1008 (1 × Stoneware teapot, Anna Morena, ordered 2026-03-01) is on its way.");
    desk.run("a", &["--ask", "And my elephant?"]).expect(0, "I cannot find that order");
    assert_eq!(desk.receipts(), [] as [Value; 0]);
}

#[test]
fn it_says_what_kind_of_model_it_has() {
    Desk::new("honest").run("a", &["--ask", "hello"]).expect(0, "a scripted model");
}

#[test]
fn it_asks_when_more_than_one_order_fits() {
    let desk = Desk::new("asks");
    let told = desk.run("a", &["--ask", MUG]).expect(3, "? Which order is it?");
    assert!(told.out.contains("  1) K-1001") && told.out.contains("  2) K-1003"), "{told:#?}");
    assert!(desk.receipts().is_empty());
    desk.run("a", &["--answer", "1"]).expect(0, "€37.00 for order K-1001 are on their way back to you.");
    assert_eq!(desk.receipts()[0]["cents"], 3700);
}

#[test]
fn an_answer_may_be_in_words_of_ones_own() {
    let desk = Desk::new("words");
    desk.run("a", &["--ask", "I want a refund for a mug"]).expect(3, "? Which order is it?");
    desk.run("a", &["--answer", r#""K-1002""#]).expect(3, "? What is wrong with it?");
    desk.run("a", &["--answer", "3"]).expect(0, "€14.80 for order K-1002");
}

#[test]
fn a_customer_may_go_away_without_an_answer() {
    let desk = Desk::new("away");
    desk.run("a", &["--ask", MUG]).expect(3, "?");
    desk.run("a", &["--answer", "null"]).expect(0, "I leave it as it is");
    desk.run("a", &["--ask", "Where is order K-1001?"]).expect(0, "delivered");
}

#[test]
fn a_manager_decides_above_the_limit() {
    let desk = Desk::new("manager");
    desk.run("a", &["--ask", LAMP]).expect(3, "? For a manager: may this be paid back? €249.00 for order K-1009");
    desk.run("a", &["--answer", r#"{"refuse": {"why": "not today"}}"#]).expect(0, "not today");
    assert!(desk.receipts().is_empty());
    desk.run("b", &["--ask", LAMP]).expect(3, "For a manager");
    desk.run("b", &["--answer", r#"{"refuse": {"why": "too late"}}"#]).expect(0, "too late");
    assert!(desk.receipts().is_empty());
    desk.run("c", &["--ask", LAMP]).expect(3, "For a manager");
    desk.run("c", &["--answer", "\"approve\""]).expect(0, "€249.00 for order K-1009");
    assert_eq!(desk.receipts().len(), 1);
    desk.run("d", &["--ask", LAMP, "--limit", "300"]).expect(0, "order K-1009 was paid back before");
}

#[test]
fn it_starts_again_after_a_kill_while_it_waits() {
    let desk = Desk::new("kill-waiting");
    let mut first = desk.start("a", &[]);
    use std::io::Write;
    writeln!(first.0.stdin.as_mut().unwrap(), "{MUG}").unwrap();
    first.wait_for("  2) K-1003");
    first.kill();
    // The question is put again, and is the same.
    desk.run("a", &[]).expect(3, "? Which order is it?");
    desk.run("a", &["--answer", "2"]).expect(0, "€74.00 for order K-1003");
    assert_eq!(desk.receipts().len(), 1);
}

#[test]
fn it_pays_once_although_it_was_killed_while_it_paid() {
    let desk = Desk::new("kill-paying");
    desk.run("a", &["--ask", MUG]).expect(3, "?");
    let mut second = desk.start("a", &["--answer", "1", "--slow-bank", "600000"]);
    second.wait_for_receipt(&desk, "K-1001");
    second.kill();
    let paid = desk.receipts();
    // It goes on where it was: nobody is asked again, and the same refund is not a second one.
    let told = desk.run("a", &[]).expect(0, "€37.00 for order K-1001 are on their way back to you.");
    assert!(!told.out.contains('?'), "{told:#?}");
    assert_eq!(desk.receipts(), paid);
    // The turn is over.
    desk.run("a", &["--answer", "1"]).expect(4, "no such question");
}

#[test]
fn what_was_left_behind_is_finished_before_the_next_turn() {
    let desk = Desk::new("kill-ask");
    let mut first = desk.start("a", &["--ask", "Order K-1002 arrived broken, refund it", "--slow-bank", "600000"]);
    first.wait_for_receipt(&desk, "K-1002");
    first.kill();
    let told = desk.run("a", &["--ask", "Where is order K-1016?"]).expect(0, "on its way.");
    assert!(told.out.contains("€18.50 for order K-1002"), "{told:#?}");
}

#[test]
fn a_bad_answer_changes_nothing() {
    let desk = Desk::new("bad");
    desk.run("a", &["--ask", MUG]).expect(3, "?");
    let long = format!("\"{}\"", "x".repeat(1001));
    for (answer, why) in [
        ("9", "numbered from 1 to 2"),
        ("0", "a number of the menu"),
        ("{", "it is not JSON"),
        ("[1, 2]", "one selection"),
        ("\"\"", "answer"),
        (&long, "1000"),
    ] {
        let told = desk.run("a", &["--answer", answer]).expect(4, "error: ");
        assert!(told.err.contains(why), "{answer}: {told:#?}");
    }
    desk.run("a", &["--answer", "1"]).expect(0, "K-1001");
}

#[test]
fn a_manager_must_answer_what_was_asked() {
    let desk = Desk::new("bad-manager");
    desk.run("a", &["--ask", LAMP]).expect(3, "For a manager");
    for answer in ["1", "3", "\"yes\"", "{\"refuse\": 1}", "[1, 2]", "true"] {
        desk.run("a", &["--answer", answer]).expect(4, "error: ");
    }
    assert!(desk.receipts().is_empty());
}

#[test]
fn there_must_be_something_to_answer() {
    let desk = Desk::new("nothing");
    desk.run("never-seen", &["--answer", "1"]).expect(4, "there is no such question");
}

#[test]
fn a_new_turn_does_not_throw_a_question_away() {
    let desk = Desk::new("open");
    desk.run("a", &["--ask", MUG]).expect(3, "?");
    desk.run("a", &["--ask", "Where is order K-1008?"]).expect(3, "? Which order is it?");
    desk.run("a", &["--answer", "1"]).expect(0, "K-1001");
}

#[test]
fn a_wrong_command_line_is_told_from_a_failure() {
    let desk = Desk::new("usage");
    desk.run("a", &["--no-such-option"]).expect(2, "--no-such-option");
    desk.run("a", &["--ask", "hello", "--answer", "1"]).expect(2, "cannot be used with");
    desk.run("a\nb", &["--ask", "hello"]).expect(2, "error: ");
    desk.run(&"a".repeat(256), &["--ask", "hello"]).expect(2, "error: ");
    desk.run("a", &["--help"]).expect(0, "Exit codes:");
}

#[test]
fn one_thread_has_one_run_and_others_go_on() {
    let desk = Desk::new("busy");
    let mut first = desk.start("a", &["--ask", "Order K-1002 arrived broken, refund it", "--slow-bank", "600000"]);
    first.wait_for_receipt(&desk, "K-1002");
    desk.run("a", &["--ask", "Where is order K-1008?"]).expect(5, "somebody else works");
    desk.run("b", &["--ask", "Where is order K-1008?"]).expect(0, "on its way");
    first.kill();
    assert_eq!(desk.receipts().len(), 1);
}

#[test]
fn of_two_answers_at_once_one_is_taken() {
    let desk = Desk::new("race");
    desk.run("a", &["--ask", MUG]).expect(3, "?");
    let both = ["1", "2"].map(|answer| desk.command("a", &["--answer", answer]).spawn().unwrap());
    let mut codes = both.map(|child| Told::from(child.wait_with_output().unwrap()).code.unwrap());
    codes.sort_unstable();
    assert_eq!(codes[0], 0);
    assert!(matches!(codes[1], 4 | 5), "{codes:?}");
    assert_eq!(desk.receipts().len(), 1);
}

#[test]
fn output_is_plain_where_nobody_looks_at_it() {
    let desk = Desk::new("plain-output");
    for told in [desk.run("a", &["--ask", MUG]), desk.run("a", &["--answer", "1"])] {
        assert!(!told.out.contains('\u{1b}') && !told.out.contains('\r'), "{told:#?}");
        assert!(told.err.is_empty(), "{told:#?}");
    }
}

#[test]
fn the_graph_can_be_drawn() {
    let desk = Desk::new("diagram");
    let mermaid = desk.run("a", &["--diagram", "mermaid"]).expect(0, "flowchart");
    assert!(mermaid.out.contains("ask_user_pending"), "{mermaid:#?}");
    let json: Value = serde_json::from_str(&desk.run("a", &["--diagram", "json"]).expect(0, "SupportAgent").out).unwrap();
    assert_eq!(json["name"], "SupportAgent");
}

/// The story of the README, by a shell, as it stands there.
#[test]
fn the_readme_tells_what_happens() {
    use std::os::unix::fs::PermissionsExt;
    let readme = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../README.md")).unwrap();
    let story = readme.split("```console\n").skip(1).map(|rest| rest.split("```").next().unwrap()).find(|block| block.contains("kill -9"));
    let (commands, told): (Vec<&str>, Vec<&str>) = story.expect("a story with kill -9").lines().partition(|line| line.starts_with("$ "));
    let desk = Desk::new("readme");
    let program = |name: &str, script: &str| {
        let path = desk.0.join("bin").join(name);
        fs::write(&path, format!("#!/bin/sh\n{script}\n")).unwrap();
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
    };
    fs::create_dir(desk.0.join("bin")).unwrap();
    program("cargo", r#"[ "$1 $2 $3 $4" = "run -q --example support" ] || exit 99; shift 4; [ "$1" = "--" ] && shift; exec "$AGENT" "$@""#);
    // Nobody waits for a time here, but for what should have happened by then.
    program("sleep", "while [ ! -e support.refunds/K-1001.json ]; do /bin/sleep 0.01; done");
    let path = format!("{}:{}", desk.0.join("bin").display(), std::env::var("PATH").unwrap());
    let script = commands.iter().map(|command| &command[2..]).collect::<Vec<_>>().join("\n");
    let output = Command::new("sh").args(["-c", &script]).current_dir(&desk.0).env("PATH", path).env("AGENT", agent()).output().unwrap();
    assert_eq!(
        String::from_utf8(output.stdout).unwrap().trim_end(),
        told.join("\n").trim_end(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
}
