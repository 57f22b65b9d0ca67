//! Commas behind the last of everything, and comments everywhere.
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

#[derive(Route)]
pub enum Next {
    Again,
    Done,
}

#[router]
pub fn next(_: &Report) -> Next {
    if cfg!(windows) { Next::Again } else { Next::Done }
}

graph! {
    // A graph.
    pub Desk(
        Report, // over this,
        (),     // and nothing,
    ) {
        // It starts here.
        start -> plan /* and */ -> [
            search, // at once
            recall, // with this
        ] -> write;
        write -> match next {
            // Once more,
            Again => plan at_most 3 else end,
            Done => end, // or not.
        };;
        plan: as "Plans", // what it is called
            retry(3, backoff(1s, 2s,),),
            timeout(5s,);
        // And that was it.
    }
}

fn main() {}
