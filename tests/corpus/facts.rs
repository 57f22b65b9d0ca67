//! What the sources say, read.

use std::path::PathBuf;

use serde::Deserialize;

/// A graph as its source has it: a file in `topologies/`, or a graph in one.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Facts {
    pub(crate) name: String,
    pub(crate) nodes: Vec<Node>,
    #[serde(default)]
    pub(crate) edges: Vec<Edge>,
    #[serde(default)]
    pub(crate) conditional: Vec<Conditional>,
    #[serde(default)]
    pub(crate) sends: Vec<Send>,
    #[serde(default)]
    pub(crate) joins: Vec<Join>,
    #[serde(default)]
    pub(crate) interrupts: Vec<Interrupt>,
    #[serde(default)]
    pub(crate) command_goto: Vec<Goto>,
    #[serde(default)]
    pub(crate) subgraphs: Vec<Facts>,
    /// Graphs of the same file that are no part of this one.
    #[serde(default)]
    pub(crate) other_graphs: Vec<Facts>,
    /// Of a graph in another: the node that it is, or where it is called.
    #[serde(default)]
    pub(crate) mounted_as: String,
}

#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Node {
    pub(crate) name: String,
    pub(crate) kind: String,
}

#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Edge {
    pub(crate) from: String,
    pub(crate) to: String,
}

/// A function that decides behind a node.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Conditional {
    pub(crate) from: String,
    /// The name of a function, or words about it.
    pub(crate) router: String,
    /// Label and target, in the order of their labels.
    pub(crate) branches: std::collections::BTreeMap<String, String>,
    pub(crate) can_fan_out: bool,
}

/// A function that starts nodes with something of their own.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Send {
    pub(crate) from: String,
    pub(crate) router: String,
    /// A node, or words for several.
    pub(crate) target: String,
    /// What there is one for each of; nothing, if there is one or none.
    pub(crate) map_over: Option<String>,
}

#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Join {
    /// A node, or several between slashes.
    pub(crate) at: String,
}

#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Interrupt {
    pub(crate) node: String,
}

/// A node that chooses where to go.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Goto {
    pub(crate) node: String,
    pub(crate) targets: Vec<String>,
}

/// Where a file of facts is from.
#[derive(Debug, Deserialize)]
pub(crate) struct Origin {
    pub(crate) source_repo: String,
    pub(crate) source_path: String,
    pub(crate) source_commit: String,
    pub(crate) license: String,
}

/// Every file of facts, by its name without the ending.
pub(crate) fn files() -> Vec<(String, String)> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("corpus/topologies");
    let mut files: Vec<(String, String)> = std::fs::read_dir(&folder)
        .unwrap_or_else(|error| panic!("{}: {error}", folder.display()))
        .map(|entry| {
            let path = entry.unwrap().path();
            assert_eq!(path.extension().and_then(|ending| ending.to_str()), Some("json"), "{}", path.display());
            (path.file_stem().unwrap().to_str().unwrap().to_owned(), std::fs::read_to_string(&path).unwrap())
        })
        .collect();
    files.sort();
    files
}
