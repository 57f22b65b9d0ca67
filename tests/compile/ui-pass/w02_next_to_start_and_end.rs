//! A place that is next to the start and next to the end at once, in a larger graph.
#![deny(warnings)]

use graphwright::prelude::*;

#[derive(Clone, Debug, Default, Serialize, Deserialize, State)]
pub struct Draft {
    #[state(sum)]
    rounds: u32,
}

#[node]
pub fn write(_: &Draft) {}

#[node]
pub fn print(_: &Draft) {}

#[router]
pub fn is_good(draft: &Draft) -> bool {
    draft.rounds > 3
}

graph! {
    pub Desk(Draft) {
        start -> write;
        write -> end if is_good;
        write -> print -> write;
    }
}

fn main() {}
