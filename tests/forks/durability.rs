//! Steps that are durable later than they are done, where somebody asked for that: what is told is kept all the same.

use std::collections::BTreeSet;
use std::future::Future;
use std::pin::{Pin, pin};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::task::{Context as Task, Poll, Waker};

use graphwright::prelude::*;
use graphwright::store::{By, Checkpointer, Point, RowKind, Status, ThreadKey};
use graphwright::{Budget, Durability, Event, EventKind, Scope, Sqlite, StopReason, ThreadId, Usage};

use super::tree::{Deps, Log, TEXT, Tree, WORKED, answer, lines};
use crate::doubles::{Fault, Faulty};

const LATER: [Durability; 2] = [Durability::Behind, Durability::Exit];

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, State)]
pub struct Count {
    n: u32,
    wanted: u32,
    #[state(append)]
    ballast: Vec<String>,
    grows: bool,
}

#[node]
async fn add(count: &Count) -> NodeResult<Count> {
    tokio::task::yield_now().await;
    let update = Count::update().n(count.n + 1);
    Ok(if count.grows { update.ballast(["x".repeat(4 << 20)]) } else { update })
}

#[router]
fn enough(count: &Count) -> bool {
    count.n >= count.wanted
}

graph! {
    #[graph(steps = 100_000)]
    Counter(Count) {
        start -> add;
        add -> end if enough;
        add -> add;
    }
}

async fn commits(thread: &graphwright::Thread<Counter>) -> usize {
    let (mut commits, mut after) = (BTreeSet::new(), None);
    loop {
        let history = thread.history();
        let history = if let Some(after) = after { history.after(after) } else { history }.await.unwrap();
        commits.extend(history.iter().map(|row| row.commit));
        match history.next {
            Some(next) => after = Some(next),
            None => return commits.len(),
        }
    }
}

#[tokio::test]
async fn the_rows_are_the_same_in_fewer_commits() {
    graphwright::__private::read_back();
    for sqlite in [false, true] {
        let folder = tempfile::tempdir().unwrap();
        let mut said = Vec::new();
        for durability in [Durability::Sync, Durability::Behind, Durability::Exit] {
            let app = if sqlite {
                Counter::app((), Sqlite::open(folder.path().join(format!("{durability:?}.db"))).await.unwrap())
            } else {
                Counter::app((), Memory::new())
            };
            let thread = app.durability(durability).thread("t");
            let done = thread.run(Count::update().wanted(600)).await.unwrap().completed().unwrap();
            assert_eq!((done.output.n, done.steps), (600, 600));
            assert_eq!(thread.state_at(301).await.unwrap().n, 300, "each step is a row of its own");
            assert_eq!(thread.status().await.unwrap(), Some(Status::Idle));
            said.push(commits(&thread).await);
        }
        let [sync, behind, exit] = said[..] else { unreachable!() };
        assert_eq!(sync, 601);
        assert!(behind <= sync && behind > 1, "{behind}");
        assert_eq!(exit, 1 + 600_usize.div_ceil(250), "the input, and what waits is written at 250 and at the end");
    }
}

#[tokio::test]
async fn every_order_of_answers_comes_to_the_same() {
    graphwright::__private::read_back();
    for durability in LATER {
        for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
            let deps = Deps::default();
            let app = Tree::app(deps.clone(), Memory::new()).durability(durability);
            let questions = app.thread("t").run(Log::update()).await.unwrap().paused().unwrap().questions;
            let mut outcome = None;
            for index in order {
                outcome = Some(app.thread("t").resume(answer(&questions[index])).await.unwrap());
            }
            let log = outcome.unwrap().completed().unwrap().output;
            assert_eq!(
                (log.lines, log.text.as_str()),
                (lines().into_iter().map(str::to_owned).collect(), TEXT),
                "{durability:?} {order:?}"
            );
            assert_eq!(deps.begun.lock().unwrap().len(), WORKED);
            // Who reads it from the store reads the same.
            let afresh = app.thread("t").history().await.unwrap();
            assert!(afresh.iter().enumerate().all(|(n, row)| row.seq == n as u64 + 1));
        }
    }
}

/// What a future of `Memory` gives at its first poll.
fn now<T>(future: impl Future<Output = T>) -> T {
    match pin!(future).poll(&mut Task::from_waker(Waker::noop())) {
        Poll::Ready(value) => value,
        Poll::Pending => panic!("memory never waits"),
    }
}

