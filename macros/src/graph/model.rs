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
pub(crate) type GateId = usize;
pub(crate) type ConditionId = usize;

#[derive(Default)]
pub(crate) struct Model {
    pub(crate) places: Vec<Place>,
    pub(crate) routers: Vec<Router>,
    pub(crate) exits: Vec<Exit>,
    pub(crate) ways: Vec<Way>,
    pub(crate) gates: Vec<Gate>,
    pub(crate) conditions: Vec<Condition>,
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
    pub(crate) condition: Option<ConditionId>,
    pub(crate) then: Then,
    /// Its condition was not understood.
    pub(crate) hole: bool,
    /// The place, or `start`, as it is mentioned here.
    pub(crate) source: Extent,
    /// The end of the arrow behind it.
    pub(crate) arrow: Span,
}

/// `if done`
pub(crate) struct Condition {
    pub(crate) router: RouterId,
    pub(crate) cfg: Cfg,
    pub(crate) at: Extent,
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

impl Then {
    pub(crate) fn has_hole(&self) -> bool {
        match self {
            Self::Hole => true,
            Self::Go { .. } => false,
            Self::Match(choice) => choice.arms.iter().any(|(_, then)| then.has_hole()),
        }
    }
}

#[derive(Clone, Copy)]
pub(crate) struct Budget {
    pub(crate) at_most: u32,
    /// The way that is taken when it is used up; none if that was reported.
    pub(crate) other: Option<WayId>,
}

pub(crate) struct Match {
    pub(crate) by: By,
    pub(crate) gate: GateId,
    /// What each arm of the gate leads to.
    pub(crate) arms: Vec<(Cfg, Then)>,
}

#[derive(Clone, Copy)]
pub(crate) enum By {
    Router(RouterId),
    /// As the place itself chose.
    Choice(PlaceId),
}

/// The arms of a `match`, as the compiler is asked about them.
pub(crate) struct Gate {
    pub(crate) by: By,
    pub(crate) cfg: Cfg,
    /// The router's name, or `match`: where a missing arm is reported.
    pub(crate) at: Extent,
    pub(crate) braces: Span,
    pub(crate) arms: Vec<Arm>,
    pub(crate) broken: bool,
}

pub(crate) struct Arm {
    /// Its own.
    pub(crate) cfg: Cfg,
    pub(crate) labels: Vec<Label>,
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
        self.condition.is_none() && !self.hole
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
    /// The matches on what the place itself chose: several only under `#[cfg]`.
    pub(crate) fn choices(&self) -> impl Iterator<Item = &Match> {
        self.rules.iter().filter_map(|rule| match &rule.then {
            Then::Match(choice) if matches!(choice.by, By::Choice(_)) => Some(choice),
            _ => None,
        })
    }
}

impl Gate {
    pub(crate) fn labels(&self) -> impl Iterator<Item = &Label> {
        self.arms.iter().flat_map(|arm| &arm.labels)
    }

    /// Whether its labels are `true` and `false`.
    pub(crate) fn is_yes_or_no(&self) -> bool {
        self.labels().any(|label| matches!(label, Label::Bool(_)))
    }

    /// Whether its arms only say whether something was answered: they fit any answer.
    pub(crate) fn is_kind(&self) -> bool {
        let mut labels = self.labels().filter(|label| !label.is_wild()).peekable();
        labels.peek().is_some() && labels.all(|label| ["Accepted", "Declined", "Cancelled"].contains(&label.text().as_str()))
    }
}
