//! Who drives a thread: a turn begins, a stopped thread goes on, a turn or a run is ended from outside.

use crate::app::{OnPaused, RunError};
use crate::clock::Timestamp;
use crate::engine::durable::Durable;
use crate::engine::image::{Cursor, Image, budget_taken, name};
use crate::engine::row::{self, Body, StopWhy};
use crate::engine::swap::{Desk, Plan, Planned, View, swap};
use crate::graph::{Graph, Patch};
use crate::id::{RunId, TurnId, WorkerId};
use crate::state::{Closing, Ingest, State};
use crate::store::{Appended, Fate, Head, Loaded, NewRow, RowKind, Shut, Status, ThreadKey};
use crate::turn::Now;

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
    pub(crate) on_paused: OnPaused,
    pub(crate) label: Option<String>,
    pub(crate) request: Option<String>,
    pub(crate) run: RunId,
    pub(crate) turn: TurnId,
}

/// Begins a turn.
pub(crate) async fn start<G: Graph>(desk: &Desk, key: &ThreadKey, start: Start<G>) -> Result<Claimed<G>, RunError> {
    let ((image, after, loaded), appended) = swap::<G, _>(desk, key, &[], |view| plan_start(desk, &start, view)).await?;
    let appended = appended.ok_or(RunError::NoThread)?;
    Ok(claimed(desk, image, start.run, appended, loaded, after))
}

type Begun<G> = (Image<G>, Option<RunId>, Option<(u64, u64)>);

fn plan_start<G: Graph>(desk: &Desk, start: &Start<G>, view: View<G>) -> Result<Planned<Begun<G>>, RunError> {
    if view.owned {
        return Err(busy(view.there()?));
    }
    let View { loaded, mut image, at, .. } = view;
    if start.on_paused == OnPaused::Reject
        && let Some(parked) = image.parked().filter(|parked| !is_due(parked.question.expires, at))
    {
        return Err(RunError::Waiting { question: parked.question.id, place: name::<G>(parked.at).to_owned() });
    }
    let shuts = shut_all(loaded.as_ref(), at);
    let mut ingest = Ingest::new(&*desk.ids, at, start.turn);
    let closes = close(&mut image, Closing::Abandoned, &mut ingest)?;
    image.begin_turn(start.turn);
    let input = image.state.ingest(start.input.clone(), &mut ingest);
    let (update, input) = row::settle(&input).map_err(RunError::Input)?;
    image.state.apply(input);
    image.turn.run = start.run;
    image.turn.now = Now::Stored(at);
    image.at = at;
    image.claims = 0;
    let next = G::start(&image.state, &image.turn);
    let budget = next.budget;
    match next.to {
        crate::graph::To::Place(to) => image.cursor = Cursor::At(to),
        crate::graph::To::End(exit) => image.cursor = Cursor::Ended(exit),
        crate::graph::To::Never | crate::graph::To::Fork(_) | crate::graph::To::Join => {
            return Err(RunError::NoWay { what: "the start of the graph leads to `never` for this input".to_owned() });
        }
    }
    let after = loaded.as_ref().and_then(|loaded| loaded.head.run);
    let body = Body {
        closes,
        update: Some(update),
        next: Some(image.stored_cursor()),
        taken: budget.map(|budget| budget_taken::<G>(&image.turn, budget)),
        label: start.label.clone(),
        after,
        ..Body::EMPTY
    };
    let row = new_row(RowKind::Input, start.turn, Some(start.run), 0, "", at, &body)?;
    let head = head(desk, &image, at, Some(start.run));
    let sizes = loaded.as_ref().map(|loaded| (loaded.debt, loaded.snapshot_bytes));
    let plan = Plan { rows: vec![row], head, opens: Vec::new(), shuts, request: start.request.clone(), out: (image, after, sizes) };
    Ok(Planned::Change(Box::new(plan)))
}

/// What has to be written so that nothing of the last turn stays open.
fn close<G: Graph>(
    image: &mut Image<G>,
    closing: Closing,
    ingest: &mut Ingest<'_>,
) -> Result<Option<Box<serde_json::value::RawValue>>, RunError> {
    let Some(patch) = image.state.close(closing) else { return Ok(None) };
    let patch = image.state.ingest(patch, ingest);
    let (raw, patch) = row::settle(&patch).map_err(RunError::Input)?;
    image.state.apply(patch);
    Ok(Some(raw))
}

