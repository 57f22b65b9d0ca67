//! The part of the loop in which something is open: branches of a fork, a mounted graph. What can run runs at the same time,
//! and whatever is ready is committed at once.

mod begin;

use std::collections::VecDeque;
use std::future::{Future as _, poll_fn};
use std::pin::pin;
use std::task::Poll;

use tokio::time::Instant;

use crate::context::Context;
use crate::engine::log::row::StopWhy;
use crate::engine::run::bodies::Bodies;
use crate::engine::run::drive::{Ending, YIELD_EVERY, rest, stopped};
use crate::engine::run::failure::{Failed, Fault};
use crate::engine::run::journal::{Became, Broken, Commit, Done, Journal, Told, What};
use crate::engine::run::lanes::{Held, Lanes};
use crate::engine::run::tell;
use crate::engine::run::watch::{Watch, Watched};
use crate::engine::thread::address::Address;
use crate::engine::thread::frame::Cursor;
use crate::engine::thread::guest::Spot;
use crate::engine::thread::image::Image;
use crate::error::NodeError;
use crate::graph::Graph;
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

    /// Drops what is under way, and lets the thread go.
    async fn stop<J: Journal<G>>(&mut self, journal: &mut J, why: StopWhy, ending: Ending) -> Ending {
        self.bodies.drop_if(|_| true).into_iter().for_each(drop);
        self.done.clear();
        stopped(journal.stop(self.image, self.cx, why).await, ending)
    }
}
