//! A function with its signature read closely and its body not at all: a half-typed body is none of our business.

use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::parse::{Parse, ParseStream};
use syn::{
    Attribute, FnArg, GenericArgument, GenericParam, Generics, PatType, PathArguments, ReturnType, Safety, Signature, Type, Visibility,
};

use crate::attr_messages as say;
use crate::diagnostics::Diagnostics;
use crate::names::{text, unraw};

/// What was annotated.
pub(crate) struct Function {
    pub(crate) attrs: Vec<Attribute>,
    pub(crate) vis: Visibility,
    pub(crate) sig: Signature,
}

impl Parse for Function {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let attrs = input.call(Attribute::parse_outer)?;
        let vis = input.parse()?;
        let sig = input.parse()?;
        input.parse::<TokenStream>()?;
        Ok(Self { attrs, vis, sig })
    }
}

/// The two things that functions become.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum What {
    Node,
    Router,
}

impl What {
    fn word(self) -> &'static str {
        match self {
            Self::Node => "node",
            Self::Router => "router",
        }
    }

    /// Whether `ty` is what may come after the state. An attribute sees how a type is spelled, and no more.
    fn takes(self, ty: &Type) -> bool {
        match self {
            Self::Node => deps(ty).is_some(),
            Self::Router => matches!(ty, Type::Path(path) if path.path.segments.last().is_some_and(|last| last.ident == "Turn")),
        }
    }

    fn second(self) -> &'static str {
        match self {
            Self::Node => "Context<Deps>",
            Self::Router => "Turn",
        }
    }
}

/// What a function takes and returns, once all of it makes sense.
pub(crate) struct Shape {
    /// `S` of `&S`.
    pub(crate) state: Type,
    /// What a node in a branch of an `each` works on.
    pub(crate) item: Option<Item>,
    /// `C` of `&C`, the last parameter, where there is one.
    pub(crate) second: Option<Type>,
    pub(crate) output: Type,
}

/// `&T`, or `Option<&T>` of a node that also stands outside of an `each`.
pub(crate) struct Item {
    /// What a list holds of it.
    pub(crate) ty: Type,
    pub(crate) optional: bool,
    /// Whether what is taken is a part of that: `&str` of a `String`.
    pub(crate) part: bool,
}

impl Item {
    fn of(taken: &Type, optional: bool) -> Self {
        let whole = owned(taken);
        Self { part: whole.is_some(), ty: whole.unwrap_or_else(|| taken.clone()), optional }
    }

    /// What stands between state and context; nothing if that is no item.
    fn read(parameter: &PatType) -> Option<Self> {
        match &*parameter.ty {
            Type::Reference(reference) if reference.mutability.is_none() && !What::Node.takes(&reference.elem) => {
                Some(Self::of(&reference.elem, false))
            }
            Type::Path(path) => {
                let last = path.path.segments.last().filter(|last| last.ident == "Option")?;
                let PathArguments::AngleBracketed(arguments) = &last.arguments else { return None };
                match (arguments.args.first(), arguments.args.len()) {
                    (Some(GenericArgument::Type(Type::Reference(reference))), 1) if reference.mutability.is_none() => {
                        Some(Self::of(&reference.elem, true))
                    }
                    _ => None,
                }
            }
            _ => None,
        }
    }
}

impl Function {
    /// Reads the signature; every mistake in it is told.
    pub(crate) fn shape(&self, what: What, errors: &mut Diagnostics) -> Option<Shape> {
        let mut found = Diagnostics::default();
        let shape = self.read(what, &mut found);
        let sound = found.is_empty();
        errors.append(found);
        shape.filter(|_| sound)
    }

