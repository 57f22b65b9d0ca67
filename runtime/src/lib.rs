//! Agents as graphs that the compiler checks, and a small runtime that pauses for people and loses nothing.
//!
//! [`graph!`] declares places and the ways between them; [`node`](macro@node) and [`router`](macro@router) turn plain
//! functions into its parts; what compiles is a state machine with static dispatch.
//!
//! ```
//! use graphwright::prelude::*;
//!
//! #[derive(Clone, Debug, Default, Serialize, Deserialize, State)]
//! struct Count {
//!     n: u32,
//! }
//!
//! #[node]
//! async fn add(count: &Count) -> NodeResult<Count> {
//!     Ok(Count::update().n(count.n + 1))
//! }
//!
//! #[router]
//! fn enough(count: &Count) -> bool {
//!     count.n >= 3
//! }
//!
//! graph! {
//!     Counter(Count) {
//!         start -> add;
//!         add -> end if enough;
//!         add -> add;
//!     }
//! }
//!
//! # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), RunError> {
//! let done = Counter::run((), Count::update()).await?.completed();
//! assert_eq!(done.map(|done| done.output.n), Some(3));
//! # Ok(()) }
//! ```
//!
//! A graph that can pause needs a store: `Support::app(deps, store)` is an [`App`], `app.thread("ticket-42")` a
//! [`Thread`], `thread.run(input)` a [`Run`] that is awaited, streamed or spawned, and what it gives an [`Outcome`].
//!
//! # What runs again, and what does not
//!
//! * A commit is made exactly once: it is compared and swapped on the thread's version ([`store::Checkpointer`]).
//! * A node's body runs at least once, with the same [`Context::idempotency_key`] on every attempt.
//! * An answer is delivered once, to the question that it was given for. Nothing before a pause runs again.
//! * Events and `notify` are told at least once, with ids that grow within a run.
//!
//! # Features
//!
//! None is on by default. `sqlite`: threads in an SQLite file. `tokens`: pause tokens for people outside. `agent`:
//! conversations, tools, models, and the question to the user before a tool runs. `genai`: models of real providers.
//! `diagrams`: the graph as SVG, DOT and text, in the docs of its type, too, and a run drawn over it; `png`: as pixels.
//! `axum`: the events of a thread as server-sent events, and errors as answers. `conformance`: the suite that a store of
//! your own is held to. `testing`: a kit for tests of graphs.

// What serves those alone who answer from outside.
#![cfg_attr(not(feature = "tokens"), allow(dead_code, unused_imports))]

// Generated code names `::graphwright`, also in this crate.
extern crate self as graphwright;
#[cfg(shuttle)]
extern crate shuttle_tokio as tokio;

#[doc(hidden)]
#[path = "private.rs"]
pub mod __private;
#[cfg(feature = "agent")]
pub mod agent;
mod app;
#[cfg(feature = "axum")]
pub mod axum;
#[doc(hidden)]
pub mod check;
mod clock;
mod context;
mod contract;
pub mod diagnostics;
#[cfg(feature = "diagrams")]
pub mod diagram;
mod digest;
mod engine;
mod error;
mod graph;
mod id;
mod interrupt;
mod item;
mod join;
mod macros;
mod mount;
mod node;
mod observe;
mod path;
#[doc(hidden)]
mod placed;
pub mod policy;
pub mod prelude;
mod route;
mod state;
pub mod store;
mod sync;
#[cfg(feature = "testing")]
pub mod testing;
mod token;
pub mod topology;
mod turn;
mod usage;

