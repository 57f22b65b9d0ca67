//! A place that is entered from outside only, and a ring that is wanted.
#![deny(warnings)]

use graphwright::graph;
use graphwright::prelude::*;

#[derive(Clone, Debug, Default, Serialize, Deserialize, State)]
pub struct Mail {
    text: String,
}

#[node]
pub fn read(_: &Mail) {}

#[node]
pub fn repair(_: &Mail) {}

graph! {
    #[graph(endless, allow(unreachable_place))]
    pub Desk(Mail) {
        start -> read;
        read -> read;
        repair -> end;
    }
}

fn main() {}
