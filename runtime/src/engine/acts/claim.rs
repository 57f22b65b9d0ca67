//! Who drives a thread: a turn begins, a stopped thread goes on, a turn or a run is ended from outside.

use std::sync::Arc;

use crate::app::{OnPaused, RunError};
use crate::clock::{IdGen, Timestamp};
use crate::engine::acts::swap::{Desk, Plan, Planned, View, swap};
use crate::engine::change::course::{By, Course, Fault};
#[cfg(debug_assertions)]
use crate::engine::log::check::reads_back;
use crate::engine::log::row::{self, Body, Move, StopWhy};
use crate::engine::run::durable::Durable;
use crate::engine::run::trail::Trail;
use crate::engine::thread::frame::{Cursor, Tail};
use crate::engine::thread::guest::{Activation as _, Spot};
use crate::engine::thread::image::Image;
use crate::engine::thread::looks::Looks;
use crate::graph::{Graph, Patch};
use crate::id::{RunId, TurnId, WorkerId};
use crate::state::{Closing, Ingest, State};
use crate::store::{Appended, Fate, Head, Loaded, NewRow, Page, Point, Query, RowKind, Seq, Shut, Status, ThreadKey};
use crate::turn::{Now, TurnSettings};
use crate::usage::Usage;

/// So many claims without progress, and a thread is not taken up again by itself.
const CRASHES: u32 = 10;

/// A thread in the hand of a run, or as somebody left it.
pub(crate) struct Claimed<G: Graph> {
    pub(crate) image: Image<G>,
    pub(crate) durable: Durable,
    /// The run that had the thread before and ended without a word.
    pub(crate) after: Option<RunId>,
}

/// How a turn begins.
pub(crate) struct Start<G: Graph> {
    pub(crate) input: Patch<G>,
    pub(crate) settings: Option<TurnSettings>,
    pub(crate) on_paused: OnPaused,
    pub(crate) label: Option<String>,
    pub(crate) request: Option<String>,
    pub(crate) run: RunId,
    pub(crate) turn: TurnId,
}

/// Begins a turn.
pub(crate) async fn start<G: Graph>(desk: &Desk, key: &ThreadKey, start: Start<G>) -> Result<Claimed<G>, RunError> {
    let begun = swap::<G, _>(desk, key, &[], |view| plan_start(desk, &start, view)).await;
    let ((image, after, loaded), appended) = match (begun, &start.request) {
        // It is refused, or waited for, for what it began itself when it was sent before.
        (Err(error @ (RunError::Busy { .. } | RunError::Waiting { .. })), Some(request)) => {
            return Err(taken_before(desk, key, request).await?.unwrap_or(error));
        }
        (begun, _) => begun?,
    };
    let appended = appended.ok_or(RunError::NoThread)?;
    #[cfg(debug_assertions)]
    reads_back(desk, appended.uid, appended.seq, &image).await;
    Ok(claimed(desk, image, start.run, appended, loaded, after))
}

/// What says that the thread took this request before, if it did.
async fn taken_before(desk: &Desk, key: &ThreadKey, request: &str) -> Result<Option<RunError>, RunError> {
    let Some(thread) = desk.store.load(key, Point::After(Seq::MAX)).await? else { return Ok(None) };
    let query = Query::Request { scope: desk.scope_hash, uid: thread.uid, key: request.to_owned() };
    let listing = desk.store.list(&query, Page::default()).await?;
    Ok(listing.rows.last().map(|row| RunError::Duplicate { seq: row.seq }))
}

type Begun<G> = (Image<G>, Option<RunId>, (u64, u64));

