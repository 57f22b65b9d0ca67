//! What is refused only where a graph asks for it.

use super::*;

fn with(lints: Lints, places: &[Place], ways: &str) -> Vec<String> {
    let topology = graph(places, ways);
    assert_eq!(said(&topology), [""; 0], "without the lint");
    said(&Topology { lints, ..topology })
}

#[test]
fn v02_a_loop_that_nothing_counts() {
    let lints = Lints { unbounded_loop: true, ..Lints::NONE };
    let places = [named("a"), named("b"), named("c")];
    assert_eq!(
        with(lints, &places, "start -> a; a -> b; b ?> end; b -> a; c -> end; a => c"),
        ["nothing bounds the loop of `a` [GW059]\n  path: a -> b -> a\n  help: give one of its ways a budget: `at_most 10 else ..`"]
    );
    assert_eq!(with(lints, &places, "start -> a; a -> b; b ?> end; b -> a; b +> c; c -> end"), [""; 0]);
    assert_eq!(
        with(lints, &places, "start -> a; a ?> end; a -> E0; E0 -> b; b -> J0; J0 -> a; b x> c; c -> J0"),
        [
            "nothing bounds the loop of `a` [GW059]\n  path: a -> each items -> a\n  help: give one of its ways a budget: `at_most 10 else ..`"
        ]
    );
    // Somebody answers each time.
    assert_eq!(with(lints, &[asker("m"), elicitation("h")], "start -> m; m !> h; m -> end; h -> m"), [""; 0]);
}

#[test]
fn i38_an_answer_that_goes_to_another_model() {
    let lints = Lints { answer_elsewhere: true, ..Lints::NONE };
    let places = [asker("a"), asker("b"), elicitation("h")];
    assert_eq!(
        with(lints, &places, "start -> a; a !> h; a -> b; b -> end; h -> b"),
        ["`h` asks for `a`, and the answer goes to `b` [GW058]\n  help: lead back to the one that asked: `h -> a;`"]
    );
    // A router may say who asked.
    assert_eq!(with(lints, &places, "start -> a; a !> h; a -> b; b !> h; b -> end; h => a; h => b"), [""; 0]);
}
