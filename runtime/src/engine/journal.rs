//! What the driver hands its steps to.

use std::future::Future;

use crate::context::Context;
use crate::engine::image::{Cursor, Image};
use crate::engine::row::{CodecError, StopWhy};
use crate::graph::{Graph, Patch};
use crate::id::QuestionId;
use crate::node::Asking;
use crate::state::{Ingest, State};
use crate::store::{Seq, StoreError};

/// Where a step is made durable, before the next one starts.
pub(crate) trait Journal<G: Graph>: Send {
    /// A place is done: applies its update and goes on.
    fn step(
        &mut self,
        image: &mut Image<G>,
        cx: &Context<G::Deps>,
        at: G::At,
        patch: Patch<G>,
        arm: u16,
    ) -> impl Future<Output = Result<Moved, Broken>> + Send;

    /// A place asks.
    fn park(
        &mut self,
        image: &mut Image<G>,
        cx: &Context<G::Deps>,
        at: G::At,
        asking: Asking,
    ) -> impl Future<Output = Result<Asked, Broken>> + Send;

    /// The run ends, the turn does not.
    fn stop(&mut self, why: StopWhy) -> impl Future<Output = Result<Seq, Broken>> + Send;
}

/// A step is durable, as far as it can be.
pub(crate) struct Moved {
    /// The thread's version, where there is a store.
    pub(crate) seq: Option<Seq>,
    /// The way taken; `None` if none could be found.
    pub(crate) way: Option<u16>,
    /// Why no way could be found.
    pub(crate) unrouted: Option<String>,
}

/// A question is durable.
pub(crate) struct Asked {
    pub(crate) seq: Seq,
    pub(crate) question: QuestionId,
    pub(crate) content: serde_json::Value,
}

/// Why a step could not be made durable.
#[derive(Debug)]
pub(crate) enum Broken {
    /// Another run has the thread now: this one runs nothing more.
    Displaced,
    /// Somebody ended this run, or its turn, from outside.
    EndedBy(StopWhy),
    /// What the place gave cannot be stored.
    Codec(CodecError),
    /// The store failed.
    Store(StoreError),
    /// There is no store to keep a question in.
    NoStore,
}

/// No store: a step is applied and forgotten. Allocates nothing.
#[derive(Debug)]
pub(crate) struct Volatile;

impl<G: Graph> Journal<G> for Volatile {
    async fn step(&mut self, image: &mut Image<G>, cx: &Context<G::Deps>, at: G::At, patch: Patch<G>, arm: u16) -> Result<Moved, Broken> {
        let patch = if <G::State as State>::INGESTS {
            let info = cx.info();
            image.state.ingest(patch, &mut Ingest::new(&*info.ids, info.clock.now(), info.turn))
        } else {
            patch
        };
        image.state.apply(patch);
        image.turn.steps += 1;
        // If the router panics, this is where the turn stands.
        image.cursor = Cursor::Unrouted { at, arm };
        let next = G::next(at, arm, &image.state, &image.turn);
        image.go(at, arm, next);
        let unrouted = matches!(image.cursor, Cursor::Unrouted { .. }).then(never);
        Ok(Moved { seq: None, way: Some(next.way), unrouted })
    }

    async fn park(&mut self, _: &mut Image<G>, _: &Context<G::Deps>, _: G::At, _: Asking) -> Result<Asked, Broken> {
        Err(Broken::NoStore)
    }

    async fn stop(&mut self, _: StopWhy) -> Result<Seq, Broken> {
        Ok(0)
    }
}

/// What is said when `never` is taken.
pub(crate) fn never() -> String {
    "the graph says `never` here, and the router took it: give this case a way, or mend the router".to_owned()
}
