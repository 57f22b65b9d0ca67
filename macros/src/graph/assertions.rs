//! The pass over the topology, and what it found, said at the user's own words.
//!
//! One constant for each place holds all that may be wrong there, so that a graph costs the compiler one body for each place,
//! and not one for each way. Of several mistakes at one place the first is told.

use std::collections::BTreeMap;

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote};

use super::Parts;
use super::aim;
use super::model::{Fork, ForkId, Model, On, Origin, PlaceId, Rule};
use super::policies;
use super::syntax::Extent;
use crate::messages;
use crate::names::unraw;

/// What is asked of the ways, by where they come from.
type Ways = BTreeMap<Origin, TokenStream>;

/// Spanned at what they are about.
pub(crate) fn assertions(parts: &Parts<'_>) -> TokenStream {
    let (model, (points, ways), said) = (parts.model, bounds(parts), ways(parts.model));
    let (after, parallel) = if parts.is_generic() { (None, None) } else { (Some(quote!(let _ = __FULL;)), parallel(parts)) };
    let open = open(&model.start, Extent::of(parts.graph.name.span()), "start");
    let start = said.get(&Origin::Start).map(|calls| quote!(#open #calls));
    let start = start.map(|calls| constant(&TokenStream::new(), &Ident::new("start", Span::mixed_site()), &calls));
    let places = model.places.iter().enumerate().map(|(id, place)| constant(&place.presence, &place.name, &of_place(id, parts, &said)));
    let forks = model.forks.iter().enumerate().map(|(id, fork)| {
        // Two forks have the same name, since they have none.
        let (cfg, one) = (&fork.cfg, constant(&TokenStream::new(), &this("fork"), &of_fork(id, parts, &said)));
        quote!(#cfg const _: () = { #one };)
    });
    let whole = call(Extent::of(parts.graph.name.span()), &["__rt", "check", "whole"], &quote!(&__ANALYSIS, &__TOPOLOGY));
    let whole = constant(&TokenStream::new(), &this("graph"), &whole);
    let policies = model.places.iter().enumerate().map(|(id, place)| policies::assertions(id, place));
    // Statics, for a constant is read through and checked anew by each assertion that refers to it: of 2,000 places, a minute.
    quote! {
        static __ANALYSIS: __rt::check::Analysis<#points, #ways> = {
            #after
            __rt::check::analyze(&__TOPOLOGY)
        };
        #parallel
        // Calls of these, which take one word, cost the compiler half of what calls of the generic ones do.
        #[track_caller]
        const fn __place(__at: __At) { __rt::check::place(&__ANALYSIS, &__TOPOLOGY, __at as usize) }
        #[track_caller]
        const fn __way(__way: __Way) { __rt::check::way(&__ANALYSIS, &__TOPOLOGY, __way as usize) }
        // In a scope of their own: a function that the user wrote may have the name of a place, and a place any name.
        const _: () = { #(#places)* };
        const _: () = { #start };
        const _: () = { #whole };
        #(#forks)*
        #(#policies)*
    }
}

/// What runs at once, and writes.
fn parallel(parts: &Parts<'_>) -> Option<TokenStream> {
    let ((points, _), writes) = (bounds(parts), writes(parts));
    (!parts.model.forks.is_empty()).then(|| {
        quote! {
            static __PARALLEL: __rt::check::Parallel<#points> =
                __rt::check::parallel(&__ANALYSIS, &__TOPOLOGY, #writes, <__State as __rt::State>::FIELDS);
        }
    })
}

fn of_place(id: PlaceId, parts: &Parts<'_>, said: &Ways) -> TokenStream {
    let model = parts.model;
    let Some(place) = model.places.get(id) else { return TokenStream::new() };
    let at = aim::at(id, model);
    let itself = call(place.mention, &["__place"], &at);
    let ways = said.get(&Origin::Place(id));
    let name = unraw(&place.name);
    let (open, on) = (open(&place.rules, place.mention, &name), once(&place.on, &name));
    let mount = place.mount.as_ref().map(|_| {
        let (node, first) = (aim::node(id), place.rules.first());
        let plain = first.filter(|_| place.choices().next().is_none());
        let one_exit = plain.map(|rule| call(rule.source, &["__rt", "policy", "one_exit"], &quote!(&__rt::Place::of::<#node>())));
        // A mounted graph with parameters is concrete here for the first time.
        let concrete = (!parts.is_generic()).then(|| aim::node_item(id, place, aim::first(place), "CONCRETE"));
        let concrete = concrete.map(|concrete| quote!(let () = #concrete;));
        let some_exit = call(place.mention, &["__rt", "policy", "some_exit"], &quote!(&__rt::Place::of::<#node>()));
        quote!(#some_exit #one_exit #concrete)
    });
    quote!(#itself #open #on #ways #mount)
}

fn of_fork(id: ForkId, parts: &Parts<'_>, said: &Ways) -> TokenStream {
    let (model, number) = (parts.model, aim::fork_number(id));
    let Some(fork) = model.forks.get(id) else { return TokenStream::new() };
    let itself = call(fork.extent, &["__rt", "check", "fork"], &quote!(&__ANALYSIS, &__TOPOLOGY, #number as usize));
    let (ways, behind) = (said.get(&Origin::Fork(id)), said.get(&Origin::Join(id)));
    let writes =
        (!parts.is_generic()).then(|| call(fork.extent, &["__rt", "check", "writes"], &quote!(&__PARALLEL, &__TOPOLOGY, #number as usize)));
    let open = open(&fork.rules, fork.extent, "the join");
    let some = some_branch(fork);
    quote!(#itself #some #open #ways #behind #writes)
}

/// Which ways are there is known to rustc alone where they stand under `#[cfg]`: the last one is always open, and it alone.
fn open(rules: &[Rule], at: Extent, name: &str) -> Option<TokenStream> {
    let under_cfg = rules.iter().any(|rule| !rule.cfg.is_always());
    under_cfg.then(|| {
        let each = rules.iter().map(|rule| {
            let (cfg, open) = (&rule.cfg, rule.is_open());
            let text = if open { messages::two_ways(name) } else { messages::way_after_open(name) };
            let refused = refused(rule.lead(), &quote!(__open), &text);
            quote!(#cfg { #refused __some = true; __open |= #open; })
        });
        // Where none is left at all, the pass over the topology says so.
        let none = refused(at, &quote!(__some && !__open), &messages::only_conditions(name));
        quote!({ let (mut __some, mut __open) = (false, false); #(#each)* #none })
    })
}

/// Of `a -> b on error; a -> c on error;` one at most is there.
fn once(on: &[On], name: &str) -> Option<TokenStream> {
    (on.len() > 1).then(|| {
        let each = on.iter().map(|on| {
            let (cfg, word) = (&on.cfg, if on.expiry { "expiry" } else { "error" });
            let taken = format_ident!("__{word}");
            let refused = refused(Extent::of(on.at), &quote!(#taken), &messages::two_on(name, word));
            quote!(#cfg { #refused #taken = true; })
        });
        quote!({ let (mut __error, mut __expiry) = (false, false); #(#each)* })
    })
}

/// A branch is left of a fork.
fn some_branch(fork: &Fork) -> Option<TokenStream> {
    fork.branches.iter().all(|branch| !branch.cfg.is_always()).then(|| {
        let each = fork.branches.iter().map(|branch| {
            let cfg = &branch.cfg;
            quote!(#cfg { __some = true; })
        });
        let none = refused(fork.extent, &quote!(!__some), &messages::empty_fork());
        quote!({ let mut __some = false; #(#each)* #none })
    })
}

/// A mistake that the macro would tell, did it know of each `#[cfg]` whether it holds.
fn refused(at: Extent, wrong: &TokenStream, text: &str) -> TokenStream {
    let text = text.replace("\nhelp:", "\n  help:");
    call(at, &["__rt", "check", "refuse_if"], &quote!(#wrong, #text))
}

/// The ways, by where they come from.
fn ways(model: &Model) -> Ways {
    let mut ways = Ways::new();
    for (id, way) in model.ways.iter().enumerate() {
        let (cfg, variant) = (&way.cfg, aim::way_variant(id));
        let call = call(way.extent, &["__way"], &quote!(__Way::#variant));
        ways.entry(way.from).or_default().extend(quote!(#cfg { #call }));
    }
    ways
}

/// The sizes of the analysis: places and forks together, and ways.
pub(crate) fn bounds(parts: &Parts<'_>) -> (usize, usize) {
    (parts.model.places.len() + parts.model.forks.len(), parts.model.ways.len())
}

/// What each place may write.
pub(crate) fn writes(parts: &Parts<'_>) -> TokenStream {
    let each = parts.model.places.iter().enumerate().map(|(id, place)| {
        let (presence, writes) = (&place.presence, aim::node_item(id, place, aim::first(place), "WRITES"));
        quote!(#presence #writes)
    });
    quote!(&[#(#each),*])
}

/// rustc underlines a call from its first to its last token and prints the name of the constant:
/// ```text
/// error[E0080]: evaluation panicked: ..
///     plan -> call_tools;
///     ^^^^^^^^^^^^^^^^^^ evaluation of `_::_::plan` failed here
/// ```
fn constant(cfg: &impl ToTokens, name: &Ident, calls: &TokenStream) -> TokenStream {
    quote!(#cfg const #name: () = { #calls };)
}

fn call(at: Extent, path: &[&str], arguments: &TokenStream) -> TokenStream {
    let call = aim::call(at, path, arguments.clone());
    quote!(#call;)
}

fn this(what: &str) -> Ident {
    Ident::new(&format!("this_{what}"), Span::mixed_site())
}
