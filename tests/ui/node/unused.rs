#![deny(dead_code, unreachable_code)]

use graphwright::prelude::*;

#[derive(Clone, Debug, Default, Serialize, Deserialize, State)]
pub struct Order {
    #[state(append)]
    notes: Vec<String>,
    draft: Option<String>,
}

#[node]
fn count(order: &Order) {}

#[router]
fn next(order: &Order) -> bool {
    true
}

#[node]
fn body(order: &Order) {
    return;
    drop(1);
}

fn main() {}
