//! `#[graph(version = 3, endless, ..)]`, and which attributes go on to the graph's type.

use proc_macro2::{Ident, Span, TokenStream};
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::parse::{ParseStream, Parser};
use syn::{Attribute, LitInt, Meta, Token, Type, parenthesized, token};

use crate::diagnostics::Diagnostics;
use crate::messages;

pub(crate) struct Options {
    pub(crate) version: u32,
    pub(crate) steps: u32,
    pub(crate) endless: bool,
    pub(crate) unreachable: bool,
    pub(crate) deny: Denied,
    pub(crate) input: Option<Type>,
    pub(crate) output: Option<Type>,
    pub(crate) settings: Option<Type>,
    /// What stands on the type: docs, derives, the user's own attributes.
    pub(crate) attrs: Vec<Attribute>,
    /// The `#[cfg(..)]` of the graph: everything made of it stands under them.
    pub(crate) cfgs: Vec<TokenStream>,
    pub(crate) docs: String,
}

/// What is refused only where it is denied by name.
#[derive(Default)]
pub(crate) struct Denied {
    pub(crate) wildcard_label: bool,
    pub(crate) unbounded_loop: bool,
    pub(crate) answer_elsewhere: bool,
}

/// So many steps a run may take unless the graph says otherwise.
const STEPS: u32 = 100;

pub(crate) fn read(attrs: &[Attribute], sink: &mut Diagnostics) -> Options {
    let mut options = Options {
        version: 1,
        steps: STEPS,
        endless: false,
        unreachable: false,
        deny: Denied::default(),
        input: None,
        output: None,
        settings: None,
        attrs: Vec::new(),
        cfgs: Vec::new(),
        docs: crate::names::docs(attrs),
    };
    let mut said = Vec::new();
    for attr in attrs {
        match &attr.meta {
            Meta::List(list) if attr.path().is_ident("graph") => {
                let mut read = |input: ParseStream<'_>| keys(input, &mut options, &mut said, sink);
                if let Err(error) = Parser::parse2(&mut read, list.tokens.clone()) {
                    sink.error(error.span(), messages::option(&error.to_string()));
                }
            }
            _ if attr.path().is_ident("graph") => sink.error_spanned(attr, messages::option_value("graph", "#[graph(version = 2)]")),
            Meta::List(list) if attr.path().is_ident("cfg") => options.cfgs.push(list.tokens.clone()),
            _ => options.attrs.push(attr.clone()),
        }
    }
    options
}

fn keys(input: ParseStream<'_>, options: &mut Options, said: &mut Vec<String>, sink: &mut Diagnostics) -> syn::Result<()> {
    while !input.is_empty() {
        let key = input.call(Ident::parse_any)?;
        let word = key.to_string();
        if said.contains(&word) {
            sink.error(key.span(), messages::option_twice(&word));
        }
        match word.as_str() {
            "version" => options.version = number(input, &key)?,
            "steps" => options.steps = number(input, &key)?,
            "endless" => options.endless = true,
            "input" => options.input = Some(ty(input, &key)?),
            "output" => options.output = Some(ty(input, &key)?),
            "settings" => options.settings = Some(ty(input, &key)?),
            "allow" => {
                for name in lints(input, &key)? {
                    match name.to_string().as_str() {
                        "unreachable_place" => options.unreachable = true,
                        other => sink.error(name.span(), messages::unknown_lint(other, messages::LINTS)),
                    }
                }
            }
            "deny" => {
                for name in lints(input, &key)? {
                    match name.to_string().as_str() {
                        "wildcard_label" => options.deny.wildcard_label = true,
                        "unbounded_loop" => options.deny.unbounded_loop = true,
                        "answer_elsewhere" => options.deny.answer_elsewhere = true,
                        other => sink.error(name.span(), messages::unknown_lint(other, messages::DENIABLE)),
                    }
                }
            }
            _ => {
                sink.error(key.span(), messages::unknown_option(&word));
                rest(input)?;
            }
        }
        said.push(word);
        if !input.is_empty() {
            if !input.peek(Token![,]) {
                return Err(syn::Error::new(key.span(), messages::option_value(&key.to_string(), "#[graph(version = 2, endless)]")));
            }
            input.parse::<Token![,]>()?;
        }
    }
    Ok(())
}

fn number(input: ParseStream<'_>, key: &Ident) -> syn::Result<u32> {
    let wrong = |span: Span| syn::Error::new(span, messages::option_number(&key.to_string()));
    input.parse::<Token![=]>().map_err(|_| wrong(key.span()))?;
    let literal: LitInt = input.parse().map_err(|_| wrong(key.span()))?;
    match literal.base10_parse() {
        Ok(number) if number > 0 => Ok(number),
        _ => Err(wrong(literal.span())),
    }
}

fn ty(input: ParseStream<'_>, key: &Ident) -> syn::Result<Type> {
    let wrong = |_| syn::Error::new(key.span(), messages::option_value(&key.to_string(), &format!("{key} = Type")));
    input.parse::<Token![=]>().map_err(wrong)?;
    input.parse().map_err(wrong)
}

/// `allow(unreachable_place)`
fn lints(input: ParseStream<'_>, key: &Ident) -> syn::Result<Vec<Ident>> {
    if !input.peek(token::Paren) {
        let example = if key == "allow" { "allow(unreachable_place)" } else { "deny(wildcard_label)" };
        return Err(syn::Error::new(key.span(), messages::option_value(&key.to_string(), example)));
    }
    let content;
    parenthesized!(content in input);
    Ok(content.parse_terminated(Ident::parse_any, Token![,])?.into_iter().collect())
}

/// The value of a key that nobody knows.
fn rest(input: ParseStream<'_>) -> syn::Result<()> {
    while !input.is_empty() && !input.peek(Token![,]) {
        input.parse::<proc_macro2::TokenTree>()?;
    }
    Ok(())
}

impl Options {
    /// The traits that the user does not derive already.
    pub(crate) fn derives(&self) -> Vec<TokenStream> {
        let said: String = self
            .attrs
            .iter()
            .filter(|a| a.path().is_ident("derive") || a.path().is_ident("cfg_attr"))
            .map(|a| a.to_token_stream().to_string())
            .collect();
        let said: Vec<&str> = said.split(|c: char| !c.is_alphanumeric() && c != '_').collect();
        [
            ("Debug", quote::quote!(::core::fmt::Debug)),
            ("Clone", quote::quote!(::core::clone::Clone)),
            ("Copy", quote::quote!(::core::marker::Copy)),
        ]
        .into_iter()
        .filter(|(name, _)| !said.contains(name))
        .map(|(_, path)| path)
        .collect()
    }
}
