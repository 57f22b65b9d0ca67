#![allow(unused)]

use graphwright::prelude::*;

#[derive(Clone, Default, Serialize, Deserialize)]
pub struct Secret;

#[derive(Clone, Default, Serialize, Deserialize, State)]
pub struct Order {
    secret: Secret,
}

fn main() {}
