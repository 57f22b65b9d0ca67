//! Writes at the same time: two branches of one fork must not both write a field that has no reducer.
//!
//! Which fields a node writes is known where the state is, so this is asked of each graph over a known state, and
//! apart from the rest.

use super::branches::first_place;
use super::flood::Flood;
use super::phrase::Said;
use super::ways::{NONE, fork_of, node_of};
use super::{Analysis, Fault};
use crate::state::{FieldInfo, FieldSet, Kind};
use crate::topology::{ForkKind, Role, Topology};

/// What is wrong with the forks of a graph, as far as they write. `N` is that of its [`Analysis`].
#[derive(Debug)]
pub struct Parallel<const N: usize> {
    fields: &'static [FieldInfo],
    faults: [Fault; N],
    /// The field that both write.
    field: [usize; N],
    /// The places that write; one, if it is run many times at once.
    places: [(usize, usize); N],
}

impl<const N: usize> Parallel<N> {
    /// What is wrong with a fork.
    #[must_use]
    pub const fn of_fork(&self, fork: usize) -> Fault {
        self.faults[fork]
    }
}

/// Looks at what runs at once. `writes` has for each place the fields that it may write, and `fields` are those of the
/// state. Nothing is said of a graph in which something else is wrong.
#[must_use]
pub const fn parallel<const N: usize, const W: usize>(
    analysis: &Analysis<N, W>,
    topology: &Topology,
    writes: &[FieldSet],
    fields: &'static [FieldInfo],
) -> Parallel<N> {
    let mut found = Parallel { fields, faults: [Fault::None; N], field: [NONE; N], places: [(NONE, NONE); N] };
    let unmerged = unmerged(fields);
    if unmerged.first().is_none() || !analysis.sound {
        return found;
    }
    let mut sets = Sets { written: [FieldSet::EMPTY; N], undeclared: [NONE; N] };
    let mut place = 0;
    while place < topology.places.len() {
        if writes[place].is_declared() {
            sets.written[place] = writes[place].both(unmerged);
        } else {
            sets.undeclared[place] = place;
        }
        place += 1;
    }
    let mut nodes = Flood::NEW;
    let mut at = 0;
    while at < analysis.levels.len {
        let fork = analysis.levels.order[at];
        found.look_at(analysis, topology, fork, &mut sets, &mut nodes);
        at += 1;
    }
    found
}

impl<const N: usize> Parallel<N> {
    /// Looks at a fork, behind those in its branches.
    const fn look_at<const W: usize>(
        &mut self,
        analysis: &Analysis<N, W>,
        topology: &Topology,
        fork: usize,
        sets: &mut Sets<N>,
        nodes: &mut Flood<N>,
    ) {
        let node = node_of(topology, fork);
        let many = matches!(topology.forks[fork].kind, ForkKind::Each);
        let mut branch = analysis.ways.branches[fork];
        while branch != NONE {
            let (written, undeclared) = sets.of_branch(analysis, topology, (fork, branch), nodes);
            let clash = if many { written } else { written.both(sets.written[node]) };
            if let (Some(field), Fault::None) = (clash.first(), self.faults[fork]) {
                let writer = sets.writer(analysis, topology, (fork, branch), field, nodes);
                let mut other = analysis.ways.branches[fork];
                let mut first = NONE;
                while first == NONE && !many && other != branch {
                    first = sets.writer(analysis, topology, (fork, other), field, nodes);
                    other = analysis.ways.next[other];
                }
                self.faults[fork] = Fault::BothWrite;
                self.field[fork] = field;
                self.places[fork] = if many { (writer, writer) } else { (first, writer) };
            }
            sets.written[node] = sets.written[node].union(written);
            if sets.undeclared[node] == NONE && undeclared != NONE {
                sets.undeclared[node] = undeclared;
                if matches!(self.faults[fork], Fault::None) {
                    self.places[fork] = (undeclared, if many { undeclared } else { beside(analysis, topology, fork, branch) });
                }
            }
            branch = analysis.ways.next[branch];
        }
        // That it does not say so is one mistake of a node, in however many forks it stands.
        if sets.undeclared[node] != NONE && matches!(self.faults[fork], Fault::None) {
            self.faults[fork] = Fault::Undeclared;
            sets.undeclared[self.places[fork].0] = NONE;
            sets.undeclared[node] = NONE;
        }
    }
}

/// The first place of another branch.
const fn beside<const N: usize, const W: usize>(analysis: &Analysis<N, W>, topology: &Topology, fork: usize, branch: usize) -> usize {
    let first = analysis.ways.branches[fork];
    let other = if first == branch { analysis.ways.next[first] } else { first };
    if other == NONE { NONE } else { first_place(analysis, topology, other) }
}

