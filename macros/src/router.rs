//! `#[router]`: a pure function of the state, or of the state and the turn; or of an item, for `each .. match`.

use proc_macro2::{Span, TokenStream};
use quote::{format_ident, quote};

use crate::attr_messages as say;
use crate::diagnostics::Diagnostics;
use crate::keys::Keys;
use crate::marker;
use crate::node::keyword;
use crate::signature::{Function, Shape, What, with_parameters};
use crate::spans::hidden;

const KEYS: &[&str] = &["crate"];

/// The function as it was, then what we add, then what is wrong.
pub(crate) fn expand(arguments: TokenStream, item: TokenStream) -> TokenStream {
    let mut errors = Diagnostics::default();
    let added = add(arguments, &item, &mut errors);
    let errors = errors.into_tokens();
    quote!(#item #added #errors)
}

fn add(arguments: TokenStream, item: &TokenStream, errors: &mut Diagnostics) -> TokenStream {
    let word = keyword(item);
    if word.as_ref().is_none_or(|word| word != "fn") {
        errors.error(word.map_or_else(Span::call_site, |word| word.span()), say::router_not_here());
        return TokenStream::new();
    }
    let keys = Keys::parse([arguments], "router", &["crate", "gate"], errors);
    let krate = keys.krate(errors);
    // What a gate proves, only the runtime's own guard can prove: nowhere else does `crate = crate` compile.
    let gate = keys.flag("gate", errors).filter(|_| krate.is_ident("crate"));
    if let (Some(span), None) = (keys.span("gate"), gate) {
        errors.error(span, say::unknown_key("router", "gate", KEYS));
    }
    let gate = gate.is_some();
    // rustc says what is wrong with a function that cannot be read.
    let Ok(function) = syn::parse2::<Function>(item.clone()) else { return TokenStream::new() };
    let shape = function.shape(What::Router, errors);
    if function.is_method() {
        return TokenStream::new();
    }
    let name = &function.sig.ident;
    let about = marker::about(name, &function.attrs);
    let router = match shape {
        Some(shape) => router(&function, &shape),
        None => stub(&function),
    };
    let items = quote! {
        impl __rt::RouterMeta for #name {
            #about
            const GATE: bool = #gate;
        }
        #router
    };
    let (marker, hidden) = (marker::marker(&function), marker::hidden_block(&krate, function.cfgs(), &items));
    quote!(#marker #hidden)
}

fn router(function: &Function, Shape { state, second, output, .. }: &Shape) -> TokenStream {
    let name = &function.sig.ident;
    let generics = &function.sig.generics;
    let (params, bounds) = (with_parameters(generics, &[]), marker::bounds(generics, None));
    let (s, turn) = (hidden("state"), hidden("turn"));
    let (pattern, given) = if second.is_some() { (&turn, quote!(#s, #turn)) } else { (&format_ident!("_"), quote!(#s)) };
    quote! {
        impl #params __rt::Router<#state> for #name #bounds {
            type Out = #output;
            fn route(#s: &#state, #pattern: &__rt::Turn) -> Self::Out {
                #name(#given)
            }
        }
    }
}

/// Stands in for a function that is wrong by itself, so that a graph that mentions it says less.
fn stub(function: &Function) -> TokenStream {
    let name = &function.sig.ident;
    let out = match &function.sig.output {
        // A borrow would have no lifetime here.
        syn::ReturnType::Type(_, out) if function.sig.generics.params.is_empty() && !quote!(#out).to_string().contains('&') => {
            quote!(#out)
        }
        _ => quote!(bool),
    };
    quote! {
        impl<__S> __rt::Router<__S> for #name {
            type Out = #out;
            fn route(_: &__S, _: &__rt::Turn) -> Self::Out {
                loop {}
            }
        }
    }
}
