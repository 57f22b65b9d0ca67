//! What a walk over the graph begins at, follows and looks for.

use super::MAX_EXITS;
use super::ways::is_on;
use crate::topology::{Origin, Place, Role, Target, Topology, Way, WayKind};

/// Why the walk is done.
#[derive(Clone, Copy, Debug)]
pub(super) enum Rule {
    /// Rule E: from nodes that ask to tools, with the user not asked.
    Unasked,
    /// Rule A: from models to tools that need an approval, with nothing approved.
    Unapproved,
    /// From nodes that ask, wherever it leads.
    Asked,
    /// From an elicitation to the models that take the answer up first, and from models to an elicitation.
    Between(usize),
}

impl Rule {
    /// The places at which the walk begins.
    pub(super) const fn sources<const N: usize>(self, topology: &Topology) -> [bool; N] {
        let mut sources = [false; N];
        let mut place = 0;
        while place < topology.places.len() {
            let it = &topology.places[place];
            sources[place] = match self {
                Self::Unasked => (is_asker(it) || leaves_asker(it)) && !matches!(it.role, Role::Elicitation),
                Self::Unapproved => calls_model(it),
                Self::Asked | Self::Between(_) => is_asker(it),
            };
            place += 1;
        }
        sources
    }

    /// Whether a way is followed.
    pub(super) const fn follows(self, topology: &Topology, way: usize, as_source: bool, after_gate: bool) -> bool {
        let Origin::Place(place) = topology.ways[way].from else { return !after_gate };
        let it = &topology.places[place as usize];
        match self {
            // Who fails has done nothing: neither did a model answer, nor was anybody asked, nor did a gate stand before.
            Self::Unasked if is_on(topology, way) => !as_source || it.asks || leaves_asker(it),
            Self::Unasked => {
                let exits = match it.role {
                    Role::Graph if as_source => it.facts.dry_out,
                    Role::Graph => it.facts.dry_through,
                    // Another model starts anew, and an elicitation asks.
                    Role::Model | Role::Elicitation if !as_source => 0,
                    _ => u64::MAX,
                };
                !after_gate && exits & exits_of(topology, way) != 0
            }
            Self::Unapproved => is_on(topology, way) || !it.approves || refuses(topology, way),
            Self::Asked => true,
            Self::Between(_) => as_source || !(calls_model(it) || matches!(it.role, Role::Elicitation)),
        }
    }

    /// Whether the walk looks for a place: it goes no further there.
    pub(super) const fn looks_for(self, topology: &Topology, place: usize) -> bool {
        let it = &topology.places[place];
        match self {
            Self::Unasked => matches!(it.role, Role::Tools) || (matches!(it.role, Role::Graph) && it.facts.tools_from_start),
            Self::Unapproved => runs_unapproved(it),
            Self::Between(elicitation) => place == elicitation,
            Self::Asked => false,
        }
    }

    /// Whether what follows a join is come to when its fork is, whatever its branches do.
    pub(super) const fn crosses_all(self) -> bool {
        matches!(self, Self::Asked | Self::Between(_))
    }

    /// Whether ways behind this one are not followed.
    pub(super) const fn is_gate(self, topology: &Topology, way: usize) -> bool {
        matches!(self, Self::Unasked) && is_gate(topology, way)
    }
}

/// Whether a way is a gate: the guard that knows whether a question is open, and behind it the elicitation.
pub(super) const fn is_gate(topology: &Topology, way: usize) -> bool {
    match (topology.ways[way].kind, topology.ways[way].to) {
        (WayKind::If { gate: true, .. }, Target::Place(to)) => matches!(topology.places[to as usize].role, Role::Elicitation),
        _ => false,
    }
}

/// Whether a model in it may ask, and the place may be left before the user is.
pub(super) const fn is_asker(place: &Place) -> bool {
    place.asks || (matches!(place.role, Role::Graph) && place.facts.dry_out != 0)
}

/// Whether it may fail with a question that was not put.
const fn leaves_asker(place: &Place) -> bool {
    matches!(place.role, Role::Graph) && place.facts.dry_error
}

/// Whether a model is called in it.
pub(super) const fn calls_model(place: &Place) -> bool {
    matches!(place.role, Role::Model) || (matches!(place.role, Role::Graph) && place.facts.calls_model)
}

/// Whether it runs tools that somebody must have approved before.
pub(super) const fn runs_unapproved(place: &Place) -> bool {
    !place.approves && (place.needs_approval || (matches!(place.role, Role::Graph) && place.facts.unapproved_from_start))
}

/// Whether any place does.
pub(super) const fn needs_approval(topology: &Topology) -> bool {
    let mut place = 0;
    while place < topology.places.len() {
        if runs_unapproved(&topology.places[place]) {
            return true;
        }
        place += 1;
    }
    false
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

/// Whether an arm is that of somebody who was asked and did not answer: nothing is approved there.
const fn refuses(topology: &Topology, way: usize) -> bool {
    match topology.ways[way].kind {
        WayKind::Arm { router: None, label } => lists(label.as_bytes(), b"Declined") || lists(label.as_bytes(), b"Cancelled"),
        WayKind::Else { .. } if way > 0 => refuses(topology, way - 1),
        _ => false,
    }
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
