#![allow(unused)]

use graphwright::prelude::*;

#[derive(Clone, Debug, Default, Serialize, Deserialize, State)]
#[state(version = 2, migrate = from_one)]
pub struct Order {
    notes: Vec<String>,
}

fn main() {}
