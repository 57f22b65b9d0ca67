//! A thread, two workers that drive it, and somebody who does to it whatever can be done.

mod judge;

use std::collections::BTreeMap;
use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::sync::atomic::Ordering;
use std::task::Poll;
use std::time::Duration;

use graphwright::prelude::*;
use graphwright::store::{By, Checkpointer, Row, RowKind, Status, ThreadKey};
use graphwright::{Durability, Given, ManualClock, Place, Run, Scope, StopReason, Thread, ThreadId, TurnId};

use super::model::{self, Plain, interpret_from};
use super::moves::{Done, Move};
use super::script::{Act, Op, Script};
use super::world::{Deps, Shown, World, Worlds, input, show};
use crate::faults::{Faults, Plant, Worker};
use crate::laws::Told;

/// What is to be done yet in a turn, from a row on.
#[derive(Clone)]
struct Task {
    turn: TurnId,
    /// The row with which it began, or was changed from outside.
    from: u64,
    script: Script,
    /// Operations before those of the script.
    before: usize,
    /// Lines that were worked before.
    worked: usize,
    /// What was before it.
    base: Plain,
}

impl Task {
    fn came(&self) -> model::Came {
        interpret_from(&self.base, &self.script, self.worked)
    }
}

pub struct Play<S> {
    store: S,
    pub apps: [App<Worlds>; 2],
    /// The same without breakpoints.
    plain: [App<Worlds>; 2],
    clock: ManualClock,
    durability: Durability,
    /// Reads what is stored, and knows what it has read.
    eye: Thread<Worlds>,
    pub faults: [Faults; 2],
    pub deps: Deps,
    told: Told,
    live: Vec<Run<Worlds>>,
    scripts: std::vec::IntoIter<Script>,
    /// The turn that is under way.
    turn: Option<Task>,
    base: Plain,
    /// What was to be done, from which row on.
    tasks: Vec<Task>,
    /// What turns came to: a run may tell of it later than others know.
    ends: BTreeMap<TurnId, Vec<Plain>>,
    /// Bodies that must have run by now; not known once a turn was given up.
    bodies: Option<usize>,
    rows: Vec<Row>,
    given: Vec<Given>,
    /// Whether a call of a store has failed, or may have.
    harmed: bool,
    /// Whether a script that was begun has something that fails.
    fails: bool,
    /// Whether the time of a question may be up.
    late: bool,
    pub done: Done,
}

impl<S: Checkpointer + Clone> Play<S> {
    pub fn on(store: S, scripts: Vec<Script>, durability: Durability, plant: Option<Plant>) -> Self {
        let (deps, told, clock) = (Deps::default(), Told::default(), ManualClock::default());
        let faults = [Faults::of(plant), Faults::of(plant)];
        let app = |faults: &Faults| {
            let worker = Worker { inner: store.clone(), hooks: faults.clone() };
            Worlds::app(deps.clone(), worker).observe(told.clone()).durability(durability).clock(clock.clone())
        };
        let apps = [app(&faults[0]), app(&faults[1])];
        Self {
            eye: Worlds::app(deps.clone(), store.clone()).clock(clock.clone()).thread("t"),
            plain: apps.clone(),
            apps,
            store,
            clock,
            durability,
            faults,
            deps,
            told,
            live: Vec::new(),
            scripts: scripts.into_iter(),
            turn: None,
            base: Plain::default(),
            tasks: Vec::new(),
            ends: BTreeMap::new(),
            bodies: Some(0),
            rows: Vec::new(),
            given: Vec::new(),
            harmed: false,
            fails: false,
            late: false,
            done: Done::default(),
        }
    }

    /// Somebody who knows nothing but what is stored.
    fn stranger(&self) -> App<Worlds> {
        Worlds::app(self.deps.clone(), self.store.clone()).clock(self.clock.clone())
    }

    /// Lets tasks do what they are about, as a run that was dropped and writes that it was; and waits for what was sent to the
    /// store and not waited for: it writes one thing after the other.
    async fn settle(&self) {
        let nobody = ThreadKey { scope: Scope::root().hash(), by: By::Name(ThreadId::new("nobody").unwrap()) };
        for _ in 0..2 {
            for _ in 0..20 {
                tokio::task::yield_now().await;
            }
            self.store.delete(&nobody).await.unwrap();
        }
    }

