//! Every sentence that the attributes and derives say. The code ends the first line.

use crate::suggest;

/// The codes of this file, and of the traits in the runtime that the attributes implement.
#[cfg(test)]
pub(crate) const CODES: std::ops::RangeInclusive<u16> = 60..=89;

// ---- GW060: where it stands

pub(crate) fn node_not_here() -> String {
    "`#[node]` stands on a function or on an `impl Interrupt<State, Deps>` [GW060]\nhelp: a graph mentions a node by the name of its function".to_owned()
}

pub(crate) fn router_not_here() -> String {
    "`#[router]` stands on a function [GW060]\nhelp: `#[router] fn next(state: &State) -> Next`, where `Next` is an enum with `#[derive(Route)]`, or `bool`".to_owned()
}

pub(crate) fn state_not_here(found: &str) -> String {
    format!(
        "a state is a struct with named fields, not {found} [GW060]\nhelp: what is written and merged are its fields: put what you have into one"
    )
}

pub(crate) fn route_not_here(found: &str) -> String {
    format!("a route is an enum, not {found} [GW060]\nhelp: each variant is a way that a graph can name")
}

// ---- GW061 to GW064: the words in the parentheses

pub(crate) fn unknown_key(attribute: &str, word: &str, known: &[&str]) -> String {
    let help = match (attribute, word) {
        ("node", "role") => "write the role itself: `#[node(model)]` or `#[node(tools)]`".to_owned(),
        ("node" | "router", "name") => "its name is the function's; a graph gives a place another one: `other: path;`".to_owned(),
        ("state", "replace") => "a field without a word is replaced: leave it out".to_owned(),
        _ => suggest::help(word, known),
    };
    format!("`{word}` is not a word of `#[{attribute}]` [GW061]\nhelp: {help}")
}

pub(crate) fn key_twice(word: &str) -> String {
    format!("`{word}` stands here twice [GW062]\nhelp: once says it all")
}

pub(crate) fn unreadable_key() -> String {
    "this is neither `word`, `word(a, b)` nor `word = path` [GW063]\nhelp: words are separated by `,`".to_owned()
}

pub(crate) fn flag_with_value(word: &str) -> String {
    format!("`{word}` takes nothing [GW063]\nhelp: write `{word}` alone")
}

pub(crate) fn not_a_list(word: &str) -> String {
    format!("`{word}` takes names in parentheses [GW063]\nhelp: `{word}(first, second)`")
}

pub(crate) fn not_a_path(word: &str) -> String {
    format!("`{word}` takes a path [GW063]\nhelp: `{word} = some::path`")
}

pub(crate) fn not_alone_nor_a_path(word: &str) -> String {
    format!("`{word}` stands alone, or takes a path [GW063]\nhelp: `{word}` or `{word} = some::path`")
}

pub(crate) fn not_alone_nor_paths(word: &str) -> String {
    format!("`{word}` stands alone, or takes paths in parentheses [GW063]\nhelp: `{word}` or `{word}(some::first, second)`")
}

pub(crate) fn asks_without_model() -> String {
    "only a model asks the user [GW064]\nhelp: `#[node(model, asks)]`".to_owned()
}

pub(crate) fn needs_approval_without_tools() -> String {
    "only a node that runs tools can need an approval [GW064]\nhelp: `#[node(tools, needs_approval)]`".to_owned()
}

pub(crate) fn needs_approval_is_known() -> String {
    "whether this node needs an approval is known from its tools [GW064]\nhelp: leave `needs_approval` out, and mark the tool: `#[tool(needs_approval)]`".to_owned()
}

pub(crate) fn tools_without_context() -> String {
    "a node whose tools are listed takes a context: the tools are asked over its dependencies [GW064]\nhelp: `cx: &Context<Deps>`, with the dependencies written out; or `tools` alone, and `needs_approval` beside it if one of them does".to_owned()
}

pub(crate) fn elicitation_approves() -> String {
    "an elicitation asks what the model wants to know, and approves nothing [GW064]\nhelp: make the approval an interrupt of its own: `#[node(approves)]`".to_owned()
}

