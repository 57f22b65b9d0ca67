//! One run from its first to its last event: claim, drive, tell the end, whatever happens.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::error::{Failure, RunError};
use super::outcome::{Completed, Outcome, Paused, StopReason, Stopped};
use super::{App, Inner};
use crate::context::{Context, RunInfo};
use crate::engine::{self, Broken, Claimed, Cursor, Drive, Durable, Ending, Failed, Fault, Image, Lease, StopWhy, drive};
use crate::error::{BoxError, Class};
use crate::graph::Graph;
use crate::id::{QuestionId, RunId, ThreadId};
use crate::interrupt::OpenRecord;
use crate::mount::typed;
use crate::node::{NodeMeta, Refused};
use crate::observe::{Emitter, Event, EventKind, Filter, Mark, Observer, Sink};
use crate::store::{Appended, Loaded};
use crate::usage::{Budget, Meter};

/// What a call adds to its app.
#[derive(Default)]
pub(super) struct Call {
    pub(super) observers: Vec<Arc<dyn Observer>>,
    pub(super) cancel: CancellationToken,
    pub(super) drain: CancellationToken,
    pub(super) deadline: Option<Duration>,
    /// When the deadline is, once the run has begun.
    pub(super) until: Option<Instant>,
    pub(super) steps: Option<u64>,
    pub(super) budget: Option<Budget>,
    pub(super) label: Option<String>,
    pub(super) request: Option<String>,
    pub(super) stream: Option<mpsc::Sender<Event>>,
    /// What the stream takes.
    pub(super) filter: Filter,
}

impl Call {
    pub(super) fn sink(&self) -> Option<Sink> {
        self.stream.clone().map(|sender| Sink { sender, filter: self.filter.clone() })
    }
}

/// Tells the end of a run exactly once, also when it is dropped: then it is `Abandoned`.
pub(super) struct EndGuard {
    emitter: Arc<Emitter>,
    ended: bool,
}

impl EndGuard {
    pub(super) fn new(emitter: Arc<Emitter>) -> Self {
        Self { emitter, ended: false }
    }

    /// An end without an outcome is a failure, however the driver came there.
    pub(super) async fn end(mut self, mark: Mark, has_outcome: bool, steps: u64) {
        self.ended = true;
        let outcome = if !has_outcome && mark == Mark::Completed { Mark::Failed } else { mark };
        self.emitter.emit(steps, "", EventKind::RunEnded { outcome }).await;
    }
}

impl Drop for EndGuard {
    fn drop(&mut self) {
        if !self.ended {
            self.emitter.tell(0, "", EventKind::RunEnded { outcome: Mark::Abandoned });
        }
    }
}

/// Writes that a run was dropped or that its store failed, as far as there is somebody to write it. In this process the thread
/// is free at once all the same.
struct StopGuard {
    durable: Option<Durable>,
    info: Arc<RunInfo>,
}

impl StopGuard {
    /// In a task of its own, which nobody can drop half way.
    fn stop(&mut self, why: StopWhy) -> Option<JoinHandle<()>> {
        let mut durable = self.durable.take().filter(|durable| !durable.released)?;
        let runtime = tokio::runtime::Handle::try_current().ok()?;
        // What was under way came to nothing, and was paid for all the same.
        durable.used = durable.used.and(self.info.meter.take());
        Some(runtime.spawn(async move { drop(durable.release(why).await) }))
    }
}

impl Drop for StopGuard {
    fn drop(&mut self) {
        drop(self.stop(StopWhy::Abandoned));
    }
}

