//! What the driver hands its steps to.

use std::any::Any;
use std::future::Future;
use std::mem;
use std::time::Duration;

use serde_json::value::RawValue;

use crate::context::Context;
use crate::engine::change::course::{By, Change, Course, Fault, Update, WayTaken};
use crate::engine::log::names;
use crate::engine::log::row::{CodecError, StopWhy};
use crate::engine::thread::address::Address;
use crate::engine::thread::frame::{Cursor, Tail, Trouble};
use crate::engine::thread::guest::{Activation as _, Spot};
use crate::engine::thread::image::Image;
use crate::engine::thread::looks::Looks;
use crate::error::{FailedPlace, NodeError};
use crate::graph::{Graph, Next, Patch, To};
use crate::id::QuestionId;
use crate::node::Asking;
use crate::observe::Mode;
use crate::state::{Ingest, State};
use crate::store::{RowKind, Seq, StoreError};
use crate::topology::Role;

/// Where a step is made durable, before the next one in its frame starts.
pub(crate) trait Journal<G: Graph>: Send {
    /// The root's place is done, and nothing else runs. Gives the update back if there is more to do than to go on.
    fn step(&mut self, image: &mut Image<G>, cx: &Context<G::Deps>, at: G::At, patch: Patch<G>, arm: u16) -> Result<(), Patch<G>>;

    /// Takes in what places came to, all that are ready in one commit. `more` if others run or wait to run.
    fn commit(
        &mut self,
        image: &mut Image<G>,
        cx: &Context<G::Deps>,
        done: Vec<Done>,
        more: bool,
    ) -> impl Future<Output = Result<Commit, Broken>> + Send;

    /// The run ends, the turn does not.
    fn stop(&mut self, image: &mut Image<G>, cx: &Context<G::Deps>, why: StopWhy) -> impl Future<Output = Result<Seq, Broken>> + Send;

    /// Ends when somebody else changed the thread, as far as that is known; or may have, if a question is open. Cancel safe.
    fn changed(&self, asked: bool) -> impl Future<Output = ()> + Send;

    /// Takes in what somebody else wrote.
    fn look(&mut self, image: &mut Image<G>, cx: &Context<G::Deps>) -> impl Future<Output = Result<Vec<Foreign>, Broken>> + Send;
}

/// What a place came to, and where.
#[derive(Debug)]
pub(crate) struct Done {
    pub(crate) address: Address,
    pub(crate) spot: Spot,
    pub(crate) what: What,
}

#[derive(Debug)]
pub(crate) enum What {
    /// It is done: its update, and the arm that it chose.
    Update(Box<dyn Any + Send>, u16),
    Asks(Asking),
    /// It failed; and how long is waited before it is tried again.
    Failed(FailedPlace, Option<Duration>),
    /// It was done before, and its way is looked for again.
    Reroute,
}

/// What was taken in.
#[derive(Debug, Default)]
pub(crate) struct Commit {
    /// For each that was given, in that order.
    pub(crate) told: Vec<Told>,
    /// Frames that can run since.
    pub(crate) opened: Vec<Address>,
    /// Frames in which everything was given up.
    pub(crate) closed: Vec<Address>,
    /// Others had changed the thread: look at all of it.
    pub(crate) refolded: bool,
}

/// What became of it.
#[derive(Debug)]
pub(crate) struct Told {
    /// The thread's version, where there is a store.
    pub(crate) seq: Option<Seq>,
    pub(crate) became: Became,
    /// What it wrote, where somebody asked for it.
    pub(crate) update: Option<Box<RawValue>>,
}

#[derive(Debug)]
pub(crate) enum Became {
    /// It counts, and these ways were taken.
    Moved(Vec<WayTaken>),
    /// Its question is open.
    Asked { question: QuestionId, content: serde_json::Value },
    /// It failed and is tried again.
    Retries,
    /// It failed, and nobody takes that over. Not what it said itself, if what it gave could not be kept.
    Failed { unkept: Option<CodecError>, failed: FailedPlace },
    /// Its frame has moved on: it does not count.
    Stale,
}

/// What somebody else wrote.
#[derive(Debug)]
pub(crate) struct Foreign {
    pub(crate) seq: Seq,
    pub(crate) kind: RowKind,
    /// The question that it shut.
    pub(crate) shut: Option<QuestionId>,
}

/// Why a step could not be made durable.
#[derive(Debug)]
pub(crate) enum Broken {
    /// Another run has the thread now: this one runs nothing more.
    Displaced,
    /// Somebody ended this run, or its turn, from outside.
    EndedBy(StopWhy),
    /// The store failed.
    Store(StoreError),
}

/// No store: a step is applied and forgotten.
#[derive(Debug, Default)]
pub(crate) struct Volatile {
    looks: Looks,
}

