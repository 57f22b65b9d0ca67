//! Apps, threads and runs.

mod bare;
mod claiming;
mod ends;
mod error;
mod explain;
mod gate;
mod history;
mod inbox;
mod outcome;
mod preflight;
#[cfg(feature = "tokens")]
mod redeem;
mod retention;
mod run;
mod session;
mod stream;
mod subscribe;
mod thread;
mod travel;
mod work;

use std::fmt;
use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use crate::clock::{Clock, IdGen, RandomIds, SystemClock};
use crate::engine::{self, Breaks, Desk, Recent, Results, graph_ref, settle};
use crate::graph::Graph;
use crate::id::Scope;
use crate::node::NodeMeta;
use crate::observe::Observer;
use crate::store::Checkpointer;
use crate::usage::Budget;

pub use bare::{GraphExt, RunsBare};
pub use error::{Failure, RunError};
use gate::Gate;

pub use explain::{Decided, Does, Explanation, Standing};
pub use history::{History, HistoryRow, ReadHistory};
pub use inbox::{Inbox, Pending, Waiting};
pub use outcome::{Answered, AnsweredNext, Completed, Outcome, Paused, StopReason, Stopped};
pub use preflight::{Preflight, Refusals, Refused};
#[cfg(feature = "tokens")]
pub use redeem::{AnyAnswer, MAX_ANSWER_BYTES, Redeemed};
pub use retention::Retention;
pub use run::Run;
pub use stream::Events;
pub use subscribe::Subscription;
pub use thread::{IntoAnswers, Thread};
pub use travel::Editing;
pub use work::Swept;

/// A graph with its dependencies and a store: cheap to clone, and named by its graph alone.
///
/// Made by `SupportAgent::app(deps, store)`; the rest is set by name.
pub struct App<G: Graph> {
    inner: Arc<Inner<G>>,
}

struct Inner<G: Graph> {
    deps: Arc<G::Deps>,
    desk: Desk,
    settings: Settings,
    gate: Arc<Gate>,
    results: Arc<Results>,
}

#[derive(Clone)]
struct Settings {
    observers: Vec<Arc<dyn Observer>>,
    on_busy: OnBusy,
    on_paused: OnPaused,
    deadline: Option<Duration>,
    budget: Budget,
    #[cfg(feature = "testing")]
    stubs: crate::testing::Stubs,
    breaks: Arc<Breaks>,
    retention: Retention,
    #[cfg(feature = "tokens")]
    keys: Option<Arc<crate::token::KeyRing>>,
    across_scopes: bool,
}

/// When a step is durable. Whatever it says, durable at once are: the beginning of a turn, answers, questions before they
/// are shown, every end of a run, and so every outcome.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Durability {
    /// Before the next one in its branch begins.
    #[default]
    Sync,
    /// While the next ones run. A crash loses the last of them, and they run again, with the same idempotency keys as far as
    /// the same places are reached. Not so tools whose message was lost: a model that is asked again makes other calls, and a
    /// call has a key of its own. What must not be done twice belongs behind [`Self::Sync`].
    Behind,
    /// When the run ends, or 250 of them wait: fewest commits. A crash loses what the run did, and that runs again, as behind
    /// [`Self::Behind`].
    Exit,
}

/// What a new turn does on a thread that another run holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum OnBusy {
    /// It is refused.
    #[default]
    Reject,
    /// It waits until that run is over.
    Queue,
    /// It cancels that run, and begins when it is over.
    Cancel,
}

/// What a new turn does on a thread that waits for an answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum OnPaused {
    /// It is refused, so that nobody throws away an approval by accident.
    #[default]
    Reject,
    /// Every open question is closed in the commit that begins the turn: what a chat front end wants.
    Abandon,
}

impl<G: Graph> Clone for App<G> {
    fn clone(&self) -> Self {
        Self { inner: Arc::clone(&self.inner) }
    }
}

