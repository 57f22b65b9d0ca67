//! What owns time: threads whose process died, answers that nobody drives, people to be told, and what may be forgotten.

use std::collections::HashSet;
use std::future::{Future, poll_fn};
use std::pin::pin;
use std::task::{Context as Task, Poll};
use std::time::Duration;

use tokio::task::{JoinError, JoinSet};

use super::claiming::claiming;
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
/// Threads taken up, and people told, at once by one worker.
pub(super) const AT_ONCE: usize = 16;
/// A store and a process whose clocks differ by more than this do not expire anything.
const SKEW: Duration = Duration::from_secs(300);

/// Runs that a worker has begun.
type Driving = JoinSet<Result<(), RunError>>;
/// What one of them came to.
type Driven = Result<Result<(), RunError>, JoinError>;

/// What a sweep does, in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Expires,
    TakesUp,
    Delivers,
    Forgets,
}

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
    /// No part of it waits for another: a thread that is driven for hours, or a `notify` that hangs, keeps no question from
    /// expiring. One worker drives 16 threads at once, so a place that may hang should have a `timeout(..)`.
    ///
    /// Cancel safe: a thread that is being driven is free at once.
    pub fn work(&self) -> impl Future<Output = ()> + Send + use<G> {
        let app = self.clone();
        async move {
            let [expires, takes_up, delivers, forgets] =
                [Part::Expires, Part::TakesUp, Part::Delivers, Part::Forgets].map(|part| app.repeat(part));
            tokio::join!(expires, takes_up, delivers, forgets);
        }
    }

    /// Does this until the app is shut down, and what it has begun to drive is over.
    async fn repeat(&self, part: Part) {
        let (mut driving, mut swept) = (JoinSet::new(), Swept::default());
        for look in (0..FORGETS).cycle() {
            if (part != Part::Forgets || look == 0)
                && let Err(error) = self.look(part, &mut driving, &mut swept).await
            {
                tracing::warn!(target: "graphwright", %error, ?part, "a sweep failed; the next one tries again");
            }
            if self.inner.gate.is_closed() {
                break;
            }
            tokio::time::sleep(EVERY).await;
        }
        while driving.join_next().await.is_some() {}
    }

    async fn look(&self, part: Part, driving: &mut Driving, swept: &mut Swept) -> Result<(), RunError> {
        self.check_clock().await?;
        match part {
            Part::Expires => self.expire(swept).await,
            Part::TakesUp => self.take_up(driving, swept).await,
            #[cfg(feature = "tokens")]
            Part::Delivers => self.deliver(swept).await,
            #[cfg(not(feature = "tokens"))]
            Part::Delivers => Ok(()),
            Part::Forgets => self.let_go(swept).await,
        }
    }

    /// Looks once, in all scopes: closes the questions of this graph whose time is up, drives threads that could go on and
    /// that nobody drives, delivers what waits in the outbox, and forgets what [`App::retention`] lets go.
    ///
    /// # Errors
    /// The store's, or [`StoreError::Io`] if the clocks of store and process differ by more than five minutes.
    pub fn sweep(&self) -> impl Future<Output = Result<Swept, RunError>> + Send + use<G> {
        let app = self.clone();
        async move {
            let (mut driving, mut swept) = (JoinSet::new(), Swept::default());
            for part in [Part::Expires, Part::TakesUp, Part::Delivers, Part::Forgets] {
                app.look(part, &mut driving, &mut swept).await?;
                while let Some(driven) = driving.join_next().await {
                    count(&mut swept, Some(driven));
                }
            }
            Ok(swept)
        }
    }

    async fn check_clock(&self) -> Result<(), RunError> {
        let desk = &self.inner.desk;
        let Some(now) = desk.store.now().await? else { return Ok(()) };
        let mine = desk.clock.now();
        if now.since(mine).max(mine.since(now)) <= SKEW {
            return Ok(());
        }
        let what = "the clocks of store and process differ by more than five minutes: set the clock";
        Err(RunError::Store(StoreError::Io(what.to_owned())))
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

    /// Begins to drive what nobody drives; what it began is waited for by whoever has the set.
    async fn take_up(&self, driving: &mut Driving, swept: &mut Swept) -> Result<(), RunError> {
        let desk = &self.inner.desk;
        let mut page = Page { after: None, limit: 1000 };
        while let Some(driven) = poll_fn(|task| Poll::Ready(over(driving, task))).await {
            count(swept, Some(driven));
        }
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
                None => return Ok(()),
            }
        }
    }

    /// The same app for a scope of which only the hash is known: enough for a thread that is there.
    pub(super) fn in_scope(&self, scope: ScopeHash) -> Self {
        let known = self.inner.desk.scope.clone().filter(|known| known.hash() == scope);
        self.clone().change(|inner| inner.desk = Desk { scope_hash: scope, scope: known, ..inner.desk.clone() })
    }

    async fn drive_on(self, row: ThreadRow) -> Result<(), RunError> {
        let desk = &self.inner.desk;
        let run = RunId(desk.ids.fresh());
        let call = Call::default();
        let lease = Lease::take(desk.store.worker(), run, call.cancel.clone(), call.drain.clone());
        let _pass = self.inner.gate.enter(run)?;
        let key = desk.key_of(row.uid);
        match claiming::<G, _>(desk, &key, run, engine::proceed::<G>(desk, &key, run, false)).await? {
            Proceed::Claimed(claimed) => {
                let _outcome = drive_claimed(self.clone(), row.name, *claimed, Some(Vec::new()), call, lease).await?;
                Ok(())
            }
            Proceed::Rest(_) => Ok(()),
        }
    }
}

/// A run that is over by now. `JoinSet::try_join_next` is not there in the tests of schedules.
fn over(driving: &mut Driving, task: &mut Task<'_>) -> Option<Driven> {
    match pin!(driving.join_next()).poll(task) {
        Poll::Ready(driven) => driven,
        Poll::Pending => None,
    }
}

fn count(swept: &mut Swept, driven: Option<Driven>) {
    match driven {
        Some(Ok(Ok(()))) => swept.driven += 1,
        Some(_) => swept.failed += 1,
        None => {}
    }
}
