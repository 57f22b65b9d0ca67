//! A node need not be `async`.
#![deny(warnings)]

use graphwright::prelude::*;

#[derive(Clone, Debug, Default, Serialize, Deserialize, State)]
pub struct Draft {
    #[state(sum)]
    rounds: u32,
}

#[node]
pub fn write(_: &Draft) -> NodeResult<Draft> {
    Ok(Draft::update().rounds(1_u32))
}

#[node]
pub async fn print(_: &Draft) {}

graph! {
    pub Desk(Draft) {
        start -> write -> print -> end;
    }
}

fn main() {}
