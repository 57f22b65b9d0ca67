//! Why a tool gave no result.

use std::fmt;

use super::output::cut;
use crate::error::BoxError;

/// A tool's own words: so much of them is kept.
const MAX_BYTES: usize = 4096;

/// The longest question of a tool: what is longer hides what matters.
const MAX_QUESTION_BYTES: usize = 2000;

/// What a tool says instead of a result. The model reads its text, so the text says what to do, and holds no secrets.
///
/// Made by `?` from any error, from text, from `anyhow::Error` and from boxes.
///
/// ```
/// use graphwright::agent::ToolError;
/// fn cents(text: &str) -> Result<u64, ToolError> {
///     let cents: u64 = text.parse()?;
///     if cents == 0 { Err("nothing is not an amount")? }
///     Ok(cents)
/// }
/// assert_eq!(cents("0").unwrap_err().to_string(), "nothing is not an amount");
/// ```
pub struct ToolError(Kind);

enum Kind {
    Failed(BoxError),
    Asks(String),
}

impl ToolError {
    /// It cannot be done before somebody says what is asked here: the answer is the result of the call. The tool does not
    /// run again for it, and calls of the same message go on.
    ///
    /// Where [`ToolCall`](crate::agent::ToolCall) runs the tool, the thread pauses; elsewhere nobody can be asked, and the
    /// model is told so.
    ///
    /// ```
    /// use graphwright::agent::ToolError;
    /// fn only(addresses: &[&str]) -> Result<String, ToolError> {
    ///     match addresses {
    ///         [address] => Ok(address.to_string()),
    ///         _ => Err(ToolError::ask("Where should it be sent?")),
    ///     }
    /// }
    /// # let _ = only;
    /// ```
    pub fn ask(question: impl Into<String>) -> Self {
        Self(Kind::Asks(question.into()))
    }
}

/// Why a call gave no result.
pub(crate) enum Fault {
    /// The tool failed, or never began.
    Failed(String),
    /// It was not allowed to run.
    Refused(String),
    /// It wants to know this.
    Asks(String),
}

impl From<ToolError> for Fault {
    fn from(error: ToolError) -> Self {
        match error.0 {
            Kind::Failed(error) => Self::Failed(cut(error.to_string(), MAX_BYTES)),
            Kind::Asks(question) => Self::Asks(cut(question, MAX_QUESTION_BYTES)),
        }
    }
}

// Not `Error` itself: that would forbid the conversion from every error.
impl<E: Into<BoxError>> From<E> for ToolError {
    fn from(error: E) -> Self {
        Self(Kind::Failed(error.into()))
    }
}

impl fmt::Display for ToolError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Kind::Failed(error) => fmt::Display::fmt(error, f),
            Kind::Asks(question) => f.write_str(question),
        }
    }
}

impl fmt::Debug for ToolError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Kind::Failed(error) => f.debug_tuple("ToolError").field(error).finish(),
            Kind::Asks(question) => f.debug_tuple("ToolError::ask").field(&question.len()).finish(),
        }
    }
}
