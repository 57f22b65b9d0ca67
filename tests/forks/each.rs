//! One branch for each item.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use graphwright::prelude::*;

use crate::stores::everywhere;

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, State)]
pub(super) struct Numbers {
    given: Vec<u32>,
    #[state(append)]
    out: Vec<String>,
}

#[router]
fn numbers(state: &Numbers) -> Vec<u32> {
    state.given.clone()
}

/// Up to three numbers below this one.
#[router]
fn below(state: &Numbers) -> Vec<String> {
    state.out.iter().rev().take(1).flat_map(|last| (0..2).map(move |n| format!("{last}.{n}"))).collect()
}

#[node(writes(out))]
async fn note(_: &Numbers, item: &u32) -> NodeResult<note> {
    // The first is done last.
    for _ in 0..(50 - item) {
        tokio::task::yield_now().await;
    }
    Ok(Numbers::update().out([item.to_string()]))
}

#[node(writes(out))]
async fn inner(_: &Numbers, item: &String) -> NodeResult<inner> {
    Ok(Numbers::update().out([item.clone()]))
}

graph! {
    #[graph(steps = 10_000)]
    Flat(Numbers) {
        start -> each numbers { note } -> end;
    }
}

graph! {
    Nested(Numbers) {
        start -> each numbers { note -> each below { inner } } -> end;
    }
}

fn given(numbers: &[u32]) -> Update<Numbers> {
    Numbers::update().given(numbers.to_vec())
}

#[tokio::test]
async fn items_are_joined_in_their_order() {
    for (store, done) in everywhere::<Flat>(|| (), || given(&[3, 1, 2])).await {
        assert_eq!((done.output.out, done.steps), (vec!["3".to_owned(), "1".to_owned(), "2".to_owned()], 3), "{store}");
    }
}

#[tokio::test]
async fn no_item_is_no_branch() {
    for (store, done) in everywhere::<Flat>(|| (), || given(&[])).await {
        assert_eq!((done.output.out.len(), done.steps), (0, 0), "{store}");
    }
}

#[tokio::test]
async fn an_each_in_an_each() {
    for (store, done) in everywhere::<Nested>(|| (), || given(&[1, 2])).await {
        assert_eq!(done.output.out, ["1", "1.0", "1.1", "2", "2.0", "2.1"], "{store}");
    }
}

#[tokio::test]
async fn many_items() {
    let many: Vec<u32> = (0..1_000).map(|n| n % 50).collect();
    for (store, done) in everywhere::<Flat>(|| (), || given(&many)).await {
        let expected: Vec<String> = many.iter().map(u32::to_string).collect();
        assert_eq!(done.output.out, expected, "{store}");
    }
}

/// How many nodes run at once, and how many did at most.
#[derive(Default)]
pub(super) struct Gauge {
    now: AtomicUsize,
    most: AtomicUsize,
}

#[node(writes(out))]
async fn first(_: &Numbers, item: &u32, cx: &Context<Arc<Gauge>>) -> NodeResult<first> {
    let now = cx.deps().now.fetch_add(1, Ordering::SeqCst) + 1;
    cx.deps().most.fetch_max(now, Ordering::SeqCst);
    for _ in 0..item % 5 {
        tokio::task::yield_now().await;
    }
    Ok(Numbers::update().out([format!("first {item}")]))
}

#[node(writes(out))]
async fn second(_: &Numbers, item: &u32, cx: &Context<Arc<Gauge>>) -> NodeResult<second> {
    tokio::task::yield_now().await;
    cx.deps().now.fetch_sub(1, Ordering::SeqCst);
    Ok(Numbers::update().out([format!("second {item}")]))
}

graph! {
    Bounded(Numbers, Arc<Gauge>) {
        start -> each numbers { first -> second } -> end;
        first: at_once(3);
    }
}

#[tokio::test]
async fn no_more_branches_are_under_way_than_the_graph_says() {
    let gauges: Arc<std::sync::Mutex<Vec<Arc<Gauge>>>> = Arc::default();
    let deps = || {
        let gauge = Arc::new(Gauge::default());
        gauges.lock().unwrap().push(gauge.clone());
        gauge
    };
    for (store, done) in everywhere::<Bounded>(deps, || given(&(0..40).collect::<Vec<_>>())).await {
        assert_eq!(done.output.out.len(), 80, "{store}");
        assert_eq!(done.output.out[2..4], ["first 1", "second 1"], "{store}");
    }
    for gauge in gauges.lock().unwrap().iter() {
        assert_eq!(gauge.most.load(Ordering::SeqCst), 3, "as many as may, and no more");
    }
}
