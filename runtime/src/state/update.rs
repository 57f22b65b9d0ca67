//! What the methods of an update are made with.

use serde::{Deserialize, Deserializer};

use super::{Ingest, State};
use crate::clock::{CountingIds, Timestamp};
use crate::id::TurnId;

/// What the setter of a field of type `Option<T>` takes: a `T`, `Some(..)` or `None`, and `&str` for a `String`.
///
/// `None` is a write: it clears the field.
#[diagnostic::on_unimplemented(
    message = "a field of type `Option<{T}>` is not set by `{Self}` [GW079]",
    label = "neither `{T}` nor `Option<{T}>`",
    note = "convert it first: `.into()`"
)]
pub trait IntoOption<T> {
    /// The field's new value.
    fn into_option(self) -> Option<T>;
}

impl<T> IntoOption<T> for T {
    fn into_option(self) -> Option<T> {
        Some(self)
    }
}

impl<T> IntoOption<T> for Option<T> {
    fn into_option(self) -> Self {
        self
    }
}

impl IntoOption<String> for &str {
    fn into_option(self) -> Option<String> {
        Some(self.to_owned())
    }
}

/// Reads a field of a stored update. Called only where the field is there, so that `null` is a write of nothing.
pub fn written<'de, T: Deserialize<'de>, D: Deserializer<'de>>(deserializer: D) -> Result<Option<T>, D::Error> {
    T::deserialize(deserializer).map(Some)
}

/// Takes an update in as a commit does, with ids that count and a time of zero.
pub fn apply_to<S: State>(state: &mut S, patch: S::Patch) {
    let ids = CountingIds::default();
    let patch = state.ingest(patch, &mut Ingest::new(&ids, Timestamp::default(), TurnId::default()));
    state.apply(patch);
}
