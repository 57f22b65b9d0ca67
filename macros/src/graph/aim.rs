//! How the parts of an expansion are called, and how a part comes to point at the user's words.

use proc_macro2::{Delimiter, Ident, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};

use super::model::{ConditionId, ExitId, GateId, Model, PlaceId, RouterId, To, WayId};
use super::syntax::{Extent, Label};
use crate::spans::group;

/// The node that a place stands for; nothing at all if it is none.
pub(crate) fn node(id: PlaceId) -> Ident {
    format_ident!("__N{id}")
}

/// `<node as Node<State, Deps>>::item`
pub(crate) fn node_item(id: PlaceId, item: &str) -> TokenStream {
    let (node, item) = (node(id), format_ident!("{item}"));
    quote!(<#node as __rt::Node<__State, __Deps>>::#item)
}

/// What the node chose beside its update.
pub(crate) fn node_choice(id: PlaceId) -> TokenStream {
    let (node, returned) = (node(id), node_item(id, "Ret"));
    quote!(<#returned as __rt::IntoStep<__State, #node>>::Choice)
}

/// The router's type; nothing at all if it is none.
pub(crate) fn router(id: RouterId) -> Ident {
    format_ident!("__R{id}")
}

/// `<router as Router<State>>::item`
pub(crate) fn router_item(id: RouterId, item: &str) -> TokenStream {
    let (router, item) = (router(id), format_ident!("{item}"));
    quote!(<#router as __rt::Router<__State>>::#item)
}

/// The type of the labels of a `match`.
pub(crate) fn gate(id: GateId) -> Ident {
    format_ident!("__W{id}")
}

/// What a `match` looks at: a router's answer, or what a place chose.
pub(crate) fn given(id: GateId) -> Ident {
    format_ident!("__W{id}Given")
}

/// What a condition looks at.
pub(crate) fn condition(id: ConditionId) -> Ident {
    format_ident!("__G{id}")
}

/// A label as a pattern: a bare one is looked up in `of`, which stands at `at`.
pub(crate) fn pattern(label: &Label, of: &Ident, at: Span) -> TokenStream {
    match label {
        Label::Path(path) if path.segments.len() > 1 || path.leading_colon.is_some() => quote!(#path),
        Label::Path(path) => {
            let of = Ident::new(&of.to_string(), at);
            let colons = quote_spanned!(at=> ::);
            quote!(#of #colons #path)
        }
        Label::Bool(lit) => quote!(#lit),
        Label::Wild(token) => quote!(#token),
        // Refused: the rest of the match stands for it.
        Label::End(_) => quote!(_),
    }
}

/// `path(argument)`, of which rustc underlines what the extent spans.
pub(crate) fn call(at: Extent, path: &[&str], argument: TokenStream) -> TokenStream {
    let mut path = path.iter().map(|word| Ident::new(word, at.first));
    let first = path.next();
    let path = quote_spanned!(at.first=> #first #(::#path)*);
    let arguments = group(Delimiter::Parenthesis, at.last, argument);
    quote!(#path #arguments)
}

/// The way's number.
pub(crate) fn way_number(id: WayId) -> TokenStream {
    let way = way_variant(id);
    quote!(__Way::#way as u16)
}

pub(crate) fn way_variant(id: WayId) -> Ident {
    format_ident!("w{id}", span = Span::mixed_site())
}

/// A place's variant. The word is the user's, its location is not: the tokens of one phrase must not be torn apart.
pub(crate) fn at(id: PlaceId, model: &Model) -> TokenStream {
    let name = model.places.get(id).map(|place| place.name.clone());
    quote!(__At::#name)
}

pub(crate) fn exit(id: ExitId, model: &Model) -> TokenStream {
    let name = model.exits.get(id).map(|exit| exit.name.clone());
    quote!(__Exit::#name)
}

/// `To` of the runtime.
pub(crate) fn to(to: To, model: &Model) -> TokenStream {
    match to {
        To::Place(id) => {
            let at = at(id, model);
            quote!(__rt::To::Place(#at))
        }
        To::End(id) => {
            let exit = exit(id, model);
            quote!(__rt::To::End(#exit as u16))
        }
        To::Never => quote!(__rt::To::Never),
    }
}
