//! What this build would refuse, before it is let at the threads.

use std::future::{Future, IntoFuture};
use std::pin::Pin;

use super::session::questions;
use super::{App, RunError};
use crate::engine::{self, Desk, owner_is_dead};
use crate::graph::Graph;
use crate::id::{ScopeHash, ThreadId};
use crate::node::NodeMeta;
use crate::store::{Page, Point, Query, Status, StoreError, ThreadRow};

/// A look at the threads that somebody has to go on with, to be awaited: nothing is written, and nothing runs.
#[must_use = "a preflight looks when it is awaited"]
#[derive(Debug)]
pub struct Preflight<G: Graph> {
    app: App<G>,
    every_scope: bool,
    page: Page,
}

/// What a page of a preflight found.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct Refusals {
    /// How many threads of this graph were looked at.
    pub looked: usize,
    /// Those that this build would refuse.
    pub refused: Vec<Refused>,
    /// For [`Preflight::after`]; none if this was the last page.
    pub next: Option<String>,
}

/// A thread that this build would refuse.
#[derive(Debug)]
#[non_exhaustive]
pub struct Refused {
    /// Which.
    pub thread: ThreadId,
    /// Whose it is: [`Scope::hash`](crate::Scope::hash).
    pub scope: ScopeHash,
    /// What it does.
    pub status: Status,
    /// What every call on it would give.
    pub why: RunError,
}

impl<G: Graph> App<G> {
    /// Looks at the threads of this graph, in this scope, that wait for an answer, were stopped, or whose process died:
    /// those that this build would refuse, each with its reason. To be asked of a new build before it is deployed.
    ///
    /// ```
    /// # use graphwright::prelude::*;
    /// # #[derive(Clone, Debug, Default, Serialize, Deserialize, State)] struct Count { n: u32 }
    /// # #[node] async fn add(count: &Count) -> NodeResult<Count> { Ok(Count::update().n(count.n + 1)) }
    /// # graph! { Counter(Count) { start -> add -> end; } }
    /// # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), RunError> {
    /// # let app = Counter::app((), Memory::new());
    /// let mut look = app.preflight();
    /// loop {
    ///     let page = look.await?;
    ///     for refused in page.refused {
    ///         eprintln!("{}: {}", refused.thread, refused.why);
    ///     }
    ///     let Some(next) = page.next else { break };
    ///     look = app.preflight().after(next);
    /// }
    /// # Ok(()) }
    /// ```
    ///
    /// Cancel safe: it only reads.
    ///
    /// # Errors
    /// The store's, or [`RunError::OtherScopes`]. A thread that is damaged is refused, and no error.
    pub fn preflight(&self) -> Preflight<G> {
        Preflight { app: self.clone(), every_scope: false, page: Page::default() }
    }
}

impl<G: Graph> Preflight<G> {
    /// The threads of all scopes: for an app that was let [`across_scopes`](App::across_scopes).
    pub fn every_scope(mut self) -> Self {
        self.every_scope = true;
        self
    }

    /// The page behind this cursor: [`Refusals::next`] of the page before.
    pub fn after(mut self, cursor: impl Into<String>) -> Self {
        self.page.after = Some(cursor.into());
        self
    }

    /// Looks at so many threads at most, those of other graphs included; at most 1,000.
    pub fn limit(mut self, limit: usize) -> Self {
        self.page.limit = limit;
        self
    }

    async fn look(self) -> Result<Refusals, RunError> {
        let desk = &self.app.inner.desk;
        let status = vec![Status::Paused, Status::Stopped, Status::Running];
        let listing = desk.store.list(&Query::Threads { scope: self.app.listed(self.every_scope)?, status }, self.page).await?;
        let mut found = Refusals { next: listing.next, ..Refusals::default() };
        for row in listing.threads {
            let runs = row.head.status == Status::Running && !owner_is_dead(&desk.store, &row.head).await?;
            if runs || row.head.graph.name != <G as NodeMeta>::NAME {
                continue;
            }
            found.looked += 1;
            let desk = &self.app.in_scope(row.scope).inner.desk;
            if let Some(why) = refusal::<G>(desk, &row).await? {
                found.refused.push(Refused { thread: row.name, scope: row.scope, status: row.head.status, why });
            }
        }
        Ok(found)
    }
}

async fn refusal<G: Graph>(desk: &Desk, row: &ThreadRow) -> Result<Option<RunError>, StoreError> {
    let loaded = match desk.store.load(&desk.key_of(row.uid), Point::Head).await {
        Ok(Some(loaded)) => loaded,
        // Deleted since it was listed.
        Ok(None) => return Ok(None),
        Err(error @ StoreError::Corrupt { .. }) => return Ok(Some(error.into())),
        Err(error) => return Err(error),
    };
    Ok(engine::fold::<G>(desk, &loaded).and_then(|image| questions(&image)).err())
}

impl<G: Graph> IntoFuture for Preflight<G> {
    type Output = Result<Refusals, RunError>;
    type IntoFuture = Pin<Box<dyn Future<Output = Self::Output> + Send>>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(self.look())
    }
}
