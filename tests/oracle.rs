//! The compiler's checker against an oracle that enumerates paths, on small random graphs.
//!
//! The oracle is written from the wording of the rules and shares nothing with the checker: reachability is a closed matrix,
//! and rule E is a list of all paths.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use std::collections::BTreeMap;

use graphwright::check::{Analysis, Fault, analyze, place_text, way_text, whole_text};
use graphwright::topology::{Facts, Lints, Origin, Place, Role, Target, Topology, Way, WayKind};

const GRAPHS: u64 = 24_000;
const PLACES: usize = 6;
const NODES: usize = 6;
const WAYS: usize = 40;

/// Code by element: `whole`, `place 3`, `way 5`.
type Verdict = BTreeMap<String, &'static str>;

#[test]
fn the_checker_and_the_oracle_agree() {
    let mut seen: BTreeMap<&str, u32> = BTreeMap::new();
    for seed in 0..GRAPHS {
        let topology = random(seed);
        let expected = oracle(&topology);
        let (verdict, analysis) = checked(&topology);
        assert_eq!(verdict, expected, "seed {seed}: {}", told(&topology));
        for code in expected.values() {
            *seen.entry(code).or_default() += 1;
        }
        if expected.is_empty() {
            *seen.entry("sound").or_default() += 1;
            assert_eq!(facts_of(&analysis.facts), oracle_facts(&topology), "seed {seed}: {}", told(&topology));
        }
        for (way, _) in topology.ways.iter().enumerate().filter(|(way, _)| analysis.of_way(*way) == Fault::Unasked) {
            witness_is_real(&topology, way_text(&analysis, &topology, way).as_str(), way);
        }
    }
    // What never came up was not compared.
    for code in ["sound", "GW040", "GW041", "GW042", "GW043", "GW044", "GW045", "GW046", "GW047", "GW048", "GW049"] {
        assert!(seen.get(code).is_some_and(|times| *times >= 50), "{code} came up too seldom: {seen:?}");
    }
}

#[test]
fn a_wrong_checker_is_caught() {
    type Plant = fn(&Topology) -> Topology;
    let plants: [(&str, Plant); 7] = [
        ("takes every guard for a gate", |topology| {
            with_ways(topology, |way| {
                if let WayKind::If { gate, .. } = &mut way.kind {
                    *gate = true;
                }
            })
        }),
        ("sees no gate", |topology| {
            with_ways(topology, |way| {
                if let WayKind::If { gate, .. } = &mut way.kind {
                    *gate = false;
                }
            })
        }),
        ("forgets what is done when a budget is used up", |topology| {
            with_ways(topology, |way| {
                if matches!(way.kind, WayKind::Else { .. }) {
                    way.to = Target::Never;
                }
            })
        }),
        ("takes what is done when a gate's budget is used up for guarded", |topology| {
            with_ways(topology, |way| {
                if matches!(way.kind, WayKind::Else { .. }) {
                    way.kind = WayKind::Always;
                }
            })
        }),
        ("looks through models", |topology| {
            with_places(topology, |place| {
                if place.role == Role::Model {
                    place.role = Role::Plain;
                }
            })
        }),
        ("does not look into mounted graphs", |topology| with_places(topology, |place| place.facts = Facts::NONE)),
        ("lets every graph run for ever", |topology| Topology { endless: true, ..copy(topology) }),
    ];
    for (name, plant) in plants {
        let caught = (0..4_000).map(random).filter(|topology| checked(&plant(topology)).0 != oracle(topology)).count();
        assert!(caught > 0, "not caught: a checker that {name}");
    }
}

// ---------------------------------------------------------------- a large graph, checked while this file is compiled

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

// ---------------------------------------------------------------- the checker's verdict

fn checked(topology: &Topology) -> (Verdict, Analysis<NODES, WAYS>) {
    let analysis = analyze::<NODES, WAYS>(topology);
    let mut verdict = Verdict::new();
    let mut note = |element: String, fault: Fault, text: &str| {
        assert_eq!(fault == Fault::None, text.is_empty(), "{element}: {fault:?} is said as {text:?}");
        if fault != Fault::None {
            let first = text.lines().next().unwrap();
            assert!(first.ends_with(&format!("[{}]", fault.code())), "{text}");
            assert!(text.lines().last().unwrap().starts_with("  help: "), "{text}");
            verdict.insert(element, fault.code());
        }
    };
    note("whole".into(), analysis.of_whole(), whole_text(&analysis, topology).as_str());
    for place in 0..topology.places.len() {
        note(format!("place {place}"), analysis.of_place(place), place_text(&analysis, topology, place).as_str());
    }
    for way in 0..topology.ways.len() {
        note(format!("way {way}"), analysis.of_way(way), way_text(&analysis, topology, way).as_str());
    }
    (verdict, analysis)
}

