// What the cases of `forks`, `mounts` and `policies` share: something that writes a report.

use graphwright::Set;
use graphwright::prelude::*;

/// The state of most graphs here.
#[derive(Clone, Debug, Default, Serialize, Deserialize, State)]
pub struct Report {
    /// What it is about.
    pub topic: String,
    /// What was found.
    #[state(append)]
    pub notes: Vec<String>,
    /// What it comes to.
    pub summary: String,
}

/// The state of a part.
#[derive(Clone, Debug, Default, Serialize, Deserialize, State)]
pub struct Section {
    /// Its title.
    pub title: String,
    /// What stands in it.
    pub text: String,
}

/// What the nodes work with.
#[derive(Debug)]
pub struct Deps;

/// Other dependencies.
#[derive(Debug)]
pub struct Archive;

/// Plans.
#[node(writes(notes))]
pub fn plan(_: &Report) -> NodeResult<plan> {
    Ok(Report::update().notes(["planned"]))
}

/// Searches.
#[node(writes(notes))]
pub async fn search(_: &Report, _: &Context<Deps>) -> NodeResult<search> {
    Ok(Report::update().notes(["found"]))
}

/// Sums up.
#[node(writes(summary))]
pub fn sum_up(report: &Report) -> NodeResult<sum_up> {
    Ok(Report::update().summary(report.notes.join(" ")))
}

/// Says what is meant.
#[node(writes(summary))]
pub fn shorten(report: &Report) -> NodeResult<shorten> {
    Ok(Report::update().summary(report.topic.clone()))
}

/// Does not say what it writes.
#[node]
pub fn polish(_: &Report) -> NodeResult<Report> {
    Ok(Report::update())
}

/// Reads one thing.
#[node(writes(notes))]
pub fn read(_: &Report, link: &String) -> NodeResult<read> {
    Ok(Report::update().notes([link.clone()]))
}

/// Reads a thing, if there is one.
#[node(writes(notes))]
pub fn skim(_: &Report, link: Option<&String>) -> NodeResult<skim> {
    Ok(Report::update().notes(link.cloned()))
}

/// Weighs a number.
#[node(writes(notes))]
pub fn weigh(_: &Report, number: &u64) -> NodeResult<weigh> {
    Ok(Report::update().notes([number.to_string()]))
}

/// Writes a part.
#[node]
pub fn write(section: &Section) -> NodeResult<Section> {
    Ok(Section::update().text(format!("<{}>", section.title)))
}

/// Where to look.
#[derive(Clone, Copy, Debug, Route)]
pub enum Source {
    /// There.
    Web,
    /// Here.
    Files,
}

/// How long something is.
#[derive(Clone, Copy, Debug, Route)]
pub enum Size {
    /// Not long.
    Short,
    /// Long.
    Long,
}

/// Where to look.
#[router]
pub fn sources(_: &Report) -> Set<Source> {
    [Source::Web].into()
}

/// One place to look.
#[router]
pub fn source(_: &Report) -> Source {
    Source::Files
}

/// What to read.
#[router]
pub fn links(report: &Report) -> Vec<String> {
    report.notes.clone()
}

/// How long it is.
#[router]
pub fn size(link: &String) -> Size {
    if link.len() > 80 { Size::Long } else { Size::Short }
}

/// How large it is.
#[router]
pub fn magnitude(number: &u64) -> Size {
    if *number > 80 { Size::Long } else { Size::Short }
}

/// Whether that was all.
#[router]
pub fn is_done(report: &Report) -> bool {
    !report.summary.is_empty()
}

/// What is answered.
#[derive(Clone, Debug, Serialize, Deserialize, Route)]
pub enum Decision {
    /// As it is.
    Print,
    /// Not yet.
    Revise,
}

/// Asks for a decision.
#[derive(Debug)]
pub struct Approve;

#[node(writes(notes))]
impl Interrupt<Report, Deps> for Approve {
    type Question = String;
    type Answer = Decision;

    async fn ask(report: &Report, _: &Context<Deps>) -> Result<Ask<Self>, NodeError> {
        Ok(Ask::question(report.summary.clone()))
    }

    fn resume(_: &Report, _: &String, _: Answer<Decision>) -> NodeResult<Self> {
        Ok(Report::update().notes(["decided"]))
    }
}

graphwright::graph! {
    /// Looks something up.
    pub Lookup(Report, Deps) {
        start -> search -> end;
    }
}

graphwright::graph! {
    /// Looks something up, and may find nothing.
    pub Hunt(Report, Deps) {
        start -> search;
        search -> end nothing if is_done;
        search -> end;
    }
}

graphwright::graph! {
    /// Writes a part.
    pub Writer(Section, Deps) {
        start -> write -> end;
    }
}

graphwright::graph! {
    /// Works with something else.
    pub Filer(Report, Archive) {
        start -> plan -> end;
    }
}

/// Out of the report, the state of a part.
pub fn open(report: &Report) -> Update<Section> {
    Section::update().title(report.topic.clone())
}

/// What a part gives to the report.
pub fn take(section: &Section) -> Update<Report> {
    Report::update().notes([section.text.clone()])
}

/// What has a topic.
pub trait HasTopic: graphwright::State {
    /// It.
    fn topic(&self) -> &str;
}

impl HasTopic for Report {
    fn topic(&self) -> &str {
        &self.topic
    }
}

/// Says the topic of whatever has one.
#[node]
pub fn say<S: HasTopic>(state: &S) -> Result<(), NodeError> {
    let _ = state.topic();
    Ok(())
}

graphwright::graph! {
    /// For any state with a topic.
    pub Sayer<S: HasTopic, D>(S, D) {
        start -> say -> end;
    }
}

/// Whatever is wrong with the graph, it is one: no second error here.
fn main() {
    let _ = <Desk as graphwright::Graph>::TOPOLOGY;
}
