//! The graphs that are drawn: each shows something else.

use graphwright::topology::{Fork, ForkKind, Origin, Place, Role, Target, Topology, Way, WayKind};

use super::agent::{AGENT, agent, own, place, routed};
use super::labels::HOSTILE;
use super::random::Random;
use Origin::{Place as At, Start};
use WayKind::Always;

/// All of them, with their names.
pub(super) fn all() -> Vec<(String, &'static Topology)> {
    let mut graphs: Vec<(String, &'static Topology)> = vec![("agent".into(), &AGENT)];
    let made: [(&str, Topology); 16] = [
        ("support", support()),
        ("research", research()),
        ("deep", deep()),
        ("within and outside", within_and_outside()),
        ("nested forks", nested_forks()),
        ("join to a choice", join_to_a_choice()),
        ("own loops", own_loops()),
        ("failures", failures()),
        ("many arms", many_arms()),
        ("many branches", many_branches()),
        ("long names", long_names()),
        ("chain", chain()),
        ("endless", endless()),
        ("unreachable", unreachable()),
        ("nothing", Topology { places: &[], ways: &[], exits: &[], ..agent() }),
        ("hostile", hostile()),
    ];
    graphs.extend(made.into_iter().map(|(name, topology)| (name.to_owned(), leaked(topology))));
    graphs.extend(graphwright_tests::graphs::all().into_iter().map(|(file, topology)| (format!("{file}: {}", topology.name), topology)));
    for seed in 0..60 {
        let places = 2 + usize::try_from(seed % 24).unwrap();
        graphs.push((format!("program {seed}"), leaked(Random(seed).program(places))));
    }
    graphs
}

pub(super) fn leaked(topology: Topology) -> &'static Topology {
    Box::leak(Box::new(topology))
}

const fn to(from: Origin, to: u16, kind: WayKind) -> Way {
    Way { from, to: Target::Place(to), kind }
}

const fn end(from: Origin, kind: WayKind) -> Way {
    Way { from, to: Target::End(0), kind }
}

const fn into(from: Origin, fork: u16, kind: WayKind) -> Way {
    Way { from, to: Target::Fork(fork), kind }
}

const fn joins(from: Origin, fork: u16) -> Way {
    Way { from, to: Target::Join(fork), kind: Always }
}

const fn branch(label: &'static str) -> WayKind {
    WayKind::Branch { label }
}

const fn fork(kind: ForkKind, router: Option<&'static str>, join: Option<u16>) -> Fork {
    Fork { kind, router, by: None, join }
}

fn graph(name: &'static str, places: Vec<Place>, forks: Vec<Fork>, ways: Vec<Way>) -> Topology {
    Topology { name, places: places.leak(), forks: forks.leak(), ways: ways.leak(), exits: &["end", "failed"], ..agent() }
}

/// `tool_call` of the next one: asks, then runs.
fn tool_call() -> Topology {
    let places = vec![
        Place { pauses: true, approves: true, ..place("ask", Role::Interrupt) },
        Place { needs_approval: true, ..place("run", Role::Tools) },
        place("note", Role::Plain),
    ];
    let ways = vec![
        to(Start, 0, Always),
        to(At(0), 1, own("Approve | Edit")),
        end(At(0), own("Reject | Respond | Declined | Cancelled")),
        end(At(0), WayKind::Expiry),
        end(At(1), Always),
        to(At(1), 2, WayKind::Error),
        end(At(2), Always),
    ];
    graph("ToolCall", places, Vec::new(), ways)
}

/// The agent of the book: a gate, a map over a mounted graph, a budget.
pub(super) fn support() -> Topology {
    let places = vec![
        Place { asks: true, docs: "Calls the model with the conversation so far.\n\nAnd more.", ..place("react", Role::Model) },
        Place { pauses: true, ..place("elicitation", Role::Elicitation) },
        Place { pauses: true, graph: Some(leaked(tool_call())), ..place("tool_call", Role::Graph) },
        place("give_up", Role::Cut),
    ];
    let ways = vec![
        to(Start, 0, Always),
        to(At(0), 1, WayKind::If { router: "ask_user_pending", gate: true }),
        into(At(0), 0, routed("Tools")),
        end(At(0), routed("Finish")),
        to(Origin::Fork(0), 2, branch("")),
        joins(At(2), 0),
        to(Origin::Join(0), 0, Always),
        to(Origin::Join(0), 3, WayKind::Else { at_most: 8, label: "" }),
        to(At(1), 0, Always),
        end(At(3), Always),
    ];
    graph("SupportAgent", places, vec![fork(ForkKind::Each, Some("open_calls"), Some(0))], ways)
}

