//! DOT: read back by a small strict reader.

use graphwright::topology::{Place, Role, Topology};

use super::agent::{AGENT, agent, place};
use super::labels::{HOSTILE, shown};
use super::random::{Random, rounds};
use super::{graphs, mermaid};

#[test]
fn an_agent() {
    let dot = AGENT.diagram().dot();
    for line in [
        "digraph \"SupportAgent\" {",
        "    n0 [label=\"react\", color=\"#2563eb\", fillcolor=\"#dbeafe\"];",
        "    n1 [label=\"? elicitation\", color=\"#d97706\", fillcolor=\"#fef3c7\"];",
        "    c2 [label=\"next\", shape=hexagon, style=filled, color=\"#7c3aed\", fillcolor=\"#ede9fe\"];",
        "    n0 -> n1 [label=\"if ask_user_pending\", color=\"#d97706\", fontcolor=\"#d97706\", penwidth=2.4];",
        "    c2 -> n2 [label=\"Tools\\nat most 8\"];",
        "    n2 -> n0 [style=dashed, constraint=false];",
    ] {
        assert!(dot.lines().any(|found| found == line), "{line}\n{dot}");
    }
}

#[test]
fn what_is_drawn_is_read_back_whatever_the_labels_hold() {
    let mut random = Random(2);
    let mut labels: Vec<&'static str> = HOSTILE.to_vec();
    labels.extend((0..rounds().max(4_000)).map(|_| &*random.label().leak()));
    let mut drawn = 0;
    for round in 0..rounds() {
        let topology = random.flat(&labels, round);
        let (nodes, edges) = read(&topology.diagram().dot());
        let (flow_nodes, flow_edges) = mermaid::read(&topology.mermaid());
        assert_eq!(nodes.len(), flow_nodes.len());
        for ((id, label), (flow_id, brackets, flow_label)) in nodes.iter().zip(&flow_nodes) {
            assert_eq!(id, flow_id);
            let end = *brackets == "((()))" && flow_label == "end";
            let label = if label.is_empty() { " ".to_owned() } else { label.clone() };
            assert!(end || label == *flow_label || label.trim_end() == flow_label.trim_end(), "{label:?} {flow_label:?}");
        }
        let plain: Vec<_> = edges.iter().map(|edge| (edge.0.clone(), edge.1.clone(), edge.2.clone())).collect();
        let flow: Vec<_> = flow_edges.iter().map(|edge| (edge.from.clone(), edge.label.clone(), edge.to.clone())).collect();
        assert_eq!(plain, flow);
        drawn += nodes.len() + edges.len();
    }
    println!("{drawn} labels, each in its place");
    assert!(drawn > 20_000);
}

#[test]
fn a_writer_that_does_not_escape_is_caught() {
    let caught = HOSTILE.iter().filter(|label| label.contains(['"', '\\', '\n'])).filter(|label| {
        let places = vec![Place { title: Some(label), ..place("a", Role::Plain) }].leak();
        let topology = Topology { places, ways: &[], ..agent() };
        let raw = topology.diagram().dot().replace("\\\"", "\"").replace("\\\\", "\\").replace("\\n", "\n");
        std::panic::catch_unwind(|| read(&raw)).map_or(true, |(nodes, _)| nodes[1].1 != shown(label))
    });
    assert!(caught.count() > 5);
}

#[test]
fn no_link_and_no_markup() {
    for (name, topology) in graphs::all() {
        let dot = topology.diagram().depth(2).dot();
        let outside: String = dot.split('"').step_by(2).collect();
        assert!(!outside.to_lowercase().contains("url") && !outside.contains("href") && !outside.contains("=<"), "{name}");
    }
}

/// Ids with labels, and edges as from, label, to. Anything else panics.
/// Nodes by id and label, and edges by both ids and label.
type Read = (Vec<(String, String)>, Vec<(String, String, String)>);

pub(super) fn read(dot: &str) -> Read {
    let (mut nodes, mut edges) = (Vec::new(), Vec::new());
    let mut open = 0;
    for line in dot.lines().map(str::trim_start) {
        if line.ends_with('{') {
            open += 1;
            let ok = line.strip_prefix("digraph ").is_some_and(|rest| quoted(rest).is_some_and(|(_, rest)| rest == " {"))
                || line.strip_prefix("subgraph cluster_").and_then(|rest| rest.strip_suffix(" {")).is_some_and(mermaid::is_id);
            assert!(ok, "{line}");
            continue;
        }
        if line == "}" {
            open -= 1;
            continue;
        }
        let line = line.strip_suffix(';').expect(line);
        let (subject, attributes) = match line.split_once(" [") {
            Some((subject, attributes)) if !subject.contains('"') => (subject, attributes.strip_suffix(']').expect(line)),
            _ => (line, ""),
        };
        if ["node", "edge"].contains(&subject) || line.starts_with("compound=true;") {
            continue;
        }
        if let Some(rest) = subject.strip_prefix("label=") {
            let (_, rest) = quoted(rest).expect(line);
            assert_eq!(rest, "; style=rounded; color=\"#0891b2\"", "{line}");
            continue;
        }
        let (mut label, mut beside, mut rest) = (String::new(), String::new(), attributes);
        while !rest.is_empty() {
            let (key, value) = rest.split_once('=').expect(line);
            assert!(key.bytes().all(|byte| byte.is_ascii_lowercase()), "{line}");
            let (value, after) = match quoted(value) {
                Some((value, after)) => (value, after),
                None => {
                    let end = value.find(',').unwrap_or(value.len());
                    assert!(value[..end].bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._".contains(&byte)), "{line}");
                    (value[..end].to_owned(), &value[end..])
                }
            };
            match key {
                "label" => label = value,
                "xlabel" => beside = value,
                _ => {}
            }
            rest = if after.is_empty() { "" } else { after.strip_prefix(", ").expect(line) };
        }
        match subject.split_once(" -> ") {
            Some((from, to)) => {
                assert!(mermaid::is_id(from) && mermaid::is_id(to), "{line}");
                edges.push((
                    from.to_owned(),
                    label.replacen('\n', " ", usize::from(label.contains("\nat most ") || label.contains("\nelse, "))),
                    to.to_owned(),
                ));
            }
            None => {
                assert!(mermaid::is_id(subject), "{line}");
                nodes.push((subject.to_owned(), if beside.is_empty() { label } else { beside }));
            }
        }
    }
    assert_eq!(open, 0);
    (nodes, edges)
}

/// A string in quotes, as Graphviz shows it, and what stands behind it.
fn quoted(text: &str) -> Option<(String, &str)> {
    let text = text.strip_prefix('"')?;
    let mut value = String::new();
    let mut chars = text.char_indices();
    while let Some((at, c)) = chars.next() {
        match c {
            '"' => return Some((value.replace("&amp;", "&"), &text[at + 1..])),
            '\\' => value.push(match chars.next()?.1 {
                'n' => '\n',
                c @ ('"' | '\\') => c,
                other => panic!("\\{other} means something to Graphviz: {text}"),
            }),
            '&' => {
                assert!(text[at..].starts_with("&amp;"), "{text}");
                value.push('&');
            }
            c => value.push(c),
        }
    }
    None
}
