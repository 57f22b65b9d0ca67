//! The frames of a thread that is followed without its state: what is around each, and what is known to be open in it.

use std::collections::BTreeMap;

use crate::engine::log::names;
use crate::engine::log::row::StoredFrom;
use crate::path;
use crate::topology::{Topology, WayKind};

/// The branches and mounted graphs around a frame, from the outside. Among what is open at once it is the only one.
pub(in crate::engine) type Frame = Vec<String>;

/// What earlier rows have told.
#[derive(Default)]
pub(in crate::engine) struct Known {
    /// Which fork is open in a frame.
    pub(in crate::engine) forks: BTreeMap<Frame, u16>,
    /// Where a frame stands: the graphs around it, the place, and whether it asks.
    pub(in crate::engine) stands: BTreeMap<Frame, (Vec<&'static str>, String, bool)>,
    /// From where a frame found no way when one was last looked for.
    pub(in crate::engine) unrouted: BTreeMap<Frame, StoredFrom>,
}

/// What is around a frame, from the outside: a branch of the graph that it is in, or another graph and the place where that
/// is mounted.
#[derive(Clone, Copy)]
pub(in crate::engine) enum Around<'t> {
    Branch,
    Mount(&'static str, &'t Topology),
}

impl Known {
    /// What is around a frame, at the end of which is `place`. Where earlier rows do not tell whether something is a branch, or
    /// a mounted graph with which that may begin and after which it is called then, it is looked at where the place is.
    pub(in crate::engine) fn around<'t>(&self, graph: &'t Topology, frame: &[String], at: usize, place: &str) -> Option<Vec<Around<'t>>> {
        let Some((before, name)) = frame.get(..at).zip(frame.get(at)) else {
            return (place.is_empty() || graph.place(place).is_some()).then(Vec::new);
        };
        let behind = |first: Around<'t>, graph: &'t Topology| {
            let rest = self.around(graph, frame, at + 1, place)?;
            Some(std::iter::once(first).chain(rest).collect())
        };
        let branch = || behind(Around::Branch, graph);
        let mount = || {
            let (at, inner) = graph.place(name).and_then(|place| Some((place.name, place.graph?)))?;
            behind(Around::Mount(at, inner), inner)
        };
        if self.forks.contains_key(before) {
            branch()
        } else if self.stands.contains_key(before) {
            mount()
        } else if is_branch(graph, name) {
            branch().or_else(mount)
        } else {
            mount().or_else(branch)
        }
    }
}

fn is_branch(graph: &Topology, name: &str) -> bool {
    // Of two with the same first step the second has a number.
    let name = name.split_once('#').map_or(name, |(name, _)| name);
    graph.ways.iter().any(|way| match way.kind {
        WayKind::Branch { label: "" } => names::target(graph, way.to) == name,
        WayKind::Branch { label } => label == name,
        _ => false,
    })
}

impl Around<'_> {
    pub(in crate::engine) fn mount(&self) -> Option<&'static str> {
        match self {
            Self::Branch => None,
            Self::Mount(at, _) => Some(at),
        }
    }
}

pub(in crate::engine) fn innermost<'t>(root: &'t Topology, around: &[Around<'t>]) -> &'t Topology {
    let mounted = around.iter().rev().find_map(|around| match around {
        Around::Branch => None,
        Around::Mount(_, graph) => Some(*graph),
    });
    mounted.unwrap_or(root)
}

/// By its path as it is stored.
pub(in crate::engine) fn keys(path: &str) -> Frame {
    let mut keys = Frame::new();
    let mut rest = path;
    while let Some((_, key, behind)) = path::split(rest) {
        keys.push(key.to_string());
        rest = behind;
    }
    keys
}
