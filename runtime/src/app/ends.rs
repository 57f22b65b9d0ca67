//! What ends from outside: the run that holds a thread, its turn, its past, and all of it.

use std::future::Future;

use super::{RunError, Thread};
use crate::engine::{self, StopWhy};
use crate::graph::Graph;
use crate::store::Seq;

impl<G: Graph> Thread<G> {
    /// Lets the run that holds the thread stop at its next commit, if it is one of this process; false if not. No body is
    /// cut: what runs comes to its commit, and nothing more begins. [`Thread::proceed`] goes on from there.
    ///
    /// ```
    /// # use graphwright::prelude::*;
    /// # #[derive(Clone, Debug, Default, Serialize, Deserialize, State)] struct Count { n: u32 }
    /// # #[node] async fn add(count: &Count) -> NodeResult<Count> { Ok(Count::update().n(count.n + 1)) }
    /// # graph! { #[graph(endless)] Counter(Count) { start -> add; add -> add; } }
    /// use graphwright::StopReason;
    /// # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), RunError> {
    /// let thread = Counter::app((), Memory::new()).thread("t");
    /// let run = thread.run(Count::update()).steps(u64::MAX).spawn();
    /// while !thread.drain().await? {
    ///     tokio::task::yield_now().await;
    /// }
    /// assert_eq!(run.await.unwrap()?.stopped().unwrap().reason, StopReason::Drained);
    /// # Ok(()) }
    /// ```
    ///
    /// Cancel safe: the run was told or was not.
    ///
    /// # Errors
    /// The store's, or [`RunError::OtherGraph`].
    pub fn drain(&self) -> impl Future<Output = Result<bool, RunError>> + Send + use<G> {
        let this = self.clone();
        async move {
            let held = this.head().await?.and_then(|loaded| loaded.head.run.zip(loaded.head.worker));
            Ok(held.is_some_and(|(run, worker)| engine::drain(worker, run)))
        }
    }

    /// Stops the run that holds the thread, in whatever process it is: in this one at its next wait, elsewhere at its next
    /// commit; false if none holds it. The turn is not over: a late
    /// answer or [`Thread::proceed`] goes on with it. [`Thread::abandon`] ends it.
    ///
    /// ```
    /// # use graphwright::prelude::*;
    /// # #[derive(Clone, Debug, Default, Serialize, Deserialize, State)] struct Count { n: u32 }
    /// # #[node] async fn add(count: &Count) -> NodeResult<Count> { Ok(Count::update().n(count.n + 1)) }
    /// # graph! { #[graph(endless)] Counter(Count) { start -> add; add -> add; } }
    /// use graphwright::StopReason;
    /// # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), RunError> {
    /// let thread = Counter::app((), Memory::new()).thread("t");
    /// let run = thread.run(Count::update()).steps(u64::MAX).spawn();
    /// while !thread.cancel().await? {
    ///     tokio::task::yield_now().await;
    /// }
    /// assert_eq!(run.await.unwrap()?.stopped().unwrap().reason, StopReason::Cancelled);
    /// # Ok(()) }
    /// ```
    ///
    /// Cancel safe: the run was told or was not.
    ///
    /// # Errors
    /// The store's, or [`RunError::OtherGraph`].
    pub fn cancel(&self) -> impl Future<Output = Result<bool, RunError>> + Send + use<G> {
        let this = self.clone();
        async move {
            let Some(loaded) = this.head().await? else { return Ok(false) };
            let (Some(run), Some(worker)) = (loaded.head.run, loaded.head.worker) else { return Ok(false) };
            if engine::cancel(worker, run) {
                return Ok(true);
            }
            engine::stop::<G>(this.desk(), &this.desk().key_of(loaded.uid), None, StopWhy::Cancelled).await
        }
    }

