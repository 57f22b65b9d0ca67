//! The picture is the program: what is drawn is read back as the same graph, whatever its labels hold.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use std::collections::BTreeSet;

use graphwright::topology::{
    Facts, Fork, ForkKind, Origin, OriginData, Place, Role, Target, TargetData, Topology, TopologyData, Way, WayKind, WhenData,
};

#[test]
fn mermaid_of_an_agent() {
    let expected = r##"flowchart TD
    s((" "))
    n0(["react"])
    n1{{"? elicitation"}}
    n2[["Run the tools"]]
    n3{{"? approve"}}
    n4("give_up")
    n5[/"? research"\]
    e0((("end")))
    e1((("failed")))
    s --> n0
    n0 -->|"if ask_user_pending"| n1
    n0 -->|"Tools at most 8"| n2
    n0 -->|"Tools else, after 8"| n4
    n0 -->|"Approve"| n3
    n0 -->|"Search"| n5
    n0 -->|"Finish"| e0
    n1 -.-> n0
    n2 -.-> n0
    n3 -->|"Approve #124; Edit"| e0
    n3 -.->|"Declined"| n0
    n4 --> e1
    n5 -.-> n0
"##;
    assert_eq!(AGENT.mermaid(), expected);
}

#[test]
fn json_of_an_agent_is_read_back() {
    let json = AGENT.json();
    let read: TopologyData = serde_json::from_str(&json).unwrap();
    assert_eq!(read, TopologyData::from(&AGENT));
    assert_eq!(json, serde_json::to_string_pretty(&AGENT).unwrap());

    assert_eq!((read.name.as_str(), read.version, read.steps, read.endless), ("SupportAgent", 3, 100, false));
    assert_eq!(read.fingerprint.len(), 64);
    let tools = &read.places[2];
    assert_eq!((tools.name.as_str(), tools.node.as_str(), tools.title.as_deref()), ("tools", "run_tools", Some("Run the tools")));
    assert_eq!((tools.role.as_str(), tools.docs.as_str(), tools.file.as_str(), tools.line), ("tools", "Runs them.", "src/a.rs", 12));
    assert_eq!(read.places.iter().filter(|place| place.asks).map(|place| place.name.as_str()).collect::<Vec<_>>(), ["react"]);
    assert_eq!(read.ways[0].from, OriginData::Start);
    assert_eq!(read.ways[1].to, TargetData::Place("elicitation".into()));
    assert_eq!(read.ways[1].when, WhenData::If { router: "ask_user_pending".into(), gate: true });
    assert_eq!(read.ways[3].when, WhenData::Else { at_most: 8, label: "Tools".into() });
    assert_eq!(read.ways[6].to, TargetData::End("end".into()));
    assert_eq!(read.ways.last().unwrap().to, TargetData::Never);

    // The forms that other languages read.
    let value: serde_json::Value = serde_json::from_str(&json).unwrap();
    let way = serde_json::json!({
        "from": {"place": "react"},
        "to": {"place": "elicitation"},
        "when": {"kind": "if", "router": "ask_user_pending", "gate": true},
    });
    assert_eq!(value["ways"][1], way);
    assert_eq!(value["ways"].as_array().unwrap().last().unwrap()["to"], "never");
}

#[test]
fn the_fingerprint_is_the_same_in_every_build() {
    let hex: String = AGENT.fingerprint().iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(hex, "9f276050a5de5d0e0d7ce91276db3b359ac1d24dc70cc8cbb94a71e02ea7a120");
}

