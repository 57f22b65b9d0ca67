#![allow(unused)]

use graphwright::agent::JsonSchema;
use graphwright::prelude::*;

#[derive(Deserialize, JsonSchema)]
#[schemars(crate = "graphwright::agent::schemars")]
struct Refund {
    cents: u64,
}

struct Deps;

#[tool(needs_approval = 100)]
fn refund(args: Refund) -> Result<u64, ToolError> {
    Ok(args.cents)
}

#[tool(needs_approval(above_limit))]
fn pay(args: Refund) -> Result<u64, ToolError> {
    Ok(args.cents)
}

fn above_limit(args: &Refund) -> bool {
    args.cents > 100
}

fn main() {}
