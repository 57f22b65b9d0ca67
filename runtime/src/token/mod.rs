//! Pause tokens: a signed, single-use capability to answer one open question from outside.
//!
//! A token is `v1.<key id>.<claims>.<mac>`, claims and mac in base64url. It is made of the stored question alone, so every
//! process that has the key makes the same token of it, and nothing about a token is stored. What spends it is the commit
//! that closes the question.

use std::fmt;

#[cfg(feature = "tokens")]
mod claims;
#[cfg(feature = "tokens")]
mod error;
#[cfg(feature = "tokens")]
mod ring;

#[cfg(feature = "tokens")]
pub use claims::Claims;
#[cfg(feature = "tokens")]
pub use error::TokenError;
#[cfg(feature = "tokens")]
pub use ring::{KeyError, KeyRing, MIN_KEY_BYTES};

/// The text of a token: for a link, a form, a mail. Whoever has it may answer, so it is not shown by `Debug`.
#[derive(Clone, PartialEq, Eq)]
pub struct Token(String);

impl Token {
    /// Takes a text as it came; it is verified when it is redeemed.
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// The text, to be sent to whoever may answer.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token(..)")
    }
}
