//! Random graphs, of the shapes in which `graph!` writes them: forks in forks, places in several branches and outside,
//! mounted graphs, ways on error.

use graphwright::topology::{Facts, Fork, ForkKind, Lints, Origin, Place, Role, Target, Topology, Way, WayKind};

/// No graph has more places and forks together.
pub(crate) const NODES: usize = PLACES + FORKS;
/// No graph has more ways.
pub(crate) const WAYS: usize = 160;
const PLACES: usize = 6;
const FORKS: usize = 4;

const NAMES: [&str; PLACES] = ["p0", "p1", "p2", "p3", "p4", "p5"];
const ROUTERS: [&str; FORKS] = ["r0", "r1", "r2", "r3"];

/// What a graph is made of: numbers, of which smaller ones, and fewer, make a smaller graph.
struct Genes<'a>(&'a [u8]);

impl Genes<'_> {
    fn below(&mut self, bound: usize) -> usize {
        let Some((first, rest)) = self.0.split_first() else { return 0 };
        self.0 = rest;
        usize::from(*first) % bound
    }

    fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == n - 1
    }

    fn of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())]
    }
}

/// Numbers below a bound that follow from the genes (SplitMix64).
pub(crate) fn random(genes: &[u8]) -> impl FnMut(u64) -> u64 + use<> {
    let mut state = genes.iter().fold(genes.len() as u64, |state, gene| state.wrapping_mul(0x0100_0000_01b3) ^ u64::from(*gene));
    move |bound| {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % bound
    }
}

struct Maker<'a> {
    genes: Genes<'a>,
    /// In the branch of which fork a place is meant to stand, if in one.
    homes: Vec<Option<u16>>,
    forks: Vec<Fork>,
    /// A way, and behind it what is done when its budget is used up; else the order of the list says nothing.
    statements: Vec<Vec<Way>>,
    /// Places that end a branch of a fork.
    ends: Vec<(u16, u16)>,
}

/// The graph that the genes tell. Most of what it does is sound, or there would be nothing but the first mistakes to compare.
pub(crate) fn graph(genes: &[u8]) -> Topology {
    let mut genes = Genes(genes);
    let endless = genes.one_in(3);
    let unreachable = genes.one_in(12);
    let lints = Lints { unbounded_loop: genes.one_in(6), answer_elsewhere: genes.one_in(2) };
    let no_start = genes.one_in(80);
    let count = 1 + genes.below(PLACES);
    let agent = genes.one_in(2);
    let places: Vec<Place> = NAMES[..count].iter().map(|name| random_place(&mut genes, name, agent)).collect();
    let mut maker = Maker { genes, homes: vec![None; count], forks: Vec::new(), statements: Vec::new(), ends: Vec::new() };
    let mut outer = Vec::new();
    for _ in 0..maker.genes.of(&[0, 1, 1, 2, 1]) {
        if maker.forks.len() < FORKS && maker.has_room() {
            outer.push(maker.fork(0));
        }
    }
    for fork in outer {
        maker.behind(fork);
        let from = if maker.genes.one_in(6) { Origin::Start } else { Origin::Place(maker.place_at(None)) };
        let kind = maker.kind(from);
        maker.add(vec![Way { from, to: Target::Fork(fork), kind }]);
    }
    if !no_start {
        let to = Target::Place(maker.place_at(None));
        maker.add(vec![Way { from: Origin::Start, to, kind: WayKind::Always }]);
        if maker.genes.one_in(4) {
            maker.statement(Origin::Start, None);
        }
    }
    for place in 0..count as u16 {
        let home = maker.homes[usize::from(place)];
        let ends = maker.ends.iter().any(|(end, _)| *end == place);
        let named = home.is_none_or(|fork| maker.forks[usize::from(fork)].join.is_some());
        let count = if named || maker.genes.one_in(8) { maker.genes.of(&[1, 0, 2, 0]) } else { 0 };
        for _ in 0..count + usize::from(!ends && !maker.genes.one_in(10)) {
            maker.statement(Origin::Place(place), home);
        }
        if home.is_none() && !maker.genes.one_in(6) {
            let from = Origin::Place(maker.place_at(None));
            let kind = maker.kind(from);
            maker.add(vec![Way { from, to: Target::Place(place), kind }]);
        }
        if maker.genes.one_in(6) {
            let to = maker.target(home);
            let kind = maker.genes.of(&[WayKind::Error, WayKind::Expiry]);
            maker.add(vec![Way { from: Origin::Place(place), to, kind }]);
        }
    }
    maker.end_branches();
    let ways = maker.statements.concat();
    assert!(ways.len() <= WAYS, "{} ways", ways.len());
    Topology {
        name: "Random",
        version: 1,
        docs: "",
        file: "",
        line: 0,
        places: places.leak(),
        forks: maker.forks.leak(),
        ways: ways.leak(),
        exits: &["end", "other"],
        steps: 100,
        endless,
        unreachable,
        lints,
    }
}

