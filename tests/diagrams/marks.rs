//! A run, drawn over its graph.

use graphwright::diagram::{Mark, Marks};

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
    assert_eq!(svg.matches("stroke-width=\"2.5\"").count(), 2, "failed and paused; an opened graph is a frame");
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
