//! What a graph means: places, ways and decisions, by number. Every name was looked up; first mentions are kept.

use std::collections::BTreeSet;
use std::time::Duration;

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
pub(crate) type ForkId = usize;

#[derive(Default)]
pub(crate) struct Model {
    pub(crate) places: Vec<Place>,
    pub(crate) routers: Vec<Router>,
    pub(crate) exits: Vec<Exit>,
    pub(crate) ways: Vec<Way>,
    pub(crate) gates: Vec<Gate>,
    pub(crate) conditions: Vec<Condition>,
    pub(crate) forks: Vec<Fork>,
    /// What `_:` asks of all places.
    pub(crate) of_all: Policies,
    /// The ways of `start`, as they are tried.
    pub(crate) start: Vec<Rule>,
}

/// A name in the graph.
pub(crate) struct Place {
    pub(crate) name: Ident,
    /// The node, or the graph, that it stands for.
    pub(crate) path: Path,
    /// Whether a fact says what it stands for.
    pub(crate) named: bool,
    pub(crate) title: Option<LitStr>,
    /// Its first mention behind or before an arrow.
    pub(crate) mention: Extent,
    pub(crate) presence: Presence,
    /// Its ways, as they are tried.
    pub(crate) rules: Vec<Rule>,
    /// Its ways `on error` and `on expiry`: several only under `#[cfg]`.
    pub(crate) on: Vec<On>,
    /// That a graph is mounted there.
    pub(crate) mount: Option<Mount>,
    pub(crate) policies: Policies,
    /// Where it stands: outside of every `each`, or in branches of some.
    pub(crate) items: Vec<Around>,
    /// Whether it stands in a branch: then its future has a box of its own size.
    pub(crate) in_branch: bool,
}

/// The innermost `each` around a mention of a place.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Around {
    Nothing,
    Each(ForkId),
}

/// `graph Researcher, enter(open), exit(take)`
#[derive(Clone, Default)]
pub(crate) struct Mount {
    /// How the outer state becomes what it takes in, and what it gives an update of the outer state.
    pub(crate) mapped: Option<(Path, Path)>,
    /// The fields that `exit(..)` may write.
    pub(crate) writes: Option<Vec<Ident>>,
    /// What was said against it: it stands for the graph, so that nothing else is said.
    pub(crate) mistake: Option<TokenStream>,
}

/// What the facts ask of the driver. A place's own goes before what is asked of all.
#[derive(Clone, Default)]
pub(crate) struct Policies {
    pub(crate) retry: Option<(Span, Retry)>,
    pub(crate) timeout: Option<(Span, Duration)>,
    pub(crate) expires: Option<(Span, Duration)>,
    pub(crate) cache: Option<Cache>,
    pub(crate) at_once: Option<(Span, u32)>,
    pub(crate) was: Vec<LitStr>,
}

/// `cache(key, 10min)`
#[derive(Clone, Copy)]
pub(crate) struct Cache {
    /// The router that gives the key.
    pub(crate) key: RouterId,
    /// Its name.
    pub(crate) at: Extent,
    pub(crate) keep: Duration,
}

#[derive(Clone, Copy)]
pub(crate) struct Retry {
    pub(crate) times: u32,
    pub(crate) backoff: Option<Duration>,
    pub(crate) limit: Option<Duration>,
}

/// `a -> b on error`
pub(crate) struct On {
    pub(crate) expiry: bool,
    pub(crate) way: WayId,
    pub(crate) cfg: Cfg,
    /// The word `on`.
    pub(crate) at: Span,
}

