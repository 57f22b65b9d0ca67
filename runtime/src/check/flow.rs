//! Where a run may have come since something happened in it: the one walk of rules E and A and their company.
//!
//! On its own level a fork is crossed or not, as a mounted graph is: by a path through one of its branches. So each level is
//! walked by itself, the inner ones first; then those that are come to, the outer ones first.

use super::flood::Flood;
use super::levels::{Lead, Levels, OUTSIDE, entry};
use super::rule::Rule;
use super::ways::{NONE, Ways, fork_of, tail};
use crate::topology::{ForkKind, Target, Topology, WayKind};

/// A part of a walk: on a level, from its entry or from the sources on it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stretch {
    level: usize,
    from_entry: bool,
}

/// What the walk is on.
#[derive(Clone, Copy)]
pub(super) struct Ground<'a, const N: usize, const W: usize> {
    pub(super) topology: &'a Topology,
    pub(super) ways: &'a Ways<N, W>,
    pub(super) levels: &'a Levels<N>,
}

/// A walk by a rule.
#[derive(Debug)]
pub(super) struct Flow<const N: usize, const W: usize> {
    rule: Rule,
    /// Whether it begins at the start, and not at the sources.
    from_start: bool,
    /// By place: whether it is one of the sources.
    sources: [bool; N],
    /// By way: where on the walk it was found to lead to what the rule looks for.
    pub(super) found: [Option<Stretch>; W],
    /// The first of them.
    pub(super) first: Option<(usize, Stretch)>,
    /// By node: whether it was come to.
    pub(super) seen: [bool; N],
    /// A bit for each exit that was come to.
    pub(super) exits: u64,
    /// The first way to an exit.
    pub(super) exit: Option<(usize, Stretch)>,
    /// By fork: whether a path leads through it.
    crossed: [bool; N],
    /// By fork: the way by which it was come to.
    come: [Option<(usize, Stretch)>; N],
    /// By fork: the way by which a source in it comes to the join.
    out: [usize; N],
}

impl<const N: usize, const W: usize> Flow<N, W> {
    pub(super) const fn nowhere(rule: Rule) -> Self {
        Self {
            rule,
            from_start: false,
            sources: [false; N],
            found: [None; W],
            first: None,
            seen: [false; N],
            exits: 0,
            exit: None,
            crossed: [false; N],
            come: [None; N],
            out: [NONE; N],
        }
    }

    pub(super) const fn from_start(rule: Rule, ground: &Ground<'_, N, W>) -> Self {
        Self { from_start: true, ..Self::nowhere(rule) }.walk(ground)
    }

    pub(super) const fn from_sources(rule: Rule, sources: [bool; N], ground: &Ground<'_, N, W>) -> Self {
        let flow = Self { sources, ..Self::nowhere(rule) };
        let mut place = 0;
        while place < ground.topology.places.len() {
            if sources[place] {
                return flow.walk(ground);
            }
            place += 1;
        }
        flow
    }

    const fn walk(mut self, ground: &Ground<'_, N, W>) -> Self {
        let levels = ground.levels;
        let mut flood = Flood::NEW;
        let mut sources = Flood::NEW;
        let mut at = 0;
        while at < levels.len {
            let fork = levels.order[at];
            // What a fork does is the same from wherever it is come to, so here nothing is told yet.
            let through = self.stretch(ground, Stretch { level: fork, from_entry: true }, false, &mut flood, &mut sources);
            let may_be_empty = !matches!(ground.topology.forks[fork].kind, ForkKind::All) || ground.ways.branches[fork] == NONE;
            self.crossed[fork] = self.rule.crosses_all() || may_be_empty || through != NONE;
            if !self.from_start {
                self.out[fork] = self.stretch(ground, Stretch { level: fork, from_entry: false }, true, &mut flood, &mut sources);
            }
            at += 1;
        }
        self.stretch(ground, Stretch { level: OUTSIDE, from_entry: self.from_start }, true, &mut flood, &mut sources);
        while at > 0 {
            at -= 1;
            let fork = levels.order[at];
            if self.come[fork].is_some() {
                self.stretch(ground, Stretch { level: fork, from_entry: true }, true, &mut flood, &mut sources);
            }
        }
        self
    }

    /// Walks on one level; gives the first way found to the join.
    const fn stretch(
        &mut self,
        ground: &Ground<'_, N, W>,
        stretch: Stretch,
        tell: bool,
        flood: &mut Flood<N>,
        sources: &mut Flood<N>,
    ) -> usize {
        let mut joined = NONE;
        let mut step = Step { stretch, tell, flood, joined: &mut joined };
        if stretch.from_entry {
            step.flood.begin();
            self.leave(ground, &mut step, entry(ground.ways, stretch.level), false);
        } else {
            sources.fill(ground.topology, ground.ways, ground.levels, stretch.level);
            self.leave_sources(ground, &mut step, sources);
        }
        loop {
            let node = step.flood.take();
            if node == NONE {
                return joined;
            }
            let fork = fork_of(ground.topology, node);
            if fork == NONE || self.crossed[fork] {
                self.leave(ground, &mut step, ground.ways.first[node], false);
            }
        }
    }

