//! What waits for people.

use std::fmt;
use std::time::Duration;

use super::{App, RunError, Thread};
use crate::clock::Timestamp;
use crate::engine::{StoredQuestion, decode, find_place, is_mount, name};
use crate::graph::Graph;
use crate::id::{QuestionId, ScopeHash, ThreadId};
use crate::node::NodeMeta;
use crate::store::{Page, Query, QuestionRow};

/// An open question in a list: enough to show it, and to find its thread. Its `Debug` does not show what is asked.
#[derive(Clone)]
#[non_exhaustive]
pub struct Waiting {
    /// Its thread.
    pub thread: ThreadId,
    /// Whose thread it is: [`Scope::hash`](crate::Scope::hash).
    pub scope: ScopeHash,
    /// The graph that asks.
    pub graph: String,
    /// Which.
    pub id: QuestionId,
    /// The place that asks, by the name that it has in this build.
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

/// Open questions of an app's scope and graph: narrow it, or widen it to all graphs or scopes, then [`Inbox::list`].
#[derive(Debug)]
#[must_use = "an inbox is read by `.list()`"]
pub struct Inbox<G: Graph> {
    app: App<G>,
    every_scope: bool,
    graph: Option<String>,
    place: Option<String>,
    label: Option<String>,
    older_than: Option<Duration>,
    page: Page,
}

impl fmt::Debug for Waiting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Waiting")
            .field("thread", &self.thread)
            .field("graph", &self.graph)
            .field("id", &self.id)
            .field("place", &self.place)
            .field("path", &self.path)
            .field("labels", &self.labels)
            .field("opened_at", &self.opened_at)
            .field("expires", &self.expires)
            .finish_non_exhaustive()
    }
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
    /// The inbox: what this graph waits for, in this scope. [`App::scope`] gives the one of another scope.
    ///
    /// ```
    /// # use graphwright::prelude::*;
    /// # #[derive(Clone, Debug, Default, Serialize, Deserialize, State)] struct Count { n: u32 }
    /// # #[node] async fn add(count: &Count) -> NodeResult<Count> { Ok(Count::update().n(count.n + 1)) }
    /// # graph! { Counter(Count) { start -> add -> end; } }
    /// # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), RunError> {
    /// # let app = Counter::app((), Memory::new());
    /// let hour = std::time::Duration::from_secs(3600);
    /// for waiting in app.pending().every_graph().to("managers").older_than(hour).list().await?.waiting {
    ///     println!("{} waits at `{}` of `{}`", waiting.thread, waiting.place, waiting.graph);
    /// }
    /// # Ok(()) }
    /// ```
    pub fn pending(&self) -> Inbox<G> {
        let graph = Some(<G as NodeMeta>::NAME.to_owned());
        Inbox { app: self.clone(), every_scope: false, graph, place: None, label: None, older_than: None, page: Page::default() }
    }
}

impl<G: Graph> App<G> {
    /// The thread of a question in an inbox: to answer it. Of another scope only the hash is known here, so that no thread
    /// begins by it: [`RunError::ScopeUnknown`], of a fork of it, too.
    ///
    /// # Errors
    /// [`RunError::OtherScopes`] if it is another scope's, and this app was not let [`across_scopes`](App::across_scopes);
    /// [`RunError::OtherGraph`] if another graph asked.
    pub fn thread_of(&self, waiting: &Waiting) -> Result<Thread<G>, RunError> {
        if waiting.scope != self.inner.desk.scope_hash && !self.inner.settings.across_scopes {
            return Err(RunError::OtherScopes);
        }
        if waiting.graph != <G as NodeMeta>::NAME {
            let (thread, wrote) = (waiting.thread.clone(), waiting.graph.clone());
            return Err(RunError::OtherGraph { thread, wrote, graph: <G as NodeMeta>::NAME });
        }
        Ok(self.in_scope(waiting.scope).thread(waiting.thread.as_str()))
    }

    /// What a listing is of: this scope, or all of them where that was let.
    pub(super) fn listed(&self, every_scope: bool) -> Result<Option<ScopeHash>, RunError> {
        match (every_scope, self.inner.settings.across_scopes) {
            (false, _) => Ok(Some(self.inner.desk.scope_hash)),
            (true, true) => Ok(None),
            (true, false) => Err(RunError::OtherScopes),
        }
    }
}

impl<G: Graph> Inbox<G> {
    /// What every graph of the store waits for, not this one's only.
    pub fn every_graph(mut self) -> Self {
        self.graph = None;
        self
    }

    /// What all scopes wait for, not the app's only: for an app that was let [`across_scopes`](App::across_scopes).
    pub fn every_scope(mut self) -> Self {
        self.every_scope = true;
        self
    }

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
    /// The store's, or [`RunError::OtherScopes`].
    pub async fn list(self) -> Result<Pending, RunError> {
        let desk = &self.app.inner.desk;
        let age =
            self.older_than.map(|age| Timestamp(desk.clock.now().0.saturating_sub(i64::try_from(age.as_micros()).unwrap_or(i64::MAX))));
        let scope = self.app.listed(self.every_scope)?;
        // A store knows places by the names under which they asked: one that had others is looked for here.
        let had_others = self.graph.is_some() && self.place.as_ref().is_some_and(|place| was_renamed::<G>(place));
        let place = if had_others { None } else { self.place.clone() };
        let query = Query::Open { scope, graph: self.graph, place, label: self.label, opened_before: age };
        let listing = desk.store.list(&query, self.page).await?;
        let waiting = listing.questions.into_iter().map(waiting).map(by_its_name::<G>);
        let is_wanted = |waiting: &Waiting| !had_others || self.place.as_ref().is_none_or(|place| waiting.place == *place);
        Ok(Pending { waiting: waiting.filter(is_wanted).collect(), next: listing.next })
    }
}

/// The question of a place that this build calls otherwise, by the name that it has now.
fn by_its_name<G: Graph>(mut waiting: Waiting) -> Waiting {
    let mut around = waiting.path.split('/').filter_map(|segment| segment.split_once(':'));
    let is_mounted = around.any(|(_, key)| find_place::<G>(key).is_some_and(is_mount::<G>));
    if waiting.graph == <G as NodeMeta>::NAME
        && !is_mounted
        && let Some(at) = find_place::<G>(&waiting.place)
    {
        name::<G>(at).clone_into(&mut waiting.place);
    }
    waiting
}

fn was_renamed<G: Graph>(place: &str) -> bool {
    find_place::<G>(place).is_some_and(|at| !G::policy(at).was.is_empty())
}

fn waiting(row: QuestionRow) -> Waiting {
    let asked = decode::<StoredQuestion>(&row.question.body).map_or(serde_json::Value::Null, |stored| stored.asked);
    Waiting {
        thread: row.thread,
        scope: row.scope,
        graph: row.graph.name,
        id: row.question.id,
        place: row.question.place,
        path: row.question.path,
        labels: row.question.labels,
        question: asked,
        opened_at: row.opened_at,
        expires: row.question.expires,
    }
}
