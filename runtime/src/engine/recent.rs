//! Threads that this process drove a moment ago: their images, so that the next turn reads only what came since.
//!
//! A hint for reading, never for deciding: whatever is planned on an image is compared with the thread's version.

use std::any::Any;
use std::fmt;

use crate::engine::image::Image;
use crate::graph::Graph;
use crate::id::{ScopeHash, ThreadId};
use crate::store::{By, Loaded, Seq, ThreadKey, Uid};
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
    name: ThreadId,
    pub(crate) uid: Uid,
    pub(crate) seq: Seq,
    bytes: u64,
    image: Box<dyn Any + Send>,
}

impl Known {
    /// The image; none if another graph type put it there.
    pub(crate) fn image<G: Graph>(self) -> Option<Image<G>> {
        self.image.downcast().ok().map(|image| *image)
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
                        By::Name(name) => known.name == *name,
                        By::Uid(uid) | By::At(uid, _) => known.uid == *uid,
                    }
            })?;
            Some(known.remove(at))
        })
    }

    /// Keeps an image as of row `seq`. `bytes` is about the size of its state.
    pub(crate) fn put<G: Graph>(&self, scope: ScopeHash, name: &ThreadId, uid: Uid, seq: Seq, bytes: u64, image: Image<G>) {
        let image: Box<dyn Any + Send> = Box::new(image);
        self.with(|known| {
            known.retain(|known| known.uid != uid);
            known.push(Known { scope, name: name.clone(), uid, seq, bytes, image });
            let mut bytes: u64 = known.iter().map(|known| known.bytes).sum();
            let mut oldest = 0;
            while bytes > BYTES || known.len() - oldest > THREADS {
                let Some(drop) = known.get(oldest) else { break };
                bytes -= drop.bytes;
                oldest += 1;
            }
            known.drain(..oldest);
        });
    }

    /// What a reader has not used up.
    pub(crate) fn put_back<G: Graph>(&self, scope: ScopeHash, loaded: &Loaded, image: Image<G>) {
        let bytes = loaded.debt.saturating_add(loaded.snapshot_bytes);
        self.put(scope, &loaded.name, loaded.uid, loaded.seq, bytes, image);
    }
}

impl fmt::Debug for Recent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Recent").field("threads", &self.with(|known| known.len())).finish()
    }
}