#[tokio::test]
async fn committed_is_told_in_order_and_when_it_is_true() {
    for durability in LATER {
        let memory = Memory::new();
        let told = Arc::new(Mutex::new(Vec::new()));
        let (hears, store) = (told.clone(), memory.clone());
        let key = ThreadKey { scope: Scope::root().hash(), by: By::Name(ThreadId::new("t").unwrap()) };
        let app = Counter::app((), Faulty::new(memory, Fault::Wait)).durability(durability).observe(move |event: &Event| {
            if let EventKind::Committed { seq } = event.kind {
                assert!(now(store.load(&key, Point::Head)).unwrap().unwrap().seq >= seq, "row {seq} is not there");
                hears.lock().unwrap().push(seq);
            }
            if let EventKind::RunEnded { .. } = event.kind {
                hears.lock().unwrap().push(0);
            }
        });
        app.thread("t").run(Count::update().wanted(20)).await.unwrap().completed().unwrap();
        let mut expected: Vec<u64> = (2..=21).collect();
        expected.push(0);
        assert_eq!(*told.lock().unwrap(), expected, "{durability:?}: each row once, and all before the end");
    }
}

#[tokio::test]
async fn every_end_of_a_run_makes_its_steps_durable() {
    for durability in LATER {
        let app = Counter::app((), Memory::new()).durability(durability);
        let limited = app.thread("limited").run(Count::update().wanted(9)).steps(3).await.unwrap().stopped().unwrap();
        assert_eq!((limited.reason, limited.state.n), (StopReason::StepLimit, 3));
        assert_eq!(app.thread("limited").state().await.unwrap(), Some(limited.state));

        let run = app.thread("drained").run(Count::update().wanted(u32::MAX)).spawn();
        while !app.thread("drained").drain().await.unwrap() {
            tokio::task::yield_now().await;
        }
        let drained = run.await.unwrap().unwrap().stopped().unwrap();
        assert_eq!(app.thread("drained").state().await.unwrap(), Some(drained.state));

        let run = app.thread("cancelled").run(Count::update().wanted(u32::MAX)).spawn();
        for _ in 0..50 {
            tokio::task::yield_now().await;
        }
        app.thread("cancelled").cancel().await.unwrap();
        let cancelled = run.await.unwrap().unwrap().stopped().unwrap();
        assert!(cancelled.state.n > 1);
        assert_eq!(app.thread("cancelled").state().await.unwrap(), Some(cancelled.state));

        // Dropped, as far as there is somebody to write it.
        let mut events = app.thread("dropped").run(Count::update().wanted(9)).stream();
        while !matches!(events.next().await.unwrap().kind, EventKind::NodeStarted { .. }) {}
        for _ in 0..6 {
            events.next().await.unwrap();
        }
        drop(events);
        while app.thread("dropped").status().await.unwrap() == Some(Status::Running) {
            tokio::task::yield_now().await;
        }
        assert!(app.thread("dropped").state().await.unwrap().unwrap().n >= 2, "{durability:?}");
        assert_eq!(app.thread("dropped").proceed().await.unwrap().completed().unwrap().output.n, 9);
    }
}

#[tokio::test]
async fn the_step_that_makes_the_state_too_large_is_still_the_one_that_is_refused() {
    for durability in [Durability::Sync, Durability::Behind, Durability::Exit] {
        let thread = Counter::app((), Memory::new()).durability(durability).thread("t");
        let error = thread.run(Count::update().wanted(10).grows(true)).await.unwrap_err();
        let RunError::Failed(failure) = &error else { panic!("{durability:?}: {error}") };
        assert_eq!(failure.state::<Count>().unwrap().n, 3, "{durability:?}");
        assert_eq!(thread.state().await.unwrap().unwrap().n, 3, "{durability:?}: what is told is what is kept");
    }
}

#[tokio::test]
async fn whoever_ends_the_turn_from_outside_ends_what_trails() {
    for durability in LATER {
        let app = Counter::app((), Faulty::new(Memory::new(), Fault::Wait)).durability(durability);
        let run = app.thread("t").run(Count::update().wanted(u32::MAX)).spawn();
        while app.thread("t").status().await.unwrap() != Some(Status::Running) {
            tokio::task::yield_now().await;
        }
        app.thread("t").abandon().await.unwrap();
        let kept = app.thread("t").state().await.unwrap();
        let stopped = run.await.unwrap().unwrap().stopped().unwrap();
        assert!(matches!(stopped.reason, StopReason::Abandoned | StopReason::Cancelled), "{:?}", stopped.reason);
        assert_eq!(app.thread("t").state().await.unwrap(), kept, "nothing is written behind the end");
        assert_eq!(kept, Some(stopped.state), "and nothing else is told");
        assert_eq!(app.thread("t").status().await.unwrap(), Some(Status::Idle));
    }
}

