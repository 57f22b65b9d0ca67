//! Interrupts as nodes.

use graphwright::__private::{IntoStep, Step};
use graphwright::prelude::*;
use graphwright::topology::Role;
use graphwright::{Node, NodeMeta};
use serde_json::json;

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, State)]
pub struct Order {
    #[state(append)]
    notes: Vec<String>,
    known: bool,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Refund {
    cents: u64,
}

pub struct Approve;

/// Asks a manager.
#[node(writes(notes))]
impl Interrupt<Order, u64> for Approve {
    type Question = Refund;
    type Answer = bool;

    async fn ask(order: &Order, cx: &Context<u64>) -> Result<Ask<Self>, NodeError> {
        let ask = Ask::question(Refund { cents: *cx.deps() }).to("managers");
        Ok(if order.known { ask.answered(Answer::Accepted(true)) } else { ask })
    }

    fn check(_: &Order, asked: &Refund, answer: &bool) -> Result<(), BadAnswer> {
        if *answer && asked.cents > 100 { Err(BadAnswer::new("too much")) } else { Ok(()) }
    }

    fn resume(_: &Order, asked: &Refund, answer: Answer<bool>) -> NodeResult<Self> {
        Ok(Order::update().notes([format!("{} {answer:?}", asked.cents)]))
    }
}

async fn ask(order: &Order, cents: u64) -> Step<Update<Order>, Answer<bool>> {
    <Approve as Node<Order, u64>>::run(order, &(), &Context::test(cents)).await.into_step().unwrap()
}

#[tokio::test]
async fn it_asks() {
    let Step::Ask(asking) = ask(&Order::default(), 7).await else { panic!("it asks") };
    assert_eq!(asking.question, json!({"cents": 7}));
    assert_eq!(asking.labels, ["managers"]);
}

#[tokio::test]
async fn it_goes_on_at_once_where_the_answer_is_known() {
    let order = Order { known: true, ..Order::default() };
    let Step::Done(update, choice) = ask(&order, 7).await else { panic!("it need not ask") };
    assert_eq!(choice, Answer::Accepted(true));
    assert_eq!(serde_json::to_value(&update).unwrap(), json!({"notes": {"add": ["7 Accepted(true)"]}}));
    let refused = <Approve as Node<Order, u64>>::run(&order, &(), &Context::test(101)).await.into_step();
    assert!(refused.unwrap_err().to_string().contains("too much"));
}

fn resume(asked: serde_json::Value, answer: serde_json::Value) -> Result<(String, Answer<bool>), String> {
    match <Approve as Node<Order, u64>>::resume(&Order::default(), &(), &asked, &answer) {
        Ok((update, answer)) => Ok((serde_json::to_string(&update).unwrap(), answer)),
        Err(refused) => Err(format!("{refused:?}")),
    }
}

#[test]
fn an_answer_comes_back_as_json() {
    let asked = json!({"cents": 7});
    let accepted = resume(asked.clone(), json!({"action": "accept", "content": true})).unwrap();
    assert_eq!(accepted, (r#"{"notes":{"add":["7 Accepted(true)"]}}"#.to_owned(), Answer::Accepted(true)));
    assert_eq!(resume(asked.clone(), json!({"action": "decline"})).unwrap().1, Answer::Declined);
    assert_eq!(resume(asked, json!({"action": "cancel"})).unwrap().1, Answer::Cancelled);
}

#[test]
fn what_does_not_fit_is_refused_and_by_whose_fault() {
    let asked = json!({"cents": 7});
    for answer in [json!(null), json!({"action": "accept", "content": "yes"}), json!({"action": "accept"}), json!({"action": "shrug"})] {
        assert!(resume(asked.clone(), answer.clone()).unwrap_err().starts_with("Answer("), "{answer}");
    }
    assert!(resume(json!({"cents": 101}), json!({"action": "accept", "content": true})).unwrap_err().contains("too much"));
    assert!(resume(json!({"euros": 7}), json!({"action": "decline"})).unwrap_err().starts_with("Question("));
}

#[test]
fn it_tells_about_itself() {
    assert_eq!((<Approve as NodeMeta>::NAME, <Approve as NodeMeta>::DOCS), ("Approve", "Asks a manager."));
    assert_eq!((<Approve as NodeMeta>::ROLE, <Approve as NodeMeta>::PAUSES), (Role::Interrupt, true));
    let writes = <Approve as Node<Order, u64>>::WRITES;
    assert!(writes.has(0) && !writes.has(1));
    let _: graphwright::TypedAnswer = Approve::answer(Answer::Accepted(true));
}
