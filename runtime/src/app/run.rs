//! A run: set it, then await, stream or spawn it.

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context as Task, Poll};
use std::time::Duration;

use tokio::sync::mpsc;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::bare::drive_bare;
use super::claiming::claiming;
use super::outcome::Outcome;
use super::session::{Call, announce, drive_claimed, resting};
use super::stream::Events;
use super::{App, OnBusy, RunError};
use crate::engine::{self, Answering, CodecError, Lease, Proceed, Start};
use crate::graph::{Graph, Patch};
use crate::id::{IdError, RunId, ThreadId, TurnId};
use crate::observe::{Mode, Observer};
use crate::store::ThreadKey;
use crate::turn::TurnSettings;
use crate::usage::Budget;

type Boxed<T> = Pin<Box<dyn Future<Output = T> + Send>>;

/// Events that wait for the reader of a stream; then the run waits.
const EVENTS: usize = 256;
/// How often a queued turn looks again, where nobody tells it.
const QUEUE_LOOK: Duration = Duration::from_millis(200);

/// A run that does nothing until it is awaited, streamed or spawned. Awaited or streamed, it ends with its caller.
///
/// Cancel safe: a run that is dropped frees its thread at once, keeps what it has committed, and can be taken up with
/// `thread.proceed()`.
#[must_use = "a run does nothing until it is awaited, streamed or spawned"]
pub struct Run<G: Graph> {
    waiting: Option<(Source<G>, Call)>,
    running: Option<Boxed<Result<Outcome<G>, RunError>>>,
}

/// What is to be driven.
pub(super) enum Source<G: Graph> {
    Thread { app: App<G>, thread: Result<ThreadId, IdError>, what: What<G> },
    Bare { deps: Arc<G::Deps>, input: Patch<G>, settings: Option<Result<TurnSettings, CodecError>> },
}

/// What a run on a thread begins with.
pub(super) enum What<G: Graph> {
    Turn(Patch<G>, Option<Result<TurnSettings, CodecError>>),
    Answers(Result<Vec<Answering>, RunError>),
    Proceed,
}

impl<G: Graph> Run<G> {
    pub(super) fn new(source: Source<G>) -> Self {
        Self { waiting: Some((source, Call::default())), running: None }
    }

    fn set(mut self, set: impl FnOnce(&mut Call)) -> Self {
        if let Some((_, call)) = &mut self.waiting {
            set(call);
        }
        self
    }

    /// Gets every event of this run, after the app's observers.
    pub fn observe(self, observer: impl Observer) -> Self {
        self.set(|call| call.observers.push(Arc::new(observer)))
    }

    /// The longest that the run may take, waiting for another run included; the time that people take is not counted. A
    /// turn that could not begin until then is [`RunError::Busy`].
    pub fn deadline(self, limit: Duration) -> Self {
        self.set(|call| call.deadline = Some(limit))
    }

    /// The most steps, in place of the graph's `steps`.
    pub fn steps(self, steps: u64) -> Self {
        self.set(|call| call.steps = Some(steps))
    }

    /// The most that the turn may use by its end, in place of the app's budget. [`Budget::new`] bounds nothing.
    pub fn budget(self, budget: Budget) -> Self {
        self.set(|call| call.budget = Some(budget))
    }

    /// A token that cancels the run, also while a node waits.
    pub fn cancelled_by(self, token: CancellationToken) -> Self {
        self.set(|call| call.cancel = token)
    }

    /// The caller's name for the run, for tracing: it decides nothing.
    pub fn label(self, label: impl Into<String>) -> Self {
        self.set(|call| call.label = Some(label.into()))
    }

    /// The caller's key for a turn: the same key again on the thread runs nothing and gives [`RunError::Duplicate`].
    pub fn idempotent(self, key: impl Into<String>) -> Self {
        self.set(|call| call.request = Some(key.into()))
    }

