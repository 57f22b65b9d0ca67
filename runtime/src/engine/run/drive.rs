//! The loop: one for runs with and without a store, with and without observers. Here is the part in which the root runs
//! alone, its places' futures in line; `strands` is the rest.

use std::any::Any;
use std::future::{Future, pending, poll_fn};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::pin;
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

use tokio::time::{Instant, Sleep};

use crate::context::Context;
use crate::engine::log::names::name;
use crate::engine::log::row::StopWhy;
use crate::engine::run::failure::{Failed, Fault, panicked, retry, too_long};
use crate::engine::run::journal::{Became, Broken, Commit, Done, Journal, Told, What};
use crate::engine::run::results::through;
use crate::engine::run::strands::strands;
use crate::engine::run::tell;
use crate::engine::run::watch::{Beat, Watch, Watched};
use crate::engine::thread::address::Address;
use crate::engine::thread::frame::Cursor;
use crate::engine::thread::guest::{Activation as _, Boxed};
use crate::engine::thread::image::{Image, Stuck};
use crate::error::{FailedPlace, NodeError};
use crate::graph::{Graph, Out};
use crate::item::Item;
use crate::node::NodeMeta;
use crate::observe::Mark;
use crate::path::Path;
use crate::policy::Policy;
use crate::turn::Turn;

/// The clock and the cancellation are looked at when a node waits, and every so many steps.
const LOOK_EVERY: u32 = 64;
/// A loop that never waits still lets other tasks run, every so many steps.
pub(in crate::engine) const YIELD_EVERY: u32 = 128;

/// What bounds a run.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Drive {
    pub(crate) steps: u64,
    pub(crate) deadline: Option<Instant>,
    /// Whether there is a store: ways that were not found are looked for again, and somebody may let the run stop.
    pub(crate) kept: bool,
}

/// How a run ended.
#[derive(Debug)]
pub(crate) enum Ending {
    Completed(u16),
    Paused,
    /// A cut ended the turn.
    Repeating,
    StepLimit,
    BudgetSpent,
    TimedOut,
    Cancelled,
    /// It was to stop at its next commit.
    Drained,
    /// Before or after this place.
    Breakpoint(String),
    /// A place, a router or a reducer failed.
    Failed(Failed),
    /// The step is done and kept, and no way leads on.
    Unrouted(FailedPlace),
    /// The journal gave up.
    Broken(Broken),
}

/// Drives `image` until nothing can run. A panic of user code in the part that runs in line is caught here, once for the
/// whole run.
pub(crate) async fn drive<G: Graph, J: Journal<G>>(
    image: &mut Image<G>,
    cx: &mut Context<G::Deps>,
    journal: &mut J,
    limits: Drive,
) -> Ending {
    // Of this run: what others took before it in the same turn does not count.
    let last_step = image.turn.steps.saturating_add(limits.steps);
    loop {
        let panic = match caught(run(image, cx, journal, limits, last_step)).await {
            Ok(ending) => return ending,
            Err(panic) => panic,
        };
        if image.root.ord != cx.step().ord && cx.step().path.is_root() {
            // The place is done: what panicked is the router behind it.
            let failed = FailedPlace::new(cx.place(), &NodeError::fatal(format!("its router panicked: {panic}")), 1);
            let why = StopWhy::Unrouted { place: failed.place().to_owned(), error: failed.error().to_owned() };
            return stopped(journal.stop(image, cx, why).await, Ending::Unrouted(failed));
        }
        let Cursor::At(at) = image.root.cursor else {
            // Not a place's: what runs beside others is caught there.
            let failed = Failed { place: cx.place(), attempts: cx.attempt(), error: Fault::Panic(panic) };
            let error = failed.error.place(failed.place, failed.attempts).error().to_owned();
            let why = StopWhy::Failed { place: failed.place.to_owned(), error };
            return stopped(journal.stop(image, cx, why).await, Ending::Failed(failed));
        };
        match failed(image, cx, journal, name::<G>(at), panicked(panic), G::policy(at)).await {
            Ok(None) => {}
            Ok(Some(ending)) => return ending,
            Err(broken) => return Ending::Broken(broken),
        }
    }
}

