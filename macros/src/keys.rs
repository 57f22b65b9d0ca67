//! What stands between the parentheses of an attribute: `word`, `word(a, b)` and `word = value`.

use proc_macro2::{Ident, Span, TokenStream};
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::parse::{ParseStream, Parser};
use syn::{Expr, Path, Token};

use crate::attr_messages as say;
use crate::diagnostics::Diagnostics;
use crate::krate;
use crate::names::unraw;

/// One word and what it says.
pub(crate) struct Key {
    pub(crate) name: Ident,
    value: Value,
    /// As written, to hand it on.
    pub(crate) tokens: TokenStream,
}

enum Value {
    None,
    List(TokenStream),
    Is(Expr),
}

/// The words of an attribute, each known to it and there once.
pub(crate) struct Keys {
    keys: Vec<Key>,
}

impl Keys {
    /// Reads the words of `#[attribute(..)]`; what is unknown or stands twice is told and left out.
    pub(crate) fn parse(parts: impl IntoIterator<Item = TokenStream>, attribute: &str, known: &[&str], errors: &mut Diagnostics) -> Self {
        let mut keys: Vec<Key> = Vec::new();
        let written: Vec<Key> = parts.into_iter().flat_map(|part| split(part, errors)).collect();
        for key in written {
            let word = unraw(&key.name);
            if !known.contains(&word.as_str()) {
                errors.error(key.name.span(), say::unknown_key(attribute, &word, known));
            } else if keys.iter().any(|other| other.name == key.name) {
                errors.error(key.name.span(), say::key_twice(&word));
            } else {
                keys.push(key);
            }
        }
        Self { keys }
    }

    fn get(&self, name: &str) -> Option<&Key> {
        self.keys.iter().find(|key| key.name == name)
    }

    /// `word`, alone. Where it stands.
    pub(crate) fn flag(&self, name: &str, errors: &mut Diagnostics) -> Option<Span> {
        let key = self.get(name)?;
        if !matches!(key.value, Value::None) {
            errors.error_spanned(&key.tokens, say::flag_with_value(name));
        }
        Some(key.name.span())
    }

    /// `word(a, b)`.
    pub(crate) fn list(&self, name: &str, errors: &mut Diagnostics) -> Option<Vec<Ident>> {
        let key = self.get(name)?;
        let Value::List(tokens) = &key.value else {
            errors.error_spanned(&key.tokens, say::not_a_list(name));
            return None;
        };
        let mut names: Vec<Ident> = Vec::new();
        match syn::punctuated::Punctuated::<Ident, Token![,]>::parse_terminated.parse2(tokens.clone()) {
            Err(error) => errors.error(error.span(), say::not_a_list(name)),
            Ok(all) => {
                for ident in all {
                    if names.contains(&ident) {
                        errors.error(ident.span(), say::key_twice(&unraw(&ident)));
                    } else {
                        names.push(ident);
                    }
                }
            }
        }
        Some(names)
    }

    /// `word = path`, which may be qualified.
    pub(crate) fn path(&self, name: &str, errors: &mut Diagnostics) -> Option<syn::ExprPath> {
        let key = self.get(name)?;
        match &key.value {
            Value::Is(Expr::Path(path)) => Some(path.clone()),
            _ => {
                errors.error_spanned(&key.tokens, say::not_a_path(name));
                None
            }
        }
    }

    /// `word`, alone, or `word = path`.
    pub(crate) fn flag_or_path(&self, name: &str, errors: &mut Diagnostics) -> Option<Option<syn::ExprPath>> {
        let key = self.get(name)?;
        match &key.value {
            Value::None => Some(None),
            Value::Is(Expr::Path(path)) => Some(Some(path.clone())),
            _ => {
                errors.error_spanned(&key.tokens, say::not_alone_nor_a_path(name));
                None
            }
        }
    }

    /// `word`, alone, or `word(some::a, b)`: then not an empty list.
    pub(crate) fn flag_or_paths(&self, name: &str, errors: &mut Diagnostics) -> Option<Vec<Path>> {
        let key = self.get(name)?;
        let paths = match &key.value {
            Value::None => return Some(Vec::new()),
            Value::List(tokens) => syn::punctuated::Punctuated::<Path, Token![,]>::parse_terminated.parse2(tokens.clone()).ok(),
            Value::Is(_) => None,
        };
        let paths = paths.filter(|paths| !paths.is_empty());
        if paths.is_none() {
            errors.error_spanned(&key.tokens, say::not_alone_nor_paths(name));
        }
        Some(paths.into_iter().flatten().collect())
    }

    /// `crate = path`, or where attributes look by themselves.
    pub(crate) fn krate(&self, errors: &mut Diagnostics) -> Path {
        self.path("crate", errors).map_or_else(krate::default, |path| path.path)
    }

    /// Where the word stands.
    pub(crate) fn span(&self, name: &str) -> Option<Span> {
        self.get(name).map(|key| key.name.span())
    }
}

/// Word by word, so that one that cannot be read does not hide the others.
pub(crate) fn split(tokens: TokenStream, errors: &mut Diagnostics) -> Vec<Key> {
    let parse = |input: ParseStream<'_>| {
        let mut keys = Vec::new();
        while !input.is_empty() {
            match key(input) {
                Ok(key) => keys.push(key),
                Err(error) => errors.error(error.span(), say::unreadable_key()),
            }
            // To the next comma, whatever is left before it.
            while !input.is_empty() && !input.peek(Token![,]) {
                input.parse::<proc_macro2::TokenTree>()?;
            }
            input.parse::<Option<Token![,]>>()?;
        }
        Ok(keys)
    };
    parse.parse2(tokens).unwrap_or_default()
}

fn key(input: ParseStream<'_>) -> syn::Result<Key> {
    let name = input.call(Ident::parse_any)?;
    let mut tokens = name.to_token_stream();
    let value = if input.peek(syn::token::Paren) {
        let group: proc_macro2::Group = input.parse()?;
        group.to_tokens(&mut tokens);
        Value::List(group.stream())
    } else if input.peek(Token![=]) {
        input.parse::<Token![=]>()?.to_tokens(&mut tokens);
        let value: Expr = input.parse()?;
        value.to_tokens(&mut tokens);
        Value::Is(value)
    } else {
        Value::None
    };
    if !input.is_empty() && !input.peek(Token![,]) {
        return Err(input.error("expected `,`"));
    }
    Ok(Key { name, value, tokens })
}
