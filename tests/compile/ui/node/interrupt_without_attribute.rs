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

pub struct Approve;

impl Interrupt<Order, Deps> for Approve {
    type Question = u32;
    type Answer = bool;
    async fn ask(_: &Order, _: &Context<Deps>) -> Result<Ask<Self>, NodeError> {
        Err("never")?
    }
    fn resume(_: &Order, _: &u32, _: Answer<bool>) -> Result<Update<Order, Self>, NodeError> {
        Ok(Order::update())
    }
}

fn main() {}