impl Maker<'_> {
    fn add(&mut self, ways: Vec<Way>) {
        let at = self.statements.len() - self.genes.below(self.statements.len() + 1);
        self.statements.insert(at, ways);
    }

    /// A place that is meant to stand there; now and then another one.
    fn place_at(&mut self, home: Option<u16>) -> u16 {
        let fit: Vec<u16> = (0..self.homes.len()).filter(|place| self.homes[*place] == home).map(|place| place as u16).collect();
        if fit.is_empty() || self.genes.one_in(16) { self.genes.below(self.homes.len()) as u16 } else { self.genes.of(&fit) }
    }

    /// Where a way may lead that goes to no fork.
    fn target(&mut self, home: Option<u16>) -> Target {
        let join = home.and_then(|fork| self.forks[usize::from(fork)].join);
        match (self.genes.below(20), join) {
            (0..=7, Some(join)) => Target::Place(join),
            (0..=7, None) if home.is_none() => Target::End(0),
            (8, None) if home.is_none() => Target::End(1),
            (9, _) => Target::Never,
            (10, _) if self.genes.one_in(3) => Target::End(1),
            _ => Target::Place(self.place_at(home)),
        }
    }

    /// A way out of somewhere, and what follows it.
    fn statement(&mut self, from: Origin, home: Option<u16>) {
        let kind = self.kind(from);
        let mut ways = vec![Way { from, to: self.target(home), kind }];
        self.budget(&mut ways, home);
        self.add(ways);
    }

    fn kind(&mut self, from: Origin) -> WayKind {
        let label = self.genes.of(&["_", "done", "failed", "done | failed"]);
        match self.genes.below(8) {
            0..=2 => WayKind::Always,
            3 => WayKind::If { router: "guard", gate: false },
            4..=5 => WayKind::If { router: "guard", gate: true },
            6 if matches!(from, Origin::Place(_)) => WayKind::Arm { router: None, label },
            _ => WayKind::Arm { router: Some("route"), label },
        }
    }

    fn budget(&mut self, ways: &mut Vec<Way>, home: Option<u16>) {
        if self.genes.one_in(5) {
            let Way { from, kind, .. } = ways[0];
            let label = if let WayKind::Arm { label, .. } = kind { label } else { "" };
            ways.push(Way { from, to: self.target(home), kind: WayKind::Else { at_most: 3, label } });
        }
    }

    /// Whether there is a place without a home; now and then it does not matter.
    fn has_room(&mut self) -> bool {
        self.homes.iter().skip(1).any(Option::is_none) || self.genes.one_in(8)
    }

    /// A step of a branch: a place that has no home yet, or any.
    fn step(&mut self, fork: u16) -> u16 {
        let free: Vec<u16> = (1..self.homes.len()).filter(|place| self.homes[*place].is_none()).map(|place| place as u16).collect();
        if free.is_empty() || self.genes.one_in(8) {
            return self.place_at(Some(fork));
        }
        let place = self.genes.of(&free);
        self.homes[usize::from(place)] = Some(fork);
        place
    }

    /// A fork with its branches.
    fn fork(&mut self, depth: usize) -> u16 {
        let fork = self.forks.len() as u16;
        let kind = self.genes.of(&[ForkKind::All, ForkKind::Some, ForkKind::Each]);
        let router = if kind == ForkKind::All { None } else { Some(ROUTERS[self.forks.len()]) };
        self.forks.push(Fork { kind, router, by: None, join: None });
        for branch in 0..self.genes.of(&[2, 1, 1, 2, 3]) {
            if branch > 0 && !self.has_room() {
                break;
            }
            let mut before = Origin::Fork(fork);
            for step in 0..self.genes.of(&[1, 1, 2]) {
                if step > 0 && !self.has_room() {
                    break;
                }
                let (to, next) = if self.forks.len() < FORKS && depth < 2 && self.genes.one_in(6) {
                    let inner = self.fork(depth + 1);
                    (Target::Fork(inner), Origin::Join(inner))
                } else {
                    let place = self.step(fork);
                    (Target::Place(place), Origin::Place(place))
                };
                let kind = if before == Origin::Fork(fork) { WayKind::Branch { label: "" } } else { WayKind::Always };
                self.join(before, to);
                self.add(vec![Way { from: before, to, kind }]);
                before = next;
            }
            match before {
                Origin::Place(place) => self.ends.push((place, fork)),
                from => self.add(vec![Way { from, to: Target::Join(fork), kind: WayKind::Always }]),
            }
        }
        fork
    }

    /// Where the branches of a fork meet.
    fn join(&mut self, from: Origin, to: Target) {
        if let (Origin::Join(fork), Target::Place(place)) = (from, to) {
            self.forks[usize::from(fork)].join = Some(place);
        }
    }

    /// What follows a fork that is in no branch.
    fn behind(&mut self, fork: u16) {
        let from = Origin::Join(fork);
        let ways = match self.genes.below(8) {
            0..=5 => {
                let mut ways = vec![Way { from, to: self.target(None), kind: WayKind::Always }];
                self.join(from, ways[0].to);
                self.budget(&mut ways, None);
                ways
            }
            6 if self.forks.len() < FORKS => {
                let next = self.fork(0);
                self.behind(next);
                vec![Way { from, to: Target::Fork(next), kind: WayKind::Always }]
            }
            _ => {
                let mut arm = || Way { from, to: self.target(None), kind: WayKind::Arm { router: Some("route"), label: "A" } };
                vec![arm(), arm()]
            }
        };
        self.add(ways);
    }

    /// A place at the end of a written branch goes to the join by itself, unless it has ways of its own.
    fn end_branches(&mut self) {
        let own = |statements: &[Vec<Way>], place| {
            let on = |way: &Way| matches!(way.kind, WayKind::Error | WayKind::Expiry);
            statements.iter().flatten().any(|way| way.from == Origin::Place(place) && !on(way))
        };
        let mut ends: Vec<(u16, u16)> = self.ends.iter().copied().filter(|(place, _)| !own(&self.statements, *place)).collect();
        ends.sort_unstable();
        ends.dedup();
        for (place, fork) in ends {
            self.add(vec![Way { from: Origin::Place(place), to: Target::Join(fork), kind: WayKind::Always }]);
        }
    }
}

