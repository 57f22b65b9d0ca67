//! The macros of [`graphwright`](https://docs.rs/graphwright); use them through that crate.

mod attr_messages;
#[cfg(test)]
mod attr_tests;
mod diagnostics;
mod graph;
mod keys;
mod krate;
mod marker;
mod messages;
mod names;
mod nesting;
mod node;
mod route;
mod router;
mod signature;
mod spans;
mod state;
mod suggest;
mod tool;
mod tool_messages;

use proc_macro::TokenStream;

/// Makes a struct the state of a graph, and makes its update: a partial write, with a method for each field.
///
/// The struct has named fields and no parameters, and is `Clone`, `Default`, `Serialize` and `Deserialize`. `Order::update()`
/// begins an update; what it may write is inferred from what the node declares. `apply_to` applies it, in tests.
///
/// What `#[state(..)]` on a field says of its writes:
///
/// | word | the method | two writes |
/// | --- | --- | --- |
/// | none | `.field(value)` replaces; an `Option` takes a value, `Some(..)` or `None` | the later one stands |
/// | `append` | `.field(iter)` adds to the `Vec`, `.set_field(vec)` replaces it | one behind the other |
/// | `merge` | `.field(pairs)` puts into the map, `.set_field(map)` replaces it | key by key |
/// | `sum` | `.field(n)` adds | added |
/// | `min`, `max` | `.field(value)` keeps the smaller, the larger | the smallest, the largest |
/// | `with = path` | `.field(value)` calls `fn(&T, T) -> T`, once: its result is stored | one on top of the other |
/// | `conversation` | `.field(message)` says something; text is the user's | one behind the other |
///
/// `per_turn` goes with any of them: the field is `Default` again when a turn begins. On the struct, `crate = path` tells
/// where `graphwright` is, if not there. `rename`, `rename_all` and `alias` of serde hold for the update too; `skip` and
/// `flatten` are refused.
///
/// An update is stored as it is, as JSON of the fields that are written, and applied again whenever a thread is loaded.
#[proc_macro_derive(State, attributes(state))]
pub fn derive_state(input: TokenStream) -> TokenStream {
    state::expand(&syn::parse_macro_input!(input)).into()
}

/// Makes an enum a route: its variants are ways that a graph names.
///
/// A router returns one, or a node beside its update; then no variant carries data. The answer of an interrupt may carry
/// some: the arms of its `match` are the variants without it, beside `Declined` and `Cancelled`. A variant of one of these
/// two names is the same arm.
///
/// `#[route(crate = path)]` tells where `graphwright` is, if not there.
#[proc_macro_derive(Route, attributes(route))]
pub fn derive_route(input: TokenStream) -> TokenStream {
    route::expand(&syn::parse_macro_input!(input)).into()
}

/// Makes a function, or an `impl Interrupt`, a node.
///
/// The function stays as it is, and is called and tested as before. It takes `&State`, and after it `&Context<Deps>` if it
/// wants to; it is `async` or not; it returns `()`, an update, an update with a route, or a `Result` of one of these.
/// Beside it stands a type of the same name, for `graph!`: one `use` imports both. A generic function is a node of every
/// state that its bounds allow.
///
/// | word | says |
/// | --- | --- |
/// | `model` | it calls a language model |
/// | `model, asks` | and the model may ask the user |
/// | `tools` | it runs tools |
/// | `tools(a, b)` | it runs these, and needs an approval if one of them does; the dependencies of its context are one type |
/// | `tools, needs_approval` | it runs tools that need an approval |
/// | `writes(a, b)` | it writes these fields and no others, and returns `NodeResult<its_name>` or `Update<State, its_name>`; a generic node names capabilities: `writes(conversation)` |
/// | `elicitation` | of an interrupt: it asks what the model wants to know |
/// | `approves` | of an interrupt: who answers approves what runs behind it |
/// | `crate = path` | where `graphwright` is, if not there |
///
/// What it says of tools and approvals is taken at its word by the compiler. A call that needs an approval and has none is
/// refused all the same, when it comes.
///
/// On an `impl Interrupt<State, Deps>` it adds what a graph needs to pause there, and `answer(..)`, which makes an answer
/// for a token.
#[proc_macro_attribute]
pub fn node(arguments: TokenStream, item: TokenStream) -> TokenStream {
    node::expand(arguments.into(), item.into()).into()
}

/// Makes a pure function of the state a router.
///
/// It takes `&State`, and after it `&Turn` if it wants to, and returns a `bool` or an enum with `#[derive(Route)]`. It is
/// not `async`, and must decide the same whenever it is asked: so it reads no clock and nothing outside.
///
/// `crate = path` tells where `graphwright` is, if not there.
#[proc_macro_attribute]
pub fn router(arguments: TokenStream, item: TokenStream) -> TokenStream {
    router::expand(arguments.into(), item.into()).into()
}

/// Makes a function a tool that a model can call: `#[tool] async fn name(args: Args, cx: &Context<Deps>) -> Result<T, ToolError>`.
///
/// The function stays as it is. Its name and its doc comment are what the model reads; its arguments are one type that
/// implements `Deserialize` and `JsonSchema`. Arguments and context may be left out, and it may be a plain `fn`. Beside
/// it stands a type of the same name that implements `Tool`; put it into a `toolset![..]`.
///
/// | word | says |
/// | --- | --- |
/// | `needs_approval` | somebody must approve every call before it runs |
/// | `needs_approval = path` | those calls of which `fn(&Args) -> bool` says so, or `fn(&Args, &Context<Deps>) -> bool` where the tool takes a context |
/// | `crate = path` | where `graphwright` is, if not there |
///
/// A call that nobody approved is refused, wherever it comes from; the graph `agent::ToolCall` asks.
#[proc_macro_attribute]
pub fn tool(args: TokenStream, item: TokenStream) -> TokenStream {
    tool::expand(args.into(), item.into()).into()
}

/// Behind the door `graphwright::graph!`, which forwards the path to the crate.
#[doc(hidden)]
#[proc_macro]
pub fn graph(input: TokenStream) -> TokenStream {
    nesting::bounded(input.into(), graph::expand).into()
}

/// The picture that `graph!` puts into the docs of a graph.
#[cfg(feature = "diagrams")]
#[doc(hidden)]
#[proc_macro]
pub fn picture(input: TokenStream) -> TokenStream {
    nesting::bounded(input.into(), graph::picture::expand).into()
}
