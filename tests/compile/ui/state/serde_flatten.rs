#![allow(unused)]

use graphwright::prelude::*;

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct More {
    n: u32,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize, State)]
pub struct Order {
    #[serde(flatten)]
    more: More,
}

fn main() {}
