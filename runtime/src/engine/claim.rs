//! What people and other runs do to a thread: begin a turn, answer, let go on, give up.

use std::time::Duration;

use crate::app::{OnPaused, RunError};
use crate::clock::Timestamp;
use crate::engine::durable::Durable;
use crate::engine::image::{Cursor, Image, budget_taken, name, node_name};
use crate::engine::row::{self, Body, StopWhy};
use crate::engine::swap::{Desk, Plan, Planned, View, swap};
use crate::error::BadAnswer;
use crate::graph::{Graph, Patch};
use crate::id::{QuestionId, RunId, TurnId};
use crate::interrupt::Given;
use crate::node::Refused;
use crate::state::{Closing, Ingest, State};
use crate::store::{Appended, Fate, Head, Loaded, NewQuestion, NewRow, QuestionRow, QuestionState, RowKind, Shut, Status, ThreadKey, Uid};
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
        crate::graph::To::Never => {
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
    if matches!(image.cursor, Cursor::Ended(_)) && image.state.close(closing).is_none() {
        return Ok(None);
    }
    let Some(patch) = image.state.close(closing) else { return Ok(None) };
    let patch = image.state.ingest(patch, ingest);
    let (raw, patch) = row::settle(&patch).map_err(RunError::Input)?;
    image.state.apply(patch);
    Ok(Some(raw))
}

/// An answer, and what is bound to it beside the question.
pub(crate) struct Answering {
    pub(crate) question: QuestionId,
    pub(crate) generation: u32,
    /// The interrupt that the answer is typed for.
    pub(crate) kind: Option<&'static str>,
    /// What a token says was asked.
    pub(crate) digest: Option<[u8; 32]>,
    pub(crate) answer: serde_json::Value,
}

impl TryFrom<Given> for Answering {
    type Error = RunError;
    fn try_from(given: Given) -> Result<Self, RunError> {
        let answer = given.answer.map_err(|error| RunError::BadAnswer(BadAnswer::new(error)))?;
        Ok(Self { question: given.question, generation: given.generation, kind: Some(given.kind), digest: None, answer })
    }
}

/// What an answer came to.
pub(crate) struct AnswerTaken<G: Graph> {
    pub(crate) image: Image<G>,
    pub(crate) waited: Vec<(QuestionId, Duration)>,
    pub(crate) sizes: Option<(u64, u64)>,
    /// A run holds the thread and goes on.
    pub(crate) held: bool,
}

/// Takes answers in: all of them or none. With `run`, the thread is claimed for it if something can run then; without,
/// it is left for whoever takes it up.
pub(crate) async fn answer<G: Graph>(
    desk: &Desk,
    key: &ThreadKey,
    answers: &[Answering],
    run: Option<RunId>,
) -> Result<(AnswerTaken<G>, Appended), RunError> {
    let wanted: Vec<QuestionId> = answers.iter().map(|answer| answer.question).collect();
    let free = RunId(desk.ids.fresh());
    let (taken, appended) = swap::<G, _>(desk, key, &wanted, |view| plan_answer(desk, answers, run, free, view)).await?;
    Ok((taken, appended.ok_or(RunError::NoThread)?))
}

fn plan_answer<G: Graph>(
    desk: &Desk,
    answers: &[Answering],
    run: Option<RunId>,
    free: RunId,
    view: View<G>,
) -> Result<Planned<AnswerTaken<G>>, RunError> {
    view.there()?;
    if answers.is_empty() {
        return Err(RunError::BadAnswer(BadAnswer::new("no answer was given")));
    }
    let View { loaded, mut image, owned, at, questions } = view;
    let loaded = loaded.ok_or(RunError::NoThread)?;
    let mut rows = Vec::new();
    let mut shuts = Vec::new();
    let mut waited = Vec::new();
    for (answer, record) in answers.iter().zip(questions) {
        let record = record.ok_or(RunError::NoQuestion)?;
        let digest = answer_digest(&answer.answer);
        verify(answer, &record, digest, at)?;
        let row = take::<G>(desk, &mut image, answer, &record, at)?;
        rows.push(row);
        shuts.push(Shut { id: record.question.id, generation: record.question.generation, to: Fate::Answered { digest } });
        waited.push((record.question.id, at.since(record.opened_at)));
    }
    let holder = if owned { loaded.head.run } else { run };
    let mut head = head(desk, &image, at, holder.or(Some(free)));
    if owned {
        head.worker = loaded.head.worker;
    } else if run.is_none() {
        // Claimed by nobody: any process may take it up.
        head.worker = None;
    }
    let sizes = Some((loaded.debt, loaded.snapshot_bytes));
    let out = AnswerTaken { image, waited, sizes, held: owned };
    Ok(Planned::Change(Box::new(Plan { rows, head, opens: Vec::new(), shuts, request: None, out })))
}

