//! Steps that are done before they are durable: `Durability::Behind` and `Durability::Exit`. They are kept as what they were
//! planned of, too, so that they are planned again when somebody else changed the thread before them.

use std::fmt;
use std::mem;

use tokio::runtime::Handle;
use tokio::task::JoinHandle;

use crate::app::Durability;
use crate::context::Context;
use crate::engine::acts::swap::send;
use crate::engine::run::commit::{Kept, Ready};
use crate::engine::run::durable::{Durable, NotKept, Plan, bytes};
use crate::engine::run::journal::Broken;
use crate::engine::thread::image::Image;
use crate::graph::Graph;
use crate::observe::EventKind;
use crate::store::{AppendError, Appended, MAX_ROWS, Seq, Status, StoreError};
use crate::turn::Now;
use crate::usage::Usage;

/// The most rows that trail, so that with what comes behind them they fit into one append.
const ROWS: usize = 250;
/// The most bytes.
const BYTES: u64 = 4 << 20;

/// What is done and not durable.
#[derive(Default)]
pub(in crate::engine) struct Trail {
    /// Not sent yet: one row for each of the last of `steps`.
    plan: Plan,
    /// Sent, and not known to be written: the first of `steps`.
    flight: Option<Flight>,
    steps: Vec<Ready>,
}

struct Flight {
    task: JoinHandle<Result<Appended, AppendError>>,
    rows: usize,
    bytes: u64,
    status: Status,
}

impl Trail {
    pub(in crate::engine) fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// Bytes that come before whatever is planned now.
    pub(in crate::engine) fn bytes(&self) -> u64 {
        bytes(&self.plan.rows) + self.flight.as_ref().map_or(0, |flight| flight.bytes)
    }

    /// Puts what was not sent before a plan. Gives how many rows that are.
    pub(in crate::engine) fn join(&mut self, plan: &mut Plan) -> usize {
        let before = mem::take(&mut self.plan);
        let rows = before.rows.len();
        plan.put_before(before);
        rows
    }

    /// Whether all that trails fits into one append with a plan behind it: so it does after every conflict.
    pub(in crate::engine) fn has_room_for(&self, plan: &Plan) -> bool {
        // There may come one more row, which tells the end.
        self.steps.is_empty() || self.steps.len().saturating_add(plan.rows.len()) < MAX_ROWS
    }
}

impl Plan {
    /// Whether it may wait: a step that only goes on. What a person sees, and what ends a run, may not.
    fn may_trail(&self, ready: &[Ready]) -> bool {
        self.status == Status::Running
            && self.opens.is_empty()
            && self.shuts.is_empty()
            && self.snapshot.is_none()
            && self.rows.len() == ready.len()
            && ready.iter().all(|ready| matches!(ready.what, Kept::Update(..) | Kept::Failed(..)))
    }
}

impl Durable {
    /// Lets a plan trail, if it may: then it is taken. Gives whether the thread was found changed.
    pub(in crate::engine) async fn trails<G: Graph>(
        &mut self,
        image: &mut Image<G>,
        cx: &Context<G::Deps>,
        plan: &mut Plan,
        ready: &mut Vec<Ready>,
    ) -> Result<Option<bool>, Broken> {
        if self.desk.durability == Durability::Sync || !plan.may_trail(ready) {
            return Ok(None);
        }
        let steps = image.turn.steps.saturating_sub(1);
        self.trail.plan.rows.append(&mut plan.rows);
        self.trail.steps.extend(ready.drain(..).map(|ready| Ready { steps, ..ready }));
        self.unsaid = Usage::default();
        let mut full = self.trail.plan.rows.len() >= ROWS || self.trail.bytes() >= BYTES;
        let mut changed = false;
        if self.desk.durability == Durability::Behind {
            changed = self.land(image, cx, full).await?;
            self.take_off();
            full = self.trail.flight.is_none();
        }
        if full {
            changed |= self.flush(image, cx).await?;
        }
        if changed {
            self.settle(image, cx).await?;
        }
        Ok(Some(changed))
    }

