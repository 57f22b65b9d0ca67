#![allow(unused)]

use graphwright::prelude::*;

#[derive(Clone, Debug, Default, Serialize, Deserialize, State)]
pub struct Order {
    #[state(append)]
    notes: Vec<String>,
    draft: Option<String>,
}

#[router(gate)]
fn next(order: &Order) -> bool {
    true
}

#[router(crat = graphwright)]
fn again(order: &Order) -> bool {
    true
}

fn main() {}
