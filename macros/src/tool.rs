//! `#[tool]`: a function that a model can call.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{
    Attribute, Expr, FnArg, GenericArgument, GenericParam, Meta, Path, PathArguments, ReturnType, Safety, Signature, Token, Type,
    Visibility,
};

use crate::diagnostics::Diagnostics;
use crate::names::{docs, unraw};
use crate::tool_messages as say;
use crate::{krate, suggest};

/// The function as it was, and a type of the same name that is a `Tool`; after a mistake a type that only looks like one,
/// so that the mistake is the only error.
pub(crate) fn expand(args: TokenStream, item: TokenStream) -> TokenStream {
    let mut diagnostics = Diagnostics::default();
    let root = options(args, &mut diagnostics);
    let marker = match syn::parse2::<Function>(item.clone()) {
        Ok(function) => {
            let tool = read(&function, &mut diagnostics);
            emit(&function, tool.filter(|_| diagnostics.is_empty()), &root)
        }
        Err(_) => {
            diagnostics.error_spanned(&item, say::not_here());
            TokenStream::new()
        }
    };
    let errors = diagnostics.into_tokens();
    quote!(#item #marker #errors)
}

/// What stands before the body. The body is none of our business, so that it may be half typed.
struct Function {
    attrs: Vec<Attribute>,
    vis: Visibility,
    sig: Signature,
}

impl Parse for Function {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let function = Self { attrs: input.call(Attribute::parse_outer)?, vis: input.parse()?, sig: input.parse()? };
        input.parse::<TokenStream>()?;
        Ok(function)
    }
}

/// What was meant.
struct Tool<'a> {
    args: Option<&'a Type>,
    /// The dependencies, if the tool takes a context.
    deps: Option<&'a Type>,
    returns: &'a Type,
}

fn options(args: TokenStream, diagnostics: &mut Diagnostics) -> Path {
    let mut root = krate::default();
    let parser = Punctuated::<Meta, Token![,]>::parse_terminated;
    let options = match syn::parse::Parser::parse2(parser, args) {
        Ok(options) => options,
        Err(error) => {
            diagnostics.push(error);
            return root;
        }
    };
    for option in options {
        let name = option.path().get_ident().map(unraw).unwrap_or_default();
        match (name.as_str(), &option) {
            ("crate", Meta::NameValue(pair)) if matches!(pair.value, Expr::Path(_)) => {
                if let Expr::Path(value) = &pair.value {
                    root = value.path.clone();
                }
            }
            ("crate", _) => diagnostics.error_spanned(&option, say::crate_path()),
            ("needs_approval", _) => diagnostics.error_spanned(option.path(), say::needs_approval()),
            (word, _) => {
                let help = match word {
                    "name" => "its name is the function's".to_owned(),
                    "description" => "its description is the function's doc comment".to_owned(),
                    _ => suggest::help(word, &["crate", "needs_approval"]),
                };
                diagnostics.error_spanned(option.path(), say::unknown_key(word, &help));
            }
        }
    }
    root
}

/// Finds arguments, dependencies and return type, or says why not.
fn read<'a>(function: &'a Function, diagnostics: &mut Diagnostics) -> Option<Tool<'a>> {
    let sig = &function.sig;
    check_name(&sig.ident, diagnostics);
    if let Safety::Unsafe(token) = &sig.safety {
        diagnostics.error(token.span, say::kind_of_function("unsafe"));
    }
    if let Some(abi) = &sig.abi {
        diagnostics.error_spanned(abi, say::kind_of_function("extern"));
    }
    let (mut args, mut deps) = (None, None);
    for input in &sig.inputs {
        match input {
            FnArg::Receiver(receiver) => diagnostics.error_spanned(receiver, say::method()),
            FnArg::Typed(input) => match &*input.ty {
                Type::Reference(reference) if deps.is_none() => deps = context(reference, diagnostics),
                ty if args.is_some() || deps.is_some() => diagnostics.error_spanned(ty, say::too_many()),
                Type::Path(path) if path.path.segments.last().is_some_and(|last| last.ident == "Context") => {
                    diagnostics.error_spanned(path, say::context_by_value());
                }
                ty => args = Some(ty),
            },
        }
    }
    check_generics(sig, deps, diagnostics);
    let ReturnType::Type(_, returns) = &sig.output else {
        diagnostics.error(sig.ident.span(), say::returns_nothing());
        return None;
    };
    Some(Tool { args, deps, returns })
}

fn check_name(ident: &Ident, diagnostics: &mut Diagnostics) {
    let name = unraw(ident);
    if name == "ask_user" {
        diagnostics.error(ident.span(), say::reserved());
    } else if !name.is_ascii() || name.len() > 64 {
        diagnostics.error(ident.span(), say::name(name.chars().count()));
    }
}

