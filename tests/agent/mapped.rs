//! The calls of one message, each by itself: the graph of one call, mounted for every call.

use std::sync::{Arc, Mutex};

use graphwright::agent::{
    self, Approval, ApproveCall, Conversation, HasModel, HasTools, Message, Model, NoArgs, Reply, Scripted, ToolStatus, Toolset, approve,
    ask_user_pending, elicitation, react,
};
use graphwright::prelude::*;
use graphwright::store::Checkpointer;
use graphwright::{Answer, Given, OnPaused, Open, StopReason, Thread, Token};
use schemars::JsonSchema;
use serde_json::json;

use super::kit::results;

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, State)]
struct Ticket {
    #[state(conversation)]
    talk: Conversation,
}

#[derive(Clone)]
struct Bank {
    model: Model,
    tools: Toolset<Self>,
    /// What was done, with the key it was done under.
    ledger: Arc<Mutex<Vec<(String, String)>>>,
    /// Tools that somebody was told of, with the token.
    told: Arc<Mutex<Vec<(String, Token)>>>,
}

impl HasModel for Bank {
    fn model(&self) -> &Model {
        &self.model
    }
}

impl HasTools for Bank {
    fn tools(&self) -> &Toolset<Self> {
        &self.tools
    }

    fn approvers(&self, asked: &ApproveCall) -> Vec<String> {
        vec![format!("{} desk", asked.tool())]
    }

    async fn notify_approvers(asked: &ApproveCall, token: &Token, cx: &Context<Self>) -> Result<(), NodeError> {
        cx.deps().told.lock().unwrap().push((asked.tool().to_owned(), token.clone()));
        Ok(())
    }
}

#[derive(Deserialize, JsonSchema)]
struct Amount {
    cents: u64,
}

fn is_large(amount: &Amount) -> bool {
    amount.cents > 100
}

/// Pays; large amounts somebody has to approve.
#[tool(needs_approval = is_large)]
async fn pay(amount: Amount, cx: &Context<Bank>) -> Result<String, ToolError> {
    cx.deps().note(format!("paid {}", amount.cents), cx);
    Ok(format!("paid {}", amount.cents))
}

#[tool]
async fn balance(cx: &Context<Bank>) -> Result<String, ToolError> {
    // Behind those that ask.
    for _ in 0..20 {
        tokio::task::yield_now().await;
    }
    cx.deps().note("balance".to_owned(), cx);
    Ok("7".to_owned())
}

/// Does not know where to.
#[tool]
async fn ship(_args: NoArgs, cx: &Context<Bank>) -> Result<String, ToolError> {
    cx.deps().note("ship".to_owned(), cx);
    Err(ToolError::ask("Where to?"))
}

impl Bank {
    fn of(script: &Scripted) -> Self {
        Self {
            model: Model::new(script.clone()),
            tools: toolset![pay, balance, ship].unwrap(),
            ledger: Arc::default(),
            told: Arc::default(),
        }
    }

    fn note(&self, what: String, cx: &Context<Self>) {
        self.ledger.lock().unwrap().push((what, cx.idempotency_key()));
    }

    fn done(&self) -> Vec<String> {
        let mut done: Vec<String> = self.ledger.lock().unwrap().iter().map(|(what, _)| what.clone()).collect();
        done.sort();
        done
    }
}

graph! {
    /// Asks for each call that needs it.
    #[graph(steps = 200)]
    Support(Ticket, Bank) {
        start -> react;
        react -> elicitation if ask_user_pending;
        react -> match agent::tool_calls {
            Finish => end,
            Continue => each agent::open_calls { tool_call } -> react,
            Repeating => agent::close_repeating,
        };
        elicitation -> react;
        close_repeating -> end repeating;

        tool_call: graph agent::ToolCall;
    }
}

type Q = Question<Support>;

/// A front end that approves everything: the question of a call is that of any interrupt, and nothing else asks.
fn yes(question: Q) -> Given {
    match question {
        Q::elicitation(q) => q.decline(),
        Q::tool_call(q) => q.accept(Approval::Approve),
    }
}

fn calls(cents: &[u64]) -> Reply {
    cents.iter().fold(Reply::text(""), |reply, cents| reply.call("pay", json!({ "cents": cents })))
}

fn thread(bank: &Bank, store: impl Checkpointer) -> Thread<Support> {
    Support::app(bank.clone(), store).on_paused(OnPaused::Abandon).thread("t")
}

fn questions(outcome: Outcome<Support>) -> Vec<Open<approve>> {
    let asked = |question| match question {
        Q::tool_call(q) => q,
        _ => panic!("another question"),
    };
    outcome.paused().expect("it asks").questions.into_iter().map(asked).collect()
}

