//! A thread, two workers that drive it, and somebody who does to it whatever can be done.

use std::collections::BTreeMap;
use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::sync::atomic::Ordering;
use std::task::Poll;
use std::time::Duration;

use graphwright::prelude::*;
use graphwright::store::{By, Checkpointer, Row, RowKind, Status, ThreadKey};
use graphwright::testing::{Divergence, Diverges, Recording, RecordingError};
use graphwright::{Durability, Given, Run, Scope, Thread, ThreadId, TurnId};

use super::model::{self, Plain, interpret};
use super::world::{Act, Deps, Op, Script, Shown, World, Worlds, input, show};
use crate::faults::{Faults, Plant, Worker};
use crate::laws::{self, Told};

/// What somebody does.
#[derive(Clone, Copy, Debug)]
pub enum Move {
    /// Begins the next turn, if none is under way.
    Begin {
        who: usize,
        polls: usize,
    },
    Proceed {
        who: usize,
        polls: usize,
        steps: Option<u64>,
    },
    /// One step.
    Step {
        who: usize,
        polls: usize,
    },
    Resume {
        who: usize,
        which: usize,
        polls: usize,
    },
    Poll {
        run: usize,
        polls: usize,
    },
    /// Lets a run come to its end, if it can.
    Finish {
        run: usize,
    },
    /// As a process that dies, or a caller that goes away.
    Drop {
        run: usize,
        silent: bool,
    },
    Answer {
        who: usize,
        which: usize,
        right: bool,
    },
    /// Gives an answer again that was taken before.
    Repeat {
        who: usize,
        which: usize,
    },
    Reissue {
        who: usize,
        which: usize,
    },
    Cancel {
        who: usize,
    },
    Abandon {
        who: usize,
    },
    Drain {
        who: usize,
    },
    /// Makes another thread of it as it was at a row, and brings that to its end.
    Fork {
        at: usize,
    },
    Sweep {
        who: usize,
    },
    Fail {
        who: usize,
        after: u64,
        calls: u64,
    },
    Lose {
        who: usize,
        after: u64,
    },
    Heal,
    /// Takes the other worker for dead, or no longer.
    Presume {
        who: usize,
        dead: bool,
    },
    Mend {
        mended: bool,
    },
    Wait {
        seconds: u64,
    },
}

/// How much was done: a harness that did nothing fails.
#[derive(Clone, Copy, Debug, Default)]
pub struct Done {
    pub rows: usize,
    pub turns: usize,
    pub abandoned: usize,
    pub answers: usize,
    pub refused: usize,
    pub displaced: usize,
    pub forks: usize,
    pub failed: usize,
    pub stored: usize,
    /// Threads that were recorded and decided again.
    pub told_again: usize,
}

impl Done {
    pub fn and(self, more: Self) -> Self {
        Self {
            rows: self.rows + more.rows,
            turns: self.turns + more.turns,
            abandoned: self.abandoned + more.abandoned,
            answers: self.answers + more.answers,
            refused: self.refused + more.refused,
            displaced: self.displaced + more.displaced,
            forks: self.forks + more.forks,
            failed: self.failed + more.failed,
            stored: self.stored + more.stored,
            told_again: self.told_again + more.told_again,
        }
    }
}

pub struct Play<S> {
    store: S,
    pub apps: [App<Worlds>; 2],
    /// Reads what is stored, and knows what it has read.
    eye: Thread<Worlds>,
    pub faults: [Faults; 2],
    pub deps: Deps,
    told: Told,
    live: Vec<Run<Worlds>>,
    scripts: std::vec::IntoIter<Script>,
    /// The turn that is under way, and what was before it.
    turn: Option<(TurnId, Script)>,
    base: Plain,
    /// Every turn, with its script and what was before it.
    turns: BTreeMap<TurnId, (Script, Plain)>,
    /// What turns came to: a run may tell of it later than others know.
    ends: BTreeMap<TurnId, Plain>,
    /// Bodies that must have run by now; not known once a turn was given up.
    bodies: Option<usize>,
    rows: Vec<Row>,
    given: Vec<Given>,
    /// Whether a call of a store has failed, or may have.
    harmed: bool,
    /// Whether a script that was begun has something that fails.
    fails: bool,
    pub done: Done,
}

