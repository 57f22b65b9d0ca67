#![allow(unused)]

use graphwright::prelude::*;

#[derive(Clone, Debug, Serialize, Deserialize, State)]
pub enum Order {
    Empty,
}

fn main() {}
