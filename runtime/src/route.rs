//! Routers, and how what was chosen becomes an arm.

use crate::interrupt::Answer;
use crate::node::Then;
use crate::turn::Turn;

/// An enum that names ways: `#[derive(Route)]`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a route [GW088]",
    label = "not a route",
    note = "add `#[derive(Route)]` to the enum"
)]
pub trait Route: Sized {
    /// The variants without their data: `Self` for an enum that carries none.
    type Arm;
    /// The variants without their data, beside `Declined` and `Cancelled`: the arms of an interrupt.
    type AnswerArm: Copy;
    /// Without its data.
    fn arm(&self) -> Self::Arm;
    /// The answer without its data.
    fn answer_arm(answer: &Answer<Self>) -> Self::AnswerArm;
}

/// A route without data. A node may return it beside its update, a router instead of one.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not name a way [GW088]",
    label = "not a route without data",
    note = "add `#[derive(Route)]` to the enum",
    note = "a route carries no data: put it in the update, or use `each`"
)]
pub trait PlainRoute: Route + 'static {
    /// The variants, in order: the bits of a [`Set`].
    const ALL: &'static [Self];
    /// Its number among them.
    fn number(&self) -> u32;
}

/// What a place chose, as the arms of a `match` without a router see it, variant by variant.
#[diagnostic::on_unimplemented(
    message = "the place before this `match` does not choose its way by variants [GW087]",
    label = "nothing to match on",
    note = "return an update and a `#[derive(Route)]` enum from the node, or name a router: `match router {{ .. }}`",
    note = "an interrupt whose answer is no `#[derive(Route)]` enum has the arms `Accepted`, `Declined` and `Cancelled`"
)]
pub trait Chosen {
    /// The arms.
    type Arm;
    /// The arm taken.
    fn chosen(&self) -> Self::Arm;
}

#[diagnostic::do_not_recommend]
impl<T: Route> Chosen for Answer<T> {
    type Arm = T::AnswerArm;
    fn chosen(&self) -> T::AnswerArm {
        T::answer_arm(self)
    }
}

/// What a place chose, where the arms are `Accepted`, `Declined` and `Cancelled`.
#[diagnostic::on_unimplemented(
    message = "the place before this `match` has no arms `Accepted`, `Declined` and `Cancelled` [GW087]",
    label = "nothing was asked here",
    note = "only an interrupt is accepted, declined or cancelled; name a router: `match router {{ .. }}`"
)]
pub trait ChosenKind {
    /// The arms.
    type Arm;
    /// The arm taken.
    fn chosen_kind(&self) -> Self::Arm;
}

/// Whether an answer was given, whatever it says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AnswerKind {
    /// Something was answered.
    Accepted,
    /// The person said no.
    Declined,
    /// The person went away.
    Cancelled,
}

impl<T> ChosenKind for Answer<T> {
    type Arm = AnswerKind;
    fn chosen_kind(&self) -> AnswerKind {
        match self {
            Self::Accepted(_) => AnswerKind::Accepted,
            Self::Declined => AnswerKind::Declined,
            Self::Cancelled => AnswerKind::Cancelled,
        }
    }
}

/// A plain arrow may follow: the place did not choose, or its answer is no route.
#[diagnostic::on_unimplemented(
    message = "this place chooses its way and returns `{Self}`, but no `match` follows it [GW087]",
    label = "its choice goes nowhere",
    note = "match on it: `-> match {{ Variant => place, .. }}`"
)]
pub trait Unchosen {
    /// Asks nothing but that the type is one.
    fn unchosen(&self) {}
}
impl Unchosen for Then {}
impl<T> Unchosen for Answer<T> {}

/// What can be said of a router without knowing the state: written by `#[router]`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a router [GW085]",
    label = "not a router",
    note = "annotate its function with `#[router]`"
)]
pub trait RouterMeta: 'static {
    /// Its name, without `r#`.
    const NAME: &'static str;
    /// Its doc comment.
    const DOCS: &'static str = "";
    /// Whether this is `ask_user_pending`: the guard that proves that the user was asked.
    const GATE: bool = false;
}

/// A pure function of the state that decides where to go. Written by `#[router]`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a router over `{S}` [GW085]",
    label = "cannot decide here",
    note = "a router takes `&{S}`, and after it `&Turn` if it wants to",
    note = "annotate its function with `#[router]`"
)]
pub trait Router<S>: RouterMeta {
    /// An enum, a `bool`, a set or a list.
    type Out;
    /// [`RouterMeta::GATE`]: a graph asks everything of one trait, so that a function that is no router is one error.
    const IS_GATE: bool = Self::GATE;
    /// Decides. Pure.
    fn route(state: &S, turn: &Turn) -> Self::Out;
}