/// A path that is told can be gone: each step is a way, no step passes another model, and it begins at one that asks.
fn witness_is_real(topology: &Topology, text: &str, way: usize) {
    let line = text.lines().find_map(|line| line.strip_prefix("  path: ")).expect(text);
    let names: Vec<&str> = line.split(" -> ").map(|name| name.split('(').next().unwrap()).filter(|name| name.starts_with('p')).collect();
    let numbers: Vec<usize> = names.iter().map(|name| topology.places.iter().position(|p| p.name == *name).unwrap()).collect();
    assert!(is_asker(&topology.places[numbers[0]]), "{text}: does not begin at one that asks: {}", told(topology));
    for step in numbers.windows(2) {
        let goes = |w: &Way| w.from == Origin::Place(step[0] as u16) && w.to == Target::Place(step[1] as u16);
        assert!(topology.ways.iter().any(goes), "{text}: no way from {} to {}: {}", step[0], step[1], told(topology));
    }
    for passed in &numbers[1..numbers.len() - 1] {
        let role = topology.places[*passed].role;
        assert!(!matches!(role, Role::Model | Role::Elicitation), "{text}: passes a {role:?}: {}", told(topology));
    }
    let last = &topology.ways[way];
    assert_eq!(
        (last.from.place().map(usize::from), last.to),
        (Some(numbers[numbers.len() - 2]), Target::Place(numbers[numbers.len() - 1] as u16))
    );
}

// ---------------------------------------------------------------- the oracle

fn oracle(topology: &Topology) -> Verdict {
    if !topology.ways.iter().any(|way| way.from == Origin::Start) {
        return Verdict::from([("whole".into(), "GW040")]);
    }
    let steps = [unreachable, stuck, no_elicitation, unasked, company];
    steps.iter().map(|step| step(topology)).find(|verdict| !verdict.is_empty()).unwrap_or_default()
}

/// `leads[a][b]`: from `a`, by one way or more, to `b`. The last row is the start's.
fn leads(topology: &Topology) -> Vec<Vec<bool>> {
    let places = topology.places.len();
    let mut leads = vec![vec![false; places]; places + 1];
    for way in topology.ways {
        if let Target::Place(to) = way.to {
            leads[way.from.place().map_or(places, usize::from)][usize::from(to)] = true;
        }
    }
    for via in 0..places {
        for from in 0..=places {
            for to in 0..places {
                leads[from][to] |= leads[from][via] && leads[via][to];
            }
        }
    }
    leads
}

fn reached(topology: &Topology, place: usize) -> bool {
    leads(topology)[topology.places.len()][place]
}

/// The places that lead to `place` and are led to by it, and itself.
fn ring(leads: &[Vec<bool>], place: usize) -> Vec<usize> {
    (0..leads.len() - 1).filter(|other| *other == place || (leads[place][*other] && leads[*other][place])).collect()
}

fn unreachable(topology: &Topology) -> Verdict {
    let leads = leads(topology);
    let all = 0..topology.places.len();
    let lost: Vec<usize> = all.filter(|place| !reached(topology, *place)).collect();
    let orphans: Vec<usize> = lost.iter().copied().filter(|place| topology.places[*place].role == Role::Elicitation).collect();
    let mut verdict = Verdict::new();
    for place in lost.iter().copied() {
        let ring = ring(&leads, place);
        let excused = orphans.iter().any(|orphan| *orphan == place || leads[*orphan][place]);
        let follows = lost.iter().any(|other| !ring.contains(other) && leads[*other][place]);
        if !excused && !follows && ring[0] == place {
            verdict.insert(format!("place {place}"), if leads[place][place] { "GW042" } else { "GW041" });
        }
    }
    verdict
}

