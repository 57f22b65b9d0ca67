//! A graph that waits, counts, asks once and can be told to do anything.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use graphwright::prelude::*;
use graphwright::{Event, EventKind, Mark, Observer};

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, State)]
pub(super) struct Log {
    #[state(append)]
    pub(super) lines: Vec<String>,
    #[state(sum)]
    pub(super) rounds: u32,
    pub(super) wanted: u32,
    pub(super) order: Order,
}

/// What the work node does besides its work.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Order {
    #[default]
    Work,
    Fail,
    Panic,
    Hang,
    Spin,
    RouterPanics,
    Never,
    Huge,
    Grow,
}

#[derive(Clone, Default)]
pub(super) struct Deps {
    /// Bodies that were begun, by idempotency key.
    pub(super) begun: Arc<Mutex<Vec<String>>>,
    pub(super) asked: Arc<AtomicUsize>,
    /// Where the node leaves its context, if it is to keep it.
    pub(super) kept: Option<Kept>,
}

pub(super) type Kept = Arc<Mutex<Option<Context<Deps>>>>;

#[node]
async fn work(log: &Log, cx: &Context<Deps>) -> NodeResult<Log> {
    cx.deps().begun.lock().unwrap().push(cx.idempotency_key());
    if let Some(kept) = &cx.deps().kept {
        *kept.lock().unwrap() = Some(cx.clone());
    }
    tokio::task::yield_now().await;
    match log.order {
        Order::Fail => return Err("told to fail".into()),
        Order::Panic => panic!("told to panic"),
        Order::Hang => std::future::pending::<()>().await,
        Order::Grow => return Ok(Log::update().lines(["x".repeat(4 << 20)]).rounds(1_u32)),
        Order::Huge => return Ok(Log::update().lines(["x".repeat(17 << 20)])),
        _ => {}
    }
    Ok(Log::update().lines([format!("round {}", log.rounds + 1)]).rounds(1_u32))
}

#[derive(Route)]
enum Next {
    Again,
    Ask,
    Impossible,
}

#[router]
fn next(log: &Log) -> Next {
    match log.order {
        Order::RouterPanics => panic!("told to panic"),
        Order::Never => Next::Impossible,
        Order::Spin => Next::Again,
        _ if log.rounds < log.wanted => Next::Again,
        _ => Next::Ask,
    }
}

/// Asks how many more rounds there should be.
pub(super) struct More;

#[node]
impl Interrupt<Log, Deps> for More {
    type Question = String;
    type Answer = u32;

    async fn ask(log: &Log, cx: &Context<Deps>) -> Result<Ask<Self>, NodeError> {
        cx.deps().asked.fetch_add(1, Ordering::SeqCst);
        tokio::task::yield_now().await;
        Ok(Ask::question(format!("after {} rounds, how many more?", log.rounds)))
    }

    fn resume(log: &Log, _asked: &String, answer: Answer<u32>) -> NodeResult<Self> {
        let more = match answer {
            Answer::Accepted(more) => more,
            Answer::Declined | Answer::Cancelled => 0,
        };
        Ok(Log::update().wanted(log.rounds + more).lines([format!("{more} more")]))
    }
}

#[router]
fn enough(log: &Log) -> bool {
    log.rounds >= log.wanted
}

graph! {
    #[graph(steps = 50)]
    pub(super) Machine(Log, Deps) {
        start -> work;
        work -> match next { Again => work, Ask => more, Impossible => never };
        more -> end if enough;
        more -> work;
        more: More;
    }
}

pub(super) type Q = Question<Machine>;

pub(super) fn more(questions: Vec<Q>) -> graphwright::Open<More> {
    match questions.into_iter().next().expect("a question") {
        Q::more(question) => question,
    }
}

/// The lines of a turn of `first` rounds, then `then` more.
pub(super) fn lines(first: u32, then: u32) -> Vec<String> {
    let rounds = |from: u32, to: u32| (from + 1..=to).map(|n| format!("round {n}"));
    rounds(0, first)
        .chain([format!("{then} more")])
        .chain(rounds(first, first + then))
        .chain((then > 0).then(|| "0 more".to_owned()))
        .collect()
}

/// Everything that is told, in order.
#[derive(Clone, Default)]
pub(super) struct Record(pub(super) Arc<Mutex<Vec<Event>>>);

impl Observer for Record {
    fn on_event(&self, event: &Event) {
        self.0.lock().unwrap().push(event.clone());
    }
}

impl Record {
    pub(super) fn take(&self) -> Vec<Event> {
        std::mem::take(&mut *self.0.lock().unwrap())
    }

    /// One start and one end, where places run beside each other. Gives the end.
    pub(super) fn check_ends(events: &[Event]) -> Mark {
        let ends = events.iter().filter(|event| matches!(event.kind, EventKind::RunEnded { .. })).count();
        assert!(ends == 1 && matches!(events[0].kind, EventKind::RunStarted { .. }));
        match events[events.len() - 1].kind {
            EventKind::RunEnded { outcome } => outcome,
            ref other => panic!("nothing after the end: {other:?}"),
        }
    }

    /// One start, one end, balanced nodes, ids that grow: for the events of one run. Gives the end.
    pub(super) fn check_run(events: &[Event]) -> Mark {
        assert!(!events.is_empty(), "a run tells something");
        assert!(events.windows(2).all(|pair| pair[0].id < pair[1].id), "ids grow");
        assert!(matches!(events[0].kind, EventKind::RunStarted { .. }), "{:?}", events[0].kind);
        let mut open = 0;
        let mut end = None;
        for (n, event) in events.iter().enumerate() {
            assert!(end.is_none(), "nothing after the end: {:?}", event.kind);
            match &event.kind {
                EventKind::RunStarted { .. } => assert_eq!(n, 0, "one start"),
                EventKind::NodeStarted { .. } => open += 1,
                EventKind::NodeEnded { .. } | EventKind::NodeFailed { .. } => open -= 1,
                EventKind::RunEnded { outcome } => end = Some(*outcome),
                _ => {}
            }
            assert!((0..=1).contains(&open), "nodes are balanced");
        }
        assert_eq!(open, 0, "nodes are balanced");
        end.expect("one end")
    }
}
