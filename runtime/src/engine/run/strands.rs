//! The part of the loop in which something is open: branches of a fork, a mounted graph. What can run runs at the same time,
//! and whatever is ready is committed at once.

use std::collections::{HashSet, VecDeque};
use std::future::{Future as _, poll_fn};
use std::pin::pin;
use std::task::Poll;
use std::time::Duration;

use tokio::time::Instant;

use crate::context::Context;
use crate::engine::log::row::StopWhy;
use crate::engine::run::bodies::{Bodies, Ended, Wait};
use crate::engine::run::drive::{Ending, YIELD_EVERY, rest, stopped};
use crate::engine::run::failure::{Failed, Fault, retry, too_long};
use crate::engine::run::journal::{Became, Broken, Commit, Done, Journal, Told, What};
use crate::engine::run::lanes::{Held, Lanes};
use crate::engine::run::tell;
use crate::engine::run::watch::{Watch, Watched};
use crate::engine::thread::address::Address;
use crate::engine::thread::frame::Cursor;
use crate::engine::thread::guest::{Activation as _, Came, Spot};
use crate::engine::thread::image::{Image, Survey};
use crate::error::NodeError;
use crate::graph::Graph;
use crate::node::NodeMeta;
use crate::observe::{Mark, Span};
use crate::policy::Policy;

/// So many that are done are taken in at once.
const BATCH: usize = 256;

/// A place that runs, and what is known of it.
struct Job {
    address: Address,
    spot: Spot,
    policy: &'static Policy,
    attempt: u32,
    /// There is a breakpoint after it.
    breaks: bool,
    /// It failed, and waits to be tried again.
    waits: bool,
    /// Steps of the turn when it began.
    steps: u64,
    node: Option<Span>,
    held: Held,
    fault: Option<Fault>,
    /// What it came to, when it is over.
    what: Option<What>,
}

/// What is under way.
struct Strands<'a, 'w, 't, G: Graph> {
    image: &'a mut Image<G>,
    cx: &'a mut Context<G::Deps>,
    watch: &'a mut Watch<'w, 't>,
    last_step: u64,
    bodies: Bodies<Box<Job>>,
    lanes: Lanes,
    /// Frames that can run, and may.
    queue: VecDeque<(Address, Held)>,
    #[allow(clippy::vec_box, reason = "as they come out of the set, where the box is what keeps a body small")]
    done: Vec<Box<Job>>,
    /// What failed and ends the run, when the others have come to rest.
    failed: Option<(Address, Failed)>,
    /// Nothing more begins, and the run stops when what is under way is done: why.
    stopping: Option<StopWhy>,
    /// A place before which there is a breakpoint, and which waits there.
    broke: Option<&'static str>,
    /// A question is open, so somebody else may change the thread.
    asked: bool,
}

impl Job {
    /// Of a frame in which no place runs.
    fn still(address: Address, spot: Spot, steps: u64, held: Held) -> Self {
        let (policy, attempt, breaks, waits) = (&Policy::NONE, 1, false, false);
        Self { address, spot, policy, attempt, breaks, waits, steps, node: None, held, fault: None, what: None }
    }

    /// What it came to, as it is taken in.
    fn done(&mut self) -> Option<Done> {
        let what = self.what.take()?;
        Some(Done { address: self.address.clone(), spot: self.spot.clone(), what })
    }
}

/// Drives what is open until the root runs alone again, which is `None`, or nothing can run.
pub(in crate::engine) async fn strands<G: Graph, J: Journal<G>>(
    image: &mut Image<G>,
    cx: &mut Context<G::Deps>,
    journal: &mut J,
    watch: &mut Watch<'_, '_>,
    last_step: u64,
    reroutes: bool,
) -> Result<Option<Ending>, Broken> {
    let again = if reroutes { image.unrouted() } else { Vec::new() };
    let bodies = Bodies::new();
    let (lanes, queue, done) = (Lanes::default(), VecDeque::new(), Vec::new());
    let mut strands =
        Strands { image, cx, watch, last_step, bodies, lanes, queue, done, failed: None, stopping: None, broke: None, asked: false };
    strands.watch.begin(None, None);
    strands.look_at_all();
    for address in again {
        strands.reroute(address);
    }
    strands.drive(journal).await
}

