//! Rule E and its company.

use super::*;

#[test]
fn i19_no_gate_is_one_mistake_though_nothing_leads_to_the_elicitation_either() {
    refused(
        &[asker("m"), tools("t"), elicitation("h")],
        "start -> m; m => t; m => end; t -> m; h -> m",
        &[
            "`t` may run tools before the user is asked [GW047]\n  path: m -> t\n  help: as the first way out of `m`, write `m -> h if ask_user_pending;`",
        ],
    );
}

#[test]
fn i20_an_unconditional_way() {
    refused(
        &[asker("m"), tools("t"), asker("m2"), elicitation("h")],
        "start -> m; m -> t; t -> m2; m2 !> h; m2 => t; m2 => end; h -> m2",
        &[
            "`t` may run tools before the user is asked [GW047]\n  path: m -> t\n  help: as the first way out of `m`, write `m -> h if ask_user_pending;`",
        ],
    );
}

#[test]
fn i22_through_a_second_router() {
    refused(
        &[asker("m"), named("gate"), tools("t"), elicitation("h")],
        "start -> m; m => gate; m => end; gate => m; gate => t; gate => h; t -> m; h -> m",
        &[
            "`t` may run tools before the user is asked [GW047]\n  path: m -> gate -> t\n  help: as the first way out of `gate`, write `gate -> h if ask_user_pending;`",
        ],
    );
}

#[test]
fn i23_an_arm_to_the_elicitation_proves_nothing() {
    refused(
        &[asker("m"), tools("t"), elicitation("h")],
        "start -> m; m => h; m => t; m => end; t -> m; h -> m",
        &[
            "`t` may run tools before the user is asked [GW047]\n  path: m -> t\n  help: as the first way out of `m`, write `m -> h if ask_user_pending;`",
        ],
    );
}

#[test]
fn a_guard_of_ones_own_proves_nothing() {
    let said = said(&graph(&[asker("m"), tools("t"), elicitation("h")], "start -> m; m ?> h; m => t; m => end; t -> m; h -> m"));
    assert_eq!(said.len(), 1);
    assert!(said[0].contains("[GW047]"), "{}", said[0]);
}

#[test]
fn the_gate_guard_to_another_place_is_no_gate() {
    let said = said(&graph(
        &[asker("m"), tools("t"), elicitation("h"), named("log")],
        "start -> m; m !> log; m => t; m => end; t -> m; log -> h; h -> m",
    ));
    assert_eq!(said.len(), 1);
    assert!(said[0].contains("path: m -> t\n"), "{}", said[0]);
}

#[test]
fn i23_a_gate_that_comes_too_late() {
    refused(
        &[asker("m"), tools("t"), elicitation("h")],
        "start -> m; m ?> t; m !> h; m -> end; t -> m; h -> m",
        &["`t` may run tools before the user is asked [GW047]\n  path: m -> t\n  help: move `m -> h if ask_user_pending;` before this way"],
    );
}

#[test]
fn i26_a_choice_of_the_place_has_no_order() {
    refused(
        &[asker("m"), named("p"), tools("t"), elicitation("h")],
        "start -> m; m => p; m => end; p =T> t; p =H> h; p =M> m; t -> m; h -> m",
        &[
            "`t` may run tools before the user is asked [GW047]\n  path: m -> p -> t\n  help: as the first way out of `p`, write `p -> h if ask_user_pending;`",
        ],
    );
}

#[test]
fn i32_one_of_two_tools_is_guarded() {
    refused(
        &[asker("m"), tools("t1"), tools("t2"), elicitation("h")],
        "start -> m; m ?> t2; m !> h; m => t1; m => end; t1 -> m; t2 -> m; h -> m",
        &[
            "`t2` may run tools before the user is asked [GW047]\n  path: m -> t2\n  help: move `m -> h if ask_user_pending;` before this way",
        ],
    );
}

#[test]
fn one_missing_gate_is_one_error_however_many_tools_it_leads_to() {
    let said = said(&graph(
        &[asker("m"), tools("t1"), tools("t2"), elicitation("h")],
        "start -> m; m => h; m => t1; m => t2; m => end; t1 -> m; t2 -> m; h -> m",
    ));
    assert_eq!(said.len(), 1);
}

#[test]
fn a_budget_on_the_gate_opens_it() {
    // Asked often enough, the run goes on with a question open.
    refused(
        &[asker("m"), tools("t"), elicitation("h")],
        "start -> m; m !> h; m +> t; m -> end; t -> m; h -> m",
        &[
            "`t` may run tools before the user is asked [GW047]\n  path: m -> t\n  help: let the gate have no budget: `m -> h if ask_user_pending;`",
        ],
    );
    accepted(&[asker("m"), tools("t"), elicitation("h")], "start -> m; m !> h; m => m; m +> t; m => end; t -> m; h -> m");
}

