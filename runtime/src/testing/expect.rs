//! Open questions, by the type of the interrupt that asks them.

use std::future::Future;
use std::panic::Location;

use crate::app::Thread;
use crate::engine::load;
use crate::graph::Graph;
use crate::interrupt::{Asks, Open, OpenRecord};
use crate::topology::Topology;

impl<G: Graph> Thread<G> {
    /// The question of `N` that is open on the thread: for a test, with the feature `testing`.
    ///
    /// ```
    /// # use graphwright::prelude::*;
    /// # #[derive(Clone, Debug, Default, Serialize, Deserialize, State)] struct Refund { cents: u64, paid: bool }
    /// # #[derive(Debug)] struct Approve;
    /// # #[node] impl Interrupt<Refund, ()> for Approve {
    /// #     type Question = u64;
    /// #     type Answer = bool;
    /// #     async fn ask(refund: &Refund, _: &Context<()>) -> Result<Ask<Self>, NodeError> { Ok(Ask::question(refund.cents)) }
    /// #     fn resume(_: &Refund, _: &u64, answer: Answer<bool>) -> NodeResult<Self> { Ok(Refund::update().paid(matches!(answer, Answer::Accepted(true)))) }
    /// # }
    /// # graph! { Refunds(Refund) { start -> approve -> end; approve: Approve; } }
    /// use graphwright::testing::TestApp;
    ///
    /// # #[tokio::main(flavor = "current_thread", start_paused = true)] async fn main() -> Result<(), RunError> {
    /// let thread = TestApp::<Refunds>::new(()).thread("t");
    /// let _paused = thread.run(Refund::update().cents(4_200)).await?;
    /// let open = thread.expect_paused::<Approve>().await;
    /// assert_eq!(open.question, 4_200);
    /// assert!(thread.resume(open.accept(true)).await?.completed().unwrap().output.paid);
    /// # Ok(()) }
    /// ```
    ///
    /// # Panics
    /// If none is open, or several; it says what the thread does instead.
    #[track_caller]
    pub fn expect_paused<N: Asks>(&self) -> impl Future<Output = Open<N>> + Send + use<G, N> {
        let (this, caller) = (self.clone(), Location::caller());
        async move {
            let mut open = this.clone().open::<N>().await;
            match (open.pop(), open.len()) {
                (Some(open), 0) => open,
                (one, more) => {
                    let found = usize::from(one.is_some()) + more;
                    let instead = this.explain().await.map_or_else(|error| error.to_string(), |why| why.to_string());
                    failed(caller, &format!("one question of `{}` was to be open, and there are {found}:\n{instead}", N::NAME))
                }
            }
        }
    }

    /// The questions of `N` that are open on the thread, in the order in which their branches are joined: for a test, with
    /// the feature `testing`.
    ///
    /// # Panics
    /// If the thread cannot be read.
    #[track_caller]
    pub fn expect_all_paused<N: Asks>(&self) -> impl Future<Output = Vec<Open<N>>> + Send + use<G, N> {
        self.clone().open::<N>()
    }

    #[track_caller]
    fn open<N: Asks>(self) -> impl Future<Output = Vec<Open<N>>> + Send + use<G, N> {
        let caller = Location::caller();
        async move {
            let read = async {
                let desk = self.desk();
                Ok::<_, crate::RunError>(load::<G>(desk, &desk.key(self.name()?)).await?.image.open())
            };
            let records = match read.await {
                Ok(records) => records,
                Err(error) => failed(caller, &error.to_string()),
            };
            let of_this = records.into_iter().filter(|record| asks::<N>(G::TOPOLOGY, record));
            let typed = of_this.map(|record| match Open::new(record) {
                Ok(open) => open,
                Err(refused) => failed(caller, &format!("the question of `{}` is not of its type: {refused:?}", N::NAME)),
            });
            typed.collect()
        }
    }
}

/// Whether it is this interrupt that asks.
fn asks<N: Asks>(root: &'static Topology, record: &OpenRecord) -> bool {
    let mounted = |graph: &'static Topology, place: &String| graph.place(place)?.graph;
    let graph = record.within.iter().try_fold(root, mounted);
    let place = graph.and_then(|graph| graph.place(&record.place));
    place.is_some_and(|place| (place.node, place.file, place.line) == (N::NAME, N::FILE, N::LINE))
}

/// A test ends here. That it does so where it was called cannot be had of an `async` function.
#[allow(clippy::panic, reason = "it is an assertion of a test")]
pub(super) fn failed(caller: &Location<'_>, what: &str) -> ! {
    panic!("{caller}: {what}")
}