impl<G: Graph> Strands<'_, '_, '_, G> {
    async fn drive<J: Journal<G>>(&mut self, journal: &mut J) -> Result<Option<Ending>, Broken> {
        let mut until_yield = YIELD_EVERY;
        loop {
            if self.stopping.is_none() && self.cx.info().drain.is_cancelled() {
                self.stopping = Some(StopWhy::Drained);
            }
            if self.stopping.is_some() {
                // What waits to be tried again has not begun.
                self.bodies.drop_if(|job| job.waits).into_iter().for_each(drop);
            }
            while self.stopping.is_none()
                && self.done.len() < BATCH
                && let Some((address, held)) = self.next()
            {
                self.start(address, held);
                until_yield -= 1;
                if until_yield == 0 {
                    until_yield = YIELD_EVERY;
                    tokio::task::yield_now().await;
                    if self.cx.info().cancel.is_cancelled() {
                        break;
                    }
                }
            }
            self.cx.info().emitter.flush().await;
            let idle = self.done.is_empty() && self.bodies.is_empty();
            // Where the last commit left nothing to run, there is nothing to be cancelled.
            if idle && !self.image.is_runnable() {
                return Ok(Some(self.at_rest(journal).await));
            }
            if self.cx.info().cancel.is_cancelled() {
                return Ok(Some(self.stop(journal, StopWhy::Cancelled, Ending::Cancelled).await));
            }
            if self.watch.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                return Ok(Some(self.stop(journal, StopWhy::TimedOut, Ending::TimedOut).await));
            }
            if idle {
                return Ok(Some(self.at_rest(journal).await));
            }
            match self.wait(journal).await? {
                Watched::Done(()) | Watched::TooLong => {}
                Watched::TimedOut => return Ok(Some(self.stop(journal, StopWhy::TimedOut, Ending::TimedOut).await)),
                Watched::Cancelled => return Ok(Some(self.stop(journal, StopWhy::Cancelled, Ending::Cancelled).await)),
            }
            if !self.done.is_empty() {
                self.commit(journal).await?;
            }
            if !matches!(self.image.root.cursor, Cursor::Fork(_) | Cursor::Mounted(..)) {
                return match self.stopping.take().filter(|_| self.image.is_runnable()) {
                    Some(why) => Ok(Some(self.stop_for(journal, why).await)),
                    None => Ok(None),
                };
            }
        }
    }

    /// Nothing is under way: whether the run is over, or ends here although something could run.
    async fn at_rest<J: Journal<G>>(&mut self, journal: &mut J) -> Ending {
        let waits = !self.queue.is_empty() || self.lanes.is_waiting();
        let why = match (self.stopping.take(), self.broke) {
            // Also what waited to be tried again could run: it was dropped when the run was to stop.
            (Some(why), broke) if waits || broke.is_some() || self.image.is_runnable() => why,
            (None, _) if waits && self.is_spent() => StopWhy::BudgetSpent,
            (None, _) if waits => StopWhy::StepLimit,
            (_, Some(place)) => StopWhy::Breakpoint { place: place.to_owned(), after: false },
            (_, None) => return rest(self.image, self.failed.take().map(|(_, failed)| failed)),
        };
        // What failed is for people, whatever else waits.
        let Some(stuck) = self.image.survey().stuck else { return self.stop_for(journal, why).await };
        let ending = rest(self.image, self.failed.take().map(|(_, failed)| failed));
        stopped(journal.stop(self.image, self.cx, stuck.why()).await, ending)
    }

    async fn stop_for<J: Journal<G>>(&mut self, journal: &mut J, why: StopWhy) -> Ending {
        let ending = match &why {
            StopWhy::Breakpoint { place, .. } => Ending::Breakpoint(place.clone()),
            StopWhy::StepLimit => Ending::StepLimit,
            StopWhy::BudgetSpent => Ending::BudgetSpent,
            _ => Ending::Drained,
        };
        self.stop(journal, why, ending).await
    }

    /// Whether the turn has used its budget.
    fn is_spent(&self) -> bool {
        self.cx.info().meter.is_spent(self.image.turn.used)
    }

    /// The next frame to run, as long as the steps that are committed and those under way are not too many.
    fn next(&mut self) -> Option<(Address, Held)> {
        let under_way = (self.bodies.len() + self.done.len()) as u64;
        if self.image.turn.steps.saturating_add(under_way) >= self.last_step || self.is_spent() {
            return None;
        }
        self.queue.pop_front()
    }

    /// Begins with a frame: now, or when it is time to try it again.
    fn start(&mut self, address: Address, held: Held) {
        let Some(leaf) = self.image.root.leaf(address.branches()) else { return };
        let (spot, due) = (leaf.spot(), leaf.due());
        if leaf.breaks(&self.cx.info().breaks).0 {
            self.broke.get_or_insert(spot.place);
            self.lanes.release(held).into_iter().for_each(|address| self.enqueue(address));
            return;
        }
        // By the thread's time, which does not fall where the clock was set back.
        let now = self.image.at.max(self.cx.info().clock.now());
        let wait = due.map_or(Duration::ZERO, |due| due.since(now));
        if wait.is_zero() {
            return self.launch(address, held);
        }
        let body = Box::new(Wait(Box::pin(tokio::time::sleep(wait))));
        let job = Box::new(Job { waits: true, ..Job::still(address, spot, self.image.turn.steps, held) });
        if let Some((job, ended)) = self.bodies.start(body, job, tracing::Span::none(), None, None) {
            self.over(job, ended);
        }
    }

    fn launch(&mut self, address: Address, held: Held) {
        let steps = self.image.turn.steps;
        let step = self.cx.step_mut();
        step.steps = steps;
        step.steps_left = u32::try_from(self.last_step.saturating_sub(steps)).unwrap_or(u32::MAX);
        let Some(leaf) = self.image.root.leaf(address.branches()) else { return };
        let (spot, (_, breaks)) = (leaf.spot(), leaf.breaks(&self.cx.info().breaks));
        let Some(launch) = leaf.launch(&self.image.turn, self.cx) else { return };
        let node = (!self.cx.info().emitter.is_silent()).then(|| tell::begin_now(self.cx, spot.place));
        let span = tracing::debug_span!(target: "graphwright", "execute_node", graph = <G as NodeMeta>::NAME, node = spot.place, path = %spot.path);
        let (policy, attempt) = (launch.policy, launch.attempts.saturating_add(1));
        let job = Box::new(Job { policy, attempt, breaks, node, ..Job::still(address, spot, steps, held) });
        if let Some((job, ended)) = self.bodies.start(launch.body, job, span, policy.timeout, launch.beat) {
            self.over(job, ended);
        }
    }

    /// A place is done, one way or another.
    fn over(&mut self, mut job: Box<Job>, ended: Ended) {
        job.what = Some(match ended {
            Ended::Came(Came::Due) => return self.launch(job.address, job.held),
            Ended::Came(Came::Update(update, arm)) => What::Update(update, arm),
            Ended::Came(Came::Asks(asking)) => What::Asks(asking),
            Ended::Came(Came::Failed(error)) => self.fault(&mut job, Fault::Node(error)),
            Ended::TooLong(limit) => self.fault(&mut job, Fault::Node(too_long(limit))),
            Ended::Panicked(text) => self.fault(&mut job, Fault::Panic(text)),
        });
        self.done.push(job);
    }

    fn fault(&self, job: &mut Job, fault: Fault) -> What {
        let again = retry(job.policy, &fault, job.attempt, &*self.cx.info().ids);
        let failed = fault.place(job.spot.place, job.attempt);
        job.fault = Some(fault);
        What::Failed(failed, again)
    }

    fn reroute(&mut self, address: Address) {
        let Some(leaf) = self.image.root.leaf(address.branches()) else { return };
        let (spot, steps, what) = (leaf.spot(), self.image.turn.steps, Some(What::Reroute));
        self.done.push(Box::new(Job { what, ..Job::still(address, spot, steps, Held::default()) }));
    }

    /// Waits until something is done, somebody else changed the thread, or it is over.
    async fn wait<J: Journal<G>>(&mut self, journal: &mut J) -> Result<Watched<()>, Broken> {
        let mut over = Vec::new();
        let watched = {
            let mut changed = pin!(journal.changed(self.asked));
            let drain = self.cx.info().drain.clone();
            let mut drained = pin!(drain.cancelled());
            let stopping = self.stopping.is_some();
            let (bodies, watch, ready) = (&mut self.bodies, &mut self.watch, !self.done.is_empty());
            poll_fn(|task| {
                if let Poll::Ready(ended) = bodies.poll(task) {
                    over = ended;
                    return Poll::Ready(Watched::Done(false));
                }
                if ready {
                    return Poll::Ready(Watched::Done(false));
                }
                if !stopping && drained.as_mut().poll(task).is_ready() {
                    return Poll::Ready(Watched::Done(false));
                }
                if changed.as_mut().poll(task).is_ready() {
                    return Poll::Ready(Watched::Done(true));
                }
                watch.pending(task)
            })
            .await
        };
        for (job, ended) in over {
            self.over(job, ended);
        }
        match watched {
            Watched::Done(true) => {
                let rows = journal.look(self.image, self.cx).await?;
                if !rows.is_empty() {
                    tell::foreign(self.cx, self.image.turn.steps, &rows).await;
                    self.look_at_all();
                }
                Ok(Watched::Done(()))
            }
            Watched::Done(false) => Ok(Watched::Done(())),
            Watched::TimedOut => Ok(Watched::TimedOut),
            Watched::Cancelled => Ok(Watched::Cancelled),
            Watched::TooLong => Ok(Watched::TooLong),
        }
    }

    async fn commit<J: Journal<G>>(&mut self, journal: &mut J) -> Result<(), Broken> {
        let mut jobs = std::mem::take(&mut self.done);
        let done = jobs.iter_mut().filter_map(|job| job.done()).collect();
        let more = !self.bodies.is_empty() || !self.queue.is_empty() || self.lanes.is_waiting();
        let Commit { told, opened, closed, refolded } = journal.commit(self.image, self.cx, done, more).await?;
        // Before the places are given back, so that a branch that goes on keeps its own.
        opened.into_iter().for_each(|address| self.enqueue(address));
        for (mut job, told) in jobs.into_iter().zip(told) {
            self.tell(&mut job, &told).await;
            self.became(&mut job, told);
            for address in self.lanes.release(job.held) {
                self.enqueue(address);
            }
        }
        for frame in closed {
            self.bodies.drop_if(|job| job.address.branches().starts_with(frame.branches())).into_iter().for_each(drop);
            if self.failed.as_ref().is_some_and(|(address, _)| address.branches().starts_with(frame.branches())) {
                self.failed = None;
            }
            self.look_at_all();
        }
        if refolded {
            self.look_at_all();
        }
        Ok(())
    }

    fn became(&mut self, job: &mut Job, told: Told) {
        match told.became {
            Became::Retries => self.enqueue(job.address.clone()),
            Became::Failed { unkept, failed } => {
                let fault = unkept.map(|error| Fault::Node(NodeError::fatal(error))).or(job.fault.take());
                let error = fault.unwrap_or_else(|| Fault::Node(NodeError::of(failed.class(), failed.error())));
                // The one that is first in the order of joins, whichever was first in time.
                if self.failed.as_ref().is_none_or(|(address, _)| job.address < *address) {
                    self.failed = Some((job.address.clone(), Failed { place: job.spot.place, attempts: job.attempt, error }));
                }
            }
            Became::Asked { .. } => self.asked = true,
            Became::Moved(_) if job.breaks => {
                let why = StopWhy::Breakpoint { place: job.spot.place.to_owned(), after: true };
                self.stopping.get_or_insert(why);
            }
            Became::Moved(_) | Became::Stale => {}
        }
    }

    async fn tell(&mut self, job: &mut Job, told: &Told) {
        if self.cx.info().emitter.is_silent() {
            return;
        }
        let fault = job.fault.as_ref().map(|fault| fault.place(job.spot.place, job.attempt));
        match (job.node.take(), &told.became, &fault) {
            (None, ..) => {}
            (Some(node), Became::Failed { failed, .. }, None) | (Some(node), _, Some(failed)) => {
                tell::failed(node, job.spot.place, failed.error());
            }
            (Some(node), Became::Asked { .. }, None) => node.end(Mark::Paused),
            (Some(node), Became::Moved(_) | Became::Retries | Became::Stale, None) => node.end(Mark::Completed),
        }
        tell::said(self.cx, (&job.spot.path, job.spot.place, job.steps), told).await;
    }

    /// A frame can run: now, or when its branch may.
    fn enqueue(&mut self, address: Address) {
        if let Some(held) = self.lanes.admit(&self.image.root, &address) {
            self.queue.push_back((address, held));
        }
    }

    /// Finds out anew what can run beside what is under way.
    fn look_at_all(&mut self) {
        self.lanes = Lanes::default();
        self.queue.clear();
        self.broke = None;
        let mut under_way = HashSet::new();
        for job in self.done.iter_mut().chain(self.bodies.known_mut()) {
            job.held = self.lanes.hold(&self.image.root, &job.address);
            under_way.insert(job.address.clone());
        }
        let Survey { running, parked, .. } = self.image.survey();
        self.asked = parked > 0;
        self.queue.reserve(running.len());
        running.into_iter().filter(|address| !under_way.contains(address)).for_each(|address| self.enqueue(address));
    }

    /// Drops what is under way, and lets the thread go.
    async fn stop<J: Journal<G>>(&mut self, journal: &mut J, why: StopWhy, ending: Ending) -> Ending {
        self.bodies.drop_if(|_| true).into_iter().for_each(drop);
        self.done.clear();
        stopped(journal.stop(self.image, self.cx, why).await, ending)
    }
}
