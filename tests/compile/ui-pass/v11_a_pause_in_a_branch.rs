//! One branch runs on while the other waits; and two that ask, each with an answer of its own type.
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

pub struct Approve;

#[node(writes(notes))]
impl Interrupt<Report, ()> for Approve {
    type Question = String;
    type Answer = bool;

    async fn ask(report: &Report, _: &Context<()>) -> Result<Ask<Self>, NodeError> {
        Ok(Ask::question(report.title.clone()))
    }

    fn resume(_: &Report, _: &String, answer: Answer<bool>) -> NodeResult<Self> {
        Ok(Report::update().notes([format!("{answer:?}")]))
    }
}

pub struct Name;

#[node(writes(title))]
impl Interrupt<Report, ()> for Name {
    type Question = String;
    type Answer = String;

    async fn ask(report: &Report, _: &Context<()>) -> Result<Ask<Self>, NodeError> {
        Ok(Ask::question(report.title.clone()))
    }

    fn resume(_: &Report, _: &String, answer: Answer<String>) -> NodeResult<Self> {
        Ok(match answer {
            Answer::Accepted(title) => Report::update().title(title),
            Answer::Declined | Answer::Cancelled => Report::update(),
        })
    }
}

graph! {
    pub Desk(Report) {
        start -> plan -> [search, Approve] -> write -> end;
    }
}

graph! {
    pub Pair(Report) {
        start -> plan -> [Name, Approve] -> write -> end;
    }
}

/// Each question names its interrupt.
pub fn answer(question: Question<Pair>) -> graphwright::Given {
    match question {
        Question::<Pair>::Name(question) => question.accept("A title".to_owned()),
        Question::<Pair>::Approve(question) => question.accept(true),
    }
}

fn main() {}
