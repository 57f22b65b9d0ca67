//! Forks and mounts in a module where nothing is in scope.
#![deny(warnings)]
#![no_implicit_prelude]

use ::graphwright::{NodeResult, Route, Set, State, Update, graph, node, router};
use ::serde::{Deserialize, Serialize};

#[derive(Clone, Debug, Default, Serialize, Deserialize, State)]
#[serde(crate = "::serde")]
pub struct Mail {
    #[state(append)]
    lines: ::std::vec::Vec<::std::string::String>,
}

use ::core::clone::Clone;
use ::core::default::Default;
use ::core::fmt::Debug;

#[derive(Route)]
pub enum Way {
    Left,
    Right,
}

#[node(writes(lines))]
async fn left(_: &Mail) -> NodeResult<left> {
    ::core::result::Result::Ok(Mail::update().lines([::std::string::String::new()]))
}

#[node(writes(lines))]
fn right(_: &Mail, line: &::std::string::String) -> NodeResult<right> {
    ::core::result::Result::Ok(Mail::update().lines([Clone::clone(line)]))
}

#[router]
fn some_ways(_: &Mail) -> Set<Way> {
    Set::new().with(&Way::Left)
}

#[router]
fn lines(mail: &Mail) -> ::std::vec::Vec<::std::string::String> {
    Clone::clone(&mail.lines)
}

#[router]
fn way(line: &::std::string::String) -> Way {
    if line.is_empty() { Way::Left } else { Way::Right }
}

fn open(mail: &Mail) -> Update<Mail> {
    Mail::update().lines(Clone::clone(&mail.lines))
}

fn take(mail: &Mail) -> Update<Mail> {
    Mail::update().lines(Clone::clone(&mail.lines))
}

graph! {
    pub Inner(Mail) { start -> some some_ways { Left => left, Right => other } -> end; other: left; }
}

graph! {
    pub Outer(Mail) {
        start -> [left, same] -> each lines match way { Left => right, Right => fitted } -> end;
        same: graph Inner;
        fitted: graph Inner, enter(open), exit(take), writes(lines);
        left: retry(2), timeout(1s);
    }
}

fn main() {}
