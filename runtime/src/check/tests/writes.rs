//! Writes at the same time.

use super::*;
use crate::state::{FieldInfo, FieldSet, Kind};

static FIELDS: &[FieldInfo] = &[
    FieldInfo { name: "verdict", kind: Kind::Replace },
    FieldInfo { name: "notes", kind: Kind::Merge },
    FieldInfo { name: "draft", kind: Kind::Replace },
];
const NOTHING: FieldSet = FieldSet::EMPTY;
const VERDICT: FieldSet = FieldSet::EMPTY.with(0);
const NOTES: FieldSet = FieldSet::EMPTY.with(1);
const ANYTHING: FieldSet = FieldSet::UNDECLARED;

const PLACES: [Place; 4] = [named("bull"), named("bear"), named("judge"), named("free")];
const TWO: &str = "start -> A0; A0 -> bull; A0 -> bear; bull -> J0; bear -> J0; J0 -> judge; judge => free; judge => end; free -> end";

/// What is said of the forks, if the places write this.
fn clashes(places: &[Place], ways: &str, writes: &[FieldSet]) -> Vec<String> {
    let topology = graph(places, ways);
    assert_eq!(said(&topology), [""; 0]);
    let found = parallel(&analyze::<16, 32>(&topology), &topology, writes, FIELDS);
    let texts = (0..topology.forks.len()).map(|fork| writes_text(&found, &topology, fork).as_str().to_owned());
    texts.filter(|text| !text.is_empty()).collect()
}

#[test]
fn i41_two_branches_that_write_one_field() {
    assert_eq!(
        clashes(&PLACES, TWO, &[VERDICT, NOTES.union(VERDICT), VERDICT, ANYTHING]),
        [
            "`bull` and `bear` run at once and both write `verdict`, which has no reducer [GW055]\n  help: give `verdict` a reducer, or let one of the two write another field"
        ]
    );
    // Merged, or of one branch alone.
    assert_eq!(clashes(&PLACES, TWO, &[NOTES, NOTES.union(VERDICT), VERDICT, ANYTHING]), [""; 0]);
}

#[test]
fn i41_however_deep() {
    // [bull, bear -> [free, judge] -> ..]
    let ways = "start -> A0; A0 -> bull; A0 -> bear; bull -> J0; bear -> S1; S1 -> free; S1 -> judge; free -> J1; judge -> J1; J1 -> J0; J0 -> end";
    assert_eq!(
        clashes(&PLACES, ways, &[VERDICT, NOTHING, VERDICT, NOTES]),
        [
            "`bull` and `judge` run at once and both write `verdict`, which has no reducer [GW055]\n  help: give `verdict` a reducer, or let one of the two write another field"
        ]
    );
    assert_eq!(
        clashes(&PLACES, ways, &[NOTES, NOTHING, VERDICT, VERDICT]),
        [
            "`free` and `judge` run at once and both write `verdict`, which has no reducer [GW055]\n  help: give `verdict` a reducer, or let one of the two write another field"
        ]
    );
    // One after the other.
    assert_eq!(clashes(&PLACES, ways, &[NOTES, VERDICT, VERDICT, NOTES]), [""; 0]);
}

#[test]
fn i41_an_each_that_writes_one() {
    let ways = "start -> E0; E0 -> bull; bull -> bear; bear -> J0; J0 -> judge; judge -> free; free -> end";
    assert_eq!(
        clashes(&PLACES, ways, &[NOTES, VERDICT, VERDICT, ANYTHING]),
        ["many `bear` run at once, and each writes `verdict`, which has no reducer [GW055]\n  help: give `verdict` a reducer"]
    );
    assert_eq!(clashes(&PLACES, ways, &[NOTES, NOTHING, VERDICT, ANYTHING]), [""; 0]);
}

#[test]
fn a_node_in_a_branch_says_what_it_writes() {
    assert_eq!(
        clashes(&PLACES, TWO, &[NOTES, ANYTHING, VERDICT, ANYTHING]),
        [
            "`bear` and `bull` run at once, and `bear` does not say what it writes [GW056]\n  help: declare it: `#[node(writes(..))]` on `bear`"
        ]
    );
    let each = "start -> E0; E0 -> bull; bull -> J0; J0 -> bear; bear -> judge; judge -> free; free -> end";
    assert_eq!(
        clashes(&PLACES, each, &[ANYTHING, ANYTHING, VERDICT, ANYTHING]),
        ["many `bull` run at once, and it does not say what it writes [GW056]\n  help: declare it: `#[node(writes(..))]` on `bull`"]
    );
    // In however many forks it stands.
    let both = "start -> A0; A0 -> bull; A0 -> bear; bull -> J0; bear -> J0; J0 -> judge; judge => A1; judge => end; A1 -> bear; A1 -> free; \
                bear -> J1; free -> J1; J1 -> end";
    assert_eq!(clashes(&PLACES, both, &[NOTES, ANYTHING, VERDICT, NOTES]).len(), 1);
}

#[test]
fn a_state_that_merges_everything_has_nothing_to_lose() {
    static MERGED: &[FieldInfo] = &[FieldInfo { name: "notes", kind: Kind::Merge }];
    let topology = graph(&PLACES, TWO);
    let found = parallel(&analyze::<16, 32>(&topology), &topology, &[ANYTHING; 4], MERGED);
    assert_eq!(found.of_fork(0), Fault::None);
}

#[test]
fn a_mounted_graph_counts_by_what_it_writes() {
    let places = [named("bull"), mount("research", &Facts::NONE)];
    let ways = "start -> A0; A0 -> bull; A0 -> research; bull -> J0; research -> J0; J0 -> end";
    assert_eq!(
        clashes(&places, ways, &[NOTES, ANYTHING]),
        [
            "`research` and `bull` run at once, and `research` does not say what it writes [GW056]\n  help: declare it: `#[node(writes(..))]` on the nodes of `research`, or `writes(..)` where it is mounted: `research: graph research, writes(..);`"
        ]
    );
    assert_eq!(clashes(&places, ways, &[VERDICT, VERDICT.union(NOTES)]).len(), 1);
}

#[test]
fn nothing_is_said_of_a_graph_in_which_something_else_is_wrong() {
    let topology = graph(&PLACES, "start -> A0; A0 -> bull; A0 -> bear; bull -> end; bear -> J0; J0 -> judge; judge -> free; free -> end");
    assert_eq!(said(&topology).len(), 1);
    let found = parallel(&analyze::<16, 32>(&topology), &topology, &[VERDICT; 4], FIELDS);
    assert_eq!(found.of_fork(0), Fault::None);
}

#[test]
#[should_panic = "`bull` and `bear` run at once and both write `verdict`, which has no reducer [GW055]"]
fn a_clash_is_a_panic_of_the_constant() {
    let topology = graph(&PLACES, TWO);
    let analysis = analyze::<16, 32>(&topology);
    fork(&analysis, &topology, 0);
    writes(&parallel(&analysis, &topology, &[VERDICT; 4], FIELDS), &topology, 0);
}