fn plan_start<G: Graph>(desk: &Desk, start: &Start<G>, view: View<G>) -> Result<Planned<Begun<G>>, RunError> {
    if view.owned {
        return Err(busy(view.there()?));
    }
    let View { loaded, mut image, at, .. } = view;
    if start.on_paused == OnPaused::Reject
        && let Some(open) = image.open().into_iter().find(|open| !is_due(open.expires, at))
    {
        return Err(RunError::Waiting { question: open.id, place: open.place });
    }
    let shuts = shut_all(&image, at);
    let mut ingest = Ingest::new(&*desk.ids, at, start.turn);
    let closes = close(&mut image, Closing::Abandoned, &mut ingest)?;
    image.begin_turn(start.turn);
    image.turn.settings = start.settings.clone();
    let input = image.state().ingest(start.input.clone(), &mut ingest);
    let (update, input) = row::settle(&input).map_err(RunError::Input)?;
    image.root.write(input);
    image.turn.run = start.run;
    image.turn.now = Now::Stored(at);
    image.at = at;
    image.claims = 0;
    let next = begin(&mut image, &*desk.ids, true)?;
    let after = loaded.as_ref().and_then(lost);
    let settings = start.settings.as_ref().map(|settings| settings.stored.as_ref().to_owned());
    let body = Body { closes, update: Some(update), next, label: start.label.clone(), settings, after, ..Body::EMPTY };
    let row = new_row(RowKind::Input, start.turn, Some(start.run), 0, "", at, &body)?;
    let head = head(desk, &image, at, Some(start.run));
    let (debt, snapshot) = loaded.as_ref().map_or((0, 0), |loaded| (loaded.debt, loaded.snapshot_bytes));
    let sizes = (debt + row.body.len() as u64, snapshot);
    let plan = Plan { shuts, request: start.request.clone(), ..Plan::new(row, head, (image, after, sizes)) };
    Ok(Planned::Change(Box::new(plan)))
}

/// Takes the first ways of a turn. Gives what was decided, if it is kept.
pub(crate) fn begin<G: Graph>(image: &mut Image<G>, ids: &dyn IdGen, kept: bool) -> Result<Vec<Move>, RunError> {
    begin_behind(image, Tail::Start, ids, kept)
}

/// Takes the ways behind a tail, which runs nothing.
pub(in crate::engine) fn begin_behind<G: Graph>(
    image: &mut Image<G>,
    tail: Tail<G>,
    ids: &dyn IdGen,
    kept: bool,
) -> Result<Vec<Move>, RunError> {
    let mut looks = Looks::default();
    let by = By::Routers { ids, looks: &mut looks, record: kept.then(Vec::new) };
    let mut course = Course::new(&mut image.turn, by);
    let begun = image.root.go(tail, &mut course);
    let moves = course.moves();
    let lost = if matches!(tail, Tail::Start) { "the turn cannot begin with this input" } else { "no way leads on from there" };
    match (begun, course.unrouted.take()) {
        (Ok(_), None) => Ok(moves),
        (Ok(_), Some(failed)) if course.panicked => Err(RunError::Panicked { place: None, what: failed.error().to_owned() }),
        (Ok(_), Some(failed)) => Err(RunError::NoWay { what: format!("{lost}: {}", failed.error()) }),
        (Err(Fault::Codec(error)), _) => Err(RunError::Input(error)),
        (Err(fault), _) => Err(RunError::NoWay { what: format!("{lost}: {fault:?}") }),
    }
}

/// Ends what is open, keeping what was committed. Gives what has to be written so that nothing of the last turn stays open.
pub(in crate::engine) fn close<G: Graph>(
    image: &mut Image<G>,
    closing: Closing,
    ingest: &mut Ingest<'_>,
) -> Result<Option<Box<serde_json::value::RawValue>>, RunError> {
    image.root.collapse();
    let Some(patch) = image.state().close(closing) else { return Ok(None) };
    let patch = image.state().ingest(patch, ingest);
    let (raw, patch) = row::settle(&patch).map_err(RunError::Input)?;
    image.root.write(patch);
    Ok(Some(raw))
}

/// Takes a thread up that could go on: after a crash, a stop, or an answer that nobody drives.
pub(crate) async fn proceed<G: Graph>(desk: &Desk, key: &ThreadKey, run: RunId, by_hand: bool) -> Result<Proceed<G>, RunError> {
    let (out, appended) = swap::<G, _>(desk, key, &[], |view| plan_proceed(desk, run, by_hand, view)).await?;
    Ok(match (out, appended) {
        (Proceeding::Rest(image), _) | (Proceeding::Crashing(image), _) => Proceed::Rest(image),
        (Proceeding::Claimed(image, after, sizes), Some(appended)) => {
            let mut claimed = claimed(desk, *image, run, appended, sizes, after);
            claimed.durable.released = false;
            Proceed::Claimed(Box::new(claimed))
        }
        (Proceeding::Claimed(..), None) => return Err(RunError::NoThread),
    })
}