/// A commit that trails fails, and the run is dropped before it has looked what is there: what was planned behind that commit is
/// not written by whoever writes that the run ended.
#[tokio::test]
async fn nothing_is_written_behind_a_commit_that_failed() {
    let mut cut = 0;
    for (fails, polls) in (0..10).flat_map(|fails| (0..40).map(move |polls| (fails, polls))) {
        let memory = Memory::new();
        let app = Counter::app((), Faulty::new(memory.clone(), Fault::FailOnceSlowly(fails))).durability(Durability::Behind);
        {
            let mut run = pin!(app.thread("t").run(Count::update().wanted(6_u32)).into_future());
            let mut left: usize = polls;
            std::future::poll_fn(|task| {
                if run.as_mut().poll(task).is_ready() {
                    return Poll::Ready(());
                }
                if left == 0 {
                    cut += 1;
                    return Poll::Ready(());
                }
                left -= 1;
                Poll::Pending
            })
            .await;
        }
        for _ in 0..20 {
            tokio::task::yield_now().await;
        }
        let thread = Counter::app((), memory).thread("t");
        if thread.status().await.unwrap().is_none() {
            continue;
        }
        let history = thread.history().await.unwrap();
        let steps: Vec<u64> = history.iter().filter(|row| row.row.kind == RowKind::Step).map(|row| row.row.ord).collect();
        let all: Vec<u64> = (0..steps.len() as u64).collect();
        assert_eq!(steps, all, "call {fails} fails, dropped after {polls} polls: a step is missing");
        assert_eq!(thread.proceed().await.unwrap().completed().unwrap().output.n, 6, "call {fails}, {polls} polls");
    }
    assert!(cut > 100, "{cut}");
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, State)]
pub struct Heap {
    ballast: String,
    #[state(append)]
    piled: Vec<u32>,
    signed: bool,
}

/// What the body of an item has somebody else do to the thread.
type Beside = Arc<dyn Fn(u32) -> Pin<Box<dyn Future<Output = ()> + Send>> + Send + Sync>;

pub struct Signs;

#[node(writes(signed))]
impl Interrupt<Heap, Beside> for Signs {
    type Question = String;
    type Answer = bool;

    async fn ask(_: &Heap, _: &Context<Beside>) -> Result<Ask<Self>, NodeError> {
        Ok(Ask::question("Is it so?".to_owned()))
    }

    fn resume(_: &Heap, _: &String, answer: Answer<bool>) -> NodeResult<Self> {
        Ok(Heap::update().signed(matches!(answer, Answer::Accepted(true))))
    }
}

#[router]
fn items(_: &Heap) -> Vec<u32> {
    (0..1_400).collect()
}

#[node(writes(piled))]
async fn pile(_: &Heap, item: &u32, cx: &Context<Beside>) -> NodeResult<pile> {
    cx.deps()(*item).await;
    Ok(Heap::update().piled([*item]))
}

graph! {
    #[graph(steps = 10_000)]
    pub Piles(Heap, Beside) {
        start -> [signs, each items { pile }] -> end;
        signs: Signs;
        pile: at_once(200);
    }
}

fn nobody() -> Beside {
    Arc::new(|_| Box::pin(std::future::ready(())))
}

/// What trails is planned again each time that others changed the thread, and more comes behind it meanwhile: in the end it is
/// more than one append may have.
#[tokio::test]
async fn what_trails_fits_into_appends_however_often_others_change_the_thread() {
    for durability in LATER {
        for changes in [&[450][..], &[650], &[450, 850], &[450, 650, 850, 1_050], &[1_399], &[1_250, 1_399]] {
            let memory = Memory::new();
            let other = Piles::app(nobody(), memory.clone());
            let left = Arc::new(Mutex::new(BTreeSet::from_iter(changes.iter().copied())));
            let beside: Beside = {
                let left = left.clone();
                Arc::new(move |item| {
                    let changes = left.lock().unwrap().remove(&item);
                    let thread = other.thread("t");
                    Box::pin(async move {
                        if changes {
                            let Question::<Piles>::signs(open) = thread.pending().await.unwrap().pop().unwrap();
                            thread.reissue(open.id(), None).await.unwrap();
                        }
                    })
                })
            };
            let app = Piles::app(beside, Faulty::new(memory.clone(), Fault::Late(5_000))).durability(durability);
            // A large state, so that it is not the snapshots that end what trails.
            let paused = app.thread("t").run(Heap::update().ballast("x".repeat(1 << 20))).await;
            let paused = paused.unwrap_or_else(|error| panic!("{durability:?} {changes:?}: {error}")).paused().unwrap();
            assert!(left.lock().unwrap().is_empty(), "the thread was changed beside the run");
            let Question::<Piles>::signs(open) = &paused.questions[0] else { unreachable!() };
            let afresh = Piles::app(nobody(), memory).thread("t");
            let done = afresh.resume(open.accept(true)).await.unwrap().completed().unwrap();
            assert_eq!(done.output.piled, (0..1_400).collect::<Vec<_>>(), "{durability:?} {changes:?}: each once");
            assert_eq!(done.steps, 1_401);
        }
    }
}

