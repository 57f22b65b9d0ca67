//! What a node is to a graph.

use std::future::Future;

use crate::context::Context;
use crate::error::NodeError;
use crate::interrupt::{Answer, Ask, Asks, InterruptEach};
use crate::route::PlainRoute;
use crate::state::{Anything, FieldSet, State};
use crate::topology::{Facts, Place, Role, Topology};

/// What can be said of a node without knowing the state: written by `#[node]` and `graph!`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a node [GW084]",
    label = "not a node",
    note = "annotate its function, or its `impl Interrupt`, with `#[node]`"
)]
pub trait NodeMeta: 'static {
    /// Its name, without `r#`.
    const NAME: &'static str;
    /// What it is to the checker.
    const ROLE: Role = Role::Plain;
    /// Its doc comment.
    const DOCS: &'static str = "";
    /// Whether it is a model that may ask the user.
    const ASKS: bool = false;
    /// Whether a run can pause in it.
    const PAUSES: bool = false;
    /// The file it is written in.
    const FILE: &'static str = "";
    /// The line it starts at, counted from one.
    const LINE: u32 = 0;
    /// Whether it runs tools that are marked `needs_approval`.
    const NEEDS_APPROVAL: bool = false;
    /// Whether whoever is asked here approves what runs behind it.
    const APPROVES: bool = false;
    /// Whether somebody is told of its questions.
    const NOTIFIES: bool = false;
    /// What a mounted graph tells about itself.
    const FACTS: &'static Facts = &Facts::NONE;
    /// The graph as data, if it is one.
    const GRAPH: Option<&'static Topology> = None;
}

/// A part of a graph over state `S` and dependencies `D`, for one item `I` of an `each`. Written by `#[node]`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a node of a graph over state `{S}` and dependencies `{D}` [GW084]",
    label = "cannot stand here",
    note = "a node takes `&{S}`, in a branch of `each` then the item (elsewhere it is `()`), and last `&Context<{D}>` if it wants the dependencies",
    note = "annotate its function with `#[node]`; a graph is mounted by a fact, `name: graph {Self};`"
)]
pub trait Node<S: State, D, I = ()>: NodeMeta + Sized {
    /// The return type, as written.
    type Ret: IntoStep<S, Self>;
    /// What a front end holds while the node waits: `Open<Self>` for an interrupt, `Never` for the rest.
    type Open;
    /// The fields it may write.
    const WRITES: FieldSet = <Self::Ret as IntoStep<S, Self>>::WRITES;
    /// What a graph says of a place where it stands. Taken from here, and not from [`NodeMeta`], so that a graph asks
    /// everything of one trait, and a type that is no node is one error.
    const PLACE: Place = Place::of::<Self>();

    /// Calls the function, or the interrupt's `ask`.
    fn run(state: &S, item: &I, cx: &Context<D>) -> impl Future<Output = Self::Ret> + Send;

    /// Takes an answer in: only interrupts have one.
    ///
    /// # Errors
    /// What is wrong with the answer.
    fn resume(_state: &S, _item: &I, _asked: &serde_json::Value, _answer: &serde_json::Value) -> Result<Resumed<S, Self, D, I>, Refused> {
        Err(Refused::NotAnInterrupt)
    }

    /// Tells the outside world that a question is open; at least once, after the commit.
    fn notify(
        _state: &S,
        _item: &I,
        _asked: &serde_json::Value,
        _token: &crate::token::Token,
        _cx: &Context<D>,
    ) -> impl Future<Output = Result<(), NodeError>> + Send {
        std::future::ready(Ok(()))
    }

    /// The typed question out of the stored one.
    fn open(_record: crate::interrupt::OpenRecord) -> Result<Self::Open, Refused> {
        Err(Refused::NotAnInterrupt)
    }
}

/// What [`Node::resume`] gives: the update, and what the answer chose.
pub type Resumed<S, N, D, I> = (<S as State>::Patch, <<N as Node<S, D, I>>::Ret as IntoStep<S, N>>::Choice);

/// Why an answer did not reach its interrupt.
#[derive(Debug)]
#[non_exhaustive]
pub enum Refused {
    /// The place does not ask.
    NotAnInterrupt,
    /// The stored question is no longer of the interrupt's type: the graph has changed under it.
    Question(String),
    /// The answer does not fit.
    Answer(crate::error::BadAnswer),
}

/// A node that did not choose its way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Then;

/// What a step came to.
#[derive(Debug)]
pub enum Step<P, C> {
    /// It is done: the update, and the way the node chose.
    Done(P, C),
    /// It asks, and waits.
    Ask(Asking),
}

/// A question on its way into the store.
#[derive(Debug, Clone)]
pub struct Asking {
    /// The question, as JSON.
    pub question: serde_json::Value,
    /// Who should answer, for inboxes.
    pub labels: Vec<String>,
}

