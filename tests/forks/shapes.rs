//! Forks wherever they may stand.

use graphwright::prelude::*;
use graphwright::{Event, EventKind, Set};

use crate::stores::everywhere;

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, State)]
pub(super) struct Trace {
    #[state(append)]
    at: Vec<String>,
    left: u32,
    wants: Vec<Which>,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, Route)]
enum Which {
    A,
    B,
    C,
}

macro_rules! places {
    ($($name:ident)*) => {
        $(#[node(writes(at))]
        async fn $name(_: &Trace) -> NodeResult<$name> {
            Ok(Trace::update().at([stringify!($name)]))
        })*
    };
}
places!(a b c d e f);

#[node(writes(at, left))]
async fn down(trace: &Trace) -> NodeResult<down> {
    Ok(Trace::update().at(["down"]).left(trace.left.saturating_sub(1)))
}

#[router]
fn wanted(trace: &Trace) -> Set<Which> {
    trace.wants.iter().copied().collect()
}

#[router]
fn more(trace: &Trace) -> bool {
    trace.left > 0
}

#[router]
fn none(_: &Trace) -> Vec<u32> {
    Vec::new()
}

#[node(writes(at))]
async fn never_run(_: &Trace, _item: &u32) -> NodeResult<never_run> {
    Ok(Trace::update().at(["never"]))
}

graph! {
    Some_(Trace) {
        start -> some wanted { A => a -> b, B => c, C => d } -> e -> end;
    }
}

#[tokio::test]
async fn some_of_the_branches() {
    use Which::{A, B, C};
    for (wants, at) in [(vec![C, A], vec!["a", "b", "d", "e"]), (vec![B], vec!["c", "e"]), (vec![], vec!["e"])] {
        for (store, done) in everywhere::<Some_>(|| (), || Trace::update().wants(wants.clone())).await {
            assert_eq!(done.output.at, at, "{store}");
        }
    }
}

graph! {
    /// A fork at the start, a fork in a fork at the beginning and at the end of a branch, a fork behind a fork, an empty one
    /// behind it, and the end.
    Forks(Trace) {
        start -> [[a, b] -> c, d -> [e, f]] -> [a2, b2] -> each none { never_run } -> end;
        a2: a;
        b2: b;
    }
}

#[tokio::test]
async fn forks_begin_and_end_branches_and_follow_forks() {
    for (store, done) in everywhere::<Forks>(|| (), Trace::update).await {
        assert_eq!(done.output.at, ["a", "b", "c", "d", "e", "f", "a", "b"], "{store}");
        assert_eq!(done.steps, 8, "{store}");
    }
}

graph! {
    /// A fork in a loop, whose join chooses, with a budget.
    Loop(Trace) {
        start -> down;
        down -> [a, b -> c] -> match more { true => down at_most 2 else d, false => end };
        d -> end spent;
    }
}

#[tokio::test]
async fn a_join_chooses_and_its_budget_counts_in_the_frame_that_forked() {
    for (left, rounds, exit) in [(2, 2, "end"), (3, 3, "end"), (9, 3, "spent")] {
        for (store, done) in everywhere::<Loop>(|| (), || Trace::update().left(left)).await {
            let at = done.output.at.iter().filter(|at| *at == "down").count();
            assert_eq!((at, format!("{:?}", done.exit).as_str()), (rounds, exit), "{store}: {:?}", done.output.at);
        }
    }
}

graph! {
    /// A branch that loops by itself, with a budget for each time the fork is entered, and one that arrives by the name of
    /// the place behind the join.
    Rounds(Trace) {
        start -> e;
        e -> [a, b] -> f;
        a -> f if fine;
        a -> a at_most 2 else c;
        c -> f;
        f -> e at_most 1 else d;
        d -> end;
    }
}

#[router]
fn fine(_: &Trace) -> bool {
    false
}

#[tokio::test]
async fn a_branch_loops_by_itself_and_arrives_by_the_name_of_what_follows() {
    for (store, done) in everywhere::<Rounds>(|| (), Trace::update).await {
        let round = ["e", "a", "a", "a", "c", "b", "f"];
        assert_eq!(done.output.at, [&round[..], &round[..], &["d"]].concat(), "{store}");
    }
}

#[tokio::test]
async fn events_tell_where_they_happen() {
    let told = std::sync::Arc::new(std::sync::Mutex::new(Vec::new()));
    let hears = told.clone();
    let run = Forks::run((), Trace::update()).observe(move |event: &Event| hears.lock().unwrap().push(event.clone()));
    run.await.unwrap().completed().unwrap();
    let told: Vec<Event> = std::mem::take(&mut *told.lock().unwrap());
    let paths = |is: fn(&EventKind) -> bool| {
        let mut paths: Vec<&str> = told.iter().filter(|event| is(&event.kind)).map(|event| event.path.as_str()).collect();
        paths.sort_unstable();
        paths
    };
    let expected = ["0:all/0:a/a", "0:all/0:b/b", "0:all/c", "0:d/1:e/e", "0:d/1:f/f", "0:d/d", "1:a2/a2", "1:b2/b2"];
    assert_eq!(paths(|kind| matches!(kind, EventKind::NodeStarted { .. })), expected);
    assert_eq!(paths(|kind| matches!(kind, EventKind::NodeEnded { .. })), expected);
    let edges: Vec<String> = told
        .iter()
        .filter_map(|event| match &event.kind {
            EventKind::EdgeTaken { from, to, .. } => Some(format!("{from} -> {to}")),
            _ => None,
        })
        .collect();
    assert_eq!(edges.last().map(String::as_str), Some("join of each none -> end"), "{edges:?}");
}
