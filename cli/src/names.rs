//! The names of files.

use std::collections::BTreeMap;
use std::path::PathBuf;

use crate::found::Found;

/// For each graph the file of its diagrams, without an ending: called like the graph, or by its path where two of a package
/// have one name. Not every file system tells large letters from small ones.
pub(crate) fn files(graphs: &[Found], out: &str) -> Vec<PathBuf> {
    let key = |graph: &Found| (graph.folder.clone(), graph.name.to_lowercase());
    let mut count: BTreeMap<(PathBuf, String), usize> = BTreeMap::new();
    for graph in graphs {
        *count.entry(key(graph)).or_default() += 1;
    }
    let file = |graph: &Found| {
        let is_alone = count.get(&key(graph)) == Some(&1);
        let name = if is_alone { graph.name.clone() } else { graph.path().replace("::", ".") };
        graph.folder.join(out).join(name)
    };
    graphs.iter().map(file).collect()
}
