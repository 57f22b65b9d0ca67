//! The commits of a thread as events, in whatever process they are made.

use std::collections::VecDeque;
use std::fmt;
use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::task::{Context as Task, Poll};
use std::time::Duration;

use futures_core::Stream;

use super::history::place;
use super::{RunError, Thread};
use crate::engine;
use crate::graph::Graph;
use crate::observe::{Event, EventKind, Wire};
use crate::store::{Page, Point, Query, Row, Seq, Status, Uid};

/// How often to look at the store.
const LOOK: Duration = Duration::from_millis(200);
/// The most rows that are read at once.
const MOST: u64 = 1_000;

/// The events of a thread, one for each commit: read with [`Subscription::next`], or as a [`Stream`].
#[must_use = "a subscription does nothing until it is read"]
pub struct Subscription<G: Graph> {
    rests: Option<Box<Follow<G>>>,
    reads: Option<Reads<G>>,
}

type Read<G> = (Box<Follow<G>>, Result<Event, RunError>);
type Reads<G> = Pin<Box<dyn Future<Output = Read<G>> + Send>>;

/// How far a thread was followed.
struct Follow<G: Graph> {
    thread: Thread<G>,
    /// The event after which it begins.
    after: u64,
    /// The life that is followed, once it was seen.
    uid: Option<Uid>,
    /// The last row that was read.
    seen: Seq,
    /// Where the next page begins, while there is more behind `seen` than is read at once.
    page: Option<String>,
    events: VecDeque<Event>,
}

impl<G: Graph> Thread<G> {
    /// What is committed on the thread, in this process or another, after the event with this id; from the oldest row that
    /// is kept, if it is zero. It never ends by itself: stop reading it, or drop it.
    ///
    /// Each row of the thread is one event, whose id is twice the number of the row: so ids grow over all runs, and a reader
    /// that lost its connection goes on behind the last one that it has, here or in another process. Where the thread came
    /// to rest with a row, [`EventKind::RunEnded`] follows, one above. What was not committed is not told: no pieces of
    /// text, no bodies that began, no time that passed within a run ([`Event::elapsed`] is zero); and [`Event::step`] counts
    /// in the branch or mounted graph of the place. What no run wrote, such as an answer, has a run of zeros.
    ///
    /// | row | event |
    /// | --- | --- |
    /// | a turn begins, a run takes the thread | `RunStarted` |
    /// | a place asks | `AskUserQuestion` |
    /// | an answer was taken; a question ran out of time | `Resumed`; `AskUserExpired` |
    /// | a place failed | `NodeFailed` |
    /// | a run was stopped, a turn given up | `RunEnded` |
    /// | anything else, each step first of all | `Committed` |
    ///
    /// It looks at the store five times a second, and whenever a run of this process ends. It holds 1,000 rows at most.
    ///
    /// ```
    /// # use graphwright::prelude::*;
    /// # #[derive(Clone, Debug, Default, Serialize, Deserialize, State)] struct Count { n: u32 }
    /// # #[node] async fn add(count: &Count) -> NodeResult<Count> { Ok(Count::update().n(count.n + 1)) }
    /// # graph! { Counter(Count) { start -> add -> end; } }
    /// use graphwright::EventKind;
    /// # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), RunError> {
    /// let thread = Counter::app((), Memory::new()).thread("t");
    /// thread.run(Count::update()).await?;
    /// let mut events = thread.subscribe(0);
    /// let mut ids = Vec::new();
    /// while let Some(event) = events.next().await {
    ///     let event = event?;
    ///     ids.push(event.id);
    ///     if let EventKind::RunEnded { .. } = event.kind {
    ///         break;
    ///     }
    /// }
    /// assert_eq!(ids, [2, 4, 5]);
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    /// Read, the store's, and after one of them nothing more; [`RunError::NoThread`] if there is no such thread, or not any
    /// more; [`RunError::NoRow`] if rows behind that event are not kept any more, or there is no such event.
    pub fn subscribe(&self, after_event: u64) -> Subscription<G> {
        // What the thread came to is told of the row itself, so that one is read again.
        let seen = (after_event / 2).saturating_sub(1);
        let follow = Follow { thread: self.clone(), after: after_event, uid: None, seen, page: None, events: VecDeque::new() };
        Subscription { rests: Some(Box::new(follow)), reads: None }
    }
}

impl<G: Graph> Subscription<G> {
    /// The next event, as soon as there is one; none after an error. Cancel safe.
    ///
    /// # Errors
    /// Those of [`Thread::subscribe`].
    pub async fn next(&mut self) -> Option<Result<Event, RunError>> {
        poll_fn(|task| self.poll_event(task)).await
    }

