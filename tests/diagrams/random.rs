//! Graphs made at random, the same on every machine.

use graphwright::topology::{Fork, ForkKind, Origin, Place, Role, Target, Topology, Way, WayKind};

use super::agent::{agent, own, place, routed};

/// How many graphs are drawn with labels of chance: more in `.ci/long`.
pub(super) fn rounds() -> usize {
    std::env::var("LABEL_ROUNDS").map_or(3_000, |rounds| rounds.parse().expect("LABEL_ROUNDS is a number"))
}

/// SplitMix64: the same labels on every machine.
pub(super) struct Random(pub(super) u64);

impl Random {
    pub(super) fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((z ^ (z >> 31)) % bound as u64).unwrap()
    }

    pub(super) fn label(&mut self) -> String {
        let pieces = [
            "\"", "]", "|", "#", ";", "&", "<", ">", "%%", "-->", "\n", "\\", "`", "$", "end", "quot", "34", "n0", " ", "ß", "🙂",
            "\u{2067}",
        ];
        let piece = |random: &mut Self| match random.below(3) {
            0 => char::from_u32(u32::try_from(random.below(0x2_0000)).unwrap()).map_or_else(String::new, String::from),
            1 => char::from(u8::try_from(random.below(128)).unwrap()).to_string(),
            _ => pieces[random.below(pieces.len())].to_owned(),
        };
        (0..self.below(12)).map(|_| piece(self)).collect()
    }

    /// Any places and ways between them, without forks: what nobody would write, too.
    pub(super) fn flat(&mut self, labels: &[&'static str], round: usize) -> Topology {
        // Every hostile label comes up, and then any.
        let first = labels[round % labels.len()];
        let text = |random: &mut Self| if random.below(3) == 0 { first } else { labels[random.below(labels.len())] };
        let roles = [Role::Plain, Role::Model, Role::Tools, Role::Elicitation, Role::Interrupt, Role::Graph];
        let places: Vec<Place> = (0..1 + self.below(6))
            .map(|_| {
                let name = text(self);
                let title = if self.below(2) == 0 { Some(text(self)) } else { None };
                Place { title, pauses: self.below(4) == 0, ..place(name, roles[self.below(roles.len())]) }
            })
            .collect();
        let exits: Vec<&'static str> = (0..1 + self.below(3)).map(|_| text(self)).collect();
        let ways: Vec<Way> = (0..self.below(12))
            .map(|_| {
                let label = text(self);
                let kind = match self.below(6) {
                    0 => WayKind::Always,
                    1 => WayKind::If { router: label, gate: self.below(2) == 0 },
                    2 => own(label),
                    3 => WayKind::Error,
                    _ => routed(label),
                };
                let to = match self.below(6) {
                    0 => Target::Never,
                    1 => Target::End(u16::try_from(self.below(exits.len())).unwrap()),
                    _ => Target::Place(self.number(places.len())),
                };
                let from = if self.below(6) == 0 { Origin::Start } else { Origin::Place(self.number(places.len())) };
                Way { from, to, kind }
            })
            .collect();
        Topology { places: places.leak(), ways: ways.leak(), exits: exits.leak(), ..agent() }
    }

    fn number(&mut self, bound: usize) -> u16 {
        u16::try_from(self.below(bound)).unwrap()
    }

    /// A graph as one would write it, of about so many places: chains, choices, loops with budgets, and forks in forks.
    pub(super) fn program(&mut self, places: usize) -> Topology {
        let mut program = Program { random: self, left: places, places: Vec::new(), forks: Vec::new(), ways: Vec::new() };
        let last = program.block(Origin::Start, WayKind::Always, None);
        for from in last {
            program.ways.push(Way { from, to: Target::End(0), kind: WayKind::Always });
        }
        let Program { places, forks, mut ways, .. } = program;
        // The arms of a choice stand together, and a budget behind its way.
        ways.sort_by_key(|way| match way.from {
            Origin::Start => (0, 0),
            Origin::Place(place) => (1, place),
            Origin::Fork(fork) => (2, fork),
            Origin::Join(fork) => (3, fork),
        });
        Topology { name: "Program", places: places.leak(), forks: forks.leak(), ways: ways.leak(), exits: &["end"], ..agent() }
    }
}

