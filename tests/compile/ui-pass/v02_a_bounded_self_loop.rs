//! The same with a budget: where loops without one are denied, this one is silent.
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

#[router]
pub fn is_good(draft: &Draft) -> bool {
    draft.rounds > 3
}

graph! {
    #[graph(deny(unbounded_loop))]
    pub Writer(Draft) {
        start -> write;
        write -> end if is_good;
        write -> write at_most 25 else end;
    }
}

fn main() {}
