//! `#[cfg]` on a graph, a statement, an arm and a fact: the numbers of places and ways follow.
#![deny(warnings)]

use graphwright::prelude::*;
use graphwright::{Graph, graph};

#[derive(Clone, Debug, Default, Serialize, Deserialize, State)]
pub struct Mail {
    text: String,
}

#[node]
pub fn read(_: &Mail) {}

#[node]
pub fn send(_: &Mail) {}

#[derive(Clone, Copy, Route)]
pub enum Next {
    Again,
    #[cfg(any())]
    Never,
    Done,
}

#[router]
pub fn next(_: &Mail) -> Next {
    Next::Done
}

graph! {
    pub Desk(Mail) {
        #[cfg(any())]
        start -> missing;
        #[cfg(all())]
        start -> read;
        #[cfg(any())]
        missing -> read if missing_router;
        #[cfg(any())]
        missing -> end lost;
        read -> match next {
            #[cfg(any())]
            Never => missing,
            Again => first at_most 2 else end,
            Done => last,
        };
        #[cfg(all())]
        first -> last;
        #[cfg(any())]
        first -> end;
        last -> end;

        first: send;
        last: send as "The last";
        #[cfg(any())]
        missing: nowhere::missing;
    }
}

graph! {
    #[cfg(any())]
    pub Gone(Missing) { start -> missing -> end; }
}

fn main() {
    let places: Vec<&str> = Desk::TOPOLOGY.places.iter().map(|place| place.name).collect();
    assert_eq!(places, ["read", "first", "last"]);
    assert_eq!(Desk::TOPOLOGY.ways.len(), 6);
    assert_eq!(Desk::TOPOLOGY.exits, ["end"]);
    assert_eq!(Desk::index(Desk::at(2).unwrap()), 2);
}
