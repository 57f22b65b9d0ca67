//! Where a page of a listing ended: the same order, and so the same pages, in every store.

use super::{Page, Query, QuestionRow, Seq, StoreError, Uid};
use crate::id::QuestionId;

/// The most items of a page.
const MAX_PAGE: usize = 1_000;
/// Bodies of a page, in bytes; one item may pass it.
const PAGE_BYTES: usize = 64 << 20;

/// The last item of a page: what the next one must be greater than.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Cursor {
    /// By life of a thread.
    Thread(Uid),
    /// By row of one thread.
    Row(Seq),
    /// By a time, then by question.
    Question(i64, Uid, QuestionId),
}

impl Cursor {
    /// Before the first item of `query`.
    fn start(query: &Query) -> Self {
        match query {
            Query::Threads { .. } | Query::Running | Query::Long { .. } | Query::Rested { .. } => Self::Thread(0),
            Query::History { .. } | Query::Request { .. } => Self::Row(0),
            Query::Open { .. } | Query::Due { .. } | Query::Outbox => Self::Question(i64::MIN, 0, QuestionId::default()),
        }
    }

    /// Where `page` begins.
    pub(super) fn of(query: &Query, page: &Page) -> Result<Self, StoreError> {
        let start = Self::start(query);
        let Some(text) = &page.after else { return Ok(start) };
        let mut parts = text.split('.');
        let mut part = || parts.next().ok_or(StoreError::Cursor);
        let number = |text: &str| text.parse::<u64>().ok().filter(|n| i64::try_from(*n).is_ok()).ok_or(StoreError::Cursor);
        let cursor = match (start, part()?) {
            (Self::Thread(_), "t") => Self::Thread(number(part()?)?),
            (Self::Row(_), "r") => Self::Row(number(part()?)?),
            (Self::Question(..), "q") => {
                let at = part()?.parse().map_err(|_| StoreError::Cursor)?;
                Self::Question(at, number(part()?)?, part()?.parse().map_err(|_| StoreError::Cursor)?)
            }
            _ => return Err(StoreError::Cursor),
        };
        if parts.next().is_some() { Err(StoreError::Cursor) } else { Ok(cursor) }
    }

    /// The place of `question` in the order of `query`.
    pub(super) fn question(query: &Query, question: &QuestionRow) -> Self {
        let at = match query {
            Query::Due { .. } => question.question.expires.map_or(i64::MAX, |at| at.0),
            Query::Open { .. } => question.opened_at.0,
            _ => 0,
        };
        Self::Question(at, question.uid, question.question.id)
    }

    /// As it is given away.
    pub(super) fn text(self) -> String {
        match self {
            Self::Thread(uid) => format!("t.{uid}"),
            Self::Row(seq) => format!("r.{seq}"),
            Self::Question(at, uid, id) => format!("q.{at}.{uid}.{id}"),
        }
    }
}

/// What still fits on a page.
#[derive(Debug)]
pub(super) struct Room {
    items: usize,
    bytes: usize,
    last: Option<Cursor>,
}

impl Room {
    pub(super) fn of(page: &Page) -> Self {
        Self { items: page.limit.clamp(1, MAX_PAGE), bytes: PAGE_BYTES, last: None }
    }

    /// How many items to look at: those of the page, and one that tells whether there is a next.
    #[cfg(feature = "sqlite")]
    pub(super) fn look(&self) -> usize {
        self.items + 1
    }

    /// Whether the item at `cursor` goes on the page. If not, the page is full, and this is the cursor to give away.
    pub(super) fn take(&mut self, cursor: Cursor, bytes: usize) -> Result<(), Option<String>> {
        if self.items == 0 || (self.last.is_some() && bytes > self.bytes) {
            return Err(self.next());
        }
        self.items -= 1;
        self.bytes = self.bytes.saturating_sub(bytes);
        self.last = Some(cursor);
        Ok(())
    }

    /// The cursor behind what was taken.
    pub(super) fn next(&self) -> Option<String> {
        self.last.map(Cursor::text)
    }
}