#[test]
fn the_fingerprint_sees_what_a_paused_thread_depends_on_and_nothing_else() {
    let mut same: Vec<Topology> = vec![
        Topology { docs: "Others.", ..agent() },
        Topology { file: "src/other.rs", line: 99, ..agent() },
        Topology { version: 4, steps: 5, endless: true, ..agent() },
    ];
    same.extend((0..AGENT.places.len()).map(|n| {
        with_place(n, |place| {
            *place = Place { title: Some("Another"), docs: "Others.", file: "src/other.rs", line: 99, ..*place };
        })
    }));
    for (n, topology) in same.iter().enumerate() {
        assert_eq!(topology.fingerprint(), AGENT.fingerprint(), "change {n}");
    }

    let mut other: Vec<Topology> = vec![
        agent(),
        Topology { name: "Support", ..agent() },
        Topology { exits: &["end", "gone"], ..agent() },
        Topology { exits: &["end", "failed", "more"], ..agent() },
        Topology { places: &AGENT.places[..5], ..agent() },
        Topology { ways: &AGENT.ways[..5], ..agent() },
        // An order of ways is a program.
        {
            let mut ways = AGENT.ways.to_vec();
            ways.swap(1, 2);
            Topology { ways: ways.leak(), ..agent() }
        },
    ];
    for n in 0..AGENT.places.len() {
        other.push(with_place(n, |place| place.name = "renamed"));
        other.push(with_place(n, |place| place.node = "another"));
        other.push(with_place(n, |place| place.asks = !place.asks));
        other.push(with_place(n, |place| place.pauses = !place.pauses));
        other.push(with_place(n, |place| place.role = if place.role == Role::Model { Role::Plain } else { Role::Model }));
    }
    for n in 0..AGENT.ways.len() {
        other.push(with_way(n, |way| way.from = if way.from == Origin::Place(5) { Origin::Start } else { Origin::Place(5) }));
        other.push(with_way(n, |way| way.to = if way.to == Target::Place(5) { Target::Never } else { Target::Place(5) }));
        other.push(with_way(n, |way| way.to = if way.to == Target::End(1) { Target::Place(1) } else { Target::End(1) }));
        other.push(with_way(n, |way| way.kind = WayKind::Arm { router: Some("elsewhere"), label: "Tools" }));
        other.push(with_way(n, |way| way.kind = WayKind::Arm { router: None, label: "Tools" }));
        other.push(with_way(n, |way| way.kind = WayKind::If { router: "ask_user_pending", gate: false }));
        other.push(with_way(n, |way| way.kind = WayKind::Else { at_most: 9, label: "Tools" }));
    }
    let prints: BTreeSet<[u8; 32]> = other.iter().map(Topology::fingerprint).collect();
    assert_eq!(prints.len(), other.len());
}

#[test]
fn places_and_ways_are_looked_up() {
    assert_eq!(AGENT.place("tools").map(|place| place.node), Some("run_tools"));
    assert_eq!(AGENT.place_index("tools"), Some(2));
    assert!(AGENT.place("run_tools").is_none() && AGENT.place_index("").is_none());
    let numbers = |ways: &mut dyn Iterator<Item = (usize, &'static Way)>| ways.map(|(number, _)| number).collect::<Vec<_>>();
    assert_eq!(numbers(&mut AGENT.ways_out_of(Origin::Start)), [0]);
    assert_eq!(numbers(&mut AGENT.ways_out_of(Origin::Place(3))), [9, 10, 13]);
    assert_eq!(numbers(&mut AGENT.ways_into(0)), [0, 7, 8, 10, 12]);
    assert_eq!(numbers(&mut AGENT.ways_out_of(Origin::Place(99))), [0; 0]);
}

#[test]
fn what_is_drawn_is_read_back_whatever_the_labels_hold() {
    let mut random = Random(1);
    let mut labels: Vec<&'static str> = HOSTILE.to_vec();
    labels.extend((0..4_000).map(|_| &*random.label().leak()));
    let mut drawn = 0;
    for round in 0..3_000 {
        let topology = random.topology(&labels, round);
        let text = topology.mermaid();
        let (nodes, edges) = read(&text);
        assert_eq!(nodes, expected_nodes(&topology), "{text}");
        assert_eq!(edges.iter().map(|edge| edge.plain()).collect::<Vec<_>>(), expected_edges(&topology), "{text}");
        loops_are_dotted(&topology, &edges);
        drawn += nodes.len() + edges.len();
    }
    assert!(drawn > 20_000, "only {drawn} nodes and edges");
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
    ];
    let topology = Topology { places: &[], ways, exits: &[], ..agent() };
    assert!(topology.mermaid().contains("n9 --> n8"));
    assert!(topology.json().contains("\"ways\""));
}

