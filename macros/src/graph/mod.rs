//! `graph!`: tokens, then a tree, then a model, then checks, then what is emitted.

mod aim;
mod aliases;
mod assertions;
mod branches;
mod checks;
mod contracts;
mod describe;
mod found;
mod generic;
mod ide;
mod lower;
mod machine;
mod model;
mod mounts;
mod options;
mod parse;
mod parse_facts;
mod parse_fork;
mod parse_policy;
#[cfg(feature = "diagrams")]
pub(crate) mod picture;
mod policies;
mod recover;
mod route;
mod syntax;
#[cfg(test)]
mod tests;
mod words;

use proc_macro2::{TokenStream, TokenTree};
use quote::{quote, quote_spanned};
use syn::parse::{ParseStream, Parser};

use self::syntax::Written;
use crate::diagnostics::Diagnostics;
use crate::messages;

/// What the emitters read.
struct Parts<'a> {
    graph: &'a syntax::Graph,
    options: &'a options::Options,
    model: &'a model::Model,
    /// Nothing was said against it: the whole topology is known, and can be judged.
    sound: bool,
}

/// Who reads the expansion: rustc, whose errors point at the user's words, or the editor, where no word of ours stands at
/// them.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Face {
    Compiler,
    Editor,
}

/// `compiler; $crate; pub Name(State, Deps) { .. }`, as the door in the runtime forwards it.
pub(crate) fn expand(input: TokenStream) -> TokenStream {
    let (face, input) = split(input);
    let face = if face.to_string() == "editor" { Face::Editor } else { Face::Compiler };
    let (krate, body) = split(input);
    #[cfg(feature = "diagrams")]
    let picture = (face == Face::Compiler).then(|| picture::attribute(&krate, &body));
    #[cfg(not(feature = "diagrams"))]
    let picture = None;
    let mut sink = Diagnostics::default();
    let graph = match read(body, &mut sink) {
        None => return sink.into_tokens(),
        Some(Written::Instance(instance)) => {
            let (item, errors, test) = (generic::instance(&krate, &instance), sink.into_tokens(), found::instance(&krate, &instance));
            return quote!(#item #errors #test);
        }
        Some(Written::Graph(graph)) => graph,
    };
    let options = options::read(&graph.attrs, &mut sink);
    let model = lower::lower(&graph, &mut sink);
    checks::check(&graph, &model, &options, &mut sink);
    let parts = Parts { graph: &graph, options: &options, model: &model, sound: sink.is_empty() };
    let (item, hidden, test) = (item(&parts, picture), hidden(&krate, &parts, face), found::graph(&krate, &parts));
    let errors = sink.into_tokens();
    quote!(#item #errors #hidden #test)
}

/// What stands before the first `;`, and behind it.
fn split(input: TokenStream) -> (TokenStream, TokenStream) {
    let mut input = input.into_iter();
    let is_end = |tree: &TokenTree| matches!(tree, TokenTree::Punct(punct) if punct.as_char() == ';');
    let krate = input.by_ref().take_while(|tree| !is_end(tree)).collect();
    (krate, input.collect())
}

fn read(body: TokenStream, sink: &mut Diagnostics) -> Option<Written> {
    let mut graph = None;
    let parser = |input: ParseStream<'_>| {
        graph = recover::graph(input, sink);
        Ok(())
    };
    // syn also complains of what a mistake left unread; the mistake itself says more.
    let unread = Parser::parse2(parser, body).err();
    if let (Some(error), true) = (unread, sink.is_empty()) {
        sink.error(error.span(), messages::unread(&error.to_string()));
    }
    graph
}

/// The graph's type.
fn item(parts: &Parts<'_>, picture: Option<TokenStream>) -> TokenStream {
    let (vis, name, attrs, cfgs) = (&parts.graph.vis, &parts.graph.name, &parts.options.attrs, &parts.options.cfgs);
    let derives = parts.options.derives();
    // At the name, so that whatever speaks of the type underlines its name, and not the whole of `graph!`.
    let (word, end) = (quote_spanned!(name.span()=> struct), quote_spanned!(name.span()=> ;));
    let docs =
        parts.options.docs.is_empty().then(|| format!("The graph `{}`.", crate::names::unraw(name))).map(|text| quote!(#[doc = #text]));
    quote! {
        #(#[cfg(#cfgs)])*
        #(#attrs)*
        #docs
        #picture
        #[derive(#(#derives),*)]
        #vis #word #name #end
    }
}

/// All but the graph's type, out of sight of the user's code.
fn hidden(krate: &TokenStream, parts: &Parts<'_>, face: Face) -> TokenStream {
    let machine = if parts.is_generic() { generic::machine(parts, face) } else { concrete(parts, face) };
    let words = quote! {
        use #krate::__private as __rt;
        // A type of the user's may have the name of a primitive one.
        use ::core::primitive::{bool, str, u16, u32, u64, usize};
    };
    let machine = out_of_sight(parts, &quote!(#words #machine));
    // What is half typed is completed by what is in scope: no name of ours is.
    let mentions = (face == Face::Editor).then(|| out_of_sight(parts, &ide::mentions(parts)));
    quote!(#mentions #machine)
}

fn out_of_sight(parts: &Parts<'_>, tokens: &TokenStream) -> TokenStream {
    let cfgs = &parts.options.cfgs;
    quote! {
        #(#[cfg(#cfgs)])*
        #[allow(
            clippy::all, clippy::pedantic, clippy::nursery, clippy::restriction, dead_code, non_camel_case_types, non_snake_case,
            non_upper_case_globals, unreachable_code, unreachable_patterns, unreachable_pub, unused_braces, unused_imports,
            unused_parens, unused_qualifications, unused_variables, missing_debug_implementations, missing_docs
        )]
        const _: () = { #tokens };
    }
}

/// What is made of a graph for either reader, with or without parameters.
fn body(parts: &Parts<'_>) -> TokenStream {
    let all = [mounts::fitted(parts), machine::types(parts), describe::topology(parts), machine::graph(parts), mounts::own(parts)];
    quote!(#(#all)*)
}

/// A graph over one state.
fn concrete(parts: &Parts<'_>, face: Face) -> TokenStream {
    let body = body(parts);
    if face == Face::Editor {
        let (aliases, meta, labels) = (aliases::all(parts), describe::meta(parts, false), ide::labels(parts));
        let tokens = ide::without_places(quote!(#(#aliases)* #body #meta));
        return quote!(#labels #tokens);
    }
    let asked = [
        contracts::names(parts),
        contracts::lists(parts),
        contracts::conditions(parts),
        contracts::keys(parts),
        contracts::unchosen(parts),
        contracts::arms(parts),
    ];
    let (meta, assertions) = (describe::meta(parts, parts.sound), parts.sound.then(|| assertions::assertions(parts)));
    quote!(#(#asked)* #body #meta #assertions)
}

impl Parts<'_> {
    /// The associated types of `Graph`, each where the user wrote it.
    fn associated_types(&self) -> TokenStream {
        let input = self.options.input.as_ref().map_or_else(|| quote!(<__State as __rt::State>::Patch), |_| quote!(__Input));
        let output = self.options.output.as_ref().map_or_else(|| quote!(__State), |_| quote!(__Output));
        let settings = self.options.settings.as_ref().map_or_else(|| quote!(()), |_| quote!(__Settings));
        let item = if self.model.has_items() { quote!(__Item) } else { quote!(()) };
        quote! {
            type State = __State;
            type Deps = __Deps;
            type At = __At;
            type Item = #item;
            type Input = #input;
            type Output = #output;
            type Settings = #settings;
            type Exit = __Exit;
            type Question = __Question;
            type Pauses = __rt::Flag<{ __TOPOLOGY.pauses() }>;
        }
    }

    fn output(&self) -> TokenStream {
        match &self.options.output {
            None => quote!(
                fn output(__state: __State) -> __State {
                    __state
                }
            ),
            Some(_) => quote! {
                fn output(__state: __State) -> __Output { <__Output as ::core::convert::From<&__State>>::from(&__state) }
            },
        }
    }
}
