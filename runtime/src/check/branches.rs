//! A branch is what can be reached from its first step without passing the join: every way out of it leads to the join,
//! never to an exit or back to its fork, and two branches of one fork share no place.

use super::flood::Flood;
use super::levels::{Lead, OUTSIDE, entry};
use super::search::{BACK, ENDS, Search, Task, Which};
use super::ways::{NONE, fork_of};
use super::{Analysis, Fault};
use crate::topology::{Target, Topology};

/// Ways that leave their branch, and not for its join.
///
/// A place may stand in branches and outside of them as well, so what leads astray on one level may be right on another.
/// What is wrong is the way by which it is come to from where it is right nowhere, or else the way astray itself.
pub(super) const fn astray<const N: usize, const W: usize>(analysis: &mut Analysis<N, W>, topology: &Topology) -> bool {
    if !analysis.levels.astray {
        return false;
    }
    let mut search = Search::<N>::NEW;
    let mut nodes = Flood::<N>::NEW;
    // What leads astray on every level on which it stands.
    let mut everywhere = [ENDS | BACK; N];
    let mut anywhere = 0;
    let mut at = 0;
    while at <= analysis.levels.len {
        look(analysis, topology, at, &mut search, &mut nodes);
        let mut n = 0;
        while n < nodes.len {
            everywhere[nodes.queue[n]] &= search.of(nodes.queue[n]);
            anywhere |= search.of(nodes.queue[n]);
            n += 1;
        }
        at += 1;
    }
    // A fork in itself has no end of levels, and is said first.
    let (bit, fault) = if anywhere & BACK == 0 { (ENDS, Fault::LeavesBranch) } else { (BACK, Fault::OwnFork) };
    let mut at = 1;
    while at <= analysis.levels.len {
        let level = look(analysis, topology, at, &mut search, &mut nodes);
        blame(analysis, topology, &search, level, (bit, fault), analysis.ways.branches[level], &everywhere);
        let mut n = 0;
        while n < nodes.len {
            if everywhere[nodes.queue[n]] & bit != 0 {
                blame(analysis, topology, &search, level, (bit, fault), analysis.ways.first[nodes.queue[n]], &everywhere);
            }
            n += 1;
        }
        at += 1;
    }
    true
}

/// Searches a level: the outermost one, and the others by their order.
const fn look<const N: usize, const W: usize>(
    analysis: &Analysis<N, W>,
    topology: &Topology,
    at: usize,
    search: &mut Search<N>,
    nodes: &mut Flood<N>,
) -> usize {
    let (ways, levels) = (&analysis.ways, &analysis.levels);
    let level = if at == 0 { OUTSIDE } else { levels.order[at - 1] };
    nodes.fill(topology, ways, levels, level);
    let sought = [false; N];
    search.run(&Task { topology, ways, levels, level, which: Which::All, sought: &sought, sought_behind: false }, nodes);
    level
}

/// Looks for wrong ways in a list of ways out of what is right nowhere.
const fn blame<const N: usize, const W: usize>(
    analysis: &mut Analysis<N, W>,
    topology: &Topology,
    search: &Search<N>,
    level: usize,
    (bit, fault): (u8, Fault),
    first: usize,
    everywhere: &[u8; N],
) {
    let mut way = first;
    while way != NONE {
        let wrong = match analysis.levels.lead(topology, level, way) {
            Lead::Ends => bit == ENDS,
            Lead::Back => bit == BACK,
            Lead::To(to) => search.of(to) & bit != 0 && everywhere[to] & bit == 0,
            Lead::Arrives | Lead::Elsewhere | Lead::Never => false,
        };
        if wrong && matches!(analysis.faults[way], Fault::None) {
            analysis.faults[way] = fault;
            analysis.level_of_way[way] = level;
        }
        way = analysis.ways.next[way];
    }
}