/// Drives a claimed thread to its outcome.
pub(super) async fn drive_claimed<G: Graph>(
    app: App<G>,
    thread: ThreadId,
    claimed: Claimed<G>,
    resumed: Option<Vec<(QuestionId, Duration)>>,
    call: Call,
    lease: Lease,
) -> Result<Outcome<G>, RunError> {
    let Claimed { mut image, mut durable, after } = claimed;
    durable.woken = Arc::clone(&lease.woken);
    let inner = &*app.inner;
    let run = durable.run;
    let info = run_info(inner, &call, &image, run, Some(thread.clone()), durable.uid);
    let emitter = Arc::clone(&info.emitter);
    let span = tracing::info_span!(target: "graphwright", "invoke_agent", gen_ai.agent.name = <G as NodeMeta>::NAME, run = %run);
    let steps = call.steps.unwrap_or(u64::from(G::TOPOLOGY.steps));
    let deadline = call.until.or_else(|| inner.settings.deadline.and_then(|limit| Instant::now().checked_add(limit)));

    let guard = EndGuard::new(Arc::clone(&emitter));
    // Behind the guard, so that it goes first: whoever hears of the end finds the thread free.
    let lease = lease;
    emitter.emit(image.turn.steps, "", EventKind::RunStarted { resumed: resumed.is_some(), after }).await;
    for (question, waited) in resumed.into_iter().flatten() {
        emitter.emit(image.turn.steps, "", EventKind::AskUserAnswered { question, waited }).await;
        emitter.emit(image.turn.steps, "", EventKind::Resumed { question }).await;
    }

    let mut stop = StopGuard { durable: Some(durable), info: Arc::clone(&info) };
    let mut cx = Context::new(Arc::clone(&inner.deps), info);
    let ending = match &mut stop.durable {
        Some(durable) => {
            use tracing::Instrument as _;
            drive(&mut image, &mut cx, durable, Drive { steps, deadline, kept: true }).instrument(span).await
        }
        None => return Err(RunError::NoThread),
    };
    if matches!(ending, Ending::Broken(Broken::Store(_))) {
        // Else other processes would take it for a run that lives, as long as this process does.
        if let Some(stopping) = stop.stop(StopWhy::StoreFailed) {
            let _as_far_as_it_can = stopping.await;
        }
    } else if let Some(durable) = &mut stop.durable {
        durable.released = true;
    }
    let mark = mark(&ending);
    if matches!(ending, Ending::Paused) {
        emitter.emit(image.turn.steps, "", EventKind::Paused { questions: image.questions().len() }).await;
    }
    if let Some(durable) = stop.durable.take()
        && matches!(ending, Ending::Completed(_) | Ending::Paused | Ending::Repeating)
    {
        let head = durable.head(image.resting());
        let appended = Appended { uid: durable.uid, seq: durable.seq };
        let loaded = Loaded::known(appended, thread, head, durable.debt, durable.snapshot);
        inner.desk.recent.put(inner.desk.scope_hash, loaded, image.clone());
    }
    drop(lease);
    let steps_taken = image.turn.steps;
    let outcome = outcome(image, run, ending);
    guard.end(mark, outcome.is_ok(), steps_taken).await;
    outcome
}

pub(super) fn run_info<G: Graph>(
    inner: &Inner<G>,
    call: &Call,
    image: &Image<G>,
    run: RunId,
    thread: Option<ThreadId>,
    uid: u64,
) -> Arc<RunInfo> {
    let observers: Vec<_> = inner.settings.observers.iter().chain(&call.observers).cloned().collect();
    let emitter = Arc::new(Emitter::new(observers, call.sink(), run, image.turn.id, thread.clone()));
    Arc::new(RunInfo {
        emitter,
        cancel: call.cancel.clone(),
        drain: call.drain.clone(),
        breaks: Arc::clone(&inner.settings.breaks),
        results: Arc::clone(&inner.results),
        meter: Meter::new(call.budget.unwrap_or(inner.settings.budget)),
        #[cfg(feature = "testing")]
        stubs: inner.settings.stubs.clone(),
        clock: Arc::clone(&inner.desk.clock),
        ids: Arc::clone(&inner.desk.ids),
        scope: inner.desk.scope_hash,
        thread,
        uid,
        turn: image.turn.id,
        run,
    })
}

