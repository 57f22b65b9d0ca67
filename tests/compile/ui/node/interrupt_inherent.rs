#![allow(unused)]

use graphwright::prelude::*;

#[derive(Clone, Debug, Default, Serialize, Deserialize, State)]
pub struct Order {
    #[state(append)]
    notes: Vec<String>,
    draft: Option<String>,
}

pub struct Deps {
    key: String,
}

pub struct Approve;

#[node]
impl Approve {
    fn ask() {}
}

fn main() {}
