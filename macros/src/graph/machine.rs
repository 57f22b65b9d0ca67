//! The state machine: types, and two functions that match on the position.

use proc_macro2::{Delimiter, TokenStream};
use quote::{format_ident, quote, quote_spanned};

use super::Parts;
use super::aim::{self, node_choice, node_item};
use super::model::{Match, Place};
use super::route;
use crate::spans::group;

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
        let (presence, name, open) = (&place.presence, &place.name, node_item(id, place, "Open"));
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
        #[allow(private_interfaces)]
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
    let run = each(&run);
    let resume = each(&resume);
    let next = each(&|_, place| route::rules(&place.rules, model));
    let start = route::rules(&model.start, model);
    let notify = each(&|id, place| {
        let notify = node_item(id, place, "notify");
        quote!(#notify(__state, __asked, __token, __cx).await)
    });
    let question = each(&|id, place| {
        let (name, open) = (&place.name, node_item(id, place, "open"));
        quote!(__Question::#name(#open(__record)?))
    });
    let all_places = all(model.places.iter().map(|p| (quote::ToTokens::to_token_stream(&p.presence), &p.name)), &quote!(__At));
    let all_exits = all(model.exits.iter().map(|e| (quote::ToTokens::to_token_stream(&e.presence), &e.name)), &quote!(__Exit));
    let choices = model.places.iter().enumerate().map(|(id, place)| arms_of(id, place));
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
            async fn run(__at: __At, __state: &__State, __cx: &__rt::Context<__Deps>) -> __rt::Out<Self> { #run }
            fn next(__at: __At, __arm: u16, __state: &__State, __turn: &__rt::Turn) -> __rt::Next<__At> { #next }
            fn resume(
                __at: __At,
                __state: &__State,
                __asked: &__rt::serde_json::Value,
                __answer: &__rt::serde_json::Value,
            ) -> ::core::result::Result<(<__State as __rt::State>::Patch, u16), __rt::Refused> {
                #resume
            }
            async fn notify(
                __at: __At,
                __state: &__State,
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
fn all<'a>(names: impl Iterator<Item = (TokenStream, &'a proc_macro2::Ident)>, of: &TokenStream) -> TokenStream {
    let names = names.map(|(presence, name)| quote!(#presence #of::#name));
    quote!({ const __ALL: &[#of] = &[#(#names),*]; __ALL })
}

fn run(id: usize, place: &Place) -> TokenStream {
    let (first, last) = (place.home.first, place.home.last);
    let (node, returned, call) = (aim::node_alias(id, last), node_item(id, place, "Ret"), node_item(id, place, "run"));
    let open = quote_spanned!(first=> <);
    let into_step = quote_spanned!(last=> #open #returned as __rt::IntoStep<__State, #node>>::into_step);
    let arm = arm(id, place, true);
    quote! {
        match #into_step(#call(__state, &(), __cx).await) {
            ::core::result::Result::Ok(__rt::Step::Done(__patch, __choice)) => __rt::Out::Done(__patch, { #arm }),
            ::core::result::Result::Ok(__rt::Step::Ask(__asking)) => __rt::Out::Ask(__asking),
            ::core::result::Result::Err(__error) => __rt::Out::Failed(__error),
        }
    }
}

fn resume(id: usize, place: &Place) -> TokenStream {
    let (resume, arm) = (node_item(id, place, "resume"), arm(id, place, false));
    quote!({
        let (__patch, __choice) = #resume(__state, __asked, __answer)?;
        ::core::result::Result::Ok((__patch, { #arm }))
    })
}

/// The number of the arm that the place chose. Where it has plain arrows only, `unchosen` asks once that it chose nothing.
fn arm(id: usize, place: &Place, ask: bool) -> TokenStream {
    let mut steps = TokenStream::new();
    let mut unconditional = false;
    for (number, (rule, _)) in place.choices().enumerate() {
        let (cfg, function) = (&rule.cfg, format_ident!("__arm_{id}_{number}"));
        unconditional |= rule.cfg.is_always();
        steps.extend(quote!(#cfg let __arm: u16 = #function(&__choice);));
    }
    if unconditional {
        return quote!(#steps __arm);
    }
    let plain = place.rules.first().filter(|_| ask && steps.is_empty() && !place.rules.iter().any(|rule| aim::has_hole(&rule.then)));
    let unchosen = plain.map(|rule| {
        let path = quote_spanned!(rule.source.first=> __rt::Unchosen::unchosen);
        let argument = group(Delimiter::Parenthesis, rule.arrow, quote!(&__choice));
        quote!(#path #argument;)
    });
    quote!(#unchosen let __arm: u16 = 0; #steps __arm)
}

/// A place that chooses is asked for its arm in two functions: this one is asked by both, so that a mistake is one error.
fn arms_of(id: usize, place: &Place) -> TokenStream {
    let functions = place.choices().enumerate().map(|(number, (rule, choice))| {
        let (cfg, function) = (&rule.cfg, format_ident!("__arm_{id}_{number}"));
        let chosen = node_choice(id, place);
        let body = arms_body(place, choice);
        let (trait_name, method) = if is_kind(choice) { ("ChosenKind", "chosen_kind") } else { ("Chosen", "chosen") };
        let (first, last) = (place.home.first, place.home.last);
        let (trait_name, method) = (proc_macro2::Ident::new(trait_name, last), proc_macro2::Ident::new(method, last));
        let open = quote_spanned!(first=> <);
        let arms_type = quote_spanned!(last=> #open #chosen as __rt::#trait_name>::Arm);
        // A local variable is spelt with one span everywhere, or hygiene takes it for two.
        let argument = group(Delimiter::Parenthesis, choice.word, quote!(__choice));
        let scrutinee = quote_spanned!(choice.word=> __rt::#trait_name::#method #argument);
        quote! {
            #cfg
            fn #function(__choice: &#chosen) -> u16 {
                type __Arm = #arms_type;
                match #scrutinee #body
            }
        }
    });
    quote!(#(#functions)*)
}

fn arms_body(place: &Place, choice: &Match) -> TokenStream {
    let arms = choice.arms.iter().enumerate().map(|(number, arm)| {
        let (cfg, number) = (&arm.cfg, u16::try_from(number).unwrap_or(u16::MAX));
        let labels = arm.labels.iter().map(|label| route::pattern(label, "__Arm", place.home));
        let number = {
            let mut literal = proc_macro2::Literal::u16_suffixed(number);
            literal.set_span(arm.last);
            literal
        };
        quote!(#cfg #(#labels)|* => #number,)
    });
    let rest = choice.broken.then(|| quote!(_ => 0,));
    let body = group(Delimiter::Brace, choice.braces, quote!(#(#arms)* #rest));
    quote!(#body)
}

/// Arms that only say whether something was answered fit any answer.
fn is_kind(choice: &Match) -> bool {
    let mut labels = choice.arms.iter().flat_map(|arm| &arm.labels).filter(|label| !label.is_wild()).peekable();
    labels.peek().is_some() && labels.all(|label| ["Accepted", "Declined", "Cancelled"].contains(&label.text().as_str()))
}
