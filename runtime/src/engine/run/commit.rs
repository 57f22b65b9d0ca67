//! How what places came to becomes rows: taken in once, planned on the thread as it is, appended, and planned again on a
//! conflict (PROTOCOL R3).

use std::time::Duration;

use serde_json::value::RawValue;

use crate::clock::Timestamp;
use crate::context::Context;
use crate::engine::change::course::{By, Change, Course, Fault, Update};
#[cfg(debug_assertions)]
use crate::engine::log::check::reads_back;
use crate::engine::log::fold;
use crate::engine::log::row::{self, Body, CodecError, StopWhy, StoredQuestion};
use crate::engine::run::drive::caught_now;
use crate::engine::run::durable::{Durable, NotKept, Plan, new_question};
use crate::engine::run::journal::{Became, Broken, Commit, Done, Foreign, Journal, Told, What};
use crate::engine::thread::address::Address;
use crate::engine::thread::frame::Trouble;
use crate::engine::thread::guest::{Activation as _, Spot};
use crate::engine::thread::image::{Image, question_id};
use crate::error::{FailedPlace, NodeError};
use crate::graph::{Graph, Patch};
use crate::observe::Mode;
use crate::state::Ingest;
use crate::store::{Fate, Point, RowKind, Seq, Shut, Status, StoreError};
use crate::turn::Now;
use crate::usage::Usage;

/// The most rows of one commit, so that none waits for too many others.
const ROWS: usize = 256;
/// How often a run looks whether somebody else answered a question that is open beside it.
const LOOK_EVERY: Duration = Duration::from_secs(2);

/// What a place came to, as it is stored: taken in once, applied as often as it must be.
pub(in crate::engine) struct Ready {
    pub(in crate::engine) address: Address,
    pub(in crate::engine) spot: Spot,
    pub(in crate::engine) what: Kept,
    /// What models cost until it was done, whoever called them.
    pub(in crate::engine) used: Usage,
    /// Steps of the turn before it, once it trails.
    pub(in crate::engine) steps: u64,
}

pub(in crate::engine) enum Kept {
    Update(Box<RawValue>, u16),
    Asks(StoredQuestion),
    /// What failed, when it is tried again, and what could not be kept, if that was it.
    Failed(FailedPlace, Option<Timestamp>, Option<CodecError>),
    Reroute,
}

impl Ready {
    /// What could not be kept is its place's failure.
    fn fail(&mut self, error: CodecError) {
        let failed = FailedPlace::new(self.spot.place, &NodeError::fatal(error.clone()), 1);
        self.what = Kept::Failed(failed, None, Some(error));
    }

    /// Whether its frame still stands where it stood when the place began.
    fn stands<G: Graph>(&self, image: &mut Image<G>) -> bool {
        let reroutes = matches!(self.what, Kept::Reroute);
        image.root.leaf(self.address.branches()).is_some_and(|leaf| {
            (reroutes || leaf.can_run()) && {
                let spot = leaf.spot();
                spot.ord == self.spot.ord && spot.path == self.spot.path
            }
        })
    }
}

/// One that was applied.
pub(in crate::engine) struct Applied {
    became: Became,
    /// Its row among those of the commit.
    row: Option<usize>,
    opened: Vec<Address>,
    closed: Vec<Address>,
    /// What it wrote, where somebody asked for it.
    update: Option<Box<RawValue>>,
}

impl Applied {
    fn stale() -> Self {
        Self { became: Became::Stale, row: None, opened: Vec::new(), closed: Vec::new(), update: None }
    }
}

impl<G: Graph> Journal<G> for Durable {
    fn step(&mut self, _: &mut Image<G>, _: &Context<G::Deps>, _: G::At, patch: Patch<G>, _: u16) -> Result<(), Patch<G>> {
        Err(patch)
    }

