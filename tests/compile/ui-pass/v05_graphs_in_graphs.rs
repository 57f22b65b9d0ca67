//! Three deep, and each has a place called `x`.
#![deny(warnings)]

use graphwright::prelude::*;
use graphwright::Graph;

#[derive(Clone, Debug, Default, Serialize, Deserialize, State)]
pub struct Draft {
    #[state(sum)]
    rounds: u32,
}

#[node]
pub fn x(_: &Draft) {}

graph! {
    pub C(Draft) {
        start -> x -> end;
    }
}

graph! {
    pub B(Draft) {
        start -> x -> c -> end;
        c: graph C;
    }
}

graph! {
    pub A(Draft) {
        start -> x -> b -> end;
        b: graph B;
    }
}

fn main() {
    let b = A::TOPOLOGY.places[1].graph.expect("a graph is mounted there");
    let c = b.places[1].graph.expect("and another one in it");
    assert_eq!([A::TOPOLOGY.places[0].name, b.places[0].name, c.places[0].name], ["x"; 3]);
    assert_eq!([A::TOPOLOGY.name, b.name, c.name], ["A", "B", "C"]);
}
