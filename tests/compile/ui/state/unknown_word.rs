#![allow(unused)]

use graphwright::prelude::*;

#[derive(Clone, Debug, Default, Serialize, Deserialize, State)]
#[state(verzion = 2)]
pub struct Order {
    #[state(apend)]
    notes: Vec<String>,
    #[state(replace)]
    draft: String,
    #[state(zebra)]
    n: u32,
}

fn main() {}