    /// Others may have brought the thread to rest together with what trails: then nobody comes to make that durable.
    pub(in crate::engine) async fn settle<G: Graph>(&mut self, image: &mut Image<G>, cx: &Context<G::Deps>) -> Result<(), Broken> {
        while !self.trail.is_empty() && !image.is_runnable() {
            self.flush(image, cx).await?;
        }
        Ok(())
    }

    /// Sends what waits, unless something is under way.
    fn take_off(&mut self) {
        if self.trail.flight.is_some() || self.trail.plan.rows.is_empty() {
            return;
        }
        // Without a runtime of tokio's nothing can be under way: then they are durable at once.
        let Ok(runtime) = Handle::try_current() else { return };
        let plan = mem::take(&mut self.trail.plan);
        let (rows, bytes, status) = (plan.rows.len(), bytes(&plan.rows), plan.status);
        let (append, desk) = (self.appending(plan), self.desk.clone());
        let task = runtime.spawn(async move { send(&desk, append).await.came });
        self.trail.flight = Some(Flight { task, rows, bytes, status });
    }

    /// Takes in what became of what was sent: waits for it, or only looks. Gives whether the thread was found changed, and
    /// `image` with it.
    pub(in crate::engine) async fn land<G: Graph>(
        &mut self,
        image: &mut Image<G>,
        cx: &Context<G::Deps>,
        wait: bool,
    ) -> Result<bool, Broken> {
        match self.landed(wait).await? {
            Landed::Nothing => Ok(false),
            Landed::Rows(rows) => {
                self.tell(cx, rows);
                Ok(false)
            }
            Landed::Conflict => {
                let loaded = self.look_again().await?;
                self.refold(image, &loaded)?;
                self.plan_again(image, cx)?;
                Ok(true)
            }
        }
    }

    async fn landed(&mut self, wait: bool) -> Result<Landed, Broken> {
        let Some(flight) = self.trail.flight.as_mut().filter(|flight| wait || flight.task.is_finished()) else {
            return Ok(Landed::Nothing);
        };
        // It stays where it is until it has landed: who is dropped here leaves it to whoever ends the run, who must not write
        // what was planned behind it before it is known what became of it.
        let sent = (&mut flight.task).await;
        let Some(Flight { rows, bytes, status, .. }) = self.trail.flight.take() else { return Ok(Landed::Nothing) };
        let sent = sent.unwrap_or_else(|error| Err(AppendError::Store(StoreError::Io(format!("a commit ended early: {error}")))));
        let appended = self.appended(sent, None, bytes, status);
        if !matches!(appended, Ok(Ok(_))) {
            // It was planned behind what is not there: whoever ends the run now must not write it.
            self.trail.plan = Plan::default();
        }
        match appended {
            Ok(Ok(_)) => Ok(Landed::Rows(rows)),
            Ok(Err(None)) => Ok(Landed::Conflict),
            Ok(Err(Some(error))) => Err(Broken::Store(StoreError::Io(error.to_string()))),
            Err(broken) => Err(broken),
        }
    }

    /// Makes everything durable that trails. Gives whether the thread was found changed, and `image` with it.
    pub(in crate::engine) async fn flush<G: Graph>(&mut self, image: &mut Image<G>, cx: &Context<G::Deps>) -> Result<bool, Broken> {
        let mut changed = self.land(image, cx, true).await?;
        while !self.trail.plan.rows.is_empty() {
            let plan = mem::take(&mut self.trail.plan);
            let rows = plan.rows.len();
            match self.append(plan).await? {
                Ok(_) => self.tell(cx, rows),
                Err(NotKept::Conflict(loaded)) => {
                    self.refold(image, &loaded)?;
                    self.plan_again(image, cx)?;
                    changed = true;
                }
                Err(NotKept::Codec(error)) => return Err(Broken::Store(StoreError::Io(error.to_string()))),
            }
        }
        Ok(changed)
    }

