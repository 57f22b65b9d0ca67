//! For tests of graphs: feature `testing`, to be asked for under `[dev-dependencies]`.
//!
//! A node is a function: call it, with [`Context::test`](crate::Context::test) where it wants one, and see what
//! `update.apply_to(state)` makes of the state. A router is one, too:
//! [`Turn::test`](crate::Turn::test). This module is for what is between them: a [`TestApp`] runs a graph with a store, ids
//! and a clock of its own, and [bodies that the test gives](TestApp::stub) in the place of a node's; [`Thread::expect_paused`](crate::Thread::expect_paused) gives an open question, typed;
//! a [`Listener`] keeps what runs tell; a [`Recording`] is a thread as a file, and what this build would do
//! with it; [`Coverage`] are the ways that your tests took.
//!
//! ```
//! # use graphwright::prelude::*;
//! # #[derive(Clone, Debug, Default, Serialize, Deserialize, State)] struct Count { n: u32 }
//! # #[node] async fn add(count: &Count) -> NodeResult<Count> { Ok(Count::update().n(count.n + 1)) }
//! # #[router] fn enough(count: &Count) -> bool { count.n >= 3 }
//! # graph! { Counter(Count) { start -> add; add -> end if enough; add -> add; } }
//! use graphwright::testing::TestApp;
//!
//! # #[tokio::main(flavor = "current_thread", start_paused = true)] async fn main() -> Result<(), RunError> {
//! let app = TestApp::<Counter>::new(());
//! app.thread("t").run(Count::update()).await?;
//! assert_eq!(app.heard().ways(), ["add -> add", "add -> add", "add -> end"]);
//! # Ok(()) }
//! ```

mod app;
mod coverage;
mod expect;
mod listener;
mod recording;
mod stub;

pub use app::{COVERAGE, TestApp, TestClock};
pub use coverage::{Coverage, Untaken};
pub use listener::Listener;
pub use recording::{Divergence, Diverges, Recording, RecordingError};
pub(crate) use stub::Stubs;

#[cfg(feature = "agent")]
pub use crate::agent::Scripted;
pub use crate::clock::{CountingIds, ManualClock};
