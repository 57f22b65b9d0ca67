//! What a graph type can do by itself.

use std::sync::Arc;

use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::App;
use super::error::RunError;
use super::outcome::Outcome;
use super::run::{Run, Source};
use super::session::outcome;
use super::session::{Call, EndGuard, mark};
use crate::clock::IdGen as _;
use crate::clock::{RandomIds, SystemClock};
use crate::context::{Context, RunInfo};
use crate::engine::{self, CodecError, Drive, Image, Volatile, caught_now, drive};
use crate::graph::{Flag, Graph, Patch};
use crate::id::{RunId, Scope, TurnId};
use crate::observe::{Emitter, EventKind};
use crate::state::{Ingest, State};
use crate::store::Checkpointer;
use crate::turn::{Now, TurnSettings};
use crate::usage::Meter;

/// A fact: the graph cannot pause.
#[diagnostic::on_unimplemented(
    message = "`{G}` can pause, so it does not run without a store [GW031]",
    label = "needs a store",
    note = "`{G}::app(deps, store)` and then `app.thread(id).run(input)`; `Memory::new()` will do for a test"
)]
pub trait RunsBare<G> {}
impl<G> RunsBare<G> for Flag<false> {}

/// What a graph type can do by itself: in the prelude.
pub trait GraphExt: Graph {
    /// The graph with its dependencies and a store.
    fn app(deps: Self::Deps, store: impl Checkpointer) -> App<Self> {
        App::new(deps, store)
    }

    /// One turn from a fresh state, with no store: only for graphs that cannot pause.
    fn run(deps: Self::Deps, input: impl Into<Self::Input>) -> Run<Self>
    where
        Self::Pauses: RunsBare<Self>,
    {
        let input: Self::Input = input.into();
        Run::new(Source::Bare { deps: Arc::new(deps), input: input.into(), settings: None })
    }

    /// The same with settings, which routers read of their turn.
    ///
    /// # Errors
    /// Driven, [`RunError::Input`] if they could not be stored.
    fn run_with(deps: Self::Deps, settings: Self::Settings, input: impl Into<Self::Input>) -> Run<Self>
    where
        Self::Pauses: RunsBare<Self>,
    {
        let input: Self::Input = input.into();
        Run::new(Source::Bare { deps: Arc::new(deps), input: input.into(), settings: Some(TurnSettings::new(settings)) })
    }
}

impl<G: Graph> GraphExt for G {}

/// Drives a turn that nothing is kept of.
pub(super) async fn drive_bare<G: Graph>(
    deps: Arc<G::Deps>,
    input: Patch<G>,
    settings: Option<Result<TurnSettings, CodecError>>,
    call: Call,
) -> Result<Outcome<G>, RunError> {
    let (ids, clock) = (Arc::new(RandomIds), Arc::new(SystemClock));
    let (run, turn) = (RunId(ids.fresh()), TurnId(ids.fresh()));
    let mut image = Image::<G>::new(turn, run, Now::Read(clock.clone()));
    let begun = caught_now(|| {
        image.begin_turn(turn);
        let input = image.state().ingest(input, &mut Ingest::new(&*ids, image.turn.now(), turn));
        image.root.write(input);
    });
    begun.map_err(|what| RunError::Panicked { place: None, what })?;
    image.turn.settings = settings.transpose().map_err(RunError::Input)?;
    engine::begin(&mut image, &*ids, false)?;
    let steps = call.steps.unwrap_or(u64::from(G::TOPOLOGY.steps));
    let deadline = call.deadline.and_then(|limit| Instant::now().checked_add(limit));
    let stream = call.sink();
    let Call { observers, cancel, budget, .. } = call;
    let emitter = Arc::new(Emitter::new(observers, stream, run, turn, None));
    let guard = EndGuard::new(Arc::clone(&emitter));
    emitter.emit(0, "", EventKind::RunStarted { resumed: false, after: None }).await;
    let (scope, drain) = (Scope::root().hash(), CancellationToken::new());
    let (breaks, results) = (Arc::default(), Arc::default());
    let info = RunInfo {
        emitter,
        cancel,
        drain,
        breaks,
        results,
        meter: Meter::new(budget.unwrap_or_default()),
        #[cfg(feature = "testing")]
        stubs: crate::testing::Stubs::default(),
        clock,
        ids,
        scope,
        thread: None,
        uid: 0,
        turn,
        run,
    };
    let mut cx = Context::new(deps, Arc::new(info));
    let ending = drive(&mut image, &mut cx, &mut Volatile::default(), Drive { steps, deadline, kept: false }).await;
    let mark = mark(&ending);
    let steps_taken = image.turn.steps;
    let outcome = outcome(image, run, ending);
    guard.end(mark, outcome.is_ok(), steps_taken).await;
    outcome
}