impl<G: Graph> Journal<G> for Volatile {
    /// Allocates nothing, and is quick about it, where nobody listens.
    #[inline]
    fn step(&mut self, image: &mut Image<G>, cx: &Context<G::Deps>, at: G::At, patch: Patch<G>, arm: u16) -> Result<(), Patch<G>> {
        let info = cx.info();
        if !info.emitter.is_silent() {
            return Err(patch);
        }
        let Image { root, turn, .. } = image;
        let patch = if <G::State as State>::INGESTS {
            root.view.get().ingest(patch, &mut Ingest::new(&*info.ids, info.clock.now(), info.turn))
        } else {
            patch
        };
        root.view.get_mut().apply(patch);
        root.ord += 1;
        turn.steps += 1;
        if info.meter.runs() {
            turn.used = turn.used.and(info.meter.take());
        }
        if root.behind.is_some() || root.trouble.is_some() {
            (root.behind, root.trouble) = (None, None);
        }
        mem::swap(&mut turn.taken, &mut root.taken);
        let Next { to, way, budget } = G::next(at, arm, root.view.get(), turn);
        mem::swap(&mut turn.taken, &mut root.taken);
        if let Some(budget) = budget {
            root.taken.count(usize::from(budget));
        }
        match (to, &mut root.cursor) {
            (To::Place(to), Cursor::At(at)) if !names::is_mount::<G>(to) => *at = to,
            (To::End(exit), _) => {
                if names::role::<G>(at) == Role::Cut {
                    image.stopped = Some(StopWhy::Repeating);
                }
                root.cursor = Cursor::Ended(exit);
            }
            (To::Never, _) => root.lose(Tail::Place(at, arm), &never()),
            (To::Place(_) | To::Fork(_) | To::Join, _) => {
                let by = By::Routers { ids: &*info.ids, looks: &mut self.looks, record: None };
                if let Err(fault) = root.go(Tail::Branch(way, to), &mut Course::new(turn, by)) {
                    root.lose(Tail::Place(at, arm), &broken(fault));
                }
            }
        }
        Ok(())
    }

    async fn commit(&mut self, image: &mut Image<G>, cx: &Context<G::Deps>, done: Vec<Done>, _: bool) -> Result<Commit, Broken> {
        let info = cx.info();
        let mut commit = Commit::default();
        image.turn.used = image.turn.used.and(info.meter.take());
        for Done { address, spot, what } in done {
            let mut shown = None;
            let what = match what {
                What::Update(update, arm) if info.emitter.asks_for(Mode::Updates) => {
                    let mut ingest = Ingest::new(&*info.ids, info.clock.now(), info.turn);
                    let raw = image.root.leaf(address.branches()).map(|leaf| leaf.take_in(update, &mut ingest));
                    shown = raw.and_then(Result::ok);
                    // What cannot be shown cannot be done: it is the place's failure, as it is where there is a store.
                    if shown.is_some() { What::Update(Box::new(()), arm) } else { What::Failed(unshown(spot.place), None) }
                }
                what => what,
            };
            let takes = matches!(&what, What::Failed(_, None)) && image.root.takes_failure(address.branches());
            let (change, lost) = match what {
                What::Update(_, arm) if shown.is_some() => (Change::Step { update: Update::Stored(shown.as_deref()), arm }, None),
                What::Update(patch, arm) => (Change::Step { update: Update::Fresh(patch), arm }, None),
                What::Reroute => (Change::Reroute, None),
                What::Failed(failed, Some(wait)) => {
                    (Change::Attempt(Trouble { failed, due: Some(image.turn.now().after(wait)) }), Some(Became::Retries))
                }
                What::Failed(failed, None) if takes => (Change::Fail(failed), None),
                What::Failed(failed, None) => {
                    let became = Became::Failed { unkept: None, failed: failed.clone() };
                    (Change::Attempt(Trouble { failed, due: None }), Some(became))
                }
                What::Asks(_) => {
                    let error = NodeError::fatal("it asks, and this run has no store to keep the question in");
                    let failed = FailedPlace::new(spot.place, &error, 1);
                    let became = Became::Failed { unkept: None, failed: failed.clone() };
                    (Change::Attempt(Trouble { failed, due: None }), Some(became))
                }
            };
            let by = By::Routers { ids: &*info.ids, looks: &mut self.looks, record: None };
            let mut course = Course::new(&mut image.turn, by);
            course.tell(!info.emitter.is_silent());
            let came = image.root.advance(address.branches(), change, &mut course);
            let Course { ways, opened, closed, repeating, .. } = course;
            if repeating {
                image.stopped = Some(StopWhy::Repeating);
            }
            commit.opened.extend(opened);
            commit.closed.extend(closed);
            let became = match came {
                Ok(_) => lost.unwrap_or(Became::Moved(ways.unwrap_or_default())),
                Err(Fault::Moved) => Became::Stale,
                Err(fault) => return Err(Broken::Store(StoreError::Io(broken(fault)))),
            };
            commit.told.push(Told { seq: None, became, update: shown });
        }
        Ok(commit)
    }

    async fn stop(&mut self, image: &mut Image<G>, cx: &Context<G::Deps>, _: StopWhy) -> Result<Seq, Broken> {
        image.turn.used = image.turn.used.and(cx.info().meter.take());
        Ok(0)
    }

    async fn changed(&self, _: bool) {
        std::future::pending().await
    }

    async fn look(&mut self, _: &mut Image<G>, _: &Context<G::Deps>) -> Result<Vec<Foreign>, Broken> {
        Ok(Vec::new())
    }
}

fn unshown(place: &str) -> FailedPlace {
    FailedPlace::new(place, &NodeError::fatal("what it gave is no JSON, and its updates were asked for"), 1)
}

/// Nothing is read where nothing is stored.
fn broken(fault: Fault) -> String {
    format!("the thread in memory does not fit its graph: {fault:?}")
}

/// What is said when `never` is taken.
pub(crate) fn never() -> String {
    "the graph says `never` here, and the router took it: give this case a way, or mend the router".to_owned()
}
