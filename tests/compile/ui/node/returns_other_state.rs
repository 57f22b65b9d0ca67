#![allow(unused)]

use graphwright::prelude::*;

#[derive(Clone, Debug, Default, Serialize, Deserialize, State)]
pub struct Order {
    #[state(append)]
    notes: Vec<String>,
    draft: Option<String>,
}

#[derive(Clone, Default, Serialize, Deserialize, State)]
pub struct Other {
    notes: String,
}

#[node]
async fn count(order: &Order) -> NodeResult<Other> {
    Ok(Other::update())
}

fn main() {}