/// The dependencies in `&Context<Deps>`.
fn context<'a>(reference: &'a syn::TypeReference, diagnostics: &mut Diagnostics) -> Option<&'a Type> {
    if let Type::Path(path) = &*reference.elem
        && let Some(last) = path.path.segments.last()
        && let PathArguments::AngleBracketed(arguments) = &last.arguments
        && let (Some(GenericArgument::Type(deps)), 1) = (arguments.args.first(), arguments.args.len())
        && reference.mutability.is_none()
    {
        return Some(deps);
    }
    diagnostics.error_spanned(reference, say::reference());
    None
}

/// Only the dependencies can be generic: nobody could say what else is meant.
fn check_generics(sig: &Signature, deps: Option<&Type>, diagnostics: &mut Diagnostics) {
    for param in &sig.generics.params {
        let known = match (param, deps) {
            (GenericParam::Type(param), Some(Type::Path(deps))) => deps.path.is_ident(&param.ident),
            _ => false,
        };
        if !known {
            diagnostics.error_spanned(param, say::loose_parameter());
        }
    }
}

fn emit(function: &Function, tool: Option<Tool<'_>>, root: &Path) -> TokenStream {
    let Function { attrs, vis, sig } = function;
    let ident = &sig.ident;
    let cfgs: Vec<&Attribute> = attrs.iter().filter(|attr| attr.path().is_ident("cfg")).collect();
    let said: Vec<&Attribute> = attrs.iter().filter(|attr| attr.path().is_ident("doc")).collect();
    let (name, description) = (unraw(ident), docs(attrs));
    let body = match tool {
        Some(tool) => implementation(sig, &tool, &name, &description),
        None => quote! {
            impl<__D> __rt::Tool<__D> for #ident {
                const NAME: &'static str = #name;
                type Args = __rt::NoArgs;
                type Output = ();
                async fn call(_: __rt::NoArgs, _: &__rt::Context<__D>) -> ::core::result::Result<(), __rt::ToolError> {
                    ::core::result::Result::Ok(())
                }
            }
        },
    };
    quote! {
        #(#cfgs)*
        #(#said)*
        #[allow(missing_docs, non_camel_case_types, unreachable_pub, dead_code)]
        #[derive(Debug, Clone, Copy)]
        #vis struct #ident {}
        #(#cfgs)*
        const _: () = {
            use #root::__private as __rt;
            #body
        };
    }
}

fn implementation(sig: &Signature, tool: &Tool<'_>, name: &str, description: &str) -> TokenStream {
    let ident = &sig.ident;
    let unlocated = Ident::new(&ident.to_string(), Span::call_site().located_at(ident.span()));
    let any: Type = syn::parse_quote!(__D);
    let deps = tool.deps.unwrap_or(&any);
    let generics = match (tool.deps, sig.generics.params.first()) {
        (None, _) => quote!(<__D>),
        (Some(_), None) => TokenStream::new(),
        (Some(_), Some(param)) => quote!(<#param>),
    };
    let mut bounds: Vec<TokenStream> =
        sig.generics.where_clause.iter().flat_map(|clause| clause.predicates.iter().map(ToTokens::to_token_stream)).collect();
    if tool.deps.is_some() && !sig.generics.params.is_empty() {
        bounds.push(quote!(#deps: ::core::marker::Send + ::core::marker::Sync));
    }
    let args = tool.args.map_or_else(|| quote!(__rt::NoArgs), ToTokens::to_token_stream);
    let given = [tool.args.map(|_| quote!(__args)), tool.deps.map(|_| quote!(__cx))].into_iter().flatten();
    let wait = sig.asyncness.map(|_| quote!(.await));
    let returns = tool.returns;
    // Aimed at the function's name: "future cannot be sent between threads safely".
    let future = quote_spanned! {ident.span()=>
        impl ::core::future::Future<Output = ::core::result::Result<Self::Output, __rt::ToolError>> + ::core::marker::Send
    };
    quote! {
        impl #generics __rt::Tool<#deps> for #ident where #(#bounds),* {
            const NAME: &'static str = #name;
            const DESCRIPTION: &'static str = #description;
            type Args = #args;
            type Output = <#returns as __rt::ToolReturn>::Output;
            #[allow(unused_variables, clippy::manual_async_fn)]
            fn call(__args: #args, __cx: &__rt::Context<#deps>) -> #future {
                async move { __rt::ToolReturn::into_result(#unlocated(#(#given),*) #wait) }
            }
        }
    }
}