/// A mounted graph with two exits, and one that fails.
pub(super) fn research() -> Topology {
    let inner = {
        let places = vec![place("search", Role::Tools), place("judge", Role::Model)];
        let ways = vec![
            to(Start, 0, Always),
            to(At(0), 1, Always),
            to(At(1), 0, own("Again")),
            end(At(1), own("Enough")),
            Way { from: At(1), to: Target::End(1), kind: own("Nothing") },
        ];
        Topology { exits: &["end", "nothing_found"], ..graph("Research", places, Vec::new(), ways) }
    };
    let places = vec![
        place("plan", Role::Model),
        Place { graph: Some(leaked(inner)), ..place("research", Role::Graph) },
        place("write", Role::Model),
        place("report", Role::Plain),
    ];
    let ways = vec![
        to(Start, 0, Always),
        to(At(0), 1, Always),
        to(At(1), 2, own("end")),
        to(At(1), 0, own("nothing_found")),
        to(At(1), 3, WayKind::Error),
        end(At(2), Always),
        Way { from: At(3), to: Target::End(1), kind: Always },
    ];
    graph("Researcher", places, Vec::new(), ways)
}

/// Mounts in mounts.
fn deep() -> Topology {
    let mut inner = tool_call();
    for name in ["inner", "middle", "outer"] {
        let places = vec![place("before", Role::Plain), Place { graph: Some(leaked(inner)), ..place(name, Role::Graph) }];
        let ways =
            vec![to(Start, 0, Always), to(At(0), 1, Always), to(At(1), 0, Always), end(At(1), WayKind::Else { at_most: 2, label: "" })];
        inner = graph("Deep", places, Vec::new(), ways);
    }
    inner
}

/// `start -> expand -> score; score -> match { Deeper => each candidates { expand } -> score, Enough => end };`
pub(super) fn within_and_outside() -> Topology {
    let ways = vec![
        to(Start, 0, Always),
        to(At(0), 1, Always),
        into(At(1), 0, own("Deeper")),
        end(At(1), own("Enough")),
        to(Origin::Fork(0), 0, branch("")),
        to(Origin::Join(0), 1, Always),
    ];
    let places = vec![place("expand", Role::Model), place("score", Role::Plain)];
    graph("Tree", places, vec![fork(ForkKind::Each, Some("candidates"), Some(1))], ways)
}

/// `start -> a -> [b -> each items { c }, some which { Left => d, Right => e -> f }] -> g -> end; d -> g;`
pub(super) fn nested_forks() -> Topology {
    let places = ["a", "b", "c", "d", "e", "f", "g"].map(|name| place(name, Role::Plain)).to_vec();
    let forks =
        vec![fork(ForkKind::All, None, Some(6)), fork(ForkKind::Each, Some("items"), None), fork(ForkKind::Some, Some("which"), None)];
    let ways = vec![
        to(Start, 0, Always),
        into(At(0), 0, Always),
        to(Origin::Fork(0), 1, branch("")),
        into(Origin::Fork(0), 2, branch("")),
        into(At(1), 1, Always),
        to(Origin::Fork(1), 2, branch("")),
        joins(At(2), 1),
        joins(Origin::Join(1), 0),
        to(Origin::Fork(2), 3, branch("Left")),
        to(Origin::Fork(2), 4, branch("Right")),
        joins(At(3), 2),
        to(At(4), 5, Always),
        joins(At(5), 2),
        joins(Origin::Join(2), 0),
        to(Origin::Join(0), 6, Always),
        end(At(6), Always),
    ];
    graph("Nested", places, forks, ways)
}

/// A join goes on to a `match`, a fork, and the end.
fn join_to_a_choice() -> Topology {
    let places = ["a", "b", "c", "d", "e"].map(|name| place(name, Role::Plain)).to_vec();
    let forks = vec![fork(ForkKind::All, None, None), fork(ForkKind::All, None, None), fork(ForkKind::Each, Some("rest"), None)];
    let ways = vec![
        into(Start, 0, Always),
        to(Origin::Fork(0), 0, branch("")),
        to(Origin::Fork(0), 1, branch("")),
        joins(At(0), 0),
        joins(At(1), 0),
        into(Origin::Join(0), 1, routed("Again")),
        into(Origin::Join(0), 2, routed("Rest")),
        end(Origin::Join(0), routed("Done")),
        to(Origin::Fork(1), 2, branch("")),
        to(Origin::Fork(1), 3, branch("")),
        joins(At(2), 1),
        joins(At(3), 1),
        into(Origin::Join(1), 2, Always),
        to(Origin::Fork(2), 4, branch("")),
        joins(At(4), 2),
        end(Origin::Join(2), Always),
    ];
    graph("Joins", places, forks, ways)
}

fn own_loops() -> Topology {
    let ways = vec![
        to(Start, 0, Always),
        to(At(0), 0, routed("Again")),
        to(At(0), 1, WayKind::Else { at_most: 3, label: "Again" }),
        to(At(0), 0, WayKind::If { router: "not_yet", gate: false }),
        to(At(1), 1, WayKind::If { router: "one_more_time_please", gate: false }),
        to(At(1), 1, WayKind::If { router: "another", gate: false }),
        end(At(1), Always),
        end(At(0), routed("Done")),
    ];
    graph("Loops", vec![place("count", Role::Plain), place("check", Role::Model)], Vec::new(), ways)
}

