#![allow(unused)]

use graphwright::prelude::*;

#[derive(Clone, Debug, Default, Serialize, Deserialize, State)]
pub struct Order {
    #[state(append)]
    notes: Vec<String>,
    draft: Option<String>,
}

#[derive(Route)]
pub enum Next {
    Again,
    Done(u32),
}

#[node]
async fn count(order: &Order) -> (Update<Order>, Next) {
    (Order::update(), Next::Done(1))
}

fn main() {}
