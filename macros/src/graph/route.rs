//! Routing: the ways of one place as code, tried in the order written.

use proc_macro2::{Delimiter, Ident, Span, TokenStream};
use quote::{quote, quote_spanned};

use super::aim;
use super::model::{Budget, Guard, Match, Model, Rule, Then, To, WayId};
use super::syntax::{Extent, Label, path_extent};
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
                let holds = guard_holds(guard, model);
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
        Then::Go { way, budget: None } => next(*way, false, model, last),
        Then::Go { way, budget: Some(budget) } => {
            let Budget { at_most, other } = *budget;
            let taken = next(*way, true, model, last);
            let other = other.map_or_else(nowhere, |way| next(way, false, model, last));
            let number = aim::way_number(*way);
            quote!(if __turn.taken(#number) < #at_most { #taken } else { #other })
        }
        Then::Match(choice) => match &choice.router {
            Some(guard) => by_router(choice, guard, model),
            None => by_choice(choice, model),
        },
    }
}

/// `counts`: the way has a budget, which goes by the way's number.
fn next(way: WayId, counts: bool, model: &Model, last: Span) -> TokenStream {
    let to = aim::to(model.ways.get(way).map_or(To::Never, |way| way.to), model);
    let number = aim::way_number(way);
    let budget = if counts { quote!(::core::option::Option::Some(#number)) } else { quote!(::core::option::Option::None) };
    let fields = group(Delimiter::Brace, last, quote!(to: #to, way: #number, budget: #budget));
    quote_spanned!(last=> __rt::Next #fields)
}

fn route_call(guard: &Guard, model: &Model) -> TokenStream {
    let route = aim::router_item(guard.router, model, "route");
    quote!(#route(__state, __turn))
}

/// `if done`: one error at `done` if it does not say yes or no.
fn guard_holds(guard: &Guard, model: &Model) -> TokenStream {
    let Extent { first, last } = path_extent(&guard.mention);
    let (route, alias) = (route_call(guard, model), aim::router_alias(guard.router, last));
    let path = quote_spanned!(first=> __rt::Guard::<#alias>::holds);
    let argument = group(Delimiter::Parenthesis, last, route);
    quote!(#path #argument)
}

/// `match next { Again => .. }`: rustc says at `next` which variant is missing, and where it would write it.
fn by_router(choice: &Match, guard: &Guard, model: &Model) -> TokenStream {
    let home = aim::router_home(guard.router, model);
    let yes_or_no = choice.arms.iter().flat_map(|arm| &arm.labels).any(|label| matches!(label, Label::Bool(_)));
    let scrutinee = if yes_or_no {
        guard_holds(guard, model)
    } else {
        // A block: its braces stand at the router's name here, while the words in it stand at its first mention.
        let block = group(Delimiter::Brace, path_extent(&guard.mention).last, route_call(guard, model));
        quote!(#block)
    };
    let arms = choice.arms.iter().map(|arm| {
        let (cfg, then) = (&arm.cfg, then(&arm.then, model, arm.last));
        let labels = arm.labels.iter().map(|label| pattern(label, "__Out", home));
        quote!(#cfg #(#labels)|* => #then,)
    });
    let rest = choice.broken.then(nowhere).map(|nowhere| quote!(_ => #nowhere,));
    let body = group(Delimiter::Brace, choice.braces, quote!(#(#arms)* #rest));
    let (out, alias) = (aim::router_item(guard.router, model, "Out"), aim::router_alias(guard.router, home.last));
    let open = quote_spanned!(home.first=> <);
    let out = quote_spanned!(home.last=> #open #out as __rt::OneWay<#alias>>::Way);
    quote!({ type __Out = #out; match #scrutinee #body })
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

/// A label as a pattern: a bare one is looked up in `of`, which stands where rustc is asked for it.
pub(crate) fn pattern(label: &Label, of: &str, home: Extent) -> TokenStream {
    match label {
        Label::Path(path) if path.segments.len() > 1 || path.leading_colon.is_some() => quote!(#path),
        Label::Path(path) => {
            let of = Ident::new(of, home.last);
            let colons = quote_spanned!(home.last=> ::);
            quote!(#of #colons #path)
        }
        Label::Bool(lit) => quote!(#lit),
        Label::Wild(token) => quote!(#token),
        // Refused: the rest of the match stands for it.
        Label::End(_) => quote!(_),
    }
}
