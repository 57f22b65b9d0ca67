//! The state machine: types, and two functions that match on the position.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote};

use super::Parts;
use super::aim::{self, node_item};
use super::model::{By, Gate, GateId, Model, Place, PlaceId};
use super::route;

/// The position, the exits, the questions, and the numbers of the ways.
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
        let (presence, name, open) = (&place.presence, &place.name, node_item(id, "Open"));
        quote!(#presence #name(#open))
    });
    let ways = model.ways.iter().enumerate().map(|(id, way)| {
        let (cfg, variant) = (&way.cfg, aim::way_variant(id));
        quote!(#cfg #variant)
    });
    let derives = quote!(#[derive(
        ::core::fmt::Debug, ::core::clone::Clone, ::core::marker::Copy, ::core::cmp::PartialEq, ::core::cmp::Eq
    )]);
    quote! {
        #derives pub enum __At { #(#places),* }
        #derives pub enum __Exit { #(#exits),* }
        pub enum __Question { #(#questions),* }
        enum __Way { #(#ways),* }
    }
}

/// `impl Graph`.
pub(crate) fn graph(parts: &Parts<'_>) -> TokenStream {
    let (graph, model) = (&parts.graph.name, parts.model);
    let types = parts.associated_types();
    let output = parts.output();
    let each = |body: &dyn Fn(usize, &Place) -> TokenStream| -> TokenStream {
        let arms = model.places.iter().enumerate().map(|(id, place)| {
            let (presence, at, body) = (&place.presence, aim::at(id, model), body(id, place));
            quote!(#presence #at => #body,)
        });
        quote!(match __at { #(#arms)* })
    };
    let run = each(&|id, place| run(id, place, model));
    let resume = each(&|id, place| resume(id, place, model));
    let next = each(&|_, place| route::rules(&place.rules, model));
    let start = route::rules(&model.start, model);
    let notify = each(&|id, _| {
        let notify = node_item(id, "notify");
        quote!(#notify(__state, __item, __asked, __token, __cx).await)
    });
    let question = each(&|id, place| {
        let (name, open) = (&place.name, node_item(id, "open"));
        quote!(__Question::#name(#open(__record)?))
    });
    let all_places = all(model.places.iter().map(|p| (p.presence.to_token_stream(), &p.name)), &quote!(__At));
    let all_exits = all(model.exits.iter().map(|e| (e.presence.to_token_stream(), &e.name)), &quote!(__Exit));
    let choices = model.gates.iter().enumerate().filter(|(_, gate)| matches!(gate.by, By::Choice(_))).map(|(id, gate)| arms(id, gate));
    quote! {
        #(#choices)*
        impl __rt::Graph for #graph {
            #types
            const TOPOLOGY: &'static __rt::Topology = &__TOPOLOGY;
            fn index(__at: __At) -> usize { __at as usize }
            fn at(__index: usize) -> ::core::option::Option<__At> { #all_places.get(__index).copied() }
            fn exit(__index: u16) -> ::core::option::Option<__Exit> { #all_exits.get(__index as usize).copied() }
            #output
            fn start(__state: &__State, __turn: &__rt::Turn) -> __rt::Next<__At> { #start }
            async fn run_place(__at: __At, __state: &__State, __item: &(), __cx: &__rt::Context<__Deps>) -> __rt::Out<Self> { #run }
            fn next(__at: __At, __arm: u16, __state: &__State, __turn: &__rt::Turn) -> __rt::Next<__At> { #next }
            fn resume(
                __at: __At,
                __state: &__State,
                __item: &(),
                __asked: &__rt::serde_json::Value,
                __answer: &__rt::serde_json::Value,
            ) -> ::core::result::Result<(<__State as __rt::State>::Patch, u16), __rt::Refused> {
                #resume
            }
            async fn notify(
                __at: __At,
                __state: &__State,
                __item: &(),
                __asked: &__rt::serde_json::Value,
                __token: &__rt::Token,
                __cx: &__rt::Context<__Deps>,
            ) -> ::core::result::Result<(), __rt::NodeError> {
                #notify
            }
            fn question(__at: __At, __record: __rt::OpenRecord) -> ::core::result::Result<__Question, __rt::Refused> {
                ::core::result::Result::Ok(#question)
            }
        }
    }
}

/// Every variant, in order, so that a number finds its own under any `#[cfg]`.
fn all<'a>(names: impl Iterator<Item = (TokenStream, &'a Ident)>, of: &TokenStream) -> TokenStream {
    let names = names.map(|(presence, name)| quote!(#presence #of::#name));
    quote!({ const __ALL: &[#of] = &[#(#names),*]; __ALL })
}

fn run(id: PlaceId, place: &Place, model: &Model) -> TokenStream {
    let (node, returned, call) = (aim::node(id), node_item(id, "Ret"), node_item(id, "run"));
    let arm = arm(place, model);
    quote! {
        match <#returned as __rt::IntoStep<__State, #node>>::into_step(#call(__state, __item, __cx).await) {
            ::core::result::Result::Ok(__rt::Step::Done(__patch, __choice)) => __rt::Out::Done(__patch, { #arm }),
            ::core::result::Result::Ok(__rt::Step::Ask(__asking)) => __rt::Out::Ask(__asking),
            ::core::result::Result::Err(__error) => __rt::Out::Failed(__error),
        }
    }
}

fn resume(id: PlaceId, place: &Place, model: &Model) -> TokenStream {
    let (resume, arm) = (node_item(id, "resume"), arm(place, model));
    quote!({
        let (__patch, __choice) = #resume(__state, __item, __asked, __answer)?;
        ::core::result::Result::Ok((__patch, { #arm }))
    })
}

/// The number of the arm that the place chose.
fn arm(place: &Place, model: &Model) -> TokenStream {
    let choices: Vec<_> = place.choices().filter_map(|choice| Some((choice.gate, model.gates.get(choice.gate)?))).collect();
    let chosen = choices.iter().map(|(id, gate)| {
        let (cfg, function) = (&gate.cfg, arm_function(*id));
        quote!(#cfg let __arm: u16 = #function(&__choice);)
    });
    let first = (!choices.iter().any(|(_, gate)| gate.cfg.is_always())).then(|| quote!(let __arm: u16 = 0;));
    quote!(#first #(#chosen)* __arm)
}

fn arm_function(gate: GateId) -> Ident {
    format_ident!("__arm_{gate}")
}

/// From what a place chose to the number of the arm: `run` and `resume` both need it.
fn arms(id: GateId, gate: &Gate) -> TokenStream {
    let (cfg, function, labels, choice) = (&gate.cfg, arm_function(id), aim::gate(id), aim::given(id));
    let arms = gate.arms.iter().zip(0_u16..).map(|(arm, number)| {
        let (cfg, patterns) = (&arm.cfg, arm.labels.iter().map(|label| aim::pattern(label, &labels, Span::call_site())));
        quote!(#cfg #(#patterns)|* => #number,)
    });
    let rest = gate.broken.then(|| quote!(_ => 0,));
    let chosen = if gate.is_kind() { quote!(ChosenKind::chosen_kind) } else { quote!(Chosen::chosen) };
    quote! {
        #cfg
        fn #function(__choice: &#choice) -> u16 {
            let __arm: #labels = __rt::#chosen(__choice);
            match __arm { #(#arms)* #rest }
        }
    }
}
