//! What can run, by playing it: a run is at some place in the branches of forks, one in another.

use std::collections::{BTreeMap, BTreeSet};

use graphwright::topology::{ForkKind, Origin, Target, Topology};

/// Somewhere in a run: the branches that it is in, the outer ones first, each with its fork and its first way; and where in
/// the innermost one.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct At {
    pub(crate) branches: Vec<(u16, usize)>,
    pub(crate) here: Here,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Here {
    Start,
    Place(u16),
    /// Before its branches.
    Fork(u16),
    /// Behind its branches.
    Join(u16),
}

/// What comes of following a way.
#[derive(Clone, Debug)]
pub(crate) enum Next {
    To(At),
    End(u16),
    /// Into a fork whose branch this is.
    Back,
    /// `never`, or the way stands for another branch.
    Nothing,
}

impl At {
    /// The fork whose branch this is, if it is one.
    pub(crate) fn context(&self) -> Option<u16> {
        self.branches.last().map(|(fork, _)| *fork)
    }

    pub(crate) fn place(&self) -> Option<usize> {
        if let Here::Place(place) = self.here { Some(place.into()) } else { None }
    }

    fn with(&self, here: Here) -> Self {
        Self { branches: self.branches.clone(), here }
    }

    fn joined(&self) -> Self {
        let mut branches = self.branches.clone();
        let (fork, _) = branches.pop().unwrap();
        Self { branches, here: Here::Join(fork) }
    }

    /// Every way out, with where it leads.
    pub(crate) fn steps(&self, topology: &Topology) -> Vec<(usize, Next)> {
        let origin = match self.here {
            Here::Start => Origin::Start,
            Here::Place(place) => Origin::Place(place),
            Here::Fork(fork) => Origin::Fork(fork),
            Here::Join(fork) => Origin::Join(fork),
        };
        let ways = topology.ways.iter().enumerate().filter(|(_, way)| way.from == origin);
        ways.map(|(number, way)| {
            let mut from = self.clone();
            if let Here::Fork(fork) = self.here {
                from.branches.push((fork, number));
            }
            (number, from.follow(topology, way.to))
        })
        .collect()
    }

    fn follow(&self, topology: &Topology, to: Target) -> Next {
        match to {
            Target::Place(place) => match self.context() {
                Some(fork) if topology.forks[usize::from(fork)].join == Some(place) => Next::To(self.joined()),
                _ => Next::To(self.with(Here::Place(place))),
            },
            Target::Fork(fork) if self.branches.iter().any(|(around, _)| *around == fork) => Next::Back,
            Target::Fork(fork) => Next::To(self.with(Here::Fork(fork))),
            Target::Join(fork) if self.context() == Some(fork) => Next::To(self.joined()),
            Target::Join(_) | Target::Never => Next::Nothing,
            Target::End(exit) => Next::End(exit),
        }
    }

    /// Past a fork with none of its branches: it returned nothing, or it has none.
    pub(crate) fn past(&self, topology: &Topology) -> Option<Self> {
        let Here::Fork(fork) = self.here else { return None };
        let empty = !topology.ways.iter().any(|way| way.from == Origin::Fork(fork));
        (empty || topology.forks[usize::from(fork)].kind != ForkKind::All).then(|| self.with(Here::Join(fork)))
    }

    /// Past a fork, whatever its branches do: "a join is reached when its fork is".
    fn behind(&self) -> Option<Self> {
        if let Here::Fork(fork) = self.here { Some(self.with(Here::Join(fork))) } else { None }
    }
}

/// Everything that can be reached from here, and here.
pub(crate) fn reachable(topology: &Topology, from: impl IntoIterator<Item = At>) -> BTreeSet<At> {
    let mut seen = BTreeSet::new();
    let mut open: Vec<At> = from.into_iter().collect();
    while let Some(at) = open.pop() {
        if seen.insert(at.clone()) {
            open.extend(at.behind());
            open.extend(at.steps(topology).into_iter().filter_map(|(_, next)| if let Next::To(at) = next { Some(at) } else { None }));
        }
    }
    seen
}