#[node]
async fn pays(count: &Count, cx: &Context<()>) -> NodeResult<Count> {
    cx.spent(Usage::new(60, 40)).await;
    if count.n < count.wanted {
        std::future::pending::<()>().await;
    }
    Ok(Count::update().n(count.n + 1))
}

graph! {
    Payer(Count) {
        start -> add -> pays -> end;
    }
}

/// Whoever goes away again and again spends no more than the budget.
#[tokio::test]
async fn what_a_dropped_run_paid_for_counts() {
    for durability in [Durability::Sync, Durability::Behind, Durability::Exit] {
        let budget = Budget::new().tokens(150);
        let app = Payer::app((), Memory::new()).durability(durability).budget(budget);
        let thread = app.thread("t");
        let mut events = thread.run(Count::update().wanted(9_u32)).stream();
        for paid in 1..=2_u64 {
            while !matches!(events.next().await.unwrap().kind, EventKind::Usage(_)) {}
            drop(events);
            while thread.status().await.unwrap() == Some(Status::Running) {
                tokio::task::yield_now().await;
            }
            if paid == 2 {
                break;
            }
            events = thread.proceed().stream();
        }
        let stopped = thread.proceed().await.unwrap().stopped().unwrap();
        assert_eq!((stopped.reason, stopped.usage), (StopReason::BudgetSpent, Usage::new(120, 80)), "{durability:?}");
        assert_eq!(stopped.state.n, 1, "{durability:?}: the step before it was done once");
    }
}

type Paid = Arc<AtomicU64>;

#[node]
async fn pays_each(count: &Count, cx: &Context<Paid>) -> NodeResult<Count> {
    cx.deps().fetch_add(1, Ordering::SeqCst);
    cx.spent(Usage::new(1, 0)).await;
    Ok(Count::update().n(count.n + 1))
}

#[router]
fn paid_up(count: &Count) -> bool {
    count.n >= 10
}

graph! {
    Payers(Count, Paid) {
        start -> pays_each;
        pays_each -> end if paid_up;
        pays_each -> pays_each;
    }
}

/// Whatever was paid is told, once: at whichever point the run is dropped, and whatever becomes of the commit under way.
#[tokio::test]
async fn what_was_paid_is_told_once_wherever_the_run_is_dropped() {
    let mut cuts = 0;
    for durability in [Durability::Sync, Durability::Behind, Durability::Exit] {
        for fault in (0..16).map(Fault::FailOnceSlowly).chain([Fault::Wait]) {
            for polls in 1.. {
                let (memory, paid) = (Memory::new(), Paid::default());
                let store = Faulty::new(memory.clone(), fault);
                let app = Payers::app(paid.clone(), store.clone()).durability(durability);
                let mut run = Box::pin(app.thread("t").run(Count::update()).into_future());
                let mut over = None;
                for _ in 0..polls {
                    over = std::future::poll_fn(|task| {
                        Poll::Ready(match run.as_mut().poll(task) {
                            Poll::Ready(outcome) => Some(outcome.map(drop)),
                            Poll::Pending => None,
                        })
                    })
                    .await;
                    if over.is_some() {
                        break;
                    }
                    tokio::task::yield_now().await;
                }
                // It strikes only now: then it is the row that would tell of the end which is not written.
                let strikes_late = matches!(fault, Fault::FailOnceSlowly(call) if call >= store.hooks.calls.load(Ordering::SeqCst));
                drop(run);
                for _ in 0..50 {
                    tokio::task::yield_now().await;
                }
                let afresh = Payers::app(paid.clone(), memory).thread("t");
                if afresh.status().await.unwrap().is_some_and(|status| status != Status::Idle) {
                    let done = afresh.proceed().await.unwrap().completed().unwrap();
                    let paid = paid.load(Ordering::SeqCst);
                    assert!(done.usage.input <= paid, "{durability:?} {fault:?} {polls}: nothing is told twice");
                    if !strikes_late {
                        assert_eq!(done.usage.input, paid, "{durability:?} {fault:?} {polls}");
                        cuts += 1;
                    }
                }
                if over.is_some() {
                    break;
                }
            }
        }
    }
    println!("{cuts} cuts");
    assert!(cuts > 50, "{cuts} cuts");
}
