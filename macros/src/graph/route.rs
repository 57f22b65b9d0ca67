//! Routing: the ways of one place as code, tried in the order written.

use proc_macro2::{Span, TokenStream};
use quote::quote;

use super::aim;
use super::model::{Budget, By, Match, Model, Place, PlaceId, RouterId, Rule, Then, To, WayId};

/// Nowhere: only reached where a `#[cfg]` took every way away, which the pass over the topology refuses.
pub(crate) fn nowhere() -> TokenStream {
    quote!(__rt::Next { to: __rt::To::Never, way: u16::MAX, budget: ::core::option::Option::None })
}

/// Where to go from a place.
pub(crate) fn next(id: PlaceId, place: &Place, model: &Model) -> TokenStream {
    let rules = rules(&place.rules, model);
    if !place.choices().any(|choice| matches!(choice.by, By::Exit(_))) {
        return rules;
    }
    // The number is that of the exit by which the mounted graph was left.
    let (graph, nowhere) = (aim::mounted(id, place), nowhere());
    quote!({
        let ::core::option::Option::Some(__exit) = <#graph as __rt::Graph>::exit(__arm) else { return #nowhere };
        #rules
    })
}

/// `fn on_error` and `fn on_expiry`, where there are such ways.
pub(crate) fn on(model: &Model) -> TokenStream {
    [(false, quote!(on_error)), (true, quote!(on_expiry))]
        .into_iter()
        .map(|(expiry, function)| {
            let arms: Vec<TokenStream> = model
                .places
                .iter()
                .enumerate()
                .flat_map(|(id, place)| place.on.iter().filter(|on| on.expiry == expiry).map(move |on| (id, on)))
                .map(|(id, on)| {
                    let (cfg, at, next) = (&on.cfg, aim::at(id, model), way_taken(on.way, false, model));
                    quote!(#cfg #at => ::core::option::Option::Some(#next),)
                })
                .collect();
            if arms.is_empty() {
                return TokenStream::new();
            }
            quote! {
                fn #function(__at: __At) -> ::core::option::Option<__rt::Next<__At>> {
                    match __at { #(#arms)* _ => ::core::option::Option::None }
                }
            }
        })
        .collect()
}

/// A block that gives the `Next`.
pub(crate) fn rules(rules: &[Rule], model: &Model) -> TokenStream {
    let mut body = TokenStream::new();
    for rule in rules {
        let (cfg, then) = (&rule.cfg, then(&rule.then, model));
        match rule.condition.and_then(|id| Some((id, model.conditions.get(id)?.router))) {
            Some((id, router)) => {
                let (given, name, route) = (aim::condition(id), aim::router(router), route_call(router, model));
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
        Then::Go { way, budget: None } => way_taken(*way, false, model),
        Then::Go { way, budget: Some(budget) } => {
            let Budget { at_most, other } = *budget;
            let taken = way_taken(*way, true, model);
            let other = other.map_or_else(nowhere, |way| way_taken(way, false, model));
            let number = aim::way_number(*way);
            quote!(if __turn.taken(#number) < #at_most { #taken } else { #other })
        }
        Then::Match(choice) => match choice.by {
            By::Router(router) => by_router(choice, router, model),
            By::Choice(_) => by_choice(choice, model),
            By::Exit(_) => by_exit(choice, model),
            By::Some(_) => nowhere(),
        },
    }
}

/// `counts`: the way has a budget, which goes by the way's number.
fn way_taken(way: WayId, counts: bool, model: &Model) -> TokenStream {
    let to = aim::to(model.ways.get(way).map_or(To::Never, |way| way.to), model);
    let number = aim::way_number(way);
    let budget = if counts { quote!(::core::option::Option::Some(#number)) } else { quote!(::core::option::Option::None) };
    quote!(__rt::Next { to: #to, way: #number, budget: #budget })
}

fn route_call(router: RouterId, model: &Model) -> TokenStream {
    let route = aim::router_item(router, model, "route");
    quote!(#route(__state, __turn))
}

/// As a router says.
fn by_router(choice: &Match, router: RouterId, model: &Model) -> TokenStream {
    let Some(gate) = model.gates.get(choice.gate) else { return nowhere() };
    let (route, labels) = (route_call(router, model), aim::gate(choice.gate));
    let arms = gate.arms.iter().zip(&choice.arms).map(|(arm, (cfg, arm_then))| {
        let patterns = arm.labels.iter().map(|label| aim::pattern(label, &labels, Span::call_site()));
        let then = then(arm_then, model);
        quote!(#cfg #(#patterns)|* => #then,)
    });
    let rest = gate.broken.then(nowhere).map(|nowhere| quote!(_ => #nowhere,));
    quote!({ let __arm: #labels = #route; match __arm { #(#arms)* #rest } })
}

/// By the exit that the mounted graph took.
fn by_exit(choice: &Match, model: &Model) -> TokenStream {
    let Some(gate) = model.gates.get(choice.gate) else { return nowhere() };
    let labels = aim::gate(choice.gate);
    let arms = gate.arms.iter().zip(&choice.arms).map(|(arm, (cfg, arm_then))| {
        let patterns = arm.labels.iter().map(|label| aim::pattern(label, &labels, Span::call_site()));
        let then = then(arm_then, model);
        quote!(#cfg #(#patterns)|* => #then,)
    });
    let rest = gate.broken.then(nowhere).map(|nowhere| quote!(_ => #nowhere,));
    quote!(match __exit { #(#arms)* #rest })
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
