//! One branch for each item, then three at once, then one: what comes after the items runs once.
#![deny(warnings)]

use graphwright::prelude::*;
use graphwright::Graph;
use graphwright::topology::{ForkKind, Origin, Target};

#[derive(Clone, Debug, Default, Serialize, Deserialize, State)]
pub struct Report {
    #[state(append)]
    notes: Vec<String>,
    summary: String,
    title: String,
    cover: String,
}

#[router]
pub fn links(report: &Report) -> Vec<String> {
    report.notes.clone()
}

#[node(writes(notes))]
pub fn read(_: &Report, link: &String) -> NodeResult<read> {
    Ok(Report::update().notes([link.clone()]))
}

#[node(writes(summary))]
pub fn sum_up(_: &Report) -> NodeResult<sum_up> {
    Ok(Report::update().summary("short"))
}

#[node(writes(title))]
pub fn name(_: &Report) -> NodeResult<name> {
    Ok(Report::update().title("A title"))
}

#[node(writes(cover))]
pub fn paint(_: &Report) -> NodeResult<paint> {
    Ok(Report::update().cover("blue"))
}

#[node]
pub fn print(_: &Report) {}

graph! {
    pub Desk(Report) {
        start -> each links { read } -> [sum_up, name, paint] -> print -> end;
    }
}

fn main() {
    let kinds: Vec<ForkKind> = Desk::TOPOLOGY.forks.iter().map(|fork| fork.kind).collect();
    assert_eq!(kinds, [ForkKind::Each, ForkKind::All]);
    let gathered: Vec<Target> = Desk::TOPOLOGY.ways_out_of(Origin::Join(0)).map(|(_, way)| way.to).collect();
    assert_eq!(gathered, [Target::Fork(1)]);
}
