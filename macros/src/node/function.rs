//! `#[node]` on a function.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, format_ident, quote};
use syn::{GenericArgument, PathArguments, Type};

use super::{Writes, writes};
use crate::attr_messages as say;
use crate::diagnostics::Diagnostics;
use crate::keys::Keys;
use crate::marker;
use crate::signature::{Function, Shape, What, with_parameters};
use crate::spans::hidden;

const KEYS: &[&str] = &["model", "tools", "asks", "writes", "crate"];

/// What the words in the parentheses say.
struct Arguments {
    krate: syn::Path,
    role: TokenStream,
    asks: bool,
    writes: Option<Vec<Ident>>,
}

impl Arguments {
    fn parse(tokens: TokenStream, errors: &mut Diagnostics) -> Self {
        let keys = Keys::parse([tokens], "node", KEYS, errors);
        let model = keys.flag("model", errors);
        let tools = keys.flag("tools", errors);
        let asks = keys.flag("asks", errors);
        match (model, tools, asks) {
            (Some(_), Some(tools), _) => errors.error(tools, say::two_roles()),
            (None, _, Some(asks)) => errors.error(asks, say::asks_without_model()),
            _ => {}
        }
        let role = match (model, tools) {
            (Some(_), _) => quote!(Model),
            (None, Some(_)) => quote!(Tools),
            (None, None) => quote!(Plain),
        };
        let writes = keys.list("writes", errors);
        Self { krate: keys.krate(errors), role, asks: asks.is_some(), writes }
    }
}

pub(super) fn expand(arguments: TokenStream, item: &TokenStream, errors: &mut Diagnostics) -> TokenStream {
    let arguments = Arguments::parse(arguments, errors);
    let function: Function = match syn::parse2(item.clone()) {
        Ok(function) => function,
        // rustc says it of the function itself, which is handed back as it is.
        Err(_) => return TokenStream::new(),
    };
    let shape = function.shape(What::Node, errors);
    let marker = marker::marker(&function);
    let meta = meta(&function, &arguments);
    let node = match shape {
        Some(shape) => node(&function, &shape, &arguments, errors),
        None => stub(&function.sig.ident),
    };
    let hidden = marker::hidden_block(&arguments.krate, function.cfgs(), &quote!(#meta #node));
    quote!(#marker #hidden)
}

fn meta(function: &Function, Arguments { role, asks, .. }: &Arguments) -> TokenStream {
    let name = &function.sig.ident;
    let (about, place) = (marker::about(name, &function.attrs), marker::place(name));
    quote! {
        impl __rt::NodeMeta for #name {
            #about
            #place
            const ROLE: __rt::Role = __rt::Role::#role;
            const ASKS: bool = #asks;
        }
    }
}

fn node(function: &Function, shape: &Shape, arguments: &Arguments, errors: &mut Diagnostics) -> TokenStream {
    let name = &function.sig.ident;
    let Shape { state, second, output } = shape;
    let generics = &function.sig.generics;
    let generic = function.is_parameter(state);

    let item = format_ident!("__I");
    let loose = format_ident!("__D");
    let deps = second.as_ref().map_or_else(|| loose.to_token_stream(), deps);
    let more = if second.is_some() { vec![item.clone()] } else { vec![loose, item.clone()] };
    let (params, bounds) = (with_parameters(generics, &more), &generics.where_clause);

    let ty: Type = syn::parse_quote!(#name);
    let Writes { impls, set } = writes(&ty, (!generic).then_some(state), arguments.writes.as_deref(), errors);
    // Of a generic node there is no one update: it says `Update<S, name>`.
    let returns =
        generics.params.is_empty().then(|| quote!(impl __rt::Returns for #name { type Update = <#state as __rt::State>::Update<#name>; }));

    let (s, cx) = (hidden("state"), hidden("cx"));
    let given = if second.is_some() { quote!(#s, #cx) } else { quote!(#s) };
    let context = if second.is_some() { &cx } else { &format_ident!("_") };
    let call = match function.sig.asyncness {
        Some(_) => quote!(#name(#given)),
        None => quote!(::core::future::ready(#name(#given))),
    };
    quote! {
        #impls
        #returns
        impl #params __rt::Node<#state, #deps, #item> for #name #bounds {
            type Ret = #output;
            type Open = __rt::Never;
            const WRITES: __rt::FieldSet = #set;
            fn run(#s: &#state, _: &#item, #context: &__rt::Context<#deps>) -> impl ::core::future::Future<Output = Self::Ret> + ::core::marker::Send {
                #call
            }
        }
    }
}

/// `D` of `Context<D>`; of an alias, what it stands for.
fn deps(context: &Type) -> TokenStream {
    if let Type::Path(path) = context
        && let Some(last) = path.path.segments.last()
        && let PathArguments::AngleBracketed(arguments) = &last.arguments
        && let (Some(GenericArgument::Type(deps)), 1) = (arguments.args.first(), arguments.args.len())
    {
        return deps.to_token_stream();
    }
    quote!(<#context as __rt::AnyContext>::Deps)
}

/// Stands in for a function that is wrong by itself, so that a graph that mentions it says nothing more.
fn stub(name: &Ident) -> TokenStream {
    quote! {
        impl<__S, __F> __rt::Writes<__S, __F> for #name {}
        impl<__S: __rt::State, __D, __I> __rt::Node<__S, __D, __I> for #name {
            type Ret = ();
            type Open = __rt::Never;
            fn run(_: &__S, _: &__I, _: &__rt::Context<__D>) -> impl ::core::future::Future<Output = ()> + ::core::marker::Send {
                ::core::future::ready(())
            }
        }
    }
}
