#![allow(unused)]

use graphwright::agent::JsonSchema;
use graphwright::prelude::*;

#[derive(Deserialize, JsonSchema)]
#[schemars(crate = "graphwright::agent::schemars")]
struct Refund {
    cents: u64,
}

struct Deps;

#[tool]
fn refund(args: &Refund) -> Result<u64, ToolError> {
    Ok(args.cents)
}

fn main() {}
