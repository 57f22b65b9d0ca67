//! Reads forks: `[a, b]`, `some router { .. }`, `each router { .. }`.

use proc_macro2::Ident;
use syn::ext::IdentExt;
use syn::parse::ParseStream;
use syn::{Token, braced, bracketed, token};

use super::parse::{End, arms, step_word};
use super::syntax::{Branch, Extent, Fork, ForkKind, Step, path_extent};
use super::words::{at_path, cfgs, found, is, misspelt, path, unexpected, word};
use crate::diagnostics::Diagnostics;
use crate::messages;

pub(super) fn at_fork(input: ParseStream<'_>) -> bool {
    input.peek(token::Bracket) || at_fork_word(input)
}

/// `some` or `each`; `each ::m::items { .. }` is one too, and `each::place` is a path.
fn at_fork_word(input: ParseStream<'_>) -> bool {
    let ahead = input.fork();
    if !ahead.call(Ident::parse_any).is_ok_and(|word| word == "some" || word == "each") {
        return false;
    }
    if !ahead.peek(Token![::]) {
        return !ahead.peek(Token![;]);
    }
    matches!(path(&ahead, &mut Diagnostics::default()), Ok(Some(_))) && (ahead.peek(token::Brace) || ahead.peek(Token![match]))
}

pub(super) fn fork(input: ParseStream<'_>, sink: &mut Diagnostics) -> syn::Result<Fork> {
    let behind = |input: ParseStream<'_>, sink: &mut Diagnostics, arrow: Extent, _: &str| branch(input, sink, arrow);
    if input.peek(token::Bracket) {
        let content;
        let brackets = bracketed!(content in input);
        let mut branches = Vec::new();
        while !content.is_empty() {
            let cfgs = cfgs(&content, sink)?;
            let branch = branch(&content, sink, Extent::of(brackets.span.join()))?.0;
            branches.push(Branch { cfgs, ..branch });
            if !content.is_empty() {
                content.parse::<Token![,]>().map_err(|_| unexpected(&content, "in a fork", "`,` and the next branch: `[a, b]`"))?;
            }
        }
        if branches.is_empty() {
            sink.error(brackets.span.join(), messages::empty_fork());
        }
        let extent = Extent { first: brackets.span.open(), last: brackets.span.close() };
        return Ok(Fork { extent, kind: ForkKind::All(branches) });
    }
    let word = input.call(Ident::parse_any)?;
    let (each, first) = (word == "each", word.span());
    let router = if at_path(input) {
        path(input, sink)?
    } else {
        return Err(unexpected(input, "here", "a router, then the branches: `some router { A => a }`, `each router { a }`"));
    };
    if !each {
        let arms = arms(input, sink, &behind)?;
        return Ok(Fork { extent: Extent { first, last: arms.braces }, kind: ForkKind::Some { router, arms } });
    }
    if input.peek(Token![match]) {
        input.parse::<Token![match]>()?;
        let by = path(input, sink)?;
        let arms = arms(input, sink, &behind)?;
        return Ok(Fork { extent: Extent { first, last: arms.braces }, kind: ForkKind::EachMatch { router, by, arms } });
    }
    if !input.peek(token::Brace) {
        if input.peek(syn::Ident) {
            misspelt(&input.fork().parse()?, &["match"])?;
        }
        return Err(unexpected(
            input,
            "here",
            "the branch that each item takes: `each router { a -> b }`, or `each router match kind { A => a }`",
        ));
    }
    let content;
    let braces = braced!(content in input);
    let (branch, _) = branch(&content, sink, Extent::of(braces.span.join()))?;
    if !content.is_empty() {
        return Err(unexpected(&content, "in a branch", "steps only: `each router { a -> b }`"));
    }
    let last = braces.span.close();
    Ok(Fork { extent: Extent { first, last }, kind: ForkKind::Each { router, branch } })
}

fn branch(input: ParseStream<'_>, sink: &mut Diagnostics, arrow: Extent) -> syn::Result<(Branch, End)> {
    let mut steps = Vec::new();
    let mut arrow = arrow;
    loop {
        let step = if at_fork(input) {
            Step::Fork(fork(input, sink)?)
        } else if let Some(word) = ["start", "end", "never"].iter().find_map(|known| word(input, known)) {
            sink.error(word.span(), messages::no_step(&word.to_string()));
            Step::Hole
        } else if at_path(input) {
            let path = path(input, sink)?;
            path.iter().try_for_each(|path| step_word(path, input))?;
            path.map_or(Step::Hole, Step::Place)
        } else if input.is_empty() || input.peek(Token![,]) {
            sink.error_spanned(arrow, messages::empty_branch());
            Step::Hole
        } else {
            return Err(syn::Error::new(input.span(), messages::no_step(found(input).trim_matches('`'))));
        };
        let end = match &step {
            Step::Place(path) => Some(path_extent(path).last),
            Step::Fork(fork) => Some(fork.extent.last),
            Step::Hole => None,
        };
        steps.push(step);
        if messages::WAY_WORDS.iter().any(|word| is(input, word)) {
            return Err(syn::Error::new(input.span(), messages::no_step(found(input).trim_matches('`'))));
        }
        if !input.peek(Token![->]) {
            return Ok((Branch { cfgs: Vec::new(), steps }, end));
        }
        let next: Token![->] = input.parse()?;
        arrow = next.into();
    }
}
