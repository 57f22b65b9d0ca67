//! Names, arrows and paths in what the compiler says.

use super::flow::{Ground, Path};
use super::ways::{NONE, fork_of};
use super::{Fault, Text};
use crate::topology::{ForkKind, Origin, Target, Topology};

/// A mistake in words: what is wrong and its code; a path, where there is one; what to write instead.
pub(super) type Said = Text<2048>;

/// Of a longer path only both ends are told, and of a longer list only its beginning.
const MAX_NAMES: usize = 12;
const MAX_BRANCHES: usize = 4;

/// The places and forks on a path, and where the way at its end leads. What a mounted graph has of the path stands behind
/// its name: of the first place, if the path `begins` in it, and of the last.
pub(super) const fn way_to<const CAP: usize, const N: usize, const W: usize>(
    text: Text<CAP>,
    ground: &Ground<'_, N, W>,
    path: &Path<N>,
    last: usize,
    begins: bool,
) -> Text<CAP> {
    let text = stations(text, ground.topology, path.nodes(), begins);
    let text = if path.nodes().is_empty() { text } else { text.push(" -> ") };
    let text = target(text, ground.topology, last);
    match ground.topology.ways[last].to {
        Target::Place(to) => inside(text, &ground.topology.places[to as usize].facts.tools_path),
        _ => text,
    }
}

/// Where a way leads.
pub(super) const fn target<const CAP: usize>(text: Text<CAP>, topology: &Topology, way: usize) -> Text<CAP> {
    match topology.ways[way].to {
        Target::Place(to) => text.push(topology.places[to as usize].name),
        Target::End(exit) => text.push(topology.exits[exit as usize]),
        Target::Fork(to) | Target::Join(to) => fork(text, topology, to as usize),
        Target::Never => text.push("never"),
    }
}

/// Names with arrows between them.
pub(super) const fn stations<const CAP: usize>(mut text: Text<CAP>, topology: &Topology, path: &[usize], begins: bool) -> Text<CAP> {
    let mut at = 0;
    while at < path.len() {
        if at > 0 {
            text = text.push(" -> ");
        }
        if path.len() > MAX_NAMES && at == MAX_NAMES / 2 {
            text = text.push(".. -> ");
            at = path.len() - MAX_NAMES / 2;
        }
        text = node(text, topology, path[at]);
        if at == 0 && begins && path[at] < topology.places.len() {
            text = inside(text, &topology.places[path[at]].facts.out_path);
        }
        at += 1;
    }
    text
}

const fn inside<const CAP: usize>(text: Text<CAP>, path: &Text<96>) -> Text<CAP> {
    if path.is_empty() { text } else { text.push("(").push(path.as_str()).push(")") }
}

/// The name of a place, or a fork as it is written.
pub(super) const fn node<const CAP: usize>(text: Text<CAP>, topology: &Topology, node: usize) -> Text<CAP> {
    let number = fork_of(topology, node);
    if number == NONE { text.push(topology.places[node].name) } else { fork(text, topology, number) }
}

/// A fork as it is written: `[a, b]`, `some router`, `each router`.
pub(super) const fn fork<const CAP: usize>(text: Text<CAP>, topology: &Topology, number: usize) -> Text<CAP> {
    let it = &topology.forks[number];
    if let (ForkKind::Some | ForkKind::Each, Some(router)) = (it.kind, it.router) {
        return text.push(it.kind.name()).push(" ").push(router);
    }
    let mut text = text.push("[");
    let mut branches = 0;
    let mut way = 0;
    while way < topology.ways.len() {
        if matches!(topology.ways[way].from, Origin::Fork(from) if from as usize == number) {
            if branches > 0 {
                text = text.push(", ");
            }
            if branches == MAX_BRANCHES {
                text = text.push("..");
                break;
            }
            text = match topology.ways[way].to {
                // A fork in it is not told.
                Target::Fork(_) => text.push("[..]"),
                _ => target(text, topology, way),
            };
            branches += 1;
        }
        way += 1;
    }
    text.push("]")
}

impl Said {
    pub(super) const fn quote(self, name: &str) -> Self {
        self.push("`").push(name).push("`")
    }

    pub(super) const fn quote_node(self, topology: &Topology, number: usize) -> Self {
        node(self.push("`"), topology, number).push("`")
    }

    pub(super) const fn quote_fork(self, topology: &Topology, number: usize) -> Self {
        fork(self.push("`"), topology, number).push("`")
    }

    pub(super) const fn quote_target(self, topology: &Topology, way: usize) -> Self {
        target(self.push("`"), topology, way).push("`")
    }

    pub(super) const fn arrow(self, from: &str, to: &str) -> Self {
        self.push("`").push(from).push(" -> ").push(to).push(";`")
    }

    pub(super) const fn gate(self, from: &str, elicitation: &str) -> Self {
        self.push("`").push(from).push(" -> ").push(elicitation).push(" if ask_user_pending;`")
    }

    /// A second place for the function of one.
    pub(super) const fn again(self, topology: &Topology, place: usize) -> Self {
        let it = &topology.places[place];
        self.push("`").push(it.name).push("_again: ").push(it.node).push(";`")
    }

    pub(super) const fn code(self, fault: Fault) -> Self {
        self.push(" [").push(fault.code()).push("]")
    }

    pub(super) const fn path(self) -> Self {
        self.push("\n  path: ")
    }

    pub(super) const fn help(self) -> Self {
        self.push("\n  help: ")
    }
}
