//! A checker that is wrong is caught: each is made by handing the right one another graph.

use graphwright::check::facts;
use graphwright::topology::{Facts, ForkKind, Lints, Place, Role, Target, Topology, Way, WayKind};

use super::agree::{checked, same};
use super::graphs::{graph, random};
use super::paths;
use super::rules::{self, Graph};

const GRAPHS: u64 = 8_000;

/// Graphs, with the genes that they were made of; the same on every machine.
pub(super) fn some_graphs() -> impl Iterator<Item = (Topology, Vec<u8>)> {
    (0..GRAPHS).map(|seed| {
        let mut next = random(&seed.to_le_bytes());
        let genes: Vec<u8> = (0..next(140)).map(|_| next(256) as u8).collect();
        (graph(&genes), genes)
    })
}

#[test]
fn a_wrong_checker_is_caught() {
    type Plant = fn(&Topology) -> Topology;
    let plants: [(&str, Plant); 19] = [
        ("takes every guard for a gate", |topology| gates(topology, true)),
        ("sees no gate", |topology| gates(topology, false)),
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
        ("does not look into mounted graphs", |topology| with_places(topology, |place| place.facts = &Facts::NONE)),
        ("lets every graph run for ever", |topology| Topology { endless: true, ..copy(topology) }),
        ("does not see that a name is where branches meet", |topology| with_forks(topology, |fork| fork.join = None)),
        ("does not see that a branch goes to its join by itself", |topology| {
            with_ways(topology, |way| {
                if matches!(way.to, Target::Join(_)) {
                    way.to = Target::Never;
                }
            })
        }),
        ("thinks that something is always chosen", |topology| with_forks(topology, |fork| fork.kind = ForkKind::All)),
        ("thinks that a branch may be left out", |topology| with_forks(topology, |fork| fork.kind = ForkKind::Some)),
        ("sees the first branch only", |topology| {
            let first = |way: &Way| topology.ways.iter().position(|other| other.from == way.from);
            let others = |number: usize, way: &Way| matches!(way.kind, WayKind::Branch { .. }) && first(way) != Some(number);
            let ways = topology.ways.iter().enumerate().filter(|(number, way)| !others(*number, way)).map(|(_, way)| *way);
            Topology { ways: ways.collect::<Vec<_>>().leak(), ..copy(topology) }
        }),
        ("does not see where a failure leads", |topology| {
            with_ways(topology, |way| {
                if rules::is_on(way) {
                    way.to = Target::Never;
                }
            })
        }),
        ("takes a failure for an ordinary way", |topology| {
            with_ways(topology, |way| {
                if rules::is_on(way) {
                    way.kind = WayKind::Always;
                }
            })
        }),
        ("thinks that everybody approves", |topology| with_places(topology, |place| place.approves = true)),
        ("thinks that nobody approves", |topology| with_places(topology, |place| place.approves = false)),
        ("thinks that nothing needs an approval", |topology| {
            with_places(topology, |place| {
                place.needs_approval = false;
                place.facts = Box::leak(Box::new(Facts { unapproved_from_start: false, ..*place.facts }));
            })
        }),
        ("minds no lint", |topology| Topology { lints: Lints::NONE, ..copy(topology) }),
        ("lets places stand where nothing leads", |topology| Topology { unreachable: true, ..copy(topology) }),
    ];
    let graphs: Vec<Topology> = some_graphs().map(|(topology, _)| topology).collect();
    for (name, plant) in plants {
        let caught = graphs.iter().any(|topology| {
            let graph = Graph::of(topology);
            let planted = plant(topology);
            let Ok((verdict, analysis)) = checked(&planted) else { return false };
            same(&graph, &verdict).is_err() || (verdict.is_empty() && paths::told(&facts(&analysis, &planted)) != paths::facts(&graph))
        });
        assert!(caught, "not caught: a checker that {name}");
    }
}

fn copy(topology: &Topology) -> Topology {
    Topology { ..*topology }
}

fn gates(topology: &Topology, all: bool) -> Topology {
    with_ways(topology, |way| {
        if let WayKind::If { gate, .. } = &mut way.kind {
            *gate = all;
        }
    })
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

fn with_forks(topology: &Topology, change: impl Fn(&mut graphwright::topology::Fork)) -> Topology {
    let mut forks = topology.forks.to_vec();
    forks.iter_mut().for_each(change);
    Topology { forks: forks.leak(), ..copy(topology) }
}
