//! What is said of defective graphs, word by word, and that sound ones are let pass.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use super::*;
use crate::topology::{Fork, ForkKind, Lints, Origin, Place, Role, Target, Way, WayKind};

const NODE: Place = Place {
    name: "",
    node: "",
    title: None,
    role: Role::Plain,
    asks: false,
    pauses: false,
    docs: "",
    file: "",
    line: 0,
    needs_approval: false,
    approves: false,
    facts: Facts::NONE,
    graph: None,
};

const fn named(name: &'static str) -> Place {
    Place { name, ..NODE }
}
const fn model(name: &'static str) -> Place {
    Place { name, role: Role::Model, ..NODE }
}
const fn asker(name: &'static str) -> Place {
    Place { name, role: Role::Model, asks: true, ..NODE }
}
const fn tools(name: &'static str) -> Place {
    Place { name, role: Role::Tools, ..NODE }
}
const fn elicitation(name: &'static str) -> Place {
    Place { name, role: Role::Elicitation, ..NODE }
}
const fn mount(name: &'static str, facts: Facts) -> Place {
    Place { name, role: Role::Graph, facts, ..NODE }
}

/// A graph called `G`. Its ways are lines of `from -> to`: `->` always, `?>` if a guard says so, `=>` by an arm (`=L>` by the arm
/// `L` of the place's own), `!>` by the gate, `+>` when the budget of the line before is used up, `x>` on error, `z>` on expiry.
/// `A0`, `S0` and `E0` are forks of all, some and each, and `J0` is their join. A target that is nothing of this is an exit.
fn graph(places: &[Place], ways: &str) -> Topology {
    let number = |name: &str| places.iter().position(|p| p.name == name).map(|n| u16::try_from(n).unwrap());
    let fork = |name: &str, letters: &str| name.strip_prefix(|c| letters.contains(c)).and_then(|n| n.parse::<u16>().ok());
    let mut exits: Vec<&'static str> = Vec::new();
    let mut forks: Vec<Fork> = Vec::new();
    let ways: Vec<Way> = ways
        .split(';')
        .map(str::trim)
        .filter(|way| !way.is_empty())
        .map(|way| {
            let [from, arrow, to] = way.split_whitespace().collect::<Vec<_>>()[..] else { panic!("{way}") };
            let to = match (number(to), fork(to, "ASE"), fork(to, "J")) {
                (Some(place), ..) => Target::Place(place),
                (_, Some(number), _) => {
                    let (kind, router) = match &to[..1] {
                        "A" => (ForkKind::All, None),
                        "S" => (ForkKind::Some, Some("calls")),
                        _ => (ForkKind::Each, Some("items")),
                    };
                    if usize::from(number) == forks.len() {
                        forks.push(Fork { kind, router, by: None, join: None });
                    }
                    Target::Fork(number)
                }
                (.., Some(number)) => Target::Join(number),
                _ if to == "never" => Target::Never,
                _ => {
                    let exit: &'static str = to.to_owned().leak();
                    if !exits.contains(&exit) {
                        exits.push(exit);
                    }
                    Target::End(u16::try_from(exits.iter().position(|e| *e == exit).unwrap()).unwrap())
                }
            };
            let from = match (fork(from, "ASE"), fork(from, "J")) {
                (Some(fork), _) => Origin::Fork(fork),
                (_, Some(join)) => Origin::Join(join),
                _ if from == "start" => Origin::Start,
                _ => Origin::Place(number(from).expect(from)),
            };
            let kind = match arrow {
                "->" if matches!(from, Origin::Fork(_)) => WayKind::Branch { label: "" },
                "->" => WayKind::Always,
                "?>" => WayKind::If { router: "guard", gate: false },
                "!>" => WayKind::If { router: "ask_user_pending", gate: true },
                "+>" => WayKind::Else { at_most: 3, label: "" },
                "x>" => WayKind::Error,
                "z>" => WayKind::Expiry,
                "=>" => WayKind::Arm { router: Some("route"), label: "Arm" },
                arm => WayKind::Arm { router: None, label: arm.trim_matches(['=', '>']).to_owned().leak() },
            };
            if let (Origin::Join(fork), Target::Place(place), WayKind::Always) = (from, to, kind) {
                forks[usize::from(fork)].join = Some(place);
            }
            Way { from, to, kind }
        })
        .collect();
    Topology {
        name: "G",
        version: 1,
        docs: "",
        file: "",
        line: 0,
        places: places.to_vec().leak(),
        forks: forks.leak(),
        ways: ways.leak(),
        exits: exits.leak(),
        steps: 100,
        endless: false,
        unreachable: false,
        lints: Lints::NONE,
    }
}

/// Everything that is said of a graph, in the order of its elements.
fn said(topology: &Topology) -> Vec<String> {
    let analysis = analyze::<16, 32>(topology);
    let whole = whole_text(&analysis, topology);
    let places = (0..topology.places.len() + topology.forks.len()).map(|place| place_text(&analysis, topology, place));
    let ways = (0..topology.ways.len()).map(|way| way_text(&analysis, topology, way));
    let texts = std::iter::once(whole).chain(places).chain(ways);
    texts.filter(|text| !text.is_empty()).map(|text| text.as_str().to_owned()).collect()
}

#[track_caller]
fn refused(places: &[Place], ways: &str, expected: &[&str]) {
    assert_eq!(said(&graph(places, ways)), expected);
}

#[track_caller]
fn accepted(places: &[Place], ways: &str) {
    refused(places, ways, &[]);
}

