//! What is refused before anything is written: the same for every store, so that what one accepts all accept.

use std::time::Duration;

use super::{Append, AppendError, AppendTarget, Fate, NewQuestion, Status};

/// The most rows of one append.
pub const MAX_ROWS: usize = 512;
/// The most questions that one append opens, and the most that it shuts.
pub const MAX_QUESTIONS: usize = 65_536;
/// The largest state or row that is stored, in bytes, unless a store is told otherwise. An append as a whole may have
/// four times as many.
pub const MAX_BYTES: usize = 16 << 20;
/// The deepest JSON that is stored.
pub const MAX_DEPTH: usize = 100;
/// The longest name of a place or graph, label or request key, in bytes.
pub const MAX_TEXT_BYTES: usize = 1024;
/// The longest path of a frame, in bytes.
pub const MAX_PATH_BYTES: usize = 65_536;
/// The most labels of one question.
pub const MAX_LABELS: usize = 64;
/// How long a row stays at least: it answers for a lost reply.
pub const YOUNG: Duration = Duration::from_secs(60);
/// How long a tombstone stays: a create that was sent before the delete finds it.
pub(super) const TOMBSTONE: Duration = Duration::from_secs(3600);
/// How far clocks may differ: a closed question stays so much longer than its token.
pub(super) const SKEW: Duration = Duration::from_secs(300);

/// Refuses what no store takes. `max_bytes` bounds each body.
pub(super) fn check(append: &Append, max_bytes: usize) -> Result<(), AppendError> {
    if append.rows.is_empty() {
        return Err(AppendError::Invalid("it has no rows"));
    }
    count("rows", append.rows.len(), MAX_ROWS)?;
    count("opened questions", append.opens.len(), MAX_QUESTIONS)?;
    count("shut questions", append.shuts.len(), MAX_QUESTIONS)?;
    let running = append.head.status == Status::Running;
    if append.head.run.is_some() != running || (append.head.worker.is_some() && !running) {
        return Err(AppendError::Invalid("its head names a run exactly while it is running, and a worker only then"));
    }
    if append.shuts.iter().any(|shut| matches!(shut.to, Fate::Reissued { .. }) && shut.generation == u32::MAX) {
        return Err(AppendError::Invalid("a question cannot be issued so often"));
    }
    text(&append.head.graph.name, MAX_TEXT_BYTES)?;
    if let Some(request) = &append.request {
        text(request, MAX_TEXT_BYTES)?;
    }
    for row in &append.rows {
        text(&row.path, MAX_PATH_BYTES)?;
        text(&row.place, MAX_TEXT_BYTES)?;
        if i64::try_from(row.ord).is_err() {
            return Err(AppendError::Invalid("the number of a step is above 2^63"));
        }
    }
    for question in &append.opens {
        check_question(question)?;
    }
    let bodies = || append.rows.iter().map(|row| &row.body).chain(append.opens.iter().map(|open| &open.body)).chain(&append.snapshot);
    for body in bodies() {
        bytes(body.len(), max_bytes)?;
    }
    bytes(bodies().map(Vec::len).sum(), max_bytes.saturating_mul(4))
}

fn check_question(question: &NewQuestion) -> Result<(), AppendError> {
    text(&question.path, MAX_PATH_BYTES)?;
    text(&question.place, MAX_TEXT_BYTES)?;
    count("labels of a question", question.labels.len(), MAX_LABELS)?;
    question.labels.iter().try_for_each(|label| text(label, MAX_TEXT_BYTES))
}

fn count(what: &'static str, count: usize, limit: usize) -> Result<(), AppendError> {
    if count > limit { Err(AppendError::TooMany { what, count, limit }) } else { Ok(()) }
}

fn bytes(bytes: usize, limit: usize) -> Result<(), AppendError> {
    if bytes > limit { Err(AppendError::TooLarge { bytes, limit }) } else { Ok(()) }
}

/// Some databases keep no NUL in a text, so none of ours does.
fn text(text: &str, limit: usize) -> Result<(), AppendError> {
    if text.contains('\0') {
        return Err(AppendError::Invalid("a path, name, label or request key holds a NUL"));
    }
    bytes(text.len(), limit)
}

impl AppendTarget {
    /// The number of the last row once `rows` are appended; none if it cannot be counted.
    pub(super) fn last(&self, rows: usize) -> Option<u64> {
        let before = match self {
            Self::New { .. } => 0,
            Self::At { seq, .. } => *seq,
        };
        before.checked_add(u64::try_from(rows).ok()?).filter(|last| i64::try_from(*last).is_ok())
    }
}
