#![allow(unused)]

use graphwright::prelude::*;

#[derive(Clone, Debug, Default, Serialize, State)]
pub struct Order<'a> {
    note: &'a str,
}

fn main() {}
