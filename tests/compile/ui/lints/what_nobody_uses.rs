//! A node is a function and a router is one: what no graph mentions is told as unused.
#![deny(dead_code)]

use graphwright::graph;
use graphwright::prelude::*;

#[derive(Clone, Debug, Default, Serialize, Deserialize, State)]
struct Mail {
    text: String,
}

/// No graph mentions it.
#[node]
fn forgotten(_: &Mail) {}

/// Nobody asks it.
#[router]
fn never_asked(_: &Mail) -> bool {
    true
}

fn helper() {}

#[node]
fn read(_: &Mail) {}

graph! {
    Desk(Mail) { start -> read -> end; }
}

fn main() {
    println!("{:?}", Desk);
}
