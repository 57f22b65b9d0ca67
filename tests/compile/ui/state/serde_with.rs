#![allow(unused)]

use graphwright::prelude::*;

fn cents<'de, D: serde::Deserializer<'de>>(stored: D) -> Result<u64, D::Error> {
    u64::deserialize(stored).map(|units| units * 100)
}

#[derive(Clone, Debug, Default, Serialize, Deserialize, State)]
pub struct Order {
    #[serde(deserialize_with = "cents")]
    cents: u64,
}

fn main() {}
