#![allow(unused)]

use graphwright::prelude::*;

#[derive(Clone, Debug, Default, Serialize, Deserialize, State)]
pub struct Order {
    #[state(append)]
    notes: Vec<String>,
    draft: Option<String>,
}

#[node]
async fn count(order: &Order) -> NodeResult<Order> {
    let held = std::rc::Rc::new(1);
    std::future::ready(()).await;
    Ok(Order::update().notes([held.to_string()]))
}

fn main() {}