#[test]
fn i35_an_answer_that_reaches_nobody() {
    refused(
        &[asker("m"), tools("t"), elicitation("h")],
        "start -> m; m !> h; m => t; m => end; h -> end; t -> m",
        &["from `h`, no model and no tools take up the answer [GW049]\n  help: lead back to the model that asked: `h -> m;`"],
    );
}

#[test]
fn i37_v13_an_elicitation_may_stand_between_model_and_tools() {
    accepted(&[asker("m"), tools("t"), elicitation("h")], "start -> m; m !> h; m => t; m => end; h -> t; t -> m");
    accepted(&[asker("m"), tools("t"), elicitation("h")], "start -> m; m => h; m => end; h =A> t; h =B> m; t -> m");
}

#[test]
fn v14_tools_before_any_model_are_fine() {
    accepted(
        &[tools("fetch"), asker("m"), tools("t"), elicitation("h")],
        "start -> fetch; fetch -> m; m !> h; m => t; m => end; t -> m; h -> m",
    );
}

#[test]
fn another_model_begins_anew() {
    accepted(&[asker("m"), model("n"), tools("t"), elicitation("h")], "start -> m; m !> h; m -> n; n => t; n => end; t -> n; h -> m");
    accepted(&[asker("m"), model("n"), tools("t"), elicitation("h")], "start -> m; m => h; m => n; n => t; n => end; t -> n; h -> m");
}

#[test]
fn a_node_that_asks_needs_an_elicitation() {
    refused(
        &[asker("m"), asker("n"), tools("t")],
        "start -> m; m => t; m => n; n -> end; t -> m",
        &[
            "`m` may ask the user, but `G` has no elicitation [GW046]\n  help: write, as its first way out, `m -> elicitation if ask_user_pending;`, and `elicitation -> m;`; or take `asks` from its `#[node(model, asks)]`",
        ],
    );
}

#[test]
fn i40_an_elicitation_needs_one_that_asks() {
    refused(
        &[model("m"), elicitation("h")],
        "start -> m; m => h; m => end; h -> m",
        &[
            "`h` asks what a model wants to know, but no model of `G` asks [GW048]\n  help: declare the one that offers `ask_user`: `#[node(model, asks)]`; or take `h` out",
        ],
    );
    refused(
        &[asker("m"), elicitation("h")],
        "start -> m; m -> end; h -> m",
        &["nothing that asks leads to `h` [GW048]\n  help: as the first way out of `m`, write `m -> h if ask_user_pending;`"],
    );
}

#[test]
fn an_elicitation_asked_only_by_an_unreachable_ring_is_said_once() {
    refused(
        &[named("a"), asker("m"), elicitation("h")],
        "start -> a; a -> end; m => h; m => end; h -> m",
        &[
            "`h` asks what a model wants to know, but no model of `G` asks [GW048]\n  help: declare the one that offers `ask_user`: `#[node(model, asks)]`; or take `h` out",
        ],
    );
}

#[test]
fn a_long_path_is_told_from_both_ends() {
    let names: Vec<&'static str> = (0..18).map(|n| &*format!("p{n}").leak()).collect();
    let mut places: Vec<Place> = vec![asker("m"), tools("t"), elicitation("h")];
    places.extend(names.iter().map(|name| named(name)));
    let chain: Vec<String> = names.windows(2).map(|pair| format!("{} -> {}", pair[0], pair[1])).collect();
    let topology = graph(&places, &format!("start -> m; m => p0; m => h; h -> m; {}; p17 -> t; t -> end", chain.join("; ")));
    let analysis = analyze::<21, 40>(&topology);
    let way = topology.ways.len() - 2;
    let text = way_text(&analysis, &topology, way);
    assert!(
        text.as_str().contains("path: m -> p0 -> p1 -> p2 -> p3 -> p4 -> .. -> p12 -> p13 -> p14 -> p15 -> p16 -> p17 -> t\n"),
        "{text:?}"
    );
}

#[test]
fn i28_parallel_is_not_before() {
    refused(
        &[asker("m"), elicitation("h"), tools("t"), model("n")],
        "start -> m; m -> A0; A0 -> h; A0 -> t; h -> J0; t -> J0; J0 -> n; n -> end",
        &[
            "`t` may run tools before the user is asked: it runs at the same time as `h` [GW047]\n  path: m -> t\n  help: as the first way out of `m`, write `m -> h if ask_user_pending;`",
        ],
    );
}

