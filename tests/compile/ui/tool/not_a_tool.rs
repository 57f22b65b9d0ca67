#![allow(unused)]

use graphwright::agent::JsonSchema;
use graphwright::prelude::*;

#[derive(Deserialize, JsonSchema)]
#[schemars(crate = "graphwright::agent::schemars")]
struct Refund {
    cents: u64,
}

use graphwright::agent::Toolset;

fn refund(args: Refund) -> Result<u64, ToolError> {
    Ok(args.cents)
}

struct Pay;

fn tools() -> Toolset<()> {
    let _ = refund;
    toolset![Pay].unwrap()
}

fn main() {}
