//! Agents as graphs that the compiler checks.

// Generated code names `::graphwright`, also in this crate.
extern crate self as graphwright;

#[doc(hidden)]
#[path = "private.rs"]
pub mod __private;
#[cfg(feature = "agent")]
pub mod agent;
mod app;
#[doc(hidden)]
pub mod check;
mod clock;
mod context;
mod contract;
mod digest;
mod engine;
mod error;
mod graph;
mod id;
mod interrupt;
mod macros;
mod node;
mod observe;
pub mod prelude;
mod route;
mod state;
pub mod store;
mod token;
pub mod topology;
mod turn;

pub use app::{
    Answered, AnsweredNext, App, Completed, Events, Failure, GraphExt, Inbox, IntoAnswers, OnBusy, OnPaused, Outcome, Paused, Pending, Run,
    RunError, RunsBare, StopReason, Stopped, Swept, Thread, Waiting,
};
#[cfg(feature = "tokens")]
pub use app::{AnyAnswer, Redeemed};
pub use clock::{Clock, CountingIds, IdGen, ManualClock, RandomIds, SystemClock, Timestamp};
pub use context::Context;
pub use engine::CodecError;
pub use error::{BadAnswer, BoxError, Class, NodeError};
pub use graph::{Exit, Flag, Graph, Question};
#[cfg(feature = "agent")]
pub use graphwright_macros::tool;
pub use id::{CommitId, IdError, MAX_ID_BYTES, QuestionId, RunId, Scope, ScopeHash, ThreadId, TurnId, WorkerId};
pub use interrupt::{Answer, Ask, Asks, Given, Interrupt, Open, OpenRecord, TypedAnswer};
pub use node::{Node, NodeMeta};
pub use observe::{Event, EventKind, Mark, Observer, Span, Usage};
pub use route::{AnswerKind, Guard, Route, Router, RouterMeta};
pub use state::{Anything, Closing, FieldInfo, FieldSet, Ingest, IntoOption, Kind, NodeResult, Reducer, Returns, State, Update, Writes};
pub use store::Memory;
#[cfg(feature = "sqlite")]
pub use store::Sqlite;
pub use token::Token;
#[cfg(feature = "tokens")]
pub use token::{Claims, KeyError, KeyRing, MIN_KEY_BYTES, TokenError};
pub use turn::Turn;

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
