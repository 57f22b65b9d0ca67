//! The graph as JSON by itself, its fingerprint, and looking things up in it.

use std::collections::BTreeSet;

use graphwright::topology::{
    Fork, ForkKind, Origin, OriginData, Place, Role, Target, TargetData, Topology, TopologyData, Way, WayKind, WhenData,
};

use super::agent::{AGENT, agent, with_place, with_way};
use super::graphs;

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
fn what_is_read_back_is_the_same_graph_and_drawn_the_same() {
    for (name, topology) in graphs::all() {
        let read: TopologyData = serde_json::from_str(&topology.json()).unwrap();
        let back = read.leak().unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(TopologyData::from(back), read, "{name}");
        assert_eq!(back.diagram().depth(3).svg(), topology.diagram().depth(3).svg(), "{name}");
    }
}

#[test]
fn data_that_is_no_graph_is_told() {
    type Plant = fn(&mut TopologyData);
    let plants: [(&str, Plant); 4] = [
        ("nobody", |data| data.ways[1].to = TargetData::Place("nobody".into())),
        ("noone", |data| data.ways[1].from = OriginData::Place("noone".into())),
        ("nowhere", |data| data.ways[6].to = TargetData::End("nowhere".into())),
        ("wizard", |data| data.places[0].role = "wizard".into()),
    ];
    for (name, plant) in plants {
        let mut data = TopologyData::from(&AGENT);
        plant(&mut data);
        let said = data.leak().unwrap_err().to_string();
        assert!(said.starts_with(&format!("`{name}` stands for nothing in `")), "{said}");
    }
}

#[test]
fn the_fingerprint_is_the_same_in_every_build() {
    let hex: String = AGENT.fingerprint().iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(hex, "7d3ec89de46e7e0b94b019ab74048eb307a03b3d6554c9766a3c81648bae0863");
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
        forked(ForkKind::All, None, None),
        forked(ForkKind::Some, Some("which"), None),
        forked(ForkKind::Each, Some("which"), None),
        forked(ForkKind::Each, Some("items"), None),
        forked(ForkKind::Each, Some("items"), Some("which")),
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

fn forked(kind: ForkKind, router: Option<&'static str>, by: Option<&'static str>) -> Topology {
    Topology { forks: vec![Fork { kind, router, by, join: None }].leak(), ..agent() }
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
