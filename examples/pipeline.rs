//! A pipeline: no model, no store, nothing to wait for. `cargo run --example pipeline`
//!
//! It shows plain functions as nodes, two that run at the same time, a node that is tried again, and a graph of eleven
//! lines that the compiler has checked. It prints:
//!
//! ```text
//! the file was busy: it is tried again
//! 16 orders: € 1386.50 sold, Chloé Martin bought most
//! an empty file: nothing to report
//! ```

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use graphwright::prelude::*;
use graphwright::{BoxError, graph};

const ORDERS: &str = include_str!("data/orders.csv");

/// One line of the file.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Order {
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
struct Sales {
    file: String,
    orders: Vec<Order>,
    cents: u64,
    best: Option<String>,
    report: String,
}

/// What the nodes work with: a disk that is busy at first.
#[derive(Clone, Default)]
struct Disk {
    was_asked: Arc<AtomicBool>,
}

#[node(writes(orders))]
async fn read(sales: &Sales, cx: &Context<Disk>) -> NodeResult<read> {
    if !cx.deps().was_asked.swap(true, Ordering::Relaxed) {
        println!("the file was busy: it is tried again");
        return Err(NodeError::transient("the file is busy"));
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
    let spent = |order: &Order| sales.orders.iter().filter(|other| other.customer == order.customer).map(Order::cents).sum::<u64>();
    Sales::update().best(sales.orders.iter().max_by_key(|order| spent(order)).map(|order| order.customer.clone()))
}

#[node(writes(report))]
fn write(sales: &Sales) -> Update<Sales, write> {
    let (count, euros) = (sales.orders.len(), sales.cents as f64 / 100.0);
    let best = sales.best.as_deref().unwrap_or("nobody");
    Sales::update().report(format!("{count} orders: € {euros:.2} sold, {best} bought most"))
}

#[router]
fn any(sales: &Sales) -> bool {
    !sales.orders.is_empty()
}

graph! {
    Pipeline(Sales, Disk) {
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
    let disk = Disk::default();
    for file in [ORDERS, "customer,quantity,unit_cents\n"] {
        match Pipeline::run(disk.clone(), Sales::update().file(file)).await? {
            Outcome::Completed(done) if done.output.orders.is_empty() => println!("an empty file: nothing to report"),
            Outcome::Completed(done) => println!("{}", done.output.report),
            Outcome::Paused(_) => unreachable!("no place of this graph asks anybody"),
            Outcome::Stopped(stop) => println!("stopped: {:?}", stop.reason),
        }
    }
    Ok(())
}
