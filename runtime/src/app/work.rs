//! What owns time: threads whose process died, answers that nobody drives, people to be told, and what may be forgotten.

use std::collections::HashSet;
use std::future::Future;
use std::time::Duration;

use tokio::task::JoinSet;

use super::session::{Call, announce_expired, drive_claimed};
use super::{App, RunError};
use crate::engine::{self, Desk, Lease, Proceed, owner_is_dead};
use crate::graph::Graph;
use crate::id::{RunId, ScopeHash};
use crate::node::NodeMeta;
use crate::store::{Page, Query, StoreError, ThreadRow};

/// How long to wait between two looks at the store.
const EVERY: Duration = Duration::from_secs(2);
/// What may be forgotten is looked for at one sweep out of so many: once a minute.
const FORGETS: u32 = 30;
/// Threads taken up at once by one worker.
const AT_ONCE: usize = 16;
/// A store and a process whose clocks differ by more than this do not expire anything.
const SKEW: Duration = Duration::from_secs(300);

/// What one sweep did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Swept {
    /// Threads that were driven on, to a pause, a stop or an end.
    pub driven: usize,
    /// Messages of the outbox that were delivered.
    pub delivered: usize,
    /// Questions whose time was up, and whose ways `on expiry` were taken.
    pub expired: usize,
    /// Rows that were forgotten: see [`Retention`](super::Retention).
    pub pruned: u64,
    /// Threads that were deleted because nobody used them any more.
    pub deleted: usize,
    /// What failed; it is tried again at the next sweep.
    pub failed: usize,
}

impl<G: Graph> App<G> {
    /// Sweeps until the app is shut down, in all scopes: `tokio::spawn(app.work())`. Any number may run, in any number of processes.
    ///
    /// Cancel safe: a thread that is being driven is free at once.
    pub fn work(&self) -> impl Future<Output = ()> + Send + use<G> {
        let app = self.clone();
        async move {
            for sweep in (0..FORGETS).cycle() {
                if let Err(error) = app.sweep_once(sweep == 0).await {
                    tracing::warn!(target: "graphwright", %error, "a sweep failed; the next one tries again");
                }
                if app.inner.gate.is_closed() {
                    return;
                }
                tokio::time::sleep(EVERY).await;
            }
        }
    }

    /// Looks once, in all scopes: closes the questions of this graph whose time is up, drives threads that could go on and
    /// that nobody drives, delivers what waits in the outbox, and forgets what [`App::retention`] lets go.
    ///
    /// # Errors
    /// The store's, or [`StoreError::Io`] if the clocks of store and process differ by more than five minutes.
    pub fn sweep(&self) -> impl Future<Output = Result<Swept, RunError>> + Send + use<G> {
        let app = self.clone();
        async move { app.sweep_once(true).await }
    }

    fn sweep_once(&self, forgets: bool) -> impl Future<Output = Result<Swept, RunError>> + Send + use<G> {
        let app = self.clone();
        async move {
            let desk = &app.inner.desk;
            if let Some(now) = desk.store.now().await? {
                let mine = desk.clock.now();
                if now.since(mine).max(mine.since(now)) > SKEW {
                    let what = "the clocks of store and process differ by more than five minutes: set the clock";
                    return Err(RunError::Store(StoreError::Io(what.to_owned())));
                }
            }
            let mut swept = Swept::default();
            app.expire(&mut swept).await?;
            app.take_up(&mut swept).await?;
            #[cfg(feature = "tokens")]
            app.deliver(&mut swept).await?;
            if forgets {
                app.let_go(&mut swept).await?;
            }
            Ok(swept)
        }
    }

    /// Closes the questions whose time is up, where a way leads on from that.
    async fn expire(&self, swept: &mut Swept) -> Result<(), RunError> {
        let desk = &self.inner.desk;
        let mut page = Page { after: None, limit: 1000 };
        let mut seen = HashSet::new();
        loop {
            let listing = desk.store.list(&Query::Due { now: desk.clock.now() }, page.clone()).await?;
            for row in listing.questions {
                if row.graph.name != <G as NodeMeta>::NAME || !seen.insert(row.uid) {
                    continue;
                }
                let app = self.in_scope(row.scope);
                match engine::expire::<G>(&app.inner.desk, &desk.key_of(row.uid)).await {
                    Ok(Some((expired, appended))) => {
                        swept.expired += expired.questions.len();
                        announce_expired(&app, &row.thread, &expired.image, &expired.questions, appended);
                    }
                    Ok(None) => {}
                    Err(error) => {
                        swept.failed += 1;
                        tracing::warn!(target: "graphwright", %error, place = row.question.place, "a question could not expire; the next sweep tries again");
                    }
                }
            }
            match listing.next {
                Some(next) => page.after = Some(next),
                None => return Ok(()),
            }
        }
    }

    async fn take_up(&self, swept: &mut Swept) -> Result<(), RunError> {
        let desk = &self.inner.desk;
        let mut page = Page { after: None, limit: 1000 };
        let mut driving = JoinSet::new();
        loop {
            let listing = desk.store.list(&Query::Running, page.clone()).await?;
            for row in listing.threads {
                if row.head.graph.name != <G as NodeMeta>::NAME || !owner_is_dead(&desk.store, &row.head).await? {
                    continue;
                }
                if driving.len() >= AT_ONCE {
                    count(swept, driving.join_next().await);
                }
                driving.spawn(self.in_scope(row.scope).drive_on(row));
            }
            match listing.next {
                Some(next) => page.after = Some(next),
                None => break,
            }
        }
        while let Some(driven) = driving.join_next().await {
            count(swept, Some(driven));
        }
        Ok(())
    }

    /// The same app for a scope of which only the hash is known: enough for a thread that is there.
    pub(super) fn in_scope(&self, scope: ScopeHash) -> Self {
        self.clone().change(|inner| inner.desk = Desk { scope_hash: scope, ..inner.desk.clone() })
    }

    async fn drive_on(self, row: ThreadRow) -> Result<(), RunError> {
        let desk = &self.inner.desk;
        let run = RunId(desk.ids.fresh());
        let call = Call::default();
        let lease = Lease::take(desk.store.worker(), run, call.cancel.clone(), call.drain.clone());
        let _pass = self.inner.gate.enter(run)?;
        match engine::proceed::<G>(desk, &desk.key_of(row.uid), run, false).await? {
            Proceed::Claimed(claimed) => {
                let _outcome = drive_claimed(self.clone(), row.name, *claimed, Some(Vec::new()), call, lease).await?;
                Ok(())
            }
            Proceed::Rest(_) => Ok(()),
        }
    }
}

fn count(swept: &mut Swept, driven: Option<Result<Result<(), RunError>, tokio::task::JoinError>>) {
    match driven {
        Some(Ok(Ok(()))) => swept.driven += 1,
        Some(_) => swept.failed += 1,
        None => {}
    }
}
