//! Nodes for the cases beside.

#![allow(dead_code, unused_imports)]

pub use graphwright::graph;
pub use graphwright::prelude::*;

#[derive(Clone, Debug, Default, Serialize, Deserialize, State)]
pub struct Order {
    #[state(sum)]
    tries: u64,
}

#[derive(Route)]
pub enum Next {
    Good,
    Bad,
}

#[node]
pub fn draft(_: &Order) {}

#[node]
pub fn review(_: &Order) {}

#[node]
pub fn revise(_: &Order) {}

#[node]
pub fn publish(_: &Order) {}

#[router]
pub fn next(_: &Order) -> Next {
    Next::Good
}

#[router]
pub fn urgent(_: &Order) -> bool {
    false
}
