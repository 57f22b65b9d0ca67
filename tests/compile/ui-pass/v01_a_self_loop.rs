//! A place that leads to itself, and has a way out.
#![deny(warnings)]

use graphwright::prelude::*;
use graphwright::Graph;
use graphwright::topology::{Origin, Target};

#[derive(Clone, Debug, Default, Serialize, Deserialize, State)]
pub struct Draft {
    #[state(sum)]
    rounds: u32,
}

#[derive(Route)]
pub enum Next {
    Again,
    Done,
}

#[node]
pub fn write(_: &Draft) -> NodeResult<Draft> {
    Ok(Draft::update().rounds(1_u32))
}

#[router]
pub fn next(draft: &Draft) -> Next {
    if draft.rounds < 3 { Next::Again } else { Next::Done }
}

graph! {
    pub Writer(Draft) {
        start -> write;
        write -> match next { Again => write, Done => end };
    }
}

fn main() {
    let ways: Vec<Target> = Writer::TOPOLOGY.ways_out_of(Origin::Place(0)).map(|(_, way)| way.to).collect();
    assert_eq!(ways, [Target::Place(0), Target::End(0)]);
}
