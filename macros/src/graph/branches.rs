//! Forks: the items of each, and which branches there are.

use proc_macro2::{Span, TokenStream};
use quote::quote;

use super::Parts;
use super::aim;
use super::model::{Branch, Fork, ForkId, ForkKind, GateId, Model, To};
use super::route::{nowhere, rules};

/// The items of the graph, one variant for each `each`.
pub(crate) fn items(parts: &Parts<'_>) -> Option<TokenStream> {
    let model = parts.model;
    let variants: Vec<_> = model.eaches().map(|(id, fork)| (&fork.cfg, aim::item_variant(id), aim::each(id), id)).collect();
    if variants.is_empty() {
        return None;
    }
    let declared = variants.iter().map(|(cfg, variant, ty, _)| quote!(#cfg #variant(#ty)));
    let declared = parts.open_type("__Item", quote!({ __None, #(#declared),* }));
    let shown = variants.iter().map(|(cfg, variant, ..)| quote!(#cfg Self::#variant(__given) => ::core::fmt::Debug::fmt(__given, __f),));
    let copied = variants
        .iter()
        .map(|(cfg, variant, ..)| quote!(#cfg Self::#variant(__given) => Self::#variant(::core::clone::Clone::clone(__given)),));
    let stored = variants.iter().map(|(cfg, variant, ..)| quote!(#cfg Self::#variant(__given) => __rt::store_item(__given),));
    let loaded = variants.iter().map(|(cfg, variant, _, id)| {
        let fork = aim::fork_variant(*id);
        quote! {
            #cfg
            if __fork == __Fork::#fork as u16 {
                return ::core::result::Result::Ok(Self::#variant(__rt::load_item(__stored)?));
            }
        }
    });
    let (head, bounds) = parts.head(None);
    let never = parts.is_generic().then(|| quote!(_ => ::core::result::Result::Ok(::core::option::Option::None),));
    let (never_shown, never_copied) =
        (parts.is_generic().then(|| quote!(_ => ::core::result::Result::Ok(()),)), parts.is_generic().then(|| quote!(_ => Self::__None,)));
    Some(quote! {
        #declared
        impl #head ::core::fmt::Debug for __Item #bounds {
            fn fmt(&self, __f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                match self { Self::__None => ::core::result::Result::Ok(()), #(#shown)* #never_shown }
            }
        }
        impl #head ::core::clone::Clone for __Item #bounds {
            fn clone(&self) -> Self {
                match self { Self::__None => Self::__None, #(#copied)* #never_copied }
            }
        }
        impl #head __rt::Item for __Item #bounds {
            const NONE: Self = Self::__None;
            fn store(
                &self,
            ) -> ::core::result::Result<
                ::core::option::Option<::std::boxed::Box<__rt::serde_json::value::RawValue>>,
                __rt::serde_json::Error,
            > {
                match self { Self::__None => ::core::result::Result::Ok(::core::option::Option::None), #(#stored)* #never }
            }
            fn load(__fork: u16, __stored: &__rt::serde_json::value::RawValue) -> ::core::result::Result<Self, __rt::serde_json::Error> {
                #(#loaded)*
                ::core::result::Result::Err(__rt::no_item(__fork))
            }
        }
    })
}

/// `fn branches`, `fn joined`, `fn at_once`, where there are forks.
pub(crate) fn functions(parts: &Parts<'_>) -> Option<TokenStream> {
    let model = parts.model;
    if model.forks.is_empty() {
        return None;
    }
    let each = |body: &dyn Fn(ForkId, &Fork) -> TokenStream| -> TokenStream {
        let forks = model.forks.iter().enumerate().map(|(id, fork)| {
            let (cfg, number, body) = (&fork.cfg, aim::fork_number(id), body(id, fork));
            quote!(#cfg if __fork == #number { return #body; })
        });
        quote!(#(#forks)*)
    };
    let branches = each(&|id, fork| branches(id, fork, model));
    let joined = each(&|_, fork| rules(&fork.rules, model));
    let bounded = model.forks.iter().enumerate().filter_map(|(id, fork)| Some((id, fork, at_once(fork, model)?)));
    let bounded: Vec<_> = bounded
        .map(|(id, fork, at_once)| {
            let (cfg, number) = (&fork.cfg, aim::fork_number(id));
            quote!(#cfg if __fork == #number { return #at_once; })
        })
        .collect();
    let at_once = (!bounded.is_empty()).then(|| quote!(fn at_once(__fork: u16) -> u32 { #(#bounded)* 0 }));
    let nowhere = nowhere();
    Some(quote! {
        fn branches(
            __fork: u16,
            __state: &__State,
            __item: &<Self as __rt::Graph>::Item,
            __turn: &__rt::Turn,
        ) -> ::std::vec::Vec<__rt::Branch<Self>> {
            #branches
            ::std::vec::Vec::new()
        }
        fn joined(__fork: u16, __state: &__State, __turn: &__rt::Turn) -> __rt::Next<__At> {
            #joined
            #nowhere
        }
        #at_once
    })
}

/// The bound that stands at the first place of a branch; the smallest, if there are several.
fn at_once(fork: &Fork, model: &Model) -> Option<u32> {
    let firsts = fork.branches.iter().filter_map(|branch| match model.ways.get(branch.way?)?.to {
        To::Place(id) => model.places.get(id)?.policies.at_once,
        _ => None,
    });
    firsts.map(|(_, count)| count).min()
}

/// A block that gives the branches.
fn branches(id: ForkId, fork: &Fork, model: &Model) -> TokenStream {
    let item = quote!(::core::clone::Clone::clone(__item));
    match fork.kind {
        ForkKind::All => {
            let all = fork.branches.iter().map(|branch| {
                let (cfg, branch) = (&branch.cfg, self::branch(branch, &item, model));
                quote!(#cfg __branches.push(#branch);)
            });
            quote!({
                let mut __branches = ::std::vec::Vec::new();
                #(#all)*
                __branches
            })
        }
        ForkKind::Some { router, gate } => {
            let (route, name) = (aim::router_item(router, model, "route"), aim::router(router));
            let (given, numbers) = (aim::given(gate), numbers(gate, model));
            let each = fork.branches.iter().enumerate().map(|(number, branch)| {
                let (cfg, branch) = (&branch.cfg, self::branch(branch, &item, model));
                quote!(#cfg if __chosen.contains(&#number) { __branches.push(#branch); })
            });
            quote!({
                let __chosen = __rt::chosen(<#given as __rt::SomeWays<#name>>::ways(#route(__state, __turn)), |__arm| match __arm { #numbers });
                let mut __branches = ::std::vec::Vec::new();
                #(#each)*
                __branches
            })
        }
        ForkKind::Each { router, by } => {
            let (route, name, variant) = (aim::router_item(router, model, "route"), aim::router(router), aim::item_variant(id));
            let item = quote!(__Item::#variant(__given));
            let one = match by {
                None => fork.branches.first().map(|branch| self::branch(branch, &item, model)),
                Some((by, gate)) => {
                    let (route, numbers) = (aim::router_item(by, model, "route"), numbers(gate, model));
                    let arms = fork.branches.iter().enumerate().map(|(number, branch)| {
                        let (cfg, branch) = (&branch.cfg, self::branch(branch, &item, model));
                        quote!(#cfg #number => #branch,)
                    });
                    let nowhere = quote!(__rt::Branch { way: u16::MAX, to: __rt::To::Never, item: #item });
                    Some(quote!({
                        let __arm = #route(&__given, __turn);
                        match (match __arm { #numbers }) { #(#arms)* _ => #nowhere }
                    }))
                }
            };
            let given = aim::list(id);
            quote!(__rt::for_each(<#given as __rt::Items<#name>>::items(#route(__state, __turn)), |__given| #one))
        }
    }
}

/// The arms of a match that gives the number of the branch.
fn numbers(gate: GateId, model: &Model) -> TokenStream {
    let labels = aim::gate(gate);
    let Some(gate) = model.gates.get(gate) else { return TokenStream::new() };
    let arms = gate.arms.iter().enumerate().map(|(number, arm)| {
        let (cfg, patterns) = (&arm.cfg, arm.labels.iter().map(|label| aim::pattern(label, &labels, Span::call_site())));
        quote!(#cfg #(#patterns)|* => #number,)
    });
    let rest = gate.broken.then(|| quote!(_ => usize::MAX,));
    quote!(#(#arms)* #rest)
}

fn branch(branch: &Branch, item: &TokenStream, model: &Model) -> TokenStream {
    let way = branch.way.and_then(|id| Some((id, model.ways.get(id)?)));
    let (way, to) = way.map_or((quote!(u16::MAX), quote!(__rt::To::Never)), |(id, way)| (aim::way_number(id), aim::to(way.to, model)));
    quote!(__rt::Branch { way: #way, to: #to, item: #item })
}
