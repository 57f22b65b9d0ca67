//! The macros of [`graphwright`](https://docs.rs/graphwright); use them through that crate.

mod diagnostics;
mod graph;
mod krate;
mod messages;
mod names;
mod spans;
mod suggest;

use proc_macro::TokenStream;

/// Behind the door `graphwright::graph!`, which forwards the path to the crate.
#[doc(hidden)]
#[proc_macro]
pub fn graph(input: TokenStream) -> TokenStream {
    graph::expand(input.into()).into()
}
