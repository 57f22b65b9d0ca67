//! Large graphs, checked while this file is compiled: were the pass not linear, `long_running_const_eval` would refuse to
//! compile it.

use graphwright::check::{Analysis, Fault, Parallel, analyze, parallel, way_text};
use graphwright::topology::{Fork, ForkKind, Lints, Origin, Place, Role, Target, Topology, Way, WayKind};
use graphwright::{FieldInfo, FieldSet, Kind};

use super::graphs::place;

const MANY: usize = 2_000;

const fn way(from: Origin, to: Target) -> Way {
    Way { from, to, kind: WayKind::Always }
}

const fn arm(from: usize, to: Target) -> Way {
    Way { from: Origin::Place(from as u16), to, kind: WayKind::Arm { router: Some("route"), label: "Arm" } }
}

const fn graph(places: &'static [Place], forks: &'static [Fork], ways: &'static [Way]) -> Topology {
    Topology {
        name: "Large",
        version: 1,
        docs: "",
        file: "",
        line: 0,
        places,
        forks,
        ways,
        exits: &["end"],
        steps: 100,
        endless: false,
        unreachable: false,
        lints: Lints { unbounded_loop: false, answer_elsewhere: true },
    }
}

/// A model that asks in the first place, tools in the last, an elicitation before it.
const fn places() -> [Place; MANY] {
    let mut places = [place("p", Role::Plain, false); MANY];
    places[0] = place("asks", Role::Model, true);
    places[MANY - 2] = place("h", Role::Elicitation, false);
    places[MANY - 1] = Place { needs_approval: true, ..place("t", Role::Tools, false) };
    places
}

static PLACES: [Place; MANY] = places();

// ---------------------------------------------------------------- one long ring with chords

static RING_WAYS: [Way; 2 * MANY] = {
    let mut ways = [way(Origin::Start, Target::Place(0)); 2 * MANY];
    let mut at = 0;
    while at < MANY - 2 {
        let next = if at + 3 < MANY { at + 1 } else { MANY - 1 };
        ways[2 * at + 1] = arm(at, Target::Place(next as u16));
        ways[2 * at + 2] = arm(at, Target::Place((at / 2) as u16));
        at += 1;
    }
    ways[2 * MANY - 3] = way(Origin::Place(MANY as u16 - 2), Target::Place(0));
    ways[2 * MANY - 2] = arm(MANY - 1, Target::Place(MANY as u16 - 2));
    ways[2 * MANY - 1] = arm(MANY - 1, Target::End(0));
    ways
};
static RING: Topology = graph(&PLACES, &[], &RING_WAYS);
static RING_ANALYSIS: Analysis<MANY, { 2 * MANY }> = analyze(&RING);

#[test]
fn two_thousand_places_are_checked_by_the_compiler() {
    let faults: Vec<usize> = (0..2 * MANY).filter(|way| RING_ANALYSIS.of_way(*way) != Fault::None).collect();
    assert_eq!(faults, [2 * (MANY - 3) + 1]);
    assert!(way_text(&RING_ANALYSIS, &RING, faults[0]).as_str().contains("path: asks -> p -> p"));
}

// ---------------------------------------------------------------- forks behind one another: a -> [b, c, each r { d }] -> a'

const BLOCKS: usize = (MANY - 4) / 4;
const FORKS: usize = 2 * BLOCKS;
const WAYS: usize = 10 * BLOCKS + 6;

static ROW_FORKS: [Fork; FORKS] = {
    let mut forks = [Fork { kind: ForkKind::Each, router: Some("r"), by: None, join: None }; FORKS];
    let mut block = 0;
    while block < BLOCKS {
        forks[2 * block] = Fork { kind: ForkKind::All, router: None, by: None, join: Some(4 * block as u16 + 4) };
        block += 1;
    }
    forks
};
static ROW_WAYS: [Way; WAYS] = {
    let mut ways = [way(Origin::Start, Target::Place(0)); WAYS];
    let mut block = 0;
    while block < BLOCKS {
        let (a, outer, at) = (4 * block as u16, 2 * block as u16, 10 * block + 1);
        let inner = outer + 1;
        ways[at] = way(Origin::Place(a), Target::Fork(outer));
        ways[at + 1] = way(Origin::Fork(outer), Target::Place(a + 1));
        ways[at + 2] = way(Origin::Fork(outer), Target::Place(a + 2));
        ways[at + 3] = way(Origin::Fork(outer), Target::Fork(inner));
        ways[at + 4] = way(Origin::Fork(inner), Target::Place(a + 3));
        ways[at + 5] = way(Origin::Place(a + 1), Target::Join(outer));
        ways[at + 6] = way(Origin::Place(a + 2), Target::Place(a + 4));
        ways[at + 7] = way(Origin::Place(a + 3), Target::Join(inner));
        ways[at + 8] = way(Origin::Join(inner), Target::Join(outer));
        ways[at + 9] = way(Origin::Join(outer), Target::Place(a + 4));
        block += 1;
    }
    last_places(ways)
};

