//! `#[tool]`: a function that a model can call.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::{ExprPath, FnArg, GenericArgument, GenericParam, Path, PathArguments, ReturnType, Safety, Signature, Type, TypeReference};

use crate::diagnostics::Diagnostics;
use crate::keys::Keys;
use crate::marker;
use crate::names::{docs, unraw};
use crate::node::keyword;
use crate::signature::Function;
use crate::spans::hidden;
use crate::tool_messages as say;

/// The words that mean something, and those that people might try.
const KEYS: &[&str] = &["crate", "needs_approval", "name", "description"];

/// The longest name that every provider takes.
const MAX_NAME: usize = 64;

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
        errors.error(word.map_or_else(Span::call_site, |word| word.span()), say::not_here());
        return TokenStream::new();
    }
    let Arguments { krate, approval } = Arguments::parse(arguments, errors);
    // rustc says what is wrong with a function that cannot be read.
    let Ok(function) = syn::parse2::<Function>(item.clone()) else { return TokenStream::new() };
    // Beside a method nothing of ours could stand.
    if let Some(receiver) = function.sig.receiver() {
        errors.error(receiver.self_token.span, say::method());
        return TokenStream::new();
    }
    let tool = match Shape::of(&function.sig, errors) {
        Some(shape) if errors.is_empty() => tool(&function, &shape, approval.as_ref()),
        _ => stub(&function.sig.ident),
    };
    let (marker, hidden) = (marker::marker(&function), marker::hidden_block(&krate, function.cfgs(), &tool));
    quote!(#marker #hidden)
}

/// What the words in the parentheses say.
struct Arguments {
    krate: Path,
    approval: Option<Approval>,
}

/// Which calls somebody has to approve.
enum Approval {
    Every,
    /// Those of which the function says so.
    If(ExprPath),
}

impl Arguments {
    fn parse(tokens: TokenStream, errors: &mut Diagnostics) -> Self {
        let keys = Keys::parse([tokens], "tool", KEYS, errors);
        for word in ["name", "description"] {
            if let Some(span) = keys.span(word) {
                errors.error(span, say::said_elsewhere(word));
            }
        }
        let approval = keys.flag_or_path("needs_approval", errors).map(|path| path.map_or(Approval::Every, Approval::If));
        Self { krate: keys.krate(errors), approval }
    }
}

/// What a tool takes and returns.
struct Shape<'a> {
    args: Option<&'a Type>,
    /// The dependencies, if it takes a context.
    deps: Option<&'a Type>,
    output: &'a Type,
}

impl<'a> Shape<'a> {
    /// Reads the signature; every mistake in it is told.
    fn of(sig: &'a Signature, errors: &mut Diagnostics) -> Option<Self> {
        check_name(&sig.ident, errors);
        if let Safety::Unsafe(token) = &sig.safety {
            errors.error(token.span, say::kind_of_function("unsafe"));
        }
        if let Some(abi) = &sig.abi {
            errors.error_spanned(abi, say::kind_of_function("extern"));
        }
        let (mut args, mut deps) = (None, None);
        for input in &sig.inputs {
            let FnArg::Typed(input) = input else { continue };
            match &*input.ty {
                Type::Reference(reference) if deps.is_none() => deps = context(reference, errors),
                ty if is_context(ty) => errors.error_spanned(ty, say::context_by_value()),
                ty if args.is_some() || deps.is_some() => errors.error_spanned(ty, say::too_many()),
                ty => args = Some(ty),
            }
        }
        check_parameters(sig, deps, errors);
        let ReturnType::Type(_, output) = &sig.output else {
            errors.error(sig.ident.span(), say::returns_nothing());
            return None;
        };
        Some(Self { args, deps, output })
    }
}

fn check_name(ident: &Ident, errors: &mut Diagnostics) {
    let name = unraw(ident);
    if name == "ask_user" {
        errors.error(ident.span(), say::reserved());
    } else if !name.is_ascii() || name.len() > MAX_NAME {
        errors.error(ident.span(), say::name(name.chars().count()));
    }
}

/// The dependencies in `&Context<Deps>`.
fn context<'a>(reference: &'a TypeReference, errors: &mut Diagnostics) -> Option<&'a Type> {
    if let Type::Path(path) = &*reference.elem
        && let Some(last) = path.path.segments.last()
        && let PathArguments::AngleBracketed(arguments) = &last.arguments
        && let (Some(GenericArgument::Type(deps)), 1) = (arguments.args.first(), arguments.args.len())
        && reference.mutability.is_none()
    {
        return Some(deps);
    }
    errors.error_spanned(reference, say::reference());
    None
}

