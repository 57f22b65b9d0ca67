//! A graph with a state of its own.

use graphwright::prelude::*;

use crate::stores::everywhere;

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, State)]
pub struct Desk {
    questions: Vec<String>,
    #[state(append)]
    answers: Vec<String>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, State)]
pub struct Research {
    question: String,
    #[state(append)]
    notes: Vec<String>,
}

#[node(writes(notes))]
async fn look(research: &Research) -> NodeResult<look> {
    tokio::task::yield_now().await;
    Ok(Research::update().notes([format!("looked for {}", research.question)]))
}

#[node(writes(notes))]
async fn think(research: &Research) -> NodeResult<think> {
    Ok(Research::update().notes([format!("thought of {} notes", research.notes.len())]))
}

#[router]
fn hopeless(research: &Research) -> bool {
    research.question == "why"
}

graph! {
    pub Researcher(Research) {
        start -> look;
        look -> end hopeless_case if hopeless;
        look -> [think, look2] -> end;
        look2: look;
    }
}

fn open(desk: &Desk) -> Update<Research> {
    Research::update().question(desk.questions.first().cloned().unwrap_or_default())
}

#[allow(clippy::ptr_arg, reason = "an item is given as what it is")]
fn open_item(_: &Desk, question: &String) -> Update<Research> {
    Research::update().question(question.clone())
}

fn take(research: &Research) -> Update<Desk> {
    Desk::update().answers([format!("{}: {}", research.question, research.notes.join(", "))])
}

#[router]
fn questions(desk: &Desk) -> Vec<String> {
    desk.questions.clone()
}

graph! {
    pub One(Desk) {
        start -> research -> match { end => end, hopeless_case => end gave_up };
        research: graph Researcher, enter(open), exit(take), writes(answers);
    }
}

graph! {
    pub Many(Desk) {
        start -> each questions { research } -> done -> end;
        research -> match { end | hopeless_case => done };
        research: graph Researcher, enter(open_item), exit(take), writes(answers);
    }
}

#[node]
async fn done(_: &Desk) {}

fn asking(questions: &[&str]) -> Update<Desk> {
    Desk::update().questions(questions.iter().map(|question| (*question).to_owned()).collect::<Vec<_>>())
}

#[tokio::test]
async fn it_begins_with_what_it_is_given_and_gives_what_it_came_to() {
    for (store, done) in everywhere::<One>(|| (), || asking(&["mugs"])).await {
        let answer = "mugs: looked for mugs, thought of 1 notes, looked for mugs";
        assert_eq!((done.output.answers, format!("{:?}", done.exit)), (vec![answer.to_owned()], "end".to_owned()), "{store}");
    }
    for (store, done) in everywhere::<One>(|| (), || asking(&["why"])).await {
        let answer = "why: looked for why";
        assert_eq!((done.output.answers, format!("{:?}", done.exit)), (vec![answer.to_owned()], "gave_up".to_owned()), "{store}");
    }
}

#[tokio::test]
async fn each_item_has_its_own() {
    for (store, done) in everywhere::<Many>(|| (), || asking(&["mugs", "why", "cups"])).await {
        let begins: Vec<&str> = done.output.answers.iter().filter_map(|answer| answer.split(':').next()).collect();
        assert_eq!(begins, ["mugs", "why", "cups"], "{store}");
        assert_eq!(done.steps, 3 + 1 + 3 + 1, "{store}");
    }
}

/// Writes more than it says.
fn take_too_much(research: &Research) -> Update<Desk> {
    take(research).questions(Vec::new())
}

#[node(writes(answers))]
async fn sorry(_: &Desk, cx: &Context<()>) -> NodeResult<sorry> {
    Ok(Desk::update().answers(cx.failure().map(|failed| failed.error().to_owned())))
}

graph! {
    pub Greedy(Desk, ()) {
        start -> research -> match { end | hopeless_case => end };
        research -> sorry on error;
        sorry -> end;
        research: graph Researching, enter(open), exit(take_too_much), writes(answers);
    }
}

graph! {
    pub Researching(Research, ()) {
        start -> look;
        look -> end hopeless_case if hopeless;
        look -> end;
    }
}

#[tokio::test]
async fn what_cannot_be_left_fails_and_goes_on_by_the_way_on_error() {
    for (store, done) in everywhere::<Greedy>(|| (), || asking(&["mugs"])).await {
        assert_eq!(done.output.answers, ["`exit(..)` writes `questions`, which `writes(..)` does not name"], "{store}");
    }
}
