//! Places that cannot be come to, or left.

use super::*;

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
