#![allow(unused)]

use graphwright::prelude::*;

pub struct Secret;

#[derive(Clone, Debug, Default, Serialize, Deserialize, State)]
pub struct Order {
    secret: Secret,
}

fn main() {}
