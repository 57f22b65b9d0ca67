#![allow(unused)]

use graphwright::prelude::*;

#[derive(Clone, Debug, Default, Serialize, Deserialize, State)]
pub struct Order {
    #[state(append)]
    notes: Vec<String>,
    draft: Option<String>,
}

struct Desk;

impl Desk {
    #[router]
    fn next(&self) -> bool {
        true
    }
}

fn main() {}
