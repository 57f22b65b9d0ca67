//! The agent: its state, its tools, its nodes, and the graph that holds them together.

use std::sync::Arc;
use std::time::Duration;

use graphwright::agent::{
    Conversation, HasTools, JsonSchema, Model, ToolError, ToolResult, ToolStatus, Toolset, ask_user_pending, close_repeating, elicitation,
    schemars, tool_calls, tools,
};
use graphwright::prelude::*;
use graphwright::{BoxError, graph, tool, toolset};
use tokio::time::sleep;

use crate::shop::{Cents, Order, Quote, Reason, Receipt, Shop};

const PROMPT: &str = "You answer for a small shop. Look orders up before you speak of them. Ask the customer with `ask_user` when more than \
    one order fits, or when you do not know why the money should be paid back. Quote a refund before you issue it, and issue what was quoted. \
    Refunds above a limit wait for a manager; if one is refused, say so kindly. Answer in one or two sentences.";

/// What is kept of a conversation with a customer.
#[derive(Clone, Debug, Default, Serialize, Deserialize, State)]
pub struct Ticket {
    /// What was said, and the question that is open.
    #[state(conversation)]
    pub talk: Conversation,
}

/// What the nodes work with: never stored.
#[derive(Clone, Debug)]
pub struct Deps {
    pub model: Model,
    pub tools: Toolset<Deps>,
    pub shop: Arc<Shop>,
    /// Refunds above this need a manager.
    pub limit: Cents,
    /// How long the bank takes.
    pub bank: Duration,
}

impl Deps {
    pub fn new(model: Model, shop: Shop, limit: Cents, bank: Duration) -> Result<Self, BoxError> {
        let tools = toolset![look_up_order, quote_refund, issue_refund]?;
        Ok(Self { model, tools, shop: Arc::new(shop), limit, bank })
    }
}

impl HasTools for Deps {
    fn tools(&self) -> &Toolset<Self> {
        &self.tools
    }
}

/// What to look for.
#[derive(Deserialize, JsonSchema)]
pub struct Search {
    /// An order number such as K-1001, or words of the product and the customer's name.
    words: String,
}

/// Finds orders by their number, or by words of the product and the customer's name.
#[tool]
pub async fn look_up_order(search: Search, cx: &Context<Deps>) -> Result<Vec<Order>, ToolError> {
    Ok(cx.deps().shop.find(&search.words).into_iter().cloned().collect())
}

/// Why money should be paid back.
#[derive(Deserialize, JsonSchema)]
pub struct Claim {
    /// The order number.
    order: String,
    /// What is wrong with it.
    reason: Reason,
}

/// Tells what the shop would pay back for an order, and by which rule. Pays nothing.
#[tool]
pub async fn quote_refund(claim: Claim, cx: &Context<Deps>) -> Result<Quote, ToolError> {
    Ok(cx.deps().shop.quote(&claim.order, claim.reason)?)
}

/// Money to be paid back.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Refund {
    /// The order number.
    pub order: String,
    /// What is wrong with it.
    pub reason: Reason,
    /// The amount that was quoted, in euro cents.
    pub cents: Cents,
}

/// Pays back what was quoted. A manager may have to approve it.
#[tool]
pub async fn issue_refund(refund: Refund, cx: &Context<Deps>) -> Result<Receipt, ToolError> {
    let receipt = cx.deps().shop.refund(&refund.order, refund.reason, refund.cents, &cx.idempotency_key())?;
    // The money has moved, and the graph does not know it yet. If the process dies here, this runs again with the same
    // key, and the shop finds the receipt instead of paying twice.
    sleep(cx.deps().bank).await;
    Ok(receipt)
}

/// Reads the conversation and decides what to do next.
#[node(model, asks)]
pub async fn react(ticket: &Ticket, cx: &Context<Deps>) -> NodeResult<Ticket> {
    let Deps { model, tools, .. } = cx.deps();
    let reply = model.chat(&ticket.talk).system(PROMPT).tools(tools).ask_user().send(cx).await?;
    Ok(Ticket::update().talk(reply))
}

/// What a manager has to decide.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Approval {
    pub refunds: Vec<Refund>,
    pub total: Cents,
}

/// How a manager decides.
#[derive(Clone, Debug, Serialize, Deserialize, Route)]
#[serde(rename_all = "snake_case")]
pub enum Decision {
    Approve,
    Refuse { why: String },
}

/// Asks a manager before money above the limit is paid back.
#[derive(Debug)]
pub struct Manager;

#[node]
impl Interrupt<Ticket, Deps> for Manager {
    type Question = Approval;
    type Answer = Decision;

    async fn ask(ticket: &Ticket, cx: &Context<Deps>) -> Result<Ask<Self>, NodeError> {
        // The tool reads its arguments from the same message with the same type: what is approved is what runs.
        let calls = ticket.talk.open_calls().into_iter().filter(|call| call.name == "issue_refund");
        let refunds: Vec<Refund> = calls.filter_map(|call| Refund::deserialize(&call.arguments).ok()).collect();
        let total = Cents(refunds.iter().fold(0, |sum, refund| sum.saturating_add(refund.cents.0)));
        let ask = Ask::question(Approval { refunds, total }).to("managers");
        Ok(if total > cx.deps().limit { ask } else { ask.answered(Answer::Accepted(Decision::Approve)) })
    }

    fn resume(ticket: &Ticket, _: &Approval, answer: Answer<Decision>) -> NodeResult<Self> {
        let why = match answer {
            Answer::Accepted(Decision::Approve) => return Ok(Ticket::update()),
            Answer::Accepted(Decision::Refuse { why }) => why,
            Answer::Declined | Answer::Cancelled => "nobody decided".to_owned(),
        };
        let refused = ticket.talk.open_calls().into_iter().map(|call| ToolResult {
            call: call.id.clone(),
            name: call.name.clone(),
            status: ToolStatus::Rejected,
            content: format!("a manager refused: {why}"),
        });
        Ok(Ticket::update().talk(refused.collect::<Vec<_>>()))
    }
}

graph! {
    /// Answers customers of a small shop, asks them when it is unsure, and pays money back.
    #[graph(version = 1, steps = 100)]
    pub SupportAgent(Ticket, Deps) {
        start -> react;
        react -> elicitation if ask_user_pending;
        react -> match tool_calls {
            Continue  => manager,
            Repeating => close_repeating,
            Finish    => end,
        };
        elicitation -> react;
        manager -> match {
            Approve                       => tools,
            Refuse | Declined | Cancelled => react,
        };
        tools -> react;
        close_repeating -> end;

        manager: Manager;
    }
}
