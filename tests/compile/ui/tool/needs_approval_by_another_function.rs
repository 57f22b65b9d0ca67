#![allow(unused)]

use graphwright::agent::JsonSchema;
use graphwright::prelude::*;

#[derive(Deserialize, JsonSchema)]
#[schemars(crate = "graphwright::agent::schemars")]
struct Refund {
    cents: u64,
}

#[derive(Deserialize, JsonSchema)]
#[schemars(crate = "graphwright::agent::schemars")]
struct Gift;

struct Deps {
    limit: u64,
}

fn of_a_gift(args: &Gift) -> bool {
    true
}

fn above_limit(args: &Refund, cx: &Context<Deps>) -> bool {
    args.cents > cx.deps().limit
}

#[tool(needs_approval = of_a_gift)]
fn refund(args: Refund) -> Result<u64, ToolError> {
    Ok(args.cents)
}

// It takes no context, so it is a tool over any dependencies.
#[tool(needs_approval = above_limit)]
fn pay(args: Refund) -> Result<u64, ToolError> {
    Ok(args.cents)
}

#[tool(needs_approval = below_limit)]
fn give(args: Refund) -> Result<u64, ToolError> {
    Ok(args.cents)
}

fn always() -> bool {
    true
}

#[tool(needs_approval = always)]
fn send(args: Refund) -> Result<u64, ToolError> {
    Ok(args.cents)
}

fn how_much(args: &Refund) -> u64 {
    args.cents
}

#[tool(needs_approval = how_much)]
fn lend(args: Refund, cx: &Context<Deps>) -> Result<u64, ToolError> {
    Ok(args.cents)
}

fn main() {}
