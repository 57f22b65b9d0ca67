#![allow(unused)]

use graphwright::prelude::*;

#[derive(Deserialize)]
struct Refund {
    cents: u64,
}

#[tool]
fn refund(args: Refund) -> Result<u64, ToolError> {
    Ok(args.cents)
}

fn main() {}
