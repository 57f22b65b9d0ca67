//! What can be written in `graph! { .. }`: the tree, with every token that an error may point at.
//!
//! A `Hole` stands where something is missing or wrong and has been reported: what surrounds it is still understood.

use std::time::Duration;

use proc_macro2::{Ident, Punct, Spacing, Span, TokenStream, TokenTree};
use quote::ToTokens;
use syn::{Attribute, Generics, LitBool, LitInt, LitStr, Path, Token, Type, Visibility};

use crate::names::unraw;

/// What stands in `graph! { .. }`.
pub(crate) enum Written {
    Graph(Box<Graph>),
    Instance(Box<Instance>),
}

/// `pub Support = React<Ticket, Deps>;`
pub(crate) struct Instance {
    pub(crate) attrs: Vec<Attribute>,
    pub(crate) vis: Visibility,
    pub(crate) name: Ident,
    /// The graph, without what it is made for.
    pub(crate) of: Path,
    pub(crate) state: Type,
    pub(crate) deps: Type,
}

/// `pub Refunds(Order, Deps) { .. }`
pub(crate) struct Graph {
    pub(crate) attrs: Vec<Attribute>,
    pub(crate) vis: Visibility,
    pub(crate) name: Ident,
    pub(crate) generics: Generics,
    pub(crate) state: Type,
    /// `()` where it is left out.
    pub(crate) deps: Type,
    pub(crate) statements: Vec<Statement>,
    /// A statement was not understood: nothing can be said about what is missing.
    pub(crate) lost: bool,
    /// The words with which such a statement begins: what an editor is asked to complete.
    pub(crate) begun: Vec<Path>,
}

pub(crate) enum Statement {
    Ways(Ways),
    Facts(Facts),
}

/// `a | b -> c -> d if done;`
pub(crate) struct Ways {
    pub(crate) cfgs: Vec<TokenStream>,
    pub(crate) sources: Vec<Source>,
    pub(crate) arrow: Token![->],
    pub(crate) way: Way,
    pub(crate) condition: Option<Condition>,
}

pub(crate) enum Source {
    Start(Ident),
    End(Ident),
    Place(Path),
}

/// `c -> d`: what stands behind an arrow.
pub(crate) struct Way {
    pub(crate) steps: Vec<(Step, Token![->])>,
    pub(crate) last: Last,
}

pub(crate) enum Last {
    Goal(Goal),
    Choice(Choice),
}

/// `draft at_most 3 else give_up`
pub(crate) struct Goal {
    pub(crate) target: Target,
    pub(crate) budget: Option<Budget>,
}

pub(crate) struct Budget {
    pub(crate) count: LitInt,
    pub(crate) other: Token![else],
    pub(crate) target: Target,
}

/// `match router { A => x, B => y }`
pub(crate) struct Choice {
    pub(crate) word: Token![match],
    pub(crate) router: Option<Path>,
    pub(crate) arms: Arms<Way>,
}

pub(crate) struct Arms<X> {
    pub(crate) braces: Span,
    pub(crate) arms: Vec<Arm<X>>,
    /// Something between the braces was not understood: nothing can be said about what is missing.
    pub(crate) broken: bool,
}

pub(crate) struct Arm<X> {
    pub(crate) cfgs: Vec<TokenStream>,
    pub(crate) labels: Vec<Label>,
    pub(crate) to: X,
}

#[derive(Clone)]
pub(crate) enum Label {
    Path(Path),
    Bool(LitBool),
    End(Ident),
    Wild(Token![_]),
}

pub(crate) enum Step {
    Place(Path),
    Fork(Fork),
    Hole,
}

pub(crate) struct Fork {
    pub(crate) extent: Extent,
    pub(crate) kind: ForkKind,
}

pub(crate) enum ForkKind {
    All(Vec<Branch>),
    Some { router: Option<Path>, arms: Arms<Branch> },
    Each { router: Option<Path>, branch: Branch },
    EachMatch { router: Option<Path>, by: Option<Path>, arms: Arms<Branch> },
}

pub(crate) struct Branch {
    /// Of a branch in brackets; one behind a label stands under those of its arm.
    pub(crate) cfgs: Vec<TokenStream>,
    pub(crate) steps: Vec<Step>,
}

pub(crate) enum Target {
    Place(Path),
    End(Ident, Option<Ident>),
    Never(Ident),
    Hole,
}

pub(crate) enum Condition {
    If(Path),
    On(Ident, Ident),
    Hole,
}

/// `again: draft, retry(3);`
pub(crate) struct Facts {
    pub(crate) cfgs: Vec<TokenStream>,
    pub(crate) about: About,
    pub(crate) facts: Vec<Fact>,
}