impl<S: Checkpointer + Clone> Play<S> {
    pub fn on(store: S, scripts: Vec<Script>, durability: Durability, plant: Option<Plant>) -> Self {
        let (deps, told) = (Deps::default(), Told::default());
        let faults = [Faults::of(plant), Faults::of(plant)];
        let app = |faults: &Faults| {
            let worker = Worker { inner: store.clone(), faults: faults.clone() };
            Worlds::app(deps.clone(), worker).observe(told.clone()).durability(durability)
        };
        let apps = [app(&faults[0]), app(&faults[1])];
        let (scripts, base, bodies) = (scripts.into_iter(), Plain::default(), Some(0));
        let eye = Worlds::app(deps.clone(), store.clone()).thread("t");
        let (live, turn, turns, ends, rows) = (Vec::new(), None, BTreeMap::new(), BTreeMap::new(), Vec::new());
        let (given, harmed, fails, done) = (Vec::new(), false, false, Done::default());
        Self { store, apps, eye, faults, deps, told, live, scripts, turn, base, turns, ends, bodies, rows, given, harmed, fails, done }
    }

    /// Somebody who knows nothing but what is stored.
    fn stranger(&self) -> Thread<Worlds> {
        Worlds::app(self.deps.clone(), self.store.clone()).thread("t")
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
            Move::Sweep { who } => {
                if let Ok(swept) = tokio::time::timeout(Duration::from_secs(90), self.apps[who % 2].sweep()).await {
                    self.may_fail(&swept);
                }
            }
            Move::Fail { who, after, calls } => {
                self.harmed = true;
                self.faults[who % 2].fail(after, calls);
            }
            Move::Lose { who, after } => {
                self.harmed = true;
                self.faults[who % 2].lose(after);
            }
            Move::Heal => self.faults.iter().for_each(Faults::heal),
            Move::Presume { who, dead } => self.faults[who % 2].presume_dead(dead),
            Move::Mend { mended } => self.deps.mended.store(mended, Ordering::SeqCst),
            Move::Wait { seconds } => tokio::time::sleep(Duration::from_secs(seconds)).await,
        }
        self.check().await;
    }

    /// Looks whether a turn was begun from outside with this script; else it is the next.
    pub async fn adopt(&mut self, script: Script) {
        self.settle().await;
        match self.eye.history().await.ok().and_then(|rows| rows.first().map(|row| row.row.turn)) {
            Some(turn) => self.turn = Some((turn, script)),
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
                && let Some(begun) = now.get(rows)
            {
                self.fails |= model::is_broken(&script) || waits(&script);
                self.turns.insert(begun.row.turn, (script.clone(), self.base.clone()));
                self.turn = Some((begun.row.turn, script));
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
            Err(error) => assert!(!healthy, "an answer to an open question is refused: {error}"),
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
            Err(error) => assert!(!healthy, "an open question cannot be issued anew: {error}"),
        }
    }

    /// Another thread, as this one was at a row: it comes to what the turn of that row comes to, whatever became of this one.
    async fn fork(&mut self, at: usize) {
        let Some(row) = pick(&self.rows, at) else { return };
        let over = self.rows.iter().any(|other| other.row.turn == row.row.turn && other.row.kind == RowKind::Close && other.seq <= row.seq);
        let Some((script, base)) = self.turns.get(&row.row.turn).filter(|_| !over) else { return };
        let name = format!("fork {}", self.done.forks);
        let deps = Deps::default();
        deps.mended.store(true, Ordering::SeqCst);
        let app = Worlds::app(deps, self.store.clone());
        let fork = app.thread("t").fork(row.seq, name).await.unwrap();
        for _ in 0..60 {
            if fork.status().await.unwrap() == Some(Status::Idle) {
                let world = fork.state().await.unwrap().unwrap();
                assert_eq!(Plain::from(&world), interpret(base, script).state, "a fork comes to something else");
                self.done.forks += 1;
                return;
            }
            if let Ok(Outcome::Paused(paused)) = fork.proceed().await {
                let _answered = fork.answer(paused.questions.iter().map(|q| show(q).right).collect::<Vec<_>>()).await.unwrap();
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
            Ok(Outcome::Stopped(_)) => {}
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
                | RunError::NoQuestion,
            ) => self.done.refused += 1,
            Err(error) => panic!("{error:?}"),
        }
    }

    /// A turn has reached its end.
    fn over(&mut self, turn: TurnId, world: &World) {
        if let Some((_, script)) = self.turn.take_if(|(now, _)| *now == turn) {
            let came = interpret(&self.base, &script);
            self.base = came.state;
            self.ends.insert(turn, self.base.clone());
            self.bodies = self.bodies.map(|bodies| bodies + came.bodies);
            self.done.turns += 1;
        }
        assert_eq!(Some(&Plain::from(world)), self.ends.get(&turn), "the state is not what the script comes to");
    }

    async fn check(&mut self) {
        self.settle().await;
        let Some(status) = self.eye.status().await.unwrap() else { return };
        let rows = self.eye.history().await.unwrap();
        laws::rows(&self.rows, &rows);
        self.rows = rows.to_vec();
        let world = self.stranger().state().await.unwrap().unwrap();
        for who in 0..2 {
            if !self.faults[who].is_armed() {
                let known = self.thread(who).state().await.unwrap();
                laws::inv_read(&known.as_ref(), &Some(&world));
            }
        }
        if let (Status::Idle, Some((turn, _))) = (status, &self.turn) {
            let turn = *turn;
            if self.rows.last().is_some_and(|row| row.row.kind == RowKind::Close) {
                self.turn = None;
                self.bodies = None;
                self.base = Plain::from(&world);
                self.done.abandoned += 1;
            } else {
                self.over(turn, &world);
            }
        }
        let open: Vec<_> = self.open().await.iter().map(|shown| shown.id).collect();
        let mut listed: Vec<_> =
            Worlds::app(self.deps.clone(), self.store.clone()).pending().list().await.unwrap().waiting.iter().map(|w| w.id).collect();
        assert_eq!(listed.len(), open.len(), "INV-ONE: the inbox and the thread disagree");
        listed.retain(|id| !open.contains(id));
        assert!(listed.is_empty(), "INV-ONE: the inbox and the thread disagree");
        assert!(status != Status::Idle || open.is_empty(), "a question is open although nothing is under way");
        assert!(status != Status::Paused || !open.is_empty(), "it waits, and nothing is open");
        laws::inv_pair(&world.talk, status == Status::Idle);
        laws::keys(&self.deps.begun.lock().unwrap());
        self.told.inv_end(false);
    }

    /// Brings everything in order, and the thread to its end: then it must be what the scripts come to.
    pub async fn finish(&mut self) {
        self.live.clear();
        for faults in &self.faults {
            faults.heal();
            faults.presume_dead(false);
        }
        self.deps.mended.store(true, Ordering::SeqCst);
        self.check().await;
        for nth in 0..60 {
            match self.eye.status().await.unwrap() {
                None | Some(Status::Idle) => {
                    assert!(self.turn.is_none(), "a turn is over, and nobody saw it");
                    self.told.inv_end(true);
                    if let Some(last) = self.rows.last() {
                        let then = self.eye.state_at(last.seq).await.unwrap();
                        assert_eq!(self.eye.state().await.unwrap(), Some(then), "INV-READ: the state at the last row");
                    }
                    let keys = laws::keys(&self.deps.begun.lock().unwrap());
                    assert!(self.bodies.is_none_or(|bodies| bodies == keys), "{:?} steps of work, and {keys} keys", self.bodies);
                    self.done.rows = self.rows.len();
                    self.told_again().await;
                    return;
                }
                Some(_) => {}
            }
            let outcome = self.thread(nth).proceed().await;
            self.came(outcome);
            let open = self.open().await;
            if let Some(shown) = if nth % 2 == 0 { open.first() } else { open.last() } {
                let _answered = self.thread(nth + 1).answer(shown.right.clone()).await.unwrap();
            }
            self.check().await;
        }
        panic!("it does not come to an end");
    }
}

impl<S: Checkpointer + Clone> Play<S> {
    /// What was decided is decided again, but for where a router panicked, which is told to do so once.
    async fn told_again(&mut self) {
        let recording = match Recording::of(&self.eye).await {
            Ok(recording) => recording,
            Err(RecordingError::NoBeginning | RecordingError::Thread(RunError::NoThread)) => return,
            Err(error) => panic!("it cannot be recorded: {error}"),
        };
        match recording.replay::<Worlds>() {
            Ok(()) => self.done.told_again += 1,
            Err(Divergence { what: Diverges::Way { recorded, .. }, .. }) if recorded.ends_with("no way") => {}
            Err(differs) => panic!("told again it goes elsewhere: {differs} {:?}", differs.what),
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
