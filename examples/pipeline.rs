//! A pipeline: no model, no store, nothing to wait for. `cargo run --example pipeline`
//!
//! It shows plain functions as nodes, two that run at the same time, one that is tried again, and a graph of eleven lines.
//! It prints what was sold, of a file with orders and of an empty one.

use std::collections::BTreeMap;

use graphwright::prelude::*;
use graphwright::{BoxError, Exit};

pub const ORDERS: &str = include_str!("data/orders.csv");

/// One line of the file.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Order {
    customer: String,
    quantity: u64,
    unit_cents: u64,
}

impl Order {
    fn cents(&self) -> u64 {
        self.quantity * self.unit_cents
    }
}

/// What is known so far. Every field is written by one node at most: the compiler sees to it.
#[derive(Clone, Debug, Default, Serialize, Deserialize, State)]
pub struct Sales {
    pub file: String,
    pub orders: Vec<Order>,
    cents: u64,
    best: Option<String>,
    pub report: String,
}

#[node(writes(orders))]
pub async fn read(sales: &Sales, cx: &Context<()>) -> NodeResult<read> {
    if cx.attempt() == 1 {
        println!("the disk is busy");
        return Err(NodeError::transient("the disk is busy"));
    }
    let orders: Vec<Order> = csv::Reader::from_reader(sales.file.as_bytes()).deserialize().collect::<Result<_, _>>()?;
    Ok(Sales::update().orders(orders))
}

#[node(writes(cents))]
fn add_up(sales: &Sales) -> Update<Sales, add_up> {
    Sales::update().cents(sales.orders.iter().map(Order::cents).sum::<u64>())
}

#[node(writes(best))]
fn find_best(sales: &Sales) -> Update<Sales, find_best> {
    let mut spent = BTreeMap::new();
    for order in &sales.orders {
        *spent.entry(&order.customer).or_insert(0) += order.cents();
    }
    Sales::update().best(spent.into_iter().max_by_key(|(_, cents)| *cents).map(|(customer, _)| customer.clone()))
}

#[node(writes(report))]
fn write(sales: &Sales) -> Update<Sales, write> {
    let (count, best) = (sales.orders.len(), sales.best.as_deref().unwrap_or("nobody"));
    Sales::update().report(format!("{count} orders for €{}.{:02}, most of it by {best}", sales.cents / 100, sales.cents % 100))
}

#[router]
fn any(sales: &Sales) -> bool {
    !sales.orders.is_empty()
}

graph! {
    pub Pipeline(Sales) {
        start -> read -> match any {
            true  => [add_up, find_best] -> write,
            false => end empty,
        };
        write -> end;

        read: retry(3, backoff(10ms)), timeout(5s);
    }
}

#[tokio::main]
async fn main() -> Result<(), BoxError> {
    for file in [ORDERS, "customer,quantity,unit_cents\n"] {
        let done = Pipeline::run((), Sales::update().file(file)).await?.completed().ok_or("it was stopped")?;
        match done.exit {
            Exit::<Pipeline>::end => println!("{}", done.output.report),
            Exit::<Pipeline>::empty => println!("there are no orders"),
        }
    }
    Ok(())
}
