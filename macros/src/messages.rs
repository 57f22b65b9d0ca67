//! Every sentence that `graph!` can say. The first line says what is wrong and ends with its code; the next says what to write.

use std::fmt::Display;

use crate::suggest::{closest, help, list};

/// The words that stand where a target can, with something behind them.
pub(crate) const STEP_WORDS: &[&str] = &["match", "some", "each"];
/// The words behind a target.
pub(crate) const WAY_WORDS: &[&str] = &["at_most", "if", "on"];
/// The words behind `on`.
const ON_WORDS: &[&str] = &["error", "expiry"];
/// The policies.
pub(crate) const POLICIES: &[&str] = &["retry", "timeout", "expires", "at_once", "cache", "was", "enter", "exit", "writes"];
/// The keys of `#[graph(..)]`.
pub(crate) const OPTIONS: &[&str] = &["version", "steps", "endless", "input", "output", "settings", "allow", "deny"];
/// What `allow(..)` takes.
pub(crate) const LINTS: &[&str] = &["unreachable_place"];
/// What `deny(..)` takes.
pub(crate) const DENIABLE: &[&str] = &["unbounded_loop", "wildcard_label", "answer_elsewhere"];

fn say(code: &str, what: impl Display, help: impl Display) -> String {
    format!("{what} [{code}]\nhelp: {help}")
}

// ---- spelling

pub(crate) fn unexpected(found: &str, place: &str, expected: &str) -> String {
    say("GW001", format_args!("{found} was not expected {place}"), format_args!("write {expected}"))
}

/// What syn says of a token that nobody read.
pub(crate) fn unread(said: &str) -> String {
    say("GW001", said, "leave this out")
}

/// What syn expected in a statement.
pub(crate) fn statement(expected: &str) -> String {
    say("GW001", format_args!("{expected} in this statement"), "write `a -> b;` or `a: as \"A\";`")
}

/// What syn expected in an arm.
pub(crate) fn arm(expected: &str) -> String {
    say("GW001", format_args!("{expected} in this arm"), "write `Label => place`")
}

pub(crate) fn several_targets(found: &str) -> String {
    say(
        "GW001",
        format_args!("{found} cannot follow a target"),
        "to go to several at once write `-> [a, b] -> c`, to one of them `-> match router { A => a, B => b }`",
    )
}

pub(crate) fn fat_arrow() -> String {
    say("GW001", "`=>` stands in arms only", "between places write `->`")
}

pub(crate) fn fork_first() -> String {
    say(
        "GW001",
        "a fork stands behind an arrow",
        "write what leads to it, and once what follows when every branch has arrived: `a -> [b, c] -> d;`",
    )
}

pub(crate) fn no_target(arrow: &str) -> String {
    say("GW002", format_args!("this `{arrow}` leads nowhere"), "write a place behind it, or `end`, or `never`")
}

pub(crate) fn todo_target() -> String {
    say("GW002", "`todo!()` is no place", "write where this arm leads: a place, `end` or `never`")
}

pub(crate) fn no_semicolon() -> String {
    say("GW003", "a `;` is missing behind this", "every statement ends with `;`")
}

pub(crate) fn no_comma() -> String {
    say("GW003", "a `,` is missing behind this arm", "write `A => a, B => b`")
}

pub(crate) fn open_path(path: &str) -> String {
    say("GW004", format_args!("`{path}::` names nothing yet"), format_args!("write the name behind it: `{path}::name`"))
}

pub(crate) fn no_plain_name(word: &str) -> String {
    say("GW004", format_args!("`{word}` cannot be the name of a place"), "write the path of a function or type that has `#[node]`")
}

/// `what` is what goes by a name: a place, an exit, a field.
pub(crate) fn keyword(word: &str, what: &str) -> String {
    let said = format!("`{word}` is a word of Rust, not the name of {what}");
    if ["_", "self", "super", "crate", "Self"].contains(&word) {
        return say("GW004", said, "write another name");
    }
    say("GW004", said, format_args!("for {what} of that name write `r#{word}`"))
}

