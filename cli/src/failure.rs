//! What can go wrong.

use std::io;
use std::path::PathBuf;
use std::process::{ExitCode, ExitStatus};

/// Why there is nothing to show.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    #[error("cargo ended with {0:?}")]
    Cargo(ExitCode),
    #[error("{what}: {source}")]
    Io {
        what: String,
        #[source]
        source: io::Error,
    },
    #[error("what cargo says of the workspace is not understood: {0}")]
    Metadata(#[source] serde_json::Error),
    #[error("{} was asked for its graphs and ended with {status}: {said}", program.display())]
    Silent { program: PathBuf, status: ExitStatus, said: String },
    #[error("a graph was compiled with another version of graphwright: this is cargo-graphwright {}", env!("CARGO_PKG_VERSION"))]
    Version,
    #[error("a graph is told in a form that is not understood: {0}")]
    Told(#[source] serde_json::Error),
    #[error("a graph cannot be read back: {0}")]
    Graph(#[from] graphwright::topology::UnknownName),
    #[error("no graph is found; one that stands in a function is never found, and one in a test with --tests only")]
    NoGraph,
    #[error(
        "no graph is found that is called `{name}`; one that stands in a function is never found, and one in a test with --tests only\nthere is: {known}"
    )]
    NoName { name: String, known: String },
    #[error("there is no diagnostic `{0}`: {1}")]
    Code(String, String),
    #[cfg(feature = "png")]
    #[error(transparent)]
    Png(#[from] graphwright::diagram::PngError),
}

impl Failure {
    /// An error of the system, and at what.
    pub(crate) fn io(what: impl Into<String>) -> impl FnOnce(io::Error) -> Self {
        move |source| Self::Io { what: what.into(), source }
    }

    /// Standard output is gone.
    pub(crate) fn output(source: io::Error) -> Self {
        Self::Io { what: "standard output".to_owned(), source }
    }
}

/// The exit code of a process that failed.
pub(crate) fn code(status: ExitStatus) -> ExitCode {
    status.code().and_then(|code| u8::try_from(code).ok()).map_or(ExitCode::FAILURE, ExitCode::from)
}