    /// What its stream gives: only events of these modes, beside the first and the last of the run. Without it that is
    /// everything but [`Mode::Values`] and [`Mode::Updates`], which hold what is in the state.
    ///
    /// ```
    /// # use graphwright::prelude::*;
    /// # #[derive(Clone, Debug, Default, Serialize, Deserialize, State)] struct Count { n: u32 }
    /// # #[node] async fn add(count: &Count) -> NodeResult<Count> { Ok(Count::update().n(count.n + 1)) }
    /// # graph! { Counter(Count) { start -> add -> end; } }
    /// use graphwright::{EventKind, Mode};
    /// # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), RunError> {
    /// let mut events = Counter::run((), Count::update()).modes([Mode::Updates]).stream();
    /// let mut updates = Vec::new();
    /// while let Some(event) = events.next().await {
    ///     if let EventKind::Updated { place, update } = event.kind {
    ///         updates.push(format!("{place} {update}"));
    ///     }
    /// }
    /// assert_eq!(updates, [r#"add {"n":1}"#]);
    /// # Ok(()) }
    /// ```
    pub fn modes(self, modes: impl IntoIterator<Item = Mode>) -> Self {
        self.set(|call| call.filter.modes = Some(modes.into_iter().collect()))
    }

    /// What its stream gives: only what comes from this place, or from inside of the branch or the mounted graph of this
    /// name, beside the first and the last event of the run. [`Event::is_within`](crate::Event::is_within) says the same of one.
    pub fn within(self, name: impl Into<String>) -> Self {
        self.set(|call| call.filter.within = Some(name.into()))
    }

    /// Drives the run by reading its events. Bounded, with back-pressure; dropping it drops the run.
    pub fn stream(self) -> Events<G> {
        let (sender, receiver) = mpsc::channel(EVENTS);
        Events::new(self.set(|call| call.stream = Some(sender)), receiver)
    }

    /// Drives the run in a task of tokio's, which does not end with its caller.
    ///
    /// # Panics
    /// Outside of a runtime of tokio's.
    #[track_caller]
    pub fn spawn(self) -> tokio::task::JoinHandle<Result<Outcome<G>, RunError>> {
        tokio::spawn(self)
    }
}

impl<G: Graph> Future for Run<G> {
    type Output = Result<Outcome<G>, RunError>;

    fn poll(mut self: Pin<&mut Self>, task: &mut Task<'_>) -> Poll<Self::Output> {
        if let Some((source, call)) = self.waiting.take() {
            self.running = Some(match source {
                Source::Thread { app, thread, what } => Box::pin(begin(app, thread, what, call)),
                Source::Bare { deps, input, settings } => Box::pin(drive_bare(deps, input, settings, call)),
            });
        }
        match &mut self.running {
            Some(running) => {
                let polled = running.as_mut().poll(task);
                if polled.is_ready() {
                    self.running = None;
                }
                polled
            }
            // Polled again after its end: there is nothing more to say.
            None => Poll::Pending,
        }
    }
}

impl<G: Graph> Unpin for Run<G> {}

impl<G: Graph> fmt::Debug for Run<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut s = f.debug_struct("Run");
        if let Some((Source::Thread { app, thread, .. }, _)) = &self.waiting {
            s.field("app", app).field("thread", thread);
        }
        s.finish_non_exhaustive()
    }
}

async fn begin<G: Graph>(app: App<G>, thread: Result<ThreadId, IdError>, what: What<G>, mut call: Call) -> Result<Outcome<G>, RunError> {
    let thread = thread?;
    let desk = &app.inner.desk;
    let key = desk.key(&thread);
    let run = RunId(desk.ids.fresh());
    call.until = call.deadline.or(app.inner.settings.deadline).and_then(|limit| Instant::now().checked_add(limit));
    // Whoever cancels this run cancels no other that has the caller's token.
    call.cancel = call.cancel.child_token();
    let lease = Lease::take(desk.store.worker(), run, call.cancel.clone(), call.drain.clone());
    let _pass = app.inner.gate.enter(run)?;
    match what {
        What::Turn(input, settings) => {
            let begun = (input, settings.transpose().map_err(RunError::Input)?);
            let claimed = queue(&app, &thread, run, begun, &call).await?;
            drive_claimed(app.clone(), thread, claimed, None, call, lease).await
        }
        What::Answers(answers) => {
            let answers = answers?;
            let (taken, appended) = claiming::<G, _>(desk, &key, run, engine::answer::<G>(desk, &key, &answers, Some(run))).await?;
            if let Some(holder) = taken.held.as_ref().and_then(|head| head.run) {
                announce(&app, &thread, &taken, appended, None);
                return follow(app, thread, &key, holder, run, call, lease).await;
            }
            let waited = taken.waited.clone();
            let claimed = engine::claimed_by_answer(desk, taken, run, appended);
            drive_claimed(app.clone(), thread, claimed, Some(waited), call, lease).await
        }
        What::Proceed => match claiming::<G, _>(desk, &key, run, engine::proceed::<G>(desk, &key, run, true)).await? {
            Proceed::Claimed(claimed) => drive_claimed(app.clone(), thread, *claimed, Some(Vec::new()), call, lease).await,
            Proceed::Rest(image) => resting(*image),
        },
    }
}