pub(crate) fn misspelt(word: &str, close: &str) -> String {
    say("GW005", format_args!("`graph!` has no word `{word}`"), format_args!("did you mean `{close}`?"))
}

/// A place without a way out whose name is nearly `end` or `never`.
pub(crate) fn misspelt_end(word: &str, close: &str) -> String {
    say(
        "GW005",
        format_args!("nothing follows `{word}`, and it is no word of `graph!`"),
        format_args!("did you mean `{close}`? if it is a place, write where it goes on"),
    )
}

pub(crate) fn unknown_way_word(word: &str) -> String {
    if word == "at_most" {
        return say("GW005", "a budget stands right behind its target", "write `at_most 3 else place` before `if` and `on`");
    }
    let more = closest(word, WAY_WORDS.iter().copied()).map_or_else(
        || "behind a target stand `at_most 3 else place`, `if router`, `on error`, or `;`".to_owned(),
        |close| format!("did you mean `{close}`?"),
    );
    say("GW005", format_args!("`{word}` is no word that can stand behind a target"), more)
}

pub(crate) fn unknown_on(word: &str) -> String {
    say("GW005", format_args!("there is no way `on {word}`"), help(word, ON_WORDS))
}

pub(crate) fn budget_number(found: &str) -> String {
    say("GW006", format_args!("`at_most` is followed by {found}, not by a number"), "write how often: `at_most 3 else place`")
}

pub(crate) fn budget_range(found: &str) -> String {
    say("GW006", format_args!("`at_most {found}` is no number of times"), format_args!("write a number from 1 to {}", u32::MAX))
}

pub(crate) fn budget_zero() -> String {
    say("GW006", "`at_most 0` never lets this arrow be taken", "write at least 1, or leave the arrow out")
}

pub(crate) fn budget_else() -> String {
    say("GW006", "a budget must say where to go when it is used up", "write `at_most 3 else place`")
}

pub(crate) fn else_alone() -> String {
    say(
        "GW006",
        "`else` belongs to a budget",
        "write `at_most 3 else place`; after an `if` the next statement of the place is what happens else",
    )
}

pub(crate) fn condition_of_chain() -> String {
    say(
        "GW007",
        "a condition stands on a statement of one arrow, and this one has several",
        "write the arrow with the condition as a statement of its own: `a -> b if router;`",
    )
}

pub(crate) fn condition_of_match() -> String {
    say(
        "GW007",
        "a condition cannot stand on a `match`, whose arms decide already",
        "let the router of the `match` decide that too, or write `a -> b if router;` before it",
    )
}

pub(crate) fn condition_is_path() -> String {
    say(
        "GW007",
        "behind `if` stands the name of a router, and no expression",
        "write a function for it: `#[router] fn is_done(state: &State) -> bool`, and `if is_done`",
    )
}

pub(crate) fn empty_fork() -> String {
    say("GW026", "this fork has no branches", "write the places that are gone to at once: `[a, b] -> c`")
}

pub(crate) fn empty_branch() -> String {
    say("GW002", "here a branch lacks a place", "write the place that it begins or goes on with")
}

/// Something in a branch that is no place and no fork.
pub(crate) fn no_step(word: &str) -> String {
    let help = match word {
        "end" | "never" => "leave it out: what is last in a branch goes to where the branches meet by itself",
        _ => "in a branch stand its steps, `a -> b`; what a place in it decides stands in a statement of its own",
    };
    say("GW001", format_args!("`{word}` was not expected in a branch"), help)
}

pub(crate) fn no_fork_target() -> String {
    say("GW026", "this fork does not go on to anything", "write what follows when every branch has arrived: `[a, b] -> c`")
}

pub(crate) fn after_the_last(word: &str) -> String {
    say("GW015", format_args!("no arrow leads on from `{word}`"), format_args!("for a node called {word} write `r#{word}`"))
}