fn stuck(topology: &Topology) -> Verdict {
    let leads = leads(topology);
    let mut verdict = Verdict::new();
    for place in (0..topology.places.len()).filter(|place| reached(topology, *place)) {
        let ring = ring(&leads, place);
        let ways: Vec<&Way> =
            topology.ways.iter().filter(|way| way.from.place().is_some_and(|from| ring.contains(&usize::from(from)))).collect();
        let leaves = ways.iter().any(|way| match way.to {
            Target::Place(to) => !ring.contains(&usize::from(to)),
            Target::End(_) => true,
            Target::Fork(_) | Target::Join(_) | Target::Never => false,
        });
        if leaves || ring[0] != place {
            continue;
        }
        if leads[place][place] {
            if !topology.endless {
                verdict.insert(format!("place {place}"), "GW045");
            }
        } else {
            verdict.insert(format!("place {place}"), if ways.is_empty() { "GW043" } else { "GW044" });
        }
    }
    verdict
}

fn no_elicitation(topology: &Topology) -> Verdict {
    if topology.places.iter().any(|place| place.role == Role::Elicitation) {
        return Verdict::new();
    }
    let asks = topology.places.iter().position(|place| place.asks);
    asks.map(|place| (format!("place {place}"), "GW046")).into_iter().collect()
}

/// A walk, as the numbers of its ways.
type Walk = Vec<usize>;

/// Every walk from `from` (none: the start) that visits no place twice, but for the place it begins at.
fn walks(topology: &Topology, from: Option<usize>) -> Vec<Walk> {
    fn go_on(topology: &Topology, at: Option<usize>, visited: &mut Vec<usize>, walk: &mut Walk, all: &mut Vec<Walk>) {
        for (number, way) in topology.ways.iter().enumerate().filter(|(_, way)| way.from.place().map(usize::from) == at) {
            walk.push(number);
            all.push(walk.clone());
            if let Target::Place(to) = way.to
                && !visited.contains(&usize::from(to))
            {
                visited.push(usize::from(to));
                go_on(topology, Some(usize::from(to)), visited, walk, all);
                visited.pop();
            }
            walk.pop();
        }
    }
    let mut all = Vec::new();
    go_on(topology, from, &mut Vec::new(), &mut Vec::new(), &mut all);
    all
}

/// The statement a way is part of: what is done when a budget is used up belongs to the way with the budget.
fn statement(topology: &Topology, mut way: usize) -> usize {
    while matches!(topology.ways[way].kind, WayKind::Else { .. }) {
        way -= 1;
    }
    way
}

/// "a way that stands after a gate of that place"
fn stands_after_a_gate(topology: &Topology, way: usize) -> bool {
    (0..statement(topology, way)).any(|earlier| {
        let gate = topology.ways[earlier];
        let to_elicitation = matches!(gate.to, Target::Place(to) if topology.places[usize::from(to)].role == Role::Elicitation);
        gate.from == topology.ways[way].from && matches!(gate.kind, WayKind::If { gate: true, .. }) && to_elicitation
    })
}

fn place_before(topology: &Topology, way: usize) -> Option<usize> {
    topology.ways[way].from.place().map(usize::from)
}

/// The exits of a mounted graph for which a way stands.
fn stands_for(topology: &Topology, way: usize) -> u64 {
    let way = statement(topology, way);
    let WayKind::Arm { router: None, label } = topology.ways[way].kind else { return u64::MAX };
    let facts = &topology.places[place_before(topology, way).unwrap()].facts;
    let named: Vec<&str> = label.split('|').map(str::trim).collect();
    let bits = facts.exits.iter().enumerate().filter(|(_, exit)| named.contains(exit)).map(|(bit, _)| 1 << bit).sum();
    if bits == 0 { u64::MAX } else { bits }
}

/// Whether the walk is one of rule E's paths that is neither gated nor elicited. `from_asker`: it begins at a place that asks.
fn nobody_is_asked(topology: &Topology, walk: &[usize], from_asker: bool) -> bool {
    walk.iter().enumerate().all(|(step, way)| {
        let Some(place) = place_before(topology, *way).map(|place| &topology.places[place]) else {
            return !stands_after_a_gate(topology, *way);
        };
        let begins = step == 0 && from_asker;
        let model_between = place.role == Role::Model && !begins;
        let left_elicitation = place.role == Role::Elicitation;
        let inside = if place.role == Role::Graph {
            let bits = if begins { place.facts.dry_out } else { place.facts.dry_through };
            bits & stands_for(topology, *way) != 0
        } else {
            true
        };
        !stands_after_a_gate(topology, *way) && !model_between && !left_elicitation && inside
    })
}

fn is_asker(place: &Place) -> bool {
    place.asks || (place.role == Role::Graph && place.facts.dry_out != 0)
}

