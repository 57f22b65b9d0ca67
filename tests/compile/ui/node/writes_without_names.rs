#![allow(unused)]

use graphwright::prelude::*;

#[derive(Clone, Debug, Default, Serialize, Deserialize, State)]
pub struct Order {
    #[state(append)]
    notes: Vec<String>,
    draft: Option<String>,
}

#[node(writes)]
async fn count(order: &Order) {}

#[node(writes = notes)]
async fn again(order: &Order) {}

fn main() {}
