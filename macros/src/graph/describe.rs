//! The graph as data: what checks, pictures, events and docs read.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};

use super::Parts;
use super::aim;
use super::model::{ForkKind, Kind, Model, Origin, RouterId, To};
use super::syntax::last_ident;
use crate::names::unraw;

/// `__TOPOLOGY`, and what can be said of the graph without knowing its state.
pub(crate) fn topology(parts: &Parts<'_>) -> TokenStream {
    let (options, model, name) = (&parts.options, parts.model, &parts.graph.name);
    let (text, docs, version, steps) = (unraw(name), &options.docs, options.version, options.steps);
    let (endless, unreachable) = (options.endless, options.unreachable);
    let (unbounded, elsewhere) = (options.deny.unbounded_loop, options.deny.answer_elsewhere);
    let places = places(parts);
    let (ways, forks) = (ways(model), forks(model));
    let exits = model.exits.iter().map(|exit| {
        let (presence, name) = (&exit.presence, unraw(&exit.name));
        quote!(#presence #name)
    });
    let line = quote_spanned!(name.span()=> ::core::line!());
    // A static: of a constant each assertion would make a copy, and rustc would look through all of it each time.
    quote! {
        const __PLACES: &[__rt::Place] = &[#(#places),*];
        const __WAYS: &[__rt::Way] = &[#(#ways),*];
        static __TOPOLOGY: __rt::Topology = __rt::Topology {
            name: #text,
            version: #version,
            docs: #docs,
            file: ::core::file!(),
            line: #line,
            places: __PLACES,
            forks: &[#(#forks),*],
            ways: __WAYS,
            exits: &[#(#exits),*],
            steps: #steps,
            endless: #endless,
            unreachable: #unreachable,
            lints: __rt::Lints { unbounded_loop: #unbounded, answer_elsewhere: #elsewhere },
        };
    }
}

/// The graph as a node of another one; `judged` if the pass over its topology was made.
pub(crate) fn meta(parts: &Parts<'_>, judged: bool) -> TokenStream {
    let (name, text, docs) = (&parts.graph.name, unraw(&parts.graph.name), &parts.options.docs);
    let facts = judged.then(|| {
        quote!(
            const FACTS: &'static __rt::Facts = &__rt::check::facts(&__ANALYSIS, &__TOPOLOGY);
        )
    });
    quote! {
        #[doc(hidden)]
        impl __rt::NodeMeta for #name {
            const NAME: &'static str = #text;
            const ROLE: __rt::Role = __rt::Role::Graph;
            const DOCS: &'static str = #docs;
            const PAUSES: bool = __TOPOLOGY.pauses();
            const FILE: &'static str = __TOPOLOGY.file;
            const LINE: u32 = __TOPOLOGY.line;
            const GRAPH: ::core::option::Option<&'static __rt::Topology> = ::core::option::Option::Some(&__TOPOLOGY);
            #facts
        }
    }
}

fn places(parts: &Parts<'_>) -> Vec<TokenStream> {
    let one = |(id, place): (usize, &super::model::Place)| {
        let (presence, name, node) = (&place.presence, unraw(&place.name), aim::node(id));
        let title = match &place.title {
            Some(title) => quote!(::core::option::Option::Some(#title)),
            None => quote!(::core::option::Option::None),
        };
        quote!(#presence __rt::Place::at::<#node>(#name, #title))
    };
    parts.model.places.iter().enumerate().map(one).collect()
}

fn router_name(id: RouterId, model: &Model) -> String {
    model.routers.get(id).and_then(|r| last_ident(&r.path)).map(unraw).unwrap_or_default()
}

fn forks(model: &Model) -> Vec<TokenStream> {
    let name = |router: Option<RouterId>| match router.map(|router| router_name(router, model)) {
        Some(name) => quote!(::core::option::Option::Some(#name)),
        None => quote!(::core::option::Option::None),
    };
    let one = |(id, fork): (usize, &super::model::Fork)| {
        let (kind, router, by) = match fork.kind {
            ForkKind::All => (quote!(All), None, None),
            ForkKind::Some { router, .. } => (quote!(Some), Some(router), None),
            ForkKind::Each { router, by } => (quote!(Each), Some(router), by.map(|(by, _)| by)),
        };
        let (cfg, router, by) = (&fork.cfg, name(router), name(by));
        let join = match model.meeting(id) {
            Some(place) => {
                let at = aim::at(place, model);
                quote!(::core::option::Option::Some(#at as u16))
            }
            None => quote!(::core::option::Option::None),
        };
        quote!(#cfg __rt::Fork { kind: __rt::ForkKind::#kind, router: #router, by: #by, join: #join })
    };
    model.forks.iter().enumerate().map(one).collect()
}

fn ways(model: &Model) -> Vec<TokenStream> {
    let one = |way: &super::model::Way| {
        let cfg = &way.cfg;
        let from = match way.from {
            Origin::Start => quote!(Start),
            Origin::Place(id) => {
                let at = aim::at(id, model);
                quote!(Place(#at as u16))
            }
            Origin::Fork(id) => {
                let number = aim::fork_number(id);
                quote!(Fork(#number))
            }
            Origin::Join(id) => {
                let number = aim::fork_number(id);
                quote!(Join(#number))
            }
        };
        let to = match way.to {
            To::Place(id) => {
                let at = aim::at(id, model);
                quote!(Place(#at as u16))
            }
            To::Fork(id) => {
                let number = aim::fork_number(id);
                quote!(Fork(#number))
            }
            To::Join(id) => {
                let number = aim::fork_number(id);
                quote!(Join(#number))
            }
            To::End(id) => {
                let exit = aim::exit(id, model);
                quote!(End(#exit as u16))
            }
            To::Never => quote!(Never),
        };
        let kind = match &way.kind {
            Kind::Always => quote!(Always),
            Kind::If(router) => {
                let (name, router) = (router_name(*router, model), aim::router(*router));
                quote!(If { router: #name, gate: <#router as __rt::RouterMeta>::GATE })
            }
            Kind::Arm { router: Some(router), label } => {
                let name = router_name(*router, model);
                quote!(Arm { router: ::core::option::Option::Some(#name), label: #label })
            }
            Kind::Arm { router: None, label } => quote!(Arm { router: ::core::option::Option::None, label: #label }),
            Kind::Else { at_most, label } => quote!(Else { at_most: #at_most, label: #label }),
            Kind::Branch { label } => quote!(Branch { label: #label }),
            Kind::Error => quote!(Error),
            Kind::Expiry => quote!(Expiry),
        };
        quote!(#cfg __rt::Way { from: __rt::Origin::#from, to: __rt::Target::#to, kind: __rt::WayKind::#kind })
    };
    model.ways.iter().map(one).collect()
}
