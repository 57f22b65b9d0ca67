//! The smallest parts: words, paths, `#[cfg(..)]`, and what a sentence says of the token that stands next.

use proc_macro2::{Delimiter, Ident, TokenStream, TokenTree};
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream, discouraged::Speculative};
use syn::{Attribute, Meta, Path, PathSegment, Token};

use super::syntax::{path_extent, path_text};
use crate::diagnostics::Diagnostics;
use crate::messages;
use crate::suggest::closest;

/// `#[cfg(..)]`, any number of them; what else stands there is said and left out.
pub(super) fn cfgs(input: ParseStream<'_>, sink: &mut Diagnostics) -> syn::Result<Vec<TokenStream>> {
    let mut cfgs = Vec::new();
    let attrs = input.call(Attribute::parse_outer).map_err(|error| syn::Error::new(error.span(), messages::only_cfg()))?;
    for attr in attrs {
        match &attr.meta {
            Meta::List(list) if attr.path().is_ident("cfg") => cfgs.push(list.tokens.clone()),
            _ => sink.error_spanned(&attr, messages::only_cfg()),
        }
    }
    Ok(cfgs)
}

/// `a::b::c`; `None` where it ends in `::`, which is said.
pub(super) fn path(input: ParseStream<'_>, sink: &mut Diagnostics) -> syn::Result<Option<Path>> {
    let mut path = Path { leading_colon: input.parse()?, segments: syn::punctuated::Punctuated::new() };
    loop {
        if !at_word(input) {
            let span = path_extent(&path).last;
            sink.error(span, messages::open_path(&path_text(&path)));
            return Ok(None);
        }
        let ident = input.call(Ident::parse_any)?;
        path.segments.push_value(PathSegment::from(ident));
        if !input.peek(Token![::]) {
            break;
        }
        path.segments.push_punct(input.parse()?);
    }
    match path.segments.last() {
        Some(last) if ["self", "super", "crate", "Self"].iter().any(|w| last.ident == w) => {
            sink.error(last.ident.span(), messages::no_plain_name(&last.ident.to_string()));
            Ok(None)
        }
        _ => Ok(Some(path)),
    }
}

pub(super) fn at_path(input: ParseStream<'_>) -> bool {
    at_word(input) || input.peek(Token![::])
}

/// A word that a path may hold: no keyword, except those that begin paths.
pub(super) fn at_word(input: ParseStream<'_>) -> bool {
    input.peek(syn::Ident) || input.peek(Token![crate]) || input.peek(Token![self]) || input.peek(Token![super]) || input.peek(Token![Self])
}

/// Whether the next word is this one, not written raw.
pub(super) fn is(input: ParseStream<'_>, word: &str) -> bool {
    input.cursor().ident().is_some_and(|(ident, _)| ident == word) && !input.peek2(Token![::])
}

/// The name of `what`; `None` where it is a word of Rust, which is said.
pub(super) fn named(word: Ident, sink: &mut Diagnostics, what: &str) -> Option<Ident> {
    if syn::parse2::<Ident>(word.to_token_stream()).is_ok() {
        return Some(word);
    }
    sink.error(word.span(), messages::keyword(&word.to_string(), what));
    None
}

/// Takes the word if it is next.
pub(super) fn word(input: ParseStream<'_>, word: &str) -> Option<Ident> {
    if !is(input, word) {
        return None;
    }
    let ahead = input.fork();
    let ident = ahead.call(Ident::parse_any).ok()?;
    input.advance_to(&ahead);
    Some(ident)
}

/// Says of a word that it is nearly one of these, if it is.
pub(super) fn misspelt(word: &Ident, known: &[&str]) -> syn::Result<()> {
    let word_text = word.to_string();
    closest(&word_text, known.iter().copied())
        .map_or(Ok(()), |close| Err(syn::Error::new(word.span(), messages::misspelt(&word_text, close))))
}

/// What stands next, for a sentence.
pub(super) fn found(input: ParseStream<'_>) -> String {
    match TokenTree::parse(&input.fork()) {
        Err(_) => "the end".to_owned(),
        Ok(TokenTree::Group(group)) => match group.delimiter() {
            Delimiter::Brace => "`{ .. }`".to_owned(),
            Delimiter::Bracket => "`[ .. ]`".to_owned(),
            Delimiter::Parenthesis => "`( .. )`".to_owned(),
            Delimiter::None => format!("`{}`", group.stream()),
        },
        Ok(TokenTree::Punct(_)) if input.peek(Token![->]) => "`->`".to_owned(),
        Ok(TokenTree::Punct(_)) if input.peek(Token![=>]) => "`=>`".to_owned(),
        Ok(tree) => format!("`{tree}`"),
    }
}

pub(super) fn unexpected(input: ParseStream<'_>, place: &str, expected: &str) -> syn::Error {
    syn::Error::new(input.span(), messages::unexpected(&found(input), place, expected))
}

pub(super) fn spanned(tokens: impl ToTokens, message: &str) -> syn::Error {
    syn::Error::new_spanned(tokens, message)
}