pub(super) fn mark(ending: &Ending) -> Mark {
    match ending {
        Ending::Completed(_) => Mark::Completed,
        Ending::Paused => Mark::Paused,
        Ending::Repeating
        | Ending::StepLimit
        | Ending::BudgetSpent
        | Ending::TimedOut
        | Ending::Drained
        | Ending::Breakpoint(_)
        | Ending::Broken(Broken::EndedBy(StopWhy::Abandoned)) => Mark::Stopped,
        Ending::Cancelled | Ending::Broken(Broken::EndedBy(_)) => Mark::Cancelled,
        Ending::Broken(Broken::Displaced) => Mark::Displaced,
        Ending::Failed(_) | Ending::Unrouted(_) | Ending::Broken(_) => Mark::Failed,
    }
}

/// To tell of something that no run did. The run that asked has ended, or has a count of its own: so this has its own id.
fn outside<G: Graph>(app: &App<G>, image: &Image<G>, thread: &ThreadId, uid: u64) -> Arc<RunInfo> {
    let id = RunId(app.inner.desk.ids.fresh());
    run_info(&app.inner, &Call::default(), image, id, Some(thread.clone()), uid)
}

/// Tells the app's observers of answers that were committed outside of a run.
pub(super) fn announce<G: Graph>(
    app: &App<G>,
    thread: &ThreadId,
    taken: &engine::AnswerTaken<G>,
    appended: Appended,
    audit: Option<EventKind>,
) {
    let info = outside(app, &taken.image, thread, appended.uid);
    let steps = taken.image.turn.steps;
    info.emitter.tell(steps, "", EventKind::Committed { seq: appended.seq });
    for (question, waited) in &taken.waited {
        info.emitter.tell(steps, "", EventKind::AskUserAnswered { question: *question, waited: *waited });
    }
    if let Some(event) = audit {
        info.emitter.tell(steps, "", event);
    }
}

/// Tells the app's observers of questions that ran out of time.
pub(super) fn announce_expired<G: Graph>(app: &App<G>, thread: &ThreadId, image: &Image<G>, questions: &[QuestionId], appended: Appended) {
    let info = outside(app, image, thread, appended.uid);
    let steps = image.turn.steps;
    info.emitter.tell(steps, "", EventKind::Committed { seq: appended.seq });
    for question in questions {
        info.emitter.tell(steps, "", EventKind::AskUserExpired { question: *question });
    }
}

/// What an ending is to the caller.
pub(super) fn outcome<G: Graph>(image: Image<G>, run: RunId, ending: Ending) -> Result<Outcome<G>, RunError> {
    let stopped = |image, reason| Ok(stopped(image, run, reason, None));
    match ending {
        Ending::Completed(exit) => {
            let (turn, steps, usage) = (image.turn.id, image.turn.steps, image.turn.used);
            let exit = G::exit(exit).ok_or_else(|| RunError::NoWay { what: "the turn ended by an exit that the graph has not".into() })?;
            let state = image.root.view.into_inner();
            let output = engine::caught_now(|| G::output(state)).map_err(|what| RunError::Panicked { place: None, what })?;
            Ok(Outcome::Completed(Completed { output, exit, turn, run, steps, usage }))
        }
        Ending::Paused => {
            let (questions, turn, usage) = (questions(&image)?, image.turn.id, image.turn.used);
            Ok(Outcome::Paused(Paused { questions, turn, run, usage }))
        }
        Ending::Repeating => stopped(image, StopReason::Repeating),
        Ending::StepLimit => stopped(image, StopReason::StepLimit),
        Ending::BudgetSpent => stopped(image, StopReason::BudgetSpent),
        Ending::TimedOut => stopped(image, StopReason::TimedOut),
        Ending::Cancelled => stopped(image, StopReason::Cancelled),
        Ending::Drained => stopped(image, StopReason::Drained),
        Ending::Breakpoint(place) => Ok(self::stopped(image, run, StopReason::Breakpoint, Some(place))),
        Ending::Failed(failed) => Err(RunError::Failed(Box::new(failure(image.root.view.into_inner(), failed)))),
        Ending::Unrouted(failed) => Err(RunError::Unrouted { place: failed.place().to_owned(), what: failed.error().to_owned() }),
        Ending::Broken(Broken::Store(error)) => Err(RunError::Store(error)),
        Ending::Broken(Broken::EndedBy(StopWhy::Abandoned)) => stopped(image, StopReason::Abandoned),
        Ending::Broken(Broken::EndedBy(_)) => stopped(image, StopReason::Cancelled),
        Ending::Broken(Broken::Displaced) => Err(RunError::Displaced),
    }
}

