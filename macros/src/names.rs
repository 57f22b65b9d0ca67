//! Identifiers as text.

use proc_macro2::Ident;

/// Without `r#`: what a person reads and what is stored.
pub(crate) fn unraw(ident: &Ident) -> String {
    let text = ident.to_string();
    text.strip_prefix("r#").map_or_else(|| text.clone(), str::to_owned)
}

/// The text of doc comments, lines joined, each without its leading space.
pub(crate) fn docs(attrs: &[syn::Attribute]) -> String {
    let lines: Vec<String> = attrs
        .iter()
        .filter_map(|attr| match &attr.meta {
            syn::Meta::NameValue(pair) if pair.path.is_ident("doc") => match &pair.value {
                syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(text), .. }) => Some(text.value()),
                _ => None,
            },
            _ => None,
        })
        .map(|line| line.strip_prefix(' ').map_or_else(|| line.clone(), str::to_owned))
        .collect();
    lines.join("\n").trim().to_owned()
}

/// A type as a person would write it.
pub(crate) fn text(ty: &syn::Type) -> String {
    let spaced = quote::ToTokens::to_token_stream(ty).to_string();
    [(" :: ", "::"), (" <", "<"), ("< ", "<"), (" >", ">"), (" ,", ","), ("& ", "&")]
        .iter()
        .fold(spaced, |text, (from, to)| text.replace(from, to))
}
