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

#[derive(Clone, Debug)]
pub struct Refund;

pub struct Approve;

#[node]
impl Interrupt<Order, Deps> for Approve {
    type Question = Refund;
    type Answer = bool;
    async fn ask(_: &Order, _: &Context<Deps>) -> Result<Ask<Self>, NodeError> {
        Ok(Ask::question(Refund))
    }
    fn resume(_: &Order, _: &Refund, _: Answer<bool>) -> NodeResult<Self> {
        Ok(Order::update())
    }
}

fn main() {}
