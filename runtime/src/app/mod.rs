//! Apps, threads and runs.

mod bare;
mod error;
mod inbox;
mod outcome;
#[cfg(feature = "tokens")]
mod redeem;
mod run;
mod session;
mod stream;
mod thread;
mod work;

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use crate::clock::{Clock, IdGen, RandomIds, SystemClock};
use crate::engine::{Desk, Recent, graph_ref, settle};
use crate::graph::Graph;
use crate::id::Scope;
use crate::node::NodeMeta;
use crate::observe::Observer;
use crate::store::Checkpointer;

pub use bare::{GraphExt, RunsBare};
pub use error::{Failure, RunError};
pub use inbox::{Inbox, Pending, Waiting};
pub use outcome::{Answered, AnsweredNext, Completed, Outcome, Paused, StopReason, Stopped};
#[cfg(feature = "tokens")]
pub use redeem::{AnyAnswer, Redeemed};
pub use run::Run;
pub use stream::Events;
pub use thread::{IntoAnswers, Thread};
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
}

#[derive(Clone)]
struct Settings {
    observers: Vec<Arc<dyn Observer>>,
    on_busy: OnBusy,
    on_paused: OnPaused,
    deadline: Option<Duration>,
    #[cfg(feature = "tokens")]
    keys: Option<Arc<crate::token::KeyRing>>,
    #[cfg(feature = "tokens")]
    across_scopes: bool,
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
        Self { deps: Arc::clone(&self.deps), desk: self.desk.clone(), settings: self.settings.clone() }
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
            scope,
            graph: graph_ref::<G>(),
            recent: Arc::new(Recent::default()),
        };
        let settings = Settings {
            observers: Vec::new(),
            on_busy: OnBusy::default(),
            on_paused: OnPaused::default(),
            deadline: None,
            #[cfg(feature = "tokens")]
            keys: None,
            #[cfg(feature = "tokens")]
            across_scopes: false,
        };
        Self { inner: Arc::new(Inner { deps: Arc::new(deps), desk, settings }) }
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

    /// The longest that a run may take; the time that people take is not counted.
    #[must_use]
    pub fn deadline(self, deadline: Duration) -> Self {
        self.change(|inner| inner.settings.deadline = Some(deadline))
    }

    /// The keys that sign and verify pause tokens. There are no default keys.
    #[cfg(feature = "tokens")]
    #[must_use]
    pub fn keys(self, keys: crate::token::KeyRing) -> Self {
        self.change(|inner| inner.settings.keys = Some(Arc::new(keys)))
    }

    /// Lets this app redeem tokens of other scopes, as the service that serves all tenants: each such answer is told as
    /// an event `answered_across_scopes`. Without it they are forbidden.
    #[cfg(feature = "tokens")]
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

    /// The same app for a tenant: threads of other scopes do not exist for it.
    #[must_use]
    pub fn scope(&self, scope: Scope) -> Self {
        self.clone().change(|inner| {
            inner.desk.scope_hash = scope.hash();
            inner.desk.scope = scope;
        })
    }

    /// The same app with other dependencies.
    #[must_use]
    pub fn with_deps(&self, deps: G::Deps) -> Self {
        self.clone().change(|inner| inner.deps = Arc::new(deps))
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
