//! `cargo graphwright diagram`.

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

    /// Write nothing, and fail if a file is missing or is not what would be written
    #[arg(long, conflicts_with = "print")]
    check: bool,

    /// Print them, and write no file
    #[arg(long)]
    print: bool,

    #[command(flatten)]
    selection: Selection,
}

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
    let mut stale = 0_usize;
    for (graph, file) in graphs.iter().zip(names::files(&graphs, &args.out)) {
        for format in &args.format {
            let drawn = format.draw(graph, args.depth)?;
            if args.print {
                out.write_all(&drawn).map_err(Failure::output)?;
                continue;
            }
            let mut file = file.clone().into_os_string();
            file.push(format.ending());
            let (file, shown) = (PathBuf::from(&file), shown(&workspace, Path::new(&file)));
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
    if stale == 0 {
        return Ok(ExitCode::SUCCESS);
    }
    let _ = writeln!(io::stderr(), "error: run the same command without --check, and commit what it writes");
    Ok(ExitCode::FAILURE)
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
