//! The macros of [`graphwright`](https://docs.rs/graphwright); use them through that crate.

mod attr_messages;
mod diagnostics;
mod graph;
mod keys;
mod krate;
mod marker;
mod messages;
mod names;
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

/// Makes a struct the state of a graph.
#[proc_macro_derive(State, attributes(state))]
pub fn derive_state(input: TokenStream) -> TokenStream {
    state::expand(&syn::parse_macro_input!(input)).into()
}

/// Makes an enum a route: its variants are ways that a graph names.
#[proc_macro_derive(Route, attributes(route))]
pub fn derive_route(input: TokenStream) -> TokenStream {
    route::expand(&syn::parse_macro_input!(input)).into()
}

/// Makes a function, or an `impl Interrupt`, a node.
#[proc_macro_attribute]
pub fn node(arguments: TokenStream, item: TokenStream) -> TokenStream {
    node::expand(arguments.into(), item.into()).into()
}

/// Makes a pure function of the state a router.
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
/// Options: `crate = path` where `graphwright` is called something else.
#[proc_macro_attribute]
pub fn tool(args: TokenStream, item: TokenStream) -> TokenStream {
    tool::expand(args.into(), item.into()).into()
}

/// Behind the door `graphwright::graph!`, which forwards the path to the crate.
#[doc(hidden)]
#[proc_macro]
pub fn graph(input: TokenStream) -> TokenStream {
    graph::expand(input.into()).into()
}
