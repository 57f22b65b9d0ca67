//! What a graph means: places, ways and decisions, by number. Every name was looked up; first mentions are kept.

use std::collections::BTreeSet;

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote};
use syn::{LitStr, Path};

use super::syntax::{Extent, Label};

pub(crate) type PlaceId = usize;
pub(crate) type RouterId = usize;
pub(crate) type WayId = usize;
pub(crate) type ExitId = usize;

#[derive(Default)]
pub(crate) struct Model {
    pub(crate) places: Vec<Place>,
    pub(crate) routers: Vec<Router>,
    pub(crate) exits: Vec<Exit>,
    pub(crate) ways: Vec<Way>,
    /// The ways of `start`, as they are tried.
    pub(crate) start: Vec<Rule>,
}

/// A name in the graph.
pub(crate) struct Place {
    pub(crate) name: Ident,
    /// The node that it stands for.
    pub(crate) path: Path,
    /// Whether a fact says what it stands for.
    pub(crate) named: bool,
    pub(crate) title: Option<LitStr>,
    /// Its first mention behind or before an arrow.
    pub(crate) mention: Extent,
    /// Where all that is asked of the node is asked, so that a wrong one is one error.
    pub(crate) home: Extent,
    pub(crate) presence: Presence,
    /// Its ways, as they are tried.
    pub(crate) rules: Vec<Rule>,
}

/// A function that decides.
pub(crate) struct Router {
    pub(crate) path: Path,
    pub(crate) presence: Presence,
}

/// An `end`, with its name.
pub(crate) struct Exit {
    pub(crate) name: Ident,
    pub(crate) presence: Presence,
}

/// An arrow: one entry of the topology.
pub(crate) struct Way {
    pub(crate) from: Option<PlaceId>,
    pub(crate) to: To,
    pub(crate) kind: Kind,
    pub(crate) cfg: Cfg,
    /// The phrase that stands for it.
    pub(crate) extent: Extent,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum To {
    Place(PlaceId),
    End(ExitId),
    Never,
}

#[derive(Clone)]
pub(crate) enum Kind {
    Always,
    If(RouterId),
    Arm { router: Option<RouterId>, label: String },
    Else { at_most: u32, label: String },
}

/// One thing that a place tries: behind a condition, or always open.
pub(crate) struct Rule {
    pub(crate) cfg: Cfg,
    pub(crate) guard: Option<Guard>,
    pub(crate) then: Then,
    /// Its condition was not understood.
    pub(crate) hole: bool,
    /// The place, or `start`, as it is mentioned here.
    pub(crate) source: Extent,
    /// The end of the arrow behind it.
    pub(crate) arrow: Span,
}

#[derive(Clone)]
pub(crate) struct Guard {
    pub(crate) router: RouterId,
    /// Where it is mentioned.
    pub(crate) mention: Path,
}

pub(crate) enum Then {
    Go {
        way: WayId,
        budget: Option<Budget>,
    },
    Match(Match),
    /// Something that was reported.
    Hole,
}

#[derive(Clone, Copy)]
pub(crate) struct Budget {
    pub(crate) at_most: u32,
    /// The way that is taken when it is used up; none if that was reported.
    pub(crate) other: Option<WayId>,
}

pub(crate) struct Match {
    /// None: as the place itself chose.
    pub(crate) router: Option<Guard>,
    pub(crate) word: Span,
    pub(crate) braces: Span,
    pub(crate) arms: Vec<Arm>,
    pub(crate) broken: bool,
}

pub(crate) struct Arm {
    pub(crate) cfg: Cfg,
    pub(crate) labels: Vec<Label>,
    pub(crate) then: Then,
    pub(crate) last: Span,
}

/// Conditions that all hold; none: always.
#[derive(Clone, Default)]
pub(crate) struct Cfg(Vec<TokenStream>);

impl Cfg {
    pub(crate) fn new(cfgs: &[TokenStream]) -> Self {
        Self(cfgs.to_vec())
    }

    pub(crate) fn and(&self, cfgs: &[TokenStream]) -> Self {
        Self(self.0.iter().chain(cfgs).cloned().collect())
    }

    pub(crate) fn is_always(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether both are there at once for sure, or as soon as one of them is.
    pub(crate) fn meets(&self, other: &Self) -> bool {
        self.is_always() || other.is_always() || self.text() == other.text()
    }

    pub(crate) fn text(&self) -> String {
        let all: BTreeSet<String> = self.0.iter().map(ToString::to_string).collect();
        all.into_iter().collect::<Vec<_>>().join(",")
    }
}

/// `#[cfg(..)]`, or nothing.
impl ToTokens for Cfg {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        let all = &self.0;
        match all.as_slice() {
            [] => {}
            [one] => tokens.extend(quote!(#[cfg(#one)])),
            _ => tokens.extend(quote!(#[cfg(all(#(#all),*))])),
        }
    }
}

/// Something that is there as soon as one of its mentions is.
#[derive(Clone)]
pub(crate) struct Presence(Vec<Cfg>);

impl Presence {
    pub(crate) fn new(cfg: &Cfg) -> Self {
        Self(vec![cfg.clone()])
    }

    pub(crate) fn or(&mut self, cfg: &Cfg) {
        if !self.0.iter().any(|c| c.is_always() || c.text() == cfg.text()) {
            self.0.push(cfg.clone());
        }
    }

    pub(crate) fn is_always(&self) -> bool {
        self.0.iter().any(Cfg::is_always)
    }

    /// Whether it is there under exactly this.
    pub(crate) fn is_only(&self, cfg: &Cfg) -> bool {
        self.0.iter().all(|c| c.text() == cfg.text())
    }
}

/// `#[cfg(any(..))]`, or nothing.
impl ToTokens for Presence {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        if self.is_always() {
            return;
        }
        let any = self.0.iter().map(|Cfg(all)| quote!(all(#(#all),*)));
        tokens.extend(quote!(#[cfg(any(#(#any),*))]));
    }
}

impl Rule {
    /// From the place to the arrow.
    pub(crate) fn lead(&self) -> Extent {
        Extent { first: self.source.first, last: self.arrow }
    }

    /// Whether nothing can be tried behind it.
    pub(crate) fn is_open(&self) -> bool {
        self.guard.is_none() && !self.hole
    }
}

impl Label {
    pub(crate) fn is_wild(&self) -> bool {
        matches!(self, Self::Wild(_))
    }
}

/// The labels of an arm as written: `A | B`.
pub(crate) fn labels_text(labels: &[Label]) -> String {
    labels.iter().map(Label::text).collect::<Vec<_>>().join(" | ")
}

impl Place {
    /// The match on what the place itself chose, each with the `#[cfg]` of its statement.
    pub(crate) fn choices(&self) -> impl Iterator<Item = (&Rule, &Match)> {
        self.rules.iter().filter_map(|rule| match &rule.then {
            Then::Match(choice) if choice.router.is_none() => Some((rule, choice)),
            _ => None,
        })
    }
}
