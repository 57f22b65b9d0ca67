//! `#[node]` on a function.

use proc_macro2::{Delimiter, Ident, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::{Path, Type};

use super::{Writes, returns, writes};
use crate::attr_messages as say;
use crate::diagnostics::Diagnostics;
use crate::keys::Keys;
use crate::marker;
use crate::signature::{Function, Item, Shape, What, deps, with_parameters};
use crate::spans::{group, hidden};

const KEYS: &[&str] = &["model", "tools", "needs_approval", "cut", "asks", "writes", "crate"];

/// What the words in the parentheses say.
struct Arguments {
    krate: Path,
    role: TokenStream,
    asks: bool,
    needs_approval: bool,
    /// The tools that it runs, where they are listed.
    tools: Vec<Path>,
    writes: Option<Vec<Ident>>,
}

impl Arguments {
    fn parse(tokens: TokenStream, errors: &mut Diagnostics) -> Self {
        let keys = Keys::parse([tokens], "node", KEYS, errors);
        let model = keys.flag("model", errors);
        let listed = keys.flag_or_paths("tools", errors).unwrap_or_default();
        let tools = keys.span("tools");
        let cut = keys.flag("cut", errors);
        let asks = keys.flag("asks", errors);
        let mut roles = [(model, quote!(Model)), (tools, quote!(Tools)), (cut, quote!(Cut))].into_iter().filter(|(said, _)| said.is_some());
        let role = roles.next().map_or_else(|| quote!(Plain), |(_, role)| role);
        if let Some((Some(second), _)) = roles.next() {
            errors.error(second, say::two_roles());
        }
        if let (None, Some(asks)) = (model, asks) {
            errors.error(asks, say::asks_without_model());
        }
        let needs_approval = keys.flag("needs_approval", errors);
        match (needs_approval, tools) {
            (Some(span), None) => errors.error(span, say::needs_approval_without_tools()),
            (Some(span), _) if !listed.is_empty() => errors.error(span, say::needs_approval_is_known()),
            _ => {}
        }
        let writes = keys.list("writes", errors);
        Self { krate: keys.krate(errors), role, asks: asks.is_some(), needs_approval: needs_approval.is_some(), tools: listed, writes }
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
    if function.is_method() {
        return TokenStream::new();
    }
    let marker = marker::marker(&function);
    let meta = meta(&function, shape.as_ref(), &arguments, errors);
    let node = match shape {
        Some(shape) => node(&function, &shape, &arguments, errors),
        None => stub(&function),
    };
    let hidden = marker::hidden_block(&arguments.krate, function.cfgs(), &quote!(#meta #node));
    quote!(#marker #hidden)
}

fn meta(function: &Function, shape: Option<&Shape>, arguments: &Arguments, errors: &mut Diagnostics) -> TokenStream {
    let Arguments { role, asks, .. } = arguments;
    let name = &function.sig.ident;
    let (about, place) = (marker::about(name, &function.attrs), marker::place(name));
    let needs_approval = needs_approval(function, shape, arguments, errors);
    quote! {
        impl __rt::NodeMeta for #name {
            #about
            #place
            const ROLE: __rt::Role = __rt::Role::#role;
            const ASKS: bool = #asks;
            const NEEDS_APPROVAL: bool = #needs_approval;
        }
    }
}

/// As the word says, or as the listed tools do. Those are asked over the node's dependencies, which must be one type.
fn needs_approval(function: &Function, shape: Option<&Shape>, arguments: &Arguments, errors: &mut Diagnostics) -> TokenStream {
    let (said, tools) = (arguments.needs_approval, &arguments.tools);
    let (false, Some(shape)) = (tools.is_empty(), shape) else { return quote!(#said) };
    match shape.second.as_ref().and_then(deps).filter(|deps| !function.is_parameter(deps)) {
        Some(deps) => quote!(#(<#tools as __rt::Tool<#deps>>::NEEDS_APPROVAL)||*),
        None => {
            errors.error_spanned(tools.first(), say::tools_without_context());
            quote!(#said)
        }
    }
}

fn node(function: &Function, shape: &Shape, arguments: &Arguments, errors: &mut Diagnostics) -> TokenStream {
    let name = &function.sig.ident;
    let Shape { state, item: given_item, second, output } = shape;
    let generics = &function.sig.generics;
    let generic = function.is_parameter(state);

    let any_item = format_ident!("__I");
    let loose = format_ident!("__D");
    let deps = second.as_ref().and_then(deps).map_or_else(|| loose.to_token_stream(), ToTokens::to_token_stream);
    let mut more = Vec::new();
    more.extend(second.is_none().then_some(loose));
    more.extend(given_item.is_none().then(|| any_item.clone()));
    let params = with_parameters(generics, &more);

    let ty: Type = syn::parse_quote!(#name);
    let Writes { impls, set } = writes(&ty, (!generic).then_some(state), arguments.writes.as_deref(), errors);
    let returns = returns(name, generics, state);

    let (s, i, cx) = (hidden("state"), hidden("item"), hidden("cx"));
    let context = if second.is_some() { &cx } else { &format_ident!("_") };
    let last = second.is_some().then_some(&cx);
    let call = |item: Option<TokenStream>| {
        let given = [Some(s.to_token_stream()), item, last.map(ToTokens::to_token_stream)].into_iter().flatten();
        match function.sig.asyncness {
            Some(_) => quote!(#name(#(#given),*)),
            None => quote!(::core::future::ready(#name(#(#given),*))),
        }
    };
    // For which item, which parameter takes it, and what the function is given of it.
    let impls_for = match given_item {
        None => vec![(any_item.to_token_stream(), quote!(_), call(None))],
        Some(Item { ty, optional, part }) => {
            let item = if *part { quote!(&**#i) } else { i.to_token_stream() };
            if *optional {
                vec![
                    (ty.to_token_stream(), i.to_token_stream(), call(Some(quote!(::core::option::Option::Some(#item))))),
                    (quote!(()), quote!(_), call(Some(quote!(::core::option::Option::None)))),
                ]
            } else {
                vec![(ty.to_token_stream(), i.to_token_stream(), call(Some(item)))]
            }
        }
    };
    // As long as the state is not known, rustc cannot see that an update made for anything comes out of any node.
    let wide = (generic && arguments.writes.is_none() && returns_update(output))
        .then(|| quote!(<#state as __rt::State>::Update<__rt::Anything>: __rt::IntoStep<#state, #name, Choice = __rt::Then>));
    let bounds = marker::bounds(generics, wide.or_else(|| marker::must_be_state(generics, state)));
    let future = spanned_future(name);
    let nodes = impls_for.into_iter().map(|(item, pattern, call)| {
        quote! {
            impl #params __rt::Node<#state, #deps, #item> for #name #bounds {
                type Ret = #output;
                type Open = __rt::Never;
                #set
                fn run(#s: &#state, #pattern: &#item, #context: &__rt::Context<#deps>) -> #future {
                    #call
                }
            }
        }
    });
    quote! {
        #impls
        #returns
        #(#nodes)*
    }
}

/// Whether an update is named in a return type: a node that writes nothing needs no bound on updates.
fn returns_update(output: &Type) -> bool {
    let text = output.to_token_stream().to_string();
    ["Update", "NodeResult"].iter().any(|word| text.contains(word))
}

/// `impl Future + Send`, between whose first and last token the function's name stands: so an error about `Send` points
/// there.
fn spanned_future(name: &Ident) -> TokenStream {
    let head = quote_spanned!(name.span()=> impl);
    let send = group(Delimiter::Parenthesis, name.span(), quote!(::core::marker::Send));
    quote!(#head ::core::future::Future<Output = Self::Ret> + #send)
}

/// Stands in for a function that is wrong by itself, so that a graph that mentions it says nothing more.
fn stub(function: &Function) -> TokenStream {
    let name = &function.sig.ident;
    let returns = function.first().map(|state| returns(name, &function.sig.generics, state));
    quote! {
        #returns
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
