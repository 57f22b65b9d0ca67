//! One call that waits for somebody: the graph alone, and its parts.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use graphwright::agent::{
    self, Approval, ApproveCall, Call, CallState, HasTools, Ran, Reply, Tool, ToolGuard, ToolResult, ToolStatus, Toolset, Verdict, approve,
    open_calls, run_call,
};
use graphwright::prelude::*;
use graphwright::{Answer, EventKind, Mark, Node, NodeMeta, Thread};
use schemars::JsonSchema;
use serde_json::{Value, json};

use super::kit::{Desk, call, results};
use crate::common::Recorder;

#[derive(Clone)]
pub(super) struct Bank {
    tools: Toolset<Self>,
    limit: Arc<AtomicU64>,
    paid: Arc<AtomicU64>,
    ran: Arc<AtomicUsize>,
}

impl Bank {
    pub(super) fn new() -> Self {
        let tools = toolset![pay, close_account, balance, gift, ship].unwrap();
        Self { tools, limit: Arc::new(AtomicU64::new(100)), paid: Arc::default(), ran: Arc::default() }
    }

    fn paid(&self) -> u64 {
        self.paid.load(Ordering::Relaxed)
    }
}

impl HasTools for Bank {
    fn tools(&self) -> &Toolset<Self> {
        &self.tools
    }
}

#[derive(Deserialize, JsonSchema)]
struct Amount {
    cents: u64,
}

fn above_limit(amount: &Amount, cx: &Context<Bank>) -> bool {
    amount.cents > cx.deps().limit.load(Ordering::Relaxed)
}

/// Pays; above the limit somebody has to approve it.
#[tool(needs_approval = above_limit)]
async fn pay(amount: Amount, cx: &Context<Bank>) -> Result<String, ToolError> {
    cx.deps().paid.fetch_add(amount.cents, Ordering::Relaxed);
    Ok(format!("paid {}", amount.cents))
}

#[tool(needs_approval)]
async fn close_account(cx: &Context<Bank>) -> Result<(), ToolError> {
    cx.deps().ran.fetch_add(1, Ordering::Relaxed);
    Ok(())
}

#[tool]
fn balance() -> Result<u64, ToolError> {
    Ok(7)
}

fn is_large(amount: &Amount) -> bool {
    assert!(amount.cents != 13, "unlucky");
    amount.cents > 50
}

/// The predicate is of the arguments alone, and panics at thirteen.
#[tool(needs_approval = is_large)]
fn gift(amount: Amount) -> Result<u64, ToolError> {
    Ok(amount.cents)
}

/// Does not know where to.
#[tool]
async fn ship(cx: &Context<Bank>) -> Result<String, ToolError> {
    cx.deps().ran.fetch_add(1, Ordering::Relaxed);
    Err(ToolError::ask("Where to?"))
}

graph! { OneCall = agent::ToolCall<CallState, Bank>; }

/// A thread in which the model has called this.
async fn start(bank: &Bank, name: &str, arguments: Value) -> (Thread<OneCall>, Outcome<OneCall>) {
    let desk = Desk::default().and("go").and(Reply::text("").call(name, arguments));
    let thread = OneCall::app(bank.clone(), Memory::new()).thread("t");
    let outcome = thread.run(CallState::of(&desk.talk, &open_calls(&desk)[0])).await.unwrap();
    (thread, outcome)
}

fn asked(outcome: Outcome<OneCall>) -> graphwright::Open<approve> {
    let Some(Question::<OneCall>::approve(open)) = outcome.paused().expect("it asks").questions.into_iter().next() else {
        panic!("no question")
    };
    open
}

async fn decided(bank: &Bank, name: &str, arguments: Value, answer: Answer<Approval>) -> (ToolStatus, String) {
    let (thread, outcome) = start(bank, name, arguments).await;
    let open = asked(outcome);
    let given = match answer {
        Answer::Accepted(approval) => open.accept(approval),
        Answer::Declined => open.decline(),
        Answer::Cancelled => open.cancel(),
    };
    let done = thread.resume(given).await.unwrap().completed().expect("it is decided");
    let result = done.output.result();
    assert_eq!(result.name, name);
    (result.status, result.content)
}

