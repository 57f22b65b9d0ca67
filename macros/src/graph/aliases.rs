//! The names of ours: for every type that the user named, and for every type that follows from one.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, format_ident, quote};

use super::Parts;
use super::aim;
use super::model::{By, ForkKind, Gate};
use super::mounts;

/// `type name = ty;`
pub(crate) struct Alias {
    pub(crate) cfg: TokenStream,
    pub(crate) name: Ident,
    pub(crate) ty: TokenStream,
    /// Whether it cannot be told without knowing the state and the dependencies.
    pub(crate) depends: bool,
}

impl ToTokens for Alias {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        let Self { cfg, name, ty, .. } = self;
        tokens.extend(quote!(#cfg type #name = #ty;));
    }
}

/// All of them, each after those that it is made of.
pub(crate) fn all(parts: &Parts<'_>) -> Vec<Alias> {
    let (model, none) = (parts.model, TokenStream::new());
    let (state, deps) = (&parts.graph.state, &parts.graph.deps);
    let alias = |cfg: &dyn ToTokens, name: Ident, ty: TokenStream, depends: bool| Alias { cfg: cfg.to_token_stream(), name, ty, depends };
    let mut all =
        vec![alias(&none, format_ident!("__State"), quote!(#state), true), alias(&none, format_ident!("__Deps"), quote!(#deps), true)];
    all.extend(parts.options.input.as_ref().map(|ty| alias(&none, format_ident!("__Input"), quote!(#ty), true)));
    all.extend(parts.options.output.as_ref().map(|ty| alias(&none, format_ident!("__Output"), quote!(#ty), true)));
    all.extend(parts.options.settings.as_ref().map(|ty| alias(&none, format_ident!("__Settings"), quote!(#ty), true)));
    for (id, place) in model.places.iter().enumerate() {
        let path = place.written();
        if place.is_fitted() {
            let fitted = mounts::fitted_name(id);
            all.push(alias(&place.presence, mounts::part_name(id), quote!(#path), false));
            all.push(alias(&place.presence, aim::node(id), quote!(#fitted), false));
        } else {
            all.push(alias(&place.presence, aim::node(id), quote!(#path), false));
        }
    }
    for (id, router) in model.routers.iter().enumerate() {
        let path = &router.path;
        all.push(alias(&router.presence, aim::router(id), quote!(#path), false));
    }
    for (id, fork) in model.eaches() {
        let ForkKind::Each { router, .. } = fork.kind else { continue };
        let (given, name) = (aim::list(id), aim::router(router));
        all.push(alias(&fork.cfg, given.clone(), aim::router_item(router, model, "Out"), true));
        all.push(alias(&fork.cfg, aim::each(id), quote!(<#given as __rt::Items<#name>>::Item), true));
    }
    for (id, gate) in model.gates.iter().enumerate() {
        let name = aim::given(id);
        all.push(alias(&gate.cfg, name.clone(), given(gate, parts), true));
        all.push(alias(&gate.cfg, aim::gate(id), labels(gate, &name), true));
    }
    for (id, place) in model.places.iter().enumerate() {
        let Some(cache) = place.policies.cache else { continue };
        all.push(alias(&place.presence, aim::key(id), aim::router_item(cache.key, model, "Out"), true));
    }
    for (id, condition) in model.conditions.iter().enumerate() {
        all.push(alias(&condition.cfg, aim::condition(id), aim::router_item(condition.router, model, "Out"), true));
    }
    all
}

/// What a `match` looks at.
pub(crate) fn given(gate: &Gate, parts: &Parts<'_>) -> TokenStream {
    let place = |id: usize| parts.model.places.get(id);
    match gate.by {
        By::Router(id) | By::Some(id) => aim::router_item(id, parts.model, "Out"),
        By::Choice(id) => place(id).map(|place| aim::node_choice(id, place)).unwrap_or_default(),
        By::Exit(id) => place(id).map(|place| aim::mounted(id, place)).unwrap_or_default(),
    }
}

/// The type of the labels, made of the name of what is matched on.
pub(crate) fn labels(gate: &Gate, given: &Ident) -> TokenStream {
    match gate.by {
        By::Router(_) => quote!(#given),
        By::Some(id) => {
            let router = aim::router(id);
            quote!(<#given as __rt::SomeWays<#router>>::Way)
        }
        By::Choice(_) if gate.is_kind() => quote!(<#given as __rt::ChosenKind>::Arm),
        By::Choice(_) => quote!(<#given as __rt::Chosen>::Arm),
        By::Exit(_) => quote!(<#given as __rt::Graph>::Exit),
    }
}