async fn run<G: Graph, J: Journal<G>>(
    image: &mut Image<G>,
    cx: &mut Context<G::Deps>,
    journal: &mut J,
    limits: Drive,
    last_step: u64,
) -> Ending {
    let info = cx.info().clone();
    let silent = info.emitter.is_silent();
    let traced = tracing::enabled!(target: "graphwright", tracing::Level::DEBUG);
    let (timer, place_timer) = (pin!(None::<Sleep>), pin!(None::<Sleep>));
    let cancel = pin!(info.cancel.cancelled());
    let mut watch = Watch { sleep: timer, place: place_timer, cancel, deadline: limits.deadline, limit: None, beat: None };
    let (mut until_look, mut until_yield) = (0u32, YIELD_EVERY);
    // What this run does not find itself is for the next one: it has let the thread go then.
    let mut reroutes = limits.kept && !matches!(image.root.cursor, Cursor::At(_));
    if !silent {
        tell::state(cx, image).await;
    }
    let breaks = (!info.breaks.is_empty()).then_some(&*info.breaks);

    loop {
        let at = match &image.root.cursor {
            Cursor::At(at) => *at,
            Cursor::Fork(_) | Cursor::Mounted(..) => {
                match Box::pin(strands(image, cx, journal, &mut watch, last_step, std::mem::take(&mut reroutes))).await {
                    Ok(None) => {
                        let step = cx.step_mut();
                        (step.path, step.beat) = (Path::default(), None);
                        tell::state(cx, image).await;
                        continue;
                    }
                    Ok(Some(ending)) => return ending,
                    Err(broken) => return Ending::Broken(broken),
                }
            }
            Cursor::Unrouted(_) if std::mem::take(&mut reroutes) => match reroute(image, cx, journal).await {
                Ok(()) => continue,
                Err(broken) => return Ending::Broken(broken),
            },
            _ => return rest(image, None),
        };
        if limits.kept && info.drain.is_cancelled() {
            return stopped(journal.stop(image, cx, StopWhy::Drained).await, Ending::Drained);
        }
        if breaks.is_some_and(|breaks| !image.root.passed && breaks.before::<G>(at)) {
            let place = name::<G>(at).to_owned();
            let why = StopWhy::Breakpoint { place: place.clone(), after: false };
            return stopped(journal.stop(image, cx, why).await, Ending::Breakpoint(place));
        }
        if image.turn.steps >= last_step {
            return stopped(journal.stop(image, cx, StopWhy::StepLimit).await, Ending::StepLimit);
        }
        if info.meter.is_spent(image.turn.used) {
            return stopped(journal.stop(image, cx, StopWhy::BudgetSpent).await, Ending::BudgetSpent);
        }
        if until_look == 0 {
            until_look = LOOK_EVERY;
            if info.cancel.is_cancelled() {
                return stopped(journal.stop(image, cx, StopWhy::Cancelled).await, Ending::Cancelled);
            }
            if limits.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                return stopped(journal.stop(image, cx, StopWhy::TimedOut).await, Ending::TimedOut);
            }
        }
        until_look -= 1;
        if until_yield == 0 {
            until_yield = YIELD_EVERY;
            tokio::task::yield_now().await;
        }
        until_yield -= 1;

        let (place, policy) = (name::<G>(at), G::policy(at));
        let step = cx.step_mut();
        (step.place, step.was) = (place, policy.was);
        step.ord = image.root.ord;
        step.steps = image.turn.steps;
        step.steps_left = u32::try_from(last_step - image.turn.steps).unwrap_or(u32::MAX);
        step.attempt = 1;
        if step.behind.is_some() || image.root.behind.is_some() {
            step.behind.clone_from(&image.root.behind);
        }
        if let Some(trouble) = &image.root.trouble {
            watch.begin(None, None);
            cx.step_mut().attempt = trouble.failed.attempts().saturating_add(1);
            // By the thread's time, which does not fall where the clock was set back.
            let now = image.at.max(info.clock.now());
            let wait = trouble.due.map_or(Duration::ZERO, |due| due.since(now));
            let drained = async { if limits.kept { info.drain.cancelled().await } else { pending().await } };
            let mut wait = pin!(async {
                tokio::select! {
                    () = tokio::time::sleep(wait) => {}
                    () = drained => {}
                }
            });
            match poll_fn(|task| watch.poll(wait.as_mut(), task)).await {
                Watched::Done(()) | Watched::TooLong => {}
                Watched::TimedOut => return stopped(journal.stop(image, cx, StopWhy::TimedOut).await, Ending::TimedOut),
                Watched::Cancelled => return stopped(journal.stop(image, cx, StopWhy::Cancelled).await, Ending::Cancelled),
            }
            if limits.kept && info.drain.is_cancelled() {
                continue;
            }
        }
        if policy.timeout.is_some() || watch.limit.is_some() {
            cx.step_mut().beat = policy.timeout.map(|_| Arc::new(Beat::default()));
            watch.begin(policy.timeout, cx.step().beat.clone());
        }

        let node = if silent { None } else { Some(tell::begin(cx, place).await) };
        let span = if traced {
            tracing::debug_span!(target: "graphwright", "execute_node", graph = <G as NodeMeta>::NAME, node = place)
        } else {
            tracing::Span::none()
        };
        let came = {
            let item = <G::Item as Item>::NONE;
            let (state, turn, cx) = (image.root.view.get(), &image.turn, &*cx);
            match policy.cache {
                None => watch.over(&span, pin!(G::run_place(at, state, &item, cx))).await,
                Some(keep) => watch.over(&span, pin!(run_or_keep::<G>(at, (state, &item, turn), cx, keep))).await,
            }
        };
        // First of all, and by itself, so that what a step gave is not kept over what may be awaited behind it.
        let Some(came) = goes_on(came, at, image, cx, journal) else { continue };
        let out = match came {
            Watched::Done(out) => out,
            Watched::TooLong => Out::Failed(too_long(watch.limit.unwrap_or_default())),
            Watched::TimedOut => {
                drop(node);
                return stopped(journal.stop(image, cx, StopWhy::TimedOut).await, Ending::TimedOut);
            }
            Watched::Cancelled => {
                drop(node);
                return stopped(journal.stop(image, cx, StopWhy::Cancelled).await, Ending::Cancelled);
            }
        };
        let came = match out {
            Out::Done(patch, arm) => {
                let done = Done { address: Address::ROOT, spot: image.root.spot(), what: What::Update(Box::new(patch), arm) };
                journal.commit(image, cx, vec![done], false).await.map(only)
            }
            Out::Ask(asking) => {
                let done = Done { address: Address::ROOT, spot: image.root.spot(), what: What::Asks(asking) };
                journal.commit(image, cx, vec![done], false).await.map(only)
            }
            Out::Failed(error) => {
                if let Some(node) = node {
                    tell::failed(node, place, &error.to_string());
                }
                match failed(image, cx, journal, place, Fault::Node(error), policy).await {
                    Ok(None) => continue,
                    Ok(Some(ending)) => return ending,
                    Err(broken) => return Ending::Broken(broken),
                }
            }
        };
        let told = match came {
            Ok(told) => told,
            Err(broken) => return Ending::Broken(broken),
        };
        if let Some(node) = node {
            match &told.became {
                Became::Failed { failed, .. } => tell::failed(node, place, failed.error()),
                Became::Asked { .. } => node.end(Mark::Paused),
                Became::Moved(_) | Became::Retries | Became::Stale => node.end(Mark::Completed),
            }
        }
        if !silent && !matches!(told.became, Became::Failed { .. }) {
            tell::told(cx, &told).await;
            if matches!(told.became, Became::Moved(_)) {
                tell::state(cx, image).await;
            }
        }
        if let Became::Failed { unkept, failed } = told.became {
            // What it gave could not be kept: nothing of it is.
            let error = unkept.map_or_else(|| NodeError::fatal(failed.error()), NodeError::fatal);
            return Ending::Failed(Failed { place, attempts: cx.attempt(), error: Fault::Node(error) });
        }
        if matches!(told.became, Became::Moved(_)) && breaks.is_some_and(|breaks| breaks.after::<G>(at)) && image.is_runnable() {
            let why = StopWhy::Breakpoint { place: place.to_owned(), after: true };
            return stopped(journal.stop(image, cx, why).await, Ending::Breakpoint(place.to_owned()));
        }
    }
}

