//! Which ids of calls were given: a long conversation is asked this at every reply.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

/// Hashes in sorted runs, each longer than the one behind it. A clone shares the runs; an insert merges the short ones,
/// so that both cost a logarithm.
#[derive(Clone, Default)]
pub(super) struct Seen {
    runs: Vec<Arc<[u64]>>,
}

impl Seen {
    pub(super) fn insert(&mut self, id: &str) {
        let mut run = vec![hash(id)];
        while let Some(shorter) = self.runs.pop_if(|last| last.len() <= run.len()) {
            run.extend_from_slice(&shorter);
        }
        run.sort_unstable();
        self.runs.push(run.into());
    }

    /// Never wrong with no, seldom wrong with yes.
    pub(super) fn may_have(&self, id: &str) -> bool {
        let id = hash(id);
        self.runs.iter().any(|run| run.binary_search(&id).is_ok())
    }
}

fn hash(id: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    id.hash(&mut hasher);
    hasher.finish()
}
