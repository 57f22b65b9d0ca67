//! What the facts ask of the driver, as constants.

use std::time::Duration;

use proc_macro2::{Span, TokenStream};
use quote::quote;

use super::Parts;
use super::aim;
use super::model::{Place, PlaceId, Policies};
use super::syntax::Extent;

/// `fn policy`, where anything is asked.
pub(crate) fn function(parts: &Parts<'_>) -> Option<TokenStream> {
    let model = parts.model;
    let of_all = asked(&model.of_all);
    let arms: Vec<TokenStream> = model
        .places
        .iter()
        .enumerate()
        .filter_map(|(id, place)| {
            let own = asked(&place.policies);
            let policy = match (&own, &of_all) {
                (None, None) => return None,
                (own, all) => {
                    let (own, all) = (own.clone().unwrap_or_else(none), all.clone().unwrap_or_else(none));
                    let node = aim::node(id);
                    quote!(__rt::Policy::of(#own, #all, &__rt::Place::of::<#node>()))
                }
            };
            let (presence, at) = (&place.presence, aim::at(id, model));
            Some(quote!(#presence #at => { const __POLICY: &__rt::Policy = &#policy; __POLICY }))
        })
        .collect();
    let keys: Vec<TokenStream> = model
        .places
        .iter()
        .enumerate()
        .filter_map(|(id, place)| {
            let cache = place.policies.cache?;
            let (presence, at, route) = (&place.presence, aim::at(id, model), aim::router_item(cache.key, model, "route"));
            let (given, router) = (aim::key(id), aim::router(cache.key));
            Some(quote!(#presence #at => ::core::option::Option::Some(<#given as __rt::CacheKey<#router>>::key(#route(__state, __turn))),))
        })
        .collect();
    let cache_key = (!keys.is_empty()).then(|| {
        quote! {
            fn cache_key(__at: __At, __state: &__State, __turn: &__rt::Turn) -> ::core::option::Option<::std::string::String> {
                match __at { #(#keys)* _ => ::core::option::Option::None }
            }
        }
    });
    (!arms.is_empty()).then(|| {
        quote! {
            #cache_key
            fn policy(__at: __At) -> &'static __rt::Policy {
                match __at { #(#arms)* _ => &__rt::Policy::NONE }
            }
        }
    })
}

/// Policies that a place of this role cannot have, spanned at their words.
pub(crate) fn assertions(id: PlaceId, place: &Place) -> TokenStream {
    let (presence, node) = (&place.presence, aim::node(id));
    let policies = &place.policies;
    let said = [
        (policies.retry.map(|(at, _)| at), "retry"),
        (policies.timeout.map(|(at, _)| at), "timeout"),
        (policies.expires.map(|(at, _)| at), "expires"),
        (policies.cache.map(|cache| cache.at.first), "cache"),
    ];
    let said = said.into_iter().filter_map(|(at, check)| Some((at?, check)));
    let on = place.on.iter().filter(|on| on.expiry).map(|on| (on.at, "expires"));
    let each = said.chain(on).map(|(at, check)| {
        let name = proc_macro2::Ident::new("this_policy", Span::mixed_site());
        let call = aim::call(Extent::of(at), &["__rt", "policy", check], quote!(&__rt::Place::of::<#node>()));
        quote!(#presence const _: () = { const #name: () = #call; };)
    });
    quote!(#(#each)*)
}

fn none() -> TokenStream {
    quote!(__rt::Policy::NONE)
}

/// A policy as written; nothing if nothing is.
fn asked(policies: &Policies) -> Option<TokenStream> {
    let Policies { retry, timeout, expires, cache, was, .. } = policies;
    let cache = cache.map(|cache| cache.keep);
    if retry.is_none() && timeout.is_none() && expires.is_none() && cache.is_none() && was.is_empty() {
        return None;
    }
    let retry = retry.map(|(_, retry)| {
        let (times, backoff, limit) = (retry.times, option(retry.backoff), option(retry.limit));
        quote!(__rt::Retry::new(#times, #backoff, #limit))
    });
    let retry = match retry {
        Some(retry) => quote!(::core::option::Option::Some(#retry)),
        None => quote!(::core::option::Option::None),
    };
    let (timeout, expires, cache) = (option(timeout.map(|(_, limit)| limit)), option(expires.map(|(_, limit)| limit)), option(cache));
    Some(quote!(__rt::Policy { retry: #retry, timeout: #timeout, expires: #expires, cache: #cache, was: &[#(#was),*] }))
}

fn option(duration: Option<Duration>) -> TokenStream {
    match duration.map(|duration| u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)) {
        Some(millis) => quote!(::core::option::Option::Some(::core::time::Duration::from_millis(#millis))),
        None => quote!(::core::option::Option::None),
    }
}
