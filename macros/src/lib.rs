//! The macros of [`graphwright`](https://docs.rs/graphwright); use them through that crate.

use proc_macro::TokenStream;

mod diagnostics;
mod krate;
mod names;
mod spans;
mod suggest;
mod tool;
mod tool_messages;

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
