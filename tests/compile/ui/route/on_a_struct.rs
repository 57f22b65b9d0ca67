#![allow(unused)]

use graphwright::prelude::*;

#[derive(Route)]
pub struct Next;

fn main() {}
