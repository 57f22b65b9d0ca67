//! The type that carries what a graph must know of a function. It has the function's name, in the namespace of types, so
//! that one `use` imports both.

use proc_macro2::{Delimiter, Ident, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::{Attribute, Generics, Type, Visibility};

use crate::names::{docs, unraw};
use crate::signature::Function;
use crate::spans::group;

/// The type itself. Its braces keep it out of the namespace of values, where the function is.
pub(crate) fn marker(function: &Function) -> TokenStream {
    let Function { attrs, vis, sig } = function;
    let shown = attrs.iter().filter(|attr| ["cfg", "doc", "deprecated"].iter().any(|word| attr.path().is_ident(word)));
    marker_type(shown, vis, &sig.ident)
}

fn marker_type<'a>(attrs: impl Iterator<Item = &'a Attribute>, vis: &Visibility, name: &Ident) -> TokenStream {
    quote! {
        #(#attrs)*
        #[allow(missing_docs, non_camel_case_types, unreachable_pub)]
        #[derive(::core::fmt::Debug, ::core::clone::Clone, ::core::marker::Copy)]
        #vis struct #name {}
    }
}

/// Name, docs, file and line, as the constants of a metadata trait.
pub(crate) fn about(name: &Ident, attrs: &[Attribute]) -> TokenStream {
    let (text, docs) = (unraw(name), docs(attrs));
    quote! {
        const NAME: &'static str = #text;
        const DOCS: &'static str = #docs;
    }
}

/// Where a name stands: `line!` answers with the line of its own tokens, so they carry the name's span.
pub(crate) fn place(name: &Ident) -> TokenStream {
    let line = quote_spanned!(name.span()=> ::core::line!());
    quote! {
        const FILE: &'static str = ::core::file!();
        const LINE: u32 = #line;
    }
}

/// What the function asks for, and one bound of ours.
pub(crate) fn bounds(generics: &Generics, more: Option<TokenStream>) -> TokenStream {
    let written = generics.where_clause.iter().flat_map(|clause| &clause.predicates);
    quote!(where #(#written,)* #more)
}

/// A bound that says of one type, known already, that it is a state. Where it is not, rustc says so once, at the type as
/// the user wrote it, and takes it for granted in what follows: one mistake, one error.
pub(crate) fn must_be_state(generics: &Generics, state: &Type) -> Option<TokenStream> {
    let last = state.to_token_stream().into_iter().last()?;
    let bound = group(Delimiter::Parenthesis, last.span(), quote!(__rt::State));
    generics.params.is_empty().then(|| quote!(#state: #bound))
}

/// Everything that we add beside the marker, out of sight: no name of it can meet one of the user's.
pub(crate) fn hidden_block<'a>(krate: &syn::Path, cfgs: impl Iterator<Item = &'a Attribute>, items: &TokenStream) -> TokenStream {
    quote! {
        #(#cfgs)*
        #[allow(deprecated, trivial_bounds, unused_parens)]
        const _: () = {
            use #krate::__private as __rt;
            #items
        };
    }
}