/// The fields that have no reducer.
const fn unmerged(fields: &[FieldInfo]) -> FieldSet {
    let mut set = FieldSet::EMPTY;
    let mut field = 0;
    while field < fields.len() {
        if matches!(fields[field].kind, Kind::Replace) {
            set = set.with(field);
        }
        field += 1;
    }
    set
}

/// By node; for a fork, of all its branches so far.
struct Sets<const N: usize> {
    /// The fields written that have no reducer.
    written: [FieldSet; N],
    /// A place that does not say what it writes, and of which that was not said yet.
    undeclared: [usize; N],
}

impl<const N: usize> Sets<N> {
    const fn of_branch<const W: usize>(
        &self,
        analysis: &Analysis<N, W>,
        topology: &Topology,
        (fork, branch): (usize, usize),
        nodes: &mut Flood<N>,
    ) -> (FieldSet, usize) {
        nodes.fill_branch(topology, &analysis.ways, &analysis.levels, fork, branch);
        let (mut written, mut undeclared) = (FieldSet::EMPTY, NONE);
        let mut at = 0;
        while at < nodes.len {
            let node = nodes.queue[at];
            written = written.union(self.written[node]);
            if undeclared == NONE {
                undeclared = self.undeclared[node];
            }
            at += 1;
        }
        (written, undeclared)
    }

    /// The first place in a branch, at any depth, that writes a field.
    const fn writer<const W: usize>(
        &self,
        analysis: &Analysis<N, W>,
        topology: &Topology,
        (fork, branch): (usize, usize),
        field: usize,
        nodes: &mut Flood<N>,
    ) -> usize {
        nodes.fill_branch(topology, &analysis.ways, &analysis.levels, fork, branch);
        loop {
            let mut inner = NONE;
            let mut at = 0;
            while at < nodes.len {
                let node = nodes.queue[at];
                let its = fork_of(topology, node);
                if self.written[node].has(field) {
                    if its == NONE {
                        return node;
                    }
                    if inner == NONE {
                        inner = its;
                    }
                }
                at += 1;
            }
            if inner == NONE {
                return NONE;
            }
            nodes.fill(topology, &analysis.ways, &analysis.levels, inner);
        }
    }
}

/// Refuses a fork whose branches may write one field at once.
#[track_caller]
pub const fn writes<const N: usize>(parallel: &Parallel<N>, topology: &Topology, fork: usize) {
    if !matches!(parallel.faults[fork], Fault::None) {
        panic!("{}", writes_text(parallel, topology, fork).as_str())
    }
}

/// Refuses a graph of which one fork is wrong: for a graph with parameters, where the state is told.
#[track_caller]
pub const fn all_writes<const N: usize>(parallel: &Parallel<N>, topology: &Topology) {
    let mut fork = 0;
    while fork < topology.forks.len() {
        writes(parallel, topology, fork);
        fork += 1;
    }
}

/// What is wrong with a fork, as far as it writes; empty if nothing is.
#[must_use]
pub const fn writes_text<const N: usize>(parallel: &Parallel<N>, topology: &Topology, fork: usize) -> Said {
    let fault = parallel.faults[fork];
    if matches!(fault, Fault::None) {
        return Said::NEW;
    }
    let (one, other) = parallel.places[fork];
    let name = topology.places[one].name;
    if matches!(fault, Fault::BothWrite) {
        let field = parallel.fields[parallel.field[fork]].name;
        let text = if one == other {
            Said::NEW.push("many ").quote(name).push(" run at once, and each writes ")
        } else {
            Said::NEW.quote(name).push(" and ").quote(topology.places[other].name).push(" run at once and both write ")
        };
        let text = text.quote(field).push(", which has no reducer").code(fault).help().push("give ").quote(field).push(" a reducer");
        return if one == other { text } else { text.push(", or let one of the two write another field") };
    }
    let text = if one == other {
        Said::NEW.push("many ").quote(name).push(" run at once, and it")
    } else if other == NONE {
        Said::NEW.quote(name).push(" runs in a branch of ").quote_fork(topology, fork).push(", and it")
    } else {
        Said::NEW.quote(name).push(" and ").quote(topology.places[other].name).push(" run at once, and ").quote(name)
    };
    let text = text.push(" does not say what it writes").code(fault).help().push("declare it: ");
    let node = topology.places[one].node;
    if matches!(topology.places[one].role, Role::Graph) {
        let text =
            text.push("`#[node(writes(..))]` on the nodes of ").quote(node).push(", or `writes(..)` where it is mounted: `").push(name);
        return text.push(": graph ").push(node).push(", writes(..);`");
    }
    text.push("`#[node(writes(..))]` on ").quote(node)
}
