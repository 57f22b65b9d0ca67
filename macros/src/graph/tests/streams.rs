//! Streams of tokens to try the parser on: sentences of the grammar, sentences that something happened to, and chance.

use std::str::FromStr;

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};

use super::sentences;

/// What a fuzzer chooses, byte for byte. When the bytes are used up the answer is 0, always the simplest.
pub(super) struct Choices<'a>(&'a [u8]);

impl Choices<'_> {
    pub(super) fn below(&mut self, bound: usize) -> usize {
        match self.0 {
            [first, rest @ ..] => {
                self.0 = rest;
                usize::from(*first) % bound.max(1)
            }
            [] => 0,
        }
    }

    pub(super) fn one<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())]
    }

    /// True once in so many times.
    pub(super) fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == times - 1
    }
}

/// A token, or some in brackets; `Clone` and open to changes, as a `TokenTree` is not.
#[derive(Clone, Debug)]
pub(super) enum Tree {
    Token(&'static str),
    Group(Delimiter, Vec<Self>),
}

pub(super) fn tokens(trees: &[Tree]) -> TokenStream {
    let one = |tree: &Tree| match tree {
        Tree::Token(text) => TokenStream::from_str(text).unwrap(),
        Tree::Group(delimiter, inside) => TokenTree::Group(Group::new(*delimiter, tokens(inside))).into(),
    };
    trees.iter().map(one).collect()
}

const DELIMITERS: [Delimiter; 4] = [Delimiter::Parenthesis, Delimiter::Brace, Delimiter::Bracket, Delimiter::None];

/// The grammar's own words first, then what else Rust has.
const TOKENS: &[&str] = &[
    "a",
    "->",
    ";",
    "start",
    "end",
    "match",
    "=>",
    "|",
    ",",
    "::",
    "if",
    "at_most",
    "else",
    "some",
    "each",
    "never",
    "on",
    "error",
    "expiry",
    ":",
    "as",
    "graph",
    "_",
    "true",
    "1",
    "b",
    "Desk",
    "m",
    "self",
    "crate",
    "super",
    "Self",
    "r#end",
    "\"T\"",
    "48h",
    "#",
    "cfg",
    "pub",
    "where",
    "<",
    ">",
    "=",
    "!",
    "&",
    "-",
    ".",
    "..",
    "$",
    "?",
    "'x",
    "'x'",
    "1.5",
    "0",
    "4294967296",
    "type",
    "fn",
    "retry",
    "é",
];

/// A stream, and whether it is a sentence of the grammar as it is.
pub(super) struct Stream {
    pub(super) trees: Vec<Tree>,
    pub(super) sound: bool,
}

pub(super) fn stream(bytes: &[u8]) -> Stream {
    let mut choices = Choices(bytes);
    if choices.once_in(8) {
        return Stream { trees: noise(&mut choices, 0), sound: false };
    }
    let changes = choices.below(4);
    let mut trees = sentences::graph(&mut choices);
    (0..changes).for_each(|_| change(&mut trees, &mut choices));
    Stream { trees, sound: changes == 0 }
}

fn noise(choices: &mut Choices<'_>, depth: usize) -> Vec<Tree> {
    (0..choices.below(16))
        .map(|_| {
            if depth < 4 && choices.once_in(6) {
                Tree::Group(choices.one(&DELIMITERS), noise(choices, depth + 1))
            } else {
                Tree::Token(choices.one(TOKENS))
            }
        })
        .collect()
}

/// Drops, doubles, swaps, puts in, cuts off: somewhere, at any depth.
fn change(trees: &mut Vec<Tree>, choices: &mut Choices<'_>) {
    let inner: Vec<usize> = (0..trees.len()).filter(|at| matches!(trees[*at], Tree::Group(..))).collect();
    if !inner.is_empty()
        && !choices.once_in(3)
        && let Tree::Group(_, inside) = &mut trees[choices.one(&inner)]
    {
        return change(inside, choices);
    }
    let (at, other) = (choices.below(trees.len()), choices.below(trees.len()));
    let kind = choices.below(8);
    if kind == 0 || trees.is_empty() {
        return trees.insert(at, Tree::Token(choices.one(TOKENS)));
    }
    match kind {
        1 => drop(trees.remove(at)),
        2 => trees.insert(at, trees[at].clone()),
        3 => trees.swap(at, other),
        4 => trees.truncate(at),
        5 => trees[at] = Tree::Token(choices.one(TOKENS)),
        6 => {
            let inside = trees.split_off(at);
            trees.push(Tree::Group(choices.one(&DELIMITERS), inside));
        }
        _ => {
            if let Tree::Group(_, inside) = trees.remove(at) {
                trees.splice(at..at, inside);
            }
        }
    }
}