/// Waits for the run that holds the thread and gives what it came to; goes on where it died.
async fn follow<G: Graph>(
    app: App<G>,
    thread: ThreadId,
    key: &ThreadKey,
    holder: RunId,
    run: RunId,
    call: Call,
    lease: Lease,
) -> Result<Outcome<G>, RunError> {
    loop {
        let freed = engine::ended();
        let view = engine::load::<G>(&app.inner.desk, key).await?;
        let holds = view.there()?.head.run;
        if holds.is_none() {
            // Somebody ended that run and changed the thread, which is nobody's now and could go on: it waits for no answer.
            let changed = view.image.stopped.is_none() && view.image.is_runnable();
            return if changed { Err(RunError::Displaced) } else { resting(view.image) };
        }
        if !view.owned {
            let desk = &app.inner.desk;
            return match claiming::<G, _>(desk, key, run, engine::proceed::<G>(desk, key, run, false)).await? {
                Proceed::Claimed(claimed) => drive_claimed(app.clone(), thread, *claimed, Some(Vec::new()), call, lease).await,
                Proceed::Rest(image) => resting(*image),
            };
        }
        if holds != Some(holder) {
            return Err(RunError::Busy { run: holds.unwrap_or_default(), since: view.there()?.head.at });
        }
        let until = call.until;
        tokio::select! {
            () = async { match until { Some(until) => tokio::time::sleep_until(until).await, None => std::future::pending().await } } => {
                return Err(RunError::Busy { run: holder, since: view.there()?.head.at });
            }
            () = freed => {}
            () = tokio::time::sleep(QUEUE_LOOK) => {}
            () = call.cancel.cancelled() => return Err(RunError::Busy { run: holder, since: view.there()?.head.at }),
            () = call.drain.cancelled() => return Err(RunError::ShutDown),
        }
    }
}

/// Begins the turn, now or when the thread is free.
async fn queue<G: Graph>(
    app: &App<G>,
    thread: &ThreadId,
    run: RunId,
    (input, settings): (Patch<G>, Option<TurnSettings>),
    call: &Call,
) -> Result<engine::Claimed<G>, RunError> {
    let inner = &app.inner;
    let key = inner.desk.key(thread);
    let turn = TurnId(inner.desk.ids.fresh());
    loop {
        let freed = engine::ended();
        let start = Start {
            input: input.clone(),
            settings: settings.clone(),
            on_paused: inner.settings.on_paused,
            label: call.label.clone(),
            request: call.request.clone(),
            run,
            turn,
        };
        let busy = match claiming::<G, _>(&inner.desk, &key, run, engine::start(&inner.desk, &key, start)).await {
            Err(RunError::Busy { run, since }) => RunError::Busy { run, since },
            other => return other,
        };
        match inner.settings.on_busy {
            OnBusy::Reject => return Err(busy),
            OnBusy::Queue => {}
            OnBusy::Cancel => {
                app.thread(thread.as_str()).cancel().await?;
            }
        }
        let until = call.until;
        tokio::select! {
            () = async { match until { Some(until) => tokio::time::sleep_until(until).await, None => std::future::pending().await } } => return Err(busy),
            () = freed => {}
            () = tokio::time::sleep(QUEUE_LOOK) => {}
            () = call.cancel.cancelled() => return Err(busy),
            () = call.drain.cancelled() => return Err(RunError::ShutDown),
        }
    }
}
