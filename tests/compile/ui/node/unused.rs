#![deny(dead_code, unreachable_code)]

use graphwright::prelude::*;

#[derive(Clone, Debug, Default, Serialize, Deserialize, State)]
pub struct Order {
    #[state(append)]
    notes: Vec<String>,
    draft: Option<String>,
}

#[node]
fn count(_: &Order) {}

#[router]
fn next(_: &Order) -> bool {
    true
}

#[node]
fn body(_: &Order) {
    return;
    drop(String::new());
}

fn main() {}
