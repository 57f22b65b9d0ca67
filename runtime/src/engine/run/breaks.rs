//! Breakpoints: places before and after which runs stop.

use std::any::TypeId;

use crate::graph::Graph;

/// Those of an app. They are named by graph and place, so they hold in a mounted graph, too.
#[derive(Clone, Debug, Default)]
pub(crate) struct Breaks {
    before: Vec<(TypeId, usize)>,
    after: Vec<(TypeId, usize)>,
}

impl Breaks {
    pub(crate) fn add_before<G: Graph>(&mut self, at: G::At) {
        self.before.push((TypeId::of::<G>(), G::index(at)));
    }

    pub(crate) fn add_after<G: Graph>(&mut self, at: G::At) {
        self.after.push((TypeId::of::<G>(), G::index(at)));
    }

    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.before.is_empty() && self.after.is_empty()
    }

    pub(crate) fn before<G: Graph>(&self, at: G::At) -> bool {
        self.before.contains(&(TypeId::of::<G>(), G::index(at)))
    }

    pub(crate) fn after<G: Graph>(&self, at: G::At) -> bool {
        self.after.contains(&(TypeId::of::<G>(), G::index(at)))
    }
}