impl<G: Graph> Clone for Inner<G> {
    fn clone(&self) -> Self {
        let (gate, results) = (Arc::clone(&self.gate), Arc::clone(&self.results));
        Self { deps: Arc::clone(&self.deps), desk: self.desk.clone(), settings: self.settings.clone(), gate, results }
    }
}

impl<G: Graph> App<G> {
    /// A graph with what it needs. `SupportAgent::app(deps, store)` says the same.
    #[must_use]
    pub fn new(deps: G::Deps, store: impl Checkpointer) -> Self {
        let scope = Scope::root();
        settle(store.worker());
        let desk = Desk {
            store: Arc::new(store),
            clock: Arc::new(SystemClock),
            ids: Arc::new(RandomIds),
            scope_hash: scope.hash(),
            scope: Some(scope),
            graph: graph_ref::<G>(),
            recent: Arc::new(Recent::default()),
            durability: Durability::default(),
        };
        let settings = Settings {
            observers: Vec::new(),
            on_busy: OnBusy::default(),
            on_paused: OnPaused::default(),
            deadline: None,
            budget: Budget::new(),
            #[cfg(feature = "testing")]
            stubs: crate::testing::Stubs::default(),
            breaks: Arc::default(),
            retention: Retention::default(),
            #[cfg(feature = "tokens")]
            keys: None,
            across_scopes: false,
        };
        let (gate, results) = (Arc::default(), Arc::default());
        Self { inner: Arc::new(Inner { deps: Arc::new(deps), desk, settings, gate, results }) }
    }

    fn change(mut self, change: impl FnOnce(&mut Inner<G>)) -> Self {
        let mut inner = Arc::unwrap_or_clone(self.inner);
        change(&mut inner);
        self.inner = Arc::new(inner);
        self
    }

    /// Gets every event of every run, before the observers of the call.
    #[must_use]
    pub fn observe(self, observer: impl Observer) -> Self {
        self.change(|inner| inner.settings.observers.push(Arc::new(observer)))
    }

    /// What a new turn does on a thread that another run holds.
    #[must_use]
    pub fn on_busy(self, on_busy: OnBusy) -> Self {
        self.change(|inner| inner.settings.on_busy = on_busy)
    }

    /// What a new turn does on a thread that waits for an answer.
    #[must_use]
    pub fn on_paused(self, on_paused: OnPaused) -> Self {
        self.change(|inner| inner.settings.on_paused = on_paused)
    }

    /// When a step is durable. [`Durability::Sync`], unless something else is asked for by its name.
    ///
    /// An event `Committed` is told when the step is durable: with another durability that is after the events of the steps
    /// behind it.
    ///
    /// ```
    /// # use graphwright::prelude::*;
    /// # #[derive(Clone, Debug, Default, Serialize, Deserialize, State)] struct Count { n: u32 }
    /// # #[node] async fn add(count: &Count) -> NodeResult<Count> { Ok(Count::update().n(count.n + 1)) }
    /// # graph! { Counter(Count) { start -> add -> end; } }
    /// use graphwright::Durability;
    /// let app = Counter::app((), Memory::new()).durability(Durability::Behind);
    /// # drop(app);
    /// ```
    #[must_use]
    pub fn durability(self, durability: Durability) -> Self {
        self.change(|inner| inner.desk.durability = durability)
    }

    /// The longest that a run may take; the time that people take is not counted.
    #[must_use]
    pub fn deadline(self, deadline: Duration) -> Self {
        self.change(|inner| inner.settings.deadline = Some(deadline))
    }

    /// The most that a turn may use, in tokens and in money: what its runs, branches and mounted graphs have committed
    /// together, so that neither a pause nor a crash forgets it.
    #[must_use]
    pub fn budget(self, budget: Budget) -> Self {
        self.change(|inner| inner.settings.budget = budget)
    }

