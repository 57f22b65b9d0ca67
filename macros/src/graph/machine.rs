//! The state machine: types, and functions that match on the position.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote};

use super::Parts;
use super::aim::{self, node_item};
use super::branches;
use super::model::{Around, Gate, GateId, Model, Place, PlaceId};
use super::mounts;
use super::policies;
use super::route;

/// The position, the exits, the questions, and the numbers of ways and forks.
pub(crate) fn types(parts: &Parts<'_>) -> TokenStream {
    let model = parts.model;
    let places = model.places.iter().map(|place| {
        let (presence, name) = (&place.presence, &place.name);
        quote!(#presence #name)
    });
    let exits = model.exits.iter().map(|exit| {
        let (presence, name) = (&exit.presence, &exit.name);
        quote!(#presence #name)
    });
    let questions = model.places.iter().enumerate().map(|(id, place)| {
        let (presence, name, open) = (&place.presence, &place.name, node_item(id, place, aim::first(place), "Open"));
        quote!(#presence #name(#open))
    });
    let ways = model.ways.iter().enumerate().map(|(id, way)| {
        let (cfg, variant) = (&way.cfg, aim::way_variant(id));
        quote!(#cfg #variant)
    });
    let forks = model.forks.iter().enumerate().map(|(id, fork)| {
        let (cfg, variant) = (&fork.cfg, aim::fork_variant(id));
        quote!(#cfg #variant)
    });
    let derives = quote!(#[derive(
        ::core::fmt::Debug, ::core::clone::Clone, ::core::marker::Copy, ::core::cmp::PartialEq, ::core::cmp::Eq
    )]);
    let question = parts.open_type("__Question", quote!({ #(#questions),* }));
    let items = branches::items(parts);
    quote! {
        #derives pub enum __At { #(#places),* }
        #derives pub enum __Exit { #(#exits),* }
        #question
        #items
        enum __Way { #(#ways),* }
        enum __Fork { #(#forks),* }
    }
}

/// `impl Graph`.
pub(crate) fn graph(parts: &Parts<'_>) -> TokenStream {
    let (graph, model) = (parts.machine(), parts.model);
    let (head, bounds) = parts.head(None);
    let types = parts.associated_types();
    let output = parts.output();
    let each = |body: &dyn Fn(usize, &Place) -> TokenStream| -> TokenStream {
        let arms = model.places.iter().enumerate().map(|(id, place)| {
            let (presence, at, body) = (&place.presence, aim::at(id, model), body(id, place));
            quote!(#presence #at => #body,)
        });
        quote!(match __at { #(#arms)* })
    };
    let run = run_place(parts);
    let resume = each(&|id, place| resume(id, place, model));
    let next = each(&|id, place| route::next(id, place, model));
    let start = route::rules(&model.start, model);
    let notify = each(&|id, place| notify(id, place, model));
    let question = each(&|id, place| {
        let (name, open) = (&place.name, node_item(id, place, aim::first(place), "open"));
        quote!(#open(__record).map(__Question::#name))
    });
    let all_places = all(model.places.iter().map(|p| (p.presence.to_token_stream(), &p.name)), &quote!(__At));
    let all_exits = all(model.exits.iter().map(|e| (e.presence.to_token_stream(), &e.name)), &quote!(__Exit));
    let (boxed, forks, policies) = (boxed(model), branches::functions(parts), policies::function(parts));
    let mount = mounts::function(parts);
    let on = route::on(model);
    quote! {
        #[automatically_derived]
        #[doc(hidden)]
        impl #head __rt::Graph for #graph #bounds {
            #types
            const TOPOLOGY: &'static __rt::Topology = &__TOPOLOGY;
            fn index(__at: __At) -> usize { __at as usize }
            fn at(__index: usize) -> ::core::option::Option<__At> { #all_places.get(__index).copied() }
            fn exit(__index: u16) -> ::core::option::Option<__Exit> { #all_exits.get(__index as usize).copied() }
            #output
            fn start(__state: &__State, __turn: &__rt::Turn) -> __rt::Next<__At> { #start }
            async fn run_place(
                __at: __At,
                __state: &__State,
                __item: &<Self as __rt::Graph>::Item,
                __cx: &__rt::Context<__Deps>,
            ) -> __rt::Out<Self> {
                #run
            }
            #boxed
            fn next(__at: __At, __arm: u16, __state: &__State, __turn: &__rt::Turn) -> __rt::Next<__At> { #next }
            #on
            #forks
            #mount
            #policies
            fn resume(
                __at: __At,
                __state: &__State,
                __item: &<Self as __rt::Graph>::Item,
                __asked: &__rt::serde_json::Value,
                __answer: &__rt::serde_json::Value,
            ) -> ::core::result::Result<(<__State as __rt::State>::Patch, u16), __rt::Refused> {
                #resume
            }
            fn notify<'__a>(
                __at: __At,
                __state: &'__a __State,
                __item: &'__a <Self as __rt::Graph>::Item,
                __asked: &'__a __rt::serde_json::Value,
                __token: &'__a __rt::Token,
                __cx: &'__a __rt::Context<__Deps>,
            ) -> __rt::Notified<'__a> {
                #notify
            }
            fn question(__at: __At, __record: __rt::OpenRecord) -> ::core::result::Result<<Self as __rt::Graph>::Question, __rt::Refused> {
                #question
            }
        }
    }
}

/// Every variant, in order, so that a number finds its own under any `#[cfg]`.
fn all<'a>(names: impl Iterator<Item = (TokenStream, &'a Ident)>, of: &TokenStream) -> TokenStream {
    let names = names.map(|(presence, name)| quote!(#presence #of::#name));
    quote!({ const __ALL: &[#of] = &[#(#names),*]; __ALL })
}

/// What is done at a place with the item that it works on there. `body` is given the item and where that is from.
fn with_item(place: &Place, model: &Model, none: &TokenStream, body: &dyn Fn(Around, &TokenStream) -> TokenStream) -> TokenStream {
    if !model.has_items() || place.items == [Around::Nothing] {
        return body(Around::Nothing, &quote!(&()));
    }
    let arms = place.items.iter().map(|around| match around {
        Around::Nothing => {
            let body = body(Around::Nothing, &quote!(&()));
            quote!(__Item::__None => #body,)
        }
        Around::Each(fork) => {
            let cfg = model.forks.get(*fork).map(|fork| &fork.cfg);
            let (variant, body) = (aim::item_variant(*fork), body(*around, &quote!(__given)));
            quote!(#cfg __Item::#variant(__given) => #body,)
        }
    });
    quote!(match __item { #(#arms)* _ => #none })
}

/// The body of `run_place`. What is awaited is dear to the compiler, and grows with the square of how many there are: so
/// plain places are run by eights, each with one call.
fn run_place(parts: &Parts<'_>) -> TokenStream {
    let model = parts.model;
    let (plain, others): (Vec<PlaceId>, Vec<PlaceId>) = (0..model.places.len()).partition(|id| is_plain(*id, model));
    let eights = plain.chunks(8).map(|ids| {
        let at: Vec<TokenStream> = ids.iter().map(|id| aim::at(*id, model)).collect();
        let nodes = ids.iter().map(|id| aim::node(*id).to_token_stream()).chain(std::iter::repeat(quote!(__rt::Vacant))).take(8);
        let (numbers, last) = (0..at.len() - 1, at.len() - 1);
        let first = at.iter().take(last);
        quote! {
            #(#at)|* => {
                let __number: usize = match __at { #(#first => #numbers,)* _ => #last };
                __rt::one_of::<Self, #(#nodes),*>(__number, __state, __cx).await
            }
        }
    });
    let others = others.into_iter().filter_map(|id| Some((id, model.places.get(id)?))).map(|(id, place)| {
        let (presence, at, run) = (&place.presence, aim::at(id, model), run(id, place, model));
        quote!(#presence #at => #run,)
    });
    quote!(match __at { #(#eights)* #(#others)* })
}

/// Whether a node stands there that chooses no way, for no item, under no `#[cfg]`.
fn is_plain(id: PlaceId, model: &Model) -> bool {
    model.places.get(id).is_some_and(|place| {
        let outside = !model.has_items() || place.items == [Around::Nothing];
        place.mount.is_none() && outside && place.presence.is_always() && place.choices().next().is_none()
    })
}

fn run(id: PlaceId, place: &Place, model: &Model) -> TokenStream {
    let nothing = quote!(__rt::misplaced());
    if place.mount.is_some() {
        return nothing;
    }
    let (node, arm) = (aim::node(id), arm(place, model));
    with_item(place, model, &nothing, &|around, item| {
        let ty = aim::item_type(around);
        match &arm {
            None => quote!(__rt::step::<Self, #node, #ty>(__state, #item, __cx).await),
            Some(arm) => quote!(__rt::step_by::<Self, #node, #ty>(__state, #item, __cx, |__choice| { #arm }).await),
        }
    })
}

/// Those that stand in branches, each in a box of its own size; the others in one of the largest place's.
fn boxed(model: &Model) -> Option<TokenStream> {
    let arms: Vec<TokenStream> = model
        .places
        .iter()
        .enumerate()
        .filter(|(_, place)| place.in_branch && place.mount.is_none())
        .map(|(id, place)| {
            let (presence, at, run) = (&place.presence, aim::at(id, model), run(id, place, model));
            quote!(#presence #at => ::std::boxed::Box::pin(async move {
                let (__state, __item, __cx) = (&*__state, &__item, &__cx);
                <__rt::Came as ::core::convert::From<_>>::from(#run)
            }),)
        })
        .collect();
    (!arms.is_empty()).then(|| {
        quote! {
            fn run_boxed(
                __at: __At,
                __state: ::std::sync::Arc<__State>,
                __item: <Self as __rt::Graph>::Item,
                __cx: __rt::Context<__Deps>,
            ) -> __rt::Body {
                match __at {
                    #(#arms)*
                    _ => ::std::boxed::Box::pin(async move {
                        <__rt::Came as ::core::convert::From<_>>::from(<Self as __rt::Graph>::run_place(__at, &__state, &__item, &__cx).await)
                    }),
                }
            }
        }
    })
}

fn resume(id: PlaceId, place: &Place, model: &Model) -> TokenStream {
    let nothing = quote!(::core::result::Result::Err(__rt::Refused::NotAnInterrupt));
    if place.mount.is_some() {
        return nothing;
    }
    let (node, arm) = (aim::node(id), arm(place, model));
    with_item(place, model, &nothing, &|around, item| {
        let ty = aim::item_type(around);
        match &arm {
            None => quote!(__rt::resumed::<Self, #node, #ty>(__state, #item, __asked, __answer)),
            Some(arm) => quote!(__rt::resumed_by::<Self, #node, #ty>(__state, #item, __asked, __answer, |__choice| { #arm })),
        }
    })
}

fn notify(id: PlaceId, place: &Place, model: &Model) -> TokenStream {
    let nothing = quote!(__rt::silent());
    if place.mount.is_some() {
        return nothing;
    }
    let node = aim::node(id);
    with_item(place, model, &nothing, &|around, item| {
        let ty = aim::item_type(around);
        quote!(__rt::notified::<Self, #node, #ty>(__state, #item, __asked, __token, __cx))
    })
}

/// The number of the arm that the place chose; nothing where it chooses none.
fn arm(place: &Place, model: &Model) -> Option<TokenStream> {
    let choices: Vec<_> = place.choices().filter_map(|choice| Some((choice.gate, model.gates.get(choice.gate)?))).collect();
    if choices.is_empty() {
        return None;
    }
    let chosen = choices.iter().map(|(id, gate)| {
        let (cfg, arms) = (&gate.cfg, arms(*id, gate));
        quote!(#cfg let __arm: u16 = #arms;)
    });
    let first = (!choices.iter().any(|(_, gate)| gate.cfg.is_always())).then(|| quote!(let __arm: u16 = 0;));
    Some(quote!(#first #(#chosen)* __arm))
}

/// From what a place chose to the number of the arm.
fn arms(id: GateId, gate: &Gate) -> TokenStream {
    let (labels, given) = (aim::gate(id), aim::given(id));
    let arms = gate.arms.iter().zip(0_u16..).map(|(arm, number)| {
        let (cfg, patterns) = (&arm.cfg, arm.labels.iter().map(|label| aim::pattern(label, &labels, Span::call_site())));
        quote!(#cfg #(#patterns)|* => #number,)
    });
    let rest = gate.broken.then(|| quote!(_ => 0,));
    let (of, chosen) = if gate.is_kind() { (quote!(ChosenKind), quote!(chosen_kind)) } else { (quote!(Chosen), quote!(chosen)) };
    quote!(match <#given as __rt::#of>::#chosen(__choice) { #(#arms)* #rest })
}