fn cents(open: &Open<approve>) -> u64 {
    open.question.arguments()["cents"].as_u64().unwrap()
}

/// Every result, without what it says.
fn statuses(talk: &Conversation) -> Vec<(&str, ToolStatus)> {
    results(talk).into_iter().map(|(name, status, _)| (name, status)).collect()
}

/// What a strict provider takes: every result directly behind its message, one for each call, in their order.
fn strict(messages: &[Message]) {
    let mut rest = messages.iter().peekable();
    while let Some(message) = rest.next() {
        assert!(!matches!(message, Message::Tool(_)), "a result of nothing");
        for call in message.calls() {
            let Some(Message::Tool(result)) = rest.next() else { panic!("{call:?} has no result") };
            assert_eq!(result.call, call.id);
        }
    }
}

#[tokio::test]
async fn several_calls_are_asked_at_once_each_by_itself() {
    let script = Scripted::new([calls(&[500, 50, 700, 900]), Reply::text("Done.")]);
    let bank = Bank::of(&script);
    let thread = thread(&bank, Memory::new());
    let asked = questions(thread.run("pay them all").await.unwrap());
    assert_eq!(asked.iter().map(cents).collect::<Vec<_>>(), [500, 700, 900]);
    assert_eq!(bank.done(), ["paid 50"], "what needs no approval does not wait");

    // In any order, and nothing else runs again.
    let asked = questions(thread.resume(asked[2].accept(Approval::Reject("no".into()))).await.unwrap());
    assert_eq!(asked.iter().map(cents).collect::<Vec<_>>(), [500, 700]);
    let asked = questions(thread.resume(asked[1].accept(Approval::Approve)).await.unwrap());
    assert_eq!((asked.len(), bank.done()), (1, vec!["paid 50".to_owned(), "paid 700".to_owned()]));
    assert_eq!(script.calls(), 1, "the model hears of it when all are decided");
    let edit = asked[0].accept(Approval::Edit(json!({ "cents": 400 })));
    let done = thread.resume(edit).await.unwrap().completed().expect("all are decided");

    assert_eq!(bank.done(), ["paid 400", "paid 50", "paid 700"]);
    let expected = ["It was called with other arguments: {\"cents\":400}\npaid 400", "paid 50", "paid 700", "`pay` was rejected: no"];
    assert_eq!(results(&done.output.talk).into_iter().map(|(_, _, content)| content).collect::<Vec<_>>(), expected);
    strict(&script.requests()[1].messages);
    let keys: std::collections::BTreeSet<String> = bank.ledger.lock().unwrap().iter().map(|(_, key)| key.clone()).collect();
    assert_eq!(keys.len(), 3, "each call has a key of its own");
}

#[tokio::test]
async fn all_answers_at_once_and_in_another_process() {
    let script = Scripted::new([calls(&[500, 700]), Reply::text("Done.")]);
    let (bank, store) = (Bank::of(&script), Memory::new());
    let _ = questions(thread(&bank, store.clone()).run("pay them").await.unwrap());
    // Another process finds the questions, takes the answers and runs nothing; a third one goes on.
    let thread_2 = thread(&bank, store.clone());
    let open = thread_2.pending().await.unwrap();
    let given: Vec<Given> = open.into_iter().map(yes).collect();
    thread_2.answer(given.clone()).await.unwrap();
    assert_eq!(bank.done(), [""; 0]);
    let spent = thread_2.answer(given).await.unwrap_err();
    assert!(matches!(spent, RunError::Spent { same_answer: true, .. }), "{spent:?}");
    let done = thread(&bank, store).proceed().await.unwrap().completed().expect("it goes on");
    assert_eq!(bank.done(), ["paid 500", "paid 700"]);
    assert_eq!(statuses(&done.output.talk), [("pay", ToolStatus::Ok); 2]);
}

#[tokio::test]
async fn a_second_round_asks_again_for_the_same_arguments() {
    let script = Scripted::new([calls(&[500]), calls(&[500]), Reply::text("Done.")]);
    let bank = Bank::of(&script);
    let thread = thread(&bank, Memory::new());
    let first = questions(thread.run("pay twice").await.unwrap()).remove(0);
    let second = questions(thread.resume(first.accept(Approval::Approve)).await.unwrap()).remove(0);
    assert_ne!(first.question.digest(), second.question.digest(), "an approval is of one call");
    let late = thread.answer(first.accept(Approval::Approve)).await.unwrap_err();
    assert!(matches!(late, RunError::Spent { .. }), "{late:?}");
    assert_eq!(bank.done(), ["paid 500"]);
    let done = thread.resume(second.decline()).await.unwrap().completed().expect("it ends");
    assert_eq!(statuses(&done.output.talk), [("pay", ToolStatus::Ok), ("pay", ToolStatus::Rejected)]);
    strict(&script.requests()[2].messages);
}

