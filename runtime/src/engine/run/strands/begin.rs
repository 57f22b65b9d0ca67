//! Which place begins when: as its branch, its limits and its time let it.

use std::collections::HashSet;

use super::{Job, Strands};
use crate::engine::run::bodies::{self, Ended};
use crate::engine::run::failure::{Fault, retry, too_long};
use crate::engine::run::journal::What;
use crate::engine::run::lanes::{Held, Lanes};
use crate::engine::run::tell;
use crate::engine::thread::address::Address;
use crate::engine::thread::guest::Activation as _;
use crate::engine::thread::image::Survey;
use crate::graph::{Came, Graph};
use crate::node::NodeMeta;

impl<G: Graph> Strands<'_, '_, '_, G> {
    /// Whether the turn has used its budget.
    pub(super) fn is_spent(&self) -> bool {
        self.cx.info().meter.is_spent(self.image.turn.used)
    }

    /// The steps of the turn that are committed or under way.
    fn begun(&self) -> u64 {
        self.image.turn.steps.saturating_add((self.bodies.len() + self.done.len()) as u64)
    }

    /// The next frame to run, as long as the steps that are committed and those under way are not too many.
    pub(super) fn next(&mut self) -> Option<(Address, Held)> {
        if self.begun() >= self.last_step || self.is_spent() {
            return None;
        }
        self.queue.pop_front()
    }

    /// Begins with a frame: now, or when it is time to try it again.
    pub(super) fn start(&mut self, address: Address, held: Held) {
        let Some(leaf) = self.image.root.leaf(address.branches()) else { return };
        if leaf.breaks(&self.cx.info().breaks).0 {
            self.broke.get_or_insert(leaf.spot().place);
            self.lanes.release(held).into_iter().for_each(|address| self.enqueue(address));
            return;
        }
        // By the thread's time, which does not fall where the clock was set back.
        let wait = leaf.due().map(|due| due.since(self.image.at.max(self.cx.info().clock.now())));
        let Some(wait) = wait.filter(|wait| !wait.is_zero()) else { return self.launch(address, held) };
        let spot = leaf.spot();
        let job = Box::new(Job { waits: true, ..Job::still(address, spot, self.image.turn.steps, held) });
        if let Some((job, ended)) = self.bodies.start(Box::pin(bodies::wait(wait)), job, tracing::Span::none(), None, None) {
            self.over(job, ended);
        }
    }

    fn launch(&mut self, address: Address, held: Held) {
        let (steps, left) = (self.image.turn.steps, self.last_step.saturating_sub(self.begun()));
        let step = self.cx.step_mut();
        step.steps = steps;
        step.steps_left = u32::try_from(left).unwrap_or(u32::MAX);
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
    pub(super) fn over(&mut self, mut job: Box<Job>, ended: Ended) {
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

    pub(super) fn reroute(&mut self, address: Address) {
        let Some(leaf) = self.image.root.leaf(address.branches()) else { return };
        let (spot, steps, what) = (leaf.spot(), self.image.turn.steps, Some(What::Reroute));
        self.done.push(Box::new(Job { what, ..Job::still(address, spot, steps, Held::default()) }));
    }

    /// A frame can run: now, or when its branch may.
    pub(super) fn enqueue(&mut self, address: Address) {
        if let Some(held) = self.lanes.admit(&self.image.root, &address) {
            self.queue.push_back((address, held));
        }
    }

    /// Finds out anew what can run beside what is under way.
    pub(super) fn look_at_all(&mut self) {
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
}