    fn thread(&self, who: usize) -> Thread<Worlds> {
        self.apps[who % 2].thread("t")
    }

    async fn open(&self) -> Vec<Shown> {
        self.eye.pending().await.unwrap().iter().map(show).collect()
    }

    /// Does it, and looks whether everything holds.
    pub async fn make(&mut self, turn: Move) {
        match turn {
            Move::Begin { who, polls } => self.begin(who, polls).await,
            Move::Proceed { who, polls, steps } => {
                let run = self.thread(who).proceed();
                self.start(if let Some(steps) = steps { run.steps(steps) } else { run }, polls).await;
            }
            Move::Resume { who, which, polls } => {
                let open = self.open().await;
                if let Some(shown) = pick(&open, which) {
                    self.start(self.thread(who).resume(shown.right.clone()), polls).await;
                }
            }
            Move::Poll { run, polls } => self.poll(run, polls).await,
            Move::Finish { run } => {
                if !self.live.is_empty() {
                    let run = self.live.remove(run % self.live.len());
                    if let Ok(outcome) = tokio::time::timeout(Duration::from_secs(90), run).await {
                        self.came(outcome);
                    }
                }
            }
            Move::Drop { run, silent } => {
                if !self.live.is_empty() {
                    self.faults.iter().for_each(|faults| faults.refuse_stops(silent));
                    drop(self.live.remove(run % self.live.len()));
                    self.settle().await;
                    self.faults.iter().for_each(|faults| faults.refuse_stops(false));
                }
            }
            Move::Answer { who, which, right } => self.answer(who, which, right).await,
            Move::Repeat { who, which } => {
                if let Some(given) = pick(&self.given, which) {
                    let again = self.thread(who).answer(given.clone()).await;
                    assert!(again.is_err(), "INV-ONE: an answer is taken twice");
                    self.done.refused += 1;
                }
            }
            Move::Reissue { who, which } => self.reissue(who, which).await,
            Move::Cancel { who } => {
                let cancelled = self.thread(who).cancel().await;
                self.may_fail(&cancelled);
            }
            Move::Abandon { who } => {
                let abandoned = self.thread(who).abandon().await;
                self.may_fail(&abandoned);
            }
            Move::Drain { who } => {
                let drained = self.thread(who).drain().await;
                self.may_fail(&drained);
            }
            Move::Step { who, polls } => self.start(self.thread(who).step(), polls).await,
            Move::Fork { at } => self.fork(at).await,
            Move::Sweep { who } => self.sweep(who).await,
            Move::Fail { who, after, calls } => {
                self.harmed = true;
                self.faults[who % 2].fail(after, calls);
            }
            Move::Lose { who, after } => {
                self.harmed = true;
                self.faults[who % 2].lose(after);
            }
            Move::Heal => self.faults.iter().for_each(Faults::heal),
            Move::Presume { who, others } => self.faults[who % 2].presume(others),
            Move::Mend { mended } => self.deps.mended.store(mended, Ordering::SeqCst),
            Move::Wait { seconds } => tokio::time::sleep(Duration::from_secs(seconds)).await,
            Move::Late { who } => {
                self.clock.advance(Duration::from_secs(2 * 60 * 60));
                self.late = true;
                if let Some(who) = who {
                    self.sweep(who).await;
                }
            }
            Move::Edit { who } => {
                let update = World::update().lines(["edited"]).count(1_u32).text("edited");
                match self.thread(who).update_state(Place::<Worlds>::tired, update).await {
                    Err(RunError::Busy { .. } | RunError::ForkOpen) => self.done.refused += 1,
                    other => self.may_fail(&other),
                }
            }
            Move::Delete { who } => {
                let deleted = self.thread(who).delete().await;
                self.may_fail(&deleted);
            }
            Move::Prune { who, at } => {
                if let Some(row) = pick(&self.rows, at) {
                    let pruned = self.thread(who).prune(row.seq).await;
                    self.may_fail(&pruned);
                    self.done.pruned += pruned.unwrap_or_default() as usize;
                }
            }
            Move::Break { who, at } => {
                let plain = self.plain[who % 2].clone();
                self.apps[who % 2] = at.map_or(plain.clone(), |at| at.on(plain));
            }
        }
        self.check().await;
    }

