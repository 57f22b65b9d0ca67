//! How a write meets what was there.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Debug;
use std::hash::Hash;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::field::Kind;
use super::ingest::{Closing, Ingest};

/// Everything that a stored write must be.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be stored in a state [GW079]",
    label = "lacks one of them",
    note = "a field is `Clone`, `Debug`, `Serialize`, `Deserialize`, `Send`, `Sync` and owns what it holds"
)]
pub trait Stored: Clone + Debug + Serialize + DeserializeOwned + Send + Sync + 'static {}
#[diagnostic::do_not_recommend]
impl<T: Clone + Debug + Serialize + DeserializeOwned + Send + Sync + 'static> Stored for T {}

/// How writes of a field of type `T` are merged. `#[state(..)]` picks one by name.
#[diagnostic::on_unimplemented(
    message = "writes of a `{T}` are not merged by `{Self}` [GW079]",
    label = "does not fit the field",
    note = "`append` is for `Vec`, `merge` for `BTreeMap` and `HashMap`, `sum` for numbers, `min` and `max` for what is ordered",
    note = "for others write a function: `#[state(with = path)]`"
)]
pub trait Reducer<T> {
    /// One write, as it is stored.
    type Delta: Stored;
    /// Whether the later write wins.
    const KIND: Kind;
    /// Whether [`Reducer::ingest`] does anything.
    const INGESTS: bool = false;
    /// Whether branches of a fork are merged by code of the user's.
    const MERGES: bool = false;

    /// Takes ids and time into the write, once.
    fn ingest(_current: &T, delta: Self::Delta, _ingest: &mut Ingest<'_>) -> Self::Delta {
        delta
    }
    /// Two writes of one update, in order, as one.
    fn join(earlier: Self::Delta, later: Self::Delta) -> Self::Delta;
    /// Applies a write. Pure and total.
    fn reduce(into: &mut T, delta: Self::Delta);
    /// A write of a branch, against what is there where the branches meet.
    fn remerge(_current: &T, delta: Self::Delta) -> Self::Delta {
        delta
    }
    /// What there is now, as a write that puts it there: what code of the user's came to is stored, and not asked for again.
    fn merged(_current: &T) -> Option<Self::Delta> {
        None
    }
    /// What must still be written when the turn is closed before its time.
    fn close(_current: &T, _closing: Closing) -> Option<Self::Delta> {
        None
    }

    /// Adds a write to those that an update holds already.
    #[doc(hidden)]
    fn write(slot: &mut Option<Self::Delta>, delta: Self::Delta) {
        *slot = Some(match slot.take() {
            Some(earlier) => Self::join(earlier, delta),
            None => delta,
        });
    }
    /// [`Reducer::ingest`] for a field that may not be written.
    #[doc(hidden)]
    fn take_in(current: &T, slot: &mut Option<Self::Delta>, ingest: &mut Ingest<'_>) {
        *slot = slot.take().map(|delta| Self::ingest(current, delta, ingest));
    }
    /// [`Reducer::remerge`] for a field that may not be written.
    #[doc(hidden)]
    fn take_over(current: &T, slot: &mut Option<Self::Delta>) {
        *slot = slot.take().map(|delta| Self::remerge(current, delta));
    }
    /// [`Reducer::reduce`] for a field that may not be written.
    #[doc(hidden)]
    fn apply(into: &mut T, delta: Option<Self::Delta>) {
        if let Some(delta) = delta {
            Self::reduce(into, delta);
        }
    }
}

/// The later write wins: the default.
#[derive(Debug)]
pub enum Replace {}

impl<T: Stored> Reducer<T> for Replace {
    type Delta = T;
    const KIND: Kind = Kind::Replace;
    fn join(_: T, later: T) -> T {
        later
    }
    fn reduce(into: &mut T, delta: T) {
        *into = delta;
    }
}

/// Appends to a `Vec`.
#[derive(Debug)]
pub enum Append {}

