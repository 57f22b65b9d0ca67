//! What `graph!` makes: data, and two functions.

use std::any::Any;
use std::fmt::Debug;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::context::Context;
use crate::error::NodeError;
use crate::interrupt::OpenRecord;
use crate::item::Item;
use crate::mount::MountVisitor;
use crate::node::{Asking, NodeMeta, Refused};
use crate::policy::Policy;
use crate::state::State;
use crate::token::Token;
use crate::topology::Topology;
use crate::turn::Turn;

/// A graph: places, ways, one state, one dependencies type. Written by `graph!`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a graph",
    label = "not a graph",
    note = "graphs are made by `graph! {{ pub {Self}(State, Deps) {{ .. }} }}`"
)]
pub trait Graph: NodeMeta + Sized + Send + Sync + 'static {
    /// What it works on.
    type State: State;
    /// What its nodes are given.
    type Deps: Send + Sync + 'static;
    /// A position: one variant per place.
    type At: Copy + Eq + Debug + Send + Sync + 'static;
    /// What a branch of an `each` works on: one variant per `each`; `()` where there is none.
    type Item: Item;
    /// What a turn takes in.
    type Input: Into<<Self::State as State>::Patch>;
    /// What a turn gives.
    type Output: Send + 'static;
    /// What a turn can be begun with beside its input: `#[graph(settings = ..)]`.
    type Settings: Serialize + DeserializeOwned + Send + Sync + 'static;
    /// How it ended: one variant per `end`.
    type Exit: Copy + Eq + Debug + Send + Sync + 'static;
    /// The questions it can ask: one variant per place, impossible for places that do not.
    type Question: Send + 'static;
    /// `Flag<true>` if a run of it can pause.
    type Pauses;

    /// The graph as data.
    const TOPOLOGY: &'static Topology;

    /// The place's number in [`Topology::places`].
    fn index(at: Self::At) -> usize;
    /// The place by its number.
    fn at(index: usize) -> Option<Self::At>;
    /// The exit by its number in [`Topology::exits`].
    fn exit(index: u16) -> Option<Self::Exit>;
    /// The output out of the last state.
    fn output(state: Self::State) -> Self::Output;

    /// Where a turn begins.
    fn start(state: &Self::State, turn: &Turn) -> Next<Self::At>;
    /// Runs one place, its future in line. A mounted graph is no place that runs: see [`Graph::mount`].
    fn run_place(at: Self::At, state: &Self::State, item: &Self::Item, cx: &Context<Self::Deps>) -> impl Future<Output = Out<Self>> + Send;
    /// Runs one place beside others: its future in a box of its own size, not of the largest place's.
    fn run_boxed(at: Self::At, state: Arc<Self::State>, item: Self::Item, cx: Context<Self::Deps>) -> Body {
        Box::pin(async move { Self::run_place(at, &state, &item, &cx).await.into() })
    }
    /// Where to go from a place. Pure. `arm` is what the place chose, by the arm's number.
    fn next(at: Self::At, arm: u16, state: &Self::State, turn: &Turn) -> Next<Self::At>;
    /// Where to go when the place failed, if it has a way `on error`.
    fn on_error(_at: Self::At) -> Option<Next<Self::At>> {
        None
    }
    /// Where to go when the place's question expired, if it has a way `on expiry`.
    fn on_expiry(_at: Self::At) -> Option<Next<Self::At>> {
        None
    }
    /// The branches of a fork, in the order in which they are joined. Pure. `item` is what the branch around it works on.
    fn branches(_fork: u16, _state: &Self::State, _item: &Self::Item, _turn: &Turn) -> Vec<Branch<Self>> {
        Vec::new()
    }
    /// Where to go from a join. Pure.
    fn joined(_fork: u16, _state: &Self::State, _turn: &Turn) -> Next<Self::At> {
        Next { to: To::Never, way: u16::MAX, budget: None }
    }
    /// Shows the visitor the graph that is mounted at a place; nothing if a node stands there.
    fn mount<V: MountVisitor<Self>>(_at: Self::At, _item: &Self::Item, _visitor: V) -> Option<V::Out> {
        None
    }
    /// The policies of a place.
    fn policy(_at: Self::At) -> &'static Policy {
        &Policy::NONE
    }
    /// What a place with `cache(key, ..)` was asked for: the same key within the time gives the same update, without running it.
    fn cache_key(_at: Self::At, _state: &Self::State, _turn: &Turn) -> Option<String> {
        None
    }
    /// The most branches of a fork that run at once; zero if all may.
    fn at_once(_fork: u16) -> u32 {
        0
    }
    /// Takes an answer in.
    ///
    /// # Errors
    /// What is wrong with the answer.
    fn resume(
        at: Self::At,
        state: &Self::State,
        item: &Self::Item,
        asked: &serde_json::Value,
        answer: &serde_json::Value,
    ) -> Result<(Patch<Self>, u16), Refused>;
    /// Tells the outside world that a question is open. In a box: it is rare, and of few places.
    fn notify<'a>(
        at: Self::At,
        state: &'a Self::State,
        item: &'a Self::Item,
        asked: &'a serde_json::Value,
        token: &'a Token,
        cx: &'a Context<Self::Deps>,
    ) -> Notified<'a>;
    /// The typed question out of the stored one. Of a question of a mounted graph `at` is the place where that is mounted.
    ///
    /// # Errors
    /// The stored question is not one of this graph.
    fn question(at: Self::At, record: OpenRecord) -> Result<Self::Question, Refused>;
}

