//! What compiles, what does not, and in which words.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

#[test]
fn graphs_that_compile() {
    trybuild::TestCases::new().pass("ui-pass/*.rs");
}
