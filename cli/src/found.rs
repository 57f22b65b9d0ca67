//! The graphs of a workspace, as they tell of themselves.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use graphwright::topology::Topology;
use graphwright::topology::told::{MARK, TEST, Told};

use crate::failure::Failure;
use crate::workspace::{Program, Selection, Workspace};

/// A graph.
#[derive(Debug)]
pub(crate) struct Found {
    /// The name of its type.
    pub(crate) name: String,
    /// The path of its module.
    pub(crate) module: String,
    pub(crate) package: String,
    /// Where the package is.
    pub(crate) folder: PathBuf,
    /// What may be meant.
    pub(crate) warnings: Vec<String>,
    pub(crate) topology: &'static Topology,
}

/// All graphs of a workspace that have one of these names, or all; in the order of packages, files and lines.
pub(crate) fn graphs(selection: &Selection, names: &[String]) -> Result<(Workspace, Vec<Found>), Failure> {
    let workspace = Workspace::around(selection)?;
    let mut found = Vec::new();
    for program in workspace.programs(selection)? {
        found.extend(ask(&program)?);
    }
    // A module may be part of a library and of a binary.
    let mut seen = BTreeSet::new();
    let key = |graph: &Found| (graph.package.clone(), graph.topology.file, graph.topology.line, graph.name.clone());
    found.retain(|graph| seen.insert(key(graph)));
    found.sort_by_cached_key(key);
    if let Some(name) = names.iter().find(|name| !found.iter().any(|graph| graph.is_called(name))) {
        return Err(Failure::NoName { name: name.clone(), known: known(&found) });
    }
    found.retain(|graph| names.is_empty() || names.iter().any(|name| graph.is_called(name)));
    if found.is_empty() {
        return Err(Failure::NoGraph);
    }
    Ok((workspace, found))
}

/// What there is instead.
fn known(found: &[Found]) -> String {
    const MOST: usize = 10;
    let mut names: Vec<String> = found.iter().take(MOST).map(Found::path).collect();
    match found.len().saturating_sub(MOST) {
        _ if names.is_empty() => names.push("no other".to_owned()),
        0 => {}
        more => names.push(format!("{more} more")),
    }
    names.join(", ")
}

impl Found {
    /// With its module: `shop::support::SupportAgent`.
    pub(crate) fn path(&self) -> String {
        format!("{}::{}", self.module, self.name)
    }

    /// By its name, or by the end of its path.
    fn is_called(&self, name: &str) -> bool {
        let path = self.path();
        path == name || path.strip_suffix(name).is_some_and(|module| module.ends_with("::"))
    }
}

/// Runs our tests in a program, and no others.
fn ask(program: &Program) -> Result<Vec<Found>, Failure> {
    let (path, folder) = (&program.path, program.package.folder());
    let mut command = Command::new(path);
    command.args([TEST, "--nocapture", "--test-threads=1"]).current_dir(&folder).env("CARGO_MANIFEST_DIR", &folder);
    let output = command.output().map_err(Failure::io(path.display().to_string()))?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr).trim().to_owned();
        return Err(Failure::Silent { program: path.clone(), status: output.status, said });
    }
    read(&String::from_utf8_lossy(&output.stdout), &program.package.name, &folder)
}

fn read(output: &str, package: &str, folder: &Path) -> Result<Vec<Found>, Failure> {
    let form = MARK.split('/').next().unwrap_or(MARK);
    let mut found = Vec::new();
    for line in output.lines().filter(|line| line.starts_with(form)) {
        let told: Told = serde_json::from_str(line.strip_prefix(MARK).ok_or(Failure::Version)?).map_err(Failure::Told)?;
        found.push(Found {
            topology: told.topology.leak()?,
            name: told.name,
            module: told.module,
            warnings: told.warnings,
            package: package.to_owned(),
            folder: folder.to_owned(),
        });
    }
    Ok(found)
}