/// One in the making.
struct Program<'a> {
    random: &'a mut Random,
    left: usize,
    places: Vec<Place>,
    forks: Vec<Fork>,
    ways: Vec<Way>,
}

impl Program<'_> {
    /// Some statements behind a way, and where they leave off.
    fn block(&mut self, from: Origin, kind: WayKind, fork: Option<u16>) -> Vec<Origin> {
        let mut open = vec![(from, kind)];
        let mut met: Vec<u16> = Vec::new();
        for _ in 0..1 + self.random.below(5) {
            let place = self.place();
            for (from, kind) in open.drain(..) {
                self.ways.push(Way { from, to: Target::Place(place), kind });
            }
            met.push(place);
            let here = Origin::Place(place);
            open = match self.random.below(if self.left == 0 { 2 } else { 7 }) {
                0 | 1 => vec![(here, WayKind::Always)],
                2 => self.choice(here, fork),
                3 if self.random.below(2) == 0 => {
                    self.ways.push(Way { from: here, to: Target::Place(met[self.random.below(met.len())]), kind: WayKind::Always });
                    vec![(here, WayKind::Else { at_most: 3, label: "" })]
                }
                3 | 4 => {
                    let back = met[self.random.below(met.len())];
                    self.ways.push(Way { from: here, to: Target::Place(back), kind: routed("Again") });
                    vec![(here, routed("Done"))]
                }
                _ => self.fork(here),
            };
        }
        open.into_iter()
            .map(|(from, kind)| match (from, kind) {
                (from, WayKind::Always) => from,
                (from, kind) => {
                    let place = self.place();
                    self.ways.push(Way { from, to: Target::Place(place), kind });
                    Origin::Place(place)
                }
            })
            .collect()
    }

    fn choice(&mut self, here: Origin, fork: Option<u16>) -> Vec<(Origin, WayKind)> {
        let mut open = Vec::new();
        for label in ["Search", "Write | Edit", "Ask"].iter().take(2 + self.random.below(2)) {
            if self.left > 0 && self.random.below(2) == 0 {
                open.extend(self.block(here, routed(label), fork).into_iter().map(|from| (from, WayKind::Always)));
            } else {
                let place = self.place();
                self.ways.push(Way { from: here, to: Target::Place(place), kind: routed(label) });
                open.push((Origin::Place(place), WayKind::Always));
            }
        }
        open
    }

    fn fork(&mut self, here: Origin) -> Vec<(Origin, WayKind)> {
        let fork = u16::try_from(self.forks.len()).unwrap();
        let kind = [ForkKind::All, ForkKind::Some, ForkKind::Each][self.random.below(3)];
        let router = (kind != ForkKind::All).then_some("open_calls");
        self.forks.push(Fork { kind, router, by: None, join: None });
        self.ways.push(Way { from: here, to: Target::Fork(fork), kind: WayKind::Always });
        for branch in 0..if kind == ForkKind::Each { 1 } else { 2 + self.random.below(3) } {
            let label = if kind == ForkKind::Some { ["A", "B", "C", "D"][branch] } else { "" };
            for from in self.block(Origin::Fork(fork), WayKind::Branch { label }, Some(fork)) {
                self.ways.push(Way { from, to: Target::Join(fork), kind: WayKind::Always });
            }
        }
        vec![(Origin::Join(fork), WayKind::Always)]
    }

    fn place(&mut self) -> u16 {
        const NAMES: [&str; 8] = ["plan", "call_tools", "review", "summarize_the_findings", "draft", "send", "ask_a_person", "grade"];
        const ROLES: [Role; 8] = [Role::Model, Role::Tools, Role::Plain, Role::Plain, Role::Model, Role::Cut, Role::Interrupt, Role::Plain];
        self.left = self.left.saturating_sub(1);
        let which = self.random.below(NAMES.len());
        let number = self.places.len();
        self.places.push(place(format!("{}_{number}", NAMES[which]).leak(), ROLES[which]));
        u16::try_from(number).unwrap()
    }
}
