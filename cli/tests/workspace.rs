//! The command in somebody's workspace: several packages, binaries, examples, tests of all kinds, and packages without any
//! graph.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, missing_docs)]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

const REPOSITORY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");

/// Always at the same place, so that what was built once is built once.
struct Workspace(PathBuf);

impl Workspace {
    fn write(name: &str, files: &[(&str, &str)]) -> Self {
        let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        let _ = fs::remove_dir_all(&root);
        for (path, text) in files {
            let path = root.join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text.replace("REPOSITORY", REPOSITORY)).unwrap();
        }
        // The versions that are here already.
        fs::copy(Path::new(REPOSITORY).join("Cargo.lock"), root.join("Cargo.lock")).unwrap();
        Self(root)
    }

    fn run(&self, words: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_cargo-graphwright"));
        command.arg("graphwright").args(words).arg("--offline").current_dir(&self.0);
        command.env("CARGO_TARGET_DIR", Path::new(env!("CARGO_TARGET_TMPDIR")).join("built"));
        command.output().unwrap()
    }

    #[track_caller]
    fn say(&self, words: &[&str]) -> String {
        let output = self.run(words);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    }

    fn read(&self, path: &str) -> String {
        fs::read_to_string(self.0.join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
    }

    fn files(&self) -> BTreeSet<PathBuf> {
        fn walk(folder: &Path, files: &mut BTreeSet<PathBuf>) {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() { walk(&path, files) } else { files.extend([path]) }
            }
        }
        let mut files = BTreeSet::new();
        walk(&self.0, &mut files);
        files
    }
}

const ROOT: &str = "[workspace]\nmembers = [\"agents\", \"plain\"]\nresolver = \"3\"\n";

const AGENTS: &str = r#"
[package]
name = "agents"
version = "0.1.0"
edition = "2024"

[features]
night = []

[dependencies]
renamed = { package = "graphwright", path = "REPOSITORY/runtime" }
serde = { version = "1", features = ["derive"] }

[[test]]
name = "wild"
path = "tests/wild.rs"
harness = false
"#;

fn ours() -> &'static Workspace {
    static OURS: OnceLock<Workspace> = OnceLock::new();
    OURS.get_or_init(|| {
        let nodes = include_str!("workspace/nodes.rs");
        let with = |graphs: &str| format!("{nodes}\n{graphs}");
        let files = [
            ("Cargo.toml", ROOT.to_owned()),
            ("agents/Cargo.toml", AGENTS.to_owned()),
            ("agents/src/lib.rs", include_str!("workspace/lib.rs").to_owned()),
            ("agents/src/nodes.rs", nodes.to_owned()),
            (
                "agents/src/bin/tool.rs",
                with("renamed::graph! { Tool(Mail) { start -> read -> end; } }\nfn main() { panic!(\"it was run\") }"),
            ),
            (
                "agents/examples/demo.rs",
                with("renamed::graph! { Demo(Mail) { start -> read -> end; } }\nfn main() { panic!(\"it was run\") }"),
            ),
            // It does what it likes when it is run, and so it is not; its graph is not found.
            (
                "agents/tests/wild.rs",
                with("renamed::graph! { Wild(Mail) { start -> read -> end; } }\nfn main() { std::fs::write(\"wild\", \"\").unwrap() }"),
            ),
            (
                "agents/tests/tame.rs",
                with("renamed::graph! { InTest(Mail) { start -> read -> end; } }\n#[test]\nfn another() { panic!(\"it was run\") }"),
            ),
            ("plain/Cargo.toml", "[package]\nname = \"plain\"\nversion = \"0.1.0\"\nedition = \"2024\"\n".to_owned()),
            ("plain/src/main.rs", "fn main() {}\n#[test]\nfn nobody_asks_for_it() { panic!(\"it was run\") }\n".to_owned()),
        ];
        let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (*path, text.as_str())).collect();
        Workspace::write("ours", &files)
    })
}