    /// Looks whether a turn was begun from outside with this script; else it is the next.
    pub async fn adopt(&mut self, script: Script) {
        self.settle().await;
        match self.eye.history().await.ok().and_then(|rows| rows.first().map(|row| row.row.turn)) {
            Some(turn) => self.turn = Some(Task { turn, from: 1, script, before: 0, worked: 0, base: Plain::default() }),
            None => self.scripts = vec![script].into_iter(),
        }
        self.harmed = true;
        self.check().await;
    }

    async fn begin(&mut self, who: usize, polls: usize) {
        let free = matches!(self.eye.status().await.unwrap(), None | Some(Status::Idle));
        if !free || self.turn.is_some() {
            return;
        }
        let Some(script) = self.scripts.next() else { return };
        let rows = self.rows.len();
        let mut run = self.thread(who).run(input(&script));
        // Until it has begun, or has failed to.
        for _ in 0..2_000 {
            let over = poll(&mut run, 1).await;
            if let Ok(now) = self.eye.history().await
                && let Some(begun) = now.iter().find(|row| row.seq > rows as u64)
            {
                self.fails |= model::is_broken(&script) || waits(&script);
                let base = self.base.clone();
                let task = Task { turn: begun.row.turn, from: begun.seq, script, before: 0, worked: 0, base };
                self.tasks.push(task.clone());
                self.turn = Some(task);
                match over {
                    Some(outcome) => self.came(outcome),
                    None => self.start(run, polls).await,
                }
                return;
            }
            if let Some(outcome) = over {
                assert!(self.harmed, "a turn did not begin: {outcome:?}");
                return;
            }
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        panic!("a turn neither begins nor fails");
    }

    async fn start(&mut self, run: Run<Worlds>, polls: usize) {
        self.live.push(run);
        if self.live.len() > 3 {
            drop(self.live.remove(0));
        }
        self.poll(self.live.len() - 1, polls).await;
    }

    async fn poll(&mut self, run: usize, polls: usize) {
        if self.live.is_empty() {
            return;
        }
        let run = run % self.live.len();
        if let Some(outcome) = poll(&mut self.live[run], polls).await {
            drop(self.live.remove(run));
            self.came(outcome);
        }
    }

    async fn answer(&mut self, who: usize, which: usize, right: bool) {
        let open = self.open().await;
        let Some(shown) = pick(&open, which) else { return };
        let healthy = !self.faults[who % 2].is_armed();
        match self.thread(who).answer(if right { shown.right.clone() } else { shown.wrong.clone() }).await {
            Ok(_) => {
                assert!(right, "an answer is taken that does not fit");
                self.given.push(shown.right.clone());
                self.done.answers += 1;
            }
            Err(RunError::BadAnswer(_)) if !right => self.done.refused += 1,
            Err(RunError::Expired) if self.late => self.done.refused += 1,
            Err(error) => assert!(!healthy, "an answer to an open question is refused: {error}"),
        }
    }

    async fn sweep(&mut self, who: usize) {
        if let Ok(swept) = tokio::time::timeout(Duration::from_secs(90), self.apps[who % 2].sweep()).await {
            self.may_fail(&swept);
        }
    }

    async fn reissue(&mut self, who: usize, which: usize) {
        let open = self.open().await;
        let Some(shown) = pick(&open, which) else { return };
        let healthy = !self.faults[who % 2].is_armed();
        match self.thread(who).reissue(shown.id, None).await {
            Ok(()) if healthy => {
                let old = self.eye.answer(shown.right.clone()).await;
                assert!(matches!(old, Err(RunError::Superseded)), "INV-ONE: an answer to a question that was issued anew: {old:?}");
                self.done.refused += 1;
            }
            Ok(()) => {}
            Err(RunError::Expired) if self.late => self.done.refused += 1,
            Err(error) => assert!(!healthy, "an open question cannot be issued anew: {error}"),
        }
    }

    /// Another thread, as this one was at a row: it comes to what the turn of that row comes to, whatever became of this one.
    async fn fork(&mut self, at: usize) {
        let Some(row) = pick(&self.rows, at) else { return };
        let over = self.rows.iter().any(|other| other.row.turn == row.row.turn && other.row.kind == RowKind::Close && other.seq <= row.seq);
        let task = self.tasks.iter().rfind(|task| task.turn == row.row.turn && task.from <= row.seq);
        let Some(task) = task.filter(|_| !over) else { return };
        let name = format!("fork {}", self.done.forks);
        let deps = Deps::default();
        deps.mended.store(true, Ordering::SeqCst);
        let app = Worlds::app(deps, self.store.clone()).clock(self.clock.clone());
        let fork = match app.thread("t").fork(row.seq, name).await {
            Err(RunError::NoRow { .. }) if self.done.pruned > 0 => return,
            other => other.unwrap(),
        };
        for _ in 0..60 {
            if fork.status().await.unwrap() == Some(Status::Idle) {
                let world = fork.state().await.unwrap().unwrap();
                assert_eq!(Plain::from(&world), task.came().state, "a fork comes to something else");
                self.done.forks += 1;
                return;
            }
            if let Ok(Outcome::Paused(paused)) = fork.proceed().await {
                match fork.answer(paused.questions.iter().map(|q| show(q).right).collect::<Vec<_>>()).await {
                    Err(RunError::Expired) if self.late => return,
                    other => drop(other.unwrap()),
                }
            }
        }
        panic!("a fork does not come to an end");
    }

    fn may_fail<T: std::fmt::Debug>(&self, came: &Result<T, RunError>) {
        match came {
            Ok(_) | Err(RunError::NoThread) => {}
            Err(RunError::Store(_)) if self.harmed => {}
            Err(error) => panic!("{error:?}"),
        }
    }

    /// A run is over.
    fn came(&mut self, outcome: Result<Outcome<Worlds>, RunError>) {
        match outcome {
            Ok(Outcome::Completed(done)) => self.over(done.turn, &done.output),
            Ok(Outcome::Paused(paused)) => assert!(!paused.questions.is_empty(), "it waits for nobody"),
            Ok(Outcome::Stopped(stop)) => self.done.halted += usize::from(stop.reason == StopReason::Breakpoint),
            Err(RunError::Failed(failure)) => {
                assert!(self.fails, "nothing in it fails: {failure}");
                self.done.failed += 1;
            }
            Err(RunError::Store(error)) => {
                assert!(self.harmed, "the store is sound: {error}");
                self.done.stored += 1;
            }
            Err(RunError::Displaced) => self.done.displaced += 1,
            Err(
                RunError::Busy { .. }
                | RunError::Waiting { .. }
                | RunError::NoThread
                | RunError::Spent { .. }
                | RunError::Superseded
                | RunError::Expired
                | RunError::NoQuestion,
            ) => self.done.refused += 1,
            // Its first reply was lost, and somebody deleted what it had begun.
            Err(RunError::Unknown) if self.harmed && self.done.deleted > 0 => self.done.refused += 1,
            Err(error) => panic!("{error:?}"),
        }
    }
}

fn pick<T>(from: &[T], which: usize) -> Option<&T> {
    from.get(which % from.len().max(1))
}

/// What takes more than one poll may run out of time while nobody polls it.
fn waits(script: &Script) -> bool {
    script.ops.iter().any(|op| !matches!(op, Op::Line(Act::Work)))
}

/// Polls so often. None if it is not over then.
pub async fn poll<F: Future + Unpin>(future: &mut F, polls: usize) -> Option<F::Output> {
    for _ in 0..polls {
        if let Poll::Ready(output) = poll_fn(|task| Poll::Ready(Pin::new(&mut *future).poll(task))).await {
            return Some(output);
        }
        tokio::task::yield_now().await;
    }
    None
}
