//! The graph as a part of others, and others as parts of it.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote, quote_spanned};

use super::Parts;
use super::aim::{self, node_item};
use super::assertions;
use super::model::{Around, Mount, Place, PlaceId};
use super::syntax::path_extent;

/// The graph as it can be mounted: as it is over its own state; by functions over any. One with parameters can be named
/// without them, or as an instance.
pub(crate) fn own(parts: &Parts<'_>) -> TokenStream {
    let (name, machine) = (&parts.graph.name, parts.machine());
    let instance = parts.is_generic().then(|| own_as(parts, &machine, &machine, false));
    let itself = own_as(parts, &quote!(#name), &machine, parts.is_generic_over_state());
    quote!(#itself #instance)
}

fn own_as(parts: &Parts<'_>, name: &TokenStream, machine: &TokenStream, any_state: bool) -> TokenStream {
    let (head, bounds) = parts.head(Some(&format_ident!("__I")));
    let open = quote!(<__rt::Flag<{ __TOPOLOGY.pauses() }> as __rt::Waits<<#machine as __rt::Graph>::Question>>);
    let open_record = quote!(#open::open(|| __rt::question::<#machine>(__record)));
    let writes = parts.model.places.iter().enumerate().flat_map(|(id, place)| {
        place.items.iter().map(move |around| {
            let (presence, writes) = (&place.presence, node_item(id, place, *around, "WRITES"));
            quote!(#presence { __all = __all.union(#writes); })
        })
    });
    // What rests on the fields of the state can be judged only where that is known.
    let concrete = (parts.is_generic() && parts.sound && !parts.model.forks.is_empty()).then(|| {
        let ((points, ways), writes) = (assertions::bounds(parts), assertions::writes(parts));
        quote! {
            const CONCRETE: () = __rt::check::all_writes(
                &__rt::check::parallel::<#points, #ways>(&__ANALYSIS, &__TOPOLOGY, #writes, <__State as __rt::State>::FIELDS),
                &__TOPOLOGY,
            );
        }
    });
    let part = (!any_state).then(|| {
        let (head, bounds) = parts.head(None);
        quote! {
            #[automatically_derived]
            #[doc(hidden)]
            impl #head __rt::Part<__Deps> for #name #bounds {
                type Graph = #machine;
                type Open = #open::Open;
                fn open(__record: __rt::OpenRecord) -> ::core::result::Result<Self::Open, __rt::Refused> { #open_record }
            }
        }
    });
    quote! {
        #[automatically_derived]
        #[doc(hidden)]
        impl #head __rt::Mount<__State, __Deps, __I> for #name #bounds {
            type Graph = #machine;
            type Open = #open::Open;
            const WRITES: __rt::FieldSet = {
                let mut __all = __rt::FieldSet::EMPTY;
                #(#writes)*
                __all
            };
            #concrete
            fn enter(__outer: &__State, _: &__I) -> __rt::Entry<#machine> {
                __rt::Entry::Whole(::core::clone::Clone::clone(__outer))
            }
            fn leave(
                __left: __rt::Left<#machine>,
            ) -> ::core::result::Result<::std::vec::Vec<<__State as __rt::State>::Patch>, __rt::NodeError> {
                ::core::result::Result::Ok(__left.log)
            }
            fn open(__record: __rt::OpenRecord) -> ::core::result::Result<Self::Open, __rt::Refused> { #open_record }
        }
        #part
    }
}

/// `fn mount`, where there are mounted graphs.
pub(crate) fn function(parts: &Parts<'_>) -> Option<TokenStream> {
    let model = parts.model;
    let arms: Vec<TokenStream> = model
        .places
        .iter()
        .enumerate()
        .filter(|(_, place)| place.mount.is_some())
        .map(|(id, place)| {
            let (presence, at, node) = (&place.presence, aim::at(id, model), aim::node(id));
            let visit = |around: &Around, item: TokenStream| {
                let ty = aim::item_type(*around);
                quote!(::core::option::Option::Some(__rt::MountVisitor::<Self>::visit::<#node, #ty>(__visitor, #item)))
            };
            if !model.has_items() || place.items == [Around::Nothing] {
                let visit = visit(&Around::Nothing, quote!(&()));
                return quote!(#presence #at => #visit,);
            }
            let arms = place.items.iter().map(|around| match around {
                Around::Nothing => {
                    let visit = visit(around, quote!(&()));
                    quote!(__Item::__None => #visit,)
                }
                Around::Each(fork) => {
                    let cfg = model.forks.get(*fork).map(|fork| &fork.cfg);
                    let (variant, visit) = (aim::item_variant(*fork), visit(around, quote!(__given)));
                    quote!(#cfg __Item::#variant(__given) => #visit,)
                }
            });
            quote!(#presence #at => match __item { #(#arms)* _ => ::core::option::Option::None },)
        })
        .collect();
    (!arms.is_empty()).then(|| {
        quote! {
            fn mount<__V: __rt::MountVisitor<Self>>(
                __at: __At,
                __item: &<Self as __rt::Graph>::Item,
                __visitor: __V,
            ) -> ::core::option::Option<__V::Out> {
                match __at { #(#arms)* _ => ::core::option::Option::None }
            }
        }
    })
}

/// The type that stands for a graph which functions fit into this one.
pub(crate) fn fitted_name(id: PlaceId) -> Ident {
    format_ident!("__M{id}")
}

/// The graph of such a place.
pub(crate) fn part_name(id: PlaceId) -> Ident {
    format_ident!("__P{id}")
}

/// Graphs that functions fit into this one: `enter(open), exit(take)`.
pub(crate) fn fitted(parts: &Parts<'_>) -> TokenStream {
    let places = parts.model.places.iter().enumerate();
    places.filter_map(|(id, place)| place.mount.as_ref().map(|mount| fit(parts, id, place, mount))).collect()
}

fn fit(parts: &Parts<'_>, id: PlaceId, place: &Place, mount: &Mount) -> TokenStream {
    let Some((enter, exit)) = &mount.mapped else { return TokenStream::new() };
    let (enters, leaves) = (path_extent(enter).last, path_extent(exit).last);
    let (presence, name, part) = (&place.presence, fitted_name(id), part_name(id));
    let writes = match &mount.writes {
        None => quote!(__rt::FieldSet::UNDECLARED),
        Some(fields) => quote!(__rt::FieldSet::EMPTY #(.with(<<__State as __rt::State>::Fields>::#fields))*),
    };
    let (head, bounds) = parts.head(None);
    let mounts = place.items.iter().map(|around| {
        let item = aim::item_type(*around);
        // What does not fit is said at the function's name; so the parameters stand there, too.
        let [outer, given] = ["__outer", "__item"].map(|name| Ident::new(name, enters));
        let left = Ident::new("__left", leaves);
        let entered = quote_spanned!(enters=> __rt::enter_by::<Self::Graph, __State, #item, _, _>(#enter, #outer, #given));
        let given_back = quote_spanned! {leaves=>
            __rt::leave_by::<Self::Graph, __State, #name, _, _>(#exit, #left, <Self as __rt::Mount<__State, __Deps, #item>>::WRITES)
        };
        quote! {
            #presence
            impl #head __rt::Mount<__State, __Deps, #item> for #name #bounds {
                type Graph = <#part as __rt::Part<__Deps>>::Graph;
                type Open = <#part as __rt::Part<__Deps>>::Open;
                const WRITES: __rt::FieldSet = #writes;
                fn enter(#outer: &__State, #given: &#item) -> __rt::Entry<Self::Graph> { #entered }
                fn leave(
                    #left: __rt::Left<Self::Graph>,
                ) -> ::core::result::Result<::std::vec::Vec<<__State as __rt::State>::Patch>, __rt::NodeError> {
                    #given_back
                }
                fn open(__record: __rt::OpenRecord) -> ::core::result::Result<Self::Open, __rt::Refused> {
                    <#part as __rt::Part<__Deps>>::open(__record)
                }
            }
        }
    });
    quote! {
        #presence
        struct #name;
        #presence
        impl __rt::NodeMeta for #name {
            const NAME: &'static str = <#part as __rt::NodeMeta>::NAME;
            const ROLE: __rt::Role = <#part as __rt::NodeMeta>::ROLE;
            const DOCS: &'static str = <#part as __rt::NodeMeta>::DOCS;
            const PAUSES: bool = <#part as __rt::NodeMeta>::PAUSES;
            const FILE: &'static str = <#part as __rt::NodeMeta>::FILE;
            const LINE: u32 = <#part as __rt::NodeMeta>::LINE;
            const FACTS: &'static __rt::Facts = <#part as __rt::NodeMeta>::FACTS;
            const GRAPH: ::core::option::Option<&'static __rt::Topology> = <#part as __rt::NodeMeta>::GRAPH;
        }
        #presence
        impl __rt::Accepts<__rt::Anything> for #name {}
        #(#mounts)*
    }
}
