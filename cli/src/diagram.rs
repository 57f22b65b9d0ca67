//! `cargo graphwright diagram`.

use std::collections::BTreeSet;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::ValueEnum;

use crate::failure::Failure;
use crate::found::{self, Found};
use crate::names;
use crate::workspace::{Selection, Workspace};

/// Draws graphs into files, a folder for each package, or tells which of these files are stale
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Only graphs of these names; a path tells apart those of one name. All, if none is named
    #[arg(value_name = "GRAPH")]
    graphs: Vec<String>,

    /// In which form; several are separated by commas
    #[arg(short, long, value_enum, value_delimiter = ',', default_value = "svg")]
    format: Vec<Format>,

    /// Open mounted graphs up, so many levels
    #[arg(long, value_name = "LEVELS", default_value_t = 0)]
    depth: usize,

    /// The folder, seen from that of the package
    #[arg(short, long, value_name = "FOLDER", default_value = "diagrams")]
    out: String,

    /// Write nothing, and fail if a file is missing, is not what would be written, or is of a graph that is no more
    #[arg(long, conflicts_with = "print")]
    check: bool,

    /// Print them, and write no file
    #[arg(long)]
    print: bool,

    #[command(flatten)]
    selection: Selection,
}

/// A drawing is known by so many of its first bytes.
const SEEN: usize = 400;

/// A form, which gives the ending of a file.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Format {
    /// `.svg`: light or dark as its reader has set
    Svg,
    /// `.mmd`: a flowchart of Mermaid
    Mermaid,
    /// `.state.mmd`: a state diagram of Mermaid
    State,
    /// `.dot`: for Graphviz
    Dot,
    /// `.txt`: for a terminal
    Text,
    /// `.ascii.txt`: for a terminal without Unicode
    Ascii,
    /// `.json`: nodes and edges, as LangGraph's tools read them
    Json,
    /// `.png`: on a white ground
    #[cfg(feature = "png")]
    Png,
}

pub(crate) fn run(args: &Args) -> Result<ExitCode, Failure> {
    let (workspace, graphs) = found::graphs(&args.selection, &args.graphs)?;
    let mut out = io::stdout().lock();
    let (mut stale, mut left) = (0_usize, 0_usize);
    let files = names::files(&graphs, &args.out);
    for (graph, file) in graphs.iter().zip(&files) {
        for format in &args.format {
            let drawn = format.draw(graph, args.depth)?;
            if args.print {
                if graphs.len() > 1 && matches!(format, Format::Text | Format::Ascii) {
                    writeln!(out, "{}", graph.path()).map_err(Failure::output)?;
                }
                out.write_all(&drawn).map_err(Failure::output)?;
                continue;
            }
            let file = format.file(file);
            let shown = shown(&workspace, &file);
            let state = State::of(&file, &drawn).map_err(Failure::io(&shown))?;
            if args.check {
                stale += usize::from(!matches!(state, State::Fresh));
            } else if !matches!(state, State::Fresh) {
                write(&file, &drawn).map_err(Failure::io(&shown))?;
            }
            if let Some(word) = state.word(args.check) {
                writeln!(out, "{word}: {shown}").map_err(Failure::output)?;
            }
        }
    }
    // Of some graphs it cannot be said which files are nobody's.
    if args.graphs.is_empty() && !args.print {
        for file in left_over(&files, &args.format)? {
            left += usize::from(args.check);
            writeln!(out, "of no graph: {}", shown(&workspace, &file)).map_err(Failure::output)?;
        }
    }
    for (count, help) in [
        (stale, "run the same command without --check, and commit what it writes"),
        (left, "delete what is of no graph: it was renamed, or is no more"),
    ] {
        if count > 0 {
            let _ = writeln!(io::stderr(), "error: {help}");
        }
    }
    Ok(if stale + left == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Diagrams of ours that lie beside those of the graphs and are none of them.
fn left_over(files: &[PathBuf], formats: &[Format]) -> Result<BTreeSet<PathBuf>, Failure> {
    let drawn: BTreeSet<PathBuf> = files.iter().flat_map(|file| formats.iter().map(|format| format.file(file))).collect();
    let folders: BTreeSet<&Path> = files.iter().filter_map(|file| file.parent()).collect();
    let mut left = BTreeSet::new();
    for folder in folders {
        let entries = match fs::read_dir(folder) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            entries => entries.map_err(Failure::io(&folder.display().to_string()))?,
        };
        for entry in entries {
            let path = entry.map_err(Failure::io(&folder.display().to_string()))?.path();
            let shown = path.display().to_string();
            let forms: Vec<&Format> = formats.iter().filter(|format| shown.ends_with(format.ending())).collect();
            if drawn.contains(&path) || forms.is_empty() {
                continue;
            }
            let text = fs::read(&path).map_err(Failure::io(&shown))?;
            if forms.iter().any(|format| format.drew(&text)) {
                left.insert(path);
            }
        }
    }
    Ok(left)
}

/// What there is in place of a file that would be written.
enum State {
    Fresh,
    Missing,
    Stale,
}

impl State {
    fn of(file: &Path, drawn: &[u8]) -> io::Result<Self> {
        match fs::read(file) {
            // Where git makes CRLF of each end of a line.
            Ok(there) => Ok(if there == drawn || without_returns(&there) == drawn { Self::Fresh } else { Self::Stale }),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Self::Missing),
            Err(error) => Err(error),
        }
    }

    fn word(&self, check: bool) -> Option<&'static str> {
        match (self, check) {
            (Self::Fresh, true) => None,
            (Self::Fresh, false) => Some("fresh"),
            (Self::Missing, true) => Some("missing"),
            (Self::Stale, true) => Some("stale"),
            (Self::Missing | Self::Stale, false) => Some("drawn"),
        }
    }
}