#[test]
fn check_tells_every_graph() {
    let told = ours().say(&["check"]);
    assert_eq!(told, include_str!("workspace/check.txt"));
    let page = fs::read_to_string(Path::new(REPOSITORY).join("book/src/command_line.md")).unwrap();
    assert!(page.contains(&told), "the book shows it");
    // Of integration tests only if it is wanted, and none of them is run.
    let with_tests = ours().say(&["check", "--tests", "-p", "agents", "--features", "night"]);
    assert!(with_tests.contains("tame::InTest  agents/tests/tame.rs:"), "{with_tests}");
    assert!(with_tests.contains("agents::night::Late  agents/src/lib.rs:"), "{with_tests}");
    assert!(with_tests.ends_with("10 graphs, 1 warning\n"), "{with_tests}");
    assert!(!ours().0.join("agents/wild").exists() && !ours().0.join("wild").exists());
    assert_eq!(ours().run(&["check", "--strict"]).status.code(), Some(1));
}

#[test]
fn diagrams_are_written_and_found_to_be_stale() {
    let before = ours().files();
    let said = ours().say(&["diagram", "--format", "svg,mermaid,state,dot,text,ascii,json", "--out", "docs/graphs", "--depth", "1"]);
    assert_eq!(said.lines().count(), 7 * 8, "{said}");
    assert!(said.lines().all(|line| line.starts_with("drawn: agents/docs/graphs/")), "{said}");
    let after = ours().files();
    let new: BTreeSet<String> = after.difference(&before).map(|path| path.strip_prefix(&ours().0).unwrap().display().to_string()).collect();
    assert_eq!(new.len(), 7 * 8, "what is written is what is told: {new:?}");
    let svg = ours().read("agents/docs/graphs/Inbox.svg");
    assert!(svg.starts_with("<svg ") && svg.contains("Reads what has come."), "{svg}");
    assert!(ours().read("agents/docs/graphs/Inbox.json").contains("\"nodes\""));
    // Two of one name are called by their paths.
    for (file, text) in [("agents.desk.Desk.mmd", "read"), ("agents.night_desk.Desk.mmd", "answer")] {
        assert!(ours().read(&format!("agents/docs/graphs/{file}")).contains(text), "{file}");
    }

    let check = ["diagram", "--check", "--out", "docs/graphs", "--format", "svg,mermaid", "--depth", "1"];
    assert_eq!(ours().say(&check), "");
    let (stale, missing) = ("agents/docs/graphs/Tool.svg", "agents/docs/graphs/Demo.mmd");
    fs::write(ours().0.join(stale), "<svg/>").unwrap();
    fs::remove_file(ours().0.join(missing)).unwrap();
    // As git writes it on Windows.
    let mermaid = "agents/docs/graphs/Tool.mmd";
    fs::write(ours().0.join(mermaid), ours().read(mermaid).replace('\n', "\r\n")).unwrap();
    let output = ours().run(&check);
    assert_eq!(output.status.code(), Some(1));
    let told: BTreeSet<String> = String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned).collect();
    assert_eq!(told, BTreeSet::from([format!("stale: {stale}"), format!("missing: {missing}")]));
    assert!(ours().read(stale).starts_with("<svg/>"), "a check writes nothing");
    let mended = ours().say(&["diagram", "Tool", "demo::Demo", "--out", "docs/graphs", "--format", "svg,mermaid", "--depth", "1"]);
    assert!(mended.contains(&format!("drawn: {stale}\n")) && mended.contains(&format!("drawn: {missing}\n")), "{mended}");
    assert_eq!(ours().say(&check), "");

    // A graph was called otherwise when this was drawn; the other picture is somebody's own.
    let renamed = "agents/docs/graphs/OldTool.svg";
    fs::copy(ours().0.join(stale), ours().0.join(renamed)).unwrap();
    fs::write(ours().0.join("agents/docs/graphs/logo.svg"), "<svg/>").unwrap();
    let output = ours().run(&check);
    assert_eq!((output.status.code(), String::from_utf8(output.stdout).unwrap()), (Some(1), format!("of no graph: {renamed}\n")));
    assert!(String::from_utf8(output.stderr).unwrap().contains("delete what is of no graph"));
    fs::remove_dir_all(ours().0.join("agents/docs")).unwrap();
    assert_eq!(ours().files(), before, "nothing else is left behind");
}

#[test]
fn one_graph_is_printed() {
    let text = ours().say(&["diagram", "desk::Desk", "--print", "--format", "text"]);
    assert!(text.contains("read") && text.contains('│') && !text.contains("answer"), "{text}");
    assert!(!text.contains("Desk"), "{text}");
    // Of several it is told which is which.
    let text = ours().say(&["diagram", "Desk", "--print", "--format", "text"]);
    let named: Vec<&str> = text.lines().filter(|line| line.contains("Desk")).collect();
    assert_eq!(named, ["agents::desk::Desk", "agents::night_desk::Desk"]);
}

