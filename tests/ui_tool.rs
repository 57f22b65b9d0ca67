//! What the compiler says of wrong tools.

#[test]
fn tools() {
    trybuild::TestCases::new().compile_fail("ui/tool/*.rs");
}
