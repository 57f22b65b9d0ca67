//! What follows `each` runs for an empty list, too: the fork has arrived at once.
#![deny(warnings)]

use graphwright::prelude::*;
use graphwright::Graph;
use graphwright::topology::Origin;

#[derive(Clone, Debug, Default, Serialize, Deserialize, State)]
pub struct Report {
    #[state(append)]
    notes: Vec<String>,
    summary: String,
    title: String,
    cover: String,
}

#[router]
pub fn links(_: &Report) -> Vec<String> {
    Vec::new()
}

#[node(writes(notes))]
pub fn read(_: &Report, link: &String) -> NodeResult<read> {
    Ok(Report::update().notes([link.clone()]))
}

#[node]
pub fn print(_: &Report) {}

graph! {
    pub Desk(Report) {
        start -> each links { read } -> print -> end;
    }
}

fn main() {
    assert_eq!(Desk::TOPOLOGY.ways_out_of(Origin::Join(0)).count(), 1);
}
