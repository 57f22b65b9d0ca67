//! Two labels lead to one place: that is one choice, and no fork.
#![deny(warnings)]

use graphwright::prelude::*;
use graphwright::Graph;

#[derive(Clone, Debug, Default, Serialize, Deserialize, State)]
pub struct Draft {
    #[state(sum)]
    rounds: u32,
}

#[derive(Route)]
pub enum Verdict {
    Accept,
    ForceAccept,
    Revise,
}

#[node]
pub fn judge(_: &Draft) -> (Update<Draft>, Verdict) {
    let verdict = [Verdict::Accept, Verdict::ForceAccept, Verdict::Revise];
    (Draft::update(), verdict.into_iter().next().unwrap_or(Verdict::Revise))
}

#[node]
pub fn print(_: &Draft) {}

graph! {
    pub Desk(Draft) {
        start -> judge;
        judge -> match { Accept => print, ForceAccept => print, Revise => judge };
        print -> end;
    }
}

fn main() {
    assert!(Desk::TOPOLOGY.forks.is_empty());
}