    /// Every run stops before this place, [`StopReason::Breakpoint`], as often as a thread comes there: also one that was
    /// answered, or taken up, in another process whose app says so. [`Thread::proceed`] goes on past it.
    ///
    /// In a fork the other branches go on until nothing but such a place is left to run. A place where a graph is mounted
    /// does not run itself: see [`App::break_before_in`].
    ///
    /// ```
    /// # use graphwright::prelude::*;
    /// # #[derive(Clone, Debug, Default, Serialize, Deserialize, State)] struct Count { n: u32 }
    /// # #[node] async fn add(count: &Count) -> NodeResult<Count> { Ok(Count::update().n(count.n + 1)) }
    /// # #[node] async fn send(count: &Count) -> NodeResult<Count> { Ok(Count::update().n(count.n * 10)) }
    /// # graph! { Counter(Count) { start -> add -> send -> end; } }
    /// use graphwright::{Place, StopReason};
    /// type P = Place<Counter>;
    /// # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), RunError> {
    /// let thread = Counter::app((), Memory::new()).break_before(P::send).thread("t");
    /// let stopped = thread.run(Count::update()).await?.stopped().unwrap();
    /// assert_eq!((stopped.reason, stopped.place.as_deref(), stopped.state.n), (StopReason::Breakpoint, Some("send"), 1));
    /// assert_eq!(thread.proceed().await?.completed().unwrap().output.n, 10);
    /// # Ok(()) }
    /// ```
    #[must_use]
    pub fn break_before(self, place: G::At) -> Self {
        self.break_before_in::<G>(place)
    }

    /// Every run stops when this place is done and its step is kept, unless the turn is over then. What runs beside it
    /// comes to its commit first, and nothing more begins. An interrupt is done when it is answered, which is no run: break
    /// before what follows it.
    ///
    /// ```
    /// # use graphwright::prelude::*;
    /// # #[derive(Clone, Debug, Default, Serialize, Deserialize, State)] struct Count { n: u32 }
    /// # #[node] async fn add(count: &Count) -> NodeResult<Count> { Ok(Count::update().n(count.n + 1)) }
    /// # #[node] async fn send(count: &Count) -> NodeResult<Count> { Ok(Count::update().n(count.n * 10)) }
    /// # graph! { Counter(Count) { start -> add -> send -> end; } }
    /// use graphwright::Place;
    /// # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), RunError> {
    /// let thread = Counter::app((), Memory::new()).break_after(Place::<Counter>::add).thread("t");
    /// assert_eq!(thread.run(Count::update()).await?.stopped().unwrap().place.as_deref(), Some("add"));
    /// assert_eq!(thread.proceed().await?.completed().unwrap().output.n, 10);
    /// # Ok(()) }
    /// ```
    #[must_use]
    pub fn break_after(self, place: G::At) -> Self {
        self.break_after_in::<G>(place)
    }

    /// [`App::break_before`], for a place of a graph that is mounted in this one, at any depth.
    #[must_use]
    pub fn break_before_in<M: Graph>(self, place: M::At) -> Self {
        self.change(|inner| Arc::make_mut(&mut inner.settings.breaks).add_before::<M>(place))
    }

    /// [`App::break_after`], for a place of a graph that is mounted in this one, at any depth.
    #[must_use]
    pub fn break_after_in<M: Graph>(self, place: M::At) -> Self {
        self.change(|inner| Arc::make_mut(&mut inner.settings.breaks).add_after::<M>(place))
    }

    /// The keys that sign and verify pause tokens. There are no default keys.
    #[cfg(feature = "tokens")]
    #[must_use]
    pub fn keys(self, keys: crate::token::KeyRing) -> Self {
        self.change(|inner| inner.settings.keys = Some(Arc::new(keys)))
    }

    /// Lets this app look at all scopes, find a thread of any of them ([`App::thread_of`]) and redeem their tokens: for the
    /// operator of all tenants, and never for what a tenant can reach. [`Inbox::every_scope`] and
    /// [`Preflight::every_scope`] ask for it; each answer by a token of another scope is told as an event
    /// `answered_across_scopes`. Without it all of these are refused, and [`App::scope`] makes an app without it.
    #[must_use]
    pub fn across_scopes(self) -> Self {
        self.change(|inner| inner.settings.across_scopes = true)
    }

