//! How the parts of an expansion are called, and where they point: one recipe for each, so that rustc sees the same
//! mistake at the same words, and says it once.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote_spanned};

use super::model::{ExitId, Model, Place, PlaceId, RouterId, Then, To, WayId};
use super::syntax::{Extent, path_extent};

/// The node that a place stands for.
pub(crate) fn node_alias(id: PlaceId, span: Span) -> Ident {
    format_ident!("__N{id}", span = span)
}

/// The router's type.
pub(crate) fn router_alias(id: RouterId, span: Span) -> Ident {
    format_ident!("__R{id}", span = span)
}

/// `<node as Node<State, Deps>>::item`, all of it at the place's home.
pub(crate) fn node_item(id: PlaceId, place: &Place, item: &str) -> TokenStream {
    let Extent { first, last } = place.home;
    let (alias, item) = (node_alias(id, last), Ident::new(item, last));
    let open = quote_spanned!(first=> <);
    quote_spanned!(last=> #open #alias as __rt::Node<__State, __Deps>>::#item)
}

/// What the node chose beside its update.
pub(crate) fn node_choice(id: PlaceId, place: &Place) -> TokenStream {
    let Extent { first, last } = place.home;
    let alias = node_alias(id, last);
    let returned = node_item(id, place, "Ret");
    let open = quote_spanned!(first=> <);
    quote_spanned!(last=> #open #returned as __rt::IntoStep<__State, #alias>>::Choice)
}

/// `<router as Router<State>>::item`, all of it at the router's first mention.
pub(crate) fn router_item(id: RouterId, model: &Model, item: &str) -> TokenStream {
    let Extent { first, last } = router_home(id, model);
    let (alias, item) = (router_alias(id, last), Ident::new(item, last));
    let open = quote_spanned!(first=> <);
    quote_spanned!(last=> #open #alias as __rt::Router<__State>>::#item)
}

pub(crate) fn router_home(id: RouterId, model: &Model) -> Extent {
    model.routers.get(id).map_or(Extent::of(Span::call_site()), |router| path_extent(&router.path))
}

/// The way's number.
pub(crate) fn way_number(id: WayId) -> TokenStream {
    let way = way_variant(id);
    quote::quote!(__Way::#way as u16)
}

pub(crate) fn way_variant(id: WayId) -> Ident {
    format_ident!("w{id}", span = Span::mixed_site())
}

/// A place's variant. The word is the user's, its location is not: the tokens of one phrase must not be torn apart.
pub(crate) fn at(id: PlaceId, model: &Model) -> TokenStream {
    let name = model.places.get(id).map(|place| place.name.clone());
    quote::quote!(__At::#name)
}

pub(crate) fn exit(id: ExitId, model: &Model) -> TokenStream {
    let name = model.exits.get(id).map(|exit| exit.name.clone());
    quote::quote!(__Exit::#name)
}

/// `To` of the runtime.
pub(crate) fn to(to: To, model: &Model) -> TokenStream {
    match to {
        To::Place(id) => {
            let at = at(id, model);
            quote::quote!(__rt::To::Place(#at))
        }
        To::End(id) => {
            let exit = exit(id, model);
            quote::quote!(__rt::To::End(#exit as u16))
        }
        To::Never => quote::quote!(__rt::To::Never),
    }
}

/// Whether something in it was reported, so that nothing can be said about what is missing.
pub(crate) fn has_hole(then: &Then) -> bool {
    match then {
        Then::Hole => true,
        Then::Go { .. } => false,
        Then::Match(choice) => choice.broken,
    }
}
