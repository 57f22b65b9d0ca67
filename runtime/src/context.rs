//! What a node is given beside the state.

use std::fmt;
use std::future::Future;
use std::sync::Arc;

use tokio_util::sync::CancellationToken;

use crate::clock::{Clock, IdGen, RandomIds, SystemClock, Timestamp};
use crate::digest::Hasher;
#[cfg(feature = "tokens")]
use crate::engine::Spot;
use crate::engine::{Beat, Breaks, Results};
use crate::error::FailedPlace;
use crate::id::{QuestionId, RunId, Scope, ScopeHash, ThreadId, TurnId};
use crate::join::join;
use crate::observe::{Emitter, EventKind, Mark, Observer, Span};
use crate::path::Path;
#[cfg(feature = "testing")]
use crate::testing::Stubs;
use crate::usage::{Meter, Usage};

/// Dependencies, and the run around a node. Not serde, so no checkpoint can hold it.
///
/// Cheap to clone, `'static`: a node may take one into a task.
pub struct Context<D> {
    deps: Arc<D>,
    run: Arc<RunInfo>,
    step: StepInfo,
    /// The call, in a tool.
    call: Option<Arc<str>>,
}

/// What is the same for every step of a run.
#[derive(Debug)]
pub(crate) struct RunInfo {
    pub(crate) emitter: Arc<Emitter>,
    pub(crate) cancel: CancellationToken,
    /// The run is to stop at its next commit.
    pub(crate) drain: CancellationToken,
    pub(crate) breaks: Arc<Breaks>,
    pub(crate) results: Arc<Results>,
    pub(crate) meter: Meter,
    #[cfg(feature = "testing")]
    pub(crate) stubs: Stubs,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) ids: Arc<dyn IdGen>,
    pub(crate) scope: ScopeHash,
    pub(crate) thread: Option<ThreadId>,
    /// The store's name of the thread's life; zero without a store.
    pub(crate) uid: u64,
    pub(crate) turn: TurnId,
    pub(crate) run: RunId,
}

/// What changes from step to step; set in place, so that a step allocates nothing.
#[derive(Debug, Clone)]
pub(crate) struct StepInfo {
    pub(crate) place: &'static str,
    /// Its names in earlier versions of the graph, the first of them first.
    pub(crate) was: &'static [&'static str],
    /// The branches and mounted graphs around it.
    pub(crate) path: Path,
    /// Its number among the steps there.
    pub(crate) ord: u64,
    /// Steps of the turn before it.
    pub(crate) steps: u64,
    pub(crate) attempt: u32,
    pub(crate) steps_left: u32,
    /// Where it says that it gets on, if its time is limited.
    pub(crate) beat: Option<Arc<Beat>>,
    /// What failed, behind a way `on error`.
    pub(crate) behind: Option<Arc<FailedPlace>>,
    /// The question that somebody is told of.
    pub(crate) tells: Option<(QuestionId, u32)>,
}

impl StepInfo {
    /// Where it is, for whoever listens.
    pub(crate) fn path(&self) -> String {
        self.path.before(self.place)
    }
}

impl<D> Clone for Context<D> {
    fn clone(&self) -> Self {
        Self { deps: Arc::clone(&self.deps), run: Arc::clone(&self.run), step: self.step.clone(), call: self.call.clone() }
    }
}

impl<D> Context<D> {
    pub(crate) fn new(deps: Arc<D>, run: Arc<RunInfo>) -> Self {
        let step = StepInfo {
            place: "",
            was: &[],
            path: Path::default(),
            ord: 0,
            steps: 0,
            attempt: 1,
            steps_left: u32::MAX,
            beat: None,
            behind: None,
            tells: None,
        };
        Self { deps, run, step, call: None }
    }

    /// A context without a run around it: to call a node from a unit test.
    ///
    /// ```
    /// let cx = graphwright::Context::test(7);
    /// assert_eq!(*cx.deps(), 7);
    /// ```
    #[must_use]
    pub fn test(deps: D) -> Self {
        Self::alone(deps, Vec::new())
    }

    /// The same, with somebody who hears what is told.
    ///
    /// ```
    /// use std::sync::{Arc, Mutex};
    /// use graphwright::{Context, Event, EventKind};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() {
    /// let heard = Arc::new(Mutex::new(Vec::new()));
    /// let cx = Context::test_observed((), { let heard = heard.clone(); move |event: &Event| heard.lock().unwrap().push(event.kind.clone()) });
    /// cx.emit(EventKind::TextDelta { text: "Hi".to_owned() }).await;
    /// assert_eq!(heard.lock().unwrap().len(), 1);
    /// # }
    /// ```
    #[must_use]
    pub fn test_observed(deps: D, observer: impl Observer) -> Self {
        Self::alone(deps, vec![Arc::new(observer)])
    }

