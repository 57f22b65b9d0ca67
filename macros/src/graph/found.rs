//! What `cargo graphwright` finds a graph by: a test beside it, which tells of it.
//!
//! It is written where that command compiles a workspace, and nowhere else. The command keeps a folder of its own for what
//! is compiled, so a build with the test and one without never meet.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use super::syntax::Instance;
use super::{Parts, assertions};
use crate::names::unraw;

/// Set by the command.
const COMMAND: &str = "CARGO_GRAPHWRIGHT";

/// The test of a graph.
pub(super) fn graph(krate: &TokenStream, parts: &Parts<'_>) -> Option<TokenStream> {
    let (name, cfgs, (points, ways)) = (&parts.graph.name, &parts.options.cfgs, assertions::bounds(parts));
    let warnings = quote!(#krate::__private::warnings::<#points, #ways>);
    parts.sound.then(|| test(krate, name, &quote!(#(#[cfg(#cfgs)])*), &warnings)).flatten()
}

/// The test of a graph with its parameters told. What can be said of it is said of the other one.
pub(super) fn instance(krate: &TokenStream, Instance { attrs, name, .. }: &Instance) -> Option<TokenStream> {
    let cfgs = attrs.iter().filter(|attr| attr.path().is_ident("cfg"));
    test(krate, name, &quote!(#(#cfgs)*), &quote!(|_| ::std::vec::Vec::new()))
}

/// In a function it is not run, since a test has to have a path; rustc's warning of that cannot be allowed here, and is
/// allowed by the command.
fn test(krate: &TokenStream, name: &Ident, cfgs: &TokenStream, warnings: &TokenStream) -> Option<TokenStream> {
    std::env::var_os(COMMAND)?;
    let (text, function) = (unraw(name), format_ident!("__graphwright_graph_{}", unraw(name)));
    Some(quote! {
        #cfgs
        #[cfg(test)]
        #[allow(non_snake_case, unused_qualifications)]
        #[::core::prelude::v1::test]
        fn #function() {
            let __topology = <#name as #krate::__private::NodeMeta>::GRAPH;
            #krate::__private::tell(#text, ::core::module_path!(), __topology, (#warnings)(__topology));
        }
    })
}