/// The four places behind the forks.
const fn last_places(mut ways: [Way; WAYS]) -> [Way; WAYS] {
    let last = MANY as u16 - 1;
    ways[WAYS - 5] = way(Origin::Place(last - 3), Target::Place(last - 2));
    ways[WAYS - 4] = arm(MANY - 3, Target::Place(last - 1));
    ways[WAYS - 3] = arm(MANY - 3, Target::Place(last));
    ways[WAYS - 2] = way(Origin::Place(last - 1), Target::Place(0));
    ways[WAYS - 1] = way(Origin::Place(last), Target::End(0));
    ways
}
static ROW: Topology = graph(&PLACES, &ROW_FORKS, &ROW_WAYS);
static ROW_ANALYSIS: Analysis<{ MANY + FORKS }, WAYS> = analyze(&ROW);

#[test]
fn a_thousand_forks_behind_one_another_are_checked_by_the_compiler() {
    let faults: Vec<usize> = (0..WAYS).filter(|way| ROW_ANALYSIS.of_way(*way) != Fault::None).collect();
    assert_eq!(faults, [WAYS - 3]);
    let text = way_text(&ROW_ANALYSIS, &ROW, WAYS - 3);
    assert!(text.as_str().contains("path: asks -> [p, p, [..]] -> p -> "), "{text:?}");
}

// ---------------------------------------------------------------- forks in one another: [a, [b, [c, ..]]]

const DEEP: usize = MANY / 2;
static DEEP_PLACES: [Place; MANY] = {
    let mut places = places();
    places[0] = place("p", Role::Plain, false);
    places[MANY - 2] = place("p", Role::Plain, false);
    places[MANY - 1] = place("p", Role::Plain, false);
    places
};
static DEEP_FORKS: [Fork; DEEP] = [Fork { kind: ForkKind::All, router: None, by: None, join: None }; DEEP];
static DEEP_WAYS: [Way; 5 * DEEP + 2] = {
    let mut ways = [way(Origin::Start, Target::Fork(0)); 5 * DEEP + 2];
    let mut fork = 0;
    while fork < DEEP {
        let (number, at) = (fork as u16, 5 * fork + 1);
        let last = fork + 1 == DEEP;
        // Each has a place alone, and one that leads on to the next.
        ways[at] = way(Origin::Fork(number), Target::Place(2 * number));
        ways[at + 1] = way(Origin::Place(2 * number), Target::Join(number));
        ways[at + 2] = way(Origin::Fork(number), Target::Place(2 * number + 1));
        ways[at + 3] = way(Origin::Place(2 * number + 1), if last { Target::Join(number) } else { Target::Fork(number + 1) });
        ways[at + 4] = way(Origin::Join(number), if fork == 0 { Target::End(0) } else { Target::Join(number - 1) });
        fork += 1;
    }
    ways[5 * DEEP + 1] = Way { from: Origin::Start, to: Target::End(0), kind: WayKind::If { router: "guard", gate: false } };
    ways
};
static DEEP_GRAPH: Topology = Topology { unreachable: true, ..graph(&DEEP_PLACES, &DEEP_FORKS, &DEEP_WAYS) };
static DEEP_ANALYSIS: Analysis<{ MANY + DEEP }, { 5 * DEEP + 2 }> = analyze(&DEEP_GRAPH);
static FIELDS: [FieldInfo; 1] = [FieldInfo { name: "f", kind: Kind::Replace }];
/// Every place that stands alone writes nothing, but for the outermost one; so does every one that leads on, but for the last.
static DEEP_WRITES: [FieldSet; MANY] = {
    let mut writes = [FieldSet::EMPTY; MANY];
    writes[0] = writes[0].with(0);
    writes[MANY - 1] = writes[MANY - 1].with(0);
    writes
};
static DEEP_PARALLEL: Parallel<{ MANY + DEEP }> = parallel(&DEEP_ANALYSIS, &DEEP_GRAPH, &DEEP_WRITES, &FIELDS);

#[test]
fn a_thousand_forks_in_one_another_are_checked_by_the_compiler() {
    let faults: Vec<usize> = (0..DEEP).filter(|fork| DEEP_PARALLEL.of_fork(*fork) != Fault::None).collect();
    assert_eq!(faults, [0]);
}
