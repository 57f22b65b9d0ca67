#![deny(unused_must_use)]

use graphwright::prelude::*;

#[derive(Clone, Debug, Default, Serialize, Deserialize, State)]
pub struct Order {
    #[state(append)]
    notes: Vec<String>,
    draft: Option<String>,
}

fn count() {
    let update: Update<Order> = Order::update();
    update.draft("lost");
}

fn main() {}
