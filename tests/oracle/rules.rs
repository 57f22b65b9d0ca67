//! The rules of shape and of branches, from their wording, by enumeration of what can run. Nothing of it is the checker's.

use std::collections::{BTreeMap, BTreeSet};

use graphwright::topology::{Origin, Place, Role, Target, Topology, Way, WayKind};

use super::paths::{company, elsewhere, no_elicitation, unapproved, unasked, unbounded};
use super::runs::{At, Lead, Room, Thing, reachable, start};

/// Code by element: `whole`, `place 3`, `fork 0`, `way 5`.
pub(crate) type Verdict = BTreeMap<String, &'static str>;

/// What an oracle knows of a graph.
pub(crate) struct Graph<'a> {
    pub(crate) topology: &'a Topology,
    pub(crate) everywhere: BTreeSet<At>,
    pub(crate) rooms: Vec<Room>,
}

impl<'a> Graph<'a> {
    pub(crate) fn of(topology: &'a Topology) -> Self {
        let everywhere = reachable(topology, [start()]);
        let rooms = Room::all(topology, &everywhere);
        Self { topology, everywhere, rooms }
    }

    /// Whether a fork stands in one of its own branches: then there is no end of what can be enumerated.
    pub(crate) fn is_in_itself(&self) -> bool {
        self.rooms.iter().any(|room| room.leads.values().any(|lead| *lead == Lead::Back))
    }

    /// What a code is said of: where it is of a way to something, that.
    pub(crate) fn meant(&self, element: &str, code: &str) -> String {
        let way = element.strip_prefix("way ").filter(|_| code == "GW054").map(|way| self.topology.ways[way.parse::<usize>().unwrap()].to);
        match way {
            Some(Target::Place(place)) => Thing::Place(place).name(),
            Some(Target::Fork(fork)) => Thing::Fork(fork).name(),
            _ => element.to_owned(),
        }
    }

    /// Whether by a way a run comes to a fork in whose branch it is.
    pub(crate) fn leads_back(&self, way: usize) -> bool {
        self.rooms.iter().any(|room| {
            let closed = room.closed(self.topology, &|_| true);
            let back = |thing: &Thing| room.out(self.topology, *thing).iter().any(|(_, lead)| *lead == Lead::Back);
            match room.leads.get(&way) {
                Some(Lead::Back) => true,
                Some(Lead::To(thing)) => back(thing) || closed[thing].iter().any(back),
                _ => false,
            }
        })
    }

    pub(crate) fn way_from(&self, way: usize) -> Origin {
        self.topology.ways[way].from
    }

    pub(crate) fn is_on(&self, way: usize) -> bool {
        is_on(&self.topology.ways[way])
    }

    pub(crate) fn place(&self, at: &At) -> Option<&'a Place> {
        at.place().map(|place| &self.topology.places[place])
    }

    /// Where a run can be at a place.
    pub(crate) fn all_at(&self, place: usize) -> Vec<At> {
        self.everywhere.iter().filter(|at| at.place() == Some(place)).cloned().collect()
    }

    pub(crate) fn reached(&self, place: usize) -> bool {
        self.everywhere.iter().any(|at| at.place() == Some(place))
    }
}

/// `on error`, `on expiry`.
pub(crate) fn is_on(way: &Way) -> bool {
    matches!(way.kind, WayKind::Error | WayKind::Expiry)
}

pub(crate) fn verdict(graph: &Graph<'_>) -> Verdict {
    if !graph.topology.ways.iter().any(|way| way.from == Origin::Start) {
        return Verdict::from([("whole".into(), "GW040")]);
    }
    first_kind(graph, &[before_branches, no_elicitation, unasked, unapproved, company, unbounded, elsewhere])
}

/// What is said before branches are asked what they share.
pub(crate) fn before_branches(graph: &Graph<'_>) -> Verdict {
    first_kind(graph, &[unreachable, stuck, astray])
}

fn first_kind(graph: &Graph<'_>, kinds: &[fn(&Graph<'_>) -> Verdict]) -> Verdict {
    kinds.iter().map(|kind| kind(graph)).find(|verdict| !verdict.is_empty()).unwrap_or_default()
}

// ---------------------------------------------------------------- shape