    /// Another clock.
    #[must_use]
    pub fn clock(self, clock: impl Clock) -> Self {
        self.change(|inner| inner.desk.clock = Arc::new(clock))
    }

    /// Another source of ids.
    #[must_use]
    pub fn ids(self, ids: impl IdGen) -> Self {
        self.change(|inner| inner.desk.ids = Arc::new(ids))
    }

    /// The same app for a tenant: threads of other scopes do not exist for it, also if this one was let
    /// [`across_scopes`](App::across_scopes).
    #[must_use]
    pub fn scope(&self, scope: Scope) -> Self {
        self.clone().change(|inner| {
            inner.settings.across_scopes = false;
            inner.desk.scope_hash = scope.hash();
            inner.desk.scope = Some(scope);
        })
    }

    /// The same app with other dependencies.
    #[must_use]
    pub fn with_deps(&self, deps: G::Deps) -> Self {
        // What one has worked out is not the other's to give.
        self.clone().change(|inner| (inner.deps, inner.results) = (Arc::new(deps), Arc::default()))
    }

    /// Begins no more runs, of this app and of every app that was made of it; lets those that live in this process stop at
    /// their next commit, and cancels what has not stopped after `grace`. Ends when all of them have. Threads are left so
    /// that [`Thread::proceed`] goes on with them, in another process; answers are still taken in, and run nothing. What
    /// waits for the run of another process is not waited for: it is [`RunError::ShutDown`], and the answers it gave are kept.
    ///
    /// ```
    /// # use graphwright::prelude::*;
    /// # #[derive(Clone, Debug, Default, Serialize, Deserialize, State)] struct Count { n: u32 }
    /// # #[node] async fn add(count: &Count) -> NodeResult<Count> { Ok(Count::update().n(count.n + 1)) }
    /// # graph! { Counter(Count) { start -> add -> end; } }
    /// # #[tokio::main(flavor = "current_thread")] async fn main() {
    /// let app = Counter::app((), Memory::new());
    /// app.shutdown(std::time::Duration::from_secs(10)).await;
    /// assert!(matches!(app.thread("t").run(Count::update()).await, Err(RunError::ShutDown)));
    /// # }
    /// ```
    ///
    /// A run stops where it is polled: a stream that is neither read nor dropped is waited for, so put a timeout around
    /// this where a reader may stall.
    ///
    /// Cancel safe: what was told stays told, and the app stays shut.
    pub fn shutdown(&self, grace: Duration) -> impl Future<Output = ()> + Send + use<G> {
        let inner = Arc::clone(&self.inner);
        async move {
            let worker = inner.desk.store.worker();
            let runs = inner.gate.close();
            for run in &runs {
                engine::drain(worker, *run);
            }
            if tokio::time::timeout(grace, inner.gate.empty()).await.is_err() {
                for run in runs {
                    engine::cancel(worker, run);
                }
                inner.gate.empty().await;
            }
        }
    }

    #[cfg(feature = "testing")]
    pub(crate) fn stubs(self, change: impl FnOnce(&mut crate::testing::Stubs)) -> Self {
        self.change(|inner| change(&mut inner.settings.stubs))
    }

    #[cfg(feature = "testing")]
    pub(crate) fn desk(&self) -> &Desk {
        &self.inner.desk
    }

    /// A conversation, by its name. A name that cannot be one is reported at the first await.
    #[must_use]
    pub fn thread(&self, id: impl Into<String>) -> Thread<G> {
        Thread::new(self.clone(), crate::id::ThreadId::new(id))
    }
}

impl<G: Graph> fmt::Debug for App<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("App").field("graph", &<G as NodeMeta>::NAME).field("scope", &self.inner.desk.scope).finish_non_exhaustive()
    }
}
