//! Answers: commits that close a question, exactly once.

use std::time::Duration;

use crate::app::RunError;
use crate::clock::Timestamp;
use crate::engine::claim::{Claimed, claimed, head, is_due, new_row};
use crate::engine::image::{Cursor, Image, budget_taken, name, node_name};
use crate::engine::row::{self, Body};
use crate::engine::swap::{Desk, Plan, Planned, View, swap};
use crate::error::BadAnswer;
use crate::graph::Graph;
use crate::id::{QuestionId, RunId};
use crate::interrupt::Given;
use crate::node::Refused;
use crate::state::{Ingest, State};
use crate::store::{Appended, Fate, NewRow, QuestionRow, QuestionState, RowKind, Shut, ThreadKey};
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
    if head.run.is_some() && owned {
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
    let (patch, arm) = G::resume(place, &image.state, &<G::Item as crate::item::Item>::NONE, &parked.question.asked, &answer.answer)
        .map_err(|refused| match refused {
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
        let Cursor::Parked(parked) = &mut image.cursor else { return Err(RunError::Superseded) };
        if parked.question.id != id {
            return Err(RunError::Superseded);
        }
        parked.question.generation = parked.question.generation.saturating_add(1);
        parked.question.expires = expires;
        let place = name::<G>(parked.at);
        let body = Body { question: Some(parked.question.clone()), ..Body::EMPTY };
        let row = new_row(RowKind::Reissue, image.turn.id, None, image.turn.steps.saturating_sub(1), place, at, &body)?;
        let mut head = loaded.head.clone();
        head.at = at;
        head.graph = desk.graph.clone();
        let shut = Shut { id, generation: record.question.generation, to: Fate::Reissued { expires } };
        Ok(Planned::Change(Box::new(Plan { rows: vec![row], head, opens: Vec::new(), shuts: vec![shut], request: None, out: () })))
    })
    .await
    .map(|_| ())
}