    fn alone(deps: D, observers: Vec<Arc<dyn Observer>>) -> Self {
        let (run, turn) = (RunId::default(), TurnId::default());
        let info = RunInfo {
            emitter: Arc::new(Emitter::new(observers, None, run, turn, None)),
            cancel: CancellationToken::new(),
            drain: CancellationToken::new(),
            breaks: Arc::default(),
            results: Arc::default(),
            meter: Meter::default(),
            #[cfg(feature = "testing")]
            stubs: Stubs::default(),
            clock: Arc::new(SystemClock),
            ids: Arc::new(RandomIds),
            scope: Scope::root().hash(),
            thread: None,
            uid: 0,
            turn,
            run,
        };
        Self::new(Arc::new(deps), Arc::new(info))
    }

    /// The dependencies.
    #[must_use]
    pub fn deps(&self) -> &D {
        &self.deps
    }

    /// The place that runs.
    #[must_use]
    pub fn place(&self) -> &'static str {
        self.step.place
    }

    /// The turn.
    #[must_use]
    pub fn turn(&self) -> TurnId {
        self.run.turn
    }

    /// The run.
    #[must_use]
    pub fn run(&self) -> RunId {
        self.run.run
    }

    /// The thread, where there is one.
    #[must_use]
    pub fn thread(&self) -> Option<&ThreadId> {
        self.run.thread.as_ref()
    }

    /// Which attempt this is, from one.
    #[must_use]
    pub fn attempt(&self) -> u32 {
        self.step.attempt
    }

    /// What failed, in a place that a way `on error` leads to.
    #[must_use]
    pub fn failure(&self) -> Option<&FailedPlace> {
        self.step.behind.as_deref()
    }

    /// Steps that the run may still take, this one counted, and those that are under way beside it not: at one it is the last.
    #[must_use]
    pub fn steps_left(&self) -> u32 {
        self.step.steps_left
    }

    /// The time of day, of the app's clock.
    #[must_use]
    pub fn now(&self) -> Timestamp {
        self.run.clock.now()
    }

    /// 128 fresh bits, of the app's generator. An id that must survive a second attempt is [`Context::idempotency_key`].
    #[must_use]
    pub fn fresh_id(&self) -> [u8; 16] {
        self.run.ids.fresh()
    }

    /// The same on every attempt of this step, and on no other step: give it to whoever must do something once.
    ///
    /// It is made of scope, thread, turn, the branches and mounted graphs around the place, the step's number there, and the
    /// place, by its first name if it was renamed: neither a crash nor the order in which branches finish changes it, and
    /// where steps were lost another place in their stead has another. In a tool it is made of the call as well: each call of
    /// a message has a key of its own. In [`Interrupt::notify`](crate::Interrupt::notify) it is that of the question, and
    /// another one when the question was issued anew.
    #[must_use]
    pub fn idempotency_key(&self) -> String {
        let place = self.step.was.first().unwrap_or(&self.step.place);
        let mut hasher = Hasher::new(b"graphwright step v2");
        hasher.field(&self.run.scope.0).number(self.run.uid).field(&self.run.turn.0);
        if let Some((question, generation)) = self.step.tells {
            hasher.field(b"tells").field(&question.0).number(u64::from(generation));
        }
        hasher.field(self.step.path.to_string().as_bytes()).number(self.step.ord).field(place.as_bytes());
        if let Some(call) = &self.call {
            hasher.field(call.as_bytes());
        }
        hasher.finish_id().iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// The call that a tool runs for; nothing outside a tool.
    #[must_use]
    pub fn call(&self) -> Option<&str> {
        self.call.as_deref()
    }

    /// Tells how far a tool is. Waits while the stream's reader is behind. Cancel safe. Outside a tool it tells nothing.
    pub async fn progress(&self, message: impl Into<String>) {
        if let Some(call) = &self.call {
            self.emit(EventKind::ToolProgress { call: call.to_string(), message: message.into() }).await;
        }
    }

    /// Runs parts of a node at the same time, in its own task, at most `at_once` of them. Gives what they come to in their
    /// own order, whichever was first. It takes no step: what is to be kept part by part is an `each`.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() {
    /// let cx = graphwright::Context::test(());
    /// let lengths = cx.join(4, ["one", "three"].map(async |word| word.len())).await;
    /// assert_eq!(lengths, [3, 5]);
    /// # }
    /// ```
    ///
    /// Where rustc cannot see that the parts are `Send` ("implementation of `FnOnce` is not general enough"), collect them
    /// into a `Vec` first, of futures that own what they use.
    ///
    /// Cancel safe as the parts are: dropping it drops those that run, and the others never begin.
    pub async fn join<F: Future>(&self, at_once: usize, parts: impl IntoIterator<Item = F>) -> Vec<F::Output> {
        join(at_once, parts).await
    }

    /// Says that the node gets on: the time that `timeout(..)` gives its place begins anew. Without a limit it says nothing.
    ///
    /// ```
    /// # use graphwright::Context;
    /// async fn read_all(pages: Vec<String>, cx: &Context<()>) -> usize {
    ///     let mut words = 0;
    ///     for page in pages {
    ///         words += page.split_whitespace().count();
    ///         cx.heartbeat();
    ///     }
    ///     words
    /// }
    /// # let _ = read_all;
    /// ```
    pub fn heartbeat(&self) {
        if let Some(beat) = &self.step.beat {
            beat.now();
        }
    }

    /// Tells a piece of text, as a model's answer is told: [`EventKind::TextDelta`]. Waits while the stream's reader is
    /// behind. Cancel safe.
    pub async fn text(&self, piece: impl Into<String>) {
        self.emit(EventKind::TextDelta { text: piece.into() }).await;
    }

    /// Tells something of one's own: [`EventKind::Custom`]. Waits while the stream's reader is behind. Cancel safe.
    ///
    /// ```
    /// # use graphwright::Context;
    /// async fn search(cx: &Context<()>) {
    ///     cx.custom("searched", serde_json::json!({ "pages": 12 })).await;
    /// }
    /// # let _ = search;
    /// ```
    pub async fn custom(&self, name: impl Into<String>, content: impl Into<serde_json::Value>) {
        self.emit(EventKind::Custom { name: name.into(), content: content.into() }).await;
    }

    /// Counts what a call of a model cost, and tells it: [`EventKind::Usage`]. A [`Model`](crate::agent::Model) does so by
    /// itself. What is counted is committed with the step, or with whatever the run commits next:
    /// [`Turn::usage`](crate::Turn::usage). Waits while the stream's reader is behind; cancel safe: it is counted at once.
    pub async fn spent(&self, used: Usage) {
        self.emit(EventKind::Usage(used)).await;
    }

    /// Ends when the run is cancelled. A node need not look at it: it is dropped then.
    pub async fn cancelled(&self) {
        self.run.cancel.cancelled().await;
    }

    /// Tells something. Waits while the stream's reader is behind. Cancel safe.
    pub async fn emit(&self, kind: EventKind) {
        if let EventKind::Usage(used) = &kind {
            self.run.meter.add(*used);
        }
        if !self.run.emitter.is_silent() {
            self.run.emitter.emit(self.step.steps, &self.step.path(), kind).await;
        }
    }

    /// Tells a start now, and the end when the span ends or is dropped. Waits while the stream's reader is behind.
    /// Cancel safe: what was begun is ended.
    pub async fn span(&self, start: EventKind, end: impl FnOnce(Mark) -> EventKind + Send + 'static) -> Span {
        let span = self.begin_span(start, end);
        self.run.emitter.flush().await;
        span
    }

    /// The same where nothing can wait.
    pub(crate) fn begin_span(&self, start: EventKind, end: impl FnOnce(Mark) -> EventKind + Send + 'static) -> Span {
        let path = self.step.path();
        self.run.emitter.tell(self.step.steps, &path, start);
        Span::new(Arc::clone(&self.run.emitter), self.step.steps, path, end)
    }

    /// Where somebody is told of a question, of this generation.
    #[cfg(feature = "tokens")]
    pub(crate) fn begin_telling(&mut self, Spot { path, ord, place }: Spot, question: (QuestionId, u32)) {
        self.step = StepInfo { place, path, ord, tells: Some(question), ..self.step.clone() };
    }

    /// The context of one call of a tool.
    #[cfg(feature = "agent")]
    pub(crate) fn for_call(&self, call: &str) -> Self {
        Self { call: Some(Arc::from(call)), ..self.clone() }
    }

    pub(crate) fn step_mut(&mut self) -> &mut StepInfo {
        &mut self.step
    }

    pub(crate) fn step(&self) -> &StepInfo {
        &self.step
    }

    pub(crate) fn info(&self) -> &Arc<RunInfo> {
        &self.run
    }
}

impl<D> fmt::Debug for Context<D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Context")
            .field("thread", &self.run.thread)
            .field("turn", &self.run.turn)
            .field("step", &self.step)
            .finish_non_exhaustive()
    }
}
