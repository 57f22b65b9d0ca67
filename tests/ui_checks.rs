//! What the compiler says of graphs whose every word is right.

#[test]
fn flow_and_elicitation() {
    let cases = trybuild::TestCases::new();
    for area in ["flow", "elicitation"] {
        cases.compile_fail(format!("ui/{area}/*.rs"));
        cases.pass(format!("ui/{area}/pass/*.rs"));
    }
}
