//! Which ways of a graph lead where a row says that something went on.

use crate::engine::log::names;
use crate::engine::log::row::Move;
use crate::topology::{Origin, Target, Topology, Way, WayKind};

/// Which ways are looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::engine) enum By {
    Choice,
    Error,
    Expiry,
}

/// Ways with their numbers.
pub(in crate::engine) struct Ways {
    /// Those that lead where a move goes.
    pub(in crate::engine) fitting: Vec<(usize, &'static Way)>,
    /// All of the kind.
    pub(in crate::engine) tried: Vec<(usize, &'static Way)>,
}

/// The ways of this kind out of `from`.
pub(in crate::engine) fn ways(topology: &Topology, from: Origin, by: By, to: &Move, taken: Option<&String>) -> Ways {
    let wanted = |way: &Way| match by {
        By::Error => matches!(way.kind, WayKind::Error),
        By::Expiry => matches!(way.kind, WayKind::Expiry),
        By::Choice => !matches!(way.kind, WayKind::Error | WayKind::Expiry),
    };
    let tried: Vec<_> = topology.ways_out_of(from).filter(|(_, way)| wanted(way)).collect();
    let mut fitting: Vec<_> = tried.iter().copied().filter(|(_, way)| leads(topology, way.to, to)).collect();
    if let Some(key) = taken {
        let counted: Vec<_> = fitting.iter().copied().filter(|(number, _)| names::budget_key(topology, *number) == *key).collect();
        if !counted.is_empty() {
            fitting = counted;
        }
    }
    Ways { fitting, tried }
}

fn leads(topology: &Topology, to: Target, next: &Move) -> bool {
    match (to, next) {
        (Target::Place(_), Move::At(name) | Move::Mount(name, _)) => names::target(topology, to) == *name,
        (Target::End(exit), Move::Ended(name)) => names::exit_name(topology, exit) == name,
        (Target::Fork(fork), Move::Fork(stored)) => names::fork_name(topology, fork) == stored.fork,
        (Target::Join(_), Move::Arrived) => true,
        (Target::Place(place), Move::Arrived) => topology.forks.iter().any(|fork| fork.join == Some(place)),
        _ => false,
    }
}