// ---------------------------------------------------------------- the graph of these tests

const fn place(name: &'static str, role: Role) -> Place {
    Place {
        name,
        node: name,
        title: None,
        role,
        asks: false,
        pauses: false,
        docs: "",
        file: "",
        line: 0,
        needs_approval: false,
        approves: false,
        facts: Facts::NONE,
        graph: None,
    }
}

const fn way(from: u16, to: Target, kind: WayKind) -> Way {
    Way { from: Origin::Place(from), to, kind }
}

const fn routed(label: &'static str) -> WayKind {
    WayKind::Arm { router: Some("next"), label }
}

const fn own(label: &'static str) -> WayKind {
    WayKind::Arm { router: None, label }
}

static AGENT: Topology = agent();

const fn agent() -> Topology {
    const PLACES: &[Place] = &[
        Place { asks: true, ..place("react", Role::Model) },
        Place { pauses: true, ..place("elicitation", Role::Elicitation) },
        Place {
            node: "run_tools",
            title: Some("Run the tools"),
            docs: "Runs them.",
            file: "src/a.rs",
            line: 12,
            ..place("tools", Role::Tools)
        },
        Place { pauses: true, ..place("approve", Role::Interrupt) },
        place("give_up", Role::Plain),
        Place { pauses: true, ..place("research", Role::Graph) },
    ];
    const WAYS: &[Way] = &[
        Way { from: Origin::Start, to: Target::Place(0), kind: WayKind::Always },
        way(0, Target::Place(1), WayKind::If { router: "ask_user_pending", gate: true }),
        way(0, Target::Place(2), routed("Tools")),
        way(0, Target::Place(4), WayKind::Else { at_most: 8, label: "Tools" }),
        way(0, Target::Place(3), routed("Approve")),
        way(0, Target::Place(5), routed("Search")),
        way(0, Target::End(0), routed("Finish")),
        way(1, Target::Place(0), WayKind::Always),
        way(2, Target::Place(0), WayKind::Always),
        way(3, Target::End(0), own("Approve | Edit")),
        way(3, Target::Place(0), own("Declined")),
        way(4, Target::End(1), WayKind::Always),
        way(5, Target::Place(0), WayKind::Always),
        way(3, Target::Never, own("Cancelled")),
    ];
    Topology {
        name: "SupportAgent",
        version: 3,
        docs: "Answers support tickets.",
        file: "src/lib.rs",
        line: 7,
        places: PLACES,
        forks: &[],
        ways: WAYS,
        exits: &["end", "failed"],
        steps: 100,
        endless: false,
        unreachable: false,
    }
}

fn with_place(number: usize, change: impl Fn(&mut Place)) -> Topology {
    let mut places = AGENT.places.to_vec();
    change(&mut places[number]);
    Topology { places: places.leak(), ..agent() }
}

fn with_way(number: usize, change: impl Fn(&mut Way)) -> Topology {
    let mut ways = AGENT.ways.to_vec();
    change(&mut ways[number]);
    Topology { ways: ways.leak(), ..agent() }
}

// ---------------------------------------------------------------- labels

const HOSTILE: [&str; 30] = [
    "\"]",
    "a\"] --> n9[\"b",
    "a\"]\n    click n0 \"javascript:alert(1)\"",
    "%%{init: {'securityLevel': 'loose'}}%%",
    "%% comment",
    "</script><script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "$$\\href{javascript:alert(1)}{x}$$",
    "`**bold**`",
    "1. list",
    "- list",
    "# heading",
    "style x fill:#fff;",
    "classDef x fill:#fff;",
    "n0:::x@{shape: cat}",
    "end",
    "subgraph",
    "#quot;",
    "#35;",
    "&quot;&#34;&amp;",
    "a|b",
    "{{}} (()) [[]] {[(",
    "back\\slash\\\"",
    "two\nlines\r\nand\ta tab",
    "\u{202e}desrever\u{202c}",
    "zero\u{200b}width\u{feff}",
    "\u{1b}[31mred\u{1b}]0;title\u{7}",
    "🙂 Grüße, 你好; שלום",
    "👨\u{200d}👩\u{200d}👧",
    "",
];

