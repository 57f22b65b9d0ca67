//! Nodes and edges as JSON.

use graphwright::diagram::{GraphJson, Mark, Marks};
use serde_json::{Value, json};

use super::agent::AGENT;
use super::graphs;

#[test]
fn an_agent() {
    let value: Value = serde_json::from_str(&AGENT.diagram().json()).unwrap();
    assert_eq!(value["nodes"][0], json!({"id": "__start__", "type": "schema", "data": "__start__", "metadata": {"kind": "start"}}));
    let tools = json!({
        "id": "tools",
        "type": "runnable",
        "data": {"id": ["graphwright", "tools"], "name": "Run the tools"},
        "metadata": {"kind": "place", "role": "tools", "node": "run_tools", "docs": "Runs them.", "file": "src/a.rs", "line": 12},
    });
    assert_eq!(value["nodes"][3], tools);
    let gate = json!({
        "source": "react",
        "target": "elicitation",
        "data": "if ask_user_pending",
        "conditional": true,
        "metadata": {"way": 1, "kind": "if", "router": "ask_user_pending", "gate": true},
    });
    assert_eq!(value["edges"][1], gate);
    let budget = json!({
        "source": "next?2",
        "target": "tools",
        "data": "Tools at most 8",
        "conditional": true,
        "metadata": {"way": 2, "kind": "arm", "router": "next", "budget": "at most 8"},
    });
    assert_eq!(value["edges"][3], budget);
    assert_eq!(value["edges"][0], json!({"source": "__start__", "target": "react", "metadata": {"way": 0, "kind": "always"}}));
}

#[test]
fn every_edge_leads_from_a_node_to_a_node_and_no_id_is_there_twice() {
    for (name, topology) in graphs::all().into_iter().filter(|(name, _)| name != "hostile") {
        for depth in 0..4 {
            let graph: GraphJson = serde_json::from_str(&topology.diagram().depth(depth).json()).unwrap();
            let mut ids: Vec<&str> = graph.nodes.iter().map(|node| node.id.as_str()).collect();
            for edge in &graph.edges {
                assert!(ids.contains(&edge.source.as_str()) && ids.contains(&edge.target.as_str()), "{name}: {edge:?}");
            }
            let all = ids.len();
            ids.sort_unstable();
            ids.dedup();
            assert_eq!(ids.len(), all, "{name}");
        }
    }
}

#[test]
fn a_run_is_told_beside_it() {
    let marks = Marks::new()
        .place("react", Mark::Visited)
        .place("tool_call", Mark::Active)
        .way(1, 2)
        .within("tool_call", Marks::new().place("ask", Mark::Paused).way(0, 4));
    let graph: GraphJson = serde_json::from_str(&graphs::support().diagram().depth(1).with(&marks).json()).unwrap();
    let mark = |id: &str| graph.nodes.iter().find(|node| node.id == id).unwrap().metadata["mark"].clone();
    assert_eq!([mark("react"), mark("give_up"), mark("tool_call:ask")], ["visited", "none", "paused"]);
    let taken = |source: &str| graph.edges.iter().find(|edge| edge.source == source).unwrap().metadata["taken"].clone();
    assert_eq!([taken("react"), taken("__start__"), taken("tool_call:__start__")], [2, 0, 4]);
}