fn is_context(ty: &Type) -> bool {
    matches!(ty, Type::Path(path) if path.path.segments.last().is_some_and(|last| last.ident == "Context"))
}

/// Only the dependencies can be generic: nobody could say what else is meant.
fn check_parameters(sig: &Signature, deps: Option<&Type>, errors: &mut Diagnostics) {
    for param in &sig.generics.params {
        let told = match (param, deps) {
            (GenericParam::Type(param), Some(Type::Path(deps))) => deps.path.is_ident(&param.ident),
            _ => false,
        };
        if !told {
            errors.error_spanned(param, say::loose_parameter());
        }
    }
}

fn tool(function: &Function, shape: &Shape<'_>, approval: Option<&Approval>) -> TokenStream {
    let sig = &function.sig;
    let (ident, output) = (&sig.ident, shape.output);
    let (name, description) = (unraw(ident), docs(&function.attrs));
    let any = hidden("D").to_token_stream();
    let deps = shape.deps.map_or_else(|| any.clone(), ToTokens::to_token_stream);
    let generic = shape.deps.is_some() && !sig.generics.params.is_empty();
    let params = match shape.deps {
        None => any,
        Some(_) => sig.generics.params.to_token_stream(),
    };
    // What `Toolset` asks of dependencies anyway; without it a generic context could not be held over an await.
    let sendable = generic.then(|| quote!(#deps: ::core::marker::Send + ::core::marker::Sync,));
    let bounds = sig.generics.where_clause.iter().flat_map(|clause| &clause.predicates);
    let (args, cx) = (hidden("args"), hidden("cx"));
    let given = [shape.args.map(|_| &args), shape.deps.map(|_| &cx)].into_iter().flatten();
    let args_type = shape.args.map_or_else(|| quote!(__rt::NoArgs), ToTokens::to_token_stream);
    let wait = sig.asyncness.map(|_| quote!(.await));
    // Aimed at the function's name: "future cannot be sent between threads safely".
    let future = quote_spanned! {ident.span()=>
        impl ::core::future::Future<Output = Self::Ret> + ::core::marker::Send
    };
    let approval = approval.map(|approval| needs_approval(approval, &args_type, &deps, shape.deps.is_some()));
    quote! {
        impl<#params> __rt::Tool<#deps> for #ident where #sendable #(#bounds),* {
            const NAME: &'static str = #name;
            const DESCRIPTION: &'static str = #description;
            #approval
            type Args = #args_type;
            type Ret = #output;
            #[allow(unused_qualifications, unused_variables, clippy::manual_async_fn)]
            fn call(#args: #args_type, #cx: &__rt::Context<#deps>) -> #future {
                async move { #ident(#(#given),*) #wait }
            }
        }
    }
}

/// The flag, and the function that says it of one call. Where the tool takes no context, neither does that function.
fn needs_approval(approval: &Approval, args: &TokenStream, deps: &TokenStream, takes_context: bool) -> TokenStream {
    let Approval::If(path) = approval else {
        return quote!(
            const NEEDS_APPROVAL: bool = true;
        );
    };
    let last = path.path.segments.last().map_or_else(Span::call_site, |last| last.ident.span());
    // What does not fit is the function: there rustc must point.
    let at = |name: &str| Ident::new(&hidden(name).to_string(), hidden(name).span().located_at(last));
    let (given, cx) = (at("args"), at("cx"));
    let of = if takes_context { quote!(_) } else { quote!((#args,)) };
    let holds = quote_spanned!(last=> __rt::needs_approval::<#args, #deps, #of, _>(#path, #given, #cx));
    quote! {
        const NEEDS_APPROVAL: bool = true;
        fn needs_approval(#given: &#args, #cx: &__rt::Context<#deps>) -> bool { #holds }
    }
}

/// After a mistake: a tool all the same, so that the mistake is the only error.
fn stub(ident: &Ident) -> TokenStream {
    let (name, deps) = (unraw(ident), hidden("D"));
    quote! {
        impl<#deps> __rt::Tool<#deps> for #ident {
            const NAME: &'static str = #name;
            type Args = __rt::NoArgs;
            type Ret = ::core::result::Result<(), __rt::ToolError>;
            fn call(_: __rt::NoArgs, _: &__rt::Context<#deps>) -> impl ::core::future::Future<Output = Self::Ret> + ::core::marker::Send {
                ::core::future::ready(::core::result::Result::Ok(()))
            }
        }
    }
}
