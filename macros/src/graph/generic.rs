//! Graphs over any state, or any dependencies.
//!
//! What is made of a graph speaks of the state, the dependencies and what follows from them by names of ours. Where the graph
//! has parameters no such name can stand for a type that depends on them, so each is replaced by what it stands for, and the
//! traits are implemented for a hidden type that carries the parameters. The graph's own type has none: `graph React` is
//! written without any.

use std::collections::BTreeMap;

use proc_macro2::{Group, Ident, Spacing, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::{GenericParam, Type, TypePath};

use super::aliases::{self, Alias};
use super::syntax::{Instance, path_extent, path_text};
use super::{Face, Parts, assertions, contracts, describe, ide};

impl Parts<'_> {
    pub(super) fn is_generic(&self) -> bool {
        !self.graph.generics.params.is_empty()
    }

    /// Whether the state is told by whoever mounts the graph.
    pub(super) fn is_generic_over_state(&self) -> bool {
        self.parameters().any(|name| mentions(self.graph.state.to_token_stream(), &name))
    }

    fn parameters(&self) -> impl Iterator<Item = Ident> {
        self.graph.generics.params.iter().filter_map(|param| match param {
            GenericParam::Type(param) => Some(param.ident.clone()),
            GenericParam::Const(param) => Some(param.ident.clone()),
            GenericParam::Lifetime(_) => None,
        })
    }

    /// The type that implements `Graph`: its own, or the one that carries the parameters.
    pub(super) fn machine(&self) -> TokenStream {
        if !self.is_generic() {
            return self.graph.name.to_token_stream();
        }
        let names = self.parameters();
        quote!(__On<#(#names),*>)
    }

    /// What stands behind `impl`, with one parameter more; and the bounds.
    pub(super) fn head(&self, more: Option<&Ident>) -> (TokenStream, TokenStream) {
        if !self.is_generic() {
            return (more.map(|more| quote!(<#more>)).unwrap_or_default(), TokenStream::new());
        }
        let params = self.graph.generics.params.iter().cloned().map(|mut param| {
            if let GenericParam::Type(param) = &mut param {
                param.default = None;
            }
            param.to_token_stream()
        });
        let params = params.chain(more.map(ToTokens::to_token_stream));
        let written = self.graph.generics.where_clause.iter().flat_map(|clause| &clause.predicates);
        let (state, deps) = (&self.graph.state, &self.graph.deps);
        // What every state and every dependencies are; a parameter need not say it.
        let state = is_bare(state, self).then(|| quote!(#state: __rt::State,));
        let deps = is_bare(deps, self).then(|| quote!(#deps: ::core::marker::Send + ::core::marker::Sync + 'static,));
        (quote!(<#(#params),*>), quote!(where #(#written,)* #state #deps))
    }

    /// `pub enum name { .. }`, with the parameters and a variant that carries them, which nobody can make.
    pub(super) fn open_type(&self, name: &str, variants: TokenStream) -> TokenStream {
        if !self.is_generic() {
            let name = format_ident!("{name}");
            return quote!(pub enum #name #variants);
        }
        let (name, names) = (declared(name), self.parameters());
        let (head, bounds) = self.head(None);
        let inner = match variants.into_iter().next() {
            Some(TokenTree::Group(group)) => group.stream(),
            _ => TokenStream::new(),
        };
        let comma = inner.clone().into_iter().last().is_some_and(|last| last.to_string() != ",").then(|| quote!(,));
        quote!(pub enum #name #head #bounds { #inner #comma __Never(__rt::Never, ::core::marker::PhantomData<fn() -> (#(#names,)*)>) })
    }
}

/// The name of a type where it is declared: it is not to be replaced there.
fn declared(name: &str) -> Ident {
    format_ident!("__Declared{name}")
}

/// Whether a type is nothing but a parameter.
fn is_bare(ty: &Type, parts: &Parts<'_>) -> bool {
    matches!(ty, Type::Path(TypePath { path, .. }) if parts.parameters().any(|name| path.is_ident(&name)))
}

fn mentions(tokens: TokenStream, name: &Ident) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Ident(ident) => ident == *name,
        TokenTree::Group(group) => mentions(group.stream(), name),
        _ => false,
    })
}

/// `pub type Support = ..;`: the graph with its parameters told.
pub(super) fn instance(krate: &TokenStream, Instance { attrs, vis, name, of, state, deps }: &Instance) -> TokenStream {
    let docs = attrs.is_empty().then(|| format!("The graph `{}` over one state and one dependencies type.", path_text(of)));
    let docs = docs.map(|text| quote!(#[doc = #text]));
    // What it is an instance of stands elsewhere, and so does all that could be drawn here.
    let picture = cfg!(feature = "diagrams").then(|| {
        // With a name and a goal: where the docs of the goal are not there, the name alone is left.
        let of = path_text(of);
        let text = format!("Its picture is in the docs of [`{of}`](type@{of}).");
        quote!(#[cfg_attr(doc, doc = "", doc = #text, allow(rustdoc::private_intra_doc_links))])
    });
    let at = path_extent(of).last;
    let asked = quote_spanned!(at=> <#of as #krate::__private::Family<#state, #deps>>::FIT);
    quote! {
        #(#attrs)*
        #docs
        #picture
        #vis type #name = <#of as #krate::__private::Instance<#state, #deps, { let _ = #asked; true }>>::Graph;
    }
}

/// A graph with parameters.
pub(super) fn machine(parts: &Parts<'_>, face: Face) -> TokenStream {
    let all = aliases::all(parts);
    let mut names: BTreeMap<String, TokenStream> = BTreeMap::new();
    for Alias { name, ty, .. } in all.iter().filter(|alias| alias.depends) {
        names.insert(name.to_string(), replace(ty.clone(), &names));
    }
    let parameters: Vec<Ident> = parts.parameters().collect();
    for name in ["__Question", "__Item"] {
        let plain = format_ident!("{name}");
        names.insert(name.to_owned(), quote!(#plain::<#(#parameters),*>));
        let declared = declared(name);
        names.insert(declared.to_string(), plain.to_token_stream());
    }
    let fixed = all.iter().filter(|alias| !alias.depends);
    let (body, name) = (super::body(parts), &parts.graph.name);
    let (head, bounds) = parts.head(None);
    let machine = parts.machine();
    let carrier = quote! {
        pub struct __On #head (::core::marker::PhantomData<fn() -> (#(#parameters,)*)>) #bounds;
        impl #head __rt::NodeMeta for #machine #bounds {
            const NAME: &'static str = <#name as __rt::NodeMeta>::NAME;
            const ROLE: __rt::Role = <#name as __rt::NodeMeta>::ROLE;
            const DOCS: &'static str = <#name as __rt::NodeMeta>::DOCS;
            const PAUSES: bool = <#name as __rt::NodeMeta>::PAUSES;
            const FILE: &'static str = <#name as __rt::NodeMeta>::FILE;
            const LINE: u32 = <#name as __rt::NodeMeta>::LINE;
            const FACTS: &'static __rt::Facts = <#name as __rt::NodeMeta>::FACTS;
            const GRAPH: ::core::option::Option<&'static __rt::Topology> = <#name as __rt::NodeMeta>::GRAPH;
        }
        #[automatically_derived]
        #[doc(hidden)]
        impl #head __rt::Family<__State, __Deps> for #name #bounds {
            type Graph = #machine;
        }
    };
    let body = replace(quote!(#carrier #body), &names);
    let fixed = quote!(#(#fixed)*);
    if face == Face::Editor {
        let (meta, labels) = (describe::meta(parts, false), replace(ide::labels(parts), &names));
        let tokens = ide::without_places(quote!(#fixed #body #meta));
        return quote!(#labels #tokens);
    }
    let asked = replace(contracts::generic(parts), &names);
    let (meta, assertions) = (describe::meta(parts, parts.sound), parts.sound.then(|| assertions::assertions(parts)));
    quote!(#fixed #asked #body #meta #assertions)
}

/// Each name by what it stands for. Where a path goes on behind it, a type made of several tokens needs brackets.
fn replace(tokens: TokenStream, names: &BTreeMap<String, TokenStream>) -> TokenStream {
    let mut replaced = TokenStream::new();
    let mut tokens = tokens.into_iter().peekable();
    while let Some(tree) = tokens.next() {
        match tree {
            TokenTree::Ident(ident) => {
                let path =
                    matches!(tokens.peek(), Some(TokenTree::Punct(punct)) if punct.as_char() == ':' && punct.spacing() == Spacing::Joint);
                match names.get(&ident.to_string()) {
                    Some(ty) if path && !is_path(ty) => replaced.extend(quote!(<#ty>)),
                    Some(ty) => replaced.extend(ty.clone()),
                    None => replaced.extend([TokenTree::Ident(ident)]),
                }
            }
            TokenTree::Group(group) => {
                let mut inner = Group::new(group.delimiter(), replace(group.stream(), names));
                inner.set_span(group.span());
                replaced.extend([TokenTree::Group(inner)]);
            }
            other => replaced.extend([other]),
        }
    }
    replaced
}

/// Whether something can stand behind it as it is: `S`, `__Item::<S>`.
fn is_path(tokens: &TokenStream) -> bool {
    matches!(tokens.clone().into_iter().next(), Some(TokenTree::Ident(_)))
}
