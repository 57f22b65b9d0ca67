//! Forks, joins and maps, where it depends on the fork which way is drawn where.

use graphwright::topology::Topology;

use super::graphs;
use super::mermaid::read;
use super::xml;

fn edges(topology: &Topology) -> Vec<String> {
    let (_, edges) = read(&topology.mermaid());
    edges.iter().map(|edge| format!("{} {} {}", edge.from, edge.arrow, edge.to)).collect()
}

#[test]
fn a_place_within_a_branch_and_outside_has_its_way_twice() {
    let expected = [
        "s --> n0",
        // Outside it goes on to `score`; in the branch the same way arrives at the join.
        "n0 --> j0",
        "n0 --> n1",
        "n1 --> f0",
        "n1 --> e0",
        "f0 -.-> n0",
        "j0 --> n1",
    ];
    let mut drawn = edges(&graphs::within_and_outside());
    let loops: Vec<String> = drawn.iter().filter(|edge| edge.contains("-.->")).cloned().collect();
    drawn.iter_mut().for_each(|edge| *edge = edge.replace("-.->", "-->"));
    drawn.sort();
    let mut expected = expected.map(|edge| edge.replace("-.->", "-->"));
    expected.sort();
    assert_eq!(drawn, expected);
    assert_eq!(loops, ["f0 -.-> n0"]);
    // It is no map: it also stands outside.
    assert_eq!(stacks(&graphs::within_and_outside()), 0);
}

#[test]
fn forks_in_forks() {
    let expected = [
        "s --> n0",
        "n0 --> f0",
        "f0 --> n1",
        "f0 --> f2",
        "n1 --> f1",
        "f1 --> n2",
        "n2 --> j1",
        "j1 --> j0",
        "f2 --> n3",
        "f2 --> n4",
        "n3 --> j2",
        "n4 --> n5",
        "n5 --> j2",
        "j2 --> j0",
        "j0 --> n6",
        "n6 --> e0",
    ];
    assert_eq!(edges(&graphs::nested_forks()), expected);
    assert_eq!(stacks(&graphs::nested_forks()), 1, "c, and no other");
}

#[test]
fn a_way_to_the_place_behind_the_join_arrives_there() {
    let many = graphs::all().into_iter().find(|(name, _)| name == "many branches").unwrap().1;
    let edges = edges(many);
    assert_eq!(edges.iter().filter(|edge| edge.ends_with("--> j0")).count(), 12);
    assert_eq!(edges.iter().filter(|edge| edge.ends_with("--> n1")).collect::<Vec<_>>(), ["j0 --> n1"]);
}

#[test]
fn a_join_that_leads_to_a_choice_a_fork_and_the_end() {
    let joins = graphs::all().into_iter().find(|(name, _)| name == "join to a choice").unwrap().1;
    let edges = edges(joins);
    for edge in ["s --> f0", "j0 --> c5", "c5 --> f1", "c5 --> f2", "c5 --> e0", "j1 --> f2", "j2 --> e0"] {
        assert!(edges.iter().any(|found| found == edge), "{edge}: {edges:?}");
    }
}

/// Boxes that are drawn as stacks.
fn stacks(topology: &Topology) -> usize {
    let svg = xml::read(&topology.diagram().svg());
    svg.all("g", "gw-node").iter().filter(|node| node.children.iter().any(|child| child.get("stroke-opacity") == Some(".8"))).count()
}
