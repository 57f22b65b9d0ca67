//! What the branches of an `each` work on.

use std::fmt::Debug;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;

use crate::route::{PlainRoute, Set};

/// The items of a graph, one variant per `each`. Written by `graph!`; `()` where there is none.
pub trait Item: Clone + Debug + Send + Sync + 'static {
    /// Outside of every `each`.
    const NONE: Self;
    /// As it is stored; nothing for [`Item::NONE`].
    ///
    /// # Errors
    /// It cannot be written as JSON.
    fn store(&self) -> Result<Option<Box<RawValue>>, serde_json::Error>;
    /// Out of the stored form, for a branch of this fork.
    ///
    /// # Errors
    /// It is not an item of that fork.
    fn load(fork: u16, stored: &RawValue) -> Result<Self, serde_json::Error>;
}

impl Item for () {
    const NONE: Self = ();
    fn store(&self) -> Result<Option<Box<RawValue>>, serde_json::Error> {
        Ok(None)
    }
    fn load(_: u16, _: &RawValue) -> Result<Self, serde_json::Error> {
        Ok(())
    }
}

/// A router that gives a list: what stands after `each`.
#[diagnostic::on_unimplemented(
    message = "`each {R}` needs a list, but `{R}` returns `{Self}` [GW086]",
    label = "not a list",
    note = "return a `Vec` of items that are `Clone`, `Debug`, `Serialize` and `Deserialize`: they are stored with the fork"
)]
pub trait Items<R> {
    /// What a branch works on.
    type Item: Clone + Debug + Serialize + DeserializeOwned + Send + Sync + 'static;
    /// Names the trait where a graph asks for it.
    const LIST: () = ();
    /// One by one, in order.
    fn items(self) -> Vec<Self::Item>;
}

impl<R, T: Clone + Debug + Serialize + DeserializeOwned + Send + Sync + 'static> Items<R> for Vec<T> {
    type Item = T;
    fn items(self) -> Self {
        self
    }
}

/// One branch for each item: generated code calls no method of a trait, which might not be in scope.
pub fn for_each<T, B>(items: Vec<T>, branch: impl FnMut(T) -> B) -> Vec<B> {
    items.into_iter().map(branch).collect()
}

/// The numbers of the branches that a set names.
pub fn chosen<V: PlainRoute>(set: Set<V>, number: impl FnMut(&'static V) -> usize) -> Vec<usize> {
    set.iter().map(number).collect()
}

/// An item as it is stored: what `graph!` writes for [`Item::store`].
///
/// # Errors
/// It cannot be written as JSON.
pub fn store_item<T: Serialize>(item: &T) -> Result<Option<Box<RawValue>>, serde_json::Error> {
    RawValue::from_string(serde_json::to_string(item)?).map(Some)
}

/// An item out of its stored form: what `graph!` writes for [`Item::load`].
///
/// # Errors
/// It is not of this type.
pub fn load_item<T: DeserializeOwned>(stored: &RawValue) -> Result<T, serde_json::Error> {
    serde_json::from_str(stored.get())
}

/// What is said where an item is asked for that the graph has not.
#[must_use]
pub fn no_item(fork: u16) -> serde_json::Error {
    serde::de::Error::custom(format!("fork {fork} of the graph is no `each`"))
}
