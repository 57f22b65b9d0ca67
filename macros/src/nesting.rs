//! Refuses what is nested so deeply that reading it would use up the stack.
//!
//! syn and the parser call themselves for what stands inside of something, and a macro that overflows the stack takes
//! the compiler with it. So the depth is measured first, by a walk that does not call itself.

use proc_macro2::{Delimiter, Span, TokenStream, TokenTree};

use crate::messages;

/// So many brackets may be open at once: a graph of a person has six.
const DEPTH: usize = 32;
/// So many tokens has the head of a graph, or an attribute. In types and expressions `&`, `<`, `!` and `->` nest
/// without a bracket, and a level of a type takes some 50 kB of stack where syn is not optimised.
const LENGTH: usize = 160;

/// What `expand` makes of the tokens, unless they are too deep for it.
pub(crate) fn bounded(tokens: TokenStream, expand: impl FnOnce(TokenStream) -> TokenStream) -> TokenStream {
    if let Some(span) = too_deep(&tokens) {
        return syn::Error::new(span, messages::too_deep(DEPTH)).to_compile_error();
    }
    if let Some(span) = too_long(&tokens, false) {
        return syn::Error::new(span, messages::too_long(LENGTH)).to_compile_error();
    }
    expand(tokens)
}

/// The first bracket that is too deep.
fn too_deep(tokens: &TokenStream) -> Option<Span> {
    let mut open = vec![tokens.clone().into_iter()];
    while let Some(stream) = open.last_mut() {
        match stream.next() {
            None => drop(open.pop()),
            Some(TokenTree::Group(group)) if open.len() > DEPTH => return Some(group.span_open()),
            Some(TokenTree::Group(group)) => open.push(group.stream().into_iter()),
            Some(_) => {}
        }
    }
    None
}

/// The token at which a head or an attribute is too long. Statements may be as long as they like: they nest by brackets only.
fn too_long(tokens: &TokenStream, in_body: bool) -> Option<Span> {
    let (mut length, mut after_hash) = (0, false);
    for tree in tokens.clone() {
        let counted = match &tree {
            TokenTree::Group(group) if after_hash && group.delimiter() == Delimiter::Bracket => {
                if size(group.stream()) > LENGTH {
                    return Some(group.span_open());
                }
                0
            }
            TokenTree::Group(group) if in_body || group.delimiter() == Delimiter::Brace => {
                if let Some(span) = too_long(&group.stream(), true) {
                    return Some(span);
                }
                0
            }
            TokenTree::Group(group) => size(group.stream()),
            _ => 1,
        };
        length += counted;
        if !in_body && length > LENGTH {
            return Some(tree.span());
        }
        after_hash = matches!(&tree, TokenTree::Punct(punct) if punct.as_char() == '#');
    }
    None
}

fn size(tokens: TokenStream) -> usize {
    tokens
        .into_iter()
        .map(|tree| match tree {
            TokenTree::Group(group) => 1 + size(group.stream()),
            _ => 1,
        })
        .sum()
}
