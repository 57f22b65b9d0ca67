//! Mermaid: read back by a small strict reader.

use graphwright::topology::{Origin, Place, Role, Target, Topology, Way, WayKind};

use super::agent::{AGENT, agent, place};
use super::graphs;
use super::labels::{HOSTILE, shown};
use super::random::{Random, rounds};

#[test]
fn an_agent() {
    let expected = r##"flowchart TD
    s((" "))
    n0(["react"])
    n1("? elicitation")
    n2[["Run the tools"]]
    n3("? approve")
    n4("give_up")
    n5[/"? research"\]
    c2{{"next"}}
    e0((("end")))
    e1((("failed")))
    s --> n0
    n0 ==>|"if ask_user_pending"| n1
    n0 --> c2
    c2 -->|"Tools at most 8"| n2
    c2 -->|"Tools else, after 8"| n4
    c2 -->|"Approve"| n3
    c2 -->|"Search"| n5
    c2 -->|"Finish"| e0
    n1 -.-> n0
    n2 -.-> n0
    n3 -->|"Approve #124; Edit"| e0
    n3 -.->|"Declined"| n0
    n4 --> e1
    n5 -.-> n0
"##;
    assert_eq!(AGENT.mermaid(), expected);
    assert_eq!(AGENT.diagram().mermaid(), expected);
}

#[test]
fn a_mounted_graph_is_opened_up() {
    let expected = r##"flowchart TD
    s((" "))
    n0(["plan"])
    subgraph n1["research"]
        n1_s((" "))
        n1_n0[["search"]]
        n1_n1{{"judge"}}
        n1_e0((("end")))
        n1_e1((("nothing_found")))
        n1_s --> n1_n0
        n1_n0 --> n1_n1
        n1_n1 -.->|"Again"| n1_n0
        n1_n1 -->|"Enough"| n1_e0
        n1_n1 -->|"Nothing"| n1_e1
    end
    n2(["write"])
    n3("report")
    e0((("end")))
    e1((("failed")))
    s --> n0
    n0 --> n1_s
    n1_e0 -->|"end"| n2
    n1_e1 -.->|"nothing_found"| n0
    n1 -.->|"on error"| n3
    n2 --> e0
    n3 --> e1
"##;
    assert_eq!(graphs::research().diagram().depth(1).mermaid(), expected);
}

#[test]
fn what_is_drawn_is_read_back_whatever_the_labels_hold() {
    let mut random = Random(1);
    let mut labels: Vec<&'static str> = HOSTILE.to_vec();
    labels.extend((0..rounds().max(4_000)).map(|_| &*random.label().leak()));
    let mut drawn = 0;
    for round in 0..rounds() {
        let topology = random.flat(&labels, round);
        let text = topology.mermaid();
        let (nodes, edges) = read(&text);
        assert_eq!(nodes, expected_nodes(&topology), "{text}");
        assert_eq!(edges.iter().map(Edge::plain).collect::<Vec<_>>(), expected_edges(&topology), "{text}");
        loops_are_dotted(&topology, &nodes, &edges);
        drawn += nodes.len() + edges.len();
    }
    println!("{drawn} labels, each in its place");
    assert!(drawn > 20_000);
}

#[test]
fn a_writer_that_does_not_escape_is_caught() {
    // The same text with its entities read: what a writer without escapes would have written.
    let caught = HOSTILE.iter().filter(|label| {
        let places = vec![Place { title: Some(label), ..place("a", Role::Plain) }].leak();
        let topology = Topology { places, ways: &[], ..agent() };
        let raw: String = topology.mermaid().lines().map(|line| decode(line) + "\n").collect();
        std::panic::catch_unwind(|| read(&raw)).map_or(true, |(nodes, _)| nodes != expected_nodes(&topology))
    });
    assert!(caught.count() > HOSTILE.len() / 2);
}

#[test]
fn numbers_that_lead_nowhere_do_no_harm() {
    // Made by hand; `graph!` makes none.
    let ways = &[
        Way { from: Origin::Place(9), to: Target::Place(8), kind: WayKind::Always },
        Way { from: Origin::Start, to: Target::End(7), kind: WayKind::Always },
        Way { from: Origin::Start, to: Target::Fork(7), kind: WayKind::Always },
        Way { from: Origin::Join(3), to: Target::Join(7), kind: WayKind::Always },
    ];
    let topology = Topology { places: &[], ways, exits: &[], ..agent() };
    assert_eq!(topology.mermaid(), "flowchart TD\n    s((\" \"))\n");
    assert!(topology.json().contains("\"ways\""));
    let diagram = topology.diagram().depth(3);
    for text in [diagram.svg(), diagram.text(), diagram.ascii(), diagram.dot(), diagram.state_diagram(), diagram.json()] {
        assert!(!text.is_empty());
    }
}

