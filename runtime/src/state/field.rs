//! Fields by index, and who may write which.
#![allow(clippy::indexing_slicing, reason = "`get` is not const; each index is compared first")]

/// A set of fields, at most 256 of them; constant everywhere, also in generics.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FieldSet {
    words: [u64; 4],
    declared: bool,
}

impl FieldSet {
    /// Writes nothing.
    pub const EMPTY: Self = Self { words: [0; 4], declared: true };
    /// A node without `writes(..)` may write every field.
    pub const UNDECLARED: Self = Self { words: [u64::MAX; 4], declared: false };

    /// And this field.
    #[must_use]
    pub const fn with(mut self, index: usize) -> Self {
        if index < 256 {
            self.words[index / 64] |= 1 << (index % 64);
        }
        self
    }

    /// Whether the field is in the set.
    #[must_use]
    pub const fn has(&self, index: usize) -> bool {
        index < 256 && self.words[index / 64] >> (index % 64) & 1 == 1
    }

    /// Fields of either.
    #[must_use]
    pub const fn union(mut self, other: Self) -> Self {
        let mut word = 0;
        while word < 4 {
            self.words[word] |= other.words[word];
            word += 1;
        }
        self.declared &= other.declared;
        self
    }

    /// Fields of both.
    #[must_use]
    pub const fn both(mut self, other: Self) -> Self {
        let mut word = 0;
        while word < 4 {
            self.words[word] &= other.words[word];
            word += 1;
        }
        self.declared &= other.declared;
        self
    }

    /// The first field in the set.
    #[must_use]
    pub const fn first(&self) -> Option<usize> {
        let mut word = 0;
        while word < 4 {
            if self.words[word] != 0 {
                return Some(word * 64 + self.words[word].trailing_zeros() as usize);
            }
            word += 1;
        }
        None
    }

    /// Whether the node said what it writes.
    #[must_use]
    pub const fn is_declared(&self) -> bool {
        self.declared
    }
}

/// How writes of a field go together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The later write wins; two at once are refused by the compiler.
    Replace,
    /// Writes are merged.
    Merge,
}

/// One field of a state.
#[derive(Clone, Copy, Debug)]
pub struct FieldInfo {
    /// Its name, without `r#`.
    pub name: &'static str,
    /// How its writes go together.
    pub kind: Kind,
}

/// From the index of a field to the type that stands for it. Made by `#[derive(State)]`.
pub trait FieldAt<const INDEX: usize> {
    /// That type.
    type Field;
}

/// May write every field: what is stored, and what a node without `writes(..)` returns.
#[derive(Clone, Copy, Debug)]
pub enum Anything {}

/// The node `Self` may write the field `F` of `S`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` writes `{F}`, which it does not declare [GW080]",
    label = "not in `writes(..)` of `{Self}`",
    note = "add the field to `#[node(writes(..))]`, or leave `writes` out"
)]
pub trait Writes<S, F> {}

impl<S, F> Writes<S, F> for Anything {}
