//! Whether every place can be come to, and left for good.

use super::ways::{Flood, NONE, Ways, head, tail};
use super::{Analysis, Fault};
use crate::topology::{Role, Target, Topology};

/// Numbers the strongly connected parts: two places are in one part if each can be reached from the other. (Tarjan's
/// algorithm, with its recursion in an array.)
pub(super) const fn parts<const P: usize, const W: usize>(topology: &Topology, out: &Ways<P, W>) -> [usize; P] {
    let mut search = Search {
        number: [NONE; P],
        low: [NONE; P],
        part: [NONE; P],
        cursor: [NONE; P],
        path: [0; P],
        depth: 0,
        open: [0; P],
        opened: 0,
        met: 0,
        parts: 0,
    };
    let mut root = 0;
    while root < topology.places.len() {
        if search.number[root] == NONE {
            search.enter(root, out);
            while search.depth > 0 {
                search.step(topology, out);
            }
        }
        root += 1;
    }
    search.part
}

struct Search<const P: usize> {
    /// In which order the places were met.
    number: [usize; P],
    /// The first place met that is known to be in the same part.
    low: [usize; P],
    part: [usize; P],
    /// The way to look at next.
    cursor: [usize; P],
    /// The places between the root and here.
    path: [usize; P],
    depth: usize,
    /// The places whose part is not known yet.
    open: [usize; P],
    opened: usize,
    met: usize,
    parts: usize,
}

impl<const P: usize> Search<P> {
    const fn enter<const W: usize>(&mut self, place: usize, out: &Ways<P, W>) {
        self.number[place] = self.met;
        self.low[place] = self.met;
        self.met += 1;
        self.cursor[place] = out.first[place];
        self.path[self.depth] = place;
        self.depth += 1;
        self.open[self.opened] = place;
        self.opened += 1;
    }

    const fn step<const W: usize>(&mut self, topology: &Topology, out: &Ways<P, W>) {
        let here = self.path[self.depth - 1];
        let way = self.cursor[here];
        if way == NONE {
            return self.leave(here);
        }
        self.cursor[here] = out.next[way];
        let to = head(topology, way);
        if to == NONE {
            return;
        }
        if self.number[to] == NONE {
            self.enter(to, out);
        } else if self.part[to] == NONE && self.number[to] < self.low[here] {
            self.low[here] = self.number[to];
        }
    }

    const fn leave(&mut self, here: usize) {
        self.depth -= 1;
        if self.depth > 0 {
            let above = self.path[self.depth - 1];
            if self.low[here] < self.low[above] {
                self.low[above] = self.low[here];
            }
        }
        if self.low[here] == self.number[here] {
            loop {
                self.opened -= 1;
                let member = self.open[self.opened];
                self.part[member] = self.parts;
                if member == here {
                    break;
                }
            }
            self.parts += 1;
        }
    }
}

/// Places that nothing leads to: one error for each part that is a beginning of its own; what follows from it is no
/// mistake of its own.
///
/// An elicitation that nothing leads to is left to the rules of elicitation, which know what is missing.
pub(super) const fn unreachable<const P: usize, const W: usize>(analysis: &mut Analysis<P, W>, topology: &Topology) -> bool {
    let mut from_start = Flood::<P>::NEW;
    from_start.follow(topology, &analysis.out, analysis.out.start);
    from_start.spread(topology, &analysis.out);
    analysis.reached = from_start.seen;
    if topology.unreachable {
        return false;
    }

    let mut excused = Flood::<P>::NEW;
    let mut place = 0;
    while place < topology.places.len() {
        if matches!(topology.places[place].role, Role::Elicitation) && !analysis.reached[place] {
            excused.come_to(place, NONE);
        }
        place += 1;
    }
    excused.spread(topology, &analysis.out);

    let mut entered = [false; P];
    let mut ring = [false; P];
    let mut way = 0;
    while way < topology.ways.len() {
        let (from, to) = (tail(topology, way), head(topology, way));
        if from != NONE && to != NONE {
            if analysis.part[from] == analysis.part[to] {
                ring[analysis.part[to]] = true;
            } else {
                entered[analysis.part[to]] = true;
            }
        }
        way += 1;
    }

    let mut found = false;
    let mut place = 0;
    while place < topology.places.len() {
        let part = analysis.part[place];
        if !analysis.reached[place] && !excused.seen[place] && !entered[part] {
            analysis.places[place] = if ring[part] { Fault::UnreachableRing } else { Fault::Unreachable };
            // Said once, at its first place.
            entered[part] = true;
            found = true;
        }
        place += 1;
    }
    found
}

/// Places from which a run cannot get away: one error for each part that leads to nothing else.
pub(super) const fn stuck<const P: usize, const W: usize>(analysis: &mut Analysis<P, W>, topology: &Topology) -> bool {
    let mut left = [false; P];
    let mut ring = [false; P];
    let mut way = 0;
    while way < topology.ways.len() {
        let from = tail(topology, way);
        if from != NONE {
            let part = analysis.part[from];
            match topology.ways[way].to {
                Target::Place(to) if analysis.part[to as usize] == part => ring[part] = true,
                Target::Place(_) | Target::End(_) => left[part] = true,
                Target::Never | Target::Fork(_) | Target::Join(_) => {}
            }
        }
        way += 1;
    }

    let mut found = false;
    let mut place = 0;
    while place < topology.places.len() {
        let part = analysis.part[place];
        if analysis.reached[place] && !left[part] && !(ring[part] && topology.endless) {
            analysis.places[place] = if ring[part] {
                Fault::Ring
            } else if analysis.out.first[place] == NONE {
                Fault::NoWayOut
            } else {
                Fault::OnlyNever
            };
            // Said once, at its first place.
            left[part] = true;
            found = true;
        }
        place += 1;
    }
    found
}
