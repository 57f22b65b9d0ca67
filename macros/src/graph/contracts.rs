//! What only the compiler knows, asked at the user's own words: names, node and router types, the pass over the topology.

use proc_macro2::{Delimiter, Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::{Type, TypePath};

use super::Parts;
use super::aim;
use super::model::{By, Gate};
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
        let of = quote_spanned!(at.last=> Node<__State, __Deps>);
        sound(&place.presence, &aim::node(id), &place.path, at, &of, "PLACE")
    });
    let routers = model.routers.iter().enumerate().map(|(id, router)| {
        let at = path_extent(&router.path);
        let of = quote_spanned!(at.last=> Router<__State>);
        sound(&router.presence, &aim::router(id), &router.path, at, &of, "IS_GATE")
    });
    let state = sound(&always, &format_ident!("__State"), state, state_at, &quote_spanned!(state_at.last=> State), "FIELDS");
    let deps = sound(&always, &format_ident!("__Deps"), deps, deps_at, &quote_spanned!(deps_at.last=> Dependencies), "FIT");
    let ends = [("__Input", "InputOf", &parts.options.input), ("__Output", "OutputOf", &parts.options.output)];
    let ends = ends.into_iter().filter_map(|(name, of, ty)| {
        let (ty, at) = (ty.as_ref()?, type_extent(ty.as_ref()?));
        let of = Ident::new(of, at.last);
        let of = quote_spanned!(at.last=> #of<__State>);
        Some(sound(&always, &format_ident!("{name}"), ty, at, &of, "FIT"))
    });
    quote!(#state #deps #(#ends)* #(#nodes)* #(#routers)*)
}

/// The names without the questions, for the editor.
pub(crate) fn plain_names(parts: &Parts<'_>) -> TokenStream {
    let (state, deps) = (&parts.graph.state, &parts.graph.deps);
    let nodes = parts.model.places.iter().enumerate().map(|(id, place)| {
        let (presence, node, path) = (&place.presence, aim::node(id), &place.path);
        quote!(#presence type #node = #path;)
    });
    let routers = parts.model.routers.iter().enumerate().map(|(id, router)| {
        let (presence, name, path) = (&router.presence, aim::router(id), &router.path);
        quote!(#presence type #name = #path;)
    });
    let input = parts.options.input.as_ref().map(|ty| quote!(type __Input = #ty;));
    let output = parts.options.output.as_ref().map(|ty| quote!(type __Output = #ty;));
    quote!(type __State = #state; type __Deps = #deps; #input #output #(#nodes)* #(#routers)*)
}

/// `type name = given;`, if `<given as of>::item` compiles.
fn sound(cfg: &impl ToTokens, name: &Ident, given: &impl ToTokens, at: Extent, of: &TokenStream, item: &str) -> TokenStream {
    let (written, sound) = (format_ident!("{name}Written"), format_ident!("{name}Sound"));
    let question = question(at, &written, of, item);
    quote! {
        #cfg type #written = #given;
        #cfg const #sound: bool = { let _ = #question; true };
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
    let gates = parts.model.gates.iter().enumerate().map(|(id, gate)| {
        let (cfg, name) = (&gate.cfg, aim::gate(id));
        let [given, labels, full] = ["Given", "Labels", "Full"].map(|part| format_ident!("{name}{part}"));
        let subject = subject(gate, &given);
        let sound = sound(cfg, &given, &subject.given, gate.at, &subject.of, subject.item);
        let (labels_type, exhaustive) = (&subject.labels, exhaustive(gate, &labels));
        quote! {
            #sound
            #cfg type #labels = #labels_type;
            #cfg const #full: bool = { if false { #exhaustive } true };
            #cfg type #name = <#labels as __rt::Sound<{ #full }>>::It;
        }
    });
    quote!(#(#gates)*)
}

/// `if done`: that it says yes or no.
pub(crate) fn conditions(parts: &Parts<'_>) -> TokenStream {
    let conditions = parts.model.conditions.iter().enumerate().map(|(id, condition)| {
        let router = aim::router(condition.router);
        let of = quote_spanned!(condition.at.last=> Guard<#router>);
        sound(&condition.cfg, &aim::condition(id), &aim::router_item(condition.router, "Out"), condition.at, &of, "holds")
    });
    quote!(#(#conditions)*)
}

/// A place with plain arrows only, or with a router's `match`: that it chose nothing, since that would be lost.
pub(crate) fn unchosen(parts: &Parts<'_>) -> TokenStream {
    let places = parts.model.places.iter().enumerate().filter_map(|(id, place)| {
        let rule = place.rules.first()?;
        let unknown = place.rules.iter().any(|rule| rule.then.has_hole());
        (!unknown && place.choices().next().is_none()).then(|| {
            let of = quote_spanned!(rule.source.last=> Unchosen);
            sound(&place.presence, &format_ident!("__C{id}"), &aim::node_choice(id), rule.source, &of, "unchosen")
        })
    });
    quote!(#(#places)*)
}

/// The labels' types without the questions, for the editor.
pub(crate) fn plain_arms(parts: &Parts<'_>) -> TokenStream {
    let gates = parts.model.gates.iter().enumerate().map(|(id, gate)| {
        let (cfg, name, given_name) = (&gate.cfg, aim::gate(id), aim::given(id));
        let Subject { given, labels, .. } = subject(gate, &given_name);
        quote!(#cfg type #given_name = #given; #cfg type #name = #labels;)
    });
    let conditions = parts.model.conditions.iter().enumerate().map(|(id, condition)| {
        let (cfg, name, given) = (&condition.cfg, aim::condition(id), aim::router_item(condition.router, "Out"));
        quote!(#cfg type #name = #given;)
    });
    quote!(#(#gates)* #(#conditions)*)
}

struct Subject {
    /// What is matched on.
    given: TokenStream,
    /// The trait that is asked of it, and an item of that.
    of: TokenStream,
    item: &'static str,
    /// The type of the labels.
    labels: TokenStream,
}

/// `sound` is the name of what is matched on, once it has passed.
fn subject(gate: &Gate, sound: &Ident) -> Subject {
    let last = gate.at.last;
    match gate.by {
        By::Router(id) => {
            let (given, router) = (aim::router_item(id, "Out"), aim::router(id));
            if gate.is_yes_or_no() {
                Subject { given, of: quote_spanned!(last=> Guard<#router>), item: "holds", labels: quote!(#sound) }
            } else {
                Subject { given, of: quote_spanned!(last=> OneWay<#router>), item: "WAY", labels: quote!(#sound) }
            }
        }
        By::Choice(id) => {
            let (of, item) = if gate.is_kind() { ("ChosenKind", "chosen_kind") } else { ("Chosen", "chosen") };
            let of = Ident::new(of, last);
            Subject { given: aim::node_choice(id), of: quote!(#of), item, labels: quote!(<#sound as __rt::#of>::Arm) }
        }
    }
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

/// One assertion for each place, each way, and the whole, spanned at what it is about.
pub(crate) fn assertions(parts: &Parts<'_>) -> TokenStream {
    let (places, ways) = (parts.model.places.len().max(1), parts.model.ways.len().max(1));
    let after = parts.model.gates.iter().enumerate().map(|(id, gate)| {
        let (cfg, full) = (&gate.cfg, format_ident!("{}Full", aim::gate(id)));
        quote!(#cfg let _ = #full;)
    });
    let each_place = parts.model.places.iter().enumerate().map(|(id, place)| {
        let at = aim::at(id, parts.model);
        assertion(&place.presence, place.mention, "place", "this_place", Some(&quote!(#at as usize)))
    });
    let each_way = parts.model.ways.iter().enumerate().map(|(id, way)| {
        let variant = aim::way_variant(id);
        assertion(&way.cfg, way.extent, "way", "this_way", Some(&quote!(__Way::#variant as usize)))
    });
    let whole = assertion(&TokenStream::new(), Extent::of(parts.graph.name.span()), "whole", "this_graph", None);
    // Statics, for a constant is read through and checked anew by each assertion that refers to it: of 2,000 places, a minute.
    quote! {
        static __ANALYSIS: __rt::check::Analysis<#places, #ways> = {
            #(#after)*
            __rt::check::analyze(&__TOPOLOGY)
        };
        #(#each_place)*
        #(#each_way)*
        #whole
    }
}

/// rustc underlines a call from its first to its last token and prints the name of the constant:
/// ```text
/// error[E0080]: evaluation panicked: ..
///     plan -> call_tools;
///     ^^^^^^^^^^^^^^^^^^ evaluation of `_::_::this_way` failed here
/// ```
fn assertion(cfg: &impl ToTokens, at: Extent, check: &str, name: &str, index: Option<&TokenStream>) -> TokenStream {
    let name = Ident::new(name, Span::mixed_site());
    let index = index.map(|index| quote!(, #index));
    let call = aim::call(at, &["__rt", "check", check], quote!(&__ANALYSIS, &__TOPOLOGY #index));
    quote!(#cfg const _: () = { const #name: () = #call; };)
}