fn facts(places: &[Place], ways: &str) -> Facts {
    let topology = graph(places, ways);
    assert_eq!(said(&topology), [""; 0]);
    analyze::<16, 32>(&topology).facts
}

#[test]
fn a_graph_needs_a_start() {
    refused(&[named("a")], "a -> end", &["`G` has no start [GW040]\n  help: write `start -> a;`, with the place at which a turn begins"]);
}

#[test]
fn exits_can_be_told_apart() {
    let ways: Vec<String> = (0..65).map(|exit| format!("a => e{exit}")).collect();
    let topology = graph(&[named("a")], &format!("start -> a; {}", ways.join(";")));
    let analysis = analyze::<1, 66>(&topology);
    assert_eq!(analysis.of_whole().code(), "GW050");
    assert!(whole_text(&analysis, &topology).as_str().starts_with("`G` has more than 64 exits [GW050]"));
}

#[test]
fn i08_a_place_that_nothing_leads_to() {
    refused(
        &[named("a"), named("b")],
        "start -> a; a -> end; b -> end",
        &["`b` cannot be reached from `start` [GW041]\n  help: lead a place to `b` that is reached, or take `b` out"],
    );
}

#[test]
fn what_follows_an_unreachable_place_is_no_mistake_of_its_own() {
    refused(
        &[named("a"), named("b"), named("c")],
        "start -> a; b -> c; c -> end",
        &["`b` cannot be reached from `start` [GW041]\n  help: write `a -> b;`: `a` has no way out yet"],
    );
}

#[test]
fn i09_a_ring_that_nothing_leads_to() {
    refused(
        &[named("a"), named("b"), named("c"), named("d")],
        "start -> a; a -> end; b -> c; c -> d; c => b; d -> end",
        &[
            "nothing leads from `start` into the ring of `b` [GW042]\n  path: b -> c -> b\n  help: lead a place to `b` that is reached, or take `b` out",
        ],
    );
}

#[test]
fn i10_a_place_without_a_way_out() {
    refused(
        &[named("a"), named("b"), named("c")],
        "start -> a; a => b; a => c; b -> end",
        &["`c` has no way out [GW043]\n  help: write `c -> end;` if it is the last step, or say where it goes on"],
    );
}

#[test]
fn a_place_that_leads_only_to_never() {
    refused(
        &[named("a")],
        "start -> a; a => never; a => never",
        &["every way out of `a` is `never` [GW044]\n  help: let one of them go on to a place, or to `end`"],
    );
}

#[test]
fn a_ring_without_a_way_out_is_one_mistake() {
    let places = [named("a"), named("b"), named("c"), named("d")];
    let ways = "start -> a; a -> b; b => c; b => never; c => d; d -> b; c => b";
    refused(
        &places,
        ways,
        &[
            "the ring of `b` has no way out [GW045]\n  path: b -> c -> b\n  help: write a condition that leaves it, such as `b -> end if done;`, or declare that it is wanted: `#[graph(endless)]`",
        ],
    );
    assert_eq!(said(&Topology { endless: true, ..graph(&places, ways) }), [""; 0]);
}

#[test]
fn a_place_that_leads_only_to_itself() {
    let said = said(&graph(&[named("a")], "start -> a; a -> a"));
    assert_eq!(said.len(), 1);
    assert!(said[0].starts_with("the ring of `a` has no way out [GW045]\n  path: a -> a\n"), "{}", said[0]);
}

#[test]
fn several_mistakes_of_one_kind_are_said_at_once() {
    let said = said(&graph(
        &[named("a"), named("b"), named("c"), named("d"), named("e")],
        "start -> a; a => b; a => c; a => d; a => e; d -> e; e -> d; c -> never",
    ));
    let codes: Vec<_> = said.iter().map(|text| &text[text.find("[GW").unwrap()..][..7]).collect();
    assert_eq!(codes, ["[GW043]", "[GW044]", "[GW045]"]);
}

#[test]
fn v01_loops_with_a_way_out_are_fine() {
    accepted(&[named("a")], "start -> a; a => a; a => end");
    accepted(&[named("a")], "start -> a; a => a; a +> end");
}

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

#[test]
fn each_mistake_has_a_code_of_its_own() {
    let mut codes: Vec<_> = CODES.iter().map(|(code, _)| *code).collect();
    assert!(codes.iter().all(|code| code.len() == 5 && code.starts_with("GW0")));
    codes.dedup();
    assert_eq!(codes.len(), CODES.len());
    let faults = [
        Fault::NoStart,
        Fault::TooManyExits,
        Fault::Unreachable,
        Fault::UnreachableRing,
        Fault::NoWayOut,
        Fault::OnlyNever,
        Fault::Ring,
        Fault::NoElicitation,
        Fault::Unasked,
        Fault::NothingAsks,
        Fault::AnswerIsLost,
        Fault::LeavesBranch,
        Fault::OwnFork,
        Fault::SharedPlace,
        Fault::NoWayHere,
        Fault::BothWrite,
        Fault::Undeclared,
        Fault::Unapproved,
        Fault::AnswerElsewhere,
        Fault::UnboundedLoop,
    ];
    assert_eq!(faults.len(), codes.len());
    assert!(faults.iter().all(|fault| codes.contains(&fault.code())));
}

#[test]
#[should_panic = "`b` cannot be reached from `start` [GW041]"]
fn a_mistake_is_a_panic_of_the_constant() {
    let topology = graph(&[named("a"), named("b")], "start -> a; a -> end; b -> end");
    let analysis = analyze::<2, 3>(&topology);
    whole(&analysis, &topology);
    way(&analysis, &topology, 0);
    place(&analysis, &topology, 0);
    place(&analysis, &topology, 1);
}