/// A model that asks for the same call again and again, and a person who refuses it each time.
#[tokio::test]
async fn b29_a_call_that_is_refused_and_made_again_comes_to_an_end() {
    let script = Scripted::by(|_| calls(&[500]));
    let bank = Bank::of(&script);
    let thread = thread(&bank, Memory::new());
    let mut outcome = thread.run("pay").await.unwrap();
    let mut refused = 0;
    let stopped = loop {
        outcome = match outcome {
            Outcome::Paused(paused) => {
                refused += 1;
                assert!(refused < 10, "it asks without end");
                let [Q::tool_call(open)] = &paused.questions[..] else { panic!("one call is asked about") };
                thread.resume(open.accept(Approval::Reject("no".into()))).await.unwrap()
            }
            Outcome::Stopped(stopped) => break stopped,
            Outcome::Completed(_) => panic!("the model never stops by itself"),
        };
    };
    assert_eq!((stopped.reason, refused, bank.done()), (StopReason::Repeating, 2, Vec::new()));
    let results = results(&stopped.state.talk);
    assert!(results.iter().all(|(name, status, _)| *name == "pay" && *status != ToolStatus::Ok), "{results:?}");
    strict(&stopped.state.talk.messages().cloned().collect::<Vec<_>>());
    assert!(thread.run("something else").await.is_ok(), "the thread takes another turn");
}

#[tokio::test]
async fn b070_a_tool_asks_before_another_model_call_and_its_siblings_run() {
    let reply = Reply::text("").call("ship", json!({})).call("balance", json!({})).call("pay", json!({ "cents": 7 }));
    let script = Scripted::new([reply, Reply::text("Shipped.")]);
    let bank = Bank::of(&script);
    let thread = thread(&bank, Memory::new());
    let asked = questions(thread.run("ship it").await.unwrap());
    assert_eq!(asked.iter().map(|open| open.question.asks()).collect::<Vec<_>>(), [Some("Where to?")]);
    assert_eq!((script.calls(), bank.done()), (1, vec!["balance".to_owned(), "paid 7".to_owned(), "ship".to_owned()]));
    let done = thread.resume(asked[0].accept(Approval::Respond("To Berlin.".into()))).await.unwrap().completed().expect("it goes on");
    let expected = [("ship", ToolStatus::Ok, "To Berlin."), ("balance", ToolStatus::Ok, "7"), ("pay", ToolStatus::Ok, "paid 7")];
    assert_eq!(results(&done.output.talk), expected);
    assert_eq!((script.calls(), bank.done().len()), (2, 3), "nothing before the pause ran twice");
}

#[tokio::test]
async fn a_new_turn_closes_what_nobody_decided_and_nothing_runs() {
    let script = Scripted::new([calls(&[500, 50, 700]), Reply::text("Fine.")]);
    let bank = Bank::of(&script);
    let thread = thread(&bank, Memory::new());
    let asked = questions(thread.run("pay them").await.unwrap());
    let done = thread.run("forget it").await.unwrap().completed().expect("the new turn runs");
    assert_eq!(statuses(&done.output.talk), [("pay", ToolStatus::NotAnswered), ("pay", ToolStatus::Ok), ("pay", ToolStatus::NotAnswered)]);
    strict(&script.requests()[1].messages);
    let late = thread.answer(asked[0].accept(Approval::Approve)).await.unwrap_err();
    assert!(matches!(late, RunError::Superseded), "{late:?}");
    assert_eq!(bank.done(), ["paid 50"]);
}

