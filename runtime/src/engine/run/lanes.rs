//! How many branches of a fork run at once, where the graph says so.

use std::collections::{HashMap, VecDeque};

use crate::engine::thread::address::Address;
use crate::engine::thread::guest::Activation;

/// The forks that bound how many of their branches run at once.
#[derive(Debug, Default)]
pub(crate) struct Lanes(HashMap<Address, Lane>);

#[derive(Debug, Default)]
struct Lane {
    /// Places that run, by branch.
    active: HashMap<u32, u32>,
    /// Branches none of whose places may run yet.
    waiting: VecDeque<u32>,
    /// What can run in them.
    kept: HashMap<u32, Vec<Address>>,
}

/// A place in each of the bounded forks around it.
#[derive(Debug, Default)]
pub(crate) struct Held(Vec<(Address, u32)>);

impl Lanes {
    /// Lets a frame run, or keeps it until its branch may.
    pub(crate) fn admit<D>(&mut self, root: &dyn Activation<D>, address: &Address) -> Option<Held> {
        let mut full = None;
        let held = around(root, address, |fork, branch, limit| {
            let lane = self.0.entry(fork.clone()).or_default();
            if full.is_none() && !lane.active.contains_key(&branch) && lane.active.len() >= limit as usize {
                full = Some((fork.clone(), branch));
            }
        });
        if let Some((lane, branch)) = full.and_then(|(fork, branch)| Some((self.0.get_mut(&fork)?, branch))) {
            let kept = lane.kept.entry(branch).or_default();
            if kept.is_empty() {
                lane.waiting.push_back(branch);
            }
            kept.push(address.clone());
            return None;
        }
        Some(self.enter(held))
    }

    /// A frame runs already.
    pub(crate) fn hold<D>(&mut self, root: &dyn Activation<D>, address: &Address) -> Held {
        let held = around(root, address, |_, _, _| {});
        self.enter(held)
    }

    fn enter(&mut self, held: Vec<(Address, u32)>) -> Held {
        for (fork, branch) in &held {
            *self.0.entry(fork.clone()).or_default().active.entry(*branch).or_default() += 1;
        }
        Held(held)
    }

    /// A place is done. Gives those that may try again.
    pub(crate) fn release(&mut self, Held(held): Held) -> Vec<Address> {
        let mut freed = Vec::new();
        for (fork, branch) in held {
            let Some(lane) = self.0.get_mut(&fork) else { continue };
            let places = lane.active.entry(branch).or_default();
            *places = places.saturating_sub(1);
            if *places == 0 {
                lane.active.remove(&branch);
                let next = lane.waiting.pop_front();
                // All of it, since what runs beside each other in one branch may wait for each other.
                freed.extend(next.and_then(|next| lane.kept.remove(&next)).into_iter().flatten());
            }
            if lane.active.is_empty() && lane.waiting.is_empty() {
                self.0.remove(&fork);
            }
        }
        freed
    }

    /// Whether some frame waits for its turn.
    pub(crate) fn is_waiting(&self) -> bool {
        self.0.values().any(|lane| !lane.waiting.is_empty())
    }
}

/// The bounded forks around a frame, and its branch in each.
fn around<D>(root: &dyn Activation<D>, address: &Address, mut visit: impl FnMut(&Address, u32, u32)) -> Vec<(Address, u32)> {
    let branches = address.branches();
    let mut around = Vec::new();
    root.lanes(branches, 0, &mut |depth, limit| {
        let (Some(fork), Some(branch)) = (branches.get(..depth), branches.get(depth)) else { return };
        let fork = Address::of(fork);
        visit(&fork, *branch, limit);
        around.push((fork, *branch));
    });
    around
}
