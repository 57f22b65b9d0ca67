//! Rule E: the user is asked before a tool runs; and its company.
//!
//! Take any node M that `asks` and any node T with role `tools` that is reachable from M without passing another model
//! node. Every such path must either leave some place on it by a way that stands after a gate of that place, or pass
//! through an elicitation node and leave it by a normal exit.

use super::report::path_to;
use super::ways::{Flood, NONE, Ways};
use super::{Analysis, Fault, MAX_EXITS, Text};
use crate::topology::{Facts, Origin, Place, Role, Target, Topology, Way, WayKind};

/// A node asks, and there is no elicitation anywhere: said at the first one, since one is missing, however many ask.
pub(super) const fn missing<const P: usize, const W: usize>(analysis: &mut Analysis<P, W>, topology: &Topology) -> bool {
    if first_elicitation(topology) != NONE {
        return false;
    }
    let mut place = 0;
    while place < topology.places.len() {
        if topology.places[place].asks {
            analysis.places[place] = Fault::NoElicitation;
            return true;
        }
        place += 1;
    }
    false
}

/// Rule E, and the facts of this graph for whoever mounts it.
pub(super) const fn unasked<const P: usize, const W: usize>(analysis: &mut Analysis<P, W>, topology: &Topology) -> bool {
    let from_askers = Unasked::<P>::from_askers(topology, &analysis.out, &analysis.reached, &mut analysis.ways);
    // A mistake of another graph's making is not one of this graph: what its start leads to is not marked.
    let from_start = Unasked::<P>::from_start(topology, &analysis.out, &mut [Fault::None; W]);

    let mut facts = Facts {
        exits: topology.exits,
        tools_from_start: from_start.tools != NONE,
        dry_through: from_start.exits,
        dry_out: from_askers.exits,
        dry_error: false,
        unapproved_from_start: false,
        calls_model: false,
        tools_path: Text::NEW,
        out_path: Text::NEW,
    };
    if from_start.tools != NONE {
        facts.tools_path = from_start.witness(topology, from_start.tools);
    }
    if from_askers.exit != NONE {
        facts.out_path = from_askers.witness(topology, from_askers.exit);
    }
    let mut place = 0;
    while place < topology.places.len() {
        if topology.places[place].asks || topology.places[place].facts.dry_error {
            facts.dry_error = true;
        }
        place += 1;
    }
    analysis.facts = facts;
    analysis.unasked_by = from_askers.flood.by;
    from_askers.tools != NONE
}

/// Elicitations to which nothing leads that asks, or whose answer nobody takes up.
pub(super) const fn company<const P: usize, const W: usize>(analysis: &mut Analysis<P, W>, topology: &Topology) {
    let into = Ways::<P, W>::into_places(topology);
    let mut asked = Flood::<P>::NEW;
    let mut heard = Flood::<P>::NEW;
    let mut place = 0;
    while place < topology.places.len() {
        if analysis.reached[place] && is_asker(&topology.places[place]) {
            asked.follow(topology, &analysis.out, analysis.out.first[place]);
        }
        // What a mounted graph does with the answer is its own affair.
        if matches!(topology.places[place].role, Role::Model | Role::Tools | Role::Graph) {
            heard.follow(topology, &into, into.first[place]);
        }
        place += 1;
    }
    asked.spread(topology, &analysis.out);
    heard.spread(topology, &into);

    let mut place = 0;
    while place < topology.places.len() {
        if matches!(topology.places[place].role, Role::Elicitation) {
            if !asked.seen[place] {
                analysis.places[place] = Fault::NothingAsks;
            } else if !heard.seen[place] {
                analysis.ways[analysis.out.first[place]] = Fault::AnswerIsLost;
            }
        }
        place += 1;
    }
}

/// Where a run may be, with nobody asked.
struct Unasked<const P: usize> {
    flood: Flood<P>,
    /// The exits by which it may leave.
    exits: u64,
    /// The first way found to an exit.
    exit: usize,
    /// The first way found to tools.
    tools: usize,
}

impl<const P: usize> Unasked<P> {
    const NEW: Self = Self { flood: Flood::NEW, exits: 0, exit: NONE, tools: NONE };

    /// Since a node asked.
    const fn from_askers<const W: usize>(topology: &Topology, out: &Ways<P, W>, reached: &[bool; P], faults: &mut [Fault; W]) -> Self {
        let mut found = Self::NEW;
        let mut place = 0;
        while place < topology.places.len() {
            let asker = &topology.places[place];
            if reached[place] && is_asker(asker) && !matches!(asker.role, Role::Elicitation) {
                let exits = if matches!(asker.role, Role::Graph) { asker.facts.dry_out } else { u64::MAX };
                found.follow(topology, out, out.first[place], exits, faults);
            }
            place += 1;
        }
        found.spread(topology, out, faults);
        found
    }

    /// Since the start.
    const fn from_start<const W: usize>(topology: &Topology, out: &Ways<P, W>, faults: &mut [Fault; W]) -> Self {
        let mut found = Self::NEW;
        found.follow(topology, out, out.start, u64::MAX, faults);
        found.spread(topology, out, faults);
        found
    }

    const fn spread<const W: usize>(&mut self, topology: &Topology, out: &Ways<P, W>, faults: &mut [Fault; W]) {
        loop {
            let place = self.flood.take();
            if place == NONE {
                return;
            }
            // For a node it has a bit for every exit there could be.
            let exits = topology.places[place].facts.dry_through;
            self.follow(topology, out, out.first[place], exits, faults);
        }
    }

