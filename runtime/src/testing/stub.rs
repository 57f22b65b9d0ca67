//! Nodes whose bodies a test gives.

use std::any::{Any, TypeId};
use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use super::TestApp;
use crate::context::Context;
use crate::error::NodeError;
use crate::graph::Graph;
use crate::node::{IntoStep, Node, Step};
use crate::state::State;

/// What a node that is `N` came to, in a graph over `S` and `D`.
type Came<S, D, N, I> = Result<Step<<S as State>::Patch, <<N as Node<S, D, I>>::Ret as IntoStep<S, N>>::Choice>, NodeError>;

/// A body, whatever the item is.
type Body<S, D, R> = Box<dyn Fn(&S, &dyn Any, &Context<D>) -> Option<R> + Send + Sync>;

/// One for a place of `G` where `N` stands.
type BodyIn<G, N, I> = Body<<G as Graph>::State, <G as Graph>::Deps, Came<<G as Graph>::State, <G as Graph>::Deps, N, I>>;

/// The bodies of an app, by node, state, dependencies and item: one for no item stands for every item that has none of its own.
#[derive(Clone, Default)]
pub(crate) struct Stubs(Arc<HashMap<TypeId, Arc<dyn Any + Send + Sync>>>);

impl Stubs {
    fn put<S: State, D: 'static, N: Node<S, D, I>, I: 'static>(
        &mut self,
        body: impl Fn(&S, &dyn Any, &Context<D>) -> Option<N::Ret> + Send + Sync + 'static,
    ) {
        let body: Body<S, D, Came<S, D, N, I>> = Box::new(move |state, item, cx| body(state, item, cx).map(IntoStep::into_step));
        Arc::make_mut(&mut self.0).insert(TypeId::of::<fn(N, S, D, I)>(), Arc::new(body));
    }

    /// What stands in the place of a node's body, if anything does.
    pub(crate) fn run<G: Graph, N: Node<G::State, G::Deps, I>, I: 'static>(
        &self,
        state: &G::State,
        item: &I,
        cx: &Context<G::Deps>,
    ) -> Option<Came<G::State, G::Deps, N, I>> {
        if self.0.is_empty() {
            return None;
        }
        let of_item = self.0.get(&TypeId::of::<fn(N, G::State, G::Deps, I)>());
        let body = of_item.or_else(|| self.0.get(&TypeId::of::<fn(N, G::State, G::Deps, ())>()))?;
        let body: &BodyIn<G, N, I> = body.downcast_ref()?;
        body(state, item, cx)
    }
}

impl fmt::Debug for Stubs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Stubs").field(&self.0.len()).finish()
    }
}

impl<G: Graph> TestApp<G> {
    /// Runs this in the place of the body of the node `N`, wherever it stands in the graph, and however often: an update, an
    /// error, or what is made of the state. What is around it is as ever: policies, ways, commits, events.
    ///
    /// An interrupt needs none: answer it.
    ///
    /// ```
    /// # use graphwright::prelude::*;
    /// # #[derive(Clone, Debug, Default, Serialize, Deserialize, State)] struct Mail { text: String, sent: bool }
    /// #[node]
    /// async fn draft(_: &Mail) -> NodeResult<Mail> {
    ///     Err(NodeError::fatal("here it asks a model, and a test has none"))
    /// }
    /// # #[node] async fn send(_: &Mail) -> NodeResult<Mail> { Ok(Mail::update().sent(true)) }
    /// # #[node] fn give_up(_: &Mail) {}
    /// # graph! { Writer(Mail) { start -> draft -> send -> end; draft -> give_up on error; give_up -> end failed; } }
    /// use graphwright::testing::TestApp;
    ///
    /// # #[tokio::main(flavor = "current_thread", start_paused = true)] async fn main() -> Result<(), RunError> {
    /// let app = TestApp::<Writer>::new(()).stub::<draft>(|_, _| Ok(Mail::update().text("Dear Ana")));
    /// assert!(app.thread("t").run(Mail::update()).await?.completed().unwrap().output.sent);
    ///
    /// let app = TestApp::<Writer>::new(()).stub::<draft>(|_, _| Err(NodeError::fatal("no words")));
    /// let done = app.thread("t").run(Mail::update()).await?.completed().unwrap();
    /// assert_eq!(format!("{:?}", done.exit), "failed");
    /// # Ok(()) }
    /// ```
    #[must_use]
    pub fn stub<N: Node<G::State, G::Deps>>(self, body: impl Fn(&G::State, &Context<G::Deps>) -> N::Ret + Send + Sync + 'static) -> Self {
        self.stubbed(|stubs| stubs.put::<G::State, G::Deps, N, ()>(move |state, _, cx| Some(body(state, cx))))
    }

    /// The same for a node of the graph `M`, which is mounted in this one at any depth, or for one that takes an item of the
    /// type `I`: `app.stub_in::<Research, look_up, Topic>(|study, topic, cx| ..)`. Where a node takes none, `I` is `()`; that
    /// stands for every item for which no other body was given.
    #[must_use]
    pub fn stub_in<M: Graph, N: Node<M::State, M::Deps, I>, I: 'static>(
        self,
        body: impl Fn(&M::State, &I, &Context<M::Deps>) -> N::Ret + Send + Sync + 'static,
    ) -> Self {
        // One for no item is given none, whatever there is.
        let of_item = move |state: &M::State, item: &dyn Any, cx: &Context<M::Deps>| {
            let none: &dyn Any = &();
            let item = item.downcast_ref().or_else(|| none.downcast_ref())?;
            Some(body(state, item, cx))
        };
        self.stubbed(|stubs| stubs.put::<M::State, M::Deps, N, I>(of_item))
    }

    fn stubbed(self, put: impl FnOnce(&mut Stubs)) -> Self {
        self.with(|app| app.stubs(put))
    }
}
