//! The state diagram: read back by a small strict reader.

use super::agent::AGENT;
use super::labels::HOSTILE;
use super::mermaid::{decode_strictly, is_id};
use super::random::{Random, rounds};
use super::{graphs, mermaid};

#[test]
fn an_agent() {
    let expected = "stateDiagram-v2
    state \"react\" as n0
    state \"? elicitation\" as n1
    state \"Run the tools\" as n2
    state \"? approve\" as n3
    state \"give_up\" as n4
    state \"? research\" as n5
    state c2 <<choice>>
    state \"failed\" as e1
    [*] --> n0
    n0 --> n1 : if ask_user_pending
    n0 --> c2 : next
    c2 --> n2 : Tools at most 8
    c2 --> n4 : Tools else, after 8
    c2 --> n3 : Approve
    c2 --> n5 : Search
    c2 --> [*] : Finish
    n1 --> n0
    n2 --> n0
    n3 --> [*] : Approve #124; Edit
    n3 --> n0 : Declined
    n4 --> e1
    n5 --> n0
    e1 --> [*]
";
    assert_eq!(AGENT.diagram().state_diagram(), expected);
}

#[test]
fn forks_joins_and_opened_graphs() {
    let expected = "stateDiagram-v2
    state \"react\" as n0
    state \"? elicitation\" as n1
    state \"? tool_call\" as n2
    state n2 {
        state \"? ask\" as n2_n0
        state \"run\" as n2_n1
        state \"note\" as n2_n2
        [*] --> n2_n0
        n2_n0 --> n2_n1 : Approve #124; Edit
        n2_n0 --> [*] : Reject #124; Respond #124; Declined #124; Cancelled
        n2_n0 --> [*] : on expiry
        n2_n1 --> [*]
        n2_n1 --> n2_n2 : on error
        n2_n2 --> [*]
    }
    state \"give_up\" as n3
    state c2 <<choice>>
    state f0 <<fork>>
    state j0 <<join>>
    [*] --> n0
    n0 --> n1 : if ask_user_pending
    n0 --> c2 : next
    c2 --> f0 : Tools, each open_calls
    c2 --> [*] : Finish
    f0 --> n2
    n2 --> j0
    j0 --> n0 : at most 8
    j0 --> n3 : else, after 8
    n1 --> n0
    n3 --> [*]
";
    assert_eq!(graphs::support().diagram().depth(1).state_diagram(), expected);
}

#[test]
fn what_is_drawn_is_read_back_whatever_the_labels_hold() {
    let mut random = Random(3);
    let mut labels: Vec<&'static str> = HOSTILE.to_vec();
    labels.extend((0..rounds().max(4_000)).map(|_| &*random.label().leak()));
    let mut drawn = 0;
    for round in 0..rounds() {
        let topology = random.flat(&labels, round);
        let (states, ways) = read(&topology.diagram().state_diagram());
        let (nodes, edges) = mermaid::read(&topology.mermaid());
        for (id, label) in &states {
            assert!(nodes.iter().any(|node| node.0 == *id && node.2 == *label), "{id} {label}");
        }
        let is_end = |id: &str| nodes.iter().any(|node| node.0 == id && node.1 == "((()))" && node.2 == "end");
        let name = |id: &str| if id == "s" || is_end(id) { "[*]".to_owned() } else { id.to_owned() };
        let router = |id: &str| nodes.iter().find(|node| node.0 == id && id.starts_with('c')).map_or(String::new(), |node| node.2.clone());
        let expected: Vec<_> =
            edges.iter().map(|edge| (name(&edge.from), edge.label.clone() + router(&edge.to).trim(), name(&edge.to))).collect();
        let own = ways.iter().filter(|(from, _, to)| !(from.starts_with('e') && to == "[*]"));
        let own: Vec<_> = own
            .map(|(from, label, to)| (from.clone(), if to.starts_with('c') { label.trim().to_owned() } else { label.clone() }, to.clone()))
            .collect();
        assert_eq!(own, expected);
        drawn += ways.len();
    }
    println!("{drawn} labels, each in its place");
    assert!(drawn > 10_000);
}

#[test]
fn every_graph_is_read() {
    for (name, topology) in graphs::all() {
        for depth in 0..4 {
            let (_, ways) = read(&topology.diagram().depth(depth).state_diagram());
            assert!(!ways.is_empty() || topology.ways.is_empty(), "{name}");
        }
    }
}

/// States with their names, and ways as from, label, to. Anything else panics.
/// States by id and label, and transitions by both ids and label.
type Read = (Vec<(String, String)>, Vec<(String, String, String)>);

fn read(text: &str) -> Read {
    let (mut states, mut ways) = (Vec::new(), Vec::new());
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some("stateDiagram-v2"));
    let mut open = 1;
    for whole in lines {
        let line = whole.trim_start();
        open -= usize::from(line == "}");
        assert_eq!(whole.len() - line.len(), 4 * open, "{whole}");
        if line == "}" {
            continue;
        }
        if let Some(rest) = line.strip_prefix("state ") {
            if let Some(id) = rest.strip_suffix(" {") {
                assert!(is_id(id), "{line}");
                open += 1;
            } else if let Some((label, id)) = rest.strip_prefix('"').and_then(|rest| rest.split_once("\" as ")) {
                assert!(is_id(id), "{line}");
                states.push((id.to_owned(), decode_strictly(label)));
            } else {
                let (id, kind) = rest.split_once(' ').expect(line);
                assert!(is_id(id) && ["<<choice>>", "<<fork>>", "<<join>>"].contains(&kind), "{line}");
            }
            continue;
        }
        let (way, label) = line.split_once(" : ").unwrap_or((line, ""));
        let (from, to) = way.split_once(" --> ").expect(line);
        assert!([from, to].iter().all(|id| *id == "[*]" || is_id(id)), "{line}");
        ways.push((from.to_owned(), decode_strictly(label), to.to_owned()));
    }
    assert_eq!(open, 1);
    (states, ways)
}
