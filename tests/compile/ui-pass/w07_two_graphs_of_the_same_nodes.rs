//! Two graphs in one module, with nodes in common.
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

graph! {
    pub Desk(Draft) {
        start -> write -> print -> end;
    }
}

graph! {
    pub(crate) Press(Draft, ()) {
        start -> print -> end;
    }
}

fn main() {
    let _ = (Desk, Press);
}
