//! The future of a step is as large as the largest node, and hardly larger.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use std::hint::black_box;
use std::mem::size_of_val;

use graphwright::Graph;
use graphwright::prelude::*;
use tokio::task::yield_now;

#[derive(Clone, Debug, Default, Serialize, Deserialize, State)]
struct Load {
    bytes: u64,
}

#[node]
async fn small(_: &Load) -> Update<Load> {
    yield_now().await;
    Load::update()
}

#[node]
async fn middle(load: &Load) -> Update<Load> {
    let held = [load.bytes; 64];
    yield_now().await;
    Load::update().bytes(black_box(held)[0])
}

#[node]
async fn large(load: &Load) -> Update<Load> {
    let held = [load.bytes; 512];
    yield_now().await;
    Load::update().bytes(black_box(held)[0])
}

graph! {
    Loads(Load) {
        start -> small -> middle -> large -> end;
    }
}

#[test]
fn the_future_of_a_step_is_the_largest_node_and_at_most_256_bytes() {
    let load = Load::default();
    let cx = Context::test(());
    let largest = size_of_val(&large(&load));
    assert!(largest > 4096 && size_of_val(&middle(&load)) > 512, "the nodes hold nothing: {largest}");
    let step = size_of_val(&<Loads as Graph>::run_place(<Loads as Graph>::at(0).unwrap(), &load, &(), &cx));
    assert!(step <= largest + 256, "a step takes {step} bytes, and the largest node {largest}");
}
