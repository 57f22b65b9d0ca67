//! Nodes for the cases beside: their roles are known to the compiler, not to the macro.

#![allow(dead_code, unused_imports)]

use graphwright::agent::Conversation;
pub use graphwright::agent::{ask_user_pending, elicitation};
pub use graphwright::graph;
pub use graphwright::prelude::*;

#[derive(Clone, Debug, Default, Serialize, Deserialize, State)]
pub struct Ticket {
    #[state(conversation)]
    talk: Conversation,
}

#[derive(Route)]
pub enum Next {
    Call,
    Ask,
    Done,
}

#[node(model, asks)]
pub async fn react(_: &Ticket) {}

#[node(model)]
pub async fn summarise(_: &Ticket) {}

#[node(tools)]
pub async fn call_tools(_: &Ticket) {}

#[node(tools)]
pub async fn look_up(_: &Ticket) {}

#[node]
pub fn plan(_: &Ticket) {}

#[node]
pub fn pick(_: &Ticket) -> (Update<Ticket>, Next) {
    (Ticket::update(), Next::Done)
}

#[router]
pub fn next(_: &Ticket) -> Next {
    Next::Done
}

#[router]
pub fn urgent(_: &Ticket) -> bool {
    false
}

#[router]
pub fn both(_: &Ticket) -> graphwright::Set<Next> {
    [Next::Call, Next::Ask].into()
}
