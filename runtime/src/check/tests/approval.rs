//! Rule A: tools that need an approval do not run before.

use super::*;

const fn pay() -> Place {
    Place { needs_approval: true, ..tools("pay") }
}
const fn approve() -> Place {
    Place { approves: true, ..named("approve") }
}

#[test]
fn what_a_model_wants_to_run_is_approved_first() {
    refused(
        &[model("m"), pay(), approve()],
        "start -> m; m => approve; m => pay; m => end; approve -> pay; pay -> m",
        &[
            "`pay` may run tools before somebody approves them [GW057]\n  path: m -> pay\n  help: lead there through a place that approves, such as `tool_call: graph agent::ToolCall;`",
        ],
    );
    accepted(&[model("m"), pay(), approve()], "start -> m; m => approve; m => end; approve -> pay; pay -> m");
}

#[test]
fn a_gate_and_an_elicitation_are_no_approval() {
    let said = said(&graph(&[asker("m"), pay(), elicitation("h")], "start -> m; m !> h; m => pay; m => end; h -> pay; pay -> m"));
    assert_eq!(said.len(), 2, "{said:?}");
    assert!(said[0].contains("path: m -> pay\n") && said[1].contains("path: m -> h -> pay\n"), "{said:?}");
}

#[test]
fn who_fails_has_approved_nothing() {
    refused(
        &[model("m"), pay(), approve()],
        "start -> m; m => approve; m => end; approve -> m; approve x> pay; pay -> m",
        &[
            "`pay` may run tools before somebody approves them [GW057]\n  path: m -> approve -> pay\n  help: lead there through a place that approves, such as `tool_call: graph agent::ToolCall;`",
        ],
    );
}

#[test]
fn tools_before_any_model_are_nobodys_wish() {
    accepted(&[pay(), model("m")], "start -> pay; pay -> m; m -> end");
}

#[test]
fn a_place_that_asks_and_then_runs_is_the_approval() {
    let call = Place { approves: true, needs_approval: true, ..mount("tool_call", &Facts::NONE) };
    accepted(&[model("m"), call], "start -> m; m => E0; m => end; E0 -> tool_call; tool_call -> J0; J0 -> m");
}

#[test]
fn calls_are_followed_through_forks() {
    refused(
        &[model("m"), pay(), approve(), named("log")],
        "start -> m; m => E0; m => end; E0 -> log; log => approve; log => pay; approve -> J0; pay -> J0; J0 -> m",
        &[
            "`pay` may run tools before somebody approves them [GW057]\n  path: m -> log -> pay\n  help: lead there through a place that approves, such as `tool_call: graph agent::ToolCall;`",
        ],
    );
    // `log` stands in branches of two forks, and is left for the join of the one that it runs in.
    accepted(
        &[model("m"), pay(), approve(), named("log")],
        "start -> m; m => E0; m => end; E0 -> log; log -> J0; J0 -> approve; approve -> E1; E1 -> log; log -> J1; J1 -> pay; pay -> m",
    );
}

#[test]
fn mounted_graphs_tell_what_they_run_and_call() {
    let inner = facts(&[named("look"), pay()], "start -> look; look -> pay; pay -> end");
    assert!(inner.unapproved_from_start && !inner.calls_model);
    let think = facts(&[model("think")], "start -> think; think -> end");
    assert!(think.calls_model && !think.unapproved_from_start);
    refused(
        &[mount("think", think), mount("inner", inner)],
        "start -> think; think -> inner; inner -> end",
        &[
            "`inner` may run tools before somebody approves them [GW057]\n  path: think -> inner(look -> pay)\n  help: lead there through a place that approves, such as `tool_call: graph agent::ToolCall;`",
        ],
    );
}
