//! What the compiler says of wrong states, routes, nodes and routers.

#[test]
fn attributes() {
    let cases = trybuild::TestCases::new();
    for area in ["node", "router", "state", "route"] {
        cases.compile_fail(format!("ui/{area}/*.rs"));
    }
}