    fn read(&self, what: What, errors: &mut Diagnostics) -> Option<Shape> {
        let sig = &self.sig;
        let word = what.word();
        self.ordinary(what, errors);
        let mut parameters = Vec::new();
        for input in &sig.inputs {
            match input {
                FnArg::Receiver(receiver) => {
                    errors.error(receiver.self_token.span, say::method(word));
                    return None;
                }
                FnArg::Typed(parameter) => parameters.push(parameter),
            }
        }
        let Some((state, rest)) = parameters.split_first() else {
            errors.error(sig.ident.span(), say::no_state(word, &unraw(&sig.ident)));
            return None;
        };
        let (item, rest) = match rest.split_first() {
            Some((first, others)) if what == What::Node => match Item::read(first) {
                Some(item) => (Some(item), others),
                None => (None, rest),
            },
            _ => (None, rest),
        };
        let state = borrowed(state, errors, |ty, mutable| {
            let ty = text(ty);
            if mutable { say::state_mutable(word, &ty) } else { say::state_by_value(word, &ty) }
        });
        if let [second, third, ..] = rest {
            let text = if what == What::Node { say::too_many(word, what.second()) } else { say::too_many_for_router() };
            let fits = matches!(&*second.ty, Type::Reference(second) if what.takes(&second.elem));
            errors.error_spanned(if fits { third } else { second }, text);
            return None;
        }
        let second = rest.first().map(|second| borrowed(second, errors, |_, _| say::second_by_value(word, what.second())));
        for parameter in &parameters {
            if mentions_word(&parameter.ty, "impl") {
                errors.error_spanned(&parameter.ty, say::impl_argument(word));
            }
        }
        if let Some(Some(second)) = &second
            && !what.takes(second)
        {
            errors.error_spanned(second, say::other_second(word, what.second()));
        }
        let output = self.output(what, errors);
        // A router of an item stands where one of the state might.
        let state = state.map(|state| if what == What::Router { owned(&state).unwrap_or(state) } else { state });
        let (state, second) = (state?, second.map_or(Some(None), |second| second.map(Some))?);
        self.parameters(what, &state, item.as_ref().map(|item| &item.ty), second.as_ref(), errors);
        Some(Shape { state, item, second, output })
    }

    fn ordinary(&self, what: What, errors: &mut Diagnostics) {
        let sig = &self.sig;
        if let Safety::Unsafe(token) = &sig.safety {
            errors.error(token.span, say::kind_of_function(what.word(), "unsafe"));
        }
        if let Some(abi) = &sig.abi {
            errors.error_spanned(abi, say::kind_of_function(what.word(), "extern"));
        }
        if let Some(variadic) = &sig.variadic {
            errors.error_spanned(variadic, say::kind_of_function(what.word(), "variadic"));
        }
        if let (What::Router, Some(token)) = (what, &sig.asyncness) {
            errors.error(token.span, say::router_async());
        }
    }

    fn output(&self, what: What, errors: &mut Diagnostics) -> Type {
        let word = what.word();
        let ReturnType::Type(_, ty) = &self.sig.output else {
            if what == What::Router {
                errors.error(self.sig.ident.span(), say::router_returns_nothing(&unraw(&self.sig.ident)));
            }
            return syn::parse_quote!(());
        };
        if mentions_word(ty, "impl") {
            errors.error_spanned(ty, say::returns_impl(word));
        } else if borrows(&ty.to_token_stream()) {
            errors.error_spanned(ty, say::returns_borrow(word));
        }
        (**ty).clone()
    }

    /// The marker has no parameters: each one must be told by a type that the function takes.
    fn parameters(&self, what: What, state: &Type, item: Option<&Type>, second: Option<&Type>, errors: &mut Diagnostics) {
        for parameter in &self.sig.generics.params {
            let name = match parameter {
                GenericParam::Lifetime(lifetime) => {
                    errors.error(lifetime.lifetime.span(), say::lifetime_parameter(what.word()));
                    continue;
                }
                GenericParam::Type(parameter) => &parameter.ident,
                GenericParam::Const(parameter) => &parameter.ident,
            };
            let said = mentions(state, name) || item.into_iter().chain(second).any(|ty| mentions(ty, name));
            if !said {
                errors.error(name.span(), say::loose_parameter(what.word(), &unraw(name)));
            }
        }
    }

    /// The type of the first parameter, borrowed or not: the state, if the rest were right.
    pub(crate) fn first(&self) -> Option<&Type> {
        let ty = match self.sig.inputs.first()? {
            FnArg::Receiver(_) => return None,
            FnArg::Typed(parameter) => match &*parameter.ty {
                Type::Reference(reference) => &reference.elem,
                value => value,
            },
        };
        (!mentions_word(ty, "impl")).then_some(ty)
    }

    /// Whether it takes `self`: then it stands in an `impl`, where nothing can be added beside it.
    pub(crate) fn is_method(&self) -> bool {
        self.sig.receiver().is_some()
    }