/// The fate of an answer whose question is not open as it was shown.
fn verify(answer: &Answering, record: &QuestionRow, digest: [u8; 32], at: Timestamp) -> Result<(), RunError> {
    match record.state {
        QuestionState::Open => {}
        QuestionState::Answered => {
            return Err(RunError::Spent { same_answer: record.answer == Some(digest), seq: record.closed.unwrap_or_default() });
        }
        QuestionState::Expired => return Err(RunError::Expired),
        QuestionState::Abandoned | QuestionState::Superseded => return Err(RunError::Superseded),
    }
    if record.question.generation != answer.generation {
        return Err(RunError::Superseded);
    }
    if is_due(record.question.expires, at) {
        return Err(RunError::Expired);
    }
    if answer.digest.is_some_and(|digest| digest != record.question.digest) {
        return Err(RunError::Superseded);
    }
    Ok(())
}

fn take<G: Graph>(desk: &Desk, image: &mut Image<G>, answer: &Answering, record: &QuestionRow, at: Timestamp) -> Result<NewRow, RunError> {
    let parked = match &image.cursor {
        Cursor::Parked(parked) if parked.question.id == record.question.id => parked,
        _ => return Err(RunError::Superseded),
    };
    let (place, ord) = (parked.at, image.turn.steps.saturating_sub(1));
    if let Some(kind) = answer.kind {
        let asked = node_name::<G>(place);
        if asked != kind {
            return Err(RunError::WrongInterrupt { asked, given: kind });
        }
    }
    let (patch, arm) = G::resume(place, &image.state, &parked.question.asked, &answer.answer).map_err(|refused| match refused {
        Refused::Answer(bad) => RunError::BadAnswer(bad),
        Refused::Question(what) => RunError::GraphChanged { graph: <G as crate::node::NodeMeta>::NAME, what },
        Refused::NotAnInterrupt => RunError::Superseded,
    })?;
    let patch = image.state.ingest(patch, &mut Ingest::new(&*desk.ids, at, image.turn.id));
    let (update, patch) = row::settle(&patch).map_err(RunError::Input)?;
    image.state.apply(patch);
    image.turn.now = Now::Stored(at);
    image.at = at;
    image.claims = 0;
    let next = G::next(place, arm, &image.state, &image.turn);
    image.go(place, arm, next);
    let body = Body {
        update: Some(update),
        next: Some(image.stored_cursor()),
        taken: next.budget.map(|budget| budget_taken::<G>(&image.turn, budget)),
        shut: Some(record.question.id),
        ..Body::EMPTY
    };
    new_row(RowKind::Answer, image.turn.id, None, ord, name::<G>(place), at, &body)
}

/// What tells a repeated answer from another one.
fn answer_digest(answer: &serde_json::Value) -> [u8; 32] {
    let mut hasher = crate::digest::Hasher::new(b"graphwright answer v1");
    hasher.field(crate::digest::canonical_json(answer).as_bytes());
    hasher.finish()
}

