//! What the derives and attributes make of structs, enums and functions.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use std::collections::{BTreeMap, HashMap};

use graphwright::prelude::*;
use graphwright::{FieldSet, Kind, Node, NodeMeta, RouterMeta};
use serde_json::json;

fn keep_best(current: &u32, given: u32) -> u32 {
    (*current).max(given)
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, State)]
pub struct Order {
    /// What was noted.
    #[state(append)]
    notes: Vec<String>,
    #[state(append)]
    numbers: Vec<u32>,
    #[state(merge)]
    tags: BTreeMap<String, u64>,
    #[state(merge)]
    seen: HashMap<u64, String>,
    #[state(sum)]
    n: u64,
    #[state(min)]
    low: i32,
    #[state(max)]
    high: f64,
    #[state(with = keep_best)]
    best: u32,
    #[state(per_turn)]
    rounds: u32,
    #[state(append, per_turn)]
    fresh: Vec<u8>,
    draft: Option<String>,
    count: Option<u32>,
    title: String,
    r#type: bool,
}

pub struct Deps {
    one: u64,
}

/// Counts.
#[node]
pub async fn count(order: &Order, cx: &Context<Deps>) -> NodeResult<Order> {
    let _ = order;
    Ok(Order::update().n(cx.deps().one).notes(["x"]))
}

/// Writes only `draft`, sync, without context, and chooses.
#[node(writes(draft, r#type))]
pub fn triage(_: &Order) -> Result<(Update<Order, triage>, Next), NodeError> {
    Ok((Order::update().draft("d").r#type(true), Next::Again))
}

#[node(model, asks)]
fn quiet(_: &Order) {}

#[derive(Debug, PartialEq, Route)]
pub enum Next {
    Again,
    Ask,
    Done,
}

#[derive(Clone, Debug, Serialize, Deserialize, Route)]
pub enum Decision {
    Approve,
    Edit(String),
}

/// Where to.
#[router]
pub fn next(order: &Order) -> Next {
    if order.n < 3 { Next::Again } else { Next::Ask }
}

#[router]
pub fn done(_: &Order, turn: &Turn) -> bool {
    turn.steps() > 100
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Refund {
    cents: u64,
}

pub struct Approve;

/// Asks a manager.
#[node]
impl Interrupt<Order, Deps> for Approve {
    type Question = Refund;
    type Answer = Decision;
    async fn ask(order: &Order, _: &Context<Deps>) -> Result<Ask<Self>, NodeError> {
        Ok(Ask::question(Refund { cents: order.n }).to("managers"))
    }
    fn resume(_: &Order, asked: &Refund, answer: Answer<Decision>) -> NodeResult<Self> {
        Ok(match answer {
            Answer::Accepted(_) => Order::update().notes([format!("paid {}", asked.cents)]),
            _ => Order::update(),
        })
    }
}

#[test]
fn it_compiles() {
    assert_eq!(<count as NodeMeta>::NAME, "count");
    let _ = (json!(1), FieldSet::EMPTY, Kind::Merge, <next as RouterMeta>::DOCS, <triage as Node<Order, ()>>::WRITES);
    let _ = (
        Approve,
        quiet(&Order::default()),
        Decision::Edit(String::new()),
        Next::Done,
        Approve::answer(Answer::Accepted(Decision::Approve)),
    );
}
