//! The agent: it pays small refunds, and asks a manager about large ones.

use graphwright::prelude::*;

#[derive(Clone, Debug, Default, Serialize, Deserialize, State)]
pub struct Refund {
    pub order: String,
    pub cents: u64,
    pub paid: u64,
}

/// What the manager is asked.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Request {
    pub order: String,
    pub cents: u64,
}

/// Asks a manager, unless the refund is small.
pub struct Approve;

#[node]
impl Interrupt<Refund, ()> for Approve {
    type Question = Request;
    /// How many cents to pay.
    type Answer = u64;

    async fn ask(refund: &Refund, _cx: &Context<()>) -> Result<Ask<Self>, NodeError> {
        let ask = Ask::question(Request { order: refund.order.clone(), cents: refund.cents }).to("managers");
        Ok(if refund.cents > 1_000 { ask } else { ask.answered(Answer::Accepted(refund.cents)) })
    }

    fn check(_refund: &Refund, asked: &Request, cents: &u64) -> Result<(), BadAnswer> {
        if *cents > asked.cents { Err(BadAnswer::new(format!("at most {} cents", asked.cents))) } else { Ok(()) }
    }

    fn resume(_refund: &Refund, _asked: &Request, answer: Answer<u64>) -> NodeResult<Self> {
        Ok(Refund::update().cents(match answer {
            Answer::Accepted(cents) => cents,
            Answer::Declined | Answer::Cancelled => 0,
        }))
    }
}

/// Pays the money back.
#[node]
async fn pay(refund: &Refund) -> NodeResult<Refund> {
    Ok(Refund::update().paid(refund.cents))
}

graph! {
    /// Pays money back, and asks before it is much.
    pub Refunds(Refund) {
        start -> approve -> pay -> end;
        approve: Approve;
    }
}
