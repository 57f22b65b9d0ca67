//! Constants and types of every name that generated code might think of.
#![deny(warnings)]
#![allow(non_upper_case_globals, non_camel_case_types, dead_code)]
use graphwright::prelude::*;
const patch: u8 = 0;
const state: u8 = 1;
const cx: u8 = 2;
const update: u8 = 3;
const item: u8 = 1;
const answer: u8 = 0;
const asked: u8 = 0;
const record: u8 = 0;
const token: u8 = 0;
const ingest: u8 = 0;
const closing: u8 = 0;
struct f;
struct N;
struct S;
struct D;
struct I;
#[derive(Clone, Debug, Default, Serialize, Deserialize, State)]
pub struct Order {
    #[state(append)]
    notes: Vec<String>,
    #[state(sum)]
    n: u64,
    draft: Option<String>,
}
#[node]
fn count(order: &Order) -> NodeResult<Order> {
    let _ = order;
    Ok(Order::update().n(1))
}
#[router]
fn done(order: &Order) -> bool {
    order.n > 2
}
struct Ask1;
#[node]
impl Interrupt<Order, ()> for Ask1 {
    type Question = u8;
    type Answer = u8;
    async fn ask(_: &Order, _: &Context<()>) -> Result<Ask<Self>, NodeError> {
        Ok(Ask::question(1))
    }
    fn resume(_: &Order, _: &u8, _: Answer<u8>) -> NodeResult<Self> {
        Ok(Order::update().n(3))
    }
}
graph! { G(Order) { start -> count -> ask1; ask1 -> end if done; ask1 -> count; ask1: Ask1; } }
fn main() {
    let _ = G::app((), Memory::new());
}
