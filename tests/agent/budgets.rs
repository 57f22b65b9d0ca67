//! What models cost, in tokens and in money: counted over branches, mounted graphs, failures, pauses and crashes, and bounded.

use graphwright::agent::{Message, Model, Reply, Scripted};
use graphwright::prelude::*;
use graphwright::store::Checkpointer;
use graphwright::testing::{Listener, Recording};
use graphwright::{Budget, EventKind, GraphExt, StopReason, Turn, Usage};

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, State)]
pub struct Desk {
    #[state(append)]
    notes: Vec<String>,
    #[state(sum)]
    rounds: u64,
}

/// Each call reads 30 tokens and writes 10, and a million cost 2 to read and 4 to write: a call costs 100 millionths.
fn model() -> Model {
    Model::new(Scripted::by(|_| Reply::text("so").costing(Usage::new(30, 10)))).priced(2.0, 4.0)
}

const CALL: Usage = Usage::new(30, 10).costing(100);

fn calls(count: u64) -> Usage {
    (0..count).fold(Usage::default(), |sum, _| sum.and(CALL))
}

async fn call(cx: &Context<Model>) -> Result<Reply, NodeError> {
    let talk = [Message::user("What?")];
    Ok(cx.deps().chat(&talk).send(cx).await?)
}

#[node(model, writes(notes))]
async fn think(_: &Desk, cx: &Context<Model>) -> NodeResult<think> {
    Ok(Desk::update().notes([call(cx).await?.text]))
}

/// Pays for two calls, of which one comes to nothing.
#[node(model, writes(notes))]
async fn stumble(_: &Desk, cx: &Context<Model>) -> NodeResult<stumble> {
    call(cx).await?;
    if cx.attempt() == 1 {
        return Err(NodeError::transient("the line is dead"));
    }
    Ok(Desk::update().notes(["stumbled"]))
}

#[node(writes(rounds))]
fn count(_: &Desk, _: &Context<Model>) -> Update<Desk, count> {
    Desk::update().rounds(1_u64)
}

/// As a router of a turn sees it.
#[router]
fn is_dear(_: &Desk, turn: &Turn) -> bool {
    turn.usage().cost >= 900
}

#[router]
fn items(_: &Desk) -> Vec<u32> {
    (0..3).collect()
}

graph! {
    pub Part(Desk, Model) {
        start -> think -> again -> end;
        again: think;
    }
}

// Two in branches, one of them by a mounted graph's two; one for each of three items; two of one that fails once: nine calls
// in a round, and then the router has had enough.
graph! {
    pub Dear(Desk, Model) {
        start -> [think, part, stumble] -> each items { item } -> count;
        count -> end dear if is_dear;
        count -> extra -> count;

        part: graph Part;
        item: think;
        extra: think;
        stumble: retry(2, backoff(1ms));
    }
}

async fn on(store: impl Checkpointer) {
    let heard = Listener::default();
    let app = Dear::app(model(), store).observe(heard.clone());
    let thread = app.thread("t");
    let done = thread.run(Desk::update()).await.unwrap().completed().unwrap();
    // One of `think`, two of `part`, two of `stumble`, three of `item`; `extra` makes nine.
    assert_eq!((done.usage, format!("{:?}", done.exit)), (calls(9), "dear".to_owned()));
    let told = heard.kinds().into_iter().filter(|kind| *kind == EventKind::Usage(CALL)).count();
    assert_eq!(told, 9, "each is told where it was spent");
    Recording::of(&thread).await.unwrap().replay::<Dear>().unwrap();
    let again = thread.run(Desk::update()).await.unwrap().completed().unwrap();
    assert_eq!(again.usage, calls(9), "each turn begins anew");

    // The budget ends the run at a step, wherever the calls were, and a larger one lets it go on.
    let mut stops = 0;
    for most in 1..=10 {
        let thread = app.thread(format!("{most}"));
        let mut bound = most * 100;
        let mut outcome = thread.run(Desk::update()).budget(Budget::new().cost(bound)).await.unwrap();
        while let Outcome::Stopped(stopped) = outcome {
            let used = stopped.usage;
            assert_eq!(stopped.reason, StopReason::BudgetSpent);
            // What was under way in the fork comes beside it, and nothing else: three places, of which one calls twice.
            assert!((bound..=bound + 300).contains(&used.cost), "{used:?} of {bound}");
            let waits = thread.proceed().budget(Budget::new().cost(bound)).await.unwrap().stopped().unwrap();
            assert_eq!((waits.reason, waits.usage), (StopReason::BudgetSpent, used), "it asks no model");
            stops += 1;
            // The same bound in the other unit: a call is 40 tokens.
            bound = used.cost + 100;
            outcome = thread.proceed().budget(Budget::new().tokens(used.tokens() + 40)).await.unwrap();
        }
        let done = outcome.completed().unwrap();
        assert_eq!(done.usage, calls(9));
        Recording::of(&thread).await.unwrap().replay::<Dear>().unwrap();
    }
    assert!(stops >= 20, "{stops}");
}

