#![allow(unused)]

use graphwright::prelude::*;

#[tool]
struct Refund;

fn main() {}
