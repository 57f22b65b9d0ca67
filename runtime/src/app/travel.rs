//! A thread as it was, and as it might be: a state at a row, a fork from there, a change from outside.

use std::fmt;
use std::future::{Future, IntoFuture};
use std::pin::Pin;

use super::{RunError, Thread};
use crate::engine::{self, Edit, load_past};
use crate::graph::{Graph, Patch};
use crate::id::ThreadId;
use crate::state::{Anything, State};
use crate::store::Seq;

/// A change of the state from outside, to be awaited.
#[must_use = "nothing is changed until this is awaited"]
pub struct Editing<G: Graph> {
    thread: Thread<G>,
    edit: Edit<G>,
}

impl<G: Graph> Thread<G> {
    /// The state as it was committed at a row: what [`Thread::history`] calls its number. In open branches it is the state
    /// at the fork, which each branch began with.
    ///
    /// ```
    /// # use graphwright::prelude::*;
    /// # #[derive(Clone, Debug, Default, Serialize, Deserialize, State)] struct Count { n: u32 }
    /// # #[node] async fn add(count: &Count) -> NodeResult<Count> { Ok(Count::update().n(count.n + 1)) }
    /// # #[router] fn enough(count: &Count) -> bool { count.n >= 3 }
    /// # graph! { Counter(Count) { start -> add; add -> end if enough; add -> add; } }
    /// # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), RunError> {
    /// let thread = Counter::app((), Memory::new()).thread("t");
    /// thread.run(Count::update()).await?;
    /// assert_eq!(thread.state_at(3).await?.n, 2, "row 1 is the input");
    /// # Ok(()) }
    /// ```
    ///
    /// Cancel safe: it only reads.
    ///
    /// # Errors
    /// [`RunError::NoRow`] if that row is not kept; the store's, or [`RunError::NoThread`].
    pub fn state_at(&self, seq: Seq) -> impl Future<Output = Result<G::State, RunError>> + Send + use<G> {
        let this = self.clone();
        async move {
            let desk = this.desk();
            let (_, image) = load_past::<G>(desk, &desk.key(this.name()?), seq).await?;
            Ok(image.root.view.into_inner())
        }
    }

    /// A new thread that begins as this one was at a row, branches and all. It is stopped there, and goes on with
    /// [`Thread::proceed`]; questions that were open are open in it, too, with tokens of their own and the time that was
    /// left. Whatever becomes of one of the two, the other is not touched.
    ///
    /// ```
    /// # use graphwright::prelude::*;
    /// # #[derive(Clone, Debug, Default, Serialize, Deserialize, State)] struct Count { n: u32 }
    /// # #[node] async fn add(count: &Count) -> NodeResult<Count> { Ok(Count::update().n(count.n + 1)) }
    /// # #[router] fn enough(count: &Count) -> bool { count.n >= 3 }
    /// # graph! { Counter(Count) { start -> add; add -> end if enough; add -> add; } }
    /// # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), RunError> {
    /// let thread = Counter::app((), Memory::new()).thread("t");
    /// thread.run(Count::update()).await?;
    /// let other = thread.fork(2, "what-if").await?;
    /// assert_eq!(other.state().await?.unwrap().n, 1);
    /// assert_eq!(other.proceed().await?.completed().unwrap().output.n, 3);
    /// # Ok(()) }
    /// ```
    ///
    /// Cancel safe: the commit was made or was not.
    ///
    /// # Errors
    /// [`RunError::Exists`] if there is a thread of that name, [`RunError::NoRow`] if the row is not kept,
    /// [`RunError::GraphChanged`] if the thread stood where the graph has nothing any more, [`RunError::ScopeUnknown`] if it was
    /// found in another scope; the store's.
    pub fn fork<T: Into<String>>(&self, seq: Seq, to: T) -> impl Future<Output = Result<Self, RunError>> + Send + use<G, T> {
        let (this, to) = (self.clone(), ThreadId::new(to));
        async move {
            let desk = this.desk();
            let to = to?;
            engine::fork::<G>(desk, &desk.key(this.name()?), seq, &to).await?;
            Ok(this.app().thread(to.as_str()))
        }
    }

    /// Changes the state as if `place` had done it: one commit, seen in the history, behind which the thread stands where
    /// that place's way leads, and is stopped there. Whatever was open is closed: an approval dies with the state that was
    /// approved. Awaited, it gives the row's number.
    ///
    /// ```
    /// # use graphwright::prelude::*;
    /// # #[derive(Clone, Debug, Default, Serialize, Deserialize, State)] struct Count { n: u32 }
    /// # #[node] async fn add(count: &Count) -> NodeResult<Count> { Ok(Count::update().n(count.n + 1)) }
    /// # #[router] fn enough(count: &Count) -> bool { count.n >= 3 }
    /// # graph! { Counter(Count) { start -> add; add -> end if enough; add -> add; } }
    /// use graphwright::Place;
    /// type P = Place<Counter>;
    /// # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), RunError> {
    /// let thread = Counter::app((), Memory::new()).thread("t");
    /// thread.run(Count::update()).await?;
    /// thread.update_state(P::add, Count::update().n(1)).await?;
    /// assert_eq!(thread.proceed().await?.completed().unwrap().output.n, 3, "`enough` was asked, and did not hold");
    /// # Ok(()) }
    /// ```
    ///
    /// Cancel safe: the commit was made or was not.
    ///
    /// # Errors
    /// [`RunError::Busy`] while a run holds the thread, [`RunError::ForkOpen`] while branches are open,
    /// [`RunError::NoWay`] if no way leads on, or the place chooses its way and [`Editing::choosing`] did not say which.
    pub fn update_state(&self, place: G::At, update: <G::State as State>::Update<Anything>) -> Editing<G> {
        let update: Patch<G> = G::State::widen(update);
        Editing { thread: self.clone(), edit: Edit { at: place, chose: None, update } }
    }
}

impl<G: Graph> Editing<G> {
    /// What the place chose, where a `match` without a router follows it: the label of an arm, or the exit of a mounted graph.
    pub fn choosing(mut self, arm: impl Into<String>) -> Self {
        self.edit.chose = Some(arm.into());
        self
    }
}

impl<G: Graph> IntoFuture for Editing<G> {
    type Output = Result<Seq, RunError>;
    type IntoFuture = Pin<Box<dyn Future<Output = Self::Output> + Send>>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(async move {
            let desk = self.thread.desk();
            engine::edit(desk, &desk.key(self.thread.name()?), &self.edit).await
        })
    }
}

// What is in the update is private.
impl<G: Graph> fmt::Debug for Editing<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Editing").field("thread", &self.thread.id()).field("place", &self.edit.at).finish_non_exhaustive()
    }
}
