//! A graph that works on the state around it.

use graphwright::prelude::*;

use crate::stores::everywhere;

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, State)]
pub(super) struct Trace {
    #[state(append)]
    at: Vec<String>,
    #[state(sum)]
    count: u32,
    given: Vec<u32>,
}

macro_rules! places {
    ($($name:ident)*) => {
        $(#[node(writes(at, count))]
        async fn $name(trace: &Trace, cx: &Context<()>) -> NodeResult<$name> {
            tokio::task::yield_now().await;
            Ok(Trace::update().at([format!("{}:{}", stringify!($name), trace.at.len())]).count(1_u32).at(cx.failure().map(|failed| failed.error().to_owned())))
        })*
    };
}
places!(a b c d);

#[router]
fn odd(trace: &Trace) -> bool {
    trace.count % 2 == 1
}

#[router]
fn items(trace: &Trace) -> Vec<u32> {
    trace.given.clone()
}

graph! {
    /// Two ways out.
    Part(Trace, ()) {
        start -> a -> match odd { true => b, false => end even };
        b -> end;
    }
}

graph! {
    Whole(Trace, ()) {
        start -> part -> match { end => c, even => again };
        again -> match { end => d, even => never };
        c -> again;
        d -> end;
        part: graph Part;
        again: graph Part;
    }
}

#[tokio::test]
async fn exits_choose_the_way_and_updates_are_those_of_the_graph_around() {
    for (store, done) in everywhere::<Whole>(|| (), || Trace::update().count(1_u32)).await {
        // a makes two: even; again: a makes three, b four.
        assert_eq!(done.output.at, ["a:0", "a:1", "b:2", "d:3"], "{store}");
        assert_eq!((done.output.count, done.steps), (5, 4), "{store}");
    }
}

#[tokio::test]
async fn a_way_that_was_never_to_be_taken_is_asked_for_again() {
    graphwright::__private::read_back();
    // a and b make two, c three; again: a makes four, which is even: never.
    let error = Whole::run((), Trace::update()).await.unwrap_err();
    assert!(matches!(&error, RunError::Unrouted { place, .. } if place == "again"), "{error}");
    let app = Whole::app((), Memory::new());
    for _ in 0..2 {
        let again = if app.thread("t").status().await.unwrap().is_none() {
            app.thread("t").run(Trace::update())
        } else {
            app.thread("t").proceed()
        };
        let error = again.await.unwrap_err();
        assert!(matches!(&error, RunError::Unrouted { place, .. } if place == "again"), "{error}");
        let state = app.thread("t").state().await.unwrap().unwrap();
        assert_eq!(state.at, ["a:0", "b:1", "c:2", "a:3"], "what was done is kept");
    }
}

graph! {
    /// A fork in a mounted graph, in a mounted graph, in a branch.
    Inner(Trace, ()) {
        start -> [a, b] -> end;
    }
}

graph! {
    Middle(Trace, ()) {
        start -> inner -> end;
        inner: graph Inner;
    }
}

graph! {
    Deep(Trace, ()) {
        start -> each items { middle } -> [m2 -> d, c] -> end;
        middle: graph Middle;
        m2: graph Middle;
    }
}

#[tokio::test]
async fn mounts_in_branches_and_branches_in_mounts() {
    for (store, done) in everywhere::<Deep>(|| (), || Trace::update().given(vec![1, 2])).await {
        assert_eq!(done.output.at, ["a:0", "b:0", "a:0", "b:0", "a:4", "b:4", "d:6", "c:4"], "{store}");
        assert_eq!(done.steps, 8, "{store}");
    }
}

#[node(writes(at))]
async fn fails(_: &Trace) -> NodeResult<fails> {
    Err("told to fail".into())
}

graph! {
    Failing(Trace, ()) {
        start -> a -> [fails, b] -> end;
    }
}

graph! {
    Rescued(Trace, ()) {
        start -> part -> d -> end;
        part: graph Failing;
        part -> c on error;
        c -> end rescued;
    }
}

#[tokio::test]
async fn the_graph_around_takes_a_failure_over_and_keeps_what_was_committed() {
    for (store, done) in everywhere::<Rescued>(|| (), Trace::update).await {
        assert_eq!(format!("{:?}", done.exit), "rescued", "{store}");
        assert_eq!(done.output.at.first().map(String::as_str), Some("a:0"), "{store}");
        assert_eq!(done.output.at.last().map(String::as_str), Some("told to fail"), "{store}: {:?}", done.output.at);
    }
}
