#![allow(unused)]

use graphwright::prelude::*;

#[derive(Route)]
#[route(krate = graphwright)]
pub enum Next {
    Again,
}

fn main() {}