/// A router that answers yes or no: what stands after `if`.
#[diagnostic::on_unimplemented(
    message = "`{R}` is asked for a yes or no, but returns `{Self}` [GW086]",
    label = "not a `bool`",
    note = "route on it with `match {R} {{ .. }}`"
)]
pub trait Guard<R> {
    /// Yes or no.
    fn holds(self) -> bool;
}
impl<R> Guard<R> for bool {
    fn holds(self) -> bool {
        self
    }
}

/// A router that names one way: what stands after `match`.
#[diagnostic::on_unimplemented(
    message = "`match {R}` needs one way, but `{R}` returns `{Self}` [GW086]",
    label = "not a route",
    note = "a router whose arms are names returns a `#[derive(Route)]` enum without data; one that returns a `bool` has the arms `true` and `false`"
)]
pub trait OneWay<R> {
    /// Names the trait where a graph asks for it.
    const WAY: () = ();
}
#[diagnostic::do_not_recommend]
impl<R, T: PlainRoute> OneWay<R> for T {}

/// A set of the variants of a route, at most 64: what a router returns for `some`.
///
/// ```
/// use graphwright::prelude::*;
/// use graphwright::Set;
///
/// #[derive(Clone, Copy, Debug, PartialEq, Route)]
/// enum Source { Web, Mail, Files }
///
/// let sources: Set<Source> = [Source::Files, Source::Web].into();
/// assert!(sources.has(&Source::Web) && !sources.has(&Source::Mail));
/// assert_eq!(sources.iter().collect::<Vec<_>>(), [&Source::Web, &Source::Files]);
/// ```
pub struct Set<V>(u64, std::marker::PhantomData<V>);

impl<V: PlainRoute> Set<V> {
    /// None of them.
    #[must_use]
    pub const fn new() -> Self {
        Self(0, std::marker::PhantomData)
    }

    /// And this one.
    #[must_use]
    pub fn with(mut self, variant: &V) -> Self {
        self.0 |= 1_u64.checked_shl(variant.number()).unwrap_or(0);
        self
    }

    /// Whether it is among them.
    #[must_use]
    pub fn has(&self, variant: &V) -> bool {
        self.0 & 1_u64.checked_shl(variant.number()).unwrap_or(0) != 0
    }

    /// Those that are, in the order in which the enum names them.
    pub fn iter(&self) -> impl Iterator<Item = &'static V> + use<V> {
        let set = *self;
        V::ALL.iter().filter(move |variant| set.has(variant))
    }

    /// Whether there is none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.0 == 0
    }
}

impl<V: PlainRoute> Default for Set<V> {
    fn default() -> Self {
        Self::new()
    }
}

impl<V> Clone for Set<V> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<V> Copy for Set<V> {}

impl<V> PartialEq for Set<V> {
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0
    }
}

impl<V> Eq for Set<V> {}

impl<V: PlainRoute + std::fmt::Debug + 'static> std::fmt::Debug for Set<V> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

impl<V: PlainRoute> FromIterator<V> for Set<V> {
    fn from_iter<I: IntoIterator<Item = V>>(variants: I) -> Self {
        variants.into_iter().fold(Self::new(), |set, variant| set.with(&variant))
    }
}

impl<V: PlainRoute, const N: usize> From<[V; N]> for Set<V> {
    fn from(variants: [V; N]) -> Self {
        variants.into_iter().collect()
    }
}

/// A router that names some ways: what stands after `some`.
#[diagnostic::on_unimplemented(
    message = "`some {R}` needs a set of ways, but `{R}` returns `{Self}` [GW086]",
    label = "not a set",
    note = "return a `Set` of a `#[derive(Route)]` enum without data; for one way of several write `match {R} {{ .. }}`"
)]
pub trait SomeWays<R> {
    /// A way.
    type Way: PlainRoute;
    /// Names the trait where a graph asks for it.
    const WAYS: () = ();
    /// Those that are named.
    fn ways(self) -> Set<Self::Way>;
}

impl<R, V: PlainRoute> SomeWays<R> for Set<V> {
    type Way = V;
    fn ways(self) -> Self {
        self
    }
}
