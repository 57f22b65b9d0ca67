#![allow(unused)]

use graphwright::prelude::*;

#[derive(Clone, Debug, Default, Serialize, Deserialize, State)]
pub struct Order {
    n: u32,
}

#[derive(Route)]
pub enum Next {
    Again,
    Done,
}

#[node]
fn count(order: &Order) -> Update<Order> {
    Order::update().n(order.n + 1)
}

#[router]
async fn next(order: &Order) -> Next {
    Next::Done
}

graph! {
    Counter(Order) {
        start -> count -> match next { Again => count, Done => end };
    }
}

fn main() {}