    /// Follows the ways of one place up to its gate; of a mounted graph those that stand for one of `exits`.
    const fn follow<const W: usize>(&mut self, topology: &Topology, out: &Ways<P, W>, first: usize, exits: u64, faults: &mut [Fault; W]) {
        let mut way = first;
        let mut blamed = false;
        let mut after_gate = false;
        let mut next_after_gate = false;
        while way != NONE {
            // What is done when a budget is used up stands where the way with the budget stands.
            if !matches!(topology.ways[way].kind, WayKind::Else { .. }) {
                after_gate = next_after_gate;
            }
            if !after_gate && exits & exits_of(topology, way) != 0 {
                match topology.ways[way].to {
                    Target::Never | Target::Fork(_) | Target::Join(_) => {}
                    Target::End(exit) => {
                        self.exits |= 1 << exit;
                        if self.exit == NONE {
                            self.exit = way;
                        }
                    }
                    Target::Place(to) if runs_tools(&topology.places[to as usize]) => {
                        // The gate that is missing is one mistake of this place, whatever it leads to.
                        if !blamed {
                            faults[way] = Fault::Unasked;
                        }
                        blamed = true;
                        if self.tools == NONE {
                            self.tools = way;
                        }
                    }
                    Target::Place(to) => {
                        // Another model starts anew, and an elicitation asks.
                        if !matches!(topology.places[to as usize].role, Role::Model | Role::Elicitation) {
                            self.flood.come_to(to as usize, way);
                        }
                    }
                }
            }
            if is_gate(topology, way) {
                next_after_gate = true;
            }
            way = out.next[way];
        }
    }

    /// The names from where nobody was asked to where `last` leads.
    const fn witness(&self, topology: &Topology, last: usize) -> Text<96> {
        let (path, len) = unasked_path::<P>(topology, &self.flood.by, last);
        path_to(Text::NEW, topology, path.split_at(len).0, last)
    }
}

/// The places before the way `last`, in order, and how many they are: from one that asks, or from the start.
pub(super) const fn unasked_path<const P: usize>(topology: &Topology, by: &[usize; P], last: usize) -> ([usize; P], usize) {
    let mut path = [NONE; P];
    let mut at = P;
    let mut way = last;
    while at > 0 {
        let Way { from: Origin::Place(from), .. } = topology.ways[way] else { break };
        at -= 1;
        path[at] = from as usize;
        let place = &topology.places[from as usize];
        let begins = if matches!(place.role, Role::Graph) { place.facts.dry_out & exits_of(topology, way) != 0 } else { place.asks };
        if begins || by[from as usize] == NONE {
            break;
        }
        way = by[from as usize];
    }
    // To the front.
    let mut len = 0;
    while at < P {
        path[len] = path[at];
        len += 1;
        at += 1;
    }
    (path, len)
}

/// Whether a way is a gate: the guard that knows whether a question is open, and behind it the elicitation.
pub(super) const fn is_gate(topology: &Topology, way: usize) -> bool {
    match (topology.ways[way].kind, topology.ways[way].to) {
        (WayKind::If { gate: true, .. }, Target::Place(to)) => matches!(topology.places[to as usize].role, Role::Elicitation),
        _ => false,
    }
}

/// The first elicitation.
pub(super) const fn first_elicitation(topology: &Topology) -> usize {
    let mut place = 0;
    while place < topology.places.len() {
        if matches!(topology.places[place].role, Role::Elicitation) {
            return place;
        }
        place += 1;
    }
    NONE
}

/// Whether a model in it may ask, and the place may be left before the user is.
pub(super) const fn is_asker(place: &Place) -> bool {
    place.asks || (matches!(place.role, Role::Graph) && place.facts.dry_out != 0)
}

const fn runs_tools(place: &Place) -> bool {
    matches!(place.role, Role::Tools) || (matches!(place.role, Role::Graph) && place.facts.tools_from_start)
}

/// A bit for each exit of a mounted graph for which a way stands: those that its label names, or else any.
const fn exits_of(topology: &Topology, way: usize) -> u64 {
    let (from, label) = match topology.ways[way] {
        Way { from: Origin::Place(from), kind: WayKind::Arm { router: None, label }, .. } => (from, label),
        Way { kind: WayKind::Else { .. }, .. } if way > 0 => return exits_of(topology, way - 1),
        _ => return u64::MAX,
    };
    let exits = topology.places[from as usize].facts.exits;
    let mut bits = 0;
    let mut exit = 0;
    while exit < exits.len() && exit < MAX_EXITS {
        if lists(label.as_bytes(), exits[exit].as_bytes()) {
            bits |= 1 << exit;
        }
        exit += 1;
    }
    if bits == 0 { u64::MAX } else { bits }
}

/// Whether `name` is one of the words of `label`.
const fn lists(label: &[u8], name: &[u8]) -> bool {
    let mut at = 0;
    while at < label.len() {
        let mut same = 0;
        while at + same < label.len() && same < name.len() && label[at + same] == name[same] {
            same += 1;
        }
        let ends = at + same == label.len() || matches!(label[at + same], b' ' | b'|');
        if same == name.len() && ends {
            return true;
        }
        while at < label.len() && !matches!(label[at], b' ' | b'|') {
            at += 1;
        }
        while at < label.len() && matches!(label[at], b' ' | b'|') {
            at += 1;
        }
    }
    false
}
