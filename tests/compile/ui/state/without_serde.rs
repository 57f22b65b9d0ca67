#![allow(unused)]

use graphwright::prelude::*;

#[derive(Clone, Debug, Default, State)]
pub struct Order {
    notes: Vec<String>,
}

fn main() {}