/// SplitMix64: the same labels on every machine.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((z ^ (z >> 31)) % bound as u64).unwrap()
    }

    fn label(&mut self) -> String {
        let pieces = [
            "\"", "]", "|", "#", ";", "&", "<", ">", "%%", "-->", "\n", "\\", "`", "$", "end", "quot", "34", "n0", " ", "ß", "🙂",
            "\u{2067}",
        ];
        let piece = |random: &mut Self| match random.below(3) {
            0 => char::from_u32(u32::try_from(random.below(0x2_0000)).unwrap()).map_or_else(String::new, String::from),
            1 => char::from(u8::try_from(random.below(128)).unwrap()).to_string(),
            _ => pieces[random.below(pieces.len())].to_owned(),
        };
        (0..self.below(12)).map(|_| piece(self)).collect()
    }

    fn topology(&mut self, labels: &[&'static str], round: usize) -> Topology {
        // Every hostile label comes up, and then any.
        let first = labels[round % labels.len()];
        let text = |random: &mut Self| if random.below(3) == 0 { first } else { labels[random.below(labels.len())] };
        let roles = [Role::Plain, Role::Model, Role::Tools, Role::Elicitation, Role::Interrupt, Role::Graph];
        let places: Vec<Place> = (0..1 + self.below(6))
            .map(|_| {
                let name = text(self);
                let title = if self.below(2) == 0 { Some(text(self)) } else { None };
                Place { title, pauses: self.below(4) == 0, ..place(name, roles[self.below(roles.len())]) }
            })
            .collect();
        let exits: Vec<&'static str> = (0..1 + self.below(3)).map(|_| text(self)).collect();
        let ways: Vec<Way> = (0..self.below(12))
            .map(|_| {
                let label = text(self);
                let kind = match self.below(4) {
                    0 => WayKind::Always,
                    1 => WayKind::If { router: label, gate: self.below(2) == 0 },
                    2 => own(label),
                    _ => routed(label),
                };
                let to = match self.below(6) {
                    0 => Target::Never,
                    1 => Target::End(u16::try_from(self.below(exits.len())).unwrap()),
                    _ => Target::Place(u16::try_from(self.below(places.len())).unwrap()),
                };
                let from = if self.below(6) == 0 { None } else { Some(u16::try_from(self.below(places.len())).unwrap()) };
                Way { from, to, kind }
            })
            .collect();
        Topology { places: places.leak(), ways: ways.leak(), exits: exits.leak(), ..agent() }
    }
}

// ---------------------------------------------------------------- what is expected