/// The return forms of a node: `()`, an update, an update with a route, or a `Result` of one of these.
#[diagnostic::on_unimplemented(
    message = "`{N}` returns `{Self}`, which is not an update of `{S}` [GW083]",
    label = "not an update",
    note = "a node returns `()`, an update, an update with a route, or a `Result` of one of these"
)]
pub trait IntoStep<S: State, N> {
    /// What the node chose beside its update.
    type Choice: 'static;
    /// The fields that a node may write that returns this, and declares nothing.
    const WRITES: FieldSet = FieldSet::UNDECLARED;
    /// The step.
    ///
    /// # Errors
    /// The node's own error.
    fn into_step(self) -> Result<Step<S::Patch, Self::Choice>, NodeError>;
}

impl<S: State, N> IntoStep<S, N> for () {
    type Choice = Then;
    const WRITES: FieldSet = FieldSet::EMPTY;
    fn into_step(self) -> Result<Step<S::Patch, Then>, NodeError> {
        Ok(Step::Done(S::widen::<Anything>(S::update()), Then))
    }
}

impl<S: State, N, U: IntoStep<S, N, Choice = Then>, R: PlainRoute> IntoStep<S, N> for (U, R) {
    type Choice = R;
    const WRITES: FieldSet = U::WRITES;
    fn into_step(self) -> Result<Step<S::Patch, R>, NodeError> {
        Ok(match self.0.into_step()? {
            Step::Done(patch, Then) => Step::Done(patch, self.1),
            Step::Ask(asking) => Step::Ask(asking),
        })
    }
}

impl<S: State, N, T: IntoStep<S, N>, E: Into<NodeError>> IntoStep<S, N> for Result<T, E> {
    type Choice = T::Choice;
    const WRITES: FieldSet = T::WRITES;
    fn into_step(self) -> Result<Step<S::Patch, T::Choice>, NodeError> {
        self.map_err(Into::into)?.into_step()
    }
}

/// The update of `Self` may come out of a node `N`: its own narrowed one, or any if `N` declares nothing.
#[diagnostic::on_unimplemented(
    message = "`{Self}` returns an update made for `{By}`, not for itself [GW081]",
    label = "return `NodeResult<{Self}>`",
    note = "a node that declares `writes(..)` says so in what it returns: `NodeResult<{Self}>`, or `Update<State, {Self}>` inside",
    note = "or leave `writes(..)` out"
)]
pub trait Accepts<By> {}

impl<N> Accepts<N> for N {}

#[diagnostic::do_not_recommend]
impl<S: State, D, T, N: InterruptEach<S, D, T>> IntoStep<S, N> for AskedOf<S, D, N, T> {
    type Choice = Answer<<N as Asks>::Answer>;
    fn into_step(self) -> Result<Step<S::Patch, Self::Choice>, NodeError> {
        self.into_step()
    }
}

/// What the `ask` of an interrupt came to, with the state it was asked of, so that an answer given at once can go on.
pub struct AskedOf<S: State, D, N: Asks, T = ()>(AskedKind<S, N>, std::marker::PhantomData<fn() -> (D, T)>);

enum AskedKind<S: State, N: Asks> {
    Failed(NodeError),
    Asking(Asking),
    Answered(S::Patch, Answer<<N as Asks>::Answer>),
}

impl<S: State, D, T, N: InterruptEach<S, D, T>> AskedOf<S, D, N, T> {
    /// Of what `ask` returned.
    pub fn new(state: &S, item: &T, asked: Result<Ask<N>, NodeError>) -> Self {
        let kind = match asked.and_then(|ask| ask.settle::<S, D, T>(state, item)) {
            Ok(crate::interrupt::Settled::Asking(asking)) => AskedKind::Asking(asking),
            Ok(crate::interrupt::Settled::Answered(patch, answer)) => AskedKind::Answered(patch, answer),
            Err(error) => AskedKind::Failed(error),
        };
        Self(kind, std::marker::PhantomData)
    }

    fn into_step(self) -> Result<Step<S::Patch, Answer<<N as Asks>::Answer>>, NodeError> {
        match self.0 {
            AskedKind::Failed(error) => Err(error),
            AskedKind::Asking(asking) => Ok(Step::Ask(asking)),
            AskedKind::Answered(patch, answer) => Ok(Step::Done(patch, answer)),
        }
    }
}

impl<S: State, D, N: Asks, T> std::fmt::Debug for AskedOf<S, D, N, T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self.0 {
            AskedKind::Failed(_) => "AskedOf::Failed",
            AskedKind::Asking(_) => "AskedOf::Asking",
            AskedKind::Answered(..) => "AskedOf::Answered",
        })
    }
}