    fn poll_event(&mut self, task: &mut Task<'_>) -> Poll<Option<Result<Event, RunError>>> {
        if let Some(mut follow) = self.rests.take() {
            if let Some(event) = follow.events.pop_front() {
                self.rests = Some(follow);
                return Poll::Ready(Some(Ok(event)));
            }
            self.reads = Some(Box::pin(follow.read()));
        }
        let Some(reads) = &mut self.reads else { return Poll::Ready(None) };
        let Poll::Ready((follow, event)) = reads.as_mut().poll(task) else { return Poll::Pending };
        self.reads = None;
        self.rests = event.is_ok().then_some(follow);
        Poll::Ready(Some(event))
    }
}

impl<G: Graph> Follow<G> {
    async fn read(mut self: Box<Self>) -> Read<G> {
        loop {
            let ended = engine::ended();
            if let Err(error) = self.look().await {
                return (self, Err(error));
            }
            if let Some(event) = self.events.pop_front() {
                return (self, Ok(event));
            }
            if self.page.is_some() {
                continue;
            }
            tokio::select! {
                () = ended => {}
                () = tokio::time::sleep(LOOK) => {}
            }
        }
    }

    /// Takes in what came behind the last row that was read, as far as it is read at once.
    async fn look(&mut self) -> Result<(), RunError> {
        let desk = self.thread.desk();
        let key = match self.uid {
            Some(uid) => desk.key_of(uid),
            None => desk.key(self.thread.name()?),
        };
        let head = desk.store.load(&key, Point::After(Seq::MAX)).await?.ok_or(RunError::NoThread)?;
        self.thread.refuse_others(&head)?;
        let missing = |seq| Err(RunError::NoRow { seq, first: head.first_seq, last: head.seq });
        let told = if self.uid.is_some() { self.seen } else { self.after / 2 };
        if told > head.seq {
            return missing(told);
        }
        // A reader that is slower than whoever prunes is told so, too.
        if told > 0 && head.first_seq > told + 1 {
            return missing(told + 1);
        }
        self.uid = Some(head.uid);
        if head.seq == self.seen {
            return Ok(());
        }
        if head.seq - self.seen <= MOST {
            self.page = None;
            let new = desk.store.load(&desk.key_of(head.uid), Point::After(self.seen)).await?.ok_or(RunError::NoThread)?;
            self.take(&new.rows, (new.seq, new.head.status));
            self.seen = new.seq;
            return Ok(());
        }
        let query = Query::History { scope: desk.scope_hash, uid: head.uid };
        let page = Page { after: self.page.take(), limit: 1_000 };
        let listing = desk.store.list(&query, page).await?;
        self.page = listing.next;
        self.take(&listing.rows, (head.seq, head.head.status));
        self.seen = listing.rows.last().map_or(head.seq, |row| row.seq.max(self.seen));
        Ok(())
    }

    fn take(&mut self, rows: &[Row], (last, status): (Seq, Status)) {
        for row in rows.iter().filter(|row| row.seq > self.seen) {
            let rests = if row.seq == last { engine::rests(row, status) } else { None };
            let told = [Some((0, engine::told(row))), rests.map(|kind| (1, kind))];
            let events = told.into_iter().flatten().map(|(more, kind)| (row.seq.saturating_mul(2).saturating_add(more), kind));
            for (id, kind) in events.filter(|(id, _)| *id > self.after) {
                self.events.push_back(self.event(row, id, kind));
            }
        }
    }

    fn event(&self, row: &Row, id: u64, kind: EventKind) -> Event {
        Event {
            v: Wire,
            id,
            run: row.row.run.unwrap_or_default(),
            turn: row.row.turn,
            thread: self.thread.id().ok().cloned(),
            step: row.row.ord,
            path: place(&row.row.path, &row.row.place),
            elapsed: Duration::ZERO,
            kind,
        }
    }
}

impl<G: Graph> Stream for Subscription<G> {
    type Item = Result<Event, RunError>;
    fn poll_next(mut self: Pin<&mut Self>, task: &mut Task<'_>) -> Poll<Option<Self::Item>> {
        self.poll_event(task)
    }
}

impl<G: Graph> Unpin for Subscription<G> {}

impl<G: Graph> fmt::Debug for Subscription<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Subscription").field("over", &(self.rests.is_none() && self.reads.is_none())).finish_non_exhaustive()
    }
}
