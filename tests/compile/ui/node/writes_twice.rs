#![allow(unused)]

use graphwright::prelude::*;

#[derive(Clone, Debug, Default, Serialize, Deserialize, State)]
pub struct Order {
    #[state(append)]
    notes: Vec<String>,
    draft: Option<String>,
}

#[node(writes(notes, notes))]
async fn count(order: &Order) -> NodeResult<count> {
    Ok(Order::update())
}

fn main() {}