/// Id, brackets, label.
type Node = (String, &'static str, String);

/// A label as it is seen: nothing hides, and a node has one.
fn shown(label: &str) -> String {
    if label.is_empty() {
        return " ".to_owned();
    }
    let hides = |c: char| {
        (c.is_control() && c != '\n')
            || matches!(c, '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2028}' | '\u{2029}' | '\u{2060}'..='\u{2069}' | '\u{feff}')
    };
    label.chars().map(|c| if hides(c) { '\u{fffd}' } else { c }).collect()
}

fn expected_nodes(topology: &Topology) -> Vec<Node> {
    let mut nodes = vec![("s".to_owned(), "(())", " ".to_owned())];
    for (number, place) in topology.places.iter().enumerate() {
        let asks = place.pauses || matches!(place.role, Role::Elicitation | Role::Interrupt);
        let brackets = match place.role {
            Role::Graph => "[/\\]",
            _ if asks => "{{}}",
            Role::Model => "([])",
            Role::Tools => "[[]]",
            _ => "()",
        };
        let label = shown(place.title.unwrap_or(place.name));
        nodes.push((format!("n{number}"), brackets, if asks { format!("? {label}") } else { label }));
    }
    nodes.extend(topology.exits.iter().enumerate().map(|(number, exit)| (format!("e{number}"), "((()))", shown(exit))));
    nodes
}

fn expected_edges(topology: &Topology) -> Vec<(String, String, String)> {
    let edge = |way: &Way| {
        let to = match way.to {
            Target::Place(to) => format!("n{to}"),
            Target::End(exit) => format!("e{exit}"),
            Target::Never => return None,
        };
        let label = match way.kind {
            WayKind::Always => String::new(),
            WayKind::If { router: "", .. } => "if ".to_owned(),
            WayKind::If { router, .. } => format!("if {}", shown(router)),
            WayKind::Arm { label: "", .. } => String::new(),
            WayKind::Arm { label, .. } | WayKind::Else { label, .. } => shown(label),
        };
        Some((way.from.map_or_else(|| "s".to_owned(), |from| format!("n{from}")), label, to))
    };
    topology.ways.iter().filter_map(edge).collect()
}

/// Without its dotted arrows the picture has no loop, and each of them closes one.
fn loops_are_dotted(topology: &Topology, edges: &[Edge]) {
    let places = topology.places.len();
    let leads = |with_dotted: bool| {
        let mut leads = vec![vec![false; places]; places];
        for edge in edges.iter().filter(|edge| with_dotted || !edge.dotted) {
            if let (Some(from), Some(to)) = (edge.from.strip_prefix('n'), edge.to.strip_prefix('n')) {
                leads[from.parse::<usize>().unwrap()][to.parse::<usize>().unwrap()] = true;
            }
        }
        for via in 0..places {
            for from in 0..places {
                for to in 0..places {
                    leads[from][to] |= leads[from][via] && leads[via][to];
                }
            }
        }
        leads
    };
    let (all, solid) = (leads(true), leads(false));
    assert!((0..places).all(|place| !solid[place][place]), "{}", topology.mermaid());
    for edge in edges.iter().filter(|edge| edge.dotted) {
        let number = |id: &str| id[1..].parse::<usize>().unwrap();
        assert!(edge.from == edge.to || all[number(&edge.to)][number(&edge.from)], "{}", topology.mermaid());
    }
}

// ---------------------------------------------------------------- a small reader of Mermaid

struct Edge {
    from: String,
    label: String,
    to: String,
    dotted: bool,
}

impl Edge {
    fn plain(&self) -> (String, String, String) {
        (self.from.clone(), self.label.clone(), self.to.clone())
    }
}

/// Reads nodes and edges, strictly: anything else panics.
fn read(text: &str) -> (Vec<Node>, Vec<Edge>) {
    let (mut nodes, mut edges) = (Vec::new(), Vec::new());
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some("flowchart TD"));
    for line in lines {
        let line = line.strip_prefix("    ").expect(line);
        let id_len = line.find(|c: char| !c.is_ascii_alphanumeric()).expect(line);
        let (id, rest) = line.split_at(id_len);
        assert!(id == "s" || (id.len() > 1 && id.starts_with(['n', 'e']) && id[1..].bytes().all(|b| b.is_ascii_digit())), "{line}");
        if let Some(arrow) = rest.strip_prefix(' ') {
            let (dotted, rest) = match arrow.strip_prefix("-.->") {
                Some(rest) => (true, rest),
                None => (false, arrow.strip_prefix("-->").expect(line)),
            };
            let (label, rest) = match rest.strip_prefix("|\"") {
                Some(rest) => rest.split_once("\"|").expect(line),
                None => ("", rest),
            };
            let to = rest.strip_prefix(' ').expect(line);
            assert!(to.bytes().all(|b| b.is_ascii_alphanumeric()), "{line}");
            edges.push(Edge { from: id.to_owned(), label: decode_strictly(label), to: to.to_owned(), dotted });
        } else {
            let brackets = ["((()))", "(())", "([])", "[[]]", "{{}}", "[/\\]", "()"];
            let (brackets, label) = brackets
                .into_iter()
                .find_map(|brackets| {
                    let (open, close) = brackets.split_at(brackets.len() / 2);
                    Some((brackets, rest.strip_prefix(open)?.strip_prefix('"')?.strip_suffix(close)?.strip_suffix('"')?))
                })
                .expect(line);
            nodes.push((id.to_owned(), brackets, decode_strictly(label)));
        }
    }
    (nodes, edges)
}

/// A label holds no character that Mermaid or HTML could read, but for `#` and `;` around the number of one.
fn decode_strictly(label: &str) -> String {
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
