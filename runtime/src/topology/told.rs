//! What a graph tells `cargo graphwright`: a line on standard output, in a test that `graph!` writes for it alone.

use serde::{Deserialize, Serialize};

use super::{Lints, Topology, TopologyData};
use crate::check::{Analysis, analyze, fork_text, place_text, way_text};

/// How such a line begins. The number is that of the form of what follows.
pub const MARK: &str = "graphwright-graph/1 ";

/// Begins the name of such a test.
pub const TEST: &str = "__graphwright_graph_";

/// What follows, as JSON.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Told {
    /// The name of its type.
    pub name: String,
    /// The path of the module where that is.
    pub module: String,
    /// What may be meant, and what it would be refused for if it had asked for that.
    pub warnings: Vec<String>,
    /// The graph.
    pub topology: TopologyData,
}

/// Tells it.
#[allow(clippy::print_stdout, reason = "this is how it is told")]
pub fn tell(name: &str, module: &str, topology: Option<&Topology>, warnings: Vec<String>) {
    let Some(topology) = topology else { return };
    let told = Told { name: name.to_owned(), module: module.to_owned(), warnings, topology: topology.into() };
    if let Ok(json) = serde_json::to_string(&told) {
        // The test's name stands in the line already.
        println!("\n{MARK}{json}");
    }
}

/// What is said of a graph where it denies all that can be denied. `N` and `W` are those of [`Analysis`].
#[must_use]
pub fn warnings<const N: usize, const W: usize>(topology: Option<&Topology>) -> Vec<String> {
    let lints = [Lints { unbounded_loop: true, ..Lints::NONE }, Lints { answer_elsewhere: true, ..Lints::NONE }];
    let of = |(topology, lints): (&Topology, Lints)| {
        let asked = Topology { lints, ..*topology };
        let analysis: Analysis<N, W> = analyze(&asked);
        let places = (0..asked.places.len()).map(|place| place_text(&analysis, &asked, place));
        let forks = (0..asked.forks.len()).map(|fork| fork_text(&analysis, &asked, fork));
        let ways = (0..asked.ways.len()).map(|way| way_text(&analysis, &asked, way));
        let said = places.chain(forks).chain(ways).map(|text| text.as_str().to_owned());
        said.filter(|text| !text.is_empty()).collect::<Vec<_>>()
    };
    topology.into_iter().flat_map(|topology| lints.map(|lints| (topology, lints))).flat_map(of).collect()
}
