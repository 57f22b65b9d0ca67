//! Mounted graphs, one in the other, in a map, over another state, and one over any.
#![deny(warnings)]

use graphwright::prelude::*;
use graphwright::{Graph as _, graph};

#[derive(Clone, Debug, Default, Serialize, Deserialize, State)]
pub struct Report {
    topic: String,
    #[state(append)]
    notes: Vec<String>,
}
#[derive(Clone, Debug, Default, Serialize, Deserialize, State)]
pub struct Section {
    title: String,
    text: String,
}

pub struct Deps;

#[node(writes(notes))]
async fn plan(_: &Report, _: &Context<Deps>) -> NodeResult<plan> {
    Ok(Report::update().notes(["plan"]))
}
#[node(writes(notes))]
async fn stop(_: &Report, _: &Context<Deps>) -> NodeResult<stop> {
    Ok(Report::update().notes(["stop"]))
}
#[node]
async fn write(s: &Section, _: &Context<Deps>) -> NodeResult<Section> {
    Ok(Section::update().text(format!("<{}>", s.title)))
}
#[router]
fn titles(_: &Report) -> Vec<String> {
    vec!["a".into(), "b".into()]
}
#[router]
fn long(s: &Section) -> bool {
    s.title.len() > 3
}

pub struct AskTitle;
#[node]
impl Interrupt<Section, Deps> for AskTitle {
    type Question = String;
    type Answer = String;
    async fn ask(s: &Section, _: &Context<Deps>) -> Result<Ask<Self>, NodeError> {
        Ok(Ask::question(s.title.clone()))
    }
    fn resume(_: &Section, _: &String, a: Answer<String>) -> NodeResult<Self> {
        Ok(match a {
            Answer::Accepted(t) => Section::update().title(t),
            _ => Section::update(),
        })
    }
}

graph! {
    pub Writer(Section, Deps) {
        start -> write;
        write -> end long if long;
        write -> AskTitle -> end;
    }
}
graph! {
    pub Chapter(Report, Deps) {
        start -> plan;
        plan -> each titles { section } -> stop -> end;
        section -> match { end => stop, long => stop };
        section: graph Writer, enter(open), exit(take), writes(notes);
    }
}
fn open(r: &Report, title: &String) -> Update<Section> {
    Section::update().title(format!("{}{title}", r.topic))
}
fn take(s: &Section) -> Update<Report> {
    Report::update().notes([s.text.clone()])
}

graph! {
    pub Book(Report, Deps) {
        start -> chapter -> end;
        chapter: graph Chapter as "A chapter";
        chapter -> stop on error;
        stop -> end failed;
    }
}
type Q = graphwright::Question<Book>;
fn front(q: Q) -> graphwright::Given {
    match q {
        Q::chapter(graphwright::Question::<Chapter>::section(graphwright::Question::<Writer>::AskTitle(q))) => q.accept("x".into()),
    }
}
pub trait HasTopic: graphwright::State {
    fn topic(&self) -> &str;
}
impl HasTopic for Report {
    fn topic(&self) -> &str {
        &self.topic
    }
}
#[node]
async fn say<S: HasTopic, D: Send + Sync>(s: &S, _: &Context<D>) -> Result<(), NodeError> {
    let _ = s.topic();
    Ok(())
}
#[router]
fn again<S: HasTopic>(s: &S) -> bool {
    s.topic().is_empty()
}
#[router]
fn words<S: HasTopic>(s: &S) -> Vec<String> {
    s.topic().split(' ').map(str::to_owned).collect()
}
graph! {
    /// Says it.
    pub Sayer<S: HasTopic, D>(S, D) where D: Send + Sync + 'static {
        start -> say;
        say -> match again { true => say at_most 3 else end, false => each words { twice } -> thrice };
        thrice -> end;
        twice: say;
        thrice: say;
    }
}
graph! { pub ReportSayer = Sayer<Report, Deps>; }
graph! {
    pub Outer(Report, Deps) {
        start -> sayer -> end;
        sayer: graph Sayer;
    }
}
fn main() {
    let _: fn(Q) -> graphwright::Given = front;
    assert!(Book::TOPOLOGY.places[0].graph.is_some_and(|chapter| chapter.places[1].graph.is_some()));
    assert_eq!(ReportSayer::TOPOLOGY.forks.len(), 1);
}
