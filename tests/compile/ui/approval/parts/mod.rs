//! A desk that pays money back, for the cases beside.

#![allow(dead_code, unused_imports)]

pub use graphwright::agent::{self, Approval, Call, CallState, Conversation, HasTools, Model, Toolset, tool_calls};
pub use graphwright::graph;
pub use graphwright::prelude::*;

#[derive(Clone, Debug, Default, Serialize, Deserialize, State)]
pub struct Ticket {
    #[state(conversation)]
    pub talk: Conversation,
    pub sent: bool,
}

/// It has no conversation.
#[derive(Clone, Debug, Default, Serialize, Deserialize, State)]
pub struct Invoice {
    pub cents: u64,
}

pub struct Deps {
    pub tools: Toolset<Deps>,
}

impl HasTools for Deps {
    fn tools(&self) -> &Toolset<Self> {
        &self.tools
    }
}

/// They have no tools.
pub struct Bare;

#[tool(needs_approval)]
pub fn issue_refund() -> Result<(), ToolError> {
    Ok(())
}

#[tool]
pub fn look_up() -> Result<(), ToolError> {
    Ok(())
}

#[node(model)]
pub async fn react(_: &Ticket) {}

#[node(tools(look_up, issue_refund))]
pub async fn run_tools(_: &Ticket, _: &Context<Deps>) {}

#[node(tools(look_up))]
pub async fn look(_: &Ticket, _: &Context<Deps>) {}

#[node(tools, needs_approval)]
pub async fn pay_back(_: &Ticket) {}

#[node]
pub async fn note(_: &Ticket) {}

/// Asks for all calls at once.
#[derive(Debug)]
pub struct Clerk;

#[node(approves)]
impl Interrupt<Ticket, Deps> for Clerk {
    type Question = u32;
    type Answer = bool;
    async fn ask(_: &Ticket, _: &Context<Deps>) -> Result<Ask<Self>, NodeError> {
        Ok(Ask::question(1))
    }
    fn resume(_: &Ticket, _: &u32, _: Answer<bool>) -> NodeResult<Self> {
        Ok(Ticket::update())
    }
}

/// Asks the same, and approves nothing.
#[derive(Debug)]
pub struct Chat;

#[node]
impl Interrupt<Ticket, Deps> for Chat {
    type Question = u32;
    type Answer = bool;
    async fn ask(_: &Ticket, _: &Context<Deps>) -> Result<Ask<Self>, NodeError> {
        Ok(Ask::question(1))
    }
    fn resume(_: &Ticket, _: &u32, _: Answer<bool>) -> NodeResult<Self> {
        Ok(Ticket::update())
    }
}

#[router]
pub fn calls_of(invoice: &Invoice) -> Vec<Call> {
    vec![Call::default(); invoice.cents as usize]
}
