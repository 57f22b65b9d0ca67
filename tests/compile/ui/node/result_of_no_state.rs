#![allow(unused)]

use graphwright::prelude::*;

#[derive(Clone, Debug, Default, Serialize, Deserialize, State)]
pub struct Order {
    #[state(append)]
    notes: Vec<String>,
    draft: Option<String>,
}

async fn count(order: &Order) -> NodeResult<u8> {
    Err("not a state")?
}

fn main() {}
