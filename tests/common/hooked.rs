//! A store with somebody standing before and behind each of its calls.

use std::fmt;
use std::future::Future;

use graphwright::store::{
    Append, AppendError, Appended, Checkpointer, Head, Listing, Liveness, Loaded, Page, Point, Query, QuestionRow, Seq, StoreError,
    ThreadKey, Uid,
};
use graphwright::{QuestionId, ScopeHash, Timestamp, WorkerId};

/// Who stands there.
pub trait Hooks: Clone + fmt::Debug + Send + Sync + 'static {
    /// Before a call: its number, or why it fails.
    fn enter(&self) -> impl Future<Output = Result<u64, StoreError>> + Send;

    /// Behind a call.
    fn leave(&self) -> impl Future<Output = ()> + Send;

    /// What becomes of the append with this number. Nobody stands behind it but whoever this calls.
    fn append<S: Checkpointer>(&self, inner: &S, call: u64, append: Append) -> impl Future<Output = Result<Appended, AppendError>> + Send;

    /// A head on its way out.
    fn show(&self, _: &mut Head) {}

    /// Whose store it is.
    fn worker(&self, inner: WorkerId) -> WorkerId {
        inner
    }

    /// Whether other workers live, if it knows better.
    fn alive(&self) -> Option<Liveness> {
        None
    }

    /// The time of the store, if it has one of its own.
    fn now(&self) -> Option<Timestamp> {
        None
    }
}

#[derive(Clone, Debug)]
pub struct Hooked<S, H> {
    pub inner: S,
    pub hooks: H,
}

impl<S: Checkpointer, H: Hooks> Hooked<S, H> {
    async fn leave<T>(&self, value: T) -> T {
        self.hooks.leave().await;
        value
    }
}

impl<S: Checkpointer, H: Hooks> Checkpointer for Hooked<S, H> {
    async fn load(&self, thread: &ThreadKey, at: Point) -> Result<Option<Loaded>, StoreError> {
        self.hooks.enter().await?;
        let mut loaded = self.inner.load(thread, at).await;
        if let Ok(Some(loaded)) = &mut loaded {
            self.hooks.show(&mut loaded.head);
        }
        self.leave(loaded).await
    }
    async fn append(&self, append: Append) -> Result<Appended, AppendError> {
        let call = self.hooks.enter().await?;
        self.hooks.append(&self.inner, call, append).await
    }
    async fn question(&self, scope: ScopeHash, uid: Uid, id: QuestionId) -> Result<Option<QuestionRow>, StoreError> {
        self.hooks.enter().await?;
        self.leave(self.inner.question(scope, uid, id).await).await
    }
    async fn list(&self, query: &Query, page: Page) -> Result<Listing, StoreError> {
        self.hooks.enter().await?;
        let mut listing = self.inner.list(query, page).await;
        if let Ok(listing) = &mut listing {
            listing.threads.iter_mut().for_each(|thread| self.hooks.show(&mut thread.head));
        }
        self.leave(listing).await
    }
    async fn delivered(&self, uid: Uid, question: QuestionId, generation: u32) -> Result<(), StoreError> {
        self.hooks.enter().await?;
        self.leave(self.inner.delivered(uid, question, generation).await).await
    }
    async fn delete(&self, thread: &ThreadKey) -> Result<bool, StoreError> {
        self.hooks.enter().await?;
        self.leave(self.inner.delete(thread).await).await
    }
    async fn prune(&self, thread: &ThreadKey, below: Seq) -> Result<u64, StoreError> {
        self.hooks.enter().await?;
        self.leave(self.inner.prune(thread, below).await).await
    }
    fn worker(&self) -> WorkerId {
        self.hooks.worker(self.inner.worker())
    }
    async fn alive(&self, worker: WorkerId) -> Result<Liveness, StoreError> {
        match self.hooks.alive() {
            Some(liveness) => Ok(liveness),
            None => self.inner.alive(worker).await,
        }
    }
    async fn now(&self) -> Result<Option<Timestamp>, StoreError> {
        match self.hooks.now() {
            Some(now) => Ok(Some(now)),
            None => self.inner.now().await,
        }
    }
}
