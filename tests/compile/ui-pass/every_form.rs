//! Every form of the sequential part in one graph.
#![deny(warnings)]

use graphwright::prelude::*;
use graphwright::{Exit, Graph, graph};

#[derive(Clone, Debug, Default, Serialize, Deserialize, State)]
pub struct Order {
    #[state(append)]
    notes: Vec<String>,
    #[state(sum)]
    count: u64,
}

pub struct Deps;

#[derive(Route)]
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

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Refund {
    cents: u64,
}

/// Counts.
#[node]
pub async fn count(_order: &Order, _cx: &Context<Deps>) -> NodeResult<Order> {
    Ok(Order::update().count(1_u64))
}

#[node]
pub fn triage(_: &Order) -> Result<(Update<Order>, Next), NodeError> {
    Ok((Order::update().notes(["triage"]), Next::Done))
}

#[node]
pub fn finish(_: &Order) {}

#[router]
pub fn next(order: &Order) -> Next {
    if order.count < 3 { Next::Again } else { Next::Ask }
}

#[router]
pub fn done(_: &Order, turn: &Turn) -> bool {
    turn.steps() > 100
}

pub struct Approve;

#[node]
impl Interrupt<Order, Deps> for Approve {
    type Question = Refund;
    type Answer = Decision;
    async fn ask(order: &Order, _: &Context<Deps>) -> Result<Ask<Self>, NodeError> {
        Ok(Ask::question(Refund { cents: order.count }))
    }
    fn resume(_: &Order, _: &Refund, _: Answer<Decision>) -> NodeResult<Self> {
        Ok(Order::update())
    }
}

mod nodes {
    use super::*;

    #[node]
    pub fn r#match(_: &Order) {}
}

graph! {
    /// Refunds.
    #[derive(PartialEq)]
    #[graph(version = 3, steps = 50, settings = Refund)]
    pub Refunds(Order, Deps) {
        start -> count;
        count -> finish if done;
        count -> match next {
            Again => count at_most 5 else triage,
            Next::Ask => match done { true => approve, false => nodes::r#match -> finish },
            Done => end,
        };
        triage -> match { Again | Ask => count, _ => end failed };
        approve -> match { Approve | Edit => again -> signed, Declined | Cancelled => count };
        signed -> match { Accepted => end, _ => never };
        finish -> end finished at_most 2 else never;

        approve: Approve as "A manager";
        signed: Approve;
        again: count;
        finish: as "The end";
    }
}

type Q = Question<Refunds>;

fn answer(question: Q) -> graphwright::Given {
    match question {
        Q::approve(q) | Q::signed(q) => q.accept(Decision::Approve),
    }
}

fn main() {
    let _ = answer;
    assert_eq!(Refunds::TOPOLOGY.exits, ["end", "failed", "finished"]);
    assert_eq!(Refunds::TOPOLOGY.version, 3);
    assert!(matches!(Refunds::exit(1), Some(Exit::<Refunds>::failed)));
    let names: Vec<&str> = Refunds::TOPOLOGY.places.iter().map(|place| place.name).collect();
    assert_eq!(names, ["count", "finish", "triage", "approve", "match", "again", "signed"]);
    assert_eq!(Refunds::TOPOLOGY.places[3].title, Some("A manager"));
}
