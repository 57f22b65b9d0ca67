//! Graphs in graphs.

use crate::error::NodeError;
use crate::graph::{Flag, Graph, Patch};
use crate::interrupt::OpenRecord;
use crate::node::{IntoStep, NodeMeta, Refused, Step, Then};
use crate::state::{FieldSet, State};
use crate::topology::Place;

/// A graph that can stand in a graph over state `P` and dependencies `D`, for one item `I` of an `each`.
///
/// `graph!` writes it for every graph: it can stand as it is in a graph over its own state. With another state around it,
/// the facts `enter(f)` and `exit(f)` say how one becomes the other.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be mounted in a graph over state `{P}` and dependencies `{D}` [GW032]",
    label = "no graph over both",
    note = "over another state it is mounted by functions: `name: graph {Self}, enter(f), exit(g);`, where `f` makes of `&{P}` what `{Self}` takes in, and `g` makes of what `{Self}` gives an update of `{P}`",
    note = "over other dependencies it cannot be: write it over `{D}`, or over any: `graph! {{ {Self}<D: Bound>(State, D) {{ .. }} }}`",
    note = "a node is not mounted: it stands by its name alone"
)]
pub trait Mount<P: State, D, I = ()>: NodeMeta {
    /// The graph itself.
    type Graph: Graph<Deps = D>;
    /// What a front end holds while it waits: the graph's question, or `Never` if it cannot pause.
    type Open;
    /// The fields of the outer state that it may write.
    const WRITES: FieldSet = FieldSet::UNDECLARED;
    /// What a graph says of a place where it stands.
    const PLACE: Place = Place::of::<Self>();

    /// What of it can be judged only for one state: a graph with parameters is refused where it becomes concrete.
    const CONCRETE: () = ();

    /// What it begins with.
    fn enter(outer: &P, item: &I) -> Entry<Self::Graph>;
    /// What it came to, as updates of the outer state.
    ///
    /// # Errors
    /// What `exit(f)` says.
    fn leave(left: Left<Self::Graph>) -> Result<Vec<P::Patch>, NodeError>;
    /// The typed question out of the stored one.
    ///
    /// # Errors
    /// The stored question is not one of the graph.
    fn open(record: OpenRecord) -> Result<Self::Open, Refused>;
}

/// A graph over dependencies `D` and a state of its own, whatever is around it: what `enter(f)` and `exit(f)` stand beside.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a graph over dependencies `{D}` [GW032]",
    label = "no graph over these dependencies",
    note = "`enter` and `exit` fit one state to another; the dependencies must be the same: write it over `{D}`, or over any",
    note = "a graph over any state is made concrete first: `graph! {{ pub Name = {Self}<State, {D}>; }}`"
)]
pub trait Part<D>: NodeMeta {
    /// The graph itself.
    type Graph: Graph<Deps = D>;
    /// What a front end holds while it waits.
    type Open;
    /// Names the trait where a graph asks for it.
    const PLACE: Place = Place::of::<Self>();
    /// The typed question out of the stored one.
    ///
    /// # Errors
    /// The stored question is not one of the graph.
    fn open(record: OpenRecord) -> Result<Self::Open, Refused>;
}

/// A graph with parameters, for one state and one dependencies type: what `graph! { pub Name = Self<State, Deps>; }` names.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a graph with parameters, so it has no instance over state `{S}` and dependencies `{D}` [GW032]",
    label = "not a graph with parameters",
    note = "a graph with parameters is written `graph! {{ pub {Self}<S: Bound, D: Bound>(S, D) {{ .. }} }}`; one without is used as it is"
)]
pub trait Family<S, D>: NodeMeta {
    /// The graph itself.
    type Graph: Graph<State = S, Deps = D>;
    /// Names the trait where an instance asks for it.
    const FIT: () = ();
}

/// The graph of an instance, which depends on the constant `FITS` that asks for it: where that does not compile, what is
/// made of the instance stays silent.
pub trait Instance<S, D, const FITS: bool> {
    /// The graph itself.
    type Graph;
}

impl<S, D, T: Family<S, D>> Instance<S, D, true> for T {
    type Graph = T::Graph;
}

/// What a place holds while it waits: a question, or nothing at all if the graph there cannot pause.
pub trait Waits<Q> {
    /// The question, or `Never`.
    type Open;
    /// The question, if there can be one.
    ///
    /// # Errors
    /// There can be none, or it is not of this graph.
    fn open(question: impl FnOnce() -> Result<Q, Refused>) -> Result<Self::Open, Refused>;
}

impl<Q> Waits<Q> for Flag<true> {
    type Open = Q;
    fn open(question: impl FnOnce() -> Result<Q, Refused>) -> Result<Q, Refused> {
        question()
    }
}

impl<Q> Waits<Q> for Flag<false> {
    type Open = crate::__private::Never;
    fn open(_: impl FnOnce() -> Result<Q, Refused>) -> Result<Self::Open, Refused> {
        Err(Refused::NotAnInterrupt)
    }
}

/// The typed question of a mounted graph, out of one that the graph around it was given.
///
/// # Errors
/// The stored question is not one of the graph.
pub fn question<G: Graph>(record: OpenRecord) -> Result<G::Question, Refused> {
    let mut record = record;
    if !record.within.is_empty() {
        record.within.remove(0);
    }
    typed::<G>(record)
}