    /// Follows the ways out of the sources among the nodes of a level.
    const fn leave_sources(&mut self, ground: &Ground<'_, N, W>, step: &mut Step<'_, N>, nodes: &Flood<N>) {
        let Ground { topology, ways, .. } = *ground;
        step.flood.begin();
        let mut at = 0;
        while at < nodes.len {
            let node = nodes.queue[at];
            let fork = fork_of(topology, node);
            if (fork == NONE && self.sources[node]) || (fork != NONE && self.out[fork] != NONE) {
                self.leave(ground, step, ways.first[node], true);
            }
            at += 1;
        }
    }

    /// Follows a list of ways as the rule lets them be followed.
    const fn leave(&mut self, ground: &Ground<'_, N, W>, step: &mut Step<'_, N>, first: usize, as_source: bool) {
        let topology = ground.topology;
        let mut way = first;
        let mut after_gate = false;
        let mut next_after_gate = false;
        while way != NONE {
            // What is done when a budget is used up stands where the way with the budget stands.
            if !matches!(topology.ways[way].kind, WayKind::Else { .. }) {
                after_gate = next_after_gate;
            }
            if self.rule.follows(topology, way, as_source, after_gate) {
                self.go(ground, step, way);
            }
            if self.rule.is_gate(topology, way) {
                next_after_gate = true;
            }
            way = ground.ways.next[way];
        }
    }

    const fn go(&mut self, ground: &Ground<'_, N, W>, step: &mut Step<'_, N>, way: usize) {
        let topology = ground.topology;
        match ground.levels.lead(topology, step.stretch.level, way) {
            Lead::To(node) if fork_of(topology, node) == NONE && self.rule.looks_for(topology, node) => {
                if step.tell && self.found[way].is_none() {
                    self.found[way] = Some(step.stretch);
                    if self.first.is_none() {
                        self.first = Some((way, step.stretch));
                    }
                }
            }
            Lead::To(node) => {
                step.flood.come_to(node, way);
                if step.tell {
                    self.seen[node] = true;
                    let fork = fork_of(topology, node);
                    if fork != NONE && self.come[fork].is_none() {
                        self.come[fork] = Some((way, step.stretch));
                    }
                }
            }
            Lead::Arrives => {
                if *step.joined == NONE {
                    *step.joined = way;
                }
            }
            Lead::Ends => {
                if let Target::End(exit) = topology.ways[way].to {
                    self.exits |= 1 << exit;
                }
                if self.exit.is_none() {
                    self.exit = Some((way, step.stretch));
                }
            }
            Lead::Back | Lead::Elsewhere | Lead::Never => {}
        }
    }

    /// The places on a path from where the walk began to a way, and the forks between them that it leads through.
    pub(super) const fn path(&self, ground: &Ground<'_, N, W>, last: usize, end: Stretch) -> Path<N> {
        let topology = ground.topology;
        let mut path = Path { nodes: [NONE; N], at: N, left_by: NONE };
        // Nothing is told anew.
        let (rule, from_start, sources, crossed, out) = (self.rule, self.from_start, self.sources, self.crossed, self.out);
        let mut again = Self { from_start, sources, crossed, out, ..Self::nowhere(rule) };
        let mut flood = Flood::NEW;
        let mut sources = Flood::NEW;
        let (mut way, mut stretch) = (last, end);
        loop {
            again.stretch(ground, stretch, false, &mut flood, &mut sources);
            loop {
                let node = tail(topology, way);
                if node == NONE {
                    // The way into the level.
                    match self.come_to(stretch) {
                        Some(before) => (way, stretch) = before,
                        None => return path,
                    }
                    break;
                }
                let fork = fork_of(topology, node);
                if fork != NONE && !stretch.from_entry && self.out[fork] != NONE {
                    (way, stretch) = (self.out[fork], Stretch { level: fork, from_entry: false });
                    break;
                }
                if path.at == 0 {
                    return path;
                }
                path.at -= 1;
                path.nodes[path.at] = node;
                if fork == NONE && path.left_by == NONE {
                    path.left_by = way;
                }
                let begins = fork == NONE && self.sources[node] && self.rule.follows(topology, way, true, false);
                if begins || !flood.has(node) {
                    return path;
                }
                way = flood.by[node];
            }
        }
    }

    const fn come_to(&self, stretch: Stretch) -> Option<(usize, Stretch)> {
        if stretch.level == OUTSIDE { None } else { self.come[stretch.level] }
    }
}

/// What one step of the walk needs.
struct Step<'a, const N: usize> {
    stretch: Stretch,
    tell: bool,
    flood: &'a mut Flood<N>,
    /// The first way found to the join.
    joined: &'a mut usize,
}

/// Nodes on a way through the graph.
pub(super) struct Path<const N: usize> {
    nodes: [usize; N],
    at: usize,
    /// The way by which the last place on it is left.
    pub(super) left_by: usize,
}

impl<const N: usize> Path<N> {
    pub(super) const fn nodes(&self) -> &[usize] {
        self.nodes.split_at(self.at).1
    }
}
