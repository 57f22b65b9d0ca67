#![allow(unused)]

use graphwright::prelude::*;

#[derive(Clone, Debug, Default, Serialize, Deserialize, State)]
pub struct Order {
    #[serde(skip)]
    notes: Vec<String>,
    #[serde(default, skip_deserializing)]
    n: u32,
}

fn main() {}