fn unreachable(graph: &Graph<'_>) -> Verdict {
    let topology = graph.topology;
    if topology.unreachable {
        return Verdict::new();
    }
    // What leads to what, with no eye on branches: nothing runs there that could be in one.
    let things: Vec<Thing> = (0..topology.places.len())
        .map(|place| Thing::Place(place as u16))
        .chain((0..topology.forks.len()).map(|fork| Thing::Fork(fork as u16)))
        .collect();
    let mut leads: BTreeMap<Thing, BTreeSet<Thing>> = things.iter().map(|thing| (*thing, BTreeSet::new())).collect();
    for way in topology.ways {
        let from = match way.from {
            Origin::Place(place) => Thing::Place(place),
            Origin::Fork(fork) | Origin::Join(fork) => Thing::Fork(fork),
            Origin::Start => continue,
        };
        let to = match way.to {
            Target::Place(place) => Thing::Place(place),
            Target::Fork(fork) => Thing::Fork(fork),
            Target::Join(_) | Target::End(_) | Target::Never => continue,
        };
        leads.get_mut(&from).unwrap().insert(to);
    }
    for via in &things {
        let beyond = leads[via].clone();
        for to in leads.values_mut() {
            if to.contains(via) {
                to.extend(&beyond);
            }
        }
    }
    let is_reached = |thing: &Thing| graph.everywhere.iter().any(|at| Thing::of(at.here) == Some(*thing));
    let lost: Vec<Thing> = things.iter().copied().filter(|thing| !is_reached(thing)).collect();
    let orphan = |thing: &Thing| matches!(thing, Thing::Place(place) if topology.places[usize::from(*place)].role == Role::Elicitation);
    let mut verdict = Verdict::new();
    for thing in &lost {
        let ring: Vec<Thing> =
            lost.iter().copied().filter(|other| other == thing || (leads[thing].contains(other) && leads[other].contains(thing))).collect();
        let excused = lost.iter().any(|other| orphan(other) && (other == thing || leads[other].contains(thing)));
        let follows = lost.iter().any(|other| !ring.contains(other) && leads[other].contains(thing));
        if !excused && !follows && ring[0] == *thing {
            verdict.insert(thing.name(), if leads[thing].contains(thing) { "GW042" } else { "GW041" });
        }
    }
    verdict
}

/// "a place whose only ways are `on` ways has no way out", "a ring that cannot be left if all goes well"
fn stuck(graph: &Graph<'_>) -> Verdict {
    let topology = graph.topology;
    let normal = |way: usize| !graph.is_on(way);
    let mut verdict = Verdict::new();
    for room in &graph.rooms {
        let closed = room.closed(topology, &normal);
        for thing in &room.things {
            let mut those = closed[thing].clone();
            those.insert(*thing);
            let together = those.iter().all(|other| other == thing || closed[other].contains(thing));
            let out: Vec<(usize, Lead)> =
                those.iter().flat_map(|other| room.out(topology, *other)).filter(|(way, _)| normal(*way)).collect();
            let leaves = out.iter().any(|(_, lead)| matches!(lead, Lead::Arrives | Lead::End | Lead::Back));
            if !together || leaves || those.first() != Some(thing) {
                continue;
            }
            let code = if closed[thing].contains(thing) {
                if topology.endless {
                    continue;
                }
                "GW045"
            } else if out.is_empty() {
                "GW043"
            } else if out.iter().any(|(way, _)| matches!(topology.ways[*way].to, Target::Join(_))) {
                "GW054"
            } else {
                "GW044"
            };
            verdict.insert(thing.name(), code);
        }
    }
    verdict
}

/// "Every way out of it leads to the join, never to `end`." What is wrong is the first place on the way that is right
/// elsewhere, or else the way to the exit.
fn astray(graph: &Graph<'_>) -> Verdict {
    let topology = graph.topology;
    let any = |_: usize| true;
    let ends: Vec<BTreeSet<Thing>> = graph
        .rooms
        .iter()
        .map(|room| {
            let closed = room.closed(topology, &any);
            let to_end = |thing: &Thing| room.out(topology, *thing).iter().any(|(_, lead)| *lead == Lead::End);
            let bad = |thing: &&Thing| room.context.is_some() && (to_end(thing) || closed[*thing].iter().any(to_end));
            room.things.iter().filter(bad).copied().collect()
        })
        .collect();
    let right_somewhere =
        |thing: Thing| graph.rooms.iter().zip(&ends).any(|(room, ends)| room.things.contains(&thing) && !ends.contains(&thing));
    let mut verdict = Verdict::new();
    for (room, ends) in graph.rooms.iter().zip(&ends).filter(|(room, _)| room.context.is_some()) {
        for (way, lead) in &room.leads {
            let from = match graph.way_from(*way) {
                Origin::Place(place) => Some(Thing::Place(place)),
                Origin::Join(fork) => Some(Thing::Fork(fork)),
                Origin::Start | Origin::Fork(_) => None,
            };
            let wrong = match lead {
                Lead::End => true,
                Lead::To(to) => ends.contains(to) && right_somewhere(*to),
                Lead::Arrives | Lead::Back | Lead::Nothing => false,
            };
            if wrong && !from.is_some_and(right_somewhere) {
                verdict.insert(format!("way {way}"), "GW051");
            }
        }
    }
    verdict
}

/// The places in each branch of each fork, at any depth.
pub(crate) fn regions(graph: &Graph<'_>) -> BTreeMap<(u16, usize), BTreeSet<usize>> {
    let mut regions: BTreeMap<(u16, usize), BTreeSet<usize>> = BTreeMap::new();
    for at in &graph.everywhere {
        for branch in &at.branches {
            regions.entry(*branch).or_default().extend(at.place());
        }
    }
    regions
}

/// By fork, the places that two of its branches share.
pub(crate) fn shared(graph: &Graph<'_>) -> BTreeMap<u16, BTreeSet<usize>> {
    let regions = regions(graph);
    let mut shared: BTreeMap<u16, BTreeSet<usize>> = BTreeMap::new();
    for ((fork, one), places) in &regions {
        for ((_, _), others) in regions.range((*fork, one + 1)..(*fork + 1, 0)) {
            shared.entry(*fork).or_default().extend(places & others);
        }
    }
    shared.retain(|_, places| !places.is_empty());
    shared
}
