#![allow(unused)]

use graphwright::prelude::*;

#[derive(Route)]
pub enum Next {}

fn main() {}
