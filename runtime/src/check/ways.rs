//! Ways in lists by place, and places in the order in which they are come to.

use crate::topology::{Origin, Target, Topology};

/// No place, no way.
pub(super) const NONE: usize = usize::MAX;

/// For each place a linked list of ways: those that leave it, in the order in which they are tried, or those that enter it.
#[derive(Debug)]
pub(super) struct Ways<const P: usize, const W: usize> {
    pub(super) first: [usize; P],
    pub(super) next: [usize; W],
    /// The first way out of `start`.
    pub(super) start: usize,
    backwards: bool,
}

impl<const P: usize, const W: usize> Ways<P, W> {
    pub(super) const fn out_of_places(topology: &Topology) -> Self {
        Self::new(topology, false)
    }

    pub(super) const fn into_places(topology: &Topology) -> Self {
        Self::new(topology, true)
    }

    const fn new(topology: &Topology, backwards: bool) -> Self {
        let mut lists = Self { first: [NONE; P], next: [NONE; W], start: NONE, backwards };
        let mut way = topology.ways.len();
        while way > 0 {
            way -= 1;
            let place = if backwards { head(topology, way) } else { tail(topology, way) };
            if place != NONE {
                lists.next[way] = lists.first[place];
                lists.first[place] = way;
            } else if !backwards {
                lists.next[way] = lists.start;
                lists.start = way;
            }
        }
        lists
    }

    /// The place at the other end of a way.
    const fn beyond(&self, topology: &Topology, way: usize) -> usize {
        if self.backwards { tail(topology, way) } else { head(topology, way) }
    }
}

/// The place that a way leads to.
pub(super) const fn head(topology: &Topology, way: usize) -> usize {
    match topology.ways[way].to {
        Target::Place(place) => place as usize,
        Target::Fork(_) | Target::Join(_) | Target::End(_) | Target::Never => NONE,
    }
}

/// The place that a way comes from; none for `start`.
pub(super) const fn tail(topology: &Topology, way: usize) -> usize {
    match topology.ways[way].from {
        Origin::Place(place) => place as usize,
        Origin::Start | Origin::Fork(_) | Origin::Join(_) => NONE,
    }
}

/// Places in the order in which they are come to, each once.
pub(super) struct Flood<const P: usize> {
    pub(super) seen: [bool; P],
    /// The way by which each was come to.
    pub(super) by: [usize; P],
    queue: [usize; P],
    len: usize,
    done: usize,
}

impl<const P: usize> Flood<P> {
    pub(super) const NEW: Self = Self { seen: [false; P], by: [NONE; P], queue: [0; P], len: 0, done: 0 };

    /// Comes to a place, by a way.
    pub(super) const fn come_to(&mut self, place: usize, by: usize) {
        if !self.seen[place] {
            self.seen[place] = true;
            self.by[place] = by;
            self.queue[self.len] = place;
            self.len += 1;
        }
    }

    /// The next place from which to go on; none at the end.
    pub(super) const fn take(&mut self) -> usize {
        if self.done == self.len {
            return NONE;
        }
        self.done += 1;
        self.queue[self.done - 1]
    }

    /// Follows every way.
    pub(super) const fn spread<const W: usize>(&mut self, topology: &Topology, ways: &Ways<P, W>) {
        loop {
            let place = self.take();
            if place == NONE {
                return;
            }
            self.follow(topology, ways, ways.first[place]);
        }
    }

    /// Follows a list of ways by one step.
    pub(super) const fn follow<const W: usize>(&mut self, topology: &Topology, ways: &Ways<P, W>, first: usize) {
        let mut way = first;
        while way != NONE {
            let beyond = ways.beyond(topology, way);
            if beyond != NONE {
                self.come_to(beyond, way);
            }
            way = ways.next[way];
        }
    }
}
