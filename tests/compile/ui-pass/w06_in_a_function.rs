//! A graph in the body of a function, and its nodes, too.
#![deny(warnings)]

use graphwright::prelude::*;
use graphwright::Graph;

#[derive(Clone, Debug, Default, Serialize, Deserialize, State)]
pub struct Draft {
    #[state(sum)]
    rounds: u32,
}

fn name() -> &'static str {
    #[node]
    fn write(_: &Draft) {}

    graph! {
        Local(Draft) {
            start -> write -> end;
        }
    }
    Local::TOPOLOGY.name
}

fn main() {
    assert_eq!(name(), "Local");
}
