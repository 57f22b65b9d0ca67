//! The path to the runtime: forwarded as `$crate` by `graph!`, or `crate = path` in an attribute.

use proc_macro2::TokenStream;
use quote::quote;
use syn::Path;

/// Where attributes look unless they are told otherwise.
pub(crate) fn default() -> Path {
    syn::parse_quote!(::graphwright)
}

/// What stands before an impl for a type of the library itself: where rustc lists who implements a trait, it lists the
/// user's types alone.
pub(crate) fn unlisted(krate: &Path) -> Option<TokenStream> {
    krate.is_ident("crate").then(|| quote!(#[diagnostic::do_not_recommend]))
}
