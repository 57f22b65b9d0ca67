#![allow(unused)]

use graphwright::prelude::*;

fn keep(current: u32, given: u32) -> u32 {
    current.max(given)
}

#[derive(Clone, Debug, Default, Serialize, Deserialize, State)]
pub struct Order {
    #[state(with = keep)]
    best: u32,
}

fn main() {}