    async fn commit(&mut self, image: &mut Image<G>, cx: &Context<G::Deps>, done: Vec<Done>, more: bool) -> Result<Commit, Broken> {
        self.now();
        let mut rest: Vec<Ready> = done.into_iter().map(|done| self.ready(image, cx, done)).collect();
        let used = cx.info().meter.take();
        if let Some(first) = rest.first_mut() {
            first.used = used;
            self.unsaid = used;
        }
        let mut commit = Commit::default();
        while !rest.is_empty() {
            let behind = rest.split_off(rest.len().min(ROWS));
            let more = more || !behind.is_empty();
            match self.commit_all(image, cx, std::mem::replace(&mut rest, behind), more).await {
                Ok(done) => commit.add(done),
                Err(broken) => {
                    self.take_back(image, cx).await;
                    return Err(broken);
                }
            }
        }
        if commit.told.first().is_none_or(|told| matches!(told.became, Became::Stale)) {
            // Paid for all the same: the next row tells it.
            cx.info().meter.add(used);
        }
        self.unsaid = Usage::default();
        Ok(commit)
    }

    async fn stop(&mut self, image: &mut Image<G>, cx: &Context<G::Deps>, why: StopWhy) -> Result<Seq, Broken> {
        if let Err(broken) = self.flush(image, cx).await {
            self.take_back(image, cx).await;
            return Err(broken);
        }
        if self.released {
            return Ok(self.seq);
        }
        self.used = cx.info().meter.take();
        image.turn.used = image.turn.used.and(self.used);
        self.release(why).await
    }

    async fn changed(&self, asked: bool) {
        tokio::select! {
            () = self.woken.notified() => {}
            () = async { tokio::time::sleep(LOOK_EVERY).await }, if asked => {}
        }
    }

    async fn look(&mut self, image: &mut Image<G>, cx: &Context<G::Deps>) -> Result<Vec<Foreign>, Broken> {
        let (key, seen) = (self.desk.key_of(self.uid), self.seq);
        // What trails was planned before what the others wrote.
        let changed = self.flush(image, cx).await?;
        let loaded = self.desk.store.load(&key, Point::After(if changed { seen } else { self.seq })).await.map_err(Broken::Store)?;
        let Some(loaded) = loaded.filter(|loaded| loaded.head.run == Some(self.run)) else {
            self.look_again().await?;
            return Err(Broken::Displaced);
        };
        let mut foreign = Vec::new();
        for row in &loaded.rows {
            let shut = row::decode::<Body>(&row.row.body).ok().and_then(|body| body.shut);
            if row.row.run != Some(self.run) {
                foreign.push(Foreign { seq: row.seq, kind: row.row.kind, shut });
            }
            if row.seq <= self.seq {
                continue;
            }
            let folded = caught_now(|| fold::advance(image, row.seq, &row.row));
            if !matches!(folded, Ok(Ok(()))) {
                self.take_back(image, cx).await;
                break;
            }
        }
        (self.seq, self.at) = (loaded.seq, self.at.max(loaded.head.at));
        Ok(foreign)
    }
}

impl Durable {
    /// Takes in what a place gave.
    fn ready<G: Graph>(&self, image: &mut Image<G>, cx: &Context<G::Deps>, done: Done) -> Ready {
        let Done { address, spot, what } = done;
        let mut ingest = Ingest::new(&*cx.info().ids, self.at, self.turn);
        let what = match what {
            What::Update(update, arm) => match image.root.leaf(address.branches()) {
                Some(leaf) => caught_now(|| leaf.take_in(update, &mut ingest))
                    .unwrap_or_else(|panic| Err(CodecError::Lossy(format!("taking it in panicked: {panic}"))))
                    .map(|raw| Kept::Update(raw, arm)),
                None => Err(CodecError::Lossy("its frame is gone".to_owned())),
            },
            What::Asks(asking) => {
                let manner = image.root.leaf(address.branches()).and_then(|leaf| leaf.manner());
                let expires = manner.and_then(|manner| manner.policy.expires).map(|limit| self.at.after(limit));
                let id = question_id(self.uid, self.turn, &spot.path, spot.ord);
                row::settle(&asking.question)
                    .map(|(_, asked)| Kept::Asks(StoredQuestion { id, generation: 0, asked, labels: asking.labels, expires }))
            }
            What::Failed(failed, wait) => Ok(Kept::Failed(failed, wait.map(|wait| self.at.after(wait)), None)),
            What::Reroute => Ok(Kept::Reroute),
        };
        let mut ready = Ready { address, spot, what: Kept::Reroute, used: Usage::default(), steps: 0 };
        match what {
            Ok(what) => ready.what = what,
            Err(error) => ready.fail(error),
        }
        ready
    }

