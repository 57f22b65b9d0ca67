//! Forks, and what their branches may do.

use super::*;

const ABCD: [Place; 4] = [named("a"), named("b"), named("c"), named("d")];

#[test]
fn branches_that_lead_to_their_join_are_fine() {
    // start -> a -> [b, c] -> d -> end;
    accepted(&ABCD, "start -> a; a -> A0; A0 -> b; A0 -> c; b -> J0; c -> J0; J0 -> d; d -> end");
    // By its name, under a condition, round a loop, on an error.
    accepted(&ABCD, "start -> a; a -> A0; A0 -> b; A0 -> c; b ?> d; b -> b; b x> d; c -> J0; J0 -> d; d -> end");
    // Nested, and a budget on the join's own arrow.
    accepted(
        &[named("a"), named("b"), named("c"), named("d"), named("e")],
        "start -> A0; A0 -> E1; A0 -> b; E1 -> a; a -> J1; J1 -> c; c -> J0; b -> J0; J0 -> d; J0 +> e; d => A0; d => end; e -> end",
    );
}

#[test]
fn a_place_may_stand_in_branches_of_two_forks_and_outside() {
    // expand -> score; score -> match { Deeper => each candidates { expand } -> score, Done => end };
    accepted(
        &[named("expand"), named("score"), named("prune")],
        "start -> expand; expand -> score; score -> prune; prune => end; prune => E0; E0 -> expand; J0 -> score",
    );
    // each a { search } -> reflect; reflect -> match { More => each b { search } -> reflect at_most 3 else done, .. };
    accepted(
        &[named("plan"), named("search"), named("reflect"), named("done")],
        "start -> plan; plan -> E0; E0 -> search; J0 -> reflect; reflect => E1; reflect => done; E1 -> search; search -> J0; search -> J1; \
         J1 -> reflect; J1 +> done; done -> end",
    );
}

#[test]
fn i46_a_branch_does_not_end_the_run() {
    refused(
        &ABCD,
        "start -> a; a -> A0; A0 -> b; A0 -> c; b -> end; c -> J0; J0 -> d; d -> end",
        &["`b` leaves its branch of `[b, c]` for `end` [GW051]\n  path: b -> end\n  help: lead to where the branches meet: `b -> d;`"],
    );
    // Not even if the join goes on there.
    refused(
        &ABCD[..3],
        "start -> a; a -> S0; S0 -> b; S0 -> c; b ?> end; b -> b; c -> J0; J0 -> end",
        &[
            "`b` leaves its branch of `some calls` for `end` [GW051]\n  path: b -> end\n  help: leave it out, since what ends a branch goes to its join by itself; or let the fork lead to a place where its branches meet, and lead there",
        ],
    );
}

#[test]
fn i44_a_branch_that_leads_outside_is_wrong_where_it_leaves() {
    // `e` is right where it is come to from `d`: what is wrong is how it is come to from `b`.
    let places = [named("a"), named("b"), named("c"), named("d"), named("e"), named("f")];
    refused(
        &places,
        "start -> a; a -> A0; A0 -> b; A0 -> c; b -> e; c -> J0; J0 -> d; d -> e; e -> f; f -> end",
        &[
            "`b` leaves its branch of `[b, c]` for `e` [GW051]\n  path: b -> e -> f -> end\n  help: lead to where the branches meet: `b -> d;`",
        ],
    );
    // A branch that begins with a place outside.
    refused(
        &places[..4],
        "start -> a; a => d; a => A0; A0 -> b; A0 -> d; b -> J0; J0 -> c; c -> end; d -> end",
        &[
            "the branch of `[b, d]` that begins with `d` leads to `end` [GW051]\n  path: d -> end\n  help: it stands outside of the branch as well: give its function a second place there, `d_again: d;`",
        ],
    );
}

#[test]
fn a_branch_does_not_lead_back_to_its_own_fork() {
    refused(
        &ABCD,
        "start -> a; a -> A0; A0 -> b; A0 -> c; b -> a; c -> J0; J0 -> d; d -> end",
        &[
            "`b` leads back to `[b, c]` from inside of one of its branches [GW052]\n  path: b -> a -> [b, c]\n  help: lead to where the branches meet: `b -> d;`, and from there back",
        ],
    );
    // Nor to one around it.
    refused(
        &[named("a"), named("b"), named("c"), named("d"), named("e")],
        "start -> a; a -> A0; A0 -> b; A0 -> c; b -> E1; E1 -> e; e x> a; e -> J1; J1 -> J0; c -> J0; J0 -> d; d -> end",
        &[
            "`e` leads back to `[b, c]` from inside of one of its branches [GW052]\n  path: e -> a -> [b, c]\n  help: let the fork lead to a place where its branches meet, and lead there",
        ],
    );
    refused(
        &ABCD[..2],
        "start -> a; a -> A0; A0 -> a; J0 -> b; b -> end",
        &[
            "the branch of `[a]` that begins with `a` leads back to `[a]` [GW052]\n  path: a -> [a]\n  help: it stands outside of the branch as well: give its function a second place there, `a_again: a;`",
        ],
    );
}

