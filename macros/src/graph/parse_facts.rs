//! Reads facts: `again: draft as "Draft", retry(3)`.

use proc_macro2::{Ident, TokenStream};
use syn::parse::ParseStream;
use syn::{LitStr, Path, Token, parenthesized, token};

use super::parse::{End, at_statement};
use super::parse_policy::policy;
use super::syntax::{About, Fact, Facts, Policy, Statement, path_extent};
use super::words::{at_path, is, misspelt, path, unexpected};
use crate::diagnostics::Diagnostics;

pub(super) fn facts(input: ParseStream<'_>, sink: &mut Diagnostics, cfgs: Vec<TokenStream>, about: About) -> syn::Result<(Statement, End)> {
    let mut facts = Vec::new();
    loop {
        let (fact, end) = fact(input, sink)?;
        facts.extend(fact);
        if !input.peek(Token![,]) {
            if !input.is_empty() && !input.peek(Token![;]) && !at_statement(input) && end.is_some() {
                return Err(unexpected(input, "behind a fact", "`,` and the next one, or `;`"));
            }
            return Ok((Statement::Facts(Facts { cfgs, about, facts }), end));
        }
        input.parse::<Token![,]>()?;
    }
}

fn fact(input: ParseStream<'_>, sink: &mut Diagnostics) -> syn::Result<(Option<Fact>, End)> {
    if input.peek(Token![as]) {
        let title = title(input)?;
        let last = title.span();
        return Ok((Some(Fact::Title(title)), Some(last)));
    }
    if input.peek(syn::Ident) && input.peek2(token::Paren) {
        let name: Ident = input.parse()?;
        let content;
        let parens = parenthesized!(content in input);
        let kind = policy(&name, &content, sink);
        return Ok((Some(Fact::Policy(Policy { word: name, kind })), Some(parens.span.close())));
    }
    let mount = if is(input, "graph") && (input.peek2(syn::Ident) || input.peek2(Token![::]) || input.peek2(Token![crate])) {
        Some(input.parse::<Ident>()?)
    } else {
        None
    };
    if !at_path(input) {
        return Err(unexpected(input, "in a fact", "what the name stands for, `as \"Title\"`, or a policy such as `retry(3)`"));
    }
    let Some(path) = path(input, sink)? else { return Ok((None, None)) };
    misspelt_word(&path, input)?;
    let mut last = path_extent(&path).last;
    let title = if input.peek(Token![as]) { Some(title(input)?) } else { None };
    if let Some(title) = &title {
        last = title.span();
    }
    Ok((Some(Fact::Is { mount, path, title }), Some(last)))
}

/// `grpah Other`, `sa "Title"`, `read sa "Title"`
fn misspelt_word(path: &Path, input: ParseStream<'_>) -> syn::Result<()> {
    let titled = input.peek(LitStr) || (input.peek(syn::Ident) && input.peek2(LitStr));
    match path.get_ident() {
        _ if titled && input.peek(syn::Ident) => misspelt(&input.fork().parse()?, &["as"]),
        Some(word) if titled => misspelt(word, &["as"]),
        Some(word) if at_path(input) && !at_statement(input) => misspelt(word, &["graph"]),
        _ => Ok(()),
    }
}

fn title(input: ParseStream<'_>) -> syn::Result<LitStr> {
    input.parse::<Token![as]>()?;
    if input.peek(LitStr) { input.parse() } else { Err(unexpected(input, "behind `as`", "a display name: `as \"Title\"`")) }
}
