//! One branch is longer than the other; what follows runs once.
#![deny(warnings)]

use graphwright::prelude::*;

#[derive(Clone, Debug, Default, Serialize, Deserialize, State)]
pub struct Report {
    #[state(append)]
    notes: Vec<String>,
    summary: String,
    title: String,
    cover: String,
}

#[node(writes(notes))]
pub fn plan(_: &Report) -> NodeResult<plan> {
    Ok(Report::update().notes(["plan"]))
}

#[node(writes(notes))]
pub async fn search(_: &Report) -> NodeResult<search> {
    Ok(Report::update().notes(["found"]))
}

#[node(writes(notes))]
pub fn recall(_: &Report) -> NodeResult<recall> {
    Ok(Report::update().notes(["known"]))
}

#[node]
pub fn write(report: &Report) -> NodeResult<Report> {
    Ok(Report::update().summary(report.notes.join(" ")))
}

graph! {
    pub Desk(Report) {
        start -> plan -> [search -> sort, recall] -> write -> end;
        sort: recall;
    }
}

fn main() {}