pub(crate) fn only_cfg() -> String {
    say("GW009", "only `#[cfg(..)]` can stand here", "comments on a place belong to its node")
}

pub(crate) fn header(expected: &str) -> String {
    say(
        "GW010",
        format_args!("the head of the graph is not complete: {expected} is missing"),
        "write `pub Name(State, Deps) { start -> .. }`",
    )
}

pub(crate) fn instance_form() -> String {
    say("GW010", "behind `=` stands a graph with its state and its dependencies", "write `pub Name = Graph<State, Deps>;`")
}

/// What syn expected in an attribute, a type or a bound.
pub(crate) fn head(expected: &str) -> String {
    say("GW010", format_args!("{expected} in the head of the graph"), "write `pub Name(State, Deps) { start -> .. }`")
}

pub(crate) fn second_graph() -> String {
    say("GW010", "one `graph!` holds one graph", "write a `graph!` of its own for this one")
}

pub(crate) fn too_deep(depth: usize) -> String {
    say(
        "GW039",
        format_args!("more than {depth} brackets are open here"),
        "give what is inside a place of its own, or decide in one router what several decide here",
    )
}

pub(crate) fn too_long(length: usize) -> String {
    say(
        "GW039",
        format_args!("the head of a graph and each of its attributes have at most {length} words and signs"),
        "give a long type a name: `type Long = ..;`",
    )
}

// ---- `#[graph(..)]`

pub(crate) fn unknown_option(word: &str) -> String {
    say("GW009", format_args!("`#[graph(..)]` has no `{word}`"), help(word, OPTIONS))
}

pub(crate) fn option_twice(word: &str) -> String {
    say("GW009", format_args!("`{word}` is said twice"), "leave one of them out")
}

pub(crate) fn option_number(word: &str) -> String {
    say("GW009", format_args!("`{word}` wants a number from 1 to {}", u32::MAX), format_args!("write `{word} = 1`"))
}

pub(crate) fn option_value(word: &str, example: &str) -> String {
    say("GW009", format_args!("`{word}` is not written like this"), format_args!("write `{example}`"))
}

/// Options in which Rust itself is not right.
pub(crate) fn option(said: &str) -> String {
    if said.contains("[GW") {
        return said.to_owned();
    }
    say("GW009", format_args!("`#[graph(..)]` cannot be read: {said}"), "write `#[graph(version = 2, endless)]`")
}

pub(crate) fn unknown_lint(word: &str, known: &[&str]) -> String {
    say("GW009", format_args!("there is no lint `{word}`"), help(word, known))
}

// ---- shape

pub(crate) fn no_start(graph: &str) -> String {
    say("GW011", format_args!("`{graph}` does not say where it starts"), "add `start -> first_place;`")
}

/// No start, and a place whose name is nearly that.
pub(crate) fn misspelt_start(graph: &str, word: &str) -> String {
    say("GW011", format_args!("`{graph}` does not say where it starts: `{word}` is a place like any other"), "did you mean `start`?")
}

pub(crate) fn two_starts(graph: &str) -> String {
    say(
        "GW012",
        format_args!("`{graph}` starts already"),
        "to begin with several at once write `start -> [a, b] -> c;`, with one of them `start -> match router { A => a, B => b };`",
    )
}

pub(crate) fn two_ways(place: &str) -> String {
    say(
        "GW012",
        format_args!("`{place}` has a way already that is always open, so this one is never taken"),
        "to go both ways at once write `-> [a, b] -> c`, one of them `-> match router { A => a, B => b }`",
    )
}

pub(crate) fn way_after_open(place: &str) -> String {
    say(
        "GW013",
        format_args!("`{place}` has a way before this one that is always open, so this condition is never asked"),
        "ways are tried in the order written: move this statement up",
    )
}

pub(crate) fn asked_twice(place: &str) -> String {
    say(
        "GW013",
        format_args!("`{place}` has a way before this one with the same condition, so this one is never taken"),
        "take one of them out, or ask something else",
    )
}

