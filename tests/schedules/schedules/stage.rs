//! A small graph that asks and forks, and a thread of it whose every step is seen.

use std::sync::{Arc, Mutex};

use graphwright::prelude::*;
use graphwright::store::{Row, Status};
use graphwright::{CountingIds, ManualClock, OnBusy, Thread};

use crate::faults::{Faults, Plant, Worker};
use crate::laws::{self, Told};

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, State)]
pub(super) struct Tally {
    #[state(append)]
    pub(super) lines: Vec<String>,
}

/// Bodies that were begun, by place and idempotency key.
pub(super) type Begun = Arc<Mutex<Vec<(String, String)>>>;

macro_rules! notes {
    ($($name:ident)*) => {
        $(#[node(writes(lines))]
        async fn $name(_: &Tally, cx: &Context<Begun>) -> NodeResult<$name> {
            cx.deps().lock().unwrap().push((cx.place().to_owned(), cx.idempotency_key()));
            tokio::task::yield_now().await;
            Ok(Tally::update().lines([cx.place()]))
        })*
    };
}
notes!(first second left right);

/// The first time it never ends.
#[node(writes(lines))]
async fn hangs(_: &Tally, cx: &Context<Begun>) -> NodeResult<hangs> {
    cx.deps().lock().unwrap().push((cx.place().to_owned(), cx.idempotency_key()));
    if cx.deps().lock().unwrap().iter().filter(|(place, _)| place == cx.place()).count() == 1 {
        std::future::pending::<()>().await;
    }
    Ok(Tally::update().lines([cx.place()]))
}

/// Asks for a number.
pub(super) struct Sign;

#[node(writes(lines))]
impl Interrupt<Tally, Begun> for Sign {
    type Question = ();
    type Answer = u32;

    async fn ask(_: &Tally, _: &Context<Begun>) -> Result<Ask<Self>, NodeError> {
        Ok(Ask::question(()))
    }

    fn resume(_: &Tally, (): &(), answer: Answer<u32>) -> NodeResult<Self> {
        Ok(Tally::update().lines([format!("{answer:?}")]))
    }
}

graph! {
    /// Two steps.
    pub(super) Line(Tally, Begun) {
        start -> first -> second -> end;
    }
}

graph! {
    /// A step, and one that hangs.
    pub(super) Hangs(Tally, Begun) {
        start -> first -> hangs -> end;
    }
}

graph! {
    /// A question between two steps.
    pub(super) Asks(Tally, Begun) {
        start -> first -> sign -> second -> end;
        sign: Sign;
    }
}

graph! {
    /// A question beside two steps.
    pub(super) Beside(Tally, Begun) {
        start -> [left -> right, sign] -> second -> end;
        sign: Sign;
    }
}

/// Two workers, as two processes are, over one store.
pub(super) struct Stage<G: graphwright::Graph> {
    pub(super) apps: [App<G>; 2],
    pub(super) told: Told,
    begun: Begun,
    eye: App<G>,
}

impl<G: graphwright::Graph<Deps = Begun, State = Tally>> Stage<G> {
    /// Both in one process: each knows the runs of the other.
    pub(super) fn together() -> Self {
        let memory = Memory::new();
        Self::of([memory.clone(), memory.clone()], memory)
    }

    /// Each in a process of its own.
    pub(super) fn apart(plant: Option<Plant>) -> Self {
        let memory = Memory::new();
        Self::of([(); 2].map(|()| Worker { inner: memory.clone(), hooks: Faults::of(plant) }), memory)
    }

    fn of<S: graphwright::store::Checkpointer>(stores: [S; 2], eye: Memory) -> Self {
        let (begun, told) = (Begun::default(), Told::default());
        let counts = AllOf::default();
        let apps = stores.map(|store| {
            G::app(Arc::clone(&begun), store)
                .observe(told.clone())
                .clock(ManualClock::default())
                .ids(counts.clone())
                .on_busy(OnBusy::Reject)
        });
        Self { apps, told, eye: G::app(Arc::clone(&begun), eye), begun }
    }

    pub(super) fn thread(&self, who: usize) -> Thread<G> {
        self.apps[who].thread("t")
    }

    /// Somebody who only looks.
    pub(super) fn eye(&self) -> Thread<G> {
        self.eye.thread("t")
    }

    /// What was left is brought to its end by a process that begins now.
    pub(super) async fn proceed(&self) -> Outcome<G> {
        self.eye().proceed().await.unwrap()
    }

    /// How often the bodies of a place were begun.
    pub(super) fn begun(&self, place: &str) -> usize {
        self.begun.lock().unwrap().iter().filter(|(at, _)| at == place).count()
    }

    /// What holds whatever order there was: of a thread that is at its end.
    pub(super) async fn over(&self, lines: &[&str]) {
        let thread = self.eye();
        assert_eq!(thread.status().await.unwrap(), Some(Status::Idle));
        let state = thread.state().await.unwrap().unwrap();
        assert_eq!(state.lines, lines);
        laws::inv_read(&self.thread(0).state().await.unwrap(), &Some(state));
        let rows: Vec<Row> = thread.history().await.unwrap().to_vec();
        laws::rows(&[], &rows);
        laws::keys(&self.begun.lock().unwrap());
        self.told.inv_end(true);
    }
}

/// Ids that all have together.
#[derive(Clone, Debug, Default)]
struct AllOf(Arc<CountingIds>);

impl graphwright::IdGen for AllOf {
    fn fresh(&self) -> [u8; 16] {
        self.0.fresh()
    }
}