/// The typed question out of the stored one: it is asked at a place of `G`, or in a graph that is mounted at one.
pub(crate) fn typed<G: Graph>(record: OpenRecord) -> Result<G::Question, Refused> {
    let name = record.within.first().unwrap_or(&record.place);
    let at = G::TOPOLOGY.place_index(name).and_then(G::at).ok_or(Refused::NotAnInterrupt)?;
    G::question(at, record)
}

/// What `enter(f)` can be: a function of the outer state, or of that and the item. `M` tells which.
#[diagnostic::on_unimplemented(
    message = "`enter(..)` wants a function of `&{P}` [GW032]",
    label = "takes something else",
    note = "it makes of the outer state what the mounted graph takes in: an update of its state, or its `input`",
    note = "in a branch of an `each` it may take the item behind the state"
)]
pub trait Enter<P, I, M> {
    /// What the mounted graph takes in.
    type Input;
    /// Calls it.
    fn call(self, outer: &P, item: &I) -> Self::Input;
}

impl<P, I, O, F: Fn(&P) -> O> Enter<P, I, (O,)> for F {
    type Input = O;
    fn call(self, outer: &P, _: &I) -> O {
        self(outer)
    }
}

impl<P, I, O, F: Fn(&P, &I) -> O> Enter<P, I, (O, O)> for F {
    type Input = O;
    fn call(self, outer: &P, item: &I) -> O {
        self(outer, item)
    }
}

/// What a mounted graph takes in: its input, or what becomes that.
#[diagnostic::on_unimplemented(
    message = "`enter(..)` returns `{Self}`, and the mounted graph takes in `{T}` [GW032]",
    label = "gives something else",
    note = "return that, or write `impl From<{Self}> for {T}`"
)]
pub trait TakenIn<T> {
    /// It, as the graph takes it in.
    fn taken(self) -> T;
}

#[diagnostic::do_not_recommend]
impl<T, U: Into<T>> TakenIn<T> for U {
    fn taken(self) -> T {
        self.into()
    }
}

/// What `graph!` writes for [`Mount::enter`] where a function makes what the mounted graph takes in.
pub fn enter_by<G: Graph, P, I, M, F: Enter<P, I, M, Input: TakenIn<G::Input>>>(enter: F, outer: &P, item: &I) -> Entry<G> {
    Entry::Input(enter.call(outer, item).taken().into())
}

/// What `exit(g)` can be: a function of what the mounted graph gives. `N` may write what it writes, `M` is what it returns.
#[diagnostic::on_unimplemented(
    message = "`exit(..)` wants a function of `&{O}` that returns an update of `{P}` [GW032]",
    label = "takes something else, or returns no such update",
    note = "it makes of what the mounted graph gives an update of the outer state: `fn take(given: &{O}) -> Update<{P}>`, or a `Result` of it"
)]
pub trait Leave<O, P: State, N, M> {
    /// Calls it.
    ///
    /// # Errors
    /// What the function says.
    fn call(self, given: &O) -> Result<Step<P::Patch, Then>, NodeError>;
}

#[diagnostic::do_not_recommend]
impl<O, P: State, N, U: IntoStep<P, N, Choice = Then>, F: Fn(&O) -> U> Leave<O, P, N, (U,)> for F {
    fn call(self, given: &O) -> Result<Step<P::Patch, Then>, NodeError> {
        self(given).into_step()
    }
}

/// What `graph!` writes for [`Mount::leave`] where a function makes an update of what the mounted graph gives.
///
/// # Errors
/// What the function says; or it wrote a field that `writes(..)` does not name.
pub fn leave_by<G: Graph, P: State, N, M, F: Leave<G::Output, P, N, M>>(
    exit: F,
    left: Left<G>,
    writes: FieldSet,
) -> Result<Vec<P::Patch>, NodeError> {
    let Step::Done(patch, Then) = exit.call(&G::output(left.state))? else {
        return Err(NodeError::fatal("`exit(..)` of a mounted graph cannot ask"));
    };
    let written = P::written(&patch);
    match P::FIELDS.iter().enumerate().find(|(index, _)| written.has(*index) && !writes.has(*index)) {
        Some((_, field)) => Err(NodeError::fatal(format!("`exit(..)` writes `{}`, which `writes(..)` does not name", field.name))),
        None => Ok(vec![patch]),
    }
}

/// What a mounted graph begins with.
#[derive(Debug)]
pub enum Entry<G: Graph> {
    /// The outer state, as it is.
    Whole(G::State),
    /// An input, applied to a fresh state as at the beginning of a turn.
    Input(Patch<G>),
}

/// What a mounted graph came to.
#[derive(Debug)]
pub struct Left<G: Graph> {
    /// Its last state.
    pub state: G::State,
    /// Every update that was applied since it began, in order.
    pub log: Vec<Patch<G>>,
}

/// Something that is done with a mounted graph whose type is known inside only.
pub trait MountVisitor<G: Graph> {
    /// What comes of it.
    type Out;
    /// Does it.
    fn visit<M: Mount<G::State, G::Deps, I>, I: 'static>(self, item: &I) -> Self::Out;
}