/// The stored update of a graph's state.
pub(crate) type Patch<G> = <<G as Graph>::State as State>::Patch;

/// The questions that `G` can ask: `match` on it by value, and a front end that forgets one does not compile.
///
/// Name it first: `type Q = Question<SupportAgent>;`.
pub type Question<G> = <G as Graph>::Question;

/// The places of `G`, by the names that they have in it.
///
/// Name it first: `type P = Place<SupportAgent>;`, then `P::react` is one that the compiler knows.
pub type Place<G> = <G as Graph>::At;

/// How `G` can end.
pub type Exit<G> = <G as Graph>::Exit;

/// What telling the outside world comes to.
pub type Notified<'a> = Pin<Box<dyn Future<Output = Result<(), NodeError>> + Send + 'a>>;

/// What running a place came to.
#[derive(Debug)]
pub enum Out<G: Graph> {
    /// Done: the update, and the arm that the place chose.
    Done(Patch<G>, u16),
    /// It asks.
    Ask(Asking),
    /// It failed.
    Failed(NodeError),
}

/// A place that runs beside others, whatever its graph.
pub type Body = Pin<Box<dyn Future<Output = Came> + Send>>;

/// What such a place came to.
#[derive(Debug)]
pub enum Came {
    /// Done: the update, and the arm that the place chose.
    Update(Box<dyn Any + Send>, u16),
    /// It asks.
    Asks(Asking),
    /// It failed.
    Failed(NodeError),
    /// The time has come to try it again.
    Due,
}

impl<G: Graph> From<Out<G>> for Came {
    fn from(out: Out<G>) -> Self {
        match out {
            Out::Done(patch, arm) => Self::Update(Box::new(patch), arm),
            Out::Ask(asking) => Self::Asks(asking),
            Out::Failed(error) => Self::Failed(error),
        }
    }
}

/// Where a place leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Next<At> {
    /// Where to.
    pub to: To<At>,
    /// The way taken: its number in [`Topology::ways`].
    pub way: u16,
    /// The budget that the way uses up, if it has one: the number of the way that it stands on.
    pub budget: Option<u16>,
}

/// One branch of a fork.
#[derive(Debug)]
pub struct Branch<G: Graph> {
    /// The way by which it begins: its number in [`Topology::ways`].
    pub way: u16,
    /// Its first step: a place or a fork.
    pub to: To<G::At>,
    /// What it works on.
    pub item: G::Item,
}

/// The target of a way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum To<At> {
    /// On to a place.
    Place(At),
    /// On in several branches at once, by the fork's number.
    Fork(u16),
    /// The branch is done.
    Join,
    /// Out of the graph, by this exit.
    End(u16),
    /// Nowhere: `never` was taken.
    Never,
}

/// A fact as a type.
#[derive(Debug)]
pub struct Flag<const YES: bool>;