/// A write of an [`Append`] field: what replaces it, if anything, then what is added.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(bound(deserialize = "T: serde::de::DeserializeOwned"))]
pub struct AppendDelta<T> {
    /// Replaces what was there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub set: Option<Vec<T>>,
    /// Comes behind it.
    #[serde(default = "Vec::new", skip_serializing_if = "Vec::is_empty")]
    pub add: Vec<T>,
}

impl<T> AppendDelta<T> {
    /// Comes behind what was there.
    pub fn add(items: impl IntoIterator<Item = impl Into<T>>) -> Self {
        Self { set: None, add: items.into_iter().map(Into::into).collect() }
    }
    /// Replaces what was there.
    pub fn set(items: Vec<T>) -> Self {
        Self { set: Some(items), add: Vec::new() }
    }
}

impl<T: Stored> Reducer<Vec<T>> for Append {
    type Delta = AppendDelta<T>;
    const KIND: Kind = Kind::Merge;
    fn join(mut earlier: AppendDelta<T>, later: AppendDelta<T>) -> AppendDelta<T> {
        if later.set.is_some() {
            return later;
        }
        earlier.add.extend(later.add);
        earlier
    }
    fn reduce(into: &mut Vec<T>, delta: AppendDelta<T>) {
        if let Some(set) = delta.set {
            *into = set;
        }
        into.extend(delta.add);
    }
}

/// Merges maps key by key; the later value of a key wins.
#[derive(Debug)]
pub enum Merge {}

/// A write of a [`Merge`] field: what replaces the map, if anything, then what is put into it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(bound(serialize = "M: Serialize", deserialize = "M: serde::de::DeserializeOwned"))]
pub struct MergeDelta<M> {
    /// Replaces what was there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub set: Option<M>,
    /// Goes over it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub put: Option<M>,
}

impl<M> MergeDelta<M> {
    /// Goes over what was there.
    pub fn put<K, V>(pairs: impl IntoIterator<Item = (impl Into<K>, impl Into<V>)>) -> Self
    where
        M: FromIterator<(K, V)>,
    {
        Self { set: None, put: Some(pairs.into_iter().map(|(key, value)| (key.into(), value.into())).collect()) }
    }
    /// Replaces what was there.
    pub fn set(map: M) -> Self {
        Self { set: Some(map), put: None }
    }
}

fn merge_join<M: Extend<I> + IntoIterator<Item = I>, I>(mut earlier: MergeDelta<M>, later: MergeDelta<M>) -> MergeDelta<M> {
    if later.set.is_some() {
        return later;
    }
    earlier.put = match (earlier.put, later.put) {
        (Some(mut a), Some(b)) => {
            a.extend(b);
            Some(a)
        }
        (a, b) => a.or(b),
    };
    earlier
}

fn merge_reduce<M: Extend<I> + IntoIterator<Item = I>, I>(into: &mut M, delta: MergeDelta<M>) {
    if let Some(set) = delta.set {
        *into = set;
    }
    if let Some(put) = delta.put {
        into.extend(put);
    }
}

impl<K: Stored + Ord, V: Stored> Reducer<BTreeMap<K, V>> for Merge {
    type Delta = MergeDelta<BTreeMap<K, V>>;
    const KIND: Kind = Kind::Merge;
    fn join(earlier: Self::Delta, later: Self::Delta) -> Self::Delta {
        merge_join(earlier, later)
    }
    fn reduce(into: &mut BTreeMap<K, V>, delta: Self::Delta) {
        merge_reduce(into, delta);
    }
}

impl<K: Stored + Eq + Hash, V: Stored> Reducer<HashMap<K, V>> for Merge {
    type Delta = MergeDelta<HashMap<K, V>>;
    const KIND: Kind = Kind::Merge;
    fn join(earlier: Self::Delta, later: Self::Delta) -> Self::Delta {
        merge_join(earlier, later)
    }
    fn reduce(into: &mut HashMap<K, V>, delta: Self::Delta) {
        merge_reduce(into, delta);
    }
}

