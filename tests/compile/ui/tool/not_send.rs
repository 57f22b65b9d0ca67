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
async fn refund(args: Refund, cx: &Context<Deps>) -> Result<u64, ToolError> {
    let shared = std::rc::Rc::new(args.cents);
    cx.progress("paying").await;
    Ok(*shared)
}

fn main() {}
