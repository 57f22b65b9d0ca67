//! What compiles, what does not, and in which words: `ui/<area>/<the mistake>.rs` beside what rustc says of it.
//!
//! After a change of words: `TRYBUILD=overwrite cargo test -p graphwright-compile-tests`, and read every difference.

const AREAS: &[&str] = &[
    "approval",
    "branches",
    "elicitation",
    "flow",
    "forks",
    "lints",
    "mounts",
    "names",
    "node",
    "policies",
    "readme",
    "route",
    "router",
    "shape",
    "state",
    "syntax",
    "tool",
    "types",
];

/// One run of the compiler for all of them. A missing `.stderr` fails, and so does an area without a case.
#[test]
fn the_compiler_says_so() {
    let cases = trybuild::TestCases::new();
    for area in AREAS {
        cases.compile_fail(format!("ui/{area}/*.rs"));
    }
    cases.pass("ui-pass/*.rs");
}