pub(crate) fn start() -> At {
    At { branches: Vec::new(), here: Here::Start }
}

/// A place, or a fork with its join, where nothing is said of the branches around it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Thing {
    Place(u16),
    Fork(u16),
}

impl Thing {
    pub(crate) fn of(here: Here) -> Option<Self> {
        match here {
            Here::Place(place) => Some(Self::Place(place)),
            Here::Fork(fork) => Some(Self::Fork(fork)),
            Here::Start | Here::Join(_) => None,
        }
    }

    /// As the verdict calls it.
    pub(crate) fn name(self) -> String {
        match self {
            Self::Place(place) => format!("place {place}"),
            Self::Fork(fork) => format!("fork {fork}"),
        }
    }

    pub(crate) fn origin(self) -> Origin {
        match self {
            Self::Place(place) => Origin::Place(place),
            Self::Fork(fork) => Origin::Join(fork),
        }
    }
}

/// What stands in a branch of one fork, or in none, without what stands in branches of forks in it; and where the ways lead
/// there.
#[derive(Debug)]
pub(crate) struct Room {
    pub(crate) context: Option<u16>,
    pub(crate) things: BTreeSet<Thing>,
    /// By way, for those out of the things and out of the fork: where it leads.
    pub(crate) leads: BTreeMap<usize, Lead>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lead {
    To(Thing),
    /// To the join.
    Arrives,
    End,
    Back,
    Nothing,
}

impl Room {
    /// All rooms of a graph.
    pub(crate) fn all(topology: &Topology, everywhere: &BTreeSet<At>) -> Vec<Self> {
        let mut rooms: BTreeMap<Option<u16>, Self> = BTreeMap::new();
        for at in everywhere {
            for (way, next) in at.steps(topology) {
                let context = if let Here::Fork(fork) = at.here { Some(fork) } else { at.context() };
                let room = rooms.entry(context).or_insert_with(|| Self { context, things: BTreeSet::new(), leads: BTreeMap::new() });
                let lead = match next {
                    Next::To(to) => match Thing::of(to.here) {
                        Some(thing) => Lead::To(thing),
                        None => Lead::Arrives,
                    },
                    Next::End(_) => Lead::End,
                    Next::Back => Lead::Back,
                    Next::Nothing => Lead::Nothing,
                };
                if let Lead::To(thing) = lead {
                    room.things.insert(thing);
                }
                // What is a way back from one branch is none from another, if the fork is come to by several.
                if lead == Lead::Back || room.leads.get(&way) != Some(&Lead::Back) {
                    room.leads.insert(way, lead);
                }
            }
        }
        rooms.into_values().collect()
    }

    /// The ways out of a thing.
    pub(crate) fn out(&self, topology: &Topology, thing: Thing) -> Vec<(usize, Lead)> {
        self.leads.iter().filter(|(way, _)| topology.ways[**way].from == thing.origin()).map(|(way, lead)| (*way, *lead)).collect()
    }

    /// `leads[a]` holds what can be reached from `a` by one way or more, of those that count.
    pub(crate) fn closed(&self, topology: &Topology, counts: &dyn Fn(usize) -> bool) -> BTreeMap<Thing, BTreeSet<Thing>> {
        let mut leads: BTreeMap<Thing, BTreeSet<Thing>> = self.things.iter().map(|thing| (*thing, BTreeSet::new())).collect();
        for thing in &self.things {
            for (way, lead) in self.out(topology, *thing) {
                if let (true, Lead::To(to)) = (counts(way), lead) {
                    leads.get_mut(thing).unwrap().insert(to);
                }
            }
        }
        for via in &self.things {
            let beyond = leads[via].clone();
            for to in leads.values_mut() {
                if to.contains(via) {
                    to.extend(&beyond);
                }
            }
        }
        leads
    }
}
