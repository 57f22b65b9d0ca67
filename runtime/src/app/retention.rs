//! What of the past is kept, and for how long.

use std::time::Duration;

use super::{App, RunError, Swept};
use crate::clock::Timestamp;
use crate::graph::Graph;
use crate::node::NodeMeta;
use crate::store::{By, Page, Query, ThreadKey, ThreadRow};

/// What of the past is kept: everything, unless something is named that may go. [`App::work`] lets it go.
///
/// What is open stays, whatever is said here: a thread that is paused, stopped or running is not deleted, its state and its
/// questions are never touched, and neither is a thread that was forked from one that goes.
///
/// ```
/// # use graphwright::prelude::*;
/// # #[derive(Clone, Debug, Default, Serialize, Deserialize, State)] struct Count { n: u32 }
/// # #[node] async fn add(count: &Count) -> NodeResult<Count> { Ok(Count::update().n(count.n + 1)) }
/// # graph! { Counter(Count) { start -> add -> end; } }
/// use graphwright::Retention;
/// use std::time::Duration;
///
/// let month = Duration::from_secs(30 * 24 * 60 * 60);
/// let app = Counter::app((), Memory::new()).retention(Retention::default().rows(10_000).idle(month));
/// # drop(app);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Retention {
    rows: Option<u64>,
    idle: Option<Duration>,
}

impl Retention {
    /// The last `rows` rows of each thread stay, and those of the last minute. What is older goes, as far as a snapshot
    /// stands for it: [`Thread::history`](super::Thread::history), `state_at` and `fork` reach back so far and no further.
    #[must_use]
    pub const fn rows(mut self, rows: u64) -> Self {
        self.rows = Some(rows);
        self
    }

    /// A thread whose turn is over, and on which nothing was done for so long, is deleted.
    #[must_use]
    pub const fn idle(mut self, idle: Duration) -> Self {
        self.idle = Some(idle);
        self
    }
}

impl<G: Graph> App<G> {
    /// What of the past is kept: everything, unless this says otherwise.
    #[must_use]
    pub fn retention(self, retention: Retention) -> Self {
        self.change(|inner| inner.settings.retention = retention)
    }

    /// Lets go what need not be kept, of the threads of this graph, in all scopes.
    pub(super) async fn let_go(&self, swept: &mut Swept) -> Result<(), RunError> {
        let Retention { rows, idle } = self.inner.settings.retention;
        let desk = &self.inner.desk;
        if let Some(idle) = idle {
            let idle = i64::try_from(idle.as_micros()).unwrap_or(i64::MAX);
            let query = Query::Rested { before: Timestamp(desk.clock.now().0.saturating_sub(idle)) };
            let mut after = Some(None);
            while let Some(threads) = self.page_of(&query, &mut after).await? {
                for thread in threads {
                    // At its version: a turn that has begun since it was listed has the thread again.
                    let key = ThreadKey { scope: thread.scope, by: By::At(thread.uid, thread.seq) };
                    swept.deleted += usize::from(desk.store.delete(&key).await?);
                }
            }
        }
        if let Some(keep) = rows {
            let query = Query::Long { keep };
            let mut after = Some(None);
            while let Some(threads) = self.page_of(&query, &mut after).await? {
                for thread in threads {
                    let key = ThreadKey { scope: thread.scope, by: By::Uid(thread.uid) };
                    swept.pruned = swept.pruned.saturating_add(desk.store.prune(&key, thread.seq.saturating_sub(keep)).await?);
                }
            }
        }
        Ok(())
    }

    /// The threads of this graph on the page behind `after`; none behind the last.
    async fn page_of(&self, query: &Query, after: &mut Option<Option<String>>) -> Result<Option<Vec<ThreadRow>>, RunError> {
        let Some(cursor) = after.take() else { return Ok(None) };
        let listing = self.inner.desk.store.list(query, Page { after: cursor, limit: 1000 }).await?;
        *after = listing.next.map(Some);
        Ok(Some(listing.threads.into_iter().filter(|thread| thread.head.graph.name == <G as NodeMeta>::NAME).collect()))
    }
}