// ---------------------------------------------------------------- what is expected

/// Id, brackets, label.
type Node = (String, &'static str, String);

fn named(label: &str) -> String {
    if label.is_empty() { " ".to_owned() } else { shown(label) }
}

/// The router behind a place, if it has a choice of several ways, and the number of its first way.
fn choice(topology: &Topology, origin: Origin) -> Option<(usize, &'static str)> {
    let arms: Vec<(usize, WayKind)> = topology
        .ways_out_of(origin)
        .filter(|(_, way)| matches!(way.kind, WayKind::Arm { .. }))
        .map(|(number, way)| (number, way.kind))
        .collect();
    match arms.first() {
        Some((number, WayKind::Arm { router: Some(router), .. })) if arms.len() > 1 => Some((*number, router)),
        _ => None,
    }
}

fn origins(topology: &Topology) -> Vec<Origin> {
    let places = (0..topology.places.len()).map(|place| Origin::Place(u16::try_from(place).unwrap()));
    std::iter::once(Origin::Start).chain(places).collect()
}

fn expected_nodes(topology: &Topology) -> Vec<Node> {
    let mut nodes = vec![("s".to_owned(), "(())", " ".to_owned())];
    for (number, place) in topology.places.iter().enumerate() {
        let origin = Origin::Place(u16::try_from(number).unwrap());
        let own = topology.ways_out_of(origin).filter(|(_, way)| matches!(way.kind, WayKind::Arm { router: None, .. })).count();
        let brackets = match place.role {
            Role::Graph => "[/\\]",
            Role::Elicitation | Role::Interrupt => "()",
            _ if own > 1 => "{{}}",
            Role::Model => "([])",
            Role::Tools => "[[]]",
            _ => "()",
        };
        let asks = place.pauses || matches!(place.role, Role::Elicitation | Role::Interrupt);
        let label = named(place.title.unwrap_or(place.name));
        nodes.push((format!("n{number}"), brackets, if asks { format!("? {label}") } else { label }));
    }
    let mut choices: Vec<(usize, &str)> = origins(topology).into_iter().filter_map(|origin| choice(topology, origin)).collect();
    choices.sort_unstable();
    nodes.extend(choices.iter().map(|(number, router)| (format!("c{number}"), "{{}}", named(router))));
    for (number, exit) in topology.exits.iter().enumerate() {
        if topology.ways.iter().any(|way| way.to == Target::End(u16::try_from(number).unwrap())) {
            nodes.push((format!("e{number}"), "((()))", named(exit)));
        }
    }
    nodes
}

fn expected_edges(topology: &Topology) -> Vec<(String, String, String)> {
    let mut edges = Vec::new();
    for (number, way) in topology.ways.iter().enumerate() {
        let mut from = match way.from {
            Origin::Place(from) => format!("n{from}"),
            _ => "s".to_owned(),
        };
        if let (WayKind::Arm { .. }, Some((first, _))) = (way.kind, choice(topology, way.from)) {
            let choice = format!("c{first}");
            if first == number {
                edges.push((from, String::new(), choice.clone()));
            }
            from = choice;
        }
        let to = match way.to {
            Target::Place(to) => format!("n{to}"),
            Target::End(exit) => format!("e{exit}"),
            _ => continue,
        };
        let label = match way.kind {
            WayKind::If { router, .. } => format!("if {}", shown(router)),
            WayKind::Arm { label, .. } => shown(label),
            WayKind::Error => "on error".to_owned(),
            _ => String::new(),
        };
        edges.push((from, label, to));
    }
    edges
}

/// Without its dotted arrows the picture has no loop, and each of them closes one or leads away from an error.
fn loops_are_dotted(topology: &Topology, nodes: &[Node], edges: &[Edge]) {
    let number = |id: &str| nodes.iter().position(|node| node.0 == id).unwrap();
    let leads = |taken: &dyn Fn(&Edge) -> bool| {
        let mut leads = vec![vec![false; nodes.len()]; nodes.len()];
        for edge in edges.iter().filter(|edge| taken(edge)) {
            leads[number(&edge.from)][number(&edge.to)] = true;
        }
        for via in 0..nodes.len() {
            for from in 0..nodes.len() {
                for to in 0..nodes.len() {
                    leads[from][to] |= leads[from][via] && leads[via][to];
                }
            }
        }
        leads
    };
    // A gate that leads back is thick.
    let (all, solid) = (leads(&|_| true), leads(&|edge| edge.arrow == "-->"));
    assert!((0..nodes.len()).all(|node| !solid[node][node]), "{}", topology.mermaid());
    for edge in edges.iter().filter(|edge| edge.arrow == "-.->" && edge.label != "on error") {
        assert!(edge.from == edge.to || all[number(&edge.to)][number(&edge.from)], "{}", topology.mermaid());
    }
}

// ---------------------------------------------------------------- a small reader of Mermaid

pub(super) struct Edge {
    pub(super) from: String,
    pub(super) label: String,
    pub(super) to: String,
    pub(super) arrow: &'static str,
}

impl Edge {
    fn plain(&self) -> (String, String, String) {
        (self.from.clone(), self.label.clone(), self.to.clone())
    }
}

/// Reads nodes and edges, strictly: anything else panics.
pub(super) fn read(text: &str) -> (Vec<Node>, Vec<Edge>) {
    let (mut nodes, mut edges) = (Vec::new(), Vec::new());
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some("flowchart TD"));
    let mut open = 1;
    for whole in lines {
        let line = whole.trim_start();
        if line == "end" {
            open -= 1;
            assert!(open > 0, "{whole}");
        }
        assert_eq!(whole.len() - line.len(), 4 * open, "{whole}");
        if line == "end" {
            continue;
        }
        let (frame, line) = match line.strip_prefix("subgraph ") {
            Some(line) => (true, line),
            None => (false, line),
        };
        open += usize::from(frame);
        let id_len = line.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').expect(line);
        let (id, rest) = line.split_at(id_len);
        assert!(is_id(id), "{line}");
        if let Some(rest) = rest.strip_prefix(' ') {
            let arrow = ["-.->", "==>", "-->"].into_iter().find(|arrow| rest.starts_with(arrow)).expect(line);
            let rest = rest.strip_prefix(arrow).unwrap();
            let (label, rest) = match rest.strip_prefix("|\"") {
                Some(rest) => rest.split_once("\"|").expect(line),
                None => ("", rest),
            };
            let to = rest.strip_prefix(' ').expect(line);
            assert!(is_id(to), "{line}");
            edges.push(Edge { from: id.to_owned(), label: decode_strictly(label), to: to.to_owned(), arrow });
        } else {
            let brackets: &[&str] = if frame { &["[]"] } else { &["((()))", "(())", "([])", "[[]]", "{{}}", "[/\\]", "[//]", "()"] };
            let (brackets, label) = brackets
                .iter()
                .find_map(|brackets| {
                    let (open, close) = brackets.split_at(brackets.len() / 2);
                    Some((*brackets, rest.strip_prefix(open)?.strip_prefix('"')?.strip_suffix(close)?.strip_suffix('"')?))
                })
                .expect(line);
            nodes.push((id.to_owned(), brackets, decode_strictly(label)));
        }
    }
    (nodes, edges)
}

/// Ids are made up of a letter and a number, for each graph that it is in.
pub(super) fn is_id(id: &str) -> bool {
    id.split('_').all(|part| {
        part == "s" || (part.starts_with(['n', 'e', 'c', 'f', 'j']) && part.len() > 1 && part[1..].bytes().all(|b| b.is_ascii_digit()))
    })
}

/// A label holds no character that Mermaid or HTML could read, but for `#` and `;` around the number of one.
pub(super) fn decode_strictly(label: &str) -> String {
    assert!(!label.contains(['"', '\'', '<', '>', '&', '$', '\\', '`', '{', '}', '[', ']', '(', ')', '|', '%', ':', '\n']), "{label}");
    decode(label)
}

fn decode(label: &str) -> String {
    let mut text = String::new();
    let mut rest = label;
    while let Some((before, entity)) = rest.split_once('#') {
        let (number, after) = entity.split_once(';').expect(label);
        text.push_str(before);
        text.push(char::from_u32(number.parse().expect(label)).expect(label));
        rest = after;
    }
    text + rest
}
