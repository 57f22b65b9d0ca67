#![allow(unused)]

use graphwright::prelude::*;

#[derive(Clone, Debug, Default, Serialize, Deserialize, State)]
pub struct Order {
    #[state(append)]
    notes: Vec<String>,
    draft: Option<String>,
}

#[node]
fn count(order: &Order) -> impl Future<Output = NodeResult<Order>> {
    std::future::ready(Ok(Order::update()))
}

fn main() {}
