//! Places that run at the same time in one task: each has a waker of its own, so only those that were woken are polled.

use std::collections::VecDeque;
use std::future::Future as _;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context as Task, Poll, Wake, Waker};
use std::time::Duration;

use tokio::time::Sleep;

use crate::engine::run::drive::panic_text;
use crate::engine::run::watch::Beat;
use crate::graph::{Body, Came};

/// So many are polled before the task lets others run.
const POLLS: usize = 128;

/// A set of bodies, each with what is known of it.
pub(crate) struct Bodies<T> {
    slots: Vec<Slot<T>>,
    free: Vec<usize>,
    ready: Arc<Ready>,
}

struct Slot<T> {
    running: Option<Running<T>>,
    waker: Waker,
    wake: Arc<Token>,
}

struct Running<T> {
    body: Body,
    known: T,
    span: tracing::Span,
    limit: Option<Duration>,
    timer: Option<Pin<Box<Sleep>>>,
    beat: Option<Arc<Beat>>,
}

/// How a body ended.
pub(crate) enum Ended {
    Came(Came),
    Panicked(String),
    /// It took longer than this.
    TooLong(Duration),
}

/// Slots that were woken, and the task that looks at them.
#[derive(Default)]
struct Ready(Mutex<Woken>);

#[derive(Default)]
struct Woken {
    slots: VecDeque<usize>,
    task: Option<Waker>,
}

struct Token {
    slot: usize,
    /// Whether it stands among the woken.
    queued: AtomicBool,
    ready: Arc<Ready>,
}

impl Wake for Token {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        if !self.queued.swap(true, Ordering::AcqRel) {
            let task = self.ready.with(|woken| {
                woken.slots.push_back(self.slot);
                woken.task.take()
            });
            if let Some(task) = task {
                task.wake();
            }
        }
    }
}

impl Ready {
    fn with<T>(&self, change: impl FnOnce(&mut Woken) -> T) -> T {
        change(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl<T> Bodies<T> {
    pub(crate) fn new() -> Self {
        Self { slots: Vec::new(), free: Vec::new(), ready: Arc::default() }
    }

    /// How many run.
    pub(crate) fn len(&self) -> usize {
        self.slots.len() - self.free.len()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Begins to run one. It may be over at once.
    pub(crate) fn start(
        &mut self,
        body: Body,
        known: T,
        span: tracing::Span,
        limit: Option<Duration>,
        beat: Option<Arc<Beat>>,
    ) -> Option<(T, Ended)> {
        let slot = self.free.pop().unwrap_or_else(|| {
            let slot = self.slots.len();
            let wake = Arc::new(Token { slot, queued: AtomicBool::new(false), ready: Arc::clone(&self.ready) });
            self.slots.push(Slot { running: None, waker: Waker::from(Arc::clone(&wake)), wake });
            slot
        });
        if let Some(slot) = self.slots.get_mut(slot) {
            slot.running = Some(Running { body, known, span, limit, timer: None, beat });
        }
        self.poll_slot(slot)
    }

    /// Those that are over. Pending if none is.
    pub(crate) fn poll(&mut self, task: &mut Task<'_>) -> Poll<Vec<(T, Ended)>> {
        let mut over = Vec::new();
        let mut polls = 0;
        loop {
            let next = self.ready.with(|woken| {
                let next = woken.slots.pop_front();
                if next.is_none() && !woken.task.as_ref().is_some_and(|known| known.will_wake(task.waker())) {
                    woken.task = Some(task.waker().clone());
                }
                next
            });
            let Some(slot) = next else { break };
            over.extend(self.poll_slot(slot));
            polls += 1;
            if polls >= POLLS {
                task.waker().wake_by_ref();
                break;
            }
        }
        if over.is_empty() { Poll::Pending } else { Poll::Ready(over) }
    }

    fn poll_slot(&mut self, index: usize) -> Option<(T, Ended)> {
        let slot = self.slots.get_mut(index)?;
        slot.wake.queued.store(false, Ordering::Release);
        // Woken late: it is over, or another one has its slot and is polled once more than it asked for.
        let running = slot.running.as_mut()?;
        let mut task = Task::from_waker(&slot.waker);
        let ended = match catch_unwind(AssertUnwindSafe(|| running.poll(&mut task))) {
            Ok(Poll::Pending) => return None,
            Ok(Poll::Ready(ended)) => ended,
            Err(panic) => Ended::Panicked(panic_text(&*panic)),
        };
        let known = self.end(index)?;
        Some((known, ended))
    }

    fn end(&mut self, index: usize) -> Option<T> {
        let running = self.slots.get_mut(index)?.running.take()?;
        self.free.push(index);
        Some(running.known)
    }

    /// Drops those of which this is so, and gives what is known of them.
    pub(crate) fn drop_if(&mut self, mut is: impl FnMut(&T) -> bool) -> Vec<T> {
        let mut meant = |slot: &Slot<T>| slot.running.as_ref().is_some_and(|running| is(&running.known));
        let dropped: Vec<usize> = self.slots.iter().enumerate().filter(|(_, slot)| meant(slot)).map(|(index, _)| index).collect();
        dropped.into_iter().filter_map(|index| self.end(index)).collect()
    }

    /// What is known of those that run.
    pub(crate) fn known_mut(&mut self) -> impl Iterator<Item = &mut T> {
        self.slots.iter_mut().filter_map(|slot| slot.running.as_mut().map(|running| &mut running.known))
    }
}

/// Stands for a place until it is tried again.
pub(crate) async fn wait(time: Duration) -> Came {
    tokio::time::sleep(time).await;
    Came::Due
}

impl<T> Running<T> {
    fn poll(&mut self, task: &mut Task<'_>) -> Poll<Ended> {
        let _entered = self.span.enter();
        if let Poll::Ready(came) = self.body.as_mut().poll(task) {
            return Poll::Ready(Ended::Came(came));
        }
        let Some(limit) = self.limit else { return Poll::Pending };
        let timer = self.timer.get_or_insert_with(|| Box::pin(tokio::time::sleep(limit)));
        while timer.as_mut().poll(task).is_ready() {
            let Some(until) = self.beat.as_ref().and_then(|beat| beat.until(limit)) else { return Poll::Ready(Ended::TooLong(limit)) };
            timer.set(tokio::time::sleep_until(until));
        }
        Poll::Pending
    }
}