#[tokio::test(start_paused = true)]
async fn it_is_counted_and_bounded_over_branches_mounts_items_and_attempts() {
    on(Memory::new()).await;
    let folder = tempfile::tempdir().unwrap();
    on(Sqlite::open(folder.path().join("t.db")).await.unwrap()).await;
}

#[tokio::test(start_paused = true)]
async fn without_a_store_it_is_the_same() {
    let done = Dear::run(model(), Desk::update()).await.unwrap().completed().unwrap();
    assert_eq!(done.usage, calls(9));
    let stopped = Dear::run(model(), Desk::update()).budget(Budget::new().tokens(100)).await.unwrap().stopped().unwrap();
    assert_eq!(stopped.reason, StopReason::BudgetSpent);
    assert!((100..=240).contains(&stopped.usage.tokens()), "{:?}", stopped.usage);
}

struct Confirm;

#[node]
impl Interrupt<Desk, Model> for Confirm {
    type Question = String;
    type Answer = ();

    async fn ask(_: &Desk, cx: &Context<Model>) -> Result<Ask<Self>, NodeError> {
        Ok(Ask::question(call(cx).await?.text))
    }

    fn resume(_: &Desk, _: &String, _: Answer<()>) -> NodeResult<Self> {
        Ok(Desk::update())
    }
}

/// Fails for good after it was paid for.
#[node(model)]
async fn fail(_: &Desk, cx: &Context<Model>) -> NodeResult<Desk> {
    call(cx).await?;
    Err(NodeError::fatal("no"))
}

graph! {
    pub Asked(Desk, Model) {
        start -> think -> Confirm -> more -> fail -> end;
        more: think;
    }
}

#[tokio::test]
async fn a_pause_a_failure_and_another_process_forget_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t.db");
    let budget = Budget::new().tokens(120);
    let app = Asked::app(model(), Sqlite::open(&path).await.unwrap()).budget(budget);
    let paused = app.thread("t").run(Desk::update()).await.unwrap().paused().unwrap();
    assert_eq!(paused.usage, calls(2), "that of the question, too");
    drop(app);
    // Another process, which never saw the first two calls.
    let app = Asked::app(model(), Sqlite::open(&path).await.unwrap()).budget(budget);
    let thread = app.thread("t");
    let open = thread.expect_paused::<Confirm>().await;
    let stopped = thread.resume(open.accept(())).await.unwrap().stopped().unwrap();
    assert_eq!((stopped.reason, stopped.usage), (StopReason::BudgetSpent, calls(3)), "before `fail`, which never begins");
    assert_eq!(stopped.state.notes.len(), 2, "what is committed stays");
    assert!(thread.explain().await.unwrap().to_string().contains("budget"), "{}", thread.explain().await.unwrap());
    // What failed was paid for: the next attempt counts from there.
    for failures in 1..=2 {
        thread.proceed().budget(Budget::new()).await.unwrap_err();
        let stopped = thread.proceed().budget(budget).await.unwrap().stopped().unwrap();
        assert_eq!(stopped.usage, calls(3 + failures));
    }
    Recording::of(&thread).await.unwrap().replay::<Asked>().unwrap();
}

