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
/// | `a -> [b -> c, d] -> e;` | on in every branch at once, and then to `e` |
/// | `a -> some router { A => b, B => c } -> e;` | in the branches that a router's [`Set`](crate::Set) names |
/// | `a -> each router { b -> c } -> e;` | in one branch for each item of a router's list; a node of the branch takes `item: &T` behind the state, and `Option<&T>` if it also stands outside |
/// | `a -> each router match kind { A => b, B => c } -> e;` | as a router of the item says |
/// | `a -> b on error;`, `a -> b on expiry;` | if the place fails; if its question expires |
/// | `again: draft;` | another place for a node that stands in the graph already |
/// | `part: graph Other;` | another graph, mounted: over the same state as it is |
/// | `part: graph Other, enter(f), exit(g), writes(notes);` | over another state: `f` makes its input, `g` an update of its output |
/// | `part -> match { end => a, failed => b };` | by the exits of a mounted graph |
/// | `a: as "Title";` | a display name |
/// | `a: retry(3, backoff(500ms)), timeout(60s);` | policies; `_: ..` for all places |
///
/// The policies are `retry(times, backoff(first, longest))`, `timeout(60s)`, `expires(48h)` of an interrupt's question,
/// `cache(key, 10min)`, `at_once(8)` at the first place of a branch, and `was("old_name")`. Durations are numbers with a
/// unit: `ms`, `s`, `min`, `h`, `d`.
///
/// A branch is what can be reached from its first step without passing the join: its places may have guards, loops, ways
/// `on error` and answers like any other, and leave it by a way to the place that the fork goes on to. At the join updates
/// are applied in the order written, or of the items, whichever branch was done first.
///
/// Statements, arms and branches may stand under `#[cfg(..)]`. After `->` and `=>` the words `start end never some each`
/// are the grammar's; a node called end is `r#end`.
///
/// # Options
///
/// `#[graph(version = 3, steps = 100, endless, input = Letter, output = Reply, allow(unreachable_place))]`: the version
/// that checkpoints name (1), how many steps a run may take (100), whether a loop without a way out is wanted, what a turn
/// takes in (an update of the state) and gives (the state); `settings = Limits`, what a turn may be begun with beside its
/// input, which routers read by [`Turn::settings`](crate::Turn::settings); whether places that nothing leads to are wanted; and
/// `deny(wildcard_label)`, for a graph whose every arm names what it is for; also `deny(unbounded_loop)`, for one in which
/// every loop has a budget, and `deny(answer_elsewhere)`, for one in which the model that asked hears the answer.
///
/// # In the docs
///
/// With the feature `diagrams`, rustdoc draws the graph into the docs of its type, and the names of nodes lead to theirs. A
/// macro sees what the graph says: roles of nodes are said elsewhere, so that models and tools are drawn plainly there.
///
/// # Parameters
///
/// A graph may be over any state or any dependencies: `pub React<S: HasConversation, D: HasModel>(S, D) { .. }`. It is
/// mounted by its bare name, and made concrete by `graph! { pub Support = React<Ticket, Deps>; }`.
#[macro_export]
macro_rules! graph {
    ($($tokens:tt)*) => { $crate::__private::graph_face! { $($tokens)* } };
}

// The editor gets another expansion than rustc. The cfg is asked about here, so that no user's crate has to declare it.
#[doc(hidden)]
#[cfg(rust_analyzer)]
#[macro_export]
macro_rules! __graph_face {
    ($($tokens:tt)*) => { $crate::__private::graph_macro! { editor; $crate; $($tokens)* } };
}

#[doc(hidden)]
#[cfg(not(rust_analyzer))]
#[macro_export]
macro_rules! __graph_face {
    ($($tokens:tt)*) => { $crate::__private::graph_macro! { compiler; $crate; $($tokens)* } };
}
