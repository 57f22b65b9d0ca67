//! A graph over a smaller state, which functions fit in.
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

#[derive(Clone, Debug, Default, Serialize, Deserialize, State)]
pub struct Lookup {
    question: String,
    #[state(append)]
    docs: Vec<String>,
}

#[node]
pub fn look(lookup: &Lookup) -> NodeResult<Lookup> {
    Ok(Lookup::update().docs([lookup.question.clone()]))
}

graph! {
    pub Library(Lookup) {
        start -> look -> end;
    }
}

fn ask(report: &Report) -> Update<Lookup> {
    Lookup::update().question(report.title.clone())
}

fn take(lookup: &Lookup) -> Update<Report> {
    Report::update().notes(lookup.docs.clone())
}

graph! {
    pub Desk(Report) {
        start -> library -> end;
        library: graph Library, enter(ask), exit(take), writes(notes);
    }
}

fn main() {}