    /// Applies one of them, and adds what is written of it.
    pub(in crate::engine) fn apply<G: Graph>(
        &mut self,
        image: &mut Image<G>,
        cx: &Context<G::Deps>,
        ready: &Ready,
        plan: &mut Plan,
    ) -> Result<Applied, CodecError> {
        if !ready.stands(image) {
            return Ok(Applied::stale());
        }
        let address = ready.address.branches();
        let mut body = Body { used: ready.used, ..Body::EMPTY };
        image.turn.used = image.turn.used.and(ready.used);
        let mut became = None;
        let (kind, change) = match &ready.what {
            Kept::Update(update, arm) => {
                body.update = Some(update.clone());
                (RowKind::Step, Change::Step { update: Update::Stored(Some(update)), arm: *arm })
            }
            Kept::Asks(question) => {
                let manner = image.root.leaf(address).and_then(|leaf| leaf.manner());
                plan.opens.push(new_question(&ready.spot, question, manner)?);
                body.question = Some(question.clone());
                became = Some(Became::Asked { question: question.id, content: question.asked.clone() });
                (RowKind::Park, Change::Park { question: question.clone(), at: self.at })
            }
            Kept::Failed(failed, None, _) if image.root.takes_failure(address) => {
                body.failed = Some(failed.clone());
                (RowKind::Failed, Change::Fail(failed.clone()))
            }
            Kept::Failed(failed, due, unkept) => {
                (body.failed, body.due) = (Some(failed.clone()), *due);
                became = Some(match due {
                    Some(_) => Became::Retries,
                    None => Became::Failed { unkept: unkept.clone(), failed: failed.clone() },
                });
                (RowKind::Attempt, Change::Attempt(Trouble { failed: failed.clone(), due: *due }))
            }
            Kept::Reroute => (RowKind::Claim, Change::Reroute),
        };
        let info = cx.info();
        let by = By::Routers { ids: &*info.ids, looks: &mut self.looks, record: Some(Vec::new()) };
        let mut course = Course::new(&mut image.turn, by);
        course.tell(!info.emitter.is_silent());
        let came = image.root.advance(address, change, &mut course);
        body.next = course.moves();
        let Course { ways, opened, closed, shut, repeating, .. } = course;
        match came {
            Ok(_) => {}
            Err(Fault::Moved) => return Err(CodecError::Lossy("its frame does not stand where it stood".to_owned())),
            Err(Fault::Codec(error)) => return Err(error),
            Err(Fault::Damaged(what)) => return Err(CodecError::Lossy(what.to_owned())),
        }
        image.stopped = repeating.then_some(StopWhy::Repeating);
        body.why.clone_from(&image.stopped);
        plan.rows.push(self.row(kind, &ready.spot, &body)?);
        plan.shuts.extend(shut.into_iter().map(|(id, generation)| Shut { id, generation, to: Fate::Superseded }));
        let became = became.unwrap_or(Became::Moved(ways.unwrap_or_default()));
        let update = body.update.filter(|_| info.emitter.asks_for(Mode::Updates));
        Ok(Applied { became, row: Some(plan.rows.len()), opened, closed, update })
    }

    /// Plans a commit of all of them. `Err` says which of them cannot be kept, and why; none of them if it is their sum.
    fn plan<G: Graph>(
        &mut self,
        image: &mut Image<G>,
        cx: &Context<G::Deps>,
        ready: &[Ready],
        more: bool,
    ) -> Result<(Plan, Vec<Applied>), (usize, CodecError)> {
        let mut plan = Plan::new(Vec::with_capacity(ready.len()), Status::Running);
        let mut applied = Vec::with_capacity(ready.len());
        for (index, ready) in ready.iter().enumerate() {
            let one = caught_now(|| self.apply(image, cx, ready, &mut plan))
                .unwrap_or_else(|panic| Err(CodecError::Lossy(format!("applying it panicked: {panic}"))));
            applied.push(one.map_err(|error| (index, error))?);
        }
        image.claims = 0;
        let goes_on = |one: &Applied| !one.opened.is_empty() || matches!(one.became, Became::Retries);
        // Where something was given up, what goes on may have been in it.
        let given_up = applied.iter().any(|one| !one.closed.is_empty());
        if (given_up || (!more && !applied.iter().any(goes_on))) && !plan.rows.is_empty() {
            let survey = image.survey();
            if survey.running.is_empty() {
                plan.status = image.resting();
                if let Some(stuck) = survey.stuck {
                    image.stopped = Some(stuck.why());
                    plan.rows.push(self.stop_row(stuck.why()).map_err(|error| (0, error))?);
                }
            }
        }
        // A failure makes nothing larger.
        if ready.iter().any(|ready| !matches!(ready.what, Kept::Failed(..))) {
            plan.snapshot = self.snapshot(image, &plan.rows).map_err(|error| (ready.len(), error))?;
        }
        Ok((plan, applied))
    }

