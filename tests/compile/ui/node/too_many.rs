#![allow(unused)]

use graphwright::prelude::*;

#[derive(Clone, Debug, Default, Serialize, Deserialize, State)]
pub struct Order {
    #[state(append)]
    notes: Vec<String>,
    draft: Option<String>,
}

pub struct Deps {
    key: String,
}

#[node]
async fn count(order: &Order, item: &u32, cx: &Context<Deps>, more: &u32) -> NodeResult<Order> {
    Ok(Order::update())
}

fn main() {}
