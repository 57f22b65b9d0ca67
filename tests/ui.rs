//! What compiles, what does not, and in which words.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use trybuild::TestCases;

#[test]
fn graphs() {
    let cases = TestCases::new();
    for area in ["syntax", "names", "shape", "types"] {
        cases.compile_fail(format!("ui/{area}/*.rs"));
    }
    cases.pass("ui-pass/*.rs");
}
