//! How the parts of an expansion are called, and how a part comes to point at the user's words.

use proc_macro2::{Delimiter, Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};

use super::model::{Around, ConditionId, ExitId, ForkId, GateId, Model, Place, PlaceId, RouterId, To, WayId};
use super::syntax::{Extent, Label};
use crate::spans::group;

/// The node that a place stands for; nothing at all if it is none.
pub(crate) fn node(id: PlaceId) -> Ident {
    format_ident!("__N{id}")
}

/// `<node as Node<State, Deps, Item>>::item`, or the same of a mounted graph.
pub(crate) fn node_item(id: PlaceId, place: &Place, around: Around, item: &str) -> TokenStream {
    let (node, of, given, item) = (node(id), trait_of(place), item_type(around), format_ident!("{item}"));
    quote!(<#node as __rt::#of<__State, __Deps, #given>>::#item)
}

/// The trait that a place's type must have.
pub(crate) fn trait_of(place: &Place) -> Ident {
    match place.mount {
        None => format_ident!("Node"),
        Some(_) => format_ident!("Mount"),
    }
}

/// The graph that is mounted at a place.
pub(crate) fn mounted(id: PlaceId, place: &Place) -> TokenStream {
    node_item(id, place, first(place), "Graph")
}

/// What a place works on where it was first found.
pub(crate) fn first(place: &Place) -> Around {
    place.items.first().copied().unwrap_or(Around::Nothing)
}

/// What the node chose beside its update.
pub(crate) fn node_choice(id: PlaceId, place: &Place) -> TokenStream {
    let (node, returned) = (node(id), node_item(id, place, first(place), "Ret"));
    quote!(<#returned as __rt::IntoStep<__State, #node>>::Choice)
}

/// The type of an item.
pub(crate) fn item_type(around: Around) -> TokenStream {
    match around {
        Around::Nothing => quote!(()),
        Around::Each(fork) => each(fork).to_token_stream(),
    }
}

/// The type of the items of an `each`.
pub(crate) fn each(fork: ForkId) -> Ident {
    format_ident!("__E{fork}")
}

/// What the router of an `each` gives.
pub(crate) fn list(fork: ForkId) -> Ident {
    format_ident!("__E{fork}Given")
}

/// The variant of the items of an `each`.
pub(crate) fn item_variant(fork: ForkId) -> Ident {
    format_ident!("e{fork}", span = Span::mixed_site())
}

/// The router's type; nothing at all if it is none.
pub(crate) fn router(id: RouterId) -> Ident {
    format_ident!("__R{id}")
}

/// `<router as Router<State>>::item`
pub(crate) fn router_item(id: RouterId, model: &Model, item: &str) -> TokenStream {
    let (router, item) = (router(id), format_ident!("{item}"));
    let over = router_over(model.routers.get(id).map_or(Around::Nothing, |router| router.over));
    quote!(<#router as __rt::Router<#over>>::#item)
}

/// What a router looks at.
pub(crate) fn router_over(over: Around) -> TokenStream {
    match over {
        Around::Nothing => quote!(__State),
        Around::Each(fork) => each(fork).to_token_stream(),
    }
}

/// The type of the labels of a `match`.
pub(crate) fn gate(id: GateId) -> Ident {
    format_ident!("__W{id}")
}

/// What a `match` looks at: a router's answer, or what a place chose.
pub(crate) fn given(id: GateId) -> Ident {
    format_ident!("__W{id}Given")
}

/// What the router of a cache gives.
pub(crate) fn key(id: PlaceId) -> Ident {
    format_ident!("__K{id}")
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
        Label::End(word) => {
            let of = Ident::new(&of.to_string(), at);
            let colons = quote_spanned!(at=> ::);
            quote!(#of #colons #word)
        }
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

/// The fork's number.
pub(crate) fn fork_number(id: ForkId) -> TokenStream {
    let fork = fork_variant(id);
    quote!(__Fork::#fork as u16)
}

pub(crate) fn fork_variant(id: ForkId) -> Ident {
    format_ident!("f{id}", span = Span::mixed_site())
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
        To::Fork(id) => {
            let number = fork_number(id);
            quote!(__rt::To::Fork(#number))
        }
        To::Join(_) => quote!(__rt::To::Join),
        To::Never => quote!(__rt::To::Never),
    }
}
