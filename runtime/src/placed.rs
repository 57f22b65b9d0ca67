//! What is done at a place, whichever it is: checked here, once, and not at each place of each graph.
//!
//! `graph!` writes one call for a place. What it used to write for it, an awaited future and a `match` on what that gave, is
//! the dearest that it can ask of the compiler.

// That a future is `Send` is written, and so asked once, here, and not at each place.
#![allow(clippy::manual_async_fn)]

use std::future::Future;

use crate::context::Context;
use crate::error::NodeError;
use crate::graph::{Graph, Notified, Out, Patch};
use crate::node::{IntoStep, Node, NodeMeta, Refused, Step};
use crate::state::State;
use crate::token::Token;

/// What a node chose beside its update.
type Choice<G, N, I> = <<N as Node<<G as Graph>::State, <G as Graph>::Deps, I>>::Ret as IntoStep<<G as Graph>::State, N>>::Choice;

/// What a node came to.
type Came<G, N, I> = Result<Step<Patch<G>, Choice<G, N, I>>, NodeError>;

/// Runs a node that chooses no way.
pub fn step<'a, G: Graph, N: Node<G::State, G::Deps, I>, I: Sync + 'static>(
    state: &'a G::State,
    item: &'a I,
    cx: &'a Context<G::Deps>,
) -> impl Future<Output = Out<G>> + Send + 'a {
    step_by::<G, N, I>(state, item, cx, |_| 0)
}

/// Runs a node whose choice is one of the arms behind it.
pub fn step_by<'a, G: Graph, N: Node<G::State, G::Deps, I>, I: Sync + 'static>(
    state: &'a G::State,
    item: &'a I,
    cx: &'a Context<G::Deps>,
    arm: fn(&Choice<G, N, I>) -> u16,
) -> impl Future<Output = Out<G>> + Send + 'a {
    async move {
        #[cfg(feature = "testing")]
        if let Some(stubbed) = cx.info().stubs.run::<G, N, I>(state, item, cx) {
            return out::<G, N, I>(stubbed, arm);
        }
        // Called in here, and not before: a future that is made outside and moved in is as large twice.
        out::<G, N, I>(N::run(state, item, cx).await.into_step(), arm)
    }
}

fn out<G: Graph, N: Node<G::State, G::Deps, I>, I>(came: Came<G, N, I>, arm: fn(&Choice<G, N, I>) -> u16) -> Out<G> {
    match came {
        Ok(Step::Done(patch, choice)) => Out::Done(patch, arm(&choice)),
        Ok(Step::Ask(asking)) => Out::Ask(asking),
        Err(error) => Out::Failed(error),
    }
}

/// Runs one of eight nodes that choose no way, and stand in no `each`.
pub fn one_of<'a, G: Graph, N0, N1, N2, N3, N4, N5, N6, N7>(
    number: usize,
    state: &'a G::State,
    cx: &'a Context<G::Deps>,
) -> impl Future<Output = Out<G>> + Send + 'a
where
    N0: Node<G::State, G::Deps>,
    N1: Node<G::State, G::Deps>,
    N2: Node<G::State, G::Deps>,
    N3: Node<G::State, G::Deps>,
    N4: Node<G::State, G::Deps>,
    N5: Node<G::State, G::Deps>,
    N6: Node<G::State, G::Deps>,
    N7: Node<G::State, G::Deps>,
{
    async move {
        match number {
            0 => step::<G, N0, ()>(state, &(), cx).await,
            1 => step::<G, N1, ()>(state, &(), cx).await,
            2 => step::<G, N2, ()>(state, &(), cx).await,
            3 => step::<G, N3, ()>(state, &(), cx).await,
            4 => step::<G, N4, ()>(state, &(), cx).await,
            5 => step::<G, N5, ()>(state, &(), cx).await,
            6 => step::<G, N6, ()>(state, &(), cx).await,
            _ => step::<G, N7, ()>(state, &(), cx).await,
        }
    }
}

/// What stands among eight where there are fewer.
#[derive(Debug)]
pub struct Vacant;

impl NodeMeta for Vacant {
    const NAME: &'static str = "";
}

impl<S: State, D> Node<S, D> for Vacant {
    type Ret = ();
    type Open = std::convert::Infallible;

    fn run(_: &S, (): &(), _: &Context<D>) -> impl Future<Output = ()> + Send {
        std::future::ready(())
    }
}

/// Takes an answer in for a place that chooses no way.
///
/// # Errors
/// What is wrong with the answer.
pub fn resumed<G: Graph, N: Node<G::State, G::Deps, I>, I>(
    state: &G::State,
    item: &I,
    asked: &serde_json::Value,
    answer: &serde_json::Value,
) -> Result<(Patch<G>, u16), Refused> {
    resumed_by::<G, N, I>(state, item, asked, answer, |_| 0)
}

/// Takes an answer in, which is one of the arms behind the place.
///
/// # Errors
/// What is wrong with the answer.
pub fn resumed_by<G: Graph, N: Node<G::State, G::Deps, I>, I>(
    state: &G::State,
    item: &I,
    asked: &serde_json::Value,
    answer: &serde_json::Value,
    arm: fn(&Choice<G, N, I>) -> u16,
) -> Result<(Patch<G>, u16), Refused> {
    N::resume(state, item, asked, answer).map(|(patch, choice)| (patch, arm(&choice)))
}

/// Tells the outside world of a node's question.
pub fn notified<'a, G: Graph, N: Node<G::State, G::Deps, I>, I: Sync>(
    state: &'a G::State,
    item: &'a I,
    asked: &'a serde_json::Value,
    token: &'a Token,
    cx: &'a Context<G::Deps>,
) -> Notified<'a> {
    Box::pin(N::notify(state, item, asked, token, cx))
}

/// Where nothing asks, there is nothing to tell.
#[must_use]
pub fn silent<'a>() -> Notified<'a> {
    Box::pin(std::future::ready(Ok(())))
}

/// What comes of running a place where no node stands, or without what it works on. The driver does neither.
#[must_use]
pub fn misplaced<G: Graph>() -> Out<G> {
    Out::Failed(NodeError::fatal("nothing can run at this place"))
}