    /// Whether the state is a parameter of the function: then fields are not known, only capabilities.
    pub(crate) fn is_parameter(&self, state: &Type) -> bool {
        let Type::Path(path) = state else { return false };
        let params = &self.sig.generics.params;
        params.iter().any(|p| matches!(p, GenericParam::Type(p) if path.path.is_ident(&p.ident)))
    }

    /// The attributes that decide whether the function exists: what we add must exist with it.
    pub(crate) fn cfgs(&self) -> impl Iterator<Item = &Attribute> {
        cfgs(&self.attrs)
    }
}

/// `D` of `Context<D>`.
pub(crate) fn deps(context: &Type) -> Option<&Type> {
    let Type::Path(path) = context else { return None };
    let last = path.path.segments.last().filter(|last| last.ident == "Context")?;
    let PathArguments::AngleBracketed(arguments) = &last.arguments else { return None };
    match (arguments.args.first(), arguments.args.len()) {
        (Some(GenericArgument::Type(deps)), 1) => Some(deps),
        _ => None,
    }
}

/// What a list holds of which a function takes `&str` or `&[T]`, as one does who minds clippy's `ptr_arg`.
fn owned(taken: &Type) -> Option<Type> {
    match taken {
        Type::Path(path) if path.path.is_ident("str") => Some(syn::parse_quote!(::std::string::String)),
        Type::Slice(slice) => {
            let of = &slice.elem;
            Some(syn::parse_quote!(::std::vec::Vec<#of>))
        }
        _ => None,
    }
}

/// The `#[cfg]`s among attributes.
pub(crate) fn cfgs(attrs: &[Attribute]) -> impl Iterator<Item = &Attribute> {
    attrs.iter().filter(|attr| attr.path().is_ident("cfg"))
}

/// The function's parameters with more behind them, as they stand after `impl`.
pub(crate) fn with_parameters(generics: &Generics, more: &[Ident]) -> TokenStream {
    let mut params: Vec<TokenStream> = generics
        .params
        .iter()
        .cloned()
        .map(|mut param| {
            match &mut param {
                GenericParam::Type(param) => param.default = None,
                GenericParam::Const(param) => param.default = None,
                GenericParam::Lifetime(_) => {}
            }
            param.to_token_stream()
        })
        .collect();
    params.extend(more.iter().map(ToTokens::to_token_stream));
    quote!(<#(#params),*>)
}

fn borrowed(parameter: &PatType, errors: &mut Diagnostics, text: impl Fn(&Type, bool) -> String) -> Option<Type> {
    match &*parameter.ty {
        Type::Reference(reference) if reference.mutability.is_none() => Some((*reference.elem).clone()),
        Type::Reference(reference) => {
            errors.error_spanned(&parameter.ty, text(&reference.elem, true));
            None
        }
        value => {
            errors.error_spanned(value, text(value, false));
            None
        }
    }
}

fn mentions(ty: &Type, name: &Ident) -> bool {
    any(ty.to_token_stream(), &mut |token| matches!(token, TokenTree::Ident(ident) if ident == name))
}

fn mentions_word(ty: &Type, word: &str) -> bool {
    any(ty.to_token_stream(), &mut |token| matches!(token, TokenTree::Ident(ident) if ident == word))
}

fn any(tokens: TokenStream, test: &mut impl FnMut(&TokenTree) -> bool) -> bool {
    tokens.into_iter().any(|token| {
        test(&token)
            || match token {
                TokenTree::Group(group) => any(group.stream(), test),
                _ => false,
            }
    })
}

/// Whether a type holds a reference whose lifetime is not written, or is `'_`.
fn borrows(tokens: &TokenStream) -> bool {
    let tokens: Vec<TokenTree> = tokens.clone().into_iter().collect();
    tokens.iter().enumerate().any(|(at, token)| match (token, tokens.get(at + 1)) {
        (TokenTree::Punct(punct), Some(TokenTree::Ident(next))) if punct.as_char() == '\'' => next == "_",
        (TokenTree::Punct(punct), Some(TokenTree::Punct(next))) if punct.as_char() == '&' => next.as_char() != '\'',
        (TokenTree::Punct(punct), _) if punct.as_char() == '&' => true,
        (TokenTree::Group(group), _) => borrows(&group.stream()),
        _ => false,
    })
}
