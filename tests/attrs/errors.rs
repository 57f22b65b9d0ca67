//! `?` in a node: from every error, and from text.

use std::error::Error;
use std::fmt;

use graphwright::prelude::*;
use graphwright::{BoxError, Class};

#[derive(Clone, Debug, Default, Serialize, Deserialize, State)]
pub struct Order {
    case: u8,
}

/// Like `anyhow::Error`: no `Error` itself, but it becomes a boxed one.
struct Anyhow(BoxError);

impl From<Anyhow> for BoxError {
    fn from(error: Anyhow) -> Self {
        error.0
    }
}

#[derive(Debug)]
struct Own;

impl fmt::Display for Own {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("own")
    }
}

impl Error for Own {}

#[node]
fn fails(order: &Order) -> NodeResult<Order> {
    match order.case {
        0 => {
            "x".parse::<u8>()?;
        }
        1 => Err(Own)?,
        2 => Err(BoxError::from("boxed"))?,
        3 => Err("text")?,
        4 => Err(format!("text {}", order.case))?,
        5 => Err(Anyhow("anyhow".into()))?,
        6 => Err(NodeError::fatal("no key"))?,
        7 => return Err(Own.into()),
        _ => {}
    }
    Ok(Order::update())
}

#[test]
fn every_error_becomes_a_node_error() {
    let said: Vec<String> = (0..8).map(|case| fails(&Order { case }).unwrap_err().to_string()).collect();
    assert_eq!(said, ["invalid digit found in string", "own", "boxed", "text", "text 4", "anyhow", "no key", "own"]);
    assert!(fails(&Order { case: 8 }).is_ok());
}

#[test]
fn the_class_and_the_source_survive() {
    assert_eq!(fails(&Order { case: 6 }).unwrap_err().class(), Class::Fatal);
    assert_eq!(fails(&Order { case: 1 }).unwrap_err().class(), Class::Unknown);
    assert!(fails(&Order { case: 1 }).unwrap_err().source().downcast_ref::<Own>().is_some());
}