fn failures() -> Topology {
    let places = vec![
        place("fetch", Role::Tools),
        Place { pauses: true, ..place("approve", Role::Interrupt) },
        place("send", Role::Plain),
        place("mend", Role::Model),
    ];
    let ways = vec![
        to(Start, 0, Always),
        to(At(0), 1, Always),
        to(At(0), 3, WayKind::Error),
        to(At(1), 2, own("Approve")),
        to(At(1), 0, own("Change")),
        Way { from: At(1), to: Target::Never, kind: own("Cancelled") },
        end(At(1), own("Declined")),
        Way { from: At(1), to: Target::End(1), kind: WayKind::Expiry },
        end(At(2), Always),
        to(At(2), 3, WayKind::Error),
        to(At(3), 0, Always),
        Way { from: At(3), to: Target::End(1), kind: WayKind::Else { at_most: 2, label: "" } },
        Way { from: At(3), to: Target::End(1), kind: WayKind::Error },
    ];
    graph("Failures", places, Vec::new(), ways)
}

/// A choice among fourteen, all of which come back.
fn many_arms() -> Topology {
    let mut places = vec![place("supervisor", Role::Model)];
    let mut ways = vec![to(Start, 0, Always)];
    for number in 1..15 {
        places.push(place(format!("worker_{number}").leak(), [Role::Model, Role::Tools, Role::Plain][number % 3]));
        let number = u16::try_from(number).unwrap();
        ways.push(to(At(0), number, routed(format!("Worker{number}").leak())));
    }
    ways.push(end(At(0), routed("Finish")));
    ways.extend((1..15).map(|number| to(At(number), 0, Always)));
    graph("Team", places, Vec::new(), ways)
}

fn many_branches() -> Topology {
    let mut places = vec![place("split", Role::Plain), place("merge", Role::Plain)];
    let mut ways = vec![to(Start, 0, Always), into(At(0), 0, Always)];
    for number in 2..14_u16 {
        places.push(place(format!("part_{number}").leak(), Role::Tools));
        ways.push(to(Origin::Fork(0), number, branch("")));
        // Some by themselves, some by the name of the place behind the join.
        ways.push(if number % 2 == 0 { joins(At(number), 0) } else { to(At(number), 1, Always) });
    }
    ways.extend([to(Origin::Join(0), 1, Always), end(At(1), Always)]);
    graph("Branches", places, vec![fork(ForkKind::All, None, Some(1))], ways)
}

fn long_names() -> Topology {
    let places = vec![
        place("build_section_with_web_research_and_a_second_opinion_from_somebody_who_knows", Role::Model),
        Place { title: Some("Ein sehr langer Name, wie ihn nur Menschen schreiben, 你好世界"), ..place("b", Role::Plain) },
        place("donaudampfschifffahrtsgesellschaftskapitaensmuetzenabzeichen", Role::Tools),
    ];
    let ways = vec![
        to(Start, 0, Always),
        to(At(0), 1, routed("TheAnswerWasFoundInTheFirstSource | TheAnswerWasFoundElsewhere")),
        to(At(0), 2, routed("Nothing | Little | Doubtful | Contradictory | Unreadable")),
        to(At(0), 0, WayKind::If { router: "the_sources_do_not_agree_with_each_other", gate: false }),
        to(At(1), 2, Always),
        end(At(2), Always),
    ];
    graph("LongNames", places, Vec::new(), ways)
}

pub(super) fn chain() -> Topology {
    let places = (0..20).map(|number| place(format!("step_{number}").leak(), Role::Plain)).collect();
    let mut ways = vec![to(Start, 0, Always)];
    ways.extend((1..20).map(|number| to(At(number - 1), number, Always)));
    ways.extend([to(At(19), 0, WayKind::If { router: "once_more", gate: false }), end(At(19), Always)]);
    graph("Chain", places, Vec::new(), ways)
}

fn endless() -> Topology {
    let places = vec![place("listen", Role::Plain), place("speak", Role::Model)];
    Topology {
        endless: true,
        exits: &[],
        ..graph("Endless", places, Vec::new(), vec![to(Start, 0, Always), to(At(0), 1, Always), to(At(1), 0, Always)])
    }
}

fn unreachable() -> Topology {
    let places = vec![place("used", Role::Plain), place("old", Role::Plain), place("older", Role::Plain)];
    let ways =
        vec![to(Start, 0, Always), end(At(0), Always), to(At(1), 2, Always), to(At(2), 1, routed("Again")), end(At(2), routed("Done"))];
    Topology { unreachable: true, ..graph("Unreachable", places, Vec::new(), ways) }
}

/// Every hostile label at a place and on a way.
fn hostile() -> Topology {
    let places = HOSTILE.iter().map(|label| Place { title: Some(label), ..place(label, Role::Plain) }).collect();
    let mut ways = vec![to(Start, 0, Always)];
    ways.extend(HOSTILE.iter().enumerate().skip(1).map(|(number, label)| {
        let number = u16::try_from(number).unwrap();
        to(At(number / 2), number, routed(label))
    }));
    graph("Hostile", places, Vec::new(), ways)
}
