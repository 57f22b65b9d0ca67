//! Graphs that a careless checker would refuse: that they compile is most of the test.
#![allow(clippy::duplicate_mod, reason = "each of these files is a program by itself elsewhere, with its parts beside it")]

use graphwright::Graph;

#[path = "compile/ui/elicitation/accepted/budget_behind_the_elicitation.rs"]
mod budget_behind_the_elicitation;
#[path = "compile/ui/flow/accepted/endless.rs"]
mod endless;
#[path = "compile/ui/elicitation/accepted/gates.rs"]
mod gates;
#[path = "compile/ui/flow/accepted/loops.rs"]
mod loops;

#[test]
fn sound_graphs_are_accepted() {
    let places = |topology: &graphwright::topology::Topology| topology.places.len();
    assert_eq!(places(budget_behind_the_elicitation::Agent::TOPOLOGY), 4);
    assert_eq!(places(endless::Agent::TOPOLOGY), 2);
    assert_eq!(places(gates::Agent::TOPOLOGY), 5);
    assert_eq!(places(loops::Agent::TOPOLOGY), 3);
}
