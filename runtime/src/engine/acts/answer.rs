//! Answers: commits that close a question, exactly once.

use std::time::Duration;

use crate::app::RunError;
use crate::clock::Timestamp;
use crate::engine::acts::claim::{Claimed, claimed, frame_row, head, is_due};
use crate::engine::acts::registry::wake;
use crate::engine::acts::swap::{Desk, Plan, Planned, View, swap};
use crate::engine::change::course::{By, Change, Course, Fault};
#[cfg(debug_assertions)]
use crate::engine::log::check::reads_back;
use crate::engine::log::row::{Body, CodecError, Move, StopWhy, is_too_deep};
use crate::engine::run::durable::bytes;
use crate::engine::thread::address::Address;
use crate::engine::thread::guest::{Activation as _, Unanswered};
use crate::engine::thread::image::Image;
use crate::engine::thread::looks::Looks;
use crate::error::BadAnswer;
use crate::graph::Graph;
use crate::id::{QuestionId, RunId};
use crate::interrupt::Given;
use crate::node::{NodeMeta, Refused};
use crate::state::Ingest;
use crate::store::{Appended, Fate, Head, NewRow, QuestionRow, QuestionState, RowKind, Shut, ThreadKey};
use crate::turn::Now;

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
    /// Bytes of rows since the last snapshot, and of that.
    pub(crate) sizes: (u64, u64),
    /// A run holds the thread and goes on.
    pub(crate) held: Option<Head>,
    /// The thread's head then.
    pub(crate) head: Head,
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
    let appended = appended.ok_or(RunError::NoThread)?;
    #[cfg(debug_assertions)]
    reads_back(desk, appended.uid, appended.seq, &taken.image).await;
    if let Some(holder) = &taken.held {
        wake(holder);
    }
    Ok((taken, appended))
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
    for Answering { answer, .. } in answers {
        // Serde would take a list for it.
        if !answer.is_object() {
            return Err(RunError::BadAnswer(BadAnswer::new(r#"it is `{"action": "accept", "content": ..}`, or `decline` or `cancel`"#)));
        }
        if is_too_deep(answer) {
            return Err(RunError::BadAnswer(BadAnswer::new(CodecError::TooDeep.to_string())));
        }
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
    let sizes = (loaded.debt + bytes(&rows), loaded.snapshot_bytes);
    let held = owned.then_some(loaded.head);
    let head = hold(desk, &image, at, held.as_ref(), run, free)?;
    let out = AnswerTaken { image, waited, sizes, held, head: head.clone() };
    Ok(Planned::Change(Box::new(Plan { rows, head, opens: Vec::new(), shuts, snapshot: None, request: None, out })))
}

/// The head of a thread to which somebody outside of its run did something: the run keeps it, or `run` claims it, or it is
/// left for whoever takes it up. A run of another build is left alone: it may not know the place where it would stand then.
pub(in crate::engine) fn hold<G: Graph>(
    desk: &Desk,
    image: &Image<G>,
    at: Timestamp,
    held: Option<&Head>,
    run: Option<RunId>,
    free: RunId,
) -> Result<Head, RunError> {
    if let Some(held) = held.filter(|held| held.graph != desk.graph) {
        let (theirs, mine) = (held.graph.version, desk.graph.version);
        let what = format!(
            "a run of version {theirs} of the graph, built otherwise, has the thread, and this is version {mine}: try again when it is over"
        );
        return Err(RunError::GraphChanged { graph: <G as NodeMeta>::NAME, what });
    }
    let holder = held.map_or(run, |held| held.run);
    let mut head = head(desk, image, at, holder.or(Some(free)));
    match held {
        Some(held) if head.run.is_some() => head.worker = held.worker,
        // Claimed by nobody: any process may take it up.
        _ if run.is_none() => head.worker = None,
        _ => {}
    }
    Ok(head)
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
    let address = image.asking(&record.question).ok_or(RunError::Superseded)?;
    let leaf = image.root.leaf(address.branches()).ok_or(RunError::Superseded)?;
    let (spot, asked) = (leaf.spot(), leaf.parked().ok_or(RunError::Superseded)?.node);
    if let Some(given) = answer.kind.filter(|kind| *kind != asked) {
        return Err(RunError::WrongInterrupt { asked, given });
    }
    let taken = leaf.answer(&answer.answer, &mut Ingest::new(&*desk.ids, at, image.turn.id));
    let (update, arm) = taken.map_err(|unanswered| match unanswered {
        Unanswered::Refused(Refused::Answer(bad)) => RunError::BadAnswer(bad),
        Unanswered::Refused(Refused::Question(what)) => RunError::GraphChanged { graph: <G as NodeMeta>::NAME, what },
        Unanswered::Refused(Refused::NotAnInterrupt) => RunError::Superseded,
        Unanswered::Codec(error) => RunError::Input(error),
    })?;
    let (next, why) = moved(desk, image, &address, Change::Answer { update: &update, arm }, at)?;
    let body = Body { update: Some(update), next, shut: Some(record.question.id), why, ..Body::EMPTY };
    frame_row(RowKind::Answer, image.turn.id, &spot, at, &body)
}

/// Changes the frame that asks, and gives what was decided then. What panics has written nothing.
pub(in crate::engine) fn moved<G: Graph>(
    desk: &Desk,
    image: &mut Image<G>,
    address: &Address,
    change: Change<'_>,
    at: Timestamp,
) -> Result<(Vec<Move>, Option<StopWhy>), RunError> {
    image.turn.now = Now::Stored(at);
    image.at = at;
    image.claims = 0;
    let mut looks = Looks::default();
    let mut course = Course::new(&mut image.turn, By::Routers { ids: &*desk.ids, looks: &mut looks, record: Some(Vec::new()) });
    let came = image.root.advance(address.branches(), change, &mut course);
    let next = course.moves();
    if let Some(failed) = course.unrouted.as_ref().filter(|_| course.panicked) {
        return Err(RunError::Panicked { place: Some(failed.place().to_owned()), what: failed.error().to_owned() });
    }
    let why = course.repeating.then_some(StopWhy::Repeating);
    came.map_err(|fault| match fault {
        Fault::Codec(error) => RunError::Input(error),
        Fault::Moved | Fault::Damaged(_) => RunError::Superseded,
    })?;
    image.stopped.clone_from(&why);
    Ok((next, why))
}

/// What tells a repeated answer from another one.
fn answer_digest(answer: &serde_json::Value) -> [u8; 32] {
    let mut hasher = crate::digest::Hasher::new(b"graphwright answer v1");
    hasher.field(crate::digest::canonical_json(answer).as_bytes());
    hasher.finish()
}

/// A thread that an answer has claimed for `run`.
pub(crate) fn claimed_by_answer<G: Graph>(desk: &Desk, taken: AnswerTaken<G>, run: RunId, appended: Appended) -> Claimed<G> {
    let mut image = taken.image;
    image.turn.run = run;
    claimed(desk, image, run, appended, taken.sizes, None)
}

/// Voids the token of a question, and lets it be answered until `expires` by another one.
pub(crate) async fn reissue<G: Graph>(desk: &Desk, key: &ThreadKey, id: QuestionId, expires: Option<Timestamp>) -> Result<(), RunError> {
    swap::<G, _>(desk, key, &[id], |mut view| {
        view.there()?;
        let record = view.questions.pop().flatten().ok_or(RunError::NoQuestion)?;
        if record.state != QuestionState::Open {
            return Err(RunError::Superseded);
        }
        let View { loaded, mut image, at, .. } = view;
        let loaded = loaded.ok_or(RunError::NoThread)?;
        let address = image.asking(&record.question).ok_or(RunError::Superseded)?;
        let leaf = image.root.leaf(address.branches()).ok_or(RunError::Superseded)?;
        let spot = leaf.spot();
        let asked = leaf.parked().ok_or(RunError::Superseded)?.question;
        asked.generation = asked.generation.saturating_add(1);
        asked.expires = expires;
        let body = Body { question: Some(asked.clone()), ..Body::EMPTY };
        let row = frame_row(RowKind::Reissue, image.turn.id, &spot, at, &body)?;
        // Whose build is to go on with the thread stays the same.
        let head = Head { at, ..loaded.head.clone() };
        let shut = Shut { id, generation: record.question.generation, to: Fate::Reissued { expires } };
        Ok(Planned::Change(Box::new(Plan { shuts: vec![shut], ..Plan::new(row, head, ()) })))
    })
    .await
    .map(|_| ())
}