    /// Ends the turn as it stands: every open question and call is closed in the same commit, and a run that holds the
    /// thread is displaced. What was committed is kept, and the next turn goes on from it.
    ///
    /// ```
    /// # use graphwright::prelude::*;
    /// # #[derive(Clone, Debug, Default, Serialize, Deserialize, State)] struct Order { paid: bool }
    /// # struct Approve;
    /// # #[node] impl Interrupt<Order, ()> for Approve {
    /// #     type Question = String;
    /// #     type Answer = bool;
    /// #     async fn ask(_: &Order, _: &Context<()>) -> Result<Ask<Self>, NodeError> { Ok(Ask::question("Pay it?".to_owned())) }
    /// #     fn resume(_: &Order, _: &String, answer: Answer<bool>) -> NodeResult<Self> {
    /// #         Ok(Order::update().paid(matches!(answer, Answer::Accepted(true))))
    /// #     }
    /// # }
    /// # graph! { Shop(Order) { start -> approve -> end; approve: Approve; } }
    /// # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), RunError> {
    /// let thread = Shop::app((), Memory::new()).thread("order-7");
    /// let paused = thread.run(Order::update()).await?.paused().unwrap();
    /// thread.abandon().await?;
    /// let Question::<Shop>::approve(open) = &paused.questions[0];
    /// assert!(matches!(thread.answer(open.accept(true)).await, Err(RunError::Superseded)));
    /// assert!(thread.run(Order::update()).await?.paused().is_some(), "another turn may begin");
    /// # Ok(()) }
    /// ```
    ///
    /// Cancel safe: the commit was made or was not; a run that lives in this process is only told when this is waited for.
    ///
    /// # Errors
    /// The store's, or [`RunError::NoThread`].
    pub fn abandon(&self) -> impl Future<Output = Result<(), RunError>> + Send + use<G> {
        let this = self.clone();
        async move {
            let desk = this.desk();
            if let (Some(run), Some(worker)) = engine::abandon::<G>(desk, &desk.key(this.name()?)).await? {
                engine::cancel(worker, run);
            }
            Ok(())
        }
    }

    /// Deletes the thread and all that is known of it; false if there was none. A run that holds it is displaced. Its name is
    /// free: a turn under it begins another thread, which no answer and no token of this one reaches.
    ///
    /// ```
    /// # use graphwright::prelude::*;
    /// # #[derive(Clone, Debug, Default, Serialize, Deserialize, State)] struct Count { n: u32 }
    /// # #[node] async fn add(count: &Count) -> NodeResult<Count> { Ok(Count::update().n(count.n + 1)) }
    /// # graph! { Counter(Count) { start -> add -> end; } }
    /// # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), RunError> {
    /// let thread = Counter::app((), Memory::new()).thread("t");
    /// thread.run(Count::update()).await?;
    /// assert!(thread.delete().await?);
    /// assert!(thread.state().await?.is_none());
    /// assert!(!thread.delete().await?, "there is nothing left to delete");
    /// # Ok(()) }
    /// ```
    ///
    /// Cancel safe: it was deleted or was not.
    ///
    /// # Errors
    /// The store's, or [`RunError::OtherGraph`].
    pub fn delete(&self) -> impl Future<Output = Result<bool, RunError>> + Send + use<G> {
        let this = self.clone();
        async move {
            let desk = this.desk();
            let loaded = this.head().await?;
            let deleted = desk.store.delete(&desk.key(this.name()?)).await?;
            if let Some((Some(run), Some(worker))) = loaded.map(|loaded| (loaded.head.run, loaded.head.worker)) {
                engine::cancel(worker, run);
            }
            Ok(deleted)
        }
    }

    /// Forgets the rows below the newest snapshot at or below `below`, and closed questions past their time; gives the
    /// number of rows. The state, what is open, and a run that holds the thread are not disturbed. Rows of the last minute stay:
    /// they tell a run whose reply was lost what became of its commit. [`App::retention`](super::App::retention) does this to
    /// all threads.
    ///
    /// ```
    /// # use graphwright::prelude::*;
    /// # #[derive(Clone, Debug, Default, Serialize, Deserialize, State)] struct Count { n: u32 }
    /// # #[node] async fn add(count: &Count) -> NodeResult<Count> { Ok(Count::update().n(count.n + 1)) }
    /// # graph! { Counter(Count) { start -> add -> end; } }
    /// # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), RunError> {
    /// let thread = Counter::app((), Memory::new()).thread("t");
    /// thread.run(Count::update()).await?;
    /// assert_eq!(thread.prune(u64::MAX).await?, 0, "all of it is younger than a minute");
    /// assert_eq!(thread.state().await?.unwrap().n, 1);
    /// # Ok(()) }
    /// ```
    ///
    /// Cancel safe: they are forgotten or are not.
    ///
    /// # Errors
    /// The store's, or [`RunError::OtherGraph`].
    pub fn prune(&self, below: Seq) -> impl Future<Output = Result<u64, RunError>> + Send + use<G> {
        let this = self.clone();
        async move {
            let desk = this.desk();
            this.head().await?;
            Ok(desk.store.prune(&desk.key(this.name()?), below).await?)
        }
    }
}
