//! The loop: one for runs with and without a store, with and without observers.

use std::any::Any;
use std::future::{Future, poll_fn};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::pin;
use std::task::Poll;

use tokio::time::{Instant, Sleep};

use crate::context::Context;
use crate::engine::image::{Cursor, Image, exit_name, name};
use crate::engine::journal::{Asked, Broken, Journal, Moved, never};
use crate::engine::row::StopWhy;
use crate::engine::watch::{Watch, Watched};
use crate::error::NodeError;
use crate::graph::{Graph, Out};
use crate::node::NodeMeta;
use crate::observe::{EventKind, Mark, Span};
use crate::topology::Target;

/// The clock and the cancellation are looked at when a node waits, and every so many steps.
const LOOK_EVERY: u32 = 64;
/// A loop that never waits still lets other tasks run, every so many steps.
const YIELD_EVERY: u32 = 128;

/// What bounds a run.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Drive {
    pub(crate) steps: u64,
    pub(crate) deadline: Option<Instant>,
}

/// How a run ended.
#[derive(Debug)]
pub(crate) enum Ending {
    Completed(u16),
    Paused,
    /// A cut ended the turn.
    Repeating,
    StepLimit,
    TimedOut,
    Cancelled,
    /// A place, a router or a reducer failed.
    Failed(Failed),
    /// The step is done and kept, and no way leads on.
    Unrouted {
        place: &'static str,
        error: String,
    },
    /// The journal gave up.
    Broken(Broken),
}

/// What failed.
#[derive(Debug)]
pub(crate) struct Failed {
    pub(crate) place: &'static str,
    pub(crate) attempts: u32,
    pub(crate) error: Fault,
}

/// How it failed.
#[derive(Debug)]
pub(crate) enum Fault {
    Node(NodeError),
    Panic(String),
}

/// Drives `image` until nothing can run. A panic of user code is caught here, once for the whole run.
pub(crate) async fn drive<G: Graph, J: Journal<G>>(
    image: &mut Image<G>,
    cx: &mut Context<G::Deps>,
    journal: &mut J,
    limits: Drive,
) -> Ending {
    let ended = caught(run(image, cx, journal, limits)).await;
    match ended {
        Ok(ending) => ending,
        Err(panic) => {
            let place = cx.place();
            if let Cursor::Unrouted { at, .. } = image.cursor {
                return unrouted(journal, name::<G>(at), format!("its router panicked: {panic}")).await;
            }
            let failed = Failed { place, attempts: cx.attempt(), error: Fault::Panic(panic) };
            match journal.stop(StopWhy::Failed { place: place.to_owned(), error: "it panicked".to_owned() }).await {
                Ok(_) => Ending::Failed(failed),
                Err(broken) => Ending::Broken(broken),
            }
        }
    }
}

async fn run<G: Graph, J: Journal<G>>(image: &mut Image<G>, cx: &mut Context<G::Deps>, journal: &mut J, limits: Drive) -> Ending {
    let info = cx.info().clone();
    let emitter = &info.emitter;
    let silent = emitter.is_silent();
    let traced = tracing::enabled!(target: "graphwright", tracing::Level::DEBUG);
    let timer = pin!(None::<Sleep>);
    let cancel = pin!(info.cancel.cancelled());
    let mut watch = Watch { sleep: timer, cancel, deadline: limits.deadline };
    let last_step = image.counted_from.saturating_add(limits.steps);
    let (mut until_look, mut until_yield) = (0u32, YIELD_EVERY);

    if let Cursor::Unrouted { at, arm } = image.cursor {
        reroute(image, at, arm);
    }
    loop {
        let at = match &image.cursor {
            Cursor::At(at) => *at,
            Cursor::Parked(_) => return Ending::Paused,
            Cursor::Ended(_) if image.stopped == Some(StopWhy::Repeating) => return Ending::Repeating,
            Cursor::Ended(exit) => return Ending::Completed(*exit),
            Cursor::Closed => return Ending::Completed(0),
            Cursor::Unrouted { at, .. } => return unrouted(journal, name::<G>(*at), never()).await,
        };
        if image.turn.steps >= last_step {
            return stopped(journal.stop(StopWhy::StepLimit).await, Ending::StepLimit);
        }
        if until_look == 0 {
            until_look = LOOK_EVERY;
            if info.cancel.is_cancelled() {
                return stopped(journal.stop(StopWhy::Cancelled).await, Ending::Cancelled);
            }
            if limits.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                return stopped(journal.stop(StopWhy::TimedOut).await, Ending::TimedOut);
            }
        }
        until_look -= 1;
        if until_yield == 0 {
            until_yield = YIELD_EVERY;
            tokio::task::yield_now().await;
        }
        until_yield -= 1;

        let place = name::<G>(at);
        let step = cx.step_mut();
        step.place = place;
        step.ord = image.turn.steps;
        step.steps_left = u32::try_from(last_step - image.turn.steps).unwrap_or(u32::MAX);

        let node = if silent { None } else { Some(begin(cx, place).await) };
        let span = if traced {
            tracing::debug_span!(target: "graphwright", "execute_node", graph = <G as NodeMeta>::NAME, node = place)
        } else {
            tracing::Span::none()
        };
        let watched = {
            let item = <G::Item as crate::item::Item>::NONE;
            let mut body = pin!(G::run_place(at, &image.state, &item, cx));
            poll_fn(|task| {
                let _entered = span.enter();
                watch.poll(body.as_mut(), task)
            })
            .await
        };
        let out = match watched {
            Watched::Done(out) => out,
            Watched::TimedOut => {
                drop(node);
                return stopped(journal.stop(StopWhy::TimedOut).await, Ending::TimedOut);
            }
            Watched::Cancelled => {
                drop(node);
                return stopped(journal.stop(StopWhy::Cancelled).await, Ending::Cancelled);
            }
        };
        match out {
            Out::Done(patch, arm) => {
                let moved = match journal.step(image, cx, at, patch, arm).await {
                    Ok(moved) => moved,
                    Err(broken) => {
                        failed_to_keep(node, place, &broken);
                        return broke(journal, place, cx.attempt(), broken).await;
                    }
                };
                if let Some(node) = node {
                    node.end(Mark::Completed);
                }
                if !silent {
                    tell_moved::<G>(cx, place, &moved).await;
                }
                if let Some(error) = moved.unrouted {
                    return Ending::Unrouted { place, error };
                }
            }
            Out::Ask(asking) => match journal.park(image, cx, at, asking).await {
                Ok(asked) => {
                    if let Some(node) = node {
                        node.end(Mark::Paused);
                    }
                    if !silent {
                        tell_asked(cx, place, asked).await;
                    }
                    return Ending::Paused;
                }
                Err(broken) => {
                    failed_to_keep(node, place, &broken);
                    return broke(journal, place, cx.attempt(), broken).await;
                }
            },
            Out::Failed(error) => {
                if let Some(node) = node {
                    node.end_with(EventKind::NodeFailed { place: place.to_owned(), error: error.to_string() });
                }
                let why = StopWhy::Failed { place: place.to_owned(), error: error.to_string() };
                let failed = Failed { place, attempts: cx.attempt(), error: Fault::Node(error) };
                return stopped(journal.stop(why).await, Ending::Failed(failed));
            }
        }
    }
}

