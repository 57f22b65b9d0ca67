//! Results that are given again for the same key, where a place asks for that: `cache(key, 10min)`.
//!
//! A hint of this process, never a part of a thread: what is found here becomes a step like any other.

use std::collections::{HashMap, VecDeque};
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

type Key = [u8; 32];

/// The results of an app, the oldest first.
#[derive(Default)]
pub(crate) struct Results(Mutex<Kept>);

#[derive(Default)]
struct Kept {
    found: HashMap<Key, Result>,
    order: VecDeque<(Key, Timestamp)>,
    bytes: usize,
}

struct Result {
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
        if update.len() > BYTES {
            return;
        }
        self.with(|kept| {
            kept.drop_result(&key);
            kept.bytes += update.len();
            kept.order.push_back((key, at));
            kept.found.insert(key, Result { at, update: update.into(), arm });
            while kept.bytes > BYTES
                && let Some((oldest, at)) = kept.order.pop_front()
            {
                // Another one may have come for the same key.
                if kept.found.get(&oldest).is_some_and(|found| found.at == at) {
                    kept.drop_result(&oldest);
                }
            }
        });
    }
}

impl Kept {
    fn drop_result(&mut self, key: &Key) {
        if let Some(old) = self.found.remove(key) {
            self.bytes -= old.update.len();
            self.order.retain(|(other, _)| other != key);
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