pub(crate) fn two_roles() -> String {
    "a node has one role: it is a `model`, or runs `tools`, or is a `cut` [GW064]\nhelp: make it two nodes, so that the user can be asked between them".to_owned()
}

pub(crate) fn two_reducers(first: &str, second: &str) -> String {
    format!("`{first}` and `{second}` both say how writes are merged [GW064]\nhelp: keep one; `per_turn` goes with any")
}

pub(crate) fn does_not_merge(word: &str, wants: &str, found: &str) -> String {
    format!(
        "`{word}` is for {wants}, not for `{found}` [GW079]\nhelp: leave it out to replace, or merge by a function of your own: `with = path`"
    )
}

pub(crate) fn two_conversations() -> String {
    "a state has one conversation [GW064]\nhelp: make this a field of its own kind, or mount a graph with a state of its own".to_owned()
}

// ---- GW065 to GW070: the function

pub(crate) fn method(what: &str) -> String {
    format!("a {what} is a free function, not a method [GW065]\nhelp: move it out of the `impl`, and take the state by `&State`")
}

pub(crate) fn kind_of_function(what: &str, word: &str) -> String {
    format!("a {what} is an ordinary function, not `{word}` [GW065]\nhelp: wrap that one in a function that is safe to call")
}

pub(crate) fn router_async() -> String {
    "a router is pure, and so not `async` [GW065]\nhelp: fetch what it needs in a node, and decide on the state".to_owned()
}

pub(crate) fn no_state(what: &str, name: &str) -> String {
    format!("a {what} takes the state [GW066]\nhelp: `fn {name}(state: &State)`, with the state type of the graph")
}

pub(crate) fn state_by_value(what: &str, ty: &str) -> String {
    format!("a {what} borrows the state [GW066]\nhelp: write `&{ty}`")
}

pub(crate) fn state_mutable(what: &str, ty: &str) -> String {
    let then = if what == "node" { ", and return an update: `State::update().field(..)`" } else { ": it only looks" };
    format!("a {what} does not change the state [GW066]\nhelp: write `&{ty}`{then}")
}

pub(crate) fn second_by_value(what: &str, second: &str) -> String {
    let item = if what == "node" { "; the item of an `each` is borrowed, too: `item: &Item`" } else { "" };
    format!("a {what} borrows what comes after the state [GW067]\nhelp: write `&{second}`{item}")
}

pub(crate) fn other_second(what: &str, second: &str) -> String {
    let help = if what == "node" {
        "dependencies come by `cx.deps()`; the type is told by its name, so write it out"
    } else {
        "it decides on the state alone; the type is told by its name, so write it out"
    };
    format!("after the state, a {what} takes `&{second}` [GW067]\nhelp: {help}")
}

pub(crate) fn too_many(what: &str, second: &str) -> String {
    format!(
        "a {what} takes the state, in a branch of `each` its item, and last `&{second}` if it wants to: no more [GW068]\nhelp: dependencies come by `cx.deps()`, data by the state"
    )
}

pub(crate) fn too_many_for_router() -> String {
    "a router takes the state, and after it `&Turn` if it wants to: no more [GW068]\nhelp: what it decides on must be in the state, or a replay would decide otherwise".to_owned()
}

pub(crate) fn impl_argument(what: &str) -> String {
    format!("the types that a {what} takes have names [GW069]\nhelp: name the parameter: `fn f<S: Trait>(state: &S)`")
}

pub(crate) fn lifetime_parameter(what: &str) -> String {
    format!("a {what} has no lifetimes of its own [GW069]\nhelp: leave them out: state and context are borrowed for one call")
}

pub(crate) fn loose_parameter(what: &str, name: &str) -> String {
    format!("nothing says what `{name}` is [GW069]\nhelp: a {what} can be generic only in what stands in the types that it takes")
}

pub(crate) fn returns_impl(what: &str) -> String {
    let help = if what == "node" { "write `async fn`, and what comes of it" } else { "an enum with `#[derive(Route)]`, or `bool`" };
    format!("what a {what} returns has a name [GW070]\nhelp: {help}")
}

pub(crate) fn returns_borrow(what: &str) -> String {
    format!("a {what} returns what it owns [GW070]\nhelp: clone what you need of the state")
}

