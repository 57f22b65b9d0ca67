#![allow(unused)]

use graphwright::agent::JsonSchema;
use graphwright::prelude::*;

#[derive(Deserialize, JsonSchema)]
#[schemars(crate = "graphwright::agent::schemars")]
struct Refund {
    cents: u64,
}

struct Deps;

use graphwright::agent::Toolset;

#[tool]
async fn refund(args: Refund, _cx: &Context<Deps>) -> Result<u64, ToolError> {
    Ok(args.cents)
}

fn tools() -> Toolset<u8> {
    toolset![refund].unwrap()
}

fn main() {}