#[tokio::test]
async fn what_needs_no_approval_runs_at_once() {
    let bank = Bank::new();
    for (name, arguments, content) in [
        ("balance", json!({}), "7"),
        ("pay", json!({ "cents": 100 }), "paid 100"),
        ("gift", json!({ "cents": 50 }), "50"),
        // What cannot run is put to nobody.
        ("pay", json!({ "cents": "x" }), "error: `cents`: invalid type: string \"x\", expected u64"),
        ("nothing", json!({}), "error: there is no tool `nothing`; there are: pay, close_account, balance, gift, ship"),
    ] {
        let (_, outcome) = start(&bank, name, arguments).await;
        assert_eq!(outcome.completed().expect("nobody is asked").output.result().content, content);
    }
    assert_eq!(bank.paid(), 100);
}

#[tokio::test]
async fn every_decision_gives_one_result() {
    let bank = Bank::new();
    let cents = || json!({ "cents": 101 });
    let cases = [
        (Answer::Accepted(Approval::Approve), ToolStatus::Ok, "paid 101"),
        (
            Answer::Accepted(Approval::Edit(json!({ "cents": 500 }))),
            ToolStatus::Ok,
            "It was called with other arguments: {\"cents\":500}\npaid 500",
        ),
        (Answer::Accepted(Approval::Edit(cents())), ToolStatus::Ok, "paid 101"),
        (Answer::Accepted(Approval::Reject("too much".into())), ToolStatus::Rejected, "`pay` was rejected: too much"),
        (Answer::Accepted(Approval::Reject(" ".into())), ToolStatus::Rejected, "`pay` was rejected. Go on without it."),
        (Answer::Accepted(Approval::Respond("I paid it myself".into())), ToolStatus::NotExecuted, "I paid it myself"),
        (Answer::Declined, ToolStatus::Rejected, "`pay` was declined. Go on without it."),
        (Answer::Cancelled, ToolStatus::NotAnswered, "`pay` has no result: nobody decided on it. Go on without it."),
    ];
    for (answer, status, content) in cases {
        assert_eq!(decided(&bank, "pay", cents(), answer).await, (status, content.to_owned()));
    }
    assert_eq!(bank.paid(), 101 + 500 + 101, "what was approved is what ran, and nothing else");
}

#[tokio::test]
async fn the_question_names_call_tool_arguments_and_digest() {
    let (_, outcome) = start(&Bank::new(), "pay", json!({ "cents": 101 })).await;
    let open = asked(outcome);
    let question = &open.question;
    assert_eq!((question.tool(), question.arguments(), question.asks()), ("pay", &json!({ "cents": 101 }), None));
    assert_eq!(question.digest(), call(question.tool_call_id(), "pay", json!({ "cents": 101 })).digest());
    let stored = serde_json::to_value(question).unwrap();
    assert_eq!(stored["type"], "approve");
    assert_eq!(stored.as_object().unwrap().len(), 5, "{stored}");
}