pub(crate) fn router_returns_nothing(name: &str) -> String {
    format!("a router returns where to go [GW070]\nhelp: `fn {name}(..) -> Next`, an enum with `#[derive(Route)]`, or `bool`")
}

// ---- GW071, GW072: interrupts

pub(crate) fn not_interrupt() -> String {
    "`#[node]` on an `impl` wants the trait `Interrupt` [GW071]\nhelp: `#[node] impl Interrupt<State, Deps> for Name { .. }`".to_owned()
}

pub(crate) fn interrupt_arguments() -> String {
    "an interrupt names its state and its dependencies [GW071]\nhelp: `Interrupt<State, Deps>`".to_owned()
}

pub(crate) fn interrupt_each_arguments() -> String {
    "an interrupt of an `each` names its state, its dependencies and its item [GW071]\nhelp: `InterruptEach<State, Deps, Item>`".to_owned()
}

pub(crate) fn interrupt_lacks(item: &str, example: &str) -> String {
    format!("this interrupt has no `{item}` type [GW071]\nhelp: `type {item} = {example};`")
}

pub(crate) fn interrupt_self() -> String {
    "an interrupt is a type of its own name, without parameters [GW071]\nhelp: `pub struct Approve;`".to_owned()
}

pub(crate) fn reserved_name(name: &str) -> String {
    format!("`{name}` is the name of the built-in tool by which a model asks [GW072]\nhelp: call the interrupt otherwise")
}

pub(crate) fn long_name(length: usize) -> String {
    format!(
        "an interrupt's name has at most 64 characters, not {length} [GW072]\nhelp: it travels in questions and tokens: call it something short"
    )
}

// ---- GW073 to GW077: states and routes

pub(crate) fn state_parameters() -> String {
    "a state has no parameters [GW073]\nhelp: what is stored must be one type: name it, and make the functions generic".to_owned()
}

pub(crate) fn too_many_fields(count: usize) -> String {
    format!("a state has at most 256 fields, not {count} [GW073]\nhelp: group some of them in a struct that is written as one")
}

pub(crate) fn serde_skip(word: &str) -> String {
    format!(
        "`{word}` would make a state that was loaded differ from the one that ran [GW074]\nhelp: keep it in the dependencies, or store it"
    )
}

pub(crate) fn serde_flatten() -> String {
    "`flatten` loses where a field ends [GW074]\nhelp: store it under its own name".to_owned()
}

pub(crate) fn serde_with(word: &str) -> String {
    format!(
        "`{word}` would hold for the state as a whole, and not for its updates, which are what is stored of a step [GW074]\nhelp: give the field a type of its own that is stored so: serde's `from` and `into` stand on that type"
    )
}

pub(crate) fn taken_name(field: &str, by: &str) -> String {
    format!(
        "the update has a method `{field}` already: {by} [GW075]\nhelp: call the field otherwise; `#[serde(rename = \"{field}\")]` keeps its stored name"
    )
}

pub(crate) fn later(word: &str) -> String {
    format!(
        "`{word}` comes with versions of a state, which this release does not have [GW076]\nhelp: leave it out; new fields are read with `#[serde(default)]`"
    )
}

pub(crate) fn no_variants() -> String {
    "a route without variants leads nowhere [GW077]\nhelp: one variant for each way".to_owned()
}

pub(crate) fn unknown_capability(word: &str, known: &[&str]) -> String {
    format!(
        "a generic node writes capabilities, and `{word}` is none [GW061]\nhelp: {}; or take the state by its type to write fields",
        suggest::help(word, known)
    )
}

#[cfg(test)]
mod tests {
    use super::CODES;

    #[test]
    fn every_code_is_ours_and_ends_a_line() {
        let mut seen = 0;
        let (texts, _) = include_str!("attr_messages.rs").split_once("mod tests").unwrap();
        for line in texts.lines().filter(|line| !line.trim_start().starts_with("//")) {
            for (at, _) in line.match_indices("[GW0") {
                let code: u16 = line[at + 3..at + 6].parse().unwrap();
                assert!(CODES.contains(&code), "{line}");
                assert!(line[at + 6..].starts_with("]\\nhelp: "), "{line}");
                seen += 1;
            }
        }
        assert!(seen > 30);
    }
}