pub(crate) enum About {
    Name(Ident),
    All(Token![_]),
}

pub(crate) enum Fact {
    /// `draft`, or `graph Researcher`
    Is { mount: Option<Ident>, path: Path, title: Option<LitStr> },
    /// `as "Title"`
    Title(LitStr),
    /// `retry(3)`
    Policy(Policy),
}

/// What stands in the parentheses behind a word of ours.
pub(crate) struct Policy {
    pub(crate) word: Ident,
    pub(crate) kind: PolicyKind,
}

pub(crate) enum PolicyKind {
    Retry {
        times: u32,
        backoff: Option<Duration>,
        limit: Option<Duration>,
    },
    Timeout(Duration),
    Expires(Duration),
    Cache {
        key: Path,
        keep: Duration,
    },
    AtOnce(u32),
    Was(LitStr),
    Enter(Path),
    Exit(Path),
    Writes(Vec<Ident>),
    /// Something that was reported.
    Hole,
}

/// From the first to the last token: what an error underlines.
#[derive(Clone, Copy)]
pub(crate) struct Extent {
    pub(crate) first: Span,
    pub(crate) last: Span,
}

impl Extent {
    pub(crate) fn of(span: Span) -> Self {
        Self { first: span, last: span }
    }

    pub(crate) fn of_tokens(tokens: &impl ToTokens) -> Self {
        let mut spans = tokens.to_token_stream().into_iter().map(|tree| tree.span());
        let first = spans.next().unwrap_or_else(Span::call_site);
        Self { first, last: spans.last().unwrap_or(first) }
    }
}

impl From<Token![->]> for Extent {
    fn from(arrow: Token![->]) -> Self {
        Self { first: arrow.spans[0], last: arrow.spans[1] }
    }
}

impl From<Token![=>]> for Extent {
    fn from(arrow: Token![=>]) -> Self {
        Self { first: arrow.spans[0], last: arrow.spans[1] }
    }
}

/// Two marks, so that `syn::Error::new_spanned` underlines all of it.
impl ToTokens for Extent {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        let (mut first, mut last) = (Punct::new('-', Spacing::Alone), Punct::new('-', Spacing::Alone));
        first.set_span(self.first);
        last.set_span(self.last);
        tokens.extend([first, last].map(TokenTree::Punct));
    }
}

pub(crate) fn path_extent(path: &Path) -> Extent {
    let first = path.leading_colon.map(|c| c.spans[0]).or_else(|| path.segments.first().map(|s| s.ident.span()));
    let last = path.segments.last().map(|s| s.ident.span());
    Extent { first: first.unwrap_or_else(Span::call_site), last: last.unwrap_or_else(Span::call_site) }
}

/// The name that a path stands for in the graph: its last segment.
pub(crate) fn last_ident(path: &Path) -> Option<&Ident> {
    path.segments.last().map(|segment| &segment.ident)
}

/// A path as text: two mentions with the same text are the same thing.
pub(crate) fn path_text(path: &Path) -> String {
    let start = if path.leading_colon.is_some() { "::" } else { "" };
    let segments: Vec<String> = path.segments.iter().map(|s| unraw(&s.ident)).collect();
    format!("{start}{}", segments.join("::"))
}

impl Source {
    pub(crate) fn extent(&self) -> Extent {
        match self {
            Self::Start(word) | Self::End(word) => Extent::of(word.span()),
            Self::Place(path) => path_extent(path),
        }
    }
}

impl Target {
    pub(crate) fn extent(&self) -> Option<Extent> {
        match self {
            Self::Place(path) => Some(path_extent(path)),
            Self::End(word, exit) => {
                let last = exit.as_ref().unwrap_or(word);
                Some(Extent { first: word.span(), last: last.span() })
            }
            Self::Never(word) => Some(Extent::of(word.span())),
            Self::Hole => None,
        }
    }
}

impl Label {
    pub(crate) fn extent(&self) -> Extent {
        match self {
            Self::Path(path) => path_extent(path),
            Self::Bool(lit) => Extent::of(lit.span),
            Self::End(word) => Extent::of(word.span()),
            Self::Wild(token) => Extent::of(token.span),
        }
    }

    /// As a person reads it.
    pub(crate) fn text(&self) -> String {
        match self {
            Self::Path(path) => last_ident(path).map(unraw).unwrap_or_default(),
            Self::Bool(lit) => lit.value.to_string(),
            Self::End(_) => "end".to_owned(),
            Self::Wild(_) => "_".to_owned(),
        }
    }
}