/// What there is to drive.
pub(crate) enum Proceed<G: Graph> {
    Claimed(Box<Claimed<G>>),
    Rest(Box<Image<G>>),
}

enum Proceeding<G: Graph> {
    Claimed(Box<Image<G>>, Option<RunId>, (u64, u64)),
    Crashing(Box<Image<G>>),
    Rest(Box<Image<G>>),
}

fn plan_proceed<G: Graph>(desk: &Desk, run: RunId, by_hand: bool, view: View<G>) -> Result<Planned<Proceeding<G>>, RunError> {
    view.there()?;
    if view.owned {
        return Err(busy(view.there()?));
    }
    let View { loaded, mut image, at, .. } = view;
    let survey = image.survey();
    let failed = survey.stuck.is_some() || matches!(image.stopped, Some(StopWhy::Failed { .. }));
    let forgives = failed && by_hand;
    // What stands before a breakpoint goes on only when a person says so.
    let passes = by_hand && matches!(image.stopped, Some(StopWhy::Breakpoint { after: false, .. }));
    if survey.running.is_empty() && !forgives {
        return Ok(Planned::Nothing(Proceeding::Rest(Box::new(image))));
    }
    let loaded = loaded.ok_or(RunError::NoThread)?;
    image.at = at;
    image.turn.now = Now::Stored(at);
    if image.claims >= CRASHES && !by_hand {
        let body = Body { why: Some(StopWhy::CrashLoop), ..Body::EMPTY };
        let row = new_row(RowKind::Stop, image.turn.id, None, 0, "", at, &body)?;
        image.stopped = Some(StopWhy::CrashLoop);
        let head = head(desk, &image, at, None);
        let out = Proceeding::Crashing(Box::new(image));
        return Ok(Planned::Change(Box::new(Plan::new(row, head, out))));
    }
    image.turn.run = run;
    image.claims += 1;
    image.stopped = None;
    if forgives {
        image.root.forgive();
    }
    if passes {
        image.root.pass();
    }
    let after = lost(&loaded);
    let row = new_row(RowKind::Claim, image.turn.id, Some(run), 0, "", at, &Body { after, forgives, passes, ..Body::EMPTY })?;
    let mut head = head(desk, &image, at, None);
    (head.status, head.run, head.worker) = (Status::Running, Some(run), Some(desk.store.worker()));
    let out = Proceeding::Claimed(Box::new(image), after, (loaded.debt + row.body.len() as u64, loaded.snapshot_bytes));
    Ok(Planned::Change(Box::new(Plan::new(row, head, out))))
}

/// Ends a turn before its time: everything open is closed in the same commit. A run that lives is displaced.
/// Gives the run that held the thread, to be cancelled where it lives.
pub(crate) async fn abandon<G: Graph>(desk: &Desk, key: &ThreadKey) -> Result<(Option<RunId>, Option<WorkerId>), RunError> {
    let (held, _) = swap::<G, _>(desk, key, &[], |view| {
        let held = view.there().map(|loaded| (loaded.head.run, loaded.head.worker))?;
        let View { loaded, mut image, at, .. } = view;
        if image.is_over() && loaded.as_ref().is_none_or(|l| l.head.run.is_none()) {
            return Ok(Planned::Nothing(held));
        }
        let shuts = shut_all(&image, at);
        let turn = image.turn.id;
        let closes = close(&mut image, Closing::Abandoned, &mut Ingest::new(&*desk.ids, at, turn))?;
        image.root.cursor = Cursor::Closed;
        let body = Body { closes, why: Some(StopWhy::Abandoned), ..Body::EMPTY };
        let row = new_row(RowKind::Close, turn, None, image.turn.steps, "", at, &body)?;
        let head = head(desk, &image, at, None);
        Ok(Planned::Change(Box::new(Plan { shuts, ..Plan::new(row, head, held) })))
    })
    .await?;
    Ok(held)
}

