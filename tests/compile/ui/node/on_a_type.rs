#![allow(unused)]

use graphwright::prelude::*;

#[derive(Clone, Debug, Default, Serialize, Deserialize, State)]
pub struct Order {
    #[state(append)]
    notes: Vec<String>,
    draft: Option<String>,
}

#[node]
pub struct Count;

#[node]
pub enum Counts {
    One,
}

#[node]
pub trait Counting {}

fn main() {}
