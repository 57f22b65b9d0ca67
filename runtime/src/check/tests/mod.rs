//! What is said of defective graphs, word by word, and that sound ones are let pass.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod approval;
mod branches;
mod elicitation;
mod lints;
mod mounts;
mod shape;
mod writes;

use super::*;
use crate::topology::{Fork, ForkKind, Lints, Origin, Place, Role, Target, Way, WayKind};

const NODE: Place = Place {
    name: "",
    node: "",
    title: None,
    role: Role::Plain,
    asks: false,
    pauses: false,
    docs: "",
    file: "",
    line: 0,
    needs_approval: false,
    approves: false,
    notifies: false,
    facts: &Facts::NONE,
    graph: None,
};

const fn named(name: &'static str) -> Place {
    Place { name, node: name, ..NODE }
}
const fn model(name: &'static str) -> Place {
    Place { name, node: name, role: Role::Model, ..NODE }
}
const fn asker(name: &'static str) -> Place {
    Place { name, node: name, role: Role::Model, asks: true, ..NODE }
}
const fn tools(name: &'static str) -> Place {
    Place { name, node: name, role: Role::Tools, ..NODE }
}
const fn elicitation(name: &'static str) -> Place {
    Place { name, node: name, role: Role::Elicitation, ..NODE }
}
const fn mount(name: &'static str, facts: &'static Facts) -> Place {
    Place { name, node: name, role: Role::Graph, facts, ..NODE }
}

/// A graph called `G`. Its ways are lines of `from -> to`: `->` always, `?>` if a guard says so, `=>` by an arm (`=L>` by the arm
/// `L` of the place's own), `!>` by the gate, `+>` when the budget of the line before is used up, `x>` on error, `z>` on expiry.
/// `A0`, `S0` and `E0` are forks of all, some and each, and `J0` is their join. A target that is nothing of this is an exit.
fn graph(places: &[Place], ways: &str) -> Topology {
    let number = |name: &str| places.iter().position(|p| p.name == name).map(|n| u16::try_from(n).unwrap());
    let fork = |name: &str, letters: &str| name.strip_prefix(|c| letters.contains(c)).and_then(|n| n.parse::<u16>().ok());
    let mut exits: Vec<&'static str> = Vec::new();
    let mut forks: Vec<Fork> = Vec::new();
    let ways: Vec<Way> = ways
        .split(';')
        .map(str::trim)
        .filter(|way| !way.is_empty())
        .map(|way| {
            let [from, arrow, to] = way.split_whitespace().collect::<Vec<_>>()[..] else { panic!("{way}") };
            let to = match (number(to), fork(to, "ASE"), fork(to, "J")) {
                (Some(place), ..) => Target::Place(place),
                (_, Some(number), _) => {
                    let (kind, router) = match &to[..1] {
                        "A" => (ForkKind::All, None),
                        "S" => (ForkKind::Some, Some("calls")),
                        _ => (ForkKind::Each, Some("items")),
                    };
                    if usize::from(number) == forks.len() {
                        forks.push(Fork { kind, router, by: None, join: None });
                    }
                    Target::Fork(number)
                }
                (.., Some(number)) => Target::Join(number),
                _ if to == "never" => Target::Never,
                _ => {
                    let exit: &'static str = to.to_owned().leak();
                    if !exits.contains(&exit) {
                        exits.push(exit);
                    }
                    Target::End(u16::try_from(exits.iter().position(|e| *e == exit).unwrap()).unwrap())
                }
            };
            let from = match (fork(from, "ASE"), fork(from, "J")) {
                (Some(fork), _) => Origin::Fork(fork),
                (_, Some(join)) => Origin::Join(join),
                _ if from == "start" => Origin::Start,
                _ => Origin::Place(number(from).expect(from)),
            };
            let kind = match arrow {
                "->" if matches!(from, Origin::Fork(_)) => WayKind::Branch { label: "" },
                "->" => WayKind::Always,
                "?>" => WayKind::If { router: "guard", gate: false },
                "!>" => WayKind::If { router: "ask_user_pending", gate: true },
                "+>" => WayKind::Else { at_most: 3, label: "" },
                "x>" => WayKind::Error,
                "z>" => WayKind::Expiry,
                "=>" => WayKind::Arm { router: Some("route"), label: "Arm" },
                arm => WayKind::Arm { router: None, label: arm.trim_matches(['=', '>']).to_owned().leak() },
            };
            if let (Origin::Join(fork), Target::Place(place), WayKind::Always) = (from, to, kind) {
                forks[usize::from(fork)].join = Some(place);
            }
            Way { from, to, kind }
        })
        .collect();
    Topology {
        name: "G",
        version: 1,
        docs: "",
        file: "",
        line: 0,
        places: places.to_vec().leak(),
        forks: forks.leak(),
        ways: ways.leak(),
        exits: exits.leak(),
        steps: 100,
        endless: false,
        unreachable: false,
        lints: Lints::NONE,
    }
}

/// Everything that is said of a graph, in the order of its elements.
fn said(topology: &Topology) -> Vec<String> {
    let analysis = analyze::<16, 32>(topology);
    let whole = whole_text(&analysis, topology);
    let places = (0..topology.places.len() + topology.forks.len()).map(|place| place_text(&analysis, topology, place));
    let ways = (0..topology.ways.len()).map(|way| way_text(&analysis, topology, way));
    let texts = std::iter::once(whole).chain(places).chain(ways);
    texts.filter(|text| !text.is_empty()).map(|text| text.as_str().to_owned()).collect()
}

#[track_caller]
fn refused(places: &[Place], ways: &str, expected: &[&str]) {
    assert_eq!(said(&graph(places, ways)), expected);
}

#[track_caller]
fn accepted(places: &[Place], ways: &str) {
    refused(places, ways, &[]);
}

fn facts(places: &[Place], ways: &str) -> &'static Facts {
    let topology = graph(places, ways);
    assert_eq!(said(&topology), [""; 0]);
    Box::leak(Box::new(super::facts(&analyze::<16, 32>(&topology), &topology)))
}

#[test]
fn each_mistake_has_a_code_of_its_own() {
    let faults = [
        Fault::NoStart,
        Fault::TooManyExits,
        Fault::Unreachable,
        Fault::UnreachableRing,
        Fault::NoWayOut,
        Fault::OnlyNever,
        Fault::Ring,
        Fault::NoElicitation,
        Fault::Unasked,
        Fault::NothingAsks,
        Fault::AnswerIsLost,
        Fault::LeavesBranch,
        Fault::OwnFork,
        Fault::SharedPlace,
        Fault::NoWayHere,
        Fault::BothWrite,
        Fault::Undeclared,
        Fault::Unapproved,
        Fault::AnswerElsewhere,
        Fault::UnboundedLoop,
    ];
    let codes: std::collections::BTreeSet<&str> = faults.iter().map(|fault| fault.code()).collect();
    assert_eq!(faults.len(), codes.len());
    assert!(codes.iter().all(|code| crate::diagnostics::title(code).is_some()));
}

#[test]
#[should_panic = "`b` cannot be reached from `start` [GW041]"]
fn a_mistake_is_a_panic_of_the_constant() {
    let topology = graph(&[named("a"), named("b")], "start -> a; a -> end; b -> end");
    let analysis = analyze::<2, 3>(&topology);
    whole(&analysis, &topology);
    way(&analysis, &topology, 0);
    place(&analysis, &topology, 0);
    place(&analysis, &topology, 1);
}
