//! What can go wrong, by who has to act.

use std::error::Error;
use std::fmt;

use serde::{Deserialize, Serialize};

/// The longest text of an error that is kept with a thread, in bytes.
const MAX_ERROR: usize = 16 << 10;

/// Any error, boxed.
pub type BoxError = Box<dyn Error + Send + Sync + 'static>;

/// How a failure is to be met.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Class {
    /// Not said: a retry policy may try again.
    #[default]
    Unknown,
    /// May pass by itself: a lost connection, a busy server.
    Transient,
    /// Trying again cannot help: a missing key, a bug.
    Fatal,
}

/// Why a node failed. Made by `?` from any error, from text, from `anyhow::Error` and from boxes.
///
/// ```
/// use graphwright::NodeError;
/// fn parse(text: &str) -> Result<u8, NodeError> {
///     let number: u8 = text.parse()?;
///     if number > 100 { Err("more than a hundred")? }
///     Ok(number)
/// }
/// assert!(parse("101").is_err());
/// ```
pub struct NodeError {
    source: BoxError,
    class: Class,
}

// Not `Error` itself: that would forbid the conversion from every error.
impl<E: Into<BoxError>> From<E> for NodeError {
    fn from(error: E) -> Self {
        let source = error.into();
        Self { class: known_class(&*source), source }
    }
}

/// Errors of our own say how they are to be met, also behind a `?`.
#[cfg(feature = "agent")]
fn known_class(error: &(dyn Error + 'static)) -> Class {
    error.downcast_ref::<crate::agent::ModelError>().map_or(Class::Unknown, crate::agent::ModelError::class)
}

#[cfg(not(feature = "agent"))]
fn known_class(_: &(dyn Error + 'static)) -> Class {
    Class::Unknown
}

impl NodeError {
    /// An error that no retry can mend.
    pub fn fatal(error: impl Into<BoxError>) -> Self {
        Self { source: error.into(), class: Class::Fatal }
    }

    /// An error that may pass by itself.
    pub fn transient(error: impl Into<BoxError>) -> Self {
        Self { source: error.into(), class: Class::Transient }
    }

    /// As it was kept.
    pub(crate) fn of(class: Class, error: &str) -> Self {
        Self { source: error.into(), class }
    }

    /// How it is to be met.
    #[must_use]
    pub fn class(&self) -> Class {
        self.class
    }

    /// The error itself.
    #[must_use]
    pub fn source(&self) -> &(dyn Error + Send + Sync + 'static) {
        &*self.source
    }

    /// The error itself, by value.
    #[must_use]
    pub fn into_source(self) -> BoxError {
        self.source
    }
}

impl fmt::Debug for NodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("NodeError").field("class", &self.class).field("source", &self.source).finish()
    }
}

impl fmt::Display for NodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.source, f)
    }
}

/// A place that failed, as it is kept with the thread: what the place behind a way `on error` is told.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FailedPlace {
    place: String,
    error: String,
    attempts: u32,
    class: Class,
}

impl FailedPlace {
    pub(crate) fn new(place: &str, error: &NodeError, attempts: u32) -> Self {
        let (error, class) = (error.to_string(), error.class);
        Self { place: place.to_owned(), error: cut(error), attempts, class }
    }

    /// The place.
    #[must_use]
    pub fn place(&self) -> &str {
        &self.place
    }

    /// What it said.
    #[must_use]
    pub fn error(&self) -> &str {
        &self.error
    }

    /// How often it was tried.
    #[must_use]
    pub fn attempts(&self) -> u32 {
        self.attempts
    }

    /// How the failure is to be met.
    #[must_use]
    pub fn class(&self) -> Class {
        self.class
    }
}

/// At most so much of an error is kept.
fn cut(mut error: String) -> String {
    let end = (0..=MAX_ERROR.min(error.len())).rev().find(|end| error.is_char_boundary(*end));
    error.truncate(end.unwrap_or(0));
    error
}

/// Why an answer was refused. Nothing was written; the question is still open.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the answer does not fit the question: {}", .faults.join("; "))]
pub struct BadAnswer {
    faults: Vec<String>,
}

impl BadAnswer {
    /// One fault.
    pub fn new(fault: impl Into<String>) -> Self {
        Self { faults: vec![fault.into()] }
    }

    /// All faults at once.
    pub fn all(faults: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Self { faults: faults.into_iter().map(Into::into).collect() }
    }

    /// Every fault, in the order found.
    #[must_use]
    pub fn faults(&self) -> &[String] {
        &self.faults
    }
}
