//! Routing: the ways of one place as code, tried in the order written.

use proc_macro2::{Span, TokenStream};
use quote::quote;

use super::aim;
use super::model::{Budget, By, Match, Model, RouterId, Rule, Then, To, WayId};

/// Nowhere: only reached where a `#[cfg]` took every way away, which the pass over the topology refuses.
fn nowhere() -> TokenStream {
    quote!(__rt::Next { to: __rt::To::Never, way: u16::MAX, budget: ::core::option::Option::None })
}

/// A block that gives the `Next`.
pub(crate) fn rules(rules: &[Rule], model: &Model) -> TokenStream {
    let mut body = TokenStream::new();
    for rule in rules {
        let (cfg, then) = (&rule.cfg, then(&rule.then, model));
        match rule.condition.and_then(|id| Some((id, model.conditions.get(id)?.router))) {
            Some((id, router)) => {
                let (given, name, route) = (aim::condition(id), aim::router(router), route_call(router));
                body.extend(quote! {
                    #cfg {
                        let __given: #given = #route;
                        if __rt::Guard::<#name>::holds(__given) { return #then; }
                    }
                });
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

fn then(then: &Then, model: &Model) -> TokenStream {
    match then {
        Then::Hole => nowhere(),
        Then::Go { way, budget: None } => next(*way, false, model),
        Then::Go { way, budget: Some(budget) } => {
            let Budget { at_most, other } = *budget;
            let taken = next(*way, true, model);
            let other = other.map_or_else(nowhere, |way| next(way, false, model));
            let number = aim::way_number(*way);
            quote!(if __turn.taken(#number) < #at_most { #taken } else { #other })
        }
        Then::Match(choice) => match choice.by {
            By::Router(router) => by_router(choice, router, model),
            By::Choice(_) => by_choice(choice, model),
        },
    }
}

/// `counts`: the way has a budget, which goes by the way's number.
fn next(way: WayId, counts: bool, model: &Model) -> TokenStream {
    let to = aim::to(model.ways.get(way).map_or(To::Never, |way| way.to), model);
    let number = aim::way_number(way);
    let budget = if counts { quote!(::core::option::Option::Some(#number)) } else { quote!(::core::option::Option::None) };
    quote!(__rt::Next { to: #to, way: #number, budget: #budget })
}

fn route_call(router: RouterId) -> TokenStream {
    let route = aim::router_item(router, "route");
    quote!(#route(__state, __turn))
}

/// As a router says.
fn by_router(choice: &Match, router: RouterId, model: &Model) -> TokenStream {
    let Some(gate) = model.gates.get(choice.gate) else { return nowhere() };
    let (route, labels) = (route_call(router), aim::gate(choice.gate));
    let arms = gate.arms.iter().zip(&choice.arms).map(|(arm, (cfg, arm_then))| {
        let patterns = arm.labels.iter().map(|label| aim::pattern(label, &labels, Span::call_site()));
        let then = then(arm_then, model);
        quote!(#cfg #(#patterns)|* => #then,)
    });
    let rest = gate.broken.then(nowhere).map(|nowhere| quote!(_ => #nowhere,));
    quote!({ let __arm: #labels = #route; match __arm { #(#arms)* #rest } })
}

/// The number that `run` or `resume` gave.
fn by_choice(choice: &Match, model: &Model) -> TokenStream {
    let arms = choice.arms.iter().zip(0_u16..).map(|((cfg, arm_then), number)| {
        let then = then(arm_then, model);
        quote!(#cfg #number => #then,)
    });
    let nowhere = nowhere();
    quote!(match __arm { #(#arms)* _ => #nowhere })
}