/// A body whose result may be kept. In a box, so that a run without such places is no larger for them.
fn run_or_keep<'a, G: Graph>(
    at: G::At,
    (state, item, turn): (&'a G::State, &'a G::Item, &'a Turn),
    cx: &'a Context<G::Deps>,
    keep: Duration,
) -> Boxed<'a, Out<G>> {
    Box::pin(async move { through::<G>(at, (state, item, turn), cx, keep, G::run_place(at, state, item, cx)).await })
}

/// A step after which there is nothing to do but to go on; gives everything else back.
#[inline]
fn goes_on<G: Graph, J: Journal<G>>(
    came: Watched<Out<G>>,
    at: G::At,
    image: &mut Image<G>,
    cx: &Context<G::Deps>,
    journal: &mut J,
) -> Option<Watched<Out<G>>> {
    let Watched::Done(Out::Done(patch, arm)) = came else { return Some(came) };
    let back = journal.step(image, cx, at, patch, arm).err()?;
    Some(Watched::Done(Out::Done(back, arm)))
}

fn only(commit: Commit) -> Told {
    commit.told.into_iter().next().unwrap_or(Told { seq: None, became: Became::Stale, update: None })
}

/// A way that was not found is looked for again: a mended router may know it now.
async fn reroute<G: Graph, J: Journal<G>>(image: &mut Image<G>, cx: &mut Context<G::Deps>, journal: &mut J) -> Result<(), Broken> {
    let done = Done { address: Address::ROOT, spot: image.root.spot(), what: What::Reroute };
    let told = journal.commit(image, cx, vec![done], false).await.map(only)?;
    tell::told(cx, &told).await;
    Ok(())
}