fn without_returns(text: &[u8]) -> Vec<u8> {
    let next = text.iter().skip(1).copied().chain([0]);
    text.iter().zip(next).filter(|(byte, next)| (**byte, *next) != (b'\r', b'\n')).map(|(byte, _)| *byte).collect()
}

fn write(file: &Path, drawn: &[u8]) -> io::Result<()> {
    if let Some(folder) = file.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::write(file, drawn)
}

/// As seen from the root of the workspace.
fn shown(workspace: &Workspace, file: &Path) -> String {
    file.strip_prefix(workspace.root()).unwrap_or(file).display().to_string()
}

impl Format {
    fn ending(self) -> &'static str {
        match self {
            Self::Svg => ".svg",
            Self::Mermaid => ".mmd",
            Self::State => ".state.mmd",
            Self::Dot => ".dot",
            Self::Text => ".txt",
            Self::Ascii => ".ascii.txt",
            Self::Json => ".json",
            #[cfg(feature = "png")]
            Self::Png => ".png",
        }
    }

    fn file(self, name: &Path) -> PathBuf {
        let mut file = name.to_owned().into_os_string();
        file.push(self.ending());
        file.into()
    }

    /// Whether a file of this form is a drawing of ours, as far as that is seen: others may lie in the folder, too.
    fn drew(self, text: &[u8]) -> bool {
        let text = String::from_utf8_lossy(text.get(..SEEN).unwrap_or(text));
        match self {
            Self::Svg => text.starts_with("<svg ") && text.contains("role=\"graphics-document document\""),
            Self::Mermaid => text.starts_with("flowchart "),
            Self::State => text.starts_with("stateDiagram-v2"),
            Self::Dot => text.starts_with("digraph "),
            Self::Text | Self::Ascii | Self::Json => false,
            #[cfg(feature = "png")]
            Self::Png => false,
        }
    }

    fn draw(self, graph: &Found, depth: usize) -> Result<Vec<u8>, Failure> {
        let diagram = graph.topology.diagram().depth(depth);
        let mut text = match self {
            Self::Svg => diagram.svg(),
            Self::Mermaid => diagram.mermaid(),
            Self::State => diagram.state_diagram(),
            Self::Dot => diagram.dot(),
            Self::Text => diagram.text(),
            Self::Ascii => diagram.ascii(),
            Self::Json => diagram.json(),
            #[cfg(feature = "png")]
            Self::Png => return Ok(diagram.png(graphwright::diagram::Ground::Light, 2.0)?),
        };
        if !text.ends_with('\n') {
            text.push('\n');
        }
        Ok(text.into_bytes())
    }
}
