//! Forks of every kind, from every place where one can stand.
#![deny(warnings)]

use graphwright::prelude::*;
use graphwright::topology::{ForkKind, Origin, Target};
use graphwright::{Graph, Set, graph};

#[derive(Clone, Debug, Default, Serialize, Deserialize, State)]
pub struct Report {
    topic: String,
    #[state(append)]
    notes: Vec<String>,
    #[state(sum)]
    rounds: u32,
}

#[derive(Clone, Copy, Route)]
pub enum Source {
    Web,
    Mail,
    Files,
}

#[derive(Route)]
pub enum Kind {
    Short,
    Long,
}

#[derive(Route)]
pub enum Next {
    Deeper,
    Enough,
}

#[node(writes(notes))]
async fn plan(report: &Report) -> NodeResult<plan> {
    Ok(Report::update().notes([format!("plan {}", report.topic)]))
}

#[node(writes(notes))]
async fn web(_: &Report) -> NodeResult<web> {
    Ok(Report::update().notes(["web"]))
}

#[node(writes(notes))]
fn mail(_: &Report) -> NodeResult<mail> {
    Ok(Report::update().notes(["mail"]))
}

#[node(writes(notes))]
async fn read(_: &Report, name: &String) -> NodeResult<read> {
    Ok(Report::update().notes([format!("read {name}")]))
}

#[node(writes(notes))]
async fn skim(_: &Report, name: Option<&String>, _: &Context<()>) -> NodeResult<skim> {
    Ok(Report::update().notes([format!("skim {name:?}")]))
}

#[node(writes(rounds))]
fn review(_: &Report) -> NodeResult<review> {
    Ok(Report::update().rounds(1_u32))
}

#[router]
fn sources(_: &Report) -> Set<Source> {
    [Source::Web, Source::Files].into()
}

#[router]
fn names(report: &Report) -> Vec<String> {
    (0..=report.rounds).map(|n| n.to_string()).collect()
}

#[router]
fn kind(name: &String) -> Kind {
    if name.len() > 1 { Kind::Long } else { Kind::Short }
}

#[router]
fn next(report: &Report) -> Next {
    if report.rounds < 2 { Next::Deeper } else { Next::Enough }
}

#[router]
fn busy(report: &Report) -> bool {
    report.rounds > 100
}

graph! {
    /// Writes a report.
    pub Research(Report) {
        start -> plan -> [web -> review, mail] -> skim;
        skim -> match next {
            Deeper => each names match kind { Short => glance, Long => read } -> again at_most 5 else end exhausted,
            Enough => some sources {
                Web | Mail => second_web,
                Files => each names { second_read -> second_skim },
            } -> done,
        };
        again -> skim;
        second_web -> done if busy;
        second_web -> more;
        more -> done;
        done -> [last_web, [last_mail, last_read]] -> end;

        again: review;
        glance: skim;
        second_web: web;
        more: web;
        second_read: read;
        second_skim: skim;
        done: review;
        last_web: web;
        last_mail: mail;
        last_read: mail, timeout(5s);
        web: retry(3, backoff(100ms));
        second_read: at_once(2);
        _: retry(1);
    }
}

fn main() {
    let kinds: Vec<ForkKind> = Research::TOPOLOGY.forks.iter().map(|fork| fork.kind).collect();
    assert_eq!(kinds, [ForkKind::All, ForkKind::Each, ForkKind::Some, ForkKind::Each, ForkKind::All, ForkKind::All]);
    let begins = |fork| Research::TOPOLOGY.ways_out_of(Origin::Fork(fork)).count();
    assert_eq!([0, 1, 2, 3, 4, 5].map(begins), [2, 2, 2, 1, 2, 2]);
    assert!(Research::TOPOLOGY.ways.iter().any(|way| way.from == Origin::Join(3) && way.to == Target::Join(2)));
}