fn runs_tools(place: &Place) -> bool {
    place.role == Role::Tools || (place.role == Role::Graph && place.facts.tools_from_start)
}

/// The walks that end before a place that runs tools, or nothing of the kind.
fn ends_at_tools(topology: &Topology, walk: &[usize]) -> bool {
    matches!(topology.ways[*walk.last().unwrap()].to, Target::Place(to) if runs_tools(&topology.places[usize::from(to)]))
}

/// Tools on the way are the mistake already; what follows is an echo of it.
fn passes_tools(topology: &Topology, walk: &[usize]) -> bool {
    walk[1..].iter().any(|way| place_before(topology, *way).is_some_and(|place| runs_tools(&topology.places[place])))
}

fn walks_from_askers(topology: &Topology) -> Vec<Walk> {
    let askers = (0..topology.places.len()).filter(|place| is_asker(&topology.places[*place]) && reached(topology, *place));
    askers.flat_map(|asker| walks(topology, Some(asker))).filter(|walk| nobody_is_asked(topology, walk, true)).collect()
}

fn unasked(topology: &Topology) -> Verdict {
    let wrong: Vec<Walk> = walks_from_askers(topology).into_iter().filter(|walk| ends_at_tools(topology, walk)).collect();
    let mut ways: Vec<usize> = wrong.iter().filter(|walk| !passes_tools(topology, walk)).map(|walk| *walk.last().unwrap()).collect();
    assert_eq!(wrong.is_empty(), ways.is_empty(), "an echo without what it echoes");
    ways.sort_unstable();
    ways.dedup();
    // One gate is missing at a place, whatever its ways lead to.
    let first_of_its_place = |way: &usize| !ways.iter().any(|w| w < way && topology.ways[*w].from == topology.ways[*way].from);
    ways.iter().filter(|way| first_of_its_place(way)).map(|way| (format!("way {way}"), "GW047")).collect()
}

fn company(topology: &Topology) -> Verdict {
    let leads = leads(topology);
    let all = 0..topology.places.len();
    let mut verdict = Verdict::new();
    for place in all.clone().filter(|place| topology.places[*place].role == Role::Elicitation) {
        let asks = |other: usize| is_asker(&topology.places[other]) && reached(topology, other);
        let takes_up = |other: usize| matches!(topology.places[other].role, Role::Model | Role::Tools | Role::Graph);
        if !all.clone().any(|other| asks(other) && leads[other][place]) {
            verdict.insert(format!("place {place}"), "GW048");
        } else if !all.clone().any(|other| takes_up(other) && leads[place][other]) {
            let first = topology.ways.iter().position(|way| way.from == Origin::Place(place as u16)).unwrap();
            verdict.insert(format!("way {first}"), "GW049");
        }
    }
    verdict
}

/// Tools from the start, exits crossed, exits left unasked, an error after an asker.
type Told = (bool, u64, u64, bool);

fn facts_of(facts: &Facts) -> Told {
    (facts.tools_from_start, facts.dry_through, facts.dry_out, facts.dry_error)
}

fn oracle_facts(topology: &Topology) -> Told {
    let exits = |walks: &[Walk]| {
        let ends = walks.iter().filter(|walk| !passes_tools(topology, walk)).map(|walk| topology.ways[*walk.last().unwrap()].to);
        ends.fold(0, |bits, to| if let Target::End(exit) = to { bits | 1 << exit } else { bits })
    };
    let from_start: Vec<Walk> = walks(topology, None).into_iter().filter(|walk| nobody_is_asked(topology, walk, false)).collect();
    let tools = from_start.iter().any(|walk| ends_at_tools(topology, walk));
    let error = topology.places.iter().any(|place| place.asks || place.facts.dry_error);
    (tools, exits(&from_start), exits(&walks_from_askers(topology)), error)
}

// ---------------------------------------------------------------- random graphs

/// SplitMix64: the same graphs on every machine.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % bound
    }

    fn one_in(&mut self, n: u64) -> bool {
        self.below(n) == 0
    }
}

const NAMES: [&str; PLACES] = ["p0", "p1", "p2", "p3", "p4", "p5"];

