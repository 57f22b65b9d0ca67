//! A large graph, checked while this file is compiled.

use graphwright::check::{Analysis, Fault, analyze, way_text};
use graphwright::topology::{Lints, Origin, Place, Role, Target, Topology, Way, WayKind};

use super::graphs::place;

const MANY: usize = 2_000;
static LARGE_PLACES: [Place; MANY] = {
    let mut places = [place("p", Role::Plain, false); MANY];
    places[0] = place("asks", Role::Model, true);
    places[MANY - 2] = place("h", Role::Elicitation, false);
    places[MANY - 1] = place("t", Role::Tools, false);
    places
};
static LARGE_WAYS: [Way; 2 * MANY] = {
    let mut ways = [Way { from: Origin::Start, to: Target::Place(0), kind: WayKind::Always }; 2 * MANY];
    let mut at = 0;
    // One long ring with chords; tools at its far end, and no gate anywhere.
    while at < MANY - 2 {
        let next = if at + 3 < MANY { at + 1 } else { MANY - 1 };
        ways[2 * at + 1] = Way { from: Origin::Place(at as u16), to: Target::Place(next as u16), kind: arm() };
        ways[2 * at + 2] = Way { from: Origin::Place(at as u16), to: Target::Place((at / 2) as u16), kind: arm() };
        at += 1;
    }
    ways[2 * MANY - 3] = Way { from: Origin::Place(MANY as u16 - 2), to: Target::Place(0), kind: WayKind::Always };
    ways[2 * MANY - 2] = Way { from: Origin::Place(MANY as u16 - 1), to: Target::Place(MANY as u16 - 2), kind: arm() };
    ways[2 * MANY - 1] = Way { from: Origin::Place(MANY as u16 - 1), to: Target::End(0), kind: arm() };
    ways
};
static LARGE: Topology = Topology {
    name: "Large",
    version: 1,
    docs: "",
    file: "",
    line: 0,
    places: &LARGE_PLACES,
    forks: &[],
    ways: &LARGE_WAYS,
    exits: &["end"],
    steps: 100,
    endless: false,
    unreachable: false,
    lints: Lints::NONE,
};
// Were the pass not linear, `long_running_const_eval` would refuse to compile this file.
const LARGE_ANALYSIS: Analysis<MANY, { 2 * MANY }> = analyze(&LARGE);

#[test]
fn two_thousand_places_are_checked_by_the_compiler() {
    let faults: Vec<usize> = (0..2 * MANY).filter(|way| LARGE_ANALYSIS.of_way(*way) != Fault::None).collect();
    assert_eq!(faults, [2 * (MANY - 3) + 1]);
    assert!(way_text(&LARGE_ANALYSIS, &LARGE, faults[0]).as_str().contains("path: asks -> p -> p"));
}

const fn arm() -> WayKind {
    WayKind::Arm { router: Some("route"), label: "Arm" }
}