/// Ends a run from outside of it, this one or whichever it is; the turn can go on later. False if it does not hold the thread.
pub(crate) async fn stop<G: Graph>(desk: &Desk, key: &ThreadKey, whose: Option<RunId>, why: StopWhy) -> Result<bool, RunError> {
    let (was_running, _) = swap::<G, _>(desk, key, &[], |view| {
        let loaded = view.there()?;
        if loaded.head.run.is_none() || whose.is_some_and(|run| loaded.head.run != Some(run)) {
            return Ok(Planned::Nothing(false));
        }
        let row =
            new_row(RowKind::Stop, view.image.turn.id, loaded.head.run, 0, "", view.at, &Body { why: Some(why.clone()), ..Body::EMPTY })?;
        let head = head(desk, &view.image, view.at, None);
        Ok(Planned::Change(Box::new(Plan::new(row, head, true))))
    })
    .await?;
    Ok(was_running)
}

pub(in crate::engine) fn claimed<G: Graph>(
    desk: &Desk,
    image: Image<G>,
    run: RunId,
    appended: Appended,
    (debt, snapshot): (u64, u64),
    after: Option<RunId>,
) -> Claimed<G> {
    let (turn, at, released) = (image.turn.id, image.at, !image.is_runnable());
    let (woken, looks, used, trail) = (Arc::default(), Looks::default(), Usage::default(), Trail::default());
    let durable = Durable {
        desk: desk.clone(),
        uid: appended.uid,
        seq: appended.seq,
        run,
        turn,
        at,
        debt,
        snapshot,
        released,
        woken,
        looks,
        used,
        unsaid: Usage::default(),
        trail,
    };
    Claimed { image, durable, after }
}

pub(in crate::engine) fn head<G: Graph>(desk: &Desk, image: &Image<G>, at: Timestamp, run: Option<RunId>) -> Head {
    // One look at all frames, also where ten thousand of them wait.
    let survey = image.survey();
    let run = run.filter(|_| !survey.running.is_empty());
    let status = if run.is_some() { Status::Running } else { survey.resting() };
    let worker = run.map(|_| desk.store.worker());
    Head { status, run, worker, turn: image.turn.id, graph: desk.graph.clone(), at }
}

pub(in crate::engine) fn new_row(
    kind: RowKind,
    turn: TurnId,
    run: Option<RunId>,
    ord: u64,
    place: &str,
    at: Timestamp,
    body: &Body,
) -> Result<NewRow, RunError> {
    let body = row::encode(body).map_err(RunError::Input)?;
    Ok(NewRow { kind, turn, run, path: String::new(), ord, place: place.to_owned(), at, body })
}

/// Of something that somebody outside of a run did to a frame.
pub(in crate::engine) fn frame_row(kind: RowKind, turn: TurnId, spot: &Spot, at: Timestamp, body: &Body) -> Result<NewRow, RunError> {
    // It belongs to the step that asked.
    let row = new_row(kind, turn, None, spot.ord.saturating_sub(1), spot.place, at, body)?;
    Ok(NewRow { path: spot.path.to_string(), ..row })
}

/// The run that held a thread. What somebody left to whoever takes it up was nobody's.
fn lost(loaded: &Loaded) -> Option<RunId> {
    loaded.head.worker.and(loaded.head.run)
}

fn shut_all<G: Graph>(image: &Image<G>, at: Timestamp) -> Vec<Shut> {
    image.shuts(|question| if is_due(question.expires, at) { Fate::Expired } else { Fate::Abandoned })
}

pub(in crate::engine) fn is_due(expires: Option<Timestamp>, at: Timestamp) -> bool {
    expires.is_some_and(|expires| at > expires)
}

pub(in crate::engine) fn busy(loaded: &Loaded) -> RunError {
    RunError::Busy { run: loaded.head.run.unwrap_or_default(), since: loaded.head.at }
}
