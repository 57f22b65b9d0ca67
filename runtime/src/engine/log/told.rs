//! What a row is to whoever follows a thread: one event for each row, and one for what the thread came to.

use crate::engine::log::row::{self, Body, StopWhy};
use crate::observe::{EventKind, Mark};
use crate::store::{Row, RowKind, Status};

/// What a row tells. One that cannot be read was committed all the same.
pub(crate) fn told(row: &Row) -> EventKind {
    let committed = EventKind::Committed { seq: row.seq };
    let Ok(body) = row::decode::<Body>(&row.row.body) else { return committed };
    let place = || row.row.place.clone();
    let told = match row.row.kind {
        RowKind::Input => Some(EventKind::RunStarted { resumed: false, after: body.after }),
        // With a way it is one that was looked for again, in a run that has begun.
        RowKind::Claim if body.next.is_empty() => Some(EventKind::RunStarted { resumed: true, after: body.after }),
        RowKind::Park => body.question.map(|asks| EventKind::AskUserQuestion { question: asks.id, place: place(), content: asks.asked }),
        RowKind::Answer => body.shut.map(|question| EventKind::Resumed { question }),
        RowKind::Expire => body.shut.map(|question| EventKind::AskUserExpired { question }),
        RowKind::Attempt | RowKind::Failed => {
            body.failed.map(|failed| EventKind::NodeFailed { place: place(), error: failed.error().to_owned() })
        }
        RowKind::Stop | RowKind::Close => Some(EventKind::RunEnded { outcome: body.why.as_ref().map_or(Mark::Stopped, mark) }),
        RowKind::Claim | RowKind::Step | RowKind::Reissue | RowKind::Edit | RowKind::Origin => None,
    };
    told.unwrap_or(committed)
}

/// What the thread came to with its last row; none if it goes on, or if the row told it.
pub(crate) fn rests(row: &Row, status: Status) -> Option<EventKind> {
    if matches!(row.row.kind, RowKind::Stop | RowKind::Close) {
        return None;
    }
    let outcome = match status {
        Status::Running => return None,
        Status::Idle => Mark::Completed,
        Status::Paused => Mark::Paused,
        Status::Stopped => Mark::Stopped,
    };
    let why = row::decode::<Body>(&row.row.body).ok().and_then(|body| body.why);
    Some(EventKind::RunEnded { outcome: why.as_ref().map_or(outcome, mark) })
}

fn mark(why: &StopWhy) -> Mark {
    match why {
        StopWhy::Cancelled => Mark::Cancelled,
        StopWhy::Abandoned => Mark::Abandoned,
        StopWhy::Failed { .. } | StopWhy::Unrouted { .. } => Mark::Failed,
        StopWhy::StepLimit
        | StopWhy::BudgetSpent
        | StopWhy::TimedOut
        | StopWhy::CrashLoop
        | StopWhy::Repeating
        | StopWhy::Drained
        | StopWhy::Breakpoint { .. } => Mark::Stopped,
    }
}
