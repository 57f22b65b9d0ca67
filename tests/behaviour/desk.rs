//! A graph with two different questions and a node that can be told to fail: for tokens, answers and threads.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use graphwright::prelude::*;
use graphwright::store::Checkpointer;
use graphwright::{Event, EventKind, KeyRing, ManualClock, Observer, Timestamp};

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, State)]
pub(super) struct Order {
    #[state(append)]
    pub(super) notes: Vec<String>,
    pub(super) amount: u64,
}

/// What nodes may touch, and what tests look at.
#[derive(Clone, Default)]
pub(super) struct Deps {
    pub(super) prepared: Arc<AtomicUsize>,
    pub(super) paid: Arc<AtomicUsize>,
    pub(super) keys: Arc<Mutex<Vec<String>>>,
    /// The next payment fails.
    pub(super) broken: Arc<AtomicBool>,
    /// What `notify` was told.
    pub(super) told: Arc<Mutex<Vec<String>>>,
}

#[node]
async fn prepare(_order: &Order, cx: &Context<Deps>) -> NodeResult<Order> {
    cx.deps().prepared.fetch_add(1, Ordering::SeqCst);
    tokio::task::yield_now().await;
    Ok(Order::update().notes(["prepared"]))
}

#[node]
async fn pay(order: &Order, cx: &Context<Deps>) -> NodeResult<Order> {
    cx.deps().keys.lock().unwrap().push(cx.idempotency_key());
    if cx.deps().broken.swap(false, Ordering::SeqCst) {
        return Err(NodeError::transient("the bank is closed"));
    }
    cx.deps().paid.fetch_add(1, Ordering::SeqCst);
    Ok(Order::update().notes([format!("paid {}", order.amount)]))
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Refund {
    pub(super) cents: u64,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Route)]
pub(super) enum Decision {
    Approve,
    Lower(u64),
    Reject,
}

/// Asks whether to pay.
pub(super) struct Approve;

#[node]
impl Interrupt<Order, Deps> for Approve {
    type Question = Refund;
    type Answer = Decision;

    async fn ask(order: &Order, _cx: &Context<Deps>) -> Result<Ask<Self>, NodeError> {
        Ok(Ask::question(Refund { cents: order.amount }).to("managers"))
    }

    fn check(_order: &Order, asked: &Refund, answer: &Decision) -> Result<(), BadAnswer> {
        match answer {
            Decision::Lower(cents) if *cents >= asked.cents => Err(BadAnswer::new(format!("`Lower` wants less than {}", asked.cents))),
            _ => Ok(()),
        }
    }

    fn resume(_order: &Order, _asked: &Refund, answer: Answer<Decision>) -> NodeResult<Self> {
        Ok(match answer {
            Answer::Accepted(Decision::Lower(cents)) => Order::update().amount(cents).notes(["lowered"]),
            Answer::Accepted(_) => Order::update().notes(["decided"]),
            Answer::Declined | Answer::Cancelled => Order::update().notes(["no decision"]),
        })
    }

    async fn notify(_order: &Order, asked: &Refund, token: &graphwright::Token, cx: &Context<Deps>) -> Result<(), NodeError> {
        cx.deps().told.lock().unwrap().push(format!("{} {}", asked.cents, token.as_str()));
        Ok(())
    }
}

/// Asks whether all is well: an answer without content.
pub(super) struct Confirm;

#[node]
impl Interrupt<Order, Deps> for Confirm {
    type Question = ();
    type Answer = ();

    async fn ask(_order: &Order, _cx: &Context<Deps>) -> Result<Ask<Self>, NodeError> {
        Ok(Ask::question(()))
    }

    fn resume(_order: &Order, _asked: &(), _answer: Answer<()>) -> NodeResult<Self> {
        Ok(Order::update().notes(["confirmed"]))
    }
}

graph! {
    pub(super) Desk(Order, Deps) {
        start -> prepare -> approve -> match {
            Approve | Lower => pay,
            Reject | Declined | Cancelled => end rejected,
        };
        pay -> confirm -> end;
        approve: Approve;
        confirm: Confirm;
    }
}

pub(super) type Q = Question<Desk>;

/// Everything a run tells, in order.
#[derive(Clone, Default)]
pub(super) struct Record(Arc<Mutex<Vec<Event>>>);

impl Record {
    pub(super) fn kinds(&self) -> Vec<EventKind> {
        self.0.lock().unwrap().iter().map(|event| event.kind.clone()).collect()
    }

    pub(super) fn events(&self) -> Vec<Event> {
        self.0.lock().unwrap().clone()
    }

    pub(super) fn count(&self, which: impl Fn(&EventKind) -> bool) -> usize {
        self.kinds().iter().filter(|kind| which(kind)).count()
    }
}

impl Observer for Record {
    fn on_event(&self, event: &Event) {
        self.0.lock().unwrap().push(event.clone());
    }
}

pub(super) const NOON: Timestamp = Timestamp(1_700_000_000_000_000);

pub(super) fn keys() -> KeyRing {
    KeyRing::new(1, [7; 32]).unwrap()
}

pub(super) fn app(deps: &Deps, store: impl Checkpointer) -> App<Desk> {
    Desk::app(deps.clone(), store).keys(keys()).clock(ManualClock::at(NOON))
}

/// Runs a turn to the first question, and gives the token for it.
pub(super) async fn ask(app: &App<Desk>, thread: &str, amount: u64) -> (graphwright::QuestionId, graphwright::Token) {
    let outcome = app.thread(thread).run(Order::update().amount(amount)).await.unwrap();
    let question = approval(outcome.paused().expect("it asks").questions);
    let token = app.token(thread, question.id()).await.unwrap();
    (question.id(), token)
}

pub(super) fn approval(questions: Vec<Q>) -> graphwright::Open<Approve> {
    match questions.into_iter().next().expect("a question") {
        Q::approve(question) => question,
        Q::confirm(_) => panic!("the other question"),
    }
}

pub(super) fn approve() -> graphwright::TypedAnswer {
    Approve::answer(Answer::Accepted(Decision::Approve))
}
