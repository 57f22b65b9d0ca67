//! State, and the partial writes that nodes return.

mod field;
mod ingest;
mod reducer;
mod update;

use std::fmt::Debug;

use serde::Serialize;
use serde::de::DeserializeOwned;

pub use field::{Anything, FieldAt, FieldInfo, FieldSet, Kind, Writes};
pub use ingest::{Closing, Ingest};
pub use reducer::{Append, AppendDelta, Max, Merge, MergeDelta, MergeWith, Min, Reducer, Replace, Sum, With, WithDelta};
pub use update::{IntoOption, apply_to, written};

use crate::error::NodeError;
use crate::node::{IntoStep, Then};

/// What a graph works on: a serde struct with `#[derive(State)]`.
///
/// The derive makes the update type; nothing here is written by hand.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the state of a graph [GW078]",
    label = "not a state",
    note = "add `#[derive(State)]` to it, beside `Clone`, `Default`, `Serialize` and `Deserialize`"
)]
pub trait State: Clone + Default + Serialize + DeserializeOwned + Send + Sync + 'static {
    /// A partial write. `N` is the node that may make it: the compiler refuses fields outside its `writes(..)`.
    type Update<N>: Send + IntoStep<Self, N, Choice = Then>;
    /// What is stored and applied: the same struct, made by anybody.
    type Patch: Clone + Debug + Serialize + DeserializeOwned + Send + Sync + 'static;
    /// Carries one constant per field, of the field's name: its index.
    type Fields;
    /// The fields, in order.
    const FIELDS: &'static [FieldInfo];
    /// Whether a field wants to stamp something before an update is stored.
    const INGESTS: bool;
    /// Whether a field is merged by code of the user's where branches meet.
    const MERGES: bool;

    /// An empty update.
    fn update<N>() -> Self::Update<N>;
    /// Forgets who made the update.
    fn widen<N>(update: Self::Update<N>) -> Self::Patch;
    /// The fields that an update writes.
    fn written(patch: &Self::Patch) -> FieldSet;
    /// Takes ids and time into an update, once, before it is stored. Applying it later is pure.
    fn ingest(&self, patch: Self::Patch, ingest: &mut Ingest<'_>) -> Self::Patch;
    /// Applies an update by the reducers. Pure and total: the same on every replay.
    fn apply(&mut self, patch: Self::Patch);
    /// An update of a branch, against what is there where the branches meet: merged anew by the user's code.
    fn remerge(&self, patch: Self::Patch) -> Self::Patch;
    /// What such fields among these hold now, as an update that puts it there; none if there are none.
    fn merged(&self, fields: FieldSet) -> Option<Self::Patch>;
    /// Sets the `per_turn` fields back.
    fn begin_turn(&mut self);
    /// What must still be written when a turn ends before its time, such as results of calls that got none.
    fn close(&self, closing: Closing) -> Option<Self::Patch>;
}

/// A partial write of `S`. With `N` a node, only fields that the node declares may be written.
pub type Update<S, N = Anything> = <S as State>::Update<N>;

/// What a node returns: `NodeResult<Ticket>`, or `NodeResult<react>` where `react` declares `writes(..)`.
pub type NodeResult<X> = Result<<X as Returns>::Update, NodeError>;

/// Something that names an update: a state, or a node.
#[diagnostic::on_unimplemented(
    message = "`NodeResult<{Self}>` wants a state or a node [GW082]",
    label = "neither a state nor a node",
    note = "write the state, as in `NodeResult<Ticket>`, or the node's own name"
)]
pub trait Returns {
    /// That update.
    type Update;
}

#[diagnostic::do_not_recommend]
impl<S: State> Returns for S {
    type Update = <S as State>::Update<Anything>;
}
