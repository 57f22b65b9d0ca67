//! Results that are given again for the same key, where a place asks for that: `cache(key, 10min)`.
//!
//! A hint of this process, never a part of a thread: what is found here becomes a step like any other.

use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use crate::clock::Timestamp;
use crate::context::Context;
use crate::digest::Hasher;
use crate::engine::log::names;
use crate::graph::{Graph, Out};
use crate::item::Item;
use crate::node::NodeMeta;
use crate::observe::EventKind;
use crate::sync::{Mutex, PoisonError};
use crate::turn::Turn;

/// So many bytes of results are kept in all.
const BYTES: usize = 64 << 20;
/// What a result takes beside its update.
const BESIDE: usize = 256;

type Key = [u8; 32];

/// The results of an app, the oldest first.
#[derive(Default)]
pub(crate) struct Results(Mutex<Kept>);

#[derive(Default)]
struct Kept {
    found: HashMap<Key, Result>,
    /// By their numbers.
    order: BTreeMap<u64, Key>,
    /// The number of the next one.
    next: u64,
    bytes: usize,
}

struct Result {
    number: u64,
    at: Timestamp,
    update: Arc<str>,
    arm: u16,
}

impl Results {
    fn with<T>(&self, change: impl FnOnce(&mut Kept) -> T) -> T {
        change(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// What was kept for no longer than this. A clock that was set back makes everything stale.
    fn get(&self, key: &Key, now: Timestamp, keep: Duration) -> Option<(Arc<str>, u16)> {
        self.with(|kept| {
            let found = kept.found.get(key).filter(|found| now >= found.at && now.since(found.at) < keep)?;
            Some((Arc::clone(&found.update), found.arm))
        })
    }

    fn put(&self, key: Key, at: Timestamp, update: String, arm: u16) {
        if update.len() > BYTES - BESIDE {
            return;
        }
        self.with(|kept| {
            kept.drop_result(&key);
            let number = kept.next;
            kept.next += 1;
            kept.bytes += update.len() + BESIDE;
            kept.order.insert(number, key);
            kept.found.insert(key, Result { number, at, update: update.into(), arm });
            while kept.bytes > BYTES
                && let Some(oldest) = kept.order.first_entry().map(|oldest| *oldest.get())
            {
                kept.drop_result(&oldest);
            }
        });
    }
}

impl Kept {
    fn drop_result(&mut self, key: &Key) {
        if let Some(old) = self.found.remove(key) {
            self.bytes -= old.update.len() + BESIDE;
            self.order.remove(&old.number);
        }
    }
}

impl fmt::Debug for Results {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Results").field("kept", &self.with(|kept| kept.found.len())).finish()
    }
}

/// Gives what is kept for the place's key, or runs the body and keeps what that gives. What failed, or asked, is not kept.
pub(crate) async fn through<G: Graph>(
    at: G::At,
    (state, item, turn): (&G::State, &G::Item, &Turn),
    cx: &Context<G::Deps>,
    keep: Duration,
    body: impl Future<Output = Out<G>>,
) -> Out<G> {
    let Some(key) = key::<G>(at, state, item, turn, cx) else { return body.await };
    let results = &cx.info().results;
    if let Some((update, arm)) = results.get(&key, cx.now(), keep)
        && let Ok(update) = serde_json::from_str(&update)
    {
        cx.emit(EventKind::Cached { place: names::name::<G>(at).to_owned() }).await;
        return Out::Done(update, arm);
    }
    let out = body.await;
    if let Out::Done(update, arm) = &out
        && let Ok(update) = serde_json::to_string(update)
    {
        results.put(key, cx.now(), update, *arm);
    }
    out
}

/// Scope, graph, place and item count beside what the router says: no tenant and no item is given another's result.
fn key<G: Graph>(at: G::At, state: &G::State, item: &G::Item, turn: &Turn, cx: &Context<G::Deps>) -> Option<Key> {
    let key = G::cache_key(at, state, turn)?;
    let item = item.store().ok()?;
    let mut hasher = Hasher::new(b"graphwright result v1");
    hasher.field(&cx.info().scope.0).field(<G as NodeMeta>::NAME.as_bytes()).field(&G::TOPOLOGY.fingerprint());
    hasher.field(names::name::<G>(at).as_bytes()).field(key.as_bytes());
    hasher.field(item.map(|item| item.get().to_owned()).unwrap_or_default().as_bytes());
    Some(hasher.finish())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_that_are_small_are_not_kept_without_bound() {
        let results = Results::default();
        for n in 0..300_000_u32 {
            let mut key = Key::default();
            key.iter_mut().zip(n.to_be_bytes()).for_each(|(byte, of)| *byte = of);
            results.put(key, Timestamp(i64::from(n)), "{}".to_owned(), 0);
        }
        let (found, order) = results.with(|kept| (kept.found.len(), kept.order.len()));
        assert_eq!((found, order), (BYTES / (BESIDE + 2), BYTES / (BESIDE + 2)));
    }
}