fn random(seed: u64) -> Topology {
    let mut random = Random(seed);
    let places: Vec<Place> =
        (0..=random.below(PLACES as u64)).map_while(|n| NAMES.get(n as usize)).map(|name| random_place(&mut random, name)).collect();
    // A way and what is done when its budget is used up stay together; else the order of the list says nothing.
    let mut statements: Vec<Vec<Way>> = Vec::new();
    let starts = if random.one_in(60) { 0 } else { 1 + random.below(2) };
    for _ in 0..starts {
        statements.push(random_statement(&mut random, Origin::Start, places.len()));
    }
    for from in 0..places.len() {
        let mut count = random.below(4);
        if count == 0 && !random.one_in(4) {
            count = 2;
        }
        for _ in 0..count {
            let at = random.below(statements.len() as u64 + 1) as usize;
            statements.insert(at, random_statement(&mut random, Origin::Place(from as u16), places.len()));
        }
    }
    Topology {
        name: "Random",
        version: 1,
        docs: "",
        file: "",
        line: 0,
        places: places.leak(),
        forks: &[],
        ways: statements.concat().leak(),
        exits: &["end", "other"],
        steps: 100,
        endless: random.one_in(3),
        unreachable: false,
        lints: Lints::NONE,
    }
}

fn random_place(random: &mut Random, name: &'static str) -> Place {
    match random.below(12) {
        0 => Place { facts: random_facts(random), ..place(name, Role::Graph, false) },
        1..=2 => place(name, Role::Model, false),
        3..=5 => place(name, Role::Model, true),
        6..=7 => place(name, Role::Tools, false),
        8..=9 => place(name, Role::Elicitation, false),
        // Roles and asking are told apart, also where nobody would write it so.
        10 if random.one_in(4) => place(name, [Role::Plain, Role::Tools, Role::Elicitation][random.below(3) as usize], true),
        _ => place(name, if random.one_in(4) { Role::Interrupt } else { Role::Plain }, false),
    }
}

fn random_facts(random: &mut Random) -> Facts {
    Facts {
        exits: &["done", "failed"],
        tools_from_start: random.one_in(3),
        dry_through: random.below(4),
        dry_out: if random.one_in(2) { random.below(4) } else { 0 },
        dry_error: random.one_in(2),
        ..Facts::NONE
    }
}

fn random_statement(random: &mut Random, from: Origin, places: usize) -> Vec<Way> {
    let mut to = || match random.below(20) {
        0..=15 => Target::Place(random.below(places as u64) as u16),
        16..=18 => Target::End(random.below(2) as u16),
        _ => Target::Never,
    };
    let (first, second) = (to(), to());
    let label = ["done", "failed", "done | failed", "_"][random.below(4) as usize];
    let kind = match random.below(6) {
        0 => WayKind::Always,
        1..=2 => WayKind::If { router: "guard", gate: random.below(3) > 0 },
        3 if from != Origin::Start => WayKind::Arm { router: None, label },
        _ => WayKind::Arm { router: Some("route"), label },
    };
    let mut ways = vec![Way { from, to: first, kind }];
    if random.one_in(5) {
        ways.push(Way { from, to: second, kind: WayKind::Else { at_most: 3, label } });
    }
    ways
}

const fn place(name: &'static str, role: Role, asks: bool) -> Place {
    Place {
        name,
        node: name,
        title: None,
        role,
        asks,
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

const fn arm() -> WayKind {
    WayKind::Arm { router: Some("route"), label: "Arm" }
}

fn copy(topology: &Topology) -> Topology {
    Topology { ..*topology }
}

fn with_ways(topology: &Topology, change: impl Fn(&mut Way)) -> Topology {
    let mut ways = topology.ways.to_vec();
    ways.iter_mut().for_each(change);
    Topology { ways: ways.leak(), ..copy(topology) }
}

fn with_places(topology: &Topology, change: impl Fn(&mut Place)) -> Topology {
    let mut places = topology.places.to_vec();
    places.iter_mut().for_each(change);
    Topology { places: places.leak(), ..copy(topology) }
}

/// For a failed comparison.
fn told(topology: &Topology) -> String {
    let places: Vec<String> = topology
        .places
        .iter()
        .map(|p| {
            format!(
                "{} {:?} asks={} through={:b} out={:b} tools={}",
                p.name,
                p.role,
                p.asks,
                p.facts.dry_through & 3,
                p.facts.dry_out,
                p.facts.tools_from_start
            )
        })
        .collect();
    let ways: Vec<String> =
        topology.ways.iter().enumerate().map(|(n, w)| format!("{n}: {:?} -> {:?} {:?}", w.from, w.to, w.kind)).collect();
    format!("endless={}\n{}\n{}", topology.endless, places.join("\n"), ways.join("\n"))
}