/// Takes a thread up that could go on: after a crash, a stop, or an answer that nobody drives. `Err` with the view if
/// there is nothing to drive.
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
pub(crate) async fn abandon<G: Graph>(desk: &Desk, key: &ThreadKey) -> Result<(), RunError> {
    swap::<G, _>(desk, key, &[], |view| {
        view.there()?;
        let View { loaded, mut image, at, .. } = view;
        if matches!(image.cursor, Cursor::Ended(_) | Cursor::Closed) && loaded.as_ref().is_none_or(|l| l.head.run.is_none()) {
            return Ok(Planned::Nothing(()));
        }
        let shuts = shut_all(loaded.as_ref(), at);
        let turn = image.turn.id;
        let closes = close(&mut image, Closing::Abandoned, &mut Ingest::new(&*desk.ids, at, turn))?;
        image.cursor = Cursor::Closed;
        let body = Body { closes, next: Some(image.stored_cursor()), why: Some(StopWhy::Abandoned), ..Body::EMPTY };
        let row = new_row(RowKind::Close, turn, None, image.turn.steps, "", at, &body)?;
        let head = head(desk, &image, at, None);
        Ok(Planned::Change(Box::new(Plan { rows: vec![row], head, opens: Vec::new(), shuts, request: None, out: () })))
    })
    .await
    .map(|_| ())
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

/// Voids the token of a question, and lets it be answered until `expires` by another one.
pub(crate) async fn reissue<G: Graph>(
    desk: &Desk,
    key: &ThreadKey,
    id: QuestionId,
    expires: Option<Timestamp>,
) -> Result<(NewQuestion, Uid, Timestamp), RunError> {
    let (out, _) = swap::<G, _>(desk, key, &[id], |mut view| {
        let uid = view.there()?.uid;
        let record = view.questions.pop().flatten().ok_or(RunError::NoQuestion)?;
        if record.state != QuestionState::Open {
            return Err(RunError::Superseded);
        }
        let View { loaded, mut image, at, .. } = view;
        let loaded = loaded.ok_or(RunError::NoThread)?;
        let Cursor::Parked(parked) = &mut image.cursor else { return Err(RunError::Superseded) };
        parked.question.generation = parked.question.generation.saturating_add(1);
        parked.question.expires = expires;
        let stored = parked.question.clone();
        let place = name::<G>(parked.at);
        let body = Body { question: Some(stored.clone()), ..Body::EMPTY };
        let row = new_row(RowKind::Reissue, image.turn.id, None, image.turn.steps.saturating_sub(1), place, at, &body)?;
        let mut head = loaded.head.clone();
        head.at = at;
        head.graph = desk.graph.clone();
        let shut = Shut { id, generation: record.question.generation, to: Fate::Reissued { expires } };
        let question = NewQuestion { generation: stored.generation, expires, ..record.question.clone() };
        let out = (question, uid, record.opened_at);
        Ok(Planned::Change(Box::new(Plan { rows: vec![row], head, opens: Vec::new(), shuts: vec![shut], request: None, out })))
    })
    .await?;
    Ok(out)
}

fn claimed<G: Graph>(
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

/// A thread that an answer has claimed for `run`.
pub(crate) fn claimed_by_answer<G: Graph>(desk: &Desk, taken: AnswerTaken<G>, run: RunId, appended: Appended) -> Claimed<G> {
    let mut image = taken.image;
    image.turn.run = run;
    claimed(desk, image, run, appended, taken.sizes, None)
}

fn head<G: Graph>(desk: &Desk, image: &Image<G>, at: Timestamp, run: Option<RunId>) -> Head {
    let run = run.filter(|_| image.is_runnable());
    let status = if run.is_some() { Status::Running } else { image.resting() };
    let worker = run.map(|_| desk.store.worker());
    Head { status, run, worker, turn: image.turn.id, graph: desk.graph.clone(), at }
}

fn new_row(kind: RowKind, turn: TurnId, run: Option<RunId>, ord: u64, place: &str, at: Timestamp, body: &Body) -> Result<NewRow, RunError> {
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

fn is_due(expires: Option<Timestamp>, at: Timestamp) -> bool {
    expires.is_some_and(|expires| at > expires)
}

fn busy(loaded: &Loaded) -> RunError {
    RunError::Busy { run: loaded.head.run.unwrap_or_default(), since: loaded.head.at }
}