/// What a lost run had not committed runs again and is paid for again. So the turn tells at least what its rows cost, and never
/// more than was spent.
#[tokio::test(start_paused = true)]
async fn a_run_that_is_lost_at_any_event_forgets_nothing_that_is_committed() {
    let mut events_read = 0;
    loop {
        let script = Scripted::by(|_| Reply::text("so").costing(Usage::new(30, 10)));
        let app = Dear::app(Model::new(script.clone()).priced(2.0, 4.0), Memory::new());
        let mut events = app.thread("t").run(Desk::update()).stream();
        let mut lived = false;
        for _ in 0..=events_read {
            lived = events.next().await.is_none();
        }
        drop(events);
        if lived {
            break;
        }
        let done = app.thread("t").proceed().await.unwrap().completed().unwrap();
        let spent = script.calls() as u64;
        assert!(done.usage.cost >= 900 && done.usage.cost <= spent * 100, "{:?} of {spent} calls", done.usage);
        Recording::of(&app.thread("t")).await.unwrap().replay::<Dear>().unwrap();
        events_read += 1;
    }
    assert!(events_read > 50, "{events_read}");
}

#[test]
fn money_is_counted_in_whole_millionths_and_never_to_less() {
    assert_eq!(Usage::new(u64::MAX, 1).and(CALL).tokens(), u64::MAX, "it ends at the bounds");
    let old: Usage = serde_json::from_str(r#"{"input":1,"output":2}"#).unwrap();
    assert_eq!((old, serde_json::to_string(&old).unwrap()), (Usage::new(1, 2), r#"{"input":1,"output":2}"#.to_owned()));
}

/// Spends, and does not come back.
#[node(writes(notes))]
async fn spend_and_hang(desk: &Desk, cx: &Context<Model>) -> NodeResult<spend_and_hang> {
    cx.spent(CALL).await;
    if desk.notes.is_empty() {
        std::future::pending::<()>().await;
    }
    Ok(Desk::update())
}

#[node(writes(notes))]
async fn beside(_: &Desk, cx: &Context<Model>) -> NodeResult<beside> {
    cx.spent(CALL).await;
    Ok(Desk::update().notes(["beside"]))
}

#[node(writes(notes))]
fn joined(_: &Desk) -> NodeResult<joined> {
    Ok(Desk::update().notes(["joined"]))
}

graph! {
    pub Hangs(Desk, Model) {
        start -> [spend_and_hang, beside] -> joined -> end;
    }
}

/// What was spent by a body that did not come to its end was spent all the same.
#[tokio::test(start_paused = true)]
async fn a_run_that_is_ended_from_outside_forgets_nothing() {
    let app = Hangs::app(model(), Memory::new());
    let deadline = std::time::Duration::from_secs(5);
    let thread = app.thread("deadline");
    let stopped = thread.run(Desk::update()).deadline(deadline).await.unwrap().stopped().unwrap();
    assert_eq!((stopped.reason, stopped.usage), (StopReason::TimedOut, calls(2)));
    let again = thread.proceed().budget(Budget::new().cost(CALL.cost * 2)).await.unwrap().stopped().unwrap();
    assert_eq!((again.reason, again.usage), (StopReason::BudgetSpent, calls(2)), "nothing begins");
    let again = thread.proceed().deadline(deadline).await.unwrap().stopped().unwrap();
    assert_eq!((again.reason, again.usage), (StopReason::TimedOut, calls(3)), "the one that hangs is paid for again");

    let thread = app.thread("cancel");
    let run = thread.run(Desk::update()).spawn();
    tokio::time::sleep(deadline).await;
    assert!(thread.cancel().await.unwrap());
    let stopped = run.await.unwrap().unwrap().stopped().unwrap();
    assert_eq!((stopped.reason, stopped.usage), (StopReason::Cancelled, calls(2)));
    let fork = thread.fork(thread.history().await.unwrap().entries().last().unwrap().seq, "fork").await.unwrap();
    let forked = fork.proceed().budget(Budget::new().cost(1)).await.unwrap().stopped().unwrap();
    assert_eq!((forked.reason, forked.usage), (StopReason::BudgetSpent, calls(2)), "a fork has its past");

    // A budget of nothing begins nothing.
    let stopped = app.thread("none").run(Desk::update()).budget(Budget::new().tokens(0)).await.unwrap().stopped().unwrap();
    assert_eq!((stopped.reason, stopped.usage), (StopReason::BudgetSpent, calls(0)));
}