/// Places that stand in two branches of one fork, at any depth. Of those that follow one another the first is told.
pub(super) const fn shared<const N: usize, const W: usize>(analysis: &mut Analysis<N, W>, topology: &Topology) -> bool {
    let mut owners = Owners::<N> { branch: [NONE; N], of: [NONE; N] };
    let mut inner = Flood::<N>::NEW;
    let mut nodes = Flood::<N>::NEW;
    let deep = stands_in_two(analysis, topology);
    let mut found = false;
    let mut at = 0;
    while at < analysis.levels.len {
        let fork = analysis.levels.order[at];
        let mut branch = analysis.ways.branches[fork];
        while branch != NONE {
            // The levels in this branch: its own, and those of the forks in it.
            inner.begin();
            let mut level = fork;
            while level != NONE {
                nodes.begin();
                let mut way = entry(&analysis.ways, level);
                while way != NONE {
                    if level != fork || way == branch {
                        found |= owners.step(analysis, topology, (fork, branch), level, way, &mut nodes);
                    }
                    way = analysis.ways.next[way];
                }
                loop {
                    let node = nodes.take();
                    if node == NONE {
                        break;
                    }
                    if deep && fork_of(topology, node) != NONE {
                        inner.come_to(fork_of(topology, node), NONE);
                    }
                    let mut way = analysis.ways.first[node];
                    while way != NONE {
                        found |= owners.step(analysis, topology, (fork, branch), level, way, &mut nodes);
                        way = analysis.ways.next[way];
                    }
                }
                level = inner.take();
            }
            branch = analysis.ways.next[branch];
        }
        at += 1;
    }
    found
}

/// Whether a place or a fork stands on the levels of two forks. If none does, what two branches share is seen on their own
/// level.
const fn stands_in_two<const N: usize, const W: usize>(analysis: &Analysis<N, W>, topology: &Topology) -> bool {
    let mut nodes = Flood::<N>::NEW;
    let mut stands = [false; N];
    let mut at = 0;
    while at < analysis.levels.len {
        nodes.fill(topology, &analysis.ways, &analysis.levels, analysis.levels.order[at]);
        let mut n = 0;
        while n < nodes.len {
            if stands[nodes.queue[n]] {
                return true;
            }
            stands[nodes.queue[n]] = true;
            n += 1;
        }
        at += 1;
    }
    false
}

/// In which branch of a fork a node was met first.
struct Owners<const N: usize> {
    of: [usize; N],
    branch: [usize; N],
}

impl<const N: usize> Owners<N> {
    /// Follows a way in a branch of a fork; on the level of that fork, or of one in the branch.
    const fn step<const W: usize>(
        &mut self,
        analysis: &mut Analysis<N, W>,
        topology: &Topology,
        (fork, branch): (usize, usize),
        level: usize,
        way: usize,
        nodes: &mut Flood<N>,
    ) -> bool {
        let Lead::To(node) = analysis.levels.lead(topology, level, way) else { return false };
        if self.of[node] == fork && self.branch[node] != branch {
            // A fork is told by its first place.
            let place = first_place(analysis, topology, way);
            if place != NONE && matches!(analysis.nodes[place], Fault::None) {
                analysis.nodes[place] = Fault::SharedPlace;
                analysis.level_of_node[place] = fork;
                analysis.branches_of_node[place] = (self.branch[node], branch);
            }
            return true;
        }
        self.of[node] = fork;
        self.branch[node] = branch;
        nodes.come_to(node, way);
        false
    }
}

/// The first place of a branch.
pub(super) const fn first_place<const N: usize, const W: usize>(analysis: &Analysis<N, W>, topology: &Topology, branch: usize) -> usize {
    let mut way = branch;
    loop {
        match topology.ways[way].to {
            Target::Place(place) => return place as usize,
            Target::Fork(fork) if analysis.ways.branches[fork as usize] != NONE => way = analysis.ways.branches[fork as usize],
            _ => return NONE,
        }
    }
}