    async fn commit_all<G: Graph>(
        &mut self,
        image: &mut Image<G>,
        cx: &Context<G::Deps>,
        mut ready: Vec<Ready>,
        more: bool,
    ) -> Result<Commit, Broken> {
        let mut refolded = false;
        loop {
            image.turn.now = Now::Stored(self.at);
            image.at = self.at;
            let error = match self.plan(image, cx, &ready, more) {
                Ok((plan, applied)) if plan.rows.is_empty() => {
                    self.settle(image, cx).await?;
                    return Ok(Commit::of(applied, self.seq, 0, refolded));
                }
                Ok((mut plan, applied)) => {
                    if !self.trail.has_room_for(&plan) && self.flush(image, cx).await? {
                        refolded = true;
                        continue;
                    }
                    if let Some(changed) = self.trails(image, cx, &mut plan, &mut ready).await? {
                        return Ok(Commit::trailing(applied, refolded || changed));
                    }
                    if self.land(image, cx, true).await? {
                        refolded = true;
                        continue;
                    }
                    let rows = plan.rows.len();
                    let before = self.trail.join(&mut plan);
                    match self.append(plan).await {
                        Ok(Ok(seq)) => {
                            self.unsaid = Usage::default();
                            self.tell_from(cx, before, (seq + 1).saturating_sub((before + rows) as u64));
                            #[cfg(debug_assertions)]
                            reads_back(&self.desk, self.uid, seq, image).await;
                            return Ok(Commit::of(applied, seq, rows, refolded));
                        }
                        // The thread moved on and is still ours: a body counts if its frame still stands where it stood.
                        Ok(Err(NotKept::Conflict(loaded))) => {
                            self.refold(image, &loaded)?;
                            self.plan_again(image, cx)?;
                            refolded = true;
                            continue;
                        }
                        Ok(Err(NotKept::Codec(error))) => (ready.len(), error),
                        Err(broken) => return Err(broken),
                    }
                }
                Err(error) => error,
            };
            self.take_back(image, cx).await;
            let alone = ready.len() == 1;
            match (ready.get_mut(if alone { 0 } else { error.0 }), error.1) {
                (Some(Ready { what: Kept::Failed(..), .. }), error) => return Err(Broken::Store(StoreError::Io(error.to_string()))),
                (Some(ready), error) => ready.fail(error),
                (None, _) => {
                    // Each by itself, so that the one that does not fit is the one that is refused.
                    let mut commit = Commit { refolded, ..Commit::default() };
                    let mut left = ready.len();
                    for ready in ready {
                        left -= 1;
                        commit.add(Box::pin(self.commit_all(image, cx, vec![ready], more || left > 0)).await?);
                    }
                    return Ok(commit);
                }
            }
        }
    }
}

impl Commit {
    fn of(applied: Vec<Applied>, seq: Seq, rows: usize, refolded: bool) -> Self {
        let mut commit = Self { refolded, ..Self::default() };
        for Applied { became, row, opened, closed, update } in applied {
            let seq = row.map(|row| seq.saturating_sub(rows.saturating_sub(row) as u64));
            commit.told.push(Told { seq, became, update });
            commit.opened.extend(opened);
            commit.closed.extend(closed);
        }
        commit
    }

    /// Of what is not durable yet.
    fn trailing(applied: Vec<Applied>, refolded: bool) -> Self {
        let mut commit = Self::of(applied, 0, 0, refolded);
        commit.told.iter_mut().for_each(|told| told.seq = None);
        commit
    }

    fn add(&mut self, other: Self) {
        self.told.extend(other.told);
        self.opened.extend(other.opened);
        self.closed.extend(other.closed);
        self.refolded |= other.refolded;
    }
}
