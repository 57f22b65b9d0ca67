//! A variant that no router names: `derive(Route)` makes every variant, so rustc does not see it.
#![deny(warnings)]

use graphwright::prelude::*;

#[derive(Clone, Debug, Default, Serialize, Deserialize, State)]
pub struct Draft {
    #[state(sum)]
    rounds: u32,
}

#[derive(Clone, Copy, Debug, Route)]
enum Next {
    Again,
    Archive,
    Done,
}

#[router]
fn next(draft: &Draft) -> Next {
    if draft.rounds < 3 { Next::Again } else { Next::Done }
}

#[node]
fn write(_: &Draft) {}

graph! {
    pub Desk(Draft) {
        start -> write;
        write -> match next { Again => write, Archive => end archived, Done => end };
    }
}

fn main() {}