fn stopped<G: Graph>(image: Image<G>, run: RunId, reason: StopReason, place: Option<String>) -> Outcome<G> {
    let (turn, usage) = (image.turn.id, image.turn.used);
    Outcome::Stopped(Stopped { reason, place, turn, run, usage, state: image.root.view.into_inner() })
}

fn failure<S: Send + Sync + 'static>(state: S, failed: Failed) -> Failure {
    let (class, source, panicked): (Class, BoxError, bool) = match failed.error {
        Fault::Node(error) => (error.class(), error.into_source(), false),
        Fault::Panic(text) => (Class::Fatal, text.into(), true),
    };
    Failure { place: failed.place.to_owned(), attempts: failed.attempts, class, panicked, source, state: Arc::new(state) }
}

/// The open questions of an image, typed, in the order in which their branches are joined.
pub(super) fn questions<G: Graph>(image: &Image<G>) -> Result<Vec<G::Question>, RunError> {
    let changed = |what| RunError::GraphChanged { graph: <G as NodeMeta>::NAME, what };
    let open = |record: OpenRecord| {
        // `Deserialize` is the user's, too.
        let read = engine::caught_now(|| typed::<G>(record));
        read.map_err(|panic| changed(format!("reading the stored question panicked: {panic}")))?.map_err(|refused| {
            changed(match refused {
                Refused::Question(what) => format!("the stored question is no longer of its type: {what}"),
                Refused::NotAnInterrupt | Refused::Answer(_) => "the place that asked is no interrupt any more".to_owned(),
            })
        })
    };
    image.open().into_iter().map(open).collect()
}

/// The outcome of a thread that rests, without driving it.
pub(super) fn resting<G: Graph>(image: Image<G>) -> Result<Outcome<G>, RunError> {
    let run = image.turn.run;
    let stopped = |image, reason| Ok(stopped(image, run, reason, None));
    match &image.root.cursor {
        Cursor::Ended(_) if image.stopped == Some(StopWhy::Repeating) => return stopped(image, StopReason::Repeating),
        Cursor::Ended(exit) => {
            let exit = *exit;
            return outcome(image, run, Ending::Completed(exit));
        }
        Cursor::Closed => return stopped(image, StopReason::Abandoned),
        Cursor::Gone(what) => {
            return Err(RunError::GraphChanged {
                graph: <G as NodeMeta>::NAME,
                what: format!("its turn ended at `{what}`, which is gone"),
            });
        }
        _ => {}
    }
    match &image.stopped {
        Some(StopWhy::StepLimit) => stopped(image, StopReason::StepLimit),
        Some(StopWhy::BudgetSpent) => stopped(image, StopReason::BudgetSpent),
        Some(StopWhy::TimedOut) => stopped(image, StopReason::TimedOut),
        Some(StopWhy::Cancelled) => stopped(image, StopReason::Cancelled),
        Some(StopWhy::Abandoned) => stopped(image, StopReason::Abandoned),
        Some(StopWhy::CrashLoop) => stopped(image, StopReason::CrashLoop),
        Some(StopWhy::Drained) => stopped(image, StopReason::Drained),
        Some(StopWhy::Breakpoint { place, .. }) => {
            let place = place.clone();
            Ok(self::stopped(image, run, StopReason::Breakpoint, Some(place)))
        }
        Some(StopWhy::Failed { .. } | StopWhy::Unrouted { .. } | StopWhy::StoreFailed | StopWhy::Repeating) | None => {
            let ending = engine::rest(&image, None);
            outcome(image, run, ending)
        }
    }
}