pub use app::{
    Answered, AnsweredNext, App, Completed, Decided, Does, Durability, Editing, Events, Explanation, Failure, GraphExt, History,
    HistoryRow, Inbox, IntoAnswers, OnBusy, OnPaused, Outcome, Paused, Pending, Preflight, ReadHistory, Refusals, Refused, Retention, Run,
    RunError, RunsBare, Standing, StopReason, Stopped, Subscription, Swept, Thread, Waiting,
};
#[cfg(feature = "tokens")]
pub use app::{AnyAnswer, MAX_ANSWER_BYTES, Redeemed};
pub use clock::{Clock, CountingIds, IdGen, ManualClock, RandomIds, SystemClock, Timestamp};
pub use context::Context;
pub use engine::CodecError;
pub use error::{BadAnswer, BoxError, Class, FailedPlace, NodeError};
pub use graph::{Exit, Flag, Graph, Place, Question};
#[cfg(feature = "agent")]
pub use graphwright_macros::tool;
pub use id::{CommitId, IdError, MAX_ID_BYTES, MAX_SCOPE_SEGMENTS, QuestionId, RunId, Scope, ScopeHash, ThreadId, TurnId, WorkerId};
pub use interrupt::{Answer, Ask, Asks, Given, Interrupt, InterruptEach, Open, OpenRecord, TypedAnswer};
pub use mount::{Entry, Left, Mount};
pub use node::{Node, NodeMeta};
pub use observe::{Event, EventKind, Mark, Mode, Observer, Span};
pub use route::{AnswerKind, Guard, Route, Router, RouterMeta, Set};
pub use state::{Anything, Closing, FieldInfo, FieldSet, Ingest, IntoOption, Kind, NodeResult, Reducer, Returns, State, Update, Writes};
pub use store::Memory;
#[cfg(feature = "sqlite")]
pub use store::Sqlite;
pub use token::Token;
#[cfg(feature = "tokens")]
pub use token::{Claims, KeyError, KeyRing, MIN_KEY_BYTES, TokenError};
/// Cancels a run from wherever a clone of it is held: [`Run::cancelled_by`].
pub use tokio_util::sync::CancellationToken;
pub use turn::Turn;
pub use usage::{Budget, Usage};

/// ```
/// use graphwright::prelude::*;
///
/// #[derive(Clone, Debug, Default, Serialize, Deserialize, State)]
/// struct Order {
///     #[state(append)]
///     notes: Vec<String>,
///     draft: Option<String>,
/// }
///
/// let mut order = Order::default();
/// let update: Update<Order> = Order::update().notes(["one"]).notes(["two"]).draft(None);
/// assert_eq!(serde_json::to_string(&update).unwrap(), r#"{"notes":{"add":["one","two"]},"draft":null}"#);
/// update.apply_to(&mut order);
/// assert_eq!(order.notes, ["one", "two"]);
/// ```
pub use graphwright_macros::State;

/// ```
/// use graphwright::prelude::*;
///
/// #[derive(Route)]
/// enum Next {
///     Again,
///     Done,
/// }
/// # let _ = (Next::Again, Next::Done);
/// ```
pub use graphwright_macros::Route;

/// ```
/// use graphwright::prelude::*;
///
/// #[derive(Clone, Debug, Default, Serialize, Deserialize, State)]
/// struct Order {
///     draft: Option<String>,
///     sent: bool,
/// }
///
/// /// Writes `draft`, and nothing else.
/// #[node(writes(draft))]
/// async fn draft(order: &Order) -> NodeResult<draft> {
///     if order.sent {
///         Err("it was sent already")?
///     }
///     Ok(Order::update().draft("Dear customer"))
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() {
/// let mut order = Order::default();
/// draft(&order).await.unwrap().apply_to(&mut order);
/// assert_eq!(order.draft.as_deref(), Some("Dear customer"));
/// # }
/// ```
pub use graphwright_macros::node;

/// ```
/// use graphwright::prelude::*;
///
/// #[derive(Clone, Debug, Default, Serialize, Deserialize, State)]
/// struct Order {
///     rounds: u32,
/// }
///
/// #[router]
/// fn enough(order: &Order, turn: &Turn) -> bool {
///     order.rounds > 3 || turn.steps() > 20
/// }
/// # let _ = enough;
/// ```
pub use graphwright_macros::router;
