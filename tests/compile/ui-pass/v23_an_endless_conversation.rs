//! No way leads to the end, and that is said to be wanted.
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

#[node]
pub async fn reply(_: &Report) {}

graph! {
    #[graph(endless)]
    pub Chat(Report) {
        start -> reply -> Approve -> reply;
    }
}

fn main() {}