pub(crate) fn only_conditions(place: &str) -> String {
    say(
        "GW014",
        format_args!("`{place}` has ways with a condition only, and nothing says where it goes else"),
        format_args!("add a last way without a condition: `{place} -> end;`"),
    )
}

pub(crate) fn out_of_end() -> String {
    say("GW015", "no arrow leads out of `end`", "the graph is done there; for a node called end write `r#end`")
}

pub(crate) fn into_start() -> String {
    say("GW016", "no arrow leads back to `start`", "name the place to go on with; for a node called start write `r#start`")
}

pub(crate) fn start_among_sources() -> String {
    say("GW016", "`start` is no place that can stand among others", "write it as a statement of its own: `start -> place;`")
}

pub(crate) fn plainly_never(from: &str) -> String {
    say(
        "GW017",
        format_args!("`{from} -> never` would fail each time"),
        "`never` is for what a router will not say: an arm, a condition, or the `else` of a budget",
    )
}

pub(crate) fn label_twice(label: &str, to: &str) -> String {
    say("GW018", format_args!("`{label}` leads to {to} already"), "leave one of the two arms out")
}

pub(crate) fn wildcard() -> String {
    say(
        "GW019",
        "`_` takes what the router may say one day, and this graph denies that",
        "name every variant; or take `wildcard_label` out of `#[graph(deny(..))]`",
    )
}

pub(crate) fn after_wildcard() -> String {
    say("GW019", "this arm is never taken: `_` above it takes everything", "let `_` be the last arm")
}

pub(crate) fn wildcard_among_labels() -> String {
    say("GW019", "`_` takes everything, so the labels beside it say nothing", "write `_ => place` alone")
}

pub(crate) fn start_chooses() -> String {
    say("GW025", "`start` has chosen nothing that could be matched", "name a router: `start -> match router { A => a, B => b };`")
}

pub(crate) fn join_chooses() -> String {
    say("GW025", "behind a fork nothing has chosen that could be matched", "name a router: `[a, b] -> match router { A => c, B => d };`")
}

pub(crate) fn end_is_no_label() -> String {
    say(
        "GW025",
        "`end =>` stands for an exit of a mounted graph, and here none was left",
        "name a variant of what the router returns; a route may lead to `end`: `Done => end`",
    )
}

pub(crate) fn choice_in_arm() -> String {
    say(
        "GW025",
        "inside an arm a `match` wants a router",
        "what the place itself chose is matched first: `a -> match { X => match router { .. }, .. }`",
    )
}

// ---- names

pub(crate) fn one_name(name: &str, first: &str, second: &str) -> String {
    say(
        "GW020",
        format_args!("`{first}` and `{second}` would both be the place `{name}`"),
        format_args!("give one of them a name of its own, `other_{name}: {second};`, or write both alike"),
    )
}

pub(crate) fn not_in_graph(name: &str, places: &[&str]) -> String {
    let more = closest(name, places.iter().copied()).map_or_else(
        || match places {
            [] => format!("let an arrow lead to it: `-> {name}`"),
            few => format!("places are {}", list(few.get(..5).unwrap_or(few))),
        },
        |close| format!("did you mean `{close}`?"),
    );
    say("GW021", format_args!("no arrow of this graph mentions `{name}`"), more)
}

pub(crate) fn fact_twice(name: &str) -> String {
    say("GW022", format_args!("what `{name}` stands for is said twice"), "leave one of the two out")
}

pub(crate) fn title_twice(name: &str) -> String {
    say("GW022", format_args!("`{name}` has a display name already"), "leave one of the two out")
}

pub(crate) fn unknown_policy(word: &str) -> String {
    say("GW023", format_args!("there is no policy `{word}(..)`"), help(word, POLICIES))
}

/// How each policy is written.
fn example(policy: &str) -> &'static str {
    match policy {
        "retry" => "retry(3)` or `retry(3, backoff(500ms))",
        "timeout" => "timeout(60s)",
        "expires" => "expires(48h)",
        "cache" => "cache(key, 10min)",
        "at_once" => "at_once(8)",
        "was" => "was(\"old_name\")",
        "enter" => "enter(function)",
        "exit" => "exit(function)",
        _ => "writes(field)",
    }
}

