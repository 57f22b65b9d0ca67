#![allow(unused)]

use graphwright::prelude::*;

#[derive(Clone, Debug, Default, Serialize, Deserialize, State)]
pub struct Order {
    #[state(append)]
    notes: Vec<String>,
    draft: Option<String>,
}

#[node]
async fn count(order: &Order) -> &str {
    "x"
}

fn main() {}
