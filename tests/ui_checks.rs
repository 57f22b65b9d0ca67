//! What the compiler says of graphs whose every word is right, and which of them it accepts.

use graphwright::Graph;

#[test]
fn flow_and_elicitation() {
    let cases = trybuild::TestCases::new();
    cases.compile_fail("ui/flow/*.rs");
    cases.compile_fail("ui/elicitation/*.rs");
}

#[path = "ui/elicitation/accepted/budget_behind_the_elicitation.rs"]
mod budget_behind_the_elicitation;
#[path = "ui/flow/accepted/endless.rs"]
mod endless;
#[path = "ui/elicitation/accepted/gates.rs"]
mod gates;
#[path = "ui/flow/accepted/loops.rs"]
mod loops;

/// They are part of this file, so that it compiles is most of the test.
#[test]
fn sound_graphs_are_accepted() {
    let places = |topology: &graphwright::topology::Topology| topology.places.len();
    assert_eq!(places(budget_behind_the_elicitation::Agent::TOPOLOGY), 4);
    assert_eq!(places(endless::Agent::TOPOLOGY), 2);
    assert_eq!(places(gates::Agent::TOPOLOGY), 5);
    assert_eq!(places(loops::Agent::TOPOLOGY), 3);
}