/// Takes a thread up that could go on: after a crash, a stop, or an answer that nobody drives.
pub(crate) async fn proceed<G: Graph>(desk: &Desk, key: &ThreadKey, run: RunId, by_hand: bool) -> Result<Proceed<G>, RunError> {
    let (out, appended) = swap::<G, _>(desk, key, &[], |view| plan_proceed(desk, run, by_hand, view)).await?;
    Ok(match (out, appended) {
        (Proceeding::Rest(image), _) | (Proceeding::Crashing(image), _) => Proceed::Rest(image),
        (Proceeding::Claimed(image, after, sizes), Some(appended)) => {
            Proceed::Claimed(Box::new(claimed(desk, *image, run, appended, sizes, after)))
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
    Claimed(Box<Image<G>>, Option<RunId>, Option<(u64, u64)>),
    Crashing(Box<Image<G>>),
    Rest(Box<Image<G>>),
}

fn plan_proceed<G: Graph>(desk: &Desk, run: RunId, by_hand: bool, view: View<G>) -> Result<Planned<Proceeding<G>>, RunError> {
    view.there()?;
    if view.owned {
        return Err(busy(view.there()?));
    }
    let View { loaded, mut image, at, .. } = view;
    if !image.is_runnable() {
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
        return Ok(Planned::Change(Box::new(Plan { rows: vec![row], head, opens: Vec::new(), shuts: Vec::new(), request: None, out })));
    }
    image.turn.run = run;
    image.counted_from = image.turn.steps;
    image.claims += 1;
    image.stopped = None;
    let after = loaded.head.run;
    let row = new_row(RowKind::Claim, image.turn.id, Some(run), 0, "", at, &Body { after, ..Body::EMPTY })?;
    let head = head(desk, &image, at, Some(run));
    let out = Proceeding::Claimed(Box::new(image), after, Some((loaded.debt, loaded.snapshot_bytes)));
    Ok(Planned::Change(Box::new(Plan { rows: vec![row], head, opens: Vec::new(), shuts: Vec::new(), request: None, out })))
}

/// Ends a turn before its time: everything open is closed in the same commit. A run that lives is displaced.
/// Gives the run that held the thread, to be cancelled where it lives.
pub(crate) async fn abandon<G: Graph>(desk: &Desk, key: &ThreadKey) -> Result<(Option<RunId>, Option<WorkerId>), RunError> {
    let (held, _) = swap::<G, _>(desk, key, &[], |view| {
        let held = view.there().map(|loaded| (loaded.head.run, loaded.head.worker))?;
        let View { loaded, mut image, at, .. } = view;
        if matches!(image.cursor, Cursor::Ended(_) | Cursor::Closed) && loaded.as_ref().is_none_or(|l| l.head.run.is_none()) {
            return Ok(Planned::Nothing(held));
        }
        let shuts = shut_all(loaded.as_ref(), at);
        let turn = image.turn.id;
        let closes = close(&mut image, Closing::Abandoned, &mut Ingest::new(&*desk.ids, at, turn))?;
        image.cursor = Cursor::Closed;
        let body = Body { closes, next: Some(image.stored_cursor()), why: Some(StopWhy::Abandoned), ..Body::EMPTY };
        let row = new_row(RowKind::Close, turn, None, image.turn.steps, "", at, &body)?;
        let head = head(desk, &image, at, None);
        Ok(Planned::Change(Box::new(Plan { rows: vec![row], head, opens: Vec::new(), shuts, request: None, out: held })))
    })
    .await?;
    Ok(held)
}

/// Ends a run from outside of it; the turn can go on later. False if no run holds the thread.
pub(crate) async fn stop<G: Graph>(desk: &Desk, key: &ThreadKey, why: StopWhy) -> Result<bool, RunError> {
    let (was_running, _) = swap::<G, _>(desk, key, &[], |view| {
        let loaded = view.there()?;
        if loaded.head.run.is_none() {
            return Ok(Planned::Nothing(false));
        }
        let row =
            new_row(RowKind::Stop, view.image.turn.id, loaded.head.run, 0, "", view.at, &Body { why: Some(why.clone()), ..Body::EMPTY })?;
        let head = head(desk, &view.image, view.at, None);
        Ok(Planned::Change(Box::new(Plan { rows: vec![row], head, opens: Vec::new(), shuts: Vec::new(), request: None, out: true })))
    })
    .await?;
    Ok(was_running)
}

pub(super) fn claimed<G: Graph>(
    desk: &Desk,
    image: Image<G>,
    run: RunId,
    appended: Appended,
    sizes: Option<(u64, u64)>,
    after: Option<RunId>,
) -> Claimed<G> {
    let (debt, snapshot) = sizes.unwrap_or_default();
    let released = !image.is_runnable();
    let (turn, at) = (image.turn.id, image.at);
    let durable = Durable { desk: desk.clone(), uid: appended.uid, seq: appended.seq, run, turn, at, debt, snapshot, released };
    Claimed { image, durable, after }
}

pub(super) fn head<G: Graph>(desk: &Desk, image: &Image<G>, at: Timestamp, run: Option<RunId>) -> Head {
    let run = run.filter(|_| image.is_runnable());
    let status = if run.is_some() { Status::Running } else { image.resting() };
    let worker = run.map(|_| desk.store.worker());
    Head { status, run, worker, turn: image.turn.id, graph: desk.graph.clone(), at }
}

pub(super) fn new_row(
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

fn shut_all(loaded: Option<&Loaded>, at: Timestamp) -> Vec<Shut> {
    let open = loaded.into_iter().flat_map(|loaded| &loaded.open);
    open.map(|record| Shut {
        id: record.question.id,
        generation: record.question.generation,
        to: if is_due(record.question.expires, at) { Fate::Expired } else { Fate::Abandoned },
    })
    .collect()
}

pub(super) fn is_due(expires: Option<Timestamp>, at: Timestamp) -> bool {
    expires.is_some_and(|expires| at > expires)
}

fn busy(loaded: &Loaded) -> RunError {
    RunError::Busy { run: loaded.head.run.unwrap_or_default(), since: loaded.head.at }
}
