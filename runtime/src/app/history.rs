//! What happened on a thread, as rows and as a table.

use std::fmt;
use std::future::{Future, IntoFuture};
use std::ops::Deref;
use std::pin::Pin;

use super::{RunError, Thread};
use crate::clock::Timestamp;
use crate::engine::Tale;
use crate::graph::Graph;
use crate::id::{RunId, TurnId};
use crate::store::{Page, Point, Query, Row, RowKind, Seq};

/// The most rows of one page.
const MOST: usize = 1_000;

/// The rows of a thread, to be awaited: the oldest page first, unless something else is asked for.
#[must_use = "a history is read when it is awaited"]
#[derive(Debug)]
pub struct ReadHistory<G: Graph> {
    thread: Thread<G>,
    page: Page,
    newest: Option<u64>,
}

/// A page of rows. It is a slice of them, and prints as a table.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct History {
    /// The rows, oldest first, as they are kept.
    pub rows: Vec<Row>,
    /// For [`ReadHistory::after`]; none if this was the last page.
    pub next: Option<String>,
}

/// A row, told for people: places, ways and names of fields, and nothing that is in them.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct HistoryRow {
    /// Its number.
    pub seq: Seq,
    /// When.
    pub at: Timestamp,
    /// What it tells.
    pub kind: RowKind,
    /// The turn.
    pub turn: TurnId,
    /// The run that wrote it, if one did.
    pub run: Option<RunId>,
    /// The place, behind the branches and mounted graphs around it.
    pub place: String,
    /// The fields that it wrote.
    pub wrote: Vec<String>,
    /// Where it went on from there: places, forks with their number of branches, exits.
    pub then: Vec<String>,
    /// What else it says: what failed, why a run ended, which question.
    pub note: String,
}

impl<G: Graph> Thread<G> {
    /// What happened on the thread: up to 1,000 rows, the oldest first. It prints as a table.
    ///
    /// ```
    /// # use graphwright::prelude::*;
    /// # #[derive(Clone, Debug, Default, Serialize, Deserialize, State)] struct Count { n: u32 }
    /// # #[node] async fn add(count: &Count) -> NodeResult<Count> { Ok(Count::update().n(count.n + 1)) }
    /// # graph! { Counter(Count) { start -> add; add -> end; } }
    /// # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), RunError> {
    /// let thread = Counter::app((), Memory::new()).thread("t");
    /// thread.run(Count::update()).await?;
    /// let history = thread.history().await?;
    /// assert_eq!(history.len(), 2);
    /// println!("{history}");
    /// let step = history.entries().last().unwrap();
    /// assert_eq!((step.place.as_str(), step.then), ("add", vec!["end".to_owned()]));
    /// # Ok(()) }
    /// ```
    ///
    /// Cancel safe: it only reads.
    ///
    /// # Errors
    /// The store's, or [`RunError::NoThread`].
    pub fn history(&self) -> ReadHistory<G> {
        ReadHistory { thread: self.clone(), page: Page { after: None, limit: MOST }, newest: None }
    }
}

impl<G: Graph> ReadHistory<G> {
    /// The page behind this cursor: [`History::next`] of the page before.
    pub fn after(mut self, cursor: impl Into<String>) -> Self {
        self.page.after = Some(cursor.into());
        self
    }

    /// At most so many rows, at most 1,000.
    pub fn limit(mut self, limit: usize) -> Self {
        self.page.limit = limit;
        self
    }

    /// Only the newest rows, at most so many and at most 1,000; there is no page behind them.
    pub fn newest(mut self, rows: usize) -> Self {
        self.newest = Some(rows.clamp(1, MOST) as u64);
        self
    }

    async fn read(self) -> Result<History, RunError> {
        let desk = self.thread.desk();
        let key = desk.key(self.thread.name()?);
        let head = desk.store.load(&key, Point::After(Seq::MAX)).await?.ok_or(RunError::NoThread)?;
        self.thread.refuse_others(&head)?;
        let Some(newest) = self.newest else {
            let query = Query::History { scope: desk.scope_hash, uid: head.uid };
            let listing = desk.store.list(&query, self.page).await?;
            return Ok(History { rows: listing.rows, next: listing.next });
        };
        let after = head.seq.saturating_sub(newest);
        let tail = desk.store.load(&desk.key_of(head.uid), Point::After(after)).await?.ok_or(RunError::NoThread)?;
        let mut rows = tail.rows;
        rows.truncate(MOST);
        Ok(History { rows, next: None })
    }
}

impl<G: Graph> IntoFuture for ReadHistory<G> {
    type Output = Result<History, RunError>;
    type IntoFuture = Pin<Box<dyn Future<Output = Self::Output> + Send>>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(self.read())
    }
}

impl History {
    /// The rows, told for people.
    pub fn entries(&self) -> impl Iterator<Item = HistoryRow> + '_ {
        self.rows.iter().map(HistoryRow::of)
    }
}

impl Deref for History {
    type Target = [Row];
    fn deref(&self) -> &[Row] {
        &self.rows
    }
}

impl HistoryRow {
    pub(super) fn of(row: &Row) -> Self {
        let Tale { wrote, then, note } = Tale::of(row);
        let place = place(&row.row.path, &row.row.place);
        Self { seq: row.seq, at: row.row.at, kind: row.row.kind, turn: row.row.turn, run: row.row.run, place, wrote, then, note }
    }

    fn cells(self) -> [String; 6] {
        [self.seq.to_string(), kind(self.kind).to_owned(), self.place, self.then.join(" -> "), self.wrote.join(", "), self.note]
    }
}

/// A place behind what is around it.
pub(super) fn place(path: &str, place: &str) -> String {
    match (path.is_empty(), place.is_empty()) {
        (true, _) => place.to_owned(),
        (false, true) => path.to_owned(),
        (false, false) => format!("{path}/{place}"),
    }
}

fn kind(kind: RowKind) -> &'static str {
    match kind {
        RowKind::Input => "input",
        RowKind::Step => "step",
        RowKind::Park => "asks",
        RowKind::Answer => "answer",
        RowKind::Expire => "expire",
        RowKind::Attempt => "attempt",
        RowKind::Failed => "failed",
        RowKind::Claim => "claim",
        RowKind::Reissue => "reissue",
        RowKind::Stop => "stop",
        RowKind::Close => "close",
        RowKind::Edit => "edit",
        RowKind::Origin => "origin",
    }
}

/// A table: row, kind, place, where it went, which fields it wrote, and what else it says.
impl fmt::Display for History {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let title = ["row", "kind", "place", "then", "wrote", "note"].map(str::to_owned);
        let table: Vec<[String; 6]> = std::iter::once(title).chain(self.entries().map(HistoryRow::cells)).collect();
        let mut widths = [0; 6];
        for line in &table {
            for (width, cell) in widths.iter_mut().zip(line) {
                *width = cell.chars().count().max(*width);
            }
        }
        for line in &table {
            let mut text = String::new();
            for (column, (cell, width)) in line.iter().zip(widths).enumerate().filter(|(_, (_, width))| *width > 0) {
                let pad = " ".repeat(width - cell.chars().count());
                // Numbers end where they all end.
                text.extend(if column == 0 { [pad.as_str(), cell] } else { [cell, pad.as_str()] });
                text.push_str("  ");
            }
            writeln!(f, "{}", text.trim_end())?;
        }
        match &self.next {
            Some(next) => writeln!(f, "… more behind {next}"),
            None => Ok(()),
        }
    }
}
