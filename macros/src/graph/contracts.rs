//! What only the compiler knows, asked at the user's own words: names, node and router types, the pass over the topology.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};

use super::Parts;
use super::aim;
use super::syntax::Extent;

/// The state, the dependencies, every node and every router under a name of ours: a misspelt one is one error, here, and
/// whatever is made of it stays silent. The user's tokens stand outside of `<..>`, where rustc would offer a type parameter.
pub(crate) fn aliases(parts: &Parts<'_>) -> TokenStream {
    let (state, deps) = (&parts.graph.state, &parts.graph.deps);
    let nodes = parts.model.places.iter().enumerate().map(|(id, place)| {
        let (presence, path) = (&place.presence, &place.path);
        let alias = aim::node_alias(id, Span::mixed_site());
        quote!(#presence type #alias = #path;)
    });
    let routers = parts.model.routers.iter().enumerate().map(|(id, router)| {
        let (presence, path) = (&router.presence, &router.path);
        let alias = aim::router_alias(id, Span::mixed_site());
        quote!(#presence type #alias = #path;)
    });
    quote! {
        type __State = #state;
        type __Deps = #deps;
        #(#nodes)*
        #(#routers)*
    }
}

/// One assertion for each place, each way, and the whole, spanned at what it is about.
pub(crate) fn assertions(parts: &Parts<'_>) -> TokenStream {
    let (places, ways) = (parts.model.places.len().max(1), parts.model.ways.len().max(1));
    let each_place = parts.model.places.iter().enumerate().map(|(id, place)| {
        let at = aim::at(id, parts.model);
        assertion(&place.presence, place.mention, "place", "this_place", Some(&quote!(#at as usize)))
    });
    let each_way = parts.model.ways.iter().enumerate().map(|(id, way)| {
        let variant = aim::way_variant(id);
        assertion(&way.cfg, way.extent, "way", "this_way", Some(&quote!(__Way::#variant as usize)))
    });
    let whole = assertion(&TokenStream::new(), Extent::of(parts.graph.name.span()), "whole", "this_graph", None);
    quote! {
        const __ANALYSIS: __rt::check::Analysis<#places, #ways> = __rt::check::analyze(&__TOPOLOGY);
        #(#each_place)*
        #(#each_way)*
        #whole
    }
}

/// rustc underlines a call from its first to its last token and prints the name of the constant:
/// ```text
/// error[E0080]: evaluation panicked: ..
///     plan -> call_tools;
///     ^^^^^^^^^^^^^^^^^^ evaluation of `_::_::this_way` failed here
/// ```
fn assertion(cfg: &impl ToTokens, at: Extent, check: &str, name: &str, index: Option<&TokenStream>) -> TokenStream {
    let (check, name) = (Ident::new(check, at.first), Ident::new(name, Span::mixed_site()));
    let index = index.map(|index| quote!(, #index));
    let arguments = crate::spans::group(proc_macro2::Delimiter::Parenthesis, at.last, quote!(&__ANALYSIS, &__TOPOLOGY #index));
    let path = quote_spanned!(at.first=> __rt::check::#check);
    quote!(#cfg const _: () = { const #name: () = #path #arguments; };)
}
