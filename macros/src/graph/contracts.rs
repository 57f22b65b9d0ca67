//! What only the compiler knows, asked at the user's own words: names, node and router types, the pass over the topology.

use proc_macro2::{Delimiter, Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::{Type, TypePath};

use super::Parts;
use super::aim;
use super::aliases;
use super::model::{Around, By, Cfg, ForkKind, Gate};
use super::mounts;
use super::syntax::{Extent, path_extent};
use crate::spans::group;

/// The state, the dependencies, every node and every router under a name of ours.
///
/// A misspelt one is one error, here: the user's tokens stand nowhere else, and outside of `<..>`, where rustc would offer
/// a type parameter. One that is no node is one error, too: it stands in a constant, and what goes by the name of ours
/// depends on that constant. Where it does not compile rustc knows nothing of the type, and says nothing more.
pub(crate) fn names(parts: &Parts<'_>) -> TokenStream {
    let (state, deps, model) = (&parts.graph.state, &parts.graph.deps, parts.model);
    let (always, state_at, deps_at) = (TokenStream::new(), type_extent(state), type_extent(deps));
    let nodes = model.places.iter().enumerate().map(|(id, place)| {
        let at = path_extent(&place.path);
        if place.is_refused() {
            let (presence, node, mistake) = (&place.presence, aim::node(id), place.written());
            return quote!(#presence type #node = #mistake;);
        }
        if place.is_fitted() {
            let (fitted, node) = (mounts::fitted_name(id), aim::node(id));
            let of = quote_spanned!(at.last=> Part<__Deps>);
            let part = sound(&place.presence, &mounts::part_name(id), &place.path, at, &[of], "PLACE");
            let presence = &place.presence;
            return quote!(#part #presence type #node = #fitted;);
        }
        let (presence, node, path) = (&place.presence, aim::node(id), &place.path);
        let written = format_ident!("{node}Written");
        quote! {
            #presence type #written = #path;
            #presence type #node = <#written as __rt::Sound<{ __NODES }>>::It;
        }
    });
    let asked = model.places.iter().enumerate().filter(|(_, place)| !place.is_fitted() && !place.is_refused()).map(|(id, place)| {
        let (presence, at, written) = (&place.presence, path_extent(&place.path), format_ident!("{}Written", aim::node(id)));
        let of = Ident::new(&aim::trait_of(place).to_string(), at.last);
        let questions = place.items.iter().map(|around| question(at, &written, &asked_of(&of, *around, at.last), "PLACE"));
        quote!(#presence { #(let _ = #questions;)* })
    });
    let asked = quote!(const __NODES: bool = { #(#asked)* true };);
    let routers = model.routers.iter().enumerate().map(|(id, router)| {
        let (at, over) = (path_extent(&router.path), aim::router_over(router.over));
        let of = quote_spanned!(at.last=> Router<#over>);
        sound(&router.presence, &aim::router(id), &router.path, at, &[of], "IS_GATE")
    });
    let state = sound(&always, &format_ident!("__State"), state, state_at, &[quote_spanned!(state_at.last=> State)], "FIELDS");
    let deps = sound(&always, &format_ident!("__Deps"), deps, deps_at, &[quote_spanned!(deps_at.last=> Dependencies)], "FIT");
    let options = parts.options;
    let of_the_state = Some(quote!(<__State>));
    let ends = [
        ("__Input", "InputOf", &options.input, &of_the_state),
        ("__Output", "OutputOf", &options.output, &of_the_state),
        ("__Settings", "SettingsOf", &options.settings, &None),
    ];
    let ends = ends.into_iter().filter_map(|(name, of, ty, over)| {
        let (ty, at) = (ty.as_ref()?, type_extent(ty.as_ref()?));
        let of = Ident::new(of, at.last);
        let of = quote_spanned!(at.last=> #of #over);
        Some(sound(&always, &format_ident!("{name}"), ty, at, &[of], "FIT"))
    });
    quote!(#state #deps #(#ends)* #(#nodes)* #asked #(#routers)*)
}

/// `Node<State, Deps>`, or for an item; the `()` is left out, so that no message speaks of it.
fn asked_of(of: &Ident, around: Around, at: Span) -> TokenStream {
    match around {
        Around::Nothing => quote_spanned!(at=> #of<__State, __Deps>),
        Around::Each(fork) => {
            let item = Ident::new(&aim::each(fork).to_string(), at);
            quote_spanned!(at=> #of<__State, __Deps, #item>)
        }
    }
}

/// `each router`: that it gives a list.
pub(crate) fn lists(parts: &Parts<'_>) -> TokenStream {
    let lists = parts.model.eaches().filter_map(|(id, fork)| {
        let ForkKind::Each { router, .. } = fork.kind else { return None };
        let (name, at) = (aim::router(router), path_extent(&parts.model.routers.get(router)?.path));
        let (given, item) = (aim::list(id), aim::each(id));
        let of = quote_spanned!(at.last=> Items<#name>);
        let sound = sound(&fork.cfg, &given, &aim::router_item(router, parts.model, "Out"), at, &[of], "LIST");
        let cfg = &fork.cfg;
        Some(quote!(#sound #cfg type #item = <#given as __rt::Items<#name>>::Item;))
    });
    quote!(#(#lists)*)
}

/// `type name = given;`, if `<given as of>::item` compiles for each trait.
fn sound(cfg: &impl ToTokens, name: &Ident, given: &impl ToTokens, at: Extent, of: &[TokenStream], item: &str) -> TokenStream {
    let (written, sound) = (format_ident!("{name}Written"), format_ident!("{name}Sound"));
    let questions = of.iter().map(|of| question(at, &written, of, item));
    quote! {
        #cfg type #written = #given;
        #cfg const #sound: bool = { #(let _ = #questions;)* true };
        #cfg type #name = <#written as __rt::Sound<{ #sound }>>::It;
    }
}

/// A type's name, or where it begins.
fn type_extent(ty: &Type) -> Extent {
    match ty {
        Type::Path(TypePath { path, .. }) => Extent::of(path_extent(path).last),
        other => Extent { last: Extent::of_tokens(other).first, ..Extent::of_tokens(other) },
    }
}

/// `<subject as trait>::item`, all of it at the user's words: rustc underlines from the first to the last token.
fn question(at: Extent, subject: &Ident, of: &TokenStream, item: &str) -> TokenStream {
    let (subject, item) = (Ident::new(&subject.to_string(), at.last), Ident::new(item, at.last));
    let open = quote_spanned!(at.first=> <);
    quote_spanned!(at.last=> #open #subject as __rt::#of>::#item)
}

/// The arms of every `match`: that there is something to match on, and that every variant is there. `__W0` is the type of
/// the labels; where either is wrong it is nothing, and the pass over the topology does not run, since it would find that
/// what the missing arm leads to cannot be reached.
pub(crate) fn arms(parts: &Parts<'_>) -> TokenStream {
    let all = &parts.model.gates;
    let gates = all.iter().enumerate().map(|(id, gate)| {
        let (cfg, name) = (&gate.cfg, aim::gate(id));
        let [given, labels] = ["Given", "Labels"].map(|part| format_ident!("{name}{part}"));
        let given_type = aliases::given(gate, parts);
        let same = |first: &Gate| matches!((first.by, gate.by), (By::Router(one), By::Router(other)) if one == other);
        let same = |first: &Gate| same(first) && first.is_yes_or_no() == gate.is_yes_or_no();
        let given_alias = match (first_of(all, id, |gate| &gate.cfg, same), asked(gate)) {
            (Some(first), _) => alias(cfg, &given, &aim::given(first)),
            (None, Some((of, item))) => sound(cfg, &given, &given_type, gate.at, &[of], item),
            (None, None) => alias(cfg, &given, &given_type),
        };
        let labels_type = aliases::labels(gate, &given);
        quote! {
            #given_alias
            #cfg type #labels = #labels_type;
            #cfg type #name = <#labels as __rt::Sound<{ __FULL }>>::It;
        }
    });
    let full = all.iter().enumerate().map(|(id, gate)| {
        let (cfg, exhaustive) = (&gate.cfg, exhaustive(gate, &format_ident!("{}Labels", aim::gate(id))));
        quote!(#cfg { #exhaustive })
    });
    quote! {
        #(#gates)*
        const __FULL: bool = { if false { #(#full)* } true };
    }
}

/// The first, of which the same is asked: what is wrong with a router is wrong wherever it stands, and said once.
fn first_of<T>(all: &[T], id: usize, cfg: impl Fn(&T) -> &Cfg, same: impl Fn(&T) -> bool) -> Option<usize> {
    all.iter().take(id).position(|first| same(first) && cfg(first).is_always())
}

fn alias(cfg: &impl ToTokens, name: &Ident, of: &impl ToTokens) -> TokenStream {
    quote!(#cfg type #name = #of;)
}

/// The trait that is asked of what is matched on, and an item of that. The exits of a graph are what they are.
fn asked(gate: &Gate) -> Option<(TokenStream, &'static str)> {
    let last = gate.at.last;
    Some(match gate.by {
        By::Router(id) => {
            let router = aim::router(id);
            if gate.is_yes_or_no() {
                (quote_spanned!(last=> Guard<#router>), "holds")
            } else {
                (quote_spanned!(last=> OneWay<#router>), "WAY")
            }
        }
        By::Some(id) => {
            let router = aim::router(id);
            (quote_spanned!(last=> SomeWays<#router>), "WAYS")
        }
        By::Choice(_) => {
            let (of, item) = if gate.is_kind() { ("ChosenKind", "chosen_kind") } else { ("Chosen", "chosen") };
            let of = Ident::new(of, last);
            (quote!(#of), item)
        }
        By::Exit(_) => return None,
    })
}

/// The questions of a graph with parameters: what rests on them can be asked only where they are known.
pub(crate) fn generic(parts: &Parts<'_>) -> TokenStream {
    let model = parts.model;
    let (head, bounds) = parts.head(None);
    let nodes = model.places.iter().enumerate().map(|(id, place)| {
        let (presence, at) = (&place.presence, path_extent(&place.path));
        let (of, subject) = match place.is_fitted() {
            true => (vec![quote_spanned!(at.last=> Part<__Deps>)], mounts::part_name(id)),
            false => {
                let of = Ident::new(&aim::trait_of(place).to_string(), at.last);
                (place.items.iter().map(|around| asked_of(&of, *around, at.last)).collect(), aim::node(id))
            }
        };
        let questions = of.iter().map(|of| question(at, &subject, of, "PLACE"));
        quote!(#presence { #(let _ = #questions;)* })
    });
    let routers = model.routers.iter().enumerate().map(|(id, router)| {
        let (presence, at, over) = (&router.presence, path_extent(&router.path), aim::router_over(router.over));
        let of = quote_spanned!(at.last=> Router<#over>);
        let question = question(at, &aim::router(id), &of, "IS_GATE");
        quote!(#presence { let _ = #question; })
    });
    let arms = model.gates.iter().enumerate().map(|(id, gate)| {
        let (cfg, exhaustive) = (&gate.cfg, exhaustive(gate, &aim::gate(id)));
        quote!(#cfg { if false { #exhaustive } })
    });
    quote! {
        fn __asked #head () #bounds {
            #(#nodes)*
            #(#routers)*
            #(#arms)*
        }
    }
}

/// `if done`: that it says yes or no.
pub(crate) fn conditions(parts: &Parts<'_>) -> TokenStream {
    let all = &parts.model.conditions;
    let conditions = all.iter().enumerate().map(|(id, condition)| {
        if let Some(first) = first_of(all, id, |first| &first.cfg, |first| first.router == condition.router) {
            return alias(&condition.cfg, &aim::condition(id), &aim::condition(first));
        }
        let router = aim::router(condition.router);
        let of = quote_spanned!(condition.at.last=> Guard<#router>);
        let given = aim::router_item(condition.router, parts.model, "Out");
        sound(&condition.cfg, &aim::condition(id), &given, condition.at, &[of], "holds")
    });
    quote!(#(#conditions)*)
}

/// `cache(key, 10min)`: that it gives a text.
pub(crate) fn keys(parts: &Parts<'_>) -> TokenStream {
    let keys = parts.model.places.iter().enumerate().filter_map(|(id, place)| {
        let cache = place.policies.cache?;
        let (router, last) = (aim::router(cache.key), cache.at.last);
        let of = quote_spanned!(last=> CacheKey<#router>);
        Some(sound(&place.presence, &aim::key(id), &aim::router_item(cache.key, parts.model, "Out"), cache.at, &[of], "KEY"))
    });
    quote!(#(#keys)*)
}

/// A place with plain arrows only, or with a router's `match`: that it chose nothing, since that would be lost.
pub(crate) fn unchosen(parts: &Parts<'_>) -> TokenStream {
    let places = parts.model.places.iter().enumerate().filter_map(|(id, place)| {
        let rule = place.rules.first()?;
        let unknown = place.rules.iter().any(|rule| rule.then.has_hole());
        (!unknown && place.mount.is_none() && place.choices().next().is_none()).then(|| {
            let (presence, chosen, choice) = (&place.presence, format_ident!("__C{id}"), aim::node_choice(id, place));
            let question = question(rule.source, &chosen, &quote_spanned!(rule.source.last=> Unchosen), "unchosen");
            quote!(#presence { type #chosen = #choice; let _ = #question; })
        })
    });
    quote!(const _: () = { #(#places)* };)
}

/// A match that never runs: rustc says at the router's name, or at `match`, which variant is missing, and would write its
/// arm behind the user's last one.
fn exhaustive(gate: &Gate, labels: &Ident) -> TokenStream {
    let Extent { first, last } = gate.at;
    let arms = gate.arms.iter().map(|arm| {
        let (cfg, patterns) = (&arm.cfg, arm.labels.iter().map(|label| aim::pattern(label, labels, last)));
        let nothing = group(Delimiter::Parenthesis, arm.last, TokenStream::new());
        quote!(#cfg #(#patterns)|* => #nothing,)
    });
    let rest = gate.broken.then(|| quote!(_ => (),));
    let body = group(Delimiter::Brace, gate.braces, quote!(#(#arms)* #rest));
    // One variable, one recipe: its name stands at the user's words where it is declared, too.
    let variable = Ident::new("__arm", last);
    let star = quote_spanned!(first=> *);
    quote!(let #variable: &#labels = loop {}; match #star #variable #body)
}
