#![allow(unused)]

use graphwright::prelude::*;

#[derive(Clone, Debug, Default, Serialize, Deserialize, State)]
pub struct Order {
    #[state(append)]
    notes: Vec<String>,
    draft: Option<String>,
}

pub enum Next {
    Again,
    Done,
}

#[node]
async fn count(order: &Order) -> (Update<Order>, Next) {
    (Order::update(), Next::Again)
}

fn main() {}
