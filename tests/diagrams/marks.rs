//! A run, drawn over its graph.

use graphwright::diagram::{Mark, Marks};
use graphwright::topology::Place;

use super::graphs;
use super::xml;

fn marks() -> Marks {
    let inner = Marks::new().place("ask", Mark::Paused).way(0, 1);
    Marks::new()
        .place("react", Mark::Visited)
        .place("elicitation", Mark::Failed)
        .place("tool_call", Mark::Active)
        .way(0, 1)
        .way(2, 2)
        .way(2, 1)
        .way(4, 3)
        .within("tool_call", inner)
}

#[test]
fn what_was_not_visited_steps_back() {
    let marks = marks();
    let support = graphs::support();
    let svg = xml::read(&support.diagram().depth(1).with(&marks).svg());
    let faint = |name: &str| svg.all("g", "gw-node").into_iter().find(|node| node.texts().trim() == name).unwrap().get("opacity").is_some();
    assert_eq!(["react", "give_up", "next", "run"].map(faint), [false, true, false, true]);
    let plain = xml::read(&support.diagram().depth(1).svg());
    assert!(plain.all("g", "gw-node").iter().all(|node| node.get("opacity").is_none()));
    // The way to the choice was taken as often as one of its arms.
    assert_eq!(svg.texts().matches("×3").count(), 3, "{}", svg.texts());
}

#[test]
fn each_mark_has_a_ring_of_its_own() {
    let svg = graphs::support().diagram().depth(1).with(&marks()).svg();
    assert_eq!(svg.matches("stroke-width=\"2.5\"").count(), 3, "failed, paused, and the frame of the active one");
    let svg = graphs::support().diagram().with(&marks()).svg();
    assert_eq!(svg.matches("stroke-width=\"2.5\"").count(), 2, "failed and active");
}

#[test]
fn the_terminal_shows_them_too() {
    let marks = marks();
    let support = graphs::support();
    let diagram = support.diagram().depth(1).with(&marks);
    for sign in ["✓ react", "✗ ? elicitation", "‖ ? ask", "×3"] {
        assert!(diagram.text().contains(sign), "{sign}\n{}", diagram.text());
    }
    for sign in ["* react", "! ? elicitation", "= ? ask", "x3"] {
        assert!(diagram.ascii().contains(sign), "{sign}\n{}", diagram.ascii());
    }
}

#[test]
fn any_run_over_any_graph_is_well_formed() {
    let each = [Mark::None, Mark::Visited, Mark::Active, Mark::Paused, Mark::Failed];
    for (name, topology) in graphs::all() {
        for shift in 0..each.len() {
            let mark = |marks: Marks, (number, place): (usize, &Place)| marks.place(place.name, each[(number + shift) % each.len()]);
            let mut marks = topology.places.iter().enumerate().fold(Marks::new(), mark);
            for way in (0..topology.ways.len()).filter(|way| (way + shift) % 2 == 0) {
                marks = marks.way(way, 1 + u64::try_from(shift).unwrap());
            }
            for place in topology.places.iter().filter(|place| place.graph.is_some()) {
                marks = marks.clone().within(place.name, marks.clone());
            }
            let diagram = topology.diagram().depth(2).with(&marks);
            let nodes = xml::read(&diagram.svg()).all("g", "gw-node").len();
            assert_eq!(nodes, xml::read(&topology.diagram().depth(2).svg()).all("g", "gw-node").len(), "{name}");
            assert!(!diagram.text().is_empty());
        }
    }
}