#[test]
fn i45_two_branches_share_no_place() {
    let places = [named("a"), named("b"), named("c"), named("d"), named("x"), named("y")];
    refused(
        &places[..5],
        "start -> a; a -> A0; A0 -> b; A0 -> c; b -> x; c -> x; x -> d; J0 -> d; d -> end",
        &[
            "`x` stands in two branches of `[b, c]`, that of `b` and that of `c` [GW053]\n  path: b -> x, c -> x\n  help: let both lead to `d`, where the branches meet; or give its function a second place for one of them, `x_again: x;`",
        ],
    );
    // However deep; what follows it is no mistake of its own.
    refused(
        &places,
        "start -> a; a -> A0; A0 -> b; A0 -> c; b -> E1; E1 -> x; x -> y; y -> J1; J1 -> J0; c -> S2; S2 -> x; y -> J2; J2 -> J0; J0 -> d; d -> end",
        &[
            "`x` stands in two branches of `[b, c]`, that of `b` and that of `c` [GW053]\n  path: b -> x, c -> x\n  help: let both lead to `d`, where the branches meet; or give its function a second place for one of them, `x_again: x;`",
        ],
    );
    // Not of one fork: fine.
    accepted(
        &places[..5],
        "start -> a; a => A0; a => A1; A0 -> b; A0 -> x; A1 -> c; A1 -> x; b -> d; c -> d; x -> d; J0 -> d; J1 -> d; d -> end",
    );
}

#[test]
fn what_ends_a_branch_has_no_way_on_elsewhere() {
    refused(
        &ABCD,
        "start -> a; a -> A0; A0 -> b; A0 -> c; b -> J0; c -> J0; J0 -> d; d => b; d => end",
        &[
            "`b` ends a branch of `[b, c]`, and has no way on outside of it [GW054]\n  path: a -> [b, c] -> d -> b\n  help: give its function a second place for it, `b_again: b;`",
        ],
    );
    refused(
        &ABCD,
        "start -> a; a => A0; a => S1; A0 -> b; b -> J0; J0 -> d; S1 -> c; c => b; c => d; J1 -> d; d -> end",
        &[
            "`b` ends a branch of `[b]`, and has no way on in one of `some calls` [GW054]\n  path: c -> b\n  help: give its function a second place for it, `b_again: b;`",
        ],
    );
}

#[test]
fn rings_and_dead_ends_are_seen_through_forks() {
    refused(
        &ABCD[..3],
        "start -> a; a -> A0; A0 -> b; A0 -> c; b -> J0; c -> J0; J0 -> a",
        &[
            "the ring of `a` has no way out [GW045]\n  path: a -> [b, c] -> a\n  help: write a condition that leaves it, such as `a -> end if done;`, or declare that it is wanted: `#[graph(endless)]`",
        ],
    );
    refused(
        &ABCD,
        "start -> a; a -> A0; A0 -> b; A0 -> c; b -> b; c -> J0; J0 -> d; d -> end",
        &[
            "the ring of `b` has no way out [GW045]\n  path: b -> b\n  help: write a condition that leaves it, such as `b -> d if done;`, or declare that it is wanted: `#[graph(endless)]`",
        ],
    );
    refused(
        &ABCD,
        "start -> a; a -> A0; A0 -> b; b -> c; J0 -> d; d -> end",
        &["`c` has no way out [GW043]\n  help: write `c -> d;` if it is the last step of its branch, or say where it goes on"],
    );
    refused(
        &ABCD[..2],
        "start -> a; a -> A0; A0 -> b; b -> J0",
        &["`[b]` has no way out [GW043]\n  help: say where it goes on when its branches are done"],
    );
}

#[test]
fn an_error_leads_somewhere_and_is_no_way_out() {
    accepted(&ABCD[..2], "start -> a; a -> end; a x> b; b -> end");
    refused(
        &ABCD[..2],
        "start -> a; a x> b; b -> end",
        &["`a` has no way out [GW043]\n  help: write `a -> end;` if it is the last step, or say where it goes on"],
    );
    refused(
        &ABCD[..2],
        "start -> a; a -> a; a x> b; b -> end",
        &[
            "the ring of `a` has no way out [GW045]\n  path: a -> a\n  help: write a condition that leaves it, such as `a -> end if done;`, or declare that it is wanted: `#[graph(endless)]`",
        ],
    );
}

#[test]
fn a_ring_that_nothing_leads_to_may_go_through_a_fork() {
    refused(
        &ABCD,
        "start -> a; a -> end; b -> A0; A0 -> c; c -> J0; J0 -> d; d => b; d => end",
        &[
            "nothing leads from `start` into the ring of `b` [GW042]\n  path: b -> [c] -> d -> b\n  help: lead a place to `b` that is reached, or take `b` out",
        ],
    );
}