/// A macro may give names that a file system takes for one.
#[test]
fn graphs_whose_names_differ_in_case_have_files_of_their_own() {
    let nodes = include_str!("workspace/nodes.rs").replace("#![deny(warnings)]", "#![allow(non_camel_case_types)]");
    let graphs = ["Desk", "DESK", "desk"].map(|name| format!("renamed::graph! {{ {name}(Mail) {{ start -> read -> end; }} }}\n"));
    let (manifest, library) =
        (format!("{}\n[workspace]\n", AGENTS.replace("\"agents\"", "\"case\"")), format!("{nodes}\n{}", graphs.concat()));
    let files = [
        // What is built of two workspaces lies in one folder: so the package is called otherwise.
        ("Cargo.toml", manifest.as_str()),
        ("src/lib.rs", &library),
        ("tests/wild.rs", "fn main() {}"),
    ];
    let workspace = Workspace::write("case", &files);
    let said = workspace.say(&["diagram", "--format", "mermaid"]);
    let files: BTreeSet<String> = said.lines().map(str::to_lowercase).collect();
    assert_eq!((said.lines().count(), files.len()), (3, 3), "{said}");
    assert_eq!(workspace.say(&["diagram", "--format", "mermaid", "--check"]), "");
}

#[test]
fn a_graph_that_is_not_there_is_told() {
    // It stands in a function.
    for name in ["Local", "sk", "read"] {
        let output = ours().run(&["diagram", name, "--print"]);
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(
            said.contains(&format!("error: no graph is found that is called `{name}`; one that stands in a function is never found")),
            "{said}"
        );
        assert!(said.contains("there is: demo::Demo, tool::Tool, agents::Inbox, ") && said.contains("agents::desk::Desk"), "{said}");
        assert_eq!((output.status.code(), output.stdout.len()), (Some(1), 0));
    }
    let output = ours().run(&["check", "-p", "plain"]);
    assert!(String::from_utf8(output.stderr).unwrap().contains("error: no graph is found; "));
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn what_does_not_compile_is_said_by_cargo() {
    let nodes = include_str!("workspace/nodes.rs");
    let wrong = format!("{nodes}\nrenamed::graph! {{ Wrong(Mail) {{ start -> read; }} }}\n");
    let files = [
        ("Cargo.toml", "[workspace]\nmembers = [\"agents\"]\nresolver = \"3\"\n"),
        ("agents/Cargo.toml", AGENTS),
        ("agents/src/lib.rs", &wrong),
    ];
    let broken = Workspace::write("broken", &files);
    fs::create_dir_all(broken.0.join("agents/tests")).unwrap();
    fs::write(broken.0.join("agents/tests/wild.rs"), "fn main() {}").unwrap();
    let before = broken.files();
    for words in [["check"].as_slice(), &["diagram", "--check"]] {
        let output = broken.run(words);
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(said.contains("[GW043]") && said.contains("could not compile `agents`"), "{said}");
        assert!(!said.contains("error: cargo"), "cargo has said it: {said}");
        assert_eq!((output.status.code(), output.stdout.len()), (Some(101), 0));
    }
    let output = Workspace::write("none", &[("Cargo.toml", "[nothing]\n")]).run(&["check"]);
    assert!(String::from_utf8(output.stderr).unwrap().contains("Cargo.toml"));
    assert_eq!(output.status.code(), Some(101));
    assert_eq!(broken.files(), before);
}

#[test]
fn a_code_is_explained() {
    let explain =
        |code: &str| Command::new(env!("CARGO_BIN_EXE_cargo-graphwright")).args(["graphwright", "explain", code]).output().unwrap();
    let page = fs::read_to_string(Path::new(REPOSITORY).join("book/src/diagnostics/GW031.md")).unwrap();
    assert_eq!(String::from_utf8(explain("gw031").stdout).unwrap(), page);
    let none = explain("GW999");
    assert_eq!(none.status.code(), Some(1));
    let said = String::from_utf8(none.stderr).unwrap();
    assert_eq!(said, "error: there is no diagnostic `GW999`: the codes are GW001 to GW096, and some of these numbers are not given\n");
    // What stands at the beginning of the same line.
    let said = String::from_utf8(explain("E0080").stderr).unwrap();
    assert!(said.contains("`rustc --explain E0080`"), "{said}");
}
