//! A shop: its tools, and what its customers say.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use graphwright::agent::{MAX_RESULT_BYTES, Message, NoArgs, Toolset};
use graphwright::prelude::*;
use schemars::JsonSchema;
use serde_json::json;

#[derive(Clone, Default)]
pub(super) struct Shop {
    pub(super) refunded: Arc<AtomicUsize>,
}

#[derive(Deserialize, JsonSchema)]
pub(super) struct Refund {
    /// The order's number.
    pub(super) order: u32,
    pub(super) cents: u64,
}

#[derive(Serialize)]
pub(super) struct Receipt {
    pub(super) paid: u64,
    pub(super) key: String,
}

/// Pays the money back.
#[tool]
pub(super) async fn refund(args: Refund, cx: &Context<Shop>) -> Result<Receipt, ToolError> {
    if args.order == 0 {
        return Err(ToolError::from("there is no order 0"));
    }
    cx.progress("paying").await;
    cx.deps().refunded.fetch_add(1, Ordering::Relaxed);
    Ok(Receipt { paid: args.cents, key: cx.idempotency_key() })
}

/// Says hello.
#[tool]
pub(super) fn hello() -> Result<String, ToolError> {
    Ok("hello".to_owned())
}

/// Parses a number; `?` takes any error.
#[tool]
pub(super) fn parse(args: Text) -> Result<u8, std::num::ParseIntError> {
    args.text.parse()
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Text {
    pub(super) text: String,
}

#[tool]
pub(super) async fn explode(_args: NoArgs) -> Result<(), ToolError> {
    tokio::task::yield_now().await;
    panic!("with a secret inside")
}

pub(super) trait Greets: Send + Sync {
    fn greeting(&self) -> String;
}

impl Greets for Shop {
    fn greeting(&self) -> String {
        "welcome".to_owned()
    }
}

/// Greets out of anybody's dependencies.
#[tool]
pub(super) async fn greet<D>(cx: &Context<D>) -> Result<String, ToolError>
where
    D: Greets,
{
    Ok(cx.deps().greeting())
}

/// Gives more than a model can read.
#[tool]
pub(super) fn dump() -> Result<String, ToolError> {
    Ok("ä".repeat(MAX_RESULT_BYTES))
}

pub(super) fn shop() -> Toolset<Shop> {
    toolset![refund, hello, parse, explode, greet, dump].unwrap()
}

pub(super) fn user(text: &str) -> Message {
    serde_json::from_value(json!({ "role": "user", "text": text })).unwrap()
}
