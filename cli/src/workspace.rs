//! The workspace: what is in it, and the programs that know its graphs.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::io::{self, BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Command, Stdio};

use graphwright::topology::told::TEST;
use memchr::memmem;
use serde::Deserialize;

use crate::compiler;
use crate::failure::{Failure, code};

/// Which part of a workspace is looked at, as cargo is told.
#[derive(Debug, Default, clap::Args)]
pub(crate) struct Selection {
    /// Only this package; may stand several times
    #[arg(short, long, value_name = "NAME")]
    package: Vec<String>,

    /// Look for graphs in integration tests, too
    #[arg(long)]
    tests: bool,

    /// Features of the packages, separated by commas
    #[arg(short = 'F', long, value_name = "FEATURES")]
    features: Vec<String>,

    /// All features of the packages
    #[arg(long)]
    all_features: bool,

    /// Not the default features
    #[arg(long)]
    no_default_features: bool,

    /// The Cargo.toml, if it is not found from here
    #[arg(long, value_name = "PATH")]
    manifest_path: Option<PathBuf>,

    /// Cargo.lock has to be up to date
    #[arg(long)]
    locked: bool,

    /// Do not go on the network
    #[arg(long)]
    offline: bool,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Workspace {
    packages: Vec<Package>,
    workspace_members: Vec<String>,
    target_directory: PathBuf,
    workspace_root: PathBuf,
}

/// A package of it.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Package {
    id: String,
    pub(crate) name: String,
    manifest_path: PathBuf,
    targets: Vec<Target>,
}

#[derive(Clone, Debug, Deserialize)]
struct Target {
    kind: Vec<String>,
}

/// A line of what cargo says while it builds.
#[derive(Debug, Deserialize)]
struct Message {
    package_id: Option<String>,
    executable: Option<PathBuf>,
}

/// A program that tells its graphs.
#[derive(Debug)]
pub(crate) struct Program {
    pub(crate) path: PathBuf,
    pub(crate) package: Package,
}

impl Package {
    pub(crate) fn folder(&self) -> PathBuf {
        self.manifest_path.parent().map(PathBuf::from).unwrap_or_default()
    }

    fn has_library(&self) -> bool {
        let is_library = |kind: &String| kind == "proc-macro" || kind.ends_with("lib");
        self.targets.iter().any(|target| target.kind.iter().any(is_library))
    }
}

impl Workspace {
    /// Asks cargo.
    pub(crate) fn around(selection: &Selection) -> Result<Self, Failure> {
        let mut cargo = cargo();
        cargo.args(["metadata", "--no-deps", "--format-version", "1"]).args(selection.of_cargo());
        let output = cargo.stderr(Stdio::inherit()).output().map_err(Failure::io("cargo"))?;
        if !output.status.success() {
            return Err(Failure::Cargo(code(output.status)));
        }
        serde_json::from_slice(&output.stdout).map_err(Failure::Metadata)
    }

    pub(crate) fn root(&self) -> &PathBuf {
        &self.workspace_root
    }

    /// Builds the tests, with those that `graph!` writes for us in them, and gives the programs that have some.
    ///
    /// In a folder of its own: cargo does not know that `graph!` looks for a variable. Cargo runs none of them, for a test
    /// without a harness does what it likes.
    pub(crate) fn programs(&self, selection: &Selection) -> Result<Vec<Program>, Failure> {
        let mut cargo = cargo();
        cargo.args(["test", "--no-run", "--message-format", "json-render-diagnostics"]);
        cargo.arg("--target-dir").arg(self.target_directory.join("graphwright"));
        cargo.args(selection.of_build(self)).args(selection.of_cargo());
        compiler::stand_before(&mut cargo)?;
        let mut child = cargo.stdout(Stdio::piped()).spawn().map_err(Failure::io("cargo"))?;
        let mut programs = Vec::new();
        for line in child.stdout.take().into_iter().flat_map(|out| BufReader::new(out).lines()) {
            let line = line.map_err(Failure::io("cargo"))?;
            let Ok(Message { package_id: Some(id), executable: Some(path) }) = serde_json::from_str(&line) else { continue };
            let Some(package) = self.packages.iter().find(|package| package.id == id) else { continue };
            if tells(&path).map_err(Failure::io(path.display().to_string()))? {
                programs.push(Program { path, package: package.clone() });
            }
        }
        let status = child.wait().map_err(Failure::io("cargo"))?;
        if status.success() { Ok(programs) } else { Err(Failure::Cargo(code(status))) }
    }

    /// Whether `--lib` finds anything: where it does not, cargo fails.
    fn has_library(&self, selection: &Selection) -> bool {
        let members = self.packages.iter().filter(|package| self.workspace_members.contains(&package.id));
        let mut selected = members.filter(|package| selection.package.is_empty() || selection.package.contains(&package.name));
        selected.any(Package::has_library)
    }
}

impl Selection {
    fn of_cargo(&self) -> Vec<OsString> {
        let mut words: Vec<OsString> = Vec::new();
        words.extend(self.manifest_path.iter().flat_map(|path| [OsString::from("--manifest-path"), path.clone().into()]));
        words.extend(self.locked.then(|| "--locked".into()));
        words.extend(self.offline.then(|| "--offline".into()));
        words
    }

    fn of_build(&self, workspace: &Workspace) -> Vec<String> {
        let mut words: Vec<String> = vec!["--bins".into(), "--examples".into()];
        words.extend(workspace.has_library(self).then(|| "--lib".into()));
        words.extend(self.tests.then(|| "--tests".into()));
        words.extend(self.package.is_empty().then(|| "--workspace".into()));
        words.extend(self.package.iter().map(|name| format!("--package={name}")));
        words.extend(self.features.iter().map(|features| format!("--features={features}")));
        words.extend(self.all_features.then(|| "--all-features".into()));
        words.extend(self.no_default_features.then(|| "--no-default-features".into()));
        words
    }
}

/// The cargo that called us.
fn cargo() -> Command {
    Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}

/// Whether one of our tests is in a program: their names are.
fn tells(program: &PathBuf) -> io::Result<bool> {
    Ok(memmem::find(&fs::read(program)?, TEST.as_bytes()).is_some())
}