#[test]
fn a_digest_is_of_id_tool_and_arguments() {
    let digest = |id: &str, name: &str, arguments: Value| call(id, name, arguments).digest();
    let one = digest("a", "pay", json!({ "x": 1, "y": 2 }));
    assert_eq!(one, digest("a", "pay", serde_json::from_str(r#"{"y":2,"x":1}"#).unwrap()));
    for other in [
        digest("b", "pay", json!({ "x": 1, "y": 2 })),
        digest("a", "gift", json!({ "x": 1, "y": 2 })),
        digest("a", "pay", json!({ "x": 1, "y": 3 })),
    ] {
        assert_ne!(one, other);
    }
}

#[tokio::test]
async fn answers_that_do_not_fit_are_refused_and_the_question_stays_open() {
    let bank = Bank::new();
    let (thread, outcome) = start(&bank, "pay", json!({ "cents": 101 })).await;
    let open = asked(outcome);
    let deep = (0..100).fold(json!(1), |inner, _| json!({ "x": inner }));
    let long = "x".repeat(agent::MAX_RESULT_BYTES + 1);
    for answer in [
        Approval::Edit(json!(null)),
        Approval::Edit(json!([500])),
        Approval::Edit(deep),
        Approval::Edit(json!({ "x": long })),
        Approval::Reject(long.clone()),
        Approval::Respond(long),
        Approval::Respond("  ".to_owned()),
    ] {
        let error = thread.answer(open.accept(answer)).await.unwrap_err();
        assert!(matches!(error, RunError::BadAnswer(_)), "{error:?}");
    }
    assert!(thread.resume(open.accept(Approval::Approve)).await.unwrap().completed().is_some());
    assert_eq!(bank.paid(), 101);
}

#[tokio::test]
async fn edited_arguments_that_the_tool_does_not_take_are_a_result_and_nothing_runs() {
    let bank = Bank::new();
    let answer = Answer::Accepted(Approval::Edit(json!({ "cents": -1 })));
    let (status, content) = decided(&bank, "pay", json!({ "cents": 101 }), answer).await;
    assert_eq!((status, bank.paid()), (ToolStatus::Error, 0));
    assert!(content.ends_with("error: `cents`: invalid value: integer `-1`, expected u64"), "{content}");
}

/// A state as a commit would leave it.
fn state(of: &Call, approved: Option<&str>) -> CallState {
    let state = json!({ "call": of, "ran": [], "approved": approved, "asks": null, "edited": false, "result": null });
    serde_json::from_value(state).unwrap()
}

async fn run(state: &CallState, bank: &Bank) -> ToolResult {
    let (update, ran) = run_call(state, &Context::test(bank.clone())).await;
    assert_eq!(ran, Ran::Done);
    let mut state = state.clone();
    update.apply_to(&mut state);
    state.result()
}

#[tokio::test]
async fn what_was_approved_is_what_runs() {
    let bank = Bank::new();
    let asked_about = call("c", "pay", json!({ "cents": 101 }));
    let digest = asked_about.digest();
    let changed = [
        call("c", "pay", json!({ "cents": 102 })),
        call("d", "pay", json!({ "cents": 101 })),
        // It would need no approval, but it is not what was approved.
        call("c", "pay", json!({ "cents": 1 })),
        call("c", "balance", json!({})),
    ];
    for call in &changed {
        let result = run(&state(call, Some(&digest)), &bank).await;
        assert_eq!(
            (result.status, result.content),
            (ToolStatus::Rejected, format!("`{}` did not run: it is not what was approved.", call.name))
        );
    }
    let unapproved = run(&state(&asked_about, None), &bank).await;
    assert_eq!(unapproved.content, "`pay` did not run: somebody has to approve it, and nobody did.");
    assert_eq!(bank.paid(), 0);
    assert_eq!(run(&state(&asked_about, Some(&digest)), &bank).await.status, ToolStatus::Ok);
}

#[tokio::test]
async fn an_answer_about_other_arguments_is_refused() {
    let bank = Bank::new();
    let shown = call("c", "pay", json!({ "cents": 101 }));
    let asking = ask(&state(&shown, None), &bank).await.expect("it asks");
    let changed = state(&call("c", "pay", json!({ "cents": 9_999 })), None);
    let answer = serde_json::to_value(Answer::Accepted(Approval::Approve)).unwrap();
    let refused = <approve as Node<CallState, Bank>>::resume(&changed, &(), &asking, &answer).err().map(|refused| format!("{refused:?}"));
    assert!(refused.as_ref().is_some_and(|refused| refused.contains("its arguments changed")), "{refused:?}");
    assert!(<approve as Node<CallState, Bank>>::resume(&state(&shown, None), &(), &asking, &answer).is_ok());
}

/// The question, if there is one.
async fn ask(state: &CallState, bank: &Bank) -> Option<Value> {
    use graphwright::__private::{IntoStep, Step};
    let ret = <approve as Node<CallState, Bank>>::run(state, &(), &Context::test(bank.clone())).await;
    match IntoStep::<CallState, approve>::into_step(ret).unwrap() {
        Step::Ask(asking) => Some(asking.question),
        Step::Done(..) => None,
    }
}

#[tokio::test]
async fn a_call_that_was_free_and_is_not_any_more_does_not_run() {
    let bank = Bank::new();
    let free = state(&call("c", "pay", json!({ "cents": 100 })), None);
    assert!(ask(&free, &bank).await.is_none());
    // Between the two steps the limit was lowered: by another process, or by a deploy.
    bank.limit.store(10, Ordering::Relaxed);
    assert_eq!(run(&free, &bank).await.status, ToolStatus::Rejected);
    assert_eq!(bank.paid(), 0);
}

#[tokio::test]
async fn a_predicate_that_panics_wants_an_approval() {
    let bank = Bank::new();
    assert!(ask(&state(&call("c", "gift", json!({ "cents": 13 })), None), &bank).await.is_some());
    assert!(ask(&state(&call("c", "gift", json!({ "cents": 12 })), None), &bank).await.is_none());
}

#[tokio::test]
async fn outside_of_the_approval_path_such_a_call_is_refused() {
    let bank = Bank::new();
    let (recorder, cx) = Recorder::new(bank.clone());
    let desk = Desk::default().and("go").and(Reply::text("").call("close_account", json!({})).call("balance", json!({})));
    let desk = desk.clone().and(bank.tools.call_open(&desk.talk, &cx).await);
    let expected = [
        ("close_account", ToolStatus::Rejected, "`close_account` did not run: somebody has to approve it, and nobody did."),
        ("balance", ToolStatus::Ok, "7"),
    ];
    assert_eq!(results(&desk.talk), expected);
    assert_eq!(bank.tools.call(&call("c", "close_account", json!({})), &cx).await.status, ToolStatus::Rejected);
    assert_eq!(bank.ran.load(Ordering::Relaxed), 0);
    let began = recorder.kinds().iter().filter(|kind| matches!(kind, EventKind::ToolStarted { .. })).count();
    assert_eq!(began, 1, "what was refused never began");
}

#[tokio::test]
async fn an_interrupt_of_ones_own_approves_by_digests() {
    let bank = Bank::new();
    let cx = Context::test(bank.clone());
    let pays = |cents: u64| json!({ "cents": cents });
    let desk = Desk::default().and("go").and(Reply::text("").call("pay", pays(500)).call("pay", pays(700)).call("balance", json!({})));
    let shown = open_calls(&desk);
    let other = call(&shown[1].id, "pay", pays(701));
    let results = bank.tools.call_approved(&desk.talk, &[shown[0].digest(), other.digest()], &cx).await;
    let statuses: Vec<ToolStatus> = results.iter().map(|result| result.status).collect();
    assert_eq!(statuses, [ToolStatus::Ok, ToolStatus::Rejected, ToolStatus::Ok]);
    assert_eq!(bank.paid(), 500);
}

#[test]
fn the_flag_is_there_for_types_and_at_run_time() {
    const { assert!(<pay as Tool<Bank>>::NEEDS_APPROVAL && <close_account as Tool<Bank>>::NEEDS_APPROVAL && <gift as Tool<()>>::NEEDS_APPROVAL) };
    const { assert!(!<balance as Tool<Bank>>::NEEDS_APPROVAL) };
    let (bank, cx) = (Bank::new(), Context::test(Bank::new()));
    let needs = |name: &str, arguments: Value| bank.tools.needs_approval(&call("c", name, arguments), &cx);
    assert!(needs("close_account", json!({})) && needs("pay", json!({ "cents": 101 })) && needs("gift", json!({ "cents": 51 })));
    assert!(!needs("balance", json!({})) && !needs("pay", json!({ "cents": 100 })) && !needs("gift", json!({ "cents": 50 })));
}

/// Runs what is on the list: a node of one's own.
#[node(tools(pay, balance))]
async fn pays(_: &Desk, _: &Context<Bank>) {}
#[node(tools(balance))]
async fn looks(_: &Desk, _: &Context<Bank>) {}
#[node(tools, needs_approval)]
async fn says_so(_: &Desk) {}

#[test]
fn what_the_checker_knows_of_the_parts() {
    const { assert!(<pays as NodeMeta>::NEEDS_APPROVAL && <says_so as NodeMeta>::NEEDS_APPROVAL && <run_call as NodeMeta>::NEEDS_APPROVAL) };
    const { assert!(!<looks as NodeMeta>::NEEDS_APPROVAL && !<agent::tools as NodeMeta>::NEEDS_APPROVAL) };
    const { assert!(<approve as NodeMeta>::APPROVES && !<agent::elicitation as NodeMeta>::APPROVES) };
    const { assert!(<agent::ToolCall as NodeMeta>::PAUSES) };
}

#[tokio::test]
async fn b070_a_tool_asks_and_the_answer_is_its_result() {
    let bank = Bank::new();
    let (thread, outcome) = start(&bank, "ship", json!({})).await;
    let open = asked(outcome);
    assert_eq!((open.question.tool(), open.question.asks()), ("ship", Some("Where to?")));
    // It has run: there is nothing to approve any more.
    for answer in [Approval::Approve, Approval::Edit(json!({}))] {
        let error = thread.answer(open.accept(answer)).await.unwrap_err();
        assert!(error.to_string().contains("respond, or reject"), "{error}");
    }
    let done = thread.resume(open.accept(Approval::Respond("To Berlin.".into()))).await.unwrap().completed().expect("it is answered");
    let result = done.output.result();
    assert_eq!((result.status, result.content.as_str()), (ToolStatus::Ok, "To Berlin."));
    assert_eq!(bank.ran.load(Ordering::Relaxed), 1, "nothing before the pause runs twice");
}

#[tokio::test]
async fn b070_where_nobody_can_be_asked_the_model_is_told() {
    let bank = Bank::new();
    let (recorder, cx) = Recorder::new(bank.clone());
    let result = bank.tools.call(&call("c", "ship", json!({})), &cx).await;
    assert_eq!((result.status, result.content.contains("nobody can be asked")), (ToolStatus::Error, true));
    let ended = EventKind::ToolEnded { call: "c".to_owned(), tool: "ship".to_owned(), outcome: Mark::Paused };
    assert_eq!(recorder.kinds().last(), Some(&ended));
}

#[tokio::test]
async fn a_guard_sees_what_was_edited_and_has_the_last_word() {
    struct NoThousands;
    impl ToolGuard<Bank> for NoThousands {
        async fn before_tool(&self, call: &Call, _: &Context<Bank>) -> Result<Verdict, NodeError> {
            let large = call.arguments["cents"].as_u64().is_some_and(|cents| cents >= 1_000);
            Ok(if large { Verdict::Skip { result: "never".to_owned() } } else { Verdict::Proceed })
        }
    }
    let mut bank = Bank::new();
    bank.tools = bank.tools.guarded(NoThousands);
    let answer = Answer::Accepted(Approval::Edit(json!({ "cents": 1_000 })));
    let (status, content) = decided(&bank, "pay", json!({ "cents": 101 }), answer).await;
    assert_eq!((status, bank.paid()), (ToolStatus::Rejected, 0));
    assert!(content.ends_with("never"), "{content}");
}

#[tokio::test]
async fn what_is_blocked_is_put_to_nobody() {
    let mut bank = Bank::new();
    bank.tools = bank.tools.requires::<close_account, balance>().unwrap();
    let (_, outcome) = start(&bank, "close_account", json!({})).await;
    assert_eq!(outcome.completed().expect("nobody is asked").output.result().status, ToolStatus::Rejected);
}

#[test]
fn nothing_of_the_arguments_is_shown_by_debug() {
    const SECRET: &str = "s3cr3t";
    let call = call("c", "pay", json!({ "note": SECRET }));
    let mut asked: Value = json!({ "type": "approve", "tool_call_id": "c", "tool": "pay", "arguments": call.arguments, "digest": "d" });
    asked["asks"] = json!(SECRET);
    let question: ApproveCall = serde_json::from_value(asked).unwrap();
    let state: CallState = serde_json::from_value(json!({
        "call": call, "ran": [], "approved": null, "asks": SECRET, "edited": false,
        "result": { "call": "c", "name": "pay", "status": "ok", "content": SECRET },
    }))
    .unwrap();
    let desk = Desk::default().and(SECRET);
    let shown = [
        format!("{call:?} {question:?} {state:?} {:?} {desk:?}", CallState::of(&desk.talk, &call)),
        format!("{:?}", [Approval::Edit(json!(SECRET)), Approval::Reject(SECRET.into()), Approval::Respond(SECRET.into())]),
        format!("{:?} {:?}", Reply::text(SECRET).call("pay", json!({ "note": SECRET })), desk.talk.messages().collect::<Vec<_>>()),
        format!("{:?} {:?}", state.result(), agent::Part::CallDelta { index: 0, arguments: SECRET.into() }),
        format!("{:?}", ToolError::ask(SECRET)),
    ];
    for shown in shown {
        assert!(!shown.contains(SECRET) && shown.len() > 10, "{shown}");
    }
}

#[test]
fn the_router_gives_the_open_calls_of_the_last_message_in_order() {
    let desk = Desk::default().and("go");
    assert!(open_calls(&desk).is_empty());
    let desk = desk.and(Reply::text("").call("a", json!({})).call("b", json!({})).call("c", json!({})));
    let names = |desk: &Desk| open_calls(desk).into_iter().map(|call| call.name).collect::<Vec<_>>();
    assert_eq!(names(&desk), ["a", "b", "c"]);
    let b = open_calls(&desk)[1].clone();
    let desk = desk.and(ToolResult::new(&b, ToolStatus::Ok, "b"));
    assert_eq!(names(&desk), ["a", "c"]);
    // What an earlier message left open is not this one's.
    let desk = desk.and(Reply::text("").call("d", json!({})));
    assert_eq!(names(&desk), ["d"]);
    let desk = desk.and(Reply::text("done"));
    assert!(open_calls(&desk).is_empty());
}

#[tokio::test]
async fn futures_of_the_parts_can_be_spawned() {
    fn send<T: Send>(_: T) {}
    let (state, cx) = (state(&call("c", "balance", json!({})), None), Context::test(Bank::new()));
    send(run_call(&state, &cx));
    send(<approve as Node<CallState, Bank>>::run(&state, &(), &cx));
}
