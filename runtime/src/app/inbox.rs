//! What waits for people.

use std::time::Duration;

use super::{App, RunError};
use crate::clock::Timestamp;
use crate::engine::{StoredQuestion, decode};
use crate::graph::Graph;
use crate::id::{QuestionId, ThreadId};
use crate::node::NodeMeta;
use crate::store::{Page, Query, QuestionRow};

/// An open question in a list: enough to show it, and to find its thread.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Waiting {
    /// Its thread.
    pub thread: ThreadId,
    /// Which.
    pub id: QuestionId,
    /// The place that asks.
    pub place: String,
    /// The branches and mounted graphs around it, each with the step at which it was opened; empty in the root.
    pub path: String,
    /// Who should answer.
    pub labels: Vec<String>,
    /// What is asked, as JSON.
    pub question: serde_json::Value,
    /// When it was asked.
    pub opened_at: Timestamp,
    /// Until when it can be answered, if not for ever.
    pub expires: Option<Timestamp>,
}

/// Open questions of an app's scope and graph: narrow it, then [`Inbox::list`].
#[derive(Debug)]
#[must_use = "an inbox is read by `.list()`"]
pub struct Inbox<G: Graph> {
    app: App<G>,
    place: Option<String>,
    label: Option<String>,
    older_than: Option<Duration>,
    page: Page,
}

/// A page of an inbox.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Pending {
    /// Questions, oldest thread first.
    pub waiting: Vec<Waiting>,
    /// For [`Inbox::after`]; none if this was the last page.
    pub next: Option<String>,
}

impl<G: Graph> App<G> {
    /// The inbox: what this graph waits for, in this scope.
    pub fn pending(&self) -> Inbox<G> {
        Inbox { app: self.clone(), place: None, label: None, older_than: None, page: Page::default() }
    }
}

impl<G: Graph> Inbox<G> {
    /// Only what this place asks.
    pub fn at(mut self, place: impl Into<String>) -> Self {
        self.place = Some(place.into());
        self
    }

    /// Only what is for this label.
    pub fn to(mut self, label: impl Into<String>) -> Self {
        self.label = Some(label.into());
        self
    }

    /// Only what waits for so long.
    pub fn older_than(mut self, age: Duration) -> Self {
        self.older_than = Some(age);
        self
    }

    /// The page behind this cursor.
    pub fn after(mut self, cursor: impl Into<String>) -> Self {
        self.page.after = Some(cursor.into());
        self
    }

    /// At most so many, at most 1,000.
    pub fn limit(mut self, limit: usize) -> Self {
        self.page.limit = limit;
        self
    }

    /// Reads it.
    ///
    /// # Errors
    /// The store's.
    pub async fn list(self) -> Result<Pending, RunError> {
        let desk = &self.app.inner.desk;
        let age =
            self.older_than.map(|age| Timestamp(desk.clock.now().0.saturating_sub(i64::try_from(age.as_micros()).unwrap_or(i64::MAX))));
        let graph = Some(<G as NodeMeta>::NAME.to_owned());
        let query = Query::Open { scope: desk.scope_hash, graph, place: self.place, label: self.label, opened_before: age };
        let listing = desk.store.list(&query, self.page).await?;
        Ok(Pending { waiting: listing.questions.into_iter().map(waiting).collect(), next: listing.next })
    }
}

fn waiting(row: QuestionRow) -> Waiting {
    let asked = decode::<StoredQuestion>(&row.question.body).map_or(serde_json::Value::Null, |stored| stored.asked);
    Waiting {
        thread: row.thread,
        id: row.question.id,
        place: row.question.place,
        path: row.question.path,
        labels: row.question.labels,
        question: asked,
        opened_at: row.opened_at,
        expires: row.question.expires,
    }
}
