//! A graph with one place.
#![deny(warnings)]

use graphwright::prelude::*;

#[derive(Clone, Debug, Default, Serialize, Deserialize, State)]
pub struct Draft {
    #[state(sum)]
    rounds: u32,
}

#[node]
pub fn write(_: &Draft) {}

graph! {
    pub Desk(Draft) {
        start -> write -> end;
    }
}

fn main() {}
