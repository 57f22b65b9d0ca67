//! Why a tool gave no result.

use std::fmt;

use crate::error::BoxError;

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
pub struct ToolError(BoxError);

// Not `Error` itself: that would forbid the conversion from every error.
impl<E: Into<BoxError>> From<E> for ToolError {
    fn from(error: E) -> Self {
        Self(error.into())
    }
}

impl fmt::Display for ToolError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

impl fmt::Debug for ToolError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("ToolError").field(&self.0).finish()
    }
}
