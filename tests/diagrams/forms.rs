//! All forms tell the same graph, and tell it the same each time.

use graphwright::diagram::GraphJson;

use super::labels::shown;
use super::{dot, graphs, mermaid, terminal, xml};

#[test]
fn all_forms_have_the_same_nodes_and_arrows() {
    let mut drawn = 0;
    for (name, topology) in graphs::all() {
        for depth in 0..4 {
            let diagram = topology.diagram().depth(depth);
            let (nodes, edges) = mermaid::read(&diagram.mermaid());
            let (dot_nodes, dot_edges) = dot::read(&diagram.dot());
            let opened = nodes.iter().filter(|node| node.1 == "[]").count();
            assert_eq!(nodes.len() - opened, dot_nodes.len(), "{name} {depth}");
            // An arrow that leaves an opened graph by none of its exits begins in it somewhere else in each form.
            let ends = |(from, label, to): (&String, &String, &String)| {
                (if label == "on error" { String::new() } else { from.clone() }, label.clone(), to.clone())
            };
            let flow: Vec<_> = edges.iter().map(|edge| ends((&edge.from, &edge.label, &edge.to))).collect();
            let dot: Vec<_> = dot_edges.iter().map(|edge| ends((&edge.0, &edge.1, &edge.2))).collect();
            assert_eq!(flow, dot, "{name} {depth}");

            let json: GraphJson = serde_json::from_str(&diagram.json()).unwrap();
            assert_eq!(json.nodes.len(), dot_nodes.len(), "{name} {depth}");
            let labels: Vec<String> = json.edges.iter().map(|edge| shown(&edge.data.clone().unwrap_or_default())).collect();
            assert_eq!(labels, edges.iter().map(|edge| edge.label.clone()).collect::<Vec<_>>(), "{name} {depth}");

            let svg = xml::read(&diagram.svg());
            assert_eq!(svg.all("g", "gw-node").len(), nodes.len(), "{name} {depth}");
            drawn += nodes.len() + edges.len();
        }
    }
    assert!(drawn > 5_000, "only {drawn}");
}

#[test]
fn no_label_is_lost() {
    let mut found = 0;
    for (name, topology) in graphs::all() {
        for depth in [0, 2] {
            let diagram = topology.diagram().depth(depth);
            let (nodes, edges) = mermaid::read(&diagram.mermaid());
            let texts = terminal::letters(&xml::read(&diagram.svg()).texts());
            let (text, ascii) = (terminal::letters(&diagram.text()), terminal::letters(&diagram.ascii()));
            let written =
                nodes.iter().filter(|node| !["((()))", "(())", "[//]"].contains(&node.1)).map(|node| node.2.trim_start_matches("? "));
            for label in written.chain(edges.iter().map(|edge| edge.label.as_str())) {
                // Texts are broken into lines.
                for word in label.split([' ', '_', '\n', '|', ':', '.', '/', ',', '-']).filter(|word| word.len() > 2 && *word != "end") {
                    let word = terminal::letters(&word.chars().take(20).collect::<String>());
                    assert!(texts.contains(&word), "{name} {depth}: {word:?} of {label:?} is not in the SVG");
                    assert!(text.contains(&word) && ascii.contains(&word), "{name} {depth}: {word:?} of {label:?} is not in the text");
                    found += 1;
                }
            }
        }
    }
    assert!(found > 2_000, "only {found}");
}

#[test]
fn the_same_graph_is_the_same_text() {
    for ((name, one), (_, other)) in graphs::all().into_iter().zip(graphs::all()) {
        let (one, other) = (one.diagram().depth(2), other.diagram().depth(2));
        assert_eq!(one.svg(), other.svg(), "{name}");
        assert_eq!(one.text(), other.text(), "{name}");
        assert_eq!(one.ascii(), other.ascii(), "{name}");
        assert_eq!(one.dot(), other.dot(), "{name}");
        assert_eq!(one.json(), other.json(), "{name}");
        assert_eq!(one.mermaid(), other.mermaid(), "{name}");
        assert_eq!(one.state_diagram(), other.state_diagram(), "{name}");
    }
}

#[test]
fn what_is_not_deep_enough_stays_closed() {
    let deep = graphs::all().into_iter().find(|(name, _)| name == "deep").unwrap().1;
    let frames = |depth| mermaid::read(&deep.diagram().depth(depth).mermaid()).0.iter().filter(|node| node.1 == "[]").count();
    assert_eq!([0, 1, 2, 3, usize::MAX].map(frames), [0, 1, 2, 3, 3]);
}
