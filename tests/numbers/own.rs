//! What every crate of ours forbids itself, and what none of them uses.

use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

/// Every manifest that the repository has, but for what is built.
fn manifests(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if path.is_dir() && name != "target" && !name.starts_with('.') {
            manifests(&path, found);
        } else if name == "Cargo.toml" {
            found.push(path);
        }
    }
}

/// The lines of a table of a manifest.
fn table<'m>(manifest: &'m str, name: &str) -> Vec<&'m str> {
    let lines = manifest.lines().map(str::trim).skip_while(|line| *line != format!("[{name}]")).skip(1);
    lines.take_while(|line| !line.starts_with('[')).collect()
}

/// Whether a crate may not use `unsafe`: by itself, or as the workspace says.
fn forbids_unsafe(manifest: &str, workspace: &str) -> bool {
    let says = |manifest: &str, name: &str, line: &str| table(manifest, name).contains(&line);
    says(manifest, "lints.rust", "unsafe_code = \"forbid\"")
        || (says(manifest, "lints", "workspace = true") && says(workspace, "workspace.lints.rust", "unsafe_code = \"forbid\""))
}

#[test]
fn no_crate_of_ours_may_be_unsafe() {
    let workspace = std::fs::read_to_string(root().join("Cargo.toml")).unwrap();
    let mut found = Vec::new();
    manifests(&root(), &mut found);
    let mut crates = 0;
    for path in found {
        let manifest = std::fs::read_to_string(&path).unwrap();
        if manifest.contains("[package]") {
            assert!(forbids_unsafe(&manifest, &workspace), "{} does not forbid unsafe code", path.display());
            crates += 1;
        }
    }
    println!("{crates} crates forbid unsafe code");
    assert!(crates >= 8, "{crates}");
}

#[test]
fn a_crate_that_forgets_it_is_caught() {
    let workspace = "[workspace.lints.rust]\nunsafe_code = \"forbid\"\n";
    assert!(forbids_unsafe("[package]\n[lints]\nworkspace = true\n", workspace));
    assert!(forbids_unsafe("[package]\n[lints.rust]\nunsafe_code = \"forbid\"\n", ""));
    for (manifest, workspace) in [
        ("[package]\n", workspace),
        ("[package]\n[lints]\nworkspace = true\n", "[workspace.lints.rust]\nunsafe_code = \"warn\"\n"),
        ("[package]\n[lints.rust]\nunsafe_code = \"deny\"\n", workspace),
        ("[package]\n[lints]\n[dependencies]\nworkspace = true\n", workspace),
    ] {
        assert!(!forbids_unsafe(manifest, workspace), "{manifest}");
    }
}

/// T-S27: what nobody reads must not grow.
#[test]
fn no_channel_is_without_a_bound() {
    fn look(folder: &Path, seen: &mut usize) {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                look(&path, seen);
            } else if path.extension().is_some_and(|ending| ending == "rs") {
                *seen += 1;
                let text = std::fs::read_to_string(&path).unwrap();
                let line = text.lines().find(|line| line.contains("unbounded_channel") || line.contains("unbounded()"));
                assert!(line.is_none(), "{}: {line:?}", path.display());
            }
        }
    }
    let mut seen = 0;
    look(&root().join("runtime/src"), &mut seen);
    assert!(seen > 150, "{seen} files");
}