/// Adds numbers; integers stay at their largest and smallest value, so that no merge can fail.
#[derive(Debug)]
pub enum Sum {}

macro_rules! sum {
    ($($int:ty)*; $($float:ty)*) => {
        $(impl Reducer<$int> for Sum {
            type Delta = $int;
            const KIND: Kind = Kind::Merge;
            fn join(earlier: $int, later: $int) -> $int { earlier.saturating_add(later) }
            fn reduce(into: &mut $int, delta: $int) { *into = into.saturating_add(delta); }
        })*
        $(impl Reducer<$float> for Sum {
            type Delta = $float;
            const KIND: Kind = Kind::Merge;
            fn join(earlier: $float, later: $float) -> $float { earlier + later }
            fn reduce(into: &mut $float, delta: $float) { *into += delta; }
        })*
    };
}
sum!(u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize; f32 f64);

/// Keeps the smaller one.
#[derive(Debug)]
pub enum Min {}

impl<T: Stored + PartialOrd> Reducer<T> for Min {
    type Delta = T;
    const KIND: Kind = Kind::Merge;
    fn join(earlier: T, later: T) -> T {
        if later < earlier { later } else { earlier }
    }
    fn reduce(into: &mut T, delta: T) {
        if delta < *into {
            *into = delta;
        }
    }
}

/// Keeps the larger one.
#[derive(Debug)]
pub enum Max {}

impl<T: Stored + PartialOrd> Reducer<T> for Max {
    type Delta = T;
    const KIND: Kind = Kind::Merge;
    fn join(earlier: T, later: T) -> T {
        if later > earlier { later } else { earlier }
    }
    fn reduce(into: &mut T, delta: T) {
        if delta > *into {
            *into = delta;
        }
    }
}

/// A user's own function, `#[state(with = path)]`. Its result is stored, so a deploy cannot change the past.
#[derive(Debug)]
pub struct With<F>(std::marker::PhantomData<F>);

/// The function behind `#[state(with = path)]`; the derive implements it.
pub trait MergeWith<T> {
    /// The merged value. Must be pure.
    fn merge(current: &T, given: T) -> T;
}

/// A write of a [`With`] field: what was given, and what came of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WithDelta<T> {
    /// What the node wrote, each write of one update by itself.
    pub given: Vec<T>,
    /// What the function made of it, once it was called.
    #[serde(default = "none", skip_serializing_if = "Option::is_none")]
    pub merged: Option<T>,
}

impl<T> WithDelta<T> {
    /// One write, not yet merged.
    pub fn given(value: T) -> Self {
        Self { given: vec![value], merged: None }
    }
}

fn none<T>() -> Option<T> {
    None
}

impl<T: Stored, F: MergeWith<T>> Reducer<T> for With<F> {
    type Delta = WithDelta<T>;
    const KIND: Kind = Kind::Merge;
    const INGESTS: bool = true;
    const MERGES: bool = true;
    fn ingest(current: &T, delta: WithDelta<T>, _: &mut Ingest<'_>) -> WithDelta<T> {
        Self::remerge(current, delta)
    }
    fn remerge(current: &T, mut delta: WithDelta<T>) -> WithDelta<T> {
        let merged = delta.given.iter().cloned().fold(current.clone(), |value, given| F::merge(&value, given));
        delta.merged = Some(merged);
        delta
    }
    fn merged(current: &T) -> Option<WithDelta<T>> {
        Some(WithDelta { given: Vec::new(), merged: Some(current.clone()) })
    }
    fn join(mut earlier: WithDelta<T>, later: WithDelta<T>) -> WithDelta<T> {
        earlier.given.extend(later.given);
        earlier.merged = None;
        earlier
    }
    fn reduce(into: &mut T, delta: WithDelta<T>) {
        if let Some(merged) = delta.merged {
            *into = merged;
        }
    }
}
