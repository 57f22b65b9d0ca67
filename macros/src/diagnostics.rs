//! Collects mistakes, so that a user sees all of them at once, each once.

use proc_macro2::{Span, TokenStream};

/// More than this many are summed up in one line.
const CAP: usize = 16;

/// The sink. It must be read: dropping it with mistakes inside is a bug of ours.
#[derive(Debug, Default)]
pub(crate) struct Diagnostics {
    errors: Vec<syn::Error>,
    said: Vec<(String, String)>,
}

impl Diagnostics {
    /// A mistake at `span`.
    pub(crate) fn error(&mut self, span: Span, message: impl Into<String>) {
        self.push(syn::Error::new(span, message.into()));
    }

    /// A mistake from the first to the last token of `tokens`.
    pub(crate) fn error_spanned(&mut self, tokens: impl quote::ToTokens, message: impl Into<String>) {
        self.push(syn::Error::new_spanned(tokens, message.into()));
    }

    /// A mistake that syn found, unless it was said before.
    pub(crate) fn push(&mut self, error: syn::Error) {
        for error in error {
            // Spans of unit tests all look alike; there the text alone decides.
            let key = (format!("{:?}", error.span()), error.to_string());
            if !self.said.contains(&key) {
                self.said.push(key);
                self.errors.push(error);
            }
        }
    }

    /// What another one collected.
    pub(crate) fn append(&mut self, other: Self) {
        for error in other.errors {
            self.push(error);
        }
    }

    /// Whether anything was said.
    pub(crate) fn is_empty(&self) -> bool {
        self.errors.is_empty()
    }

    /// The texts, for tests.
    #[cfg(test)]
    pub(crate) fn texts(&self) -> Vec<String> {
        self.errors.iter().map(ToString::to_string).collect()
    }

    /// One `compile_error!` each.
    pub(crate) fn into_tokens(self) -> TokenStream {
        let more = self.errors.len().saturating_sub(CAP);
        let last = self.errors.get(CAP).map(syn::Error::span);
        let mut tokens: TokenStream = self.errors.iter().take(CAP).map(syn::Error::to_compile_error).collect();
        if let Some(span) = last {
            tokens.extend(syn::Error::new(span, format!("and {more} more mistakes like these")).to_compile_error());
        }
        tokens
    }
}
