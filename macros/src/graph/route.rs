//! Routing: the ways of one place as code, tried in the order written.

use proc_macro2::{Delimiter, Ident, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};

use super::aim;
use super::contracts;
use super::model::{Budget, Guard, Match, Model, Rule, Then, To, WayId};
use super::syntax::{Label, path_extent};
use crate::spans::group;

/// Nowhere: only reached where a `#[cfg]` took every way away, which the pass over the topology refuses.
fn nowhere() -> TokenStream {
    quote!(__rt::Next { to: __rt::To::Never, way: u16::MAX, budget: ::core::option::Option::None })
}

/// A block that gives the `Next`.
pub(crate) fn rules(rules: &[Rule], model: &Model) -> TokenStream {
    let mut body = TokenStream::new();
    for rule in rules {
        let (cfg, then) = (&rule.cfg, then(&rule.then, model, rule.source.last));
        match &rule.guard {
            Some(guard) => {
                let holds = guard_holds(guard);
                body.extend(quote!(#cfg if #holds { return #then; }));
            }
            None if rule.hole => {}
            // The last word: nothing behind it is tried.
            None if cfg.is_always() => {
                body.extend(then);
                return quote!({ #body });
            }
            None => body.extend(quote!(#cfg { return #then; })),
        }
    }
    body.extend(nowhere());
    quote!({ #body })
}

/// `last` is the last token of what is written.
fn then(then: &Then, model: &Model, last: Span) -> TokenStream {
    match then {
        Then::Hole => nowhere(),
        Then::Go { way, budget: None } => next(*way, None, model, last),
        Then::Go { way, budget: Some(budget) } => {
            let Budget { number, at_most, other } = *budget;
            let taken = next(*way, Some(number), model, last);
            let other = other.map_or_else(nowhere, |way| next(way, None, model, last));
            let number = usize::from(number);
            quote!(if __turn.taken(#number) < #at_most { #taken } else { #other })
        }
        Then::Match(choice) => match &choice.router {
            Some(guard) => by_router(choice, guard, model),
            None => by_choice(choice, model),
        },
    }
}

fn next(way: WayId, budget: Option<u16>, model: &Model, last: Span) -> TokenStream {
    let to = aim::to(model.ways.get(way).map_or(To::Never, |way| way.to), model);
    let number = aim::way_number(way);
    let budget = match budget {
        Some(number) => quote!(::core::option::Option::Some(#number)),
        None => quote!(::core::option::Option::None),
    };
    let fields = group(Delimiter::Brace, last, quote!(to: #to, way: #number, budget: #budget));
    quote_spanned!(last=> __rt::Next #fields)
}

fn route_call(guard: &Guard) -> TokenStream {
    let route = aim::router_item(guard.router, "route");
    quote!(#route(__state, __turn))
}

/// `if done`: one error at `done` if it does not say yes or no.
fn guard_holds(guard: &Guard) -> TokenStream {
    let at = path_extent(&guard.mention);
    let router = aim::router(guard.router);
    let path = quote_spanned!(at.first=> __rt::Guard::<#router>::holds);
    let argument = group(Delimiter::Parenthesis, at.last, route_call(guard));
    quote!(#path #argument)
}

/// `match next { Again => .. }`: rustc says at `next` which variant is missing, and where it would write it.
fn by_router(choice: &Match, guard: &Guard, model: &Model) -> TokenStream {
    let at = path_extent(&guard.mention);
    let arms = choice.arms.iter().map(|arm| {
        let (cfg, then) = (&arm.cfg, then(&arm.then, model, arm.last));
        let labels = arm.labels.iter().map(|label| pattern(label, "__Out", at.last));
        quote!(#cfg #(#labels)|* => #then,)
    });
    let rest = choice.broken.then(nowhere).map(|nowhere| quote!(_ => #nowhere,));
    let body = group(Delimiter::Brace, choice.braces, quote!(#(#arms)* #rest));
    if choice.arms.iter().flat_map(|arm| &arm.labels).any(|label| matches!(label, Label::Bool(_))) {
        let holds = guard_holds(guard);
        return quote!(match #holds #body);
    }
    let (router, out) = (aim::router(guard.router), aim::router_item(guard.router, "Out"));
    let one_way = quote_spanned!(at.last=> OneWay<#router>);
    let asked = contracts::question(at, &format_ident!("__Written"), &one_way, "WAY");
    // A block: its braces stand at the router's name.
    let scrutinee = group(Delimiter::Brace, at.last, route_call(guard));
    quote!({
        type __Out = <#out as __rt::Sound<{
            type __Written = #out;
            let _ = #asked;
            true
        }>>::It;
        match #scrutinee #body
    })
}

/// The number that `run` or `resume` gave.
fn by_choice(choice: &Match, model: &Model) -> TokenStream {
    let arms = choice.arms.iter().enumerate().map(|(number, arm)| {
        let (cfg, number, then) = (&arm.cfg, u16::try_from(number).unwrap_or(u16::MAX), then(&arm.then, model, arm.last));
        quote!(#cfg #number => #then,)
    });
    let nowhere = nowhere();
    quote!(match __arm { #(#arms)* _ => #nowhere })
}

/// A label as a pattern: a bare one is looked up in `of`, which stands at `at`.
pub(crate) fn pattern(label: &Label, of: &str, at: Span) -> TokenStream {
    match label {
        Label::Path(path) if path.segments.len() > 1 || path.leading_colon.is_some() => quote!(#path),
        Label::Path(path) => {
            let of = Ident::new(of, at);
            let colons = quote_spanned!(at=> ::);
            quote!(#of #colons #path)
        }
        Label::Bool(lit) => quote!(#lit),
        Label::Wild(token) => quote!(#token),
        // Refused: the rest of the match stands for it.
        Label::End(_) => quote!(_),
    }
}
