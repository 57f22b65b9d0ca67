//! Why a thread stands where it stands.

use std::fmt;
use std::future::Future;

use super::history::{HistoryRow, place};
use super::{RunError, Thread};
use crate::clock::Timestamp;
use crate::engine::{Decision, Stands, line, load};
use crate::graph::Graph;
use crate::id::{QuestionId, ThreadId};
use crate::node::NodeMeta;
use crate::store::{Point, RowKind, Seq, Status};

/// So many rows are looked at.
const LAST: u64 = 100;

/// Why a thread took its ways, as far as its rows and the graph tell. It prints as text.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Explanation {
    /// The thread.
    pub thread: ThreadId,
    /// The graph.
    pub graph: &'static str,
    /// What it does.
    pub status: Status,
    /// Where it stands: in each branch that is open.
    pub stands: Vec<Standing>,
    /// The ways that were taken in its last turn, oldest first, of its last 100 rows.
    pub decided: Vec<Decided>,
    /// Why the last run ended, if that is not what the places say.
    pub stopped: Option<String>,
}

/// Where a thread stands, in one branch.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Standing {
    /// The place, behind the branches and mounted graphs around it; empty where it stands at none.
    pub place: String,
    /// What it does there.
    pub does: Does,
}

/// What a branch does at its place.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Does {
    /// It is run next, or runs.
    Runs,
    /// It waits for an answer.
    Waits {
        /// To this question.
        question: QuestionId,
        /// Since then.
        since: Timestamp,
    },
    /// It failed, or found no way on, and `thread.proceed()` tries it again.
    Failed {
        /// Why.
        error: String,
    },
    /// It is done.
    Done,
}

/// A way that was taken.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Decided {
    /// The row that tells of it.
    pub seq: Seq,
    /// From this place; `start` at the beginning.
    pub from: String,
    /// To this place, fork or exit.
    pub to: String,
    /// The conditions that were looked at, in order, and what decided; empty where the graph has no such way any more.
    pub because: Vec<String>,
}

impl<G: Graph> Thread<G> {
    /// Why the thread took this way: where it stands, and for each way of its last turn what the conditions said, as far as
    /// that is recorded. Nothing of the state is shown.
    ///
    /// ```
    /// # use graphwright::prelude::*;
    /// # #[derive(Clone, Debug, Default, Serialize, Deserialize, State)] struct Count { n: u32 }
    /// # #[node] async fn add(count: &Count) -> NodeResult<Count> { Ok(Count::update().n(count.n + 1)) }
    /// # #[router] fn enough(count: &Count) -> bool { count.n >= 2 }
    /// # graph! { Counter(Count) { start -> add; add -> end if enough; add -> add; } }
    /// # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), RunError> {
    /// let thread = Counter::app((), Memory::new()).thread("t");
    /// thread.run(Count::update()).await?;
    /// let why = thread.explain().await?;
    /// assert_eq!(why.decided[1].because, ["`enough` did not hold", "so the way that is always open"]);
    /// assert_eq!(why.decided[2].because, ["`enough` held"]);
    /// # Ok(()) }
    /// ```
    ///
    /// Cancel safe: it only reads.
    ///
    /// # Errors
    /// The store's, [`RunError::NoThread`], or [`RunError::GraphChanged`].
    pub fn explain(&self) -> impl Future<Output = Result<Explanation, RunError>> + Send + use<G> {
        let this = self.clone();
        async move {
            let desk = this.desk();
            let view = load::<G>(desk, &desk.key(this.name()?)).await?;
            let loaded = view.loaded.ok_or(RunError::NoThread)?;
            let tail = desk.store.load(&desk.key_of(loaded.uid), Point::After(loaded.seq.saturating_sub(LAST))).await?;
            let rows = tail.map(|tail| tail.rows).unwrap_or_default();
            let turn = view.image.turn.id;
            let decided = rows.iter().filter(|row| row.row.turn == turn).filter_map(|row| {
                let Decision { to, because } = Decision::of(row, G::TOPOLOGY)?;
                let from = if row.row.place.is_empty() { "start" } else { &row.row.place };
                Some(Decided { seq: row.seq, from: place(&row.row.path, from), to, because })
            });
            let decided = decided.collect();
            let mut stands = Vec::new();
            view.image.walk(|_, leaf| {
                let does = match leaf.stands {
                    Stands::Runs => Does::Runs,
                    Stands::Parked { question, opened_at } => Does::Waits { question: question.id, since: opened_at },
                    Stands::Stuck { failed, .. } => Does::Failed { error: failed.error().to_owned() },
                    Stands::Done | Stands::Gone(_) => Does::Done,
                };
                stands.push(Standing { place: leaf.path.before(leaf.place), does });
            });
            let last = rows.iter().rfind(|row| row.row.kind != RowKind::Reissue);
            let stopped = view.image.stopped.as_ref().and(last).map(|row| HistoryRow::of(row).note);
            let (thread, status) = (loaded.name.clone(), loaded.head.status);
            desk.recent.put(desk.scope_hash, loaded, view.image);
            Ok(Explanation { thread, graph: <G as NodeMeta>::NAME, status, stands, decided, stopped })
        }
    }
}

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let status = match self.status {
            Status::Idle => "has nothing to do",
            Status::Running => "runs",
            Status::Paused => "waits for an answer",
            Status::Stopped => "is stopped",
        };
        writeln!(f, "`{}` of {} {status}", self.thread, self.graph)?;
        for Standing { place, does } in &self.stands {
            let place = if place.is_empty() { "the turn" } else { place };
            match does {
                Does::Runs => writeln!(f, "  {place}: to be run")?,
                Does::Waits { question, .. } => writeln!(f, "  {place}: waits for an answer to {question}")?,
                Does::Failed { error } => writeln!(f, "  {place}: {}", line(error))?,
                Does::Done => writeln!(f, "  {place}: done")?,
            }
        }
        if let Some(stopped) = self.stopped.as_ref().filter(|stopped| !stopped.is_empty()) {
            writeln!(f, "  stopped: {stopped}")?;
        }
        for Decided { seq, from, to, because } in &self.decided {
            writeln!(
                f,
                "  row {seq}: {from} -> {to}: {}",
                if because.is_empty() { "not recorded".to_owned() } else { because.join(", ") }
            )?;
        }
        Ok(())
    }
}
