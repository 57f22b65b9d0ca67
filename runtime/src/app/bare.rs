//! What a graph type can do by itself.

use std::future::Future;
use std::sync::Arc;

use tokio_util::sync::CancellationToken;

use super::App;
use super::error::RunError;
use super::outcome::Outcome;
use super::session::outcome;
use crate::clock::IdGen as _;
use crate::clock::{RandomIds, SystemClock};
use crate::context::{Context, RunInfo};
use crate::engine::{Cursor, Drive, Image, Volatile, caught_now, drive};
use crate::graph::{Flag, Graph, Patch, To};
use crate::id::{RunId, Scope, TurnId};
use crate::observe::Emitter;
use crate::state::{Ingest, State};
use crate::store::Checkpointer;
use crate::turn::Now;

/// A fact: the graph cannot pause.
#[diagnostic::on_unimplemented(
    message = "`{G}` can pause, so it does not run without a store",
    label = "needs a store",
    note = "`{G}::app(deps, store)` and then `app.thread(id).run(input)`; `Memory::new()` will do for a test"
)]
pub trait RunsBare<G> {}
impl<G> RunsBare<G> for Flag<false> {}

/// A run without a thread.
pub type BareRun<G> = std::pin::Pin<Box<dyn Future<Output = Result<Outcome<G>, RunError>> + Send>>;

/// What a graph type can do: in the prelude.
pub trait GraphExt: Graph {
    /// The graph with its dependencies and a store.
    fn app(deps: Self::Deps, store: impl Checkpointer) -> App<Self> {
        App::new(deps, store)
    }

    /// One turn from a fresh state, with no store: only for graphs that cannot pause.
    fn run(deps: Self::Deps, input: impl Into<Self::Input>) -> BareRun<Self>
    where
        Self::Pauses: RunsBare<Self>,
    {
        let input: Self::Input = input.into();
        Box::pin(bare::<Self>(deps, input.into()))
    }
}

impl<G: Graph> GraphExt for G {}

async fn bare<G: Graph>(deps: G::Deps, input: Patch<G>) -> Result<Outcome<G>, RunError> {
    let (ids, clock) = (Arc::new(RandomIds), Arc::new(SystemClock));
    let (run, turn) = (RunId(ids.fresh()), TurnId(ids.fresh()));
    let mut image = Image::<G>::new(turn, run, Now::Read(clock.clone()));
    let begun = caught_now(|| {
        image.begin_turn(turn);
        let input = image.state.ingest(input, &mut Ingest::new(&*ids, image.turn.now(), turn));
        image.state.apply(input);
        G::start(&image.state, &image.turn)
    });
    let next = begun.map_err(|what| RunError::Panicked { place: None, what })?;
    image.cursor = match next.to {
        To::Place(to) => Cursor::At(to),
        To::End(exit) => Cursor::Ended(exit),
        To::Never => return Err(RunError::NoWay { what: "the start of the graph leads to `never` for this input".to_owned() }),
    };
    let info = RunInfo {
        emitter: Arc::new(Emitter::new(Vec::new(), None, run, turn, None)),
        cancel: CancellationToken::new(),
        clock,
        ids,
        scope: Scope::root().hash(),
        thread: None,
        uid: 0,
        turn,
        run,
    };
    let mut cx = Context::new(Arc::new(deps), Arc::new(info));
    let limits = Drive { steps: u64::from(G::TOPOLOGY.steps), deadline: None };
    let ending = drive(&mut image, &mut cx, &mut Volatile, limits).await;
    outcome(image, run, ending)
}
