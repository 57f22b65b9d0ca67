//! Graphs in graphs.

use crate::error::NodeError;
use crate::graph::{Graph, Patch};
use crate::interrupt::OpenRecord;
use crate::node::{NodeMeta, Refused};
use crate::state::{FieldSet, State};
use crate::topology::Place;

/// A graph that can stand in a graph over state `P` and dependencies `D`, for one item `I` of an `each`.
///
/// `graph!` writes it for every graph: it can stand as it is in a graph over its own state. With another state around it,
/// the facts `enter(f)` and `exit(f)` say how one becomes the other.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be mounted in a graph over state `{P}` and dependencies `{D}` [GW092]",
    label = "another state, or other dependencies",
    note = "say how the states go together: `name: graph {Self}, enter(f), exit(g);`, where `f` takes `&{P}` and gives what `{Self}` takes in, and `g` takes what `{Self}` gives and returns an update of `{P}`",
    note = "write the mounted graph over the same dependencies, or for any: `graph! {{ {Self}<D: Bound>(State, D) {{ .. }} }}`"
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
