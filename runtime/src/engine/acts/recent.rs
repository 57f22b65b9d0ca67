//! Threads that this process drove a moment ago: their images, so that the next turn reads nothing, and whoever looks at
//! them only what came since.
//!
//! A hint for reading, never for deciding: whatever is planned on an image is compared with the thread's version.

use std::any::Any;
use std::fmt;

use crate::engine::thread::image::Image;
use crate::graph::Graph;
use crate::id::ScopeHash;
use crate::store::{By, Loaded, ThreadKey};
use crate::sync::{Mutex, PoisonError};

/// So many bytes of state, as it is stored, are kept in all.
const BYTES: u64 = 64 << 20;
/// Of so many threads.
const THREADS: usize = 256;

/// The newest last.
#[derive(Default)]
pub(crate) struct Recent(Mutex<Vec<Known>>);

pub(crate) struct Known {
    scope: ScopeHash,
    /// The thread as of the image, without what was read of it.
    loaded: Loaded,
    image: Box<dyn Any + Send>,
}

impl Known {
    /// The thread and its image; none if another graph type put it there.
    pub(crate) fn into_image<G: Graph>(self) -> Option<(Loaded, Image<G>)> {
        let Self { loaded, image, .. } = self;
        image.downcast().ok().map(|image| (loaded, *image))
    }

    /// About the size of its state.
    fn bytes(&self) -> u64 {
        self.loaded.debt.saturating_add(self.loaded.snapshot_bytes)
    }
}

impl Recent {
    fn with<T>(&self, change: impl FnOnce(&mut Vec<Known>) -> T) -> T {
        change(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Takes what is known of a thread: whoever reads it next puts it back, or somebody reads it all.
    pub(crate) fn take(&self, key: &ThreadKey) -> Option<Known> {
        self.with(|known| {
            let at = known.iter().position(|known| {
                known.scope == key.scope
                    && match &key.by {
                        By::Name(name) => known.loaded.name == *name,
                        By::Uid(uid) | By::At(uid, _) => known.loaded.uid == *uid,
                    }
            })?;
            Some(known.remove(at))
        })
    }

    /// Keeps the image of a thread.
    pub(crate) fn put<G: Graph>(&self, scope: ScopeHash, loaded: Loaded, image: Image<G>) {
        let loaded = Loaded { snapshot: None, rows: Vec::new(), open: Vec::new(), ..loaded };
        let image: Box<dyn Any + Send> = Box::new(image);
        self.with(|known| {
            known.retain(|known| known.loaded.uid != loaded.uid);
            known.push(Known { scope, loaded, image });
            let mut bytes: u64 = known.iter().map(Known::bytes).sum();
            let mut oldest = 0;
            while bytes > BYTES || known.len() - oldest > THREADS {
                let Some(drop) = known.get(oldest) else { break };
                bytes -= drop.bytes();
                oldest += 1;
            }
            known.drain(..oldest);
        });
    }
}

impl fmt::Debug for Recent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Recent").field("threads", &self.with(|known| known.len())).finish()
    }
}