/// A way that was not found is looked for again: a fixed router may know it now.
fn reroute<G: Graph>(image: &mut Image<G>, at: G::At, arm: u16) {
    let next = G::next(at, arm, &image.state, &image.turn);
    image.go(at, arm, next);
}

/// The step is kept from before; that there is still no way is written down.
async fn unrouted<G: Graph, J: Journal<G>>(journal: &mut J, place: &'static str, error: String) -> Ending {
    let why = StopWhy::Unrouted { place: place.to_owned(), error: error.clone() };
    stopped(journal.stop(why).await, Ending::Unrouted { place, error })
}

fn stopped(written: Result<u64, Broken>, ending: Ending) -> Ending {
    match written {
        Ok(_) => ending,
        Err(broken) => Ending::Broken(broken),
    }
}

/// What cannot be stored is the place's failure, and is written down as one; the rest is the store's.
async fn broke<G: Graph, J: Journal<G>>(journal: &mut J, place: &'static str, attempts: u32, broken: Broken) -> Ending {
    match broken {
        Broken::Codec(error) => {
            let why = StopWhy::Failed { place: place.to_owned(), error: error.to_string() };
            let failed = Failed { place, attempts, error: Fault::Node(NodeError::fatal(error)) };
            stopped(journal.stop(why).await, Ending::Failed(failed))
        }
        Broken::NoStore => {
            let error = NodeError::fatal("it asks, and this run has no store to keep the question in");
            Ending::Failed(Failed { place, attempts, error: Fault::Node(error) })
        }
        other => Ending::Broken(other),
    }
}

fn begin<D>(cx: &Context<D>, place: &'static str) -> impl Future<Output = Span> {
    cx.span(EventKind::NodeStarted { place: place.to_owned() }, move |_| {
        if std::thread::panicking() {
            return EventKind::NodeFailed { place: place.to_owned(), error: "it panicked".to_owned() };
        }
        EventKind::NodeEnded { place: place.to_owned() }
    })
}

/// What a place gave was not kept: for whoever listens it failed.
fn failed_to_keep(node: Option<Span>, place: &str, broken: &Broken) {
    if let (Some(node), Broken::Codec(error)) = (node, broken) {
        node.end_with(EventKind::NodeFailed { place: place.to_owned(), error: error.to_string() });
    }
}

async fn tell_moved<G: Graph>(cx: &Context<G::Deps>, place: &str, moved: &Moved) {
    if let Some(seq) = moved.seq {
        cx.emit(EventKind::Committed { seq }).await;
    }
    let Some(way) = moved.way else { return };
    let to = match G::TOPOLOGY.ways.get(usize::from(way)).map(|way| way.to) {
        Some(Target::Place(to)) => G::TOPOLOGY.places.get(usize::from(to)).map_or("", |place| place.name),
        Some(Target::End(exit)) => exit_name::<G>(exit),
        Some(Target::Never | Target::Fork(_) | Target::Join(_)) | None => "never",
    };
    cx.emit(EventKind::EdgeTaken { way, from: place.to_owned(), to: to.to_owned() }).await;
}

async fn tell_asked<D>(cx: &Context<D>, place: &str, asked: Asked) {
    cx.emit(EventKind::Committed { seq: asked.seq }).await;
    cx.emit(EventKind::AskUserQuestion { question: asked.question, place: place.to_owned(), content: asked.content }).await;
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

fn panic_text(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned()).or_else(|| panic.downcast_ref::<String>().cloned());
    text.unwrap_or_else(|| "a panic without a text".to_owned())
}