/// `[a, b]`, `some router { .. }`, `each router { .. }`
pub(crate) struct Fork {
    pub(crate) kind: ForkKind,
    pub(crate) cfg: Cfg,
    pub(crate) extent: Extent,
    pub(crate) branches: Vec<Branch>,
    /// The ways behind the join, as they are tried.
    pub(crate) rules: Vec<Rule>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum ForkKind {
    All,
    /// The labels of the router's set are those of the gate.
    Some {
        router: RouterId,
        gate: GateId,
    },
    Each {
        router: RouterId,
        /// The router that says for each item which branch.
        by: Option<(RouterId, GateId)>,
    },
}

/// How a branch begins. Those of `some` and of `each` with a `match` are the arms of its gate.
pub(crate) struct Branch {
    pub(crate) cfg: Cfg,
    /// None if its first step was reported.
    pub(crate) way: Option<WayId>,
}

/// A function that decides.
pub(crate) struct Router {
    pub(crate) path: Path,
    pub(crate) presence: Presence,
    /// What it looks at: the state, or an item.
    pub(crate) over: Around,
}

/// An `end`, with its name.
pub(crate) struct Exit {
    pub(crate) name: Ident,
    pub(crate) presence: Presence,
}

/// An arrow: one entry of the topology.
pub(crate) struct Way {
    pub(crate) from: Origin,
    pub(crate) to: To,
    pub(crate) kind: Kind,
    pub(crate) cfg: Cfg,
    /// The phrase that stands for it.
    pub(crate) extent: Extent,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Origin {
    Start,
    Place(PlaceId),
    Fork(ForkId),
    Join(ForkId),
}

impl Origin {
    pub(crate) fn place(self) -> Option<PlaceId> {
        match self {
            Self::Place(id) => Some(id),
            Self::Start | Self::Fork(_) | Self::Join(_) => None,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum To {
    Place(PlaceId),
    Fork(ForkId),
    Join(ForkId),
    End(ExitId),
    Never,
}

#[derive(Clone)]
pub(crate) enum Kind {
    Always,
    If(RouterId),
    Arm {
        router: Option<RouterId>,
        label: String,
    },
    Else {
        at_most: u32,
        label: String,
    },
    /// Into a branch.
    Branch {
        label: String,
    },
    Error,
    Expiry,
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
    /// By which exit the mounted graph was left.
    Exit(PlaceId),
    /// Each that a router names.
    Some(RouterId),
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

impl Model {
    /// The place that the join of a fork leads on to, if it is one: there the branches meet.
    pub(crate) fn meeting(&self, fork: ForkId) -> Option<PlaceId> {
        let [Rule { condition: None, then: Then::Go { way, .. }, .. }] = self.forks.get(fork)?.rules.as_slice() else { return None };
        match self.ways.get(*way)?.to {
            To::Place(place) => Some(place),
            To::Fork(_) | To::Join(_) | To::End(_) | To::Never => None,
        }
    }

    /// Whether a fork gives its branches items.
    pub(crate) fn has_items(&self) -> bool {
        self.eaches().next().is_some()
    }

    /// The forks that give their branches items.
    pub(crate) fn eaches(&self) -> impl Iterator<Item = (ForkId, &Fork)> {
        self.forks.iter().enumerate().filter(|(_, fork)| matches!(fork.kind, ForkKind::Each { .. }))
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
    /// Whether functions lead into the graph that is mounted there, and out of it.
    pub(crate) fn is_fitted(&self) -> bool {
        self.mount.as_ref().is_some_and(|mount| mount.mapped.is_some())
    }

    /// Whether something was said already against what is mounted there.
    pub(crate) fn is_refused(&self) -> bool {
        self.mount.as_ref().is_some_and(|mount| mount.mistake.is_some())
    }

    /// What it stands for, as a type: its path, or what was said against it.
    pub(crate) fn written(&self) -> TokenStream {
        match self.mount.as_ref().and_then(|mount| mount.mistake.as_ref()) {
            Some(mistake) => quote!(<() as __rt::Sound<{ #mistake }>>::It),
            None => self.path.to_token_stream(),
        }
    }

    /// The matches on what the place itself chose: several only under `#[cfg]`.
    pub(crate) fn choices(&self) -> impl Iterator<Item = &Match> {
        self.rules.iter().filter_map(|rule| match &rule.then {
            Then::Match(choice) if matches!(choice.by, By::Choice(_) | By::Exit(_)) => Some(choice),
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