pub(crate) fn policy_form(policy: &str) -> String {
    say("GW023", format_args!("`{policy}(..)` is not written like this"), format_args!("write `{}`", example(policy)))
}

pub(crate) fn no_duration(found: &str) -> String {
    say("GW023", format_args!("`{found}` is no duration"), "write a number and its unit: `500ms`, `60s`, `15min`, `48h`, `7d`")
}

pub(crate) fn policy_twice(policy: &str, name: &str) -> String {
    say("GW023", format_args!("`{policy}(..)` of `{name}` is said twice"), "leave one of the two out")
}

pub(crate) fn policy_for_all(policy: &str) -> String {
    say("GW023", format_args!("`{policy}(..)` is about one place, and `_` stands for all"), format_args!("write `name: {policy}(..)`"))
}

pub(crate) fn not_mounted(policy: &str, name: &str) -> String {
    say(
        "GW023",
        format_args!("`{policy}(..)` is about a mounted graph, and `{name}` is none"),
        format_args!("write what is mounted before it: `{name}: graph Name, {policy}(..)`"),
    )
}

pub(crate) fn half_mapped(has: &str, lacks: &str) -> String {
    say(
        "GW023",
        format_args!("`{has}(..)` says how one state becomes the other, and nothing says the way back"),
        format_args!("add `{lacks}(function)`; a graph over the same state needs neither"),
    )
}

pub(crate) fn at_once_of_no_branch(name: &str) -> String {
    say(
        "GW023",
        format_args!("`at_once(..)` says how many branches run at once, and no branch begins with `{name}`"),
        "write it at the first place of a branch",
    )
}

pub(crate) fn was_still_there(name: &str) -> String {
    say(
        "GW028",
        format_args!("`{name}` is still a place of this graph, so nothing was renamed"),
        "`was(..)` holds a name of an earlier version that is gone",
    )
}

pub(crate) fn was_twice(name: &str) -> String {
    say(
        "GW028",
        format_args!("two places say that they were `{name}`"),
        "leave one of them out: a thread that waits there goes to one place",
    )
}

pub(crate) fn expires_without_way(name: &str) -> String {
    say(
        "GW029",
        format_args!("the question of `{name}` expires, and nothing says where that leads"),
        format_args!("add `{name} -> place on expiry;`: no arm of its `match` is an answer"),
    )
}

pub(crate) fn expiry_without_expires(name: &str) -> String {
    say(
        "GW029",
        format_args!("the question of `{name}` never expires, so this way is never taken"),
        format_args!("say until when it can be answered: `{name}: expires(48h);`"),
    )
}

pub(crate) fn on_of_start(kind: &str) -> String {
    say("GW007", format_args!("`start` has no way `on {kind}`"), "only a place can fail, or ask")
}

pub(crate) fn two_on(place: &str, kind: &str) -> String {
    say("GW012", format_args!("`{place}` has a way `on {kind}` already"), "leave one of the two out")
}

pub(crate) fn mounts_itself(graph: &str) -> String {
    say(
        "GW024",
        format_args!("`{graph}` is mounted in itself, and would never begin"),
        "lead back to one of its places instead; a graph may loop",
    )
}

pub(crate) fn not_for_all() -> String {
    say("GW023", "`_` stands for all places, and they are not one thing", "behind `_:` stand policies only, such as `retry(3)`")
}

pub(crate) fn fact_of_path() -> String {
    say("GW023", "a fact is about a name of this graph, not about a path", "write the last name only: `fetch: as \"Fetch\"`")
}

pub(crate) fn cfg_of_fact(name: &str) -> String {
    say(
        "GW027",
        format_args!("`{name}` stands for something only under this `#[cfg]`, but is in the graph without it too"),
        "put the same `#[cfg(..)]` on every statement that mentions it, or on none",
    )
}
