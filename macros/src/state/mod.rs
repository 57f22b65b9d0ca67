//! `#[derive(State)]`: the update type of a state, one method for each field.

mod expand;
mod setters;
mod syntax;

use proc_macro2::TokenStream;
use quote::quote;
use syn::DeriveInput;

use crate::diagnostics::Diagnostics;

/// The impls, then what is wrong.
pub(crate) fn expand(input: &DeriveInput) -> TokenStream {
    let mut errors = Diagnostics::default();
    let state = syntax::State::read(input, &mut errors).map(|state| expand::expand(&state));
    let errors = errors.into_tokens();
    quote!(#state #errors)
}
