//! The door of `graph!`: it forwards `$crate`, so that a renamed or re-exported crate works.

/// Writes a graph: places, the ways between them, one state type, and one dependencies type.
///
/// Of `pub Desk(Mail, Deps) { .. }` it makes the unit struct `Desk`, which implements [`Graph`](crate::Graph); attributes,
/// derives, docs and visibility stand as on any struct. Dependencies may be left out. The compiler refuses a graph that is
/// wrong, at the words that are.
///
/// ```
/// use graphwright::prelude::*;
/// use graphwright::{Graph, graph};
///
/// #[derive(Clone, Default, Debug, Serialize, Deserialize, State)]
/// struct Mail {
///     text: String,
///     #[state(sum)]
///     rounds: u32,
/// }
///
/// #[node]
/// fn draft(mail: &Mail) -> NodeResult<Mail> {
///     Ok(Mail::update().text(format!("{}.", mail.text)).rounds(1_u32))
/// }
///
/// #[node]
/// fn give_up(_: &Mail) {}
///
/// #[derive(Clone, Copy, Route)]
/// enum Verdict {
///     Good,
///     TooShort,
/// }
///
/// #[router]
/// fn verdict(mail: &Mail) -> Verdict {
///     if mail.text.len() < 3 { Verdict::TooShort } else { Verdict::Good }
/// }
///
/// graph! {
///     /// Writes mail until it is long enough.
///     #[graph(version = 1, steps = 50)]
///     pub(crate) Desk(Mail) {
///         start -> draft;
///         draft -> match verdict {
///             TooShort => draft at_most 8 else give_up,
///             Good => end,
///         };
///         give_up -> end unfinished;
///     }
/// }
///
/// assert_eq!(Desk::TOPOLOGY.exits, ["end", "unfinished"]);
/// ```
///
/// # Statements
///
/// | written | means |
/// | --- | --- |
/// | `start -> a;` | a turn begins at `a` |
/// | `a -> b -> c;` | on from place to place |
/// | `a \| b -> c;` | from either of them |
/// | `a -> b if router;` | if a `#[router]` says so; ways are tried in the order written, and the last one is always open |
/// | `a -> match router { A => b, B \| C => c };` | as a router says |
/// | `a -> match { A => b, B => c };` | as the place itself chose: by the route that its node returns, or by the answer to its question |
/// | `a -> b at_most 3 else c;` | so often, and then to `c` |
/// | `a -> end;`, `a -> end failed;` | the graph is done, by the exit of that name |
/// | `A => never` | not from here: checked when it happens |
/// | `again: draft;` | another place for a node that stands in the graph already |
/// | `a: as "Title";` | a display name |
///
/// Statements and arms may stand under `#[cfg(..)]`. After `->` and `=>` the words `start end never some each` are the
/// grammar's; a node called end is `r#end`.
///
/// # Options
///
/// `#[graph(version = 3, steps = 100, endless, input = Letter, output = Reply, allow(unreachable_place))]`: the version
/// that checkpoints name (1), how many steps a run may take (100), whether a loop without a way out is wanted, what a turn
/// takes in (an update of the state) and gives (the state), and whether places that nothing leads to are wanted.
#[macro_export]
macro_rules! graph {
    ($($tokens:tt)*) => { $crate::__private::graph_macro! { $crate; $($tokens)* } };
}

// The editor gets another expansion than rustc. The cfg is asked about here, so that no user's crate has to declare it.
#[doc(hidden)]
#[cfg(rust_analyzer)]
#[macro_export]
macro_rules! __face {
    (ide { $($ide:tt)* } rustc { $($rustc:tt)* }) => { $($ide)* };
}

#[doc(hidden)]
#[cfg(not(rust_analyzer))]
#[macro_export]
macro_rules! __face {
    (ide { $($ide:tt)* } rustc { $($rustc:tt)* }) => { $($rustc)* };
}