#[test]
fn i29_both_may_be_chosen() {
    refused(
        &[asker("m"), elicitation("h"), tools("t")],
        "start -> m; m => S0; m => end; S0 -> h; S0 -> t; h -> J0; t -> J0; J0 -> m",
        &[
            "`t` may run tools before the user is asked: it runs at the same time as `h` [GW047]\n  path: m -> t\n  help: as the first way out of `m`, write `m -> h if ask_user_pending;`",
        ],
    );
    accepted(
        &[asker("m"), elicitation("h"), tools("t"), tools("t2")],
        "start -> m; m !> h; m => S0; m => end; S0 -> t; S0 -> t2; t -> J0; t2 -> J0; J0 -> m; h -> m",
    );
}

#[test]
fn i31_who_fails_has_asked_nobody() {
    for (ways, path) in [
        ("start -> m; m !> h; m => t; m => end; h -> m; h x> t; t -> m", "m -> h -> t"),
        ("start -> m; m !> h; m => t; m => end; h -> m; h z> t; t -> m", "m -> h -> t"),
        ("start -> m; m !> h; m => t; m => end; h -> m; m x> t; t -> m", "m -> t"),
    ] {
        let place = path.rsplit(" -> ").nth(1).unwrap();
        refused(
            &[asker("m"), elicitation("h"), tools("t")],
            ways,
            &[&format!(
                "`t` may run tools before the user is asked [GW047]\n  path: {path}\n  help: when `{place}` fails, nobody was asked: go on at a model then, or end"
            )],
        );
    }
    accepted(&[asker("m"), elicitation("h"), tools("t")], "start -> m; m !> h; m => t; m => end; h -> m; h x> m; m x> end; t -> m");
}

#[test]
fn a_model_in_a_branch_asks_before_tools_that_follow_the_join() {
    refused(
        &[asker("m"), elicitation("h"), tools("t"), named("note")],
        "start -> E0; E0 -> m; m -> note; note -> J0; J0 -> t; t -> end; h -> m",
        &[
            "`t` may run tools before the user is asked [GW047]\n  path: m -> note -> t\n  help: as the first way out of `note`, write `note -> h if ask_user_pending;`",
        ],
    );
    accepted(
        &[asker("m"), elicitation("h"), tools("t"), named("note")],
        "start -> E0; E0 -> m; m !> h; m -> note; note -> J0; J0 -> t; t -> end; h -> m",
    );
}

#[test]
fn a_path_may_lead_through_a_fork() {
    refused(
        &[asker("m"), elicitation("h"), tools("t"), named("a"), model("b")],
        "start -> m; m -> A0; A0 -> a; A0 -> b; a -> J0; b -> J0; J0 -> t; t -> end; h -> m",
        &[
            "`t` may run tools before the user is asked [GW047]\n  path: m -> [a, b] -> t\n  help: as the first way out of `m`, write `m -> h if ask_user_pending;`",
        ],
    );
    // Every branch passes another model, and an `each` has none if there are no items.
    let places = [asker("m"), elicitation("h"), tools("t"), model("b")];
    accepted(&places, "start -> m; m => h; m => A0; A0 -> b; b -> J0; J0 -> t; t -> end; h -> m");
    assert_eq!(said(&graph(&places, "start -> m; m => h; m => E0; E0 -> b; b -> J0; J0 -> t; t -> end; h -> m")).len(), 1);
}

#[test]
fn what_is_shared_by_two_forks_does_not_mix_them_up() {
    // `log` goes on to the model from the first fork, and to the tools from the second, which no asker leads to.
    accepted(
        &[asker("m"), elicitation("h"), tools("t"), named("log"), model("n")],
        "start -> m; m => h; m => E0; E0 -> log; log -> J0; J0 -> n; n -> E1; E1 -> log; log -> J1; J1 -> t; t -> end; h -> m",
    );
}

#[test]
fn i35_an_answer_may_be_taken_up_behind_a_join() {
    let places = [asker("m"), elicitation("h"), named("a"), tools("t")];
    accepted(&places, "start -> m; m !> h; m => t; m => end; h -> E0; E0 -> a; a -> J0; J0 -> t; t -> end");
    refused(
        &places,
        "start -> m; m !> h; m => t; m => end; h -> E0; E0 -> a; a -> J0; J0 -> end; t -> m",
        &["from `h`, no model and no tools take up the answer [GW049]\n  help: lead back to the model that asked: `h -> m;`"],
    );
}