#[tokio::test]
async fn every_decision_of_every_call_gives_every_call_one_result() {
    let decide = |open: &Open<approve>, dice: usize| match dice {
        0 => open.accept(Approval::Approve),
        1 => open.accept(Approval::Edit(json!({ "cents": 1 }))),
        2 => open.accept(Approval::Reject("no".into())),
        3 => open.accept(Approval::Respond("it is paid".into())),
        4 => open.decline(),
        _ => open.cancel(),
    };
    let mut seen = 0;
    for dice in 0..36 {
        let script = Scripted::new([calls(&[500, 50, 700]), Reply::text("Done.")]);
        let bank = Bank::of(&script);
        let thread = thread(&bank, Memory::new());
        let asked = questions(thread.run("pay them").await.unwrap());
        let (first, last) = (decide(&asked[0], dice % 6), decide(&asked[1], dice / 6));
        // The later one first, and the earlier one first.
        let order = if dice % 2 == 0 { [first, last] } else { [last, first] };
        let mut done = None;
        for given in order {
            done = thread.resume(given).await.unwrap().completed();
        }
        let talk = done.expect("both are decided").output.talk;
        assert_eq!(statuses(&talk).len(), 3, "{dice}");
        strict(&talk.messages().cloned().collect::<Vec<_>>());
        let ran = [dice % 6, dice / 6].into_iter().filter(|dice| *dice < 2).count();
        assert_eq!(bank.done().len(), 1 + ran, "{dice}");
        seen += 1;
    }
    assert_eq!(seen, 36);
}

#[tokio::test]
async fn an_approval_comes_by_a_token_as_well() {
    let script = Scripted::new([calls(&[500, 700]), Reply::text("Done.")]);
    let bank = Bank::of(&script);
    let keys = graphwright::KeyRing::new(1, [7; 32]).unwrap();
    let app = Support::app(bank.clone(), Memory::new()).keys(keys);
    let asked = questions(app.thread("t").run("pay them").await.unwrap());
    let token = app.token("t", asked[0].id()).await.unwrap();
    app.redeem(&token, approve::answer(Answer::Accepted(Approval::Approve))).await.unwrap();
    assert!(app.redeem(&token, approve::answer(Answer::Accepted(Approval::Approve))).await.is_err(), "it is spent");
    let json = json!({ "action": "accept", "content": { "reject": "too much" } });
    let token = app.token("t", asked[1].id()).await.unwrap();
    let redeemed = app.redeem(&token, json).await.unwrap();
    let done = redeemed.thread.proceed().await.unwrap().completed().expect("both are decided");
    assert_eq!(statuses(&done.output.talk), [("pay", ToolStatus::Ok), ("pay", ToolStatus::Rejected)]);
    assert_eq!(bank.done(), ["paid 500"]);
}

#[tokio::test]
async fn the_user_is_asked_before_any_call_and_then_the_calls_are() {
    let options = json!([{ "label": "red", "description": "" }, { "label": "blue", "description": "" }]);
    let question = json!({ "question": "Which colour?", "header": "Colour", "options": options });
    let asks = calls(&[500]).call("ask_user", json!({ "questions": [question] }));
    let script = Scripted::new([asks, calls(&[500]), Reply::text("Done.")]);
    let bank = Bank::of(&script);
    let thread = thread(&bank, Memory::new());
    let paused = thread.run("a mug").await.unwrap().paused().expect("the user is asked");
    let [Q::elicitation(open)] = &paused.questions[..] else { panic!("another question") };
    let asked = questions(thread.resume(open.decline()).await.unwrap());
    let done = thread.resume(asked[0].accept(Approval::Approve)).await.unwrap().completed().expect("it ends");
    let expected = [("pay", ToolStatus::NotExecuted), ("ask_user", ToolStatus::NotAnswered), ("pay", ToolStatus::Ok)];
    assert_eq!(statuses(&done.output.talk), expected);
    assert_eq!(bank.done(), ["paid 500"]);
}

#[tokio::test]
async fn whoever_should_decide_is_told_and_finds_it_in_the_inbox() {
    let script = Scripted::new([calls(&[500, 50, 700]), Reply::text("Done.")]);
    let bank = Bank::of(&script);
    let keys = graphwright::KeyRing::new(1, [7; 32]).unwrap();
    let app = Support::app(bank.clone(), Memory::new()).keys(keys);
    let asked = questions(app.thread("t").run("pay them").await.unwrap());
    assert_eq!(asked[0].labels(), ["pay desk"]);
    assert_eq!(app.pending().to("pay desk").list().await.unwrap().waiting.len(), 2);
    assert_eq!(app.pending().to("ship desk").list().await.unwrap().waiting.len(), 0);
    assert_eq!(app.sweep().await.unwrap().delivered, 2);
    let told = std::mem::take(&mut *bank.told.lock().unwrap());
    assert_eq!(told.len(), 2);
    for (tool, token) in &told {
        assert_eq!(tool, "pay");
        app.redeem(token, approve::answer(Answer::Accepted(Approval::Approve))).await.unwrap();
    }
    let done = app.thread("t").proceed().await.unwrap().completed().expect("both are decided");
    assert_eq!(statuses(&done.output.talk), [("pay", ToolStatus::Ok); 3]);
}