    /// Plans what trails on the thread as it is now. What does not stand there any more is dropped.
    pub(in crate::engine) fn plan_again<G: Graph>(&mut self, image: &mut Image<G>, cx: &Context<G::Deps>) -> Result<(), Broken> {
        let steps = mem::take(&mut self.trail).steps;
        image.turn.now = Now::Stored(self.at);
        image.at = self.at;
        let mut plan = Plan::new(Vec::with_capacity(steps.len()), Status::Running);
        for ready in steps {
            let before = plan.rows.len();
            self.apply(image, cx, &ready, &mut plan).map_err(|error| Broken::Store(StoreError::Io(error.to_string())))?;
            if plan.rows.len() > before {
                self.trail.steps.push(ready);
            } else {
                // Paid for all the same: the next row tells it.
                cx.info().meter.add(ready.used);
            }
        }
        let survey = image.survey();
        if survey.running.is_empty() && !plan.rows.is_empty() {
            plan.status = image.resting();
            if let Some(stuck) = survey.stuck {
                image.stopped = Some(stuck.why());
                plan.rows.push(self.stop_row(stuck.why()).map_err(|error| Broken::Store(StoreError::Io(error.to_string())))?);
            }
        }
        self.trail.plan = plan;
        Ok(())
    }

    /// So many of what trailed are durable: whoever listens is told now.
    pub(in crate::engine) fn tell<D>(&mut self, cx: &Context<D>, rows: usize) {
        let first = (self.seq + 1).saturating_sub(rows as u64);
        self.tell_from(cx, rows, first);
    }

    /// The same, where others came behind them in the same commit.
    pub(in crate::engine) fn tell_from<D>(&mut self, cx: &Context<D>, rows: usize, first: Seq) {
        let emitter = &cx.info().emitter;
        for (Ready { spot, steps, .. }, seq) in self.trail.steps.drain(..rows.min(self.trail.steps.len())).zip(first..) {
            if !emitter.is_silent() {
                emitter.tell(steps, &spot.path.before(spot.place), EventKind::Committed { seq });
            }
        }
    }

    /// For whoever has nothing to plan on any more: what waits, or nothing if others were faster.
    pub(in crate::engine) async fn last_of_trail(&mut self) -> Result<Last, Broken> {
        let landed = match self.landed(true).await {
            // It is not known whether it was written, and nothing waits behind it any more: the end can be told all the same.
            Err(Broken::Store(_)) => Landed::Nothing,
            landed => landed?,
        };
        let Trail { plan, mut steps, .. } = mem::take(&mut self.trail);
        match landed {
            Landed::Rows(rows) => drop(steps.drain(..rows.min(steps.len()))),
            Landed::Conflict => drop(self.look_again().await?),
            Landed::Nothing => {}
        }
        let used = |steps: &[Ready]| steps.iter().fold(Usage::default(), |sum, ready| sum.and(ready.used));
        // Those before were on their way when whoever had sent them was dropped.
        let (sent, waits) = steps.split_at(steps.len().saturating_sub(plan.rows.len()));
        let (told, unsaid) = (used(waits), used(sent).and(mem::take(&mut self.unsaid)));
        Ok(match landed {
            // Nothing of it was written.
            Landed::Conflict => Last { plan: Plan::default(), told: Usage::default(), lost: told.and(unsaid), unsaid: Usage::default() },
            Landed::Nothing | Landed::Rows(_) => Last { plan, told, lost: Usage::default(), unsaid },
        })
    }
}

/// What is left of a run when it ends, and what the models cost in it.
pub(in crate::engine) struct Last {
    /// What waits.
    pub(in crate::engine) plan: Plan,
    /// Told by its rows.
    pub(in crate::engine) told: Usage,
    /// Told by rows that are lost.
    pub(in crate::engine) lost: Usage,
    /// Told by rows of which nobody knows whether they were written: whoever had sent them did not wait.
    pub(in crate::engine) unsaid: Usage,
}

enum Landed {
    Nothing,
    Rows(usize),
    Conflict,
}

impl fmt::Debug for Trail {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Trail").field("steps", &self.steps.len()).field("flying", &self.flight.is_some()).finish_non_exhaustive()
    }
}