/// An `agent` has models that ask, and elicitations.
fn random_place(genes: &mut Genes<'_>, name: &'static str, agent: bool) -> Place {
    let plain = Place { needs_approval: genes.one_in(10), approves: genes.one_in(10), ..place(name, Role::Plain, false) };
    let role = if agent { genes.of(&[0, 7, 8, 5, 13]) } else { genes.below(14) };
    match role {
        0..=2 => plain,
        3 => Place { role: Role::Graph, facts: Box::leak(Box::new(random_facts(genes))), ..plain },
        4 => Place { role: Role::Interrupt, ..plain },
        5..=6 => Place { role: Role::Model, ..plain },
        7..=8 => Place { role: Role::Model, asks: true, ..plain },
        9..=10 => Place { role: Role::Tools, ..plain },
        // Roles and asking are told apart, also where nobody would write it so.
        11 => Place { role: genes.of(&[Role::Elicitation, Role::Tools, Role::Plain]), asks: genes.one_in(4), ..plain },
        _ => Place { role: Role::Elicitation, ..plain },
    }
}

fn random_facts(genes: &mut Genes<'_>) -> Facts {
    Facts {
        exits: &["done", "failed"],
        tools_from_start: genes.one_in(3),
        dry_through: genes.below(4) as u64,
        dry_out: genes.of(&[0, 0, 0, 1, 2, 3]),
        dry_error: genes.one_in(2),
        unapproved_from_start: genes.one_in(4),
        calls_model: genes.one_in(2),
        ..Facts::NONE
    }
}

pub(crate) const fn place(name: &'static str, role: Role, asks: bool) -> Place {
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
        notifies: false,
        facts: &Facts::NONE,
        graph: None,
    }
}

/// For a failed comparison.
pub(crate) fn told(topology: &Topology) -> String {
    let mut lines = vec![format!("endless={} unreachable={} {:?}", topology.endless, topology.unreachable, topology.lints)];
    for place in topology.places {
        let Place { name, role, asks, needs_approval, approves, facts, .. } = place;
        lines.push(format!("{name} {role:?} asks={asks} needs={needs_approval} approves={approves}"));
        if *role == Role::Graph {
            lines.push(format!("   {facts:?}"));
        }
    }
    lines.extend(topology.forks.iter().enumerate().map(|(n, fork)| format!("{n}: {:?} join={:?}", fork.kind, fork.join)));
    lines.extend(topology.ways.iter().enumerate().map(|(n, way)| format!("{n}: {:?} -> {:?} {:?}", way.from, way.to, way.kind)));
    lines.join("\n")
}
