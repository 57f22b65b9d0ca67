//! Graphs in graphs, by what they tell about themselves.

use super::*;

#[test]
fn i25_a_model_inside_tools_outside() {
    let inner = facts(&[asker("writer"), elicitation("h")], "start -> writer; writer => end; writer => h; h -> writer");
    refused(
        &[mount("w", inner), tools("t"), elicitation("h")],
        "start -> w; w => t; w => end; w => h; t -> w; h -> w",
        &[
            "`t` may run tools before the user is asked [GW047]\n  path: w(writer -> end) -> t\n  help: as the first way out of `w`, write `w -> h if ask_user_pending;`",
        ],
    );
    accepted(&[mount("w", inner), tools("t"), elicitation("h")], "start -> w; w !> h; w => t; w => end; t -> w; h -> w");
}

#[test]
fn facts_of_a_graph_for_whoever_mounts_it() {
    let fetch = facts(&[named("look"), tools("fetch")], "start -> look; look -> fetch; fetch -> end");
    assert!(fetch.tools_from_start);
    assert_eq!(fetch.tools_path.as_str(), "look -> fetch");
    assert_eq!((fetch.dry_through, fetch.dry_out, fetch.dry_error), (0, 0, false));

    let tidy = facts(&[named("tidy")], "start -> tidy; tidy => failed; tidy => end");
    assert_eq!(tidy.exits, ["failed", "end"]);
    assert_eq!((tidy.tools_from_start, tidy.dry_through, tidy.dry_out), (false, 0b11, 0));

    let think = facts(&[named("a"), model("think")], "start -> a; a => skipped; a => think; think -> end");
    assert_eq!((think.tools_from_start, think.dry_through, think.dry_out), (false, 0b01, 0));

    let ask = facts(&[asker("m"), elicitation("h")], "start -> m; m ?> early; m !> h; m -> end; h -> m");
    assert_eq!((ask.dry_through, ask.dry_out, ask.dry_error), (0, 0b01, true));
    assert_eq!(ask.out_path.as_str(), "m -> early");
}

#[test]
fn mounts_take_part_by_their_facts() {
    let around = [asker("m"), tools("t"), elicitation("h")];
    let with = |name, facts| [around[0], around[1], around[2], mount(name, facts)];
    let fetch = facts(&[tools("fetch")], "start -> fetch; fetch -> end");
    let tidy = facts(&[named("tidy")], "start -> tidy; tidy -> end");
    let think = facts(&[model("think")], "start -> think; think -> end");
    let partly = facts(&[named("a"), model("think")], "start -> a; a => dry; a => think; think => wet; think => end");

    refused(
        &with("Fetch", fetch),
        "start -> m; m => Fetch; m => h; Fetch -> m; h -> t; t -> end",
        &[
            "`Fetch` may run tools before the user is asked [GW047]\n  path: m -> Fetch(fetch)\n  help: as the first way out of `m`, write `m -> h if ask_user_pending;`",
        ],
    );
    refused(
        &with("Tidy", tidy),
        "start -> m; m => Tidy; m => h; Tidy -> t; h -> m; t -> end",
        &[
            "`t` may run tools before the user is asked [GW047]\n  path: m -> Tidy -> t\n  help: as the first way out of `Tidy`, write `Tidy -> h if ask_user_pending;`",
        ],
    );
    accepted(&with("Think", think), "start -> m; m => Think; m => h; Think -> t; h -> m; t -> end");
    // Exit by exit.
    accepted(&with("Partly", partly), "start -> m; m => Partly; m => h; Partly =dry> m; Partly =wet|end> t; h -> m; t -> end");
    assert_eq!(
        said(&graph(&with("Partly", partly), "start -> m; m => Partly; m => h; Partly =wet|dry> t; Partly =end> end; h -> m; t -> end"))
            .len(),
        1
    );
}

#[test]
fn a_mount_that_asks_may_be_crossed_as_well() {
    // Left by `asked` after its model asked, by `dry` without: only `dry` leads to tools.
    let inner = facts(&[named("a"), asker("n"), elicitation("h")], "start -> a; a => dry; a => n; n => asked; n => h; h -> n");
    let places = [asker("m"), mount("inner", inner), tools("t"), elicitation("h")];
    refused(
        &places,
        "start -> m; m => inner; m => h; inner =asked> end; inner =dry> t; h -> m; t -> end",
        &[
            "`t` may run tools before the user is asked [GW047]\n  path: m -> inner -> t\n  help: as the first way out of `inner`, write `inner -> h if ask_user_pending;`",
        ],
    );
}