/// The root's place failed: it is tried again, goes on by its way `on error`, or ends the run.
async fn failed<G: Graph, J: Journal<G>>(
    image: &mut Image<G>,
    cx: &mut Context<G::Deps>,
    journal: &mut J,
    place: &'static str,
    fault: Fault,
    policy: &Policy,
) -> Result<Option<Ending>, Broken> {
    let attempts = cx.attempt();
    let again = retry(policy, &fault, attempts, &*cx.info().ids);
    let failed = fault.place(place, attempts);
    if again.is_none() && !image.root.takes_failure(&[]) {
        let why = StopWhy::Failed { place: place.to_owned(), error: failed.error().to_owned() };
        journal.stop(image, cx, why).await?;
        return Ok(Some(Ending::Failed(Failed { place, attempts, error: fault })));
    }
    let done = Done { address: Address::ROOT, spot: image.root.spot(), what: What::Failed(failed, again) };
    let told = journal.commit(image, cx, vec![done], false).await.map(only)?;
    tell::told(cx, &told).await;
    Ok(None)
}

/// How a run ends in which nothing can run any more. `failed` is what failed in it, if this process knows it.
pub(crate) fn rest<G: Graph>(image: &Image<G>, failed: Option<Failed>) -> Ending {
    match &image.root.cursor {
        Cursor::Ended(_) if image.stopped == Some(StopWhy::Repeating) => return Ending::Repeating,
        Cursor::Ended(exit) => return Ending::Completed(*exit),
        Cursor::Closed => return Ending::Completed(0),
        _ => {}
    }
    if let Some(failed) = failed {
        return Ending::Failed(failed);
    }
    match image.survey().stuck {
        Some(Stuck { failed, unrouted: true, .. }) => Ending::Unrouted(failed),
        Some(Stuck { failed, spot, .. }) => {
            let error = Fault::Node(NodeError::of(failed.class(), failed.error()));
            Ending::Failed(Failed { place: spot.place, attempts: failed.attempts(), error })
        }
        None => Ending::Paused,
    }
}

pub(in crate::engine) fn stopped(written: Result<u64, Broken>, ending: Ending) -> Ending {
    match written {
        Ok(_) => ending,
        Err(broken) => Ending::Broken(broken),
    }
}

/// Polls with panics caught. The future is not touched again after one.
pub(crate) async fn caught<F: Future>(future: F) -> Result<F::Output, String> {
    let mut future = pin!(future);
    poll_fn(|task| match catch_unwind(AssertUnwindSafe(|| future.as_mut().poll(task))) {
        Ok(Poll::Ready(output)) => Poll::Ready(Ok(output)),
        Ok(Poll::Pending) => Poll::Pending,
        Err(panic) => Poll::Ready(Err(panic_text(&*panic))),
    })
    .await
}

/// Calls with a panic caught.
pub(crate) fn caught_now<T>(call: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(call)).map_err(|panic| panic_text(&*panic))
}

pub(in crate::engine) fn panic_text(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned()).or_else(|| panic.downcast_ref::<String>().cloned());
    text.unwrap_or_else(|| "a panic without a text".to_owned())
}
