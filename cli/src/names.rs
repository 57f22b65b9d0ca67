//! The names of files.

use std::collections::BTreeMap;
use std::path::PathBuf;

use crate::found::Found;

/// For each graph the file of its diagrams, without an ending: called like the graph, or by its path where two of a package
/// have one name. Not every file system tells large letters from small ones: where paths differ in these alone, they have
/// numbers.
pub(crate) fn files(graphs: &[Found], out: &str) -> Vec<PathBuf> {
    let key = |graph: &Found, name: &str| (graph.folder.clone(), name.to_lowercase());
    let mut count: BTreeMap<(PathBuf, String), usize> = BTreeMap::new();
    for graph in graphs {
        *count.entry(key(graph, &graph.name)).or_default() += 1;
    }
    let mut given: BTreeMap<(PathBuf, String), usize> = BTreeMap::new();
    let file = |graph: &Found| {
        let is_alone = count.get(&key(graph, &graph.name)) == Some(&1);
        let mut name = if is_alone { graph.name.clone() } else { graph.path().replace("::", ".") };
        let twins = given.entry(key(graph, &name)).or_default();
        *twins += 1;
        if *twins > 1 {
            name.push_str(&format!("-{twins}"));
        }
        graph.folder.join(out).join(name)
    };
    graphs.iter().map(file).collect()
}
