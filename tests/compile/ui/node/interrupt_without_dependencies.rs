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

#[node]
impl Interrupt<Order> for Approve {
    type Question = u32;
    type Answer = bool;
    async fn ask(_: &Order, _: &Context<Deps>) -> Result<Ask<Self>, NodeError> {
        Ok(Ask::question(7))
    }
    fn resume(_: &Order, _: &u32, _: Answer<bool>) -> NodeResult<Self> {
        Ok(Order::update())
    }
}

fn main() {}
