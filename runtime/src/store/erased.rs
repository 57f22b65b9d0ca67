//! The same contract behind a pointer, so that an app names only its graph.

use std::fmt;
use std::future::Future;
use std::pin::Pin;

use super::{
    Append, AppendError, Appended, Checkpointer, Listing, Liveness, Loaded, Page, Point, Query, QuestionRow, Seq, StoreError, ThreadKey,
    Uid,
};
use crate::clock::Timestamp;
use crate::id::{QuestionId, ScopeHash, WorkerId};

type Boxed<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// [`Checkpointer`] as an object.
pub(crate) trait ErasedStore: Send + Sync + fmt::Debug + 'static {
    fn load<'a>(&'a self, thread: &'a ThreadKey, at: Point) -> Boxed<'a, Result<Option<Loaded>, StoreError>>;
    fn append(&self, append: Append) -> Boxed<'_, Result<Appended, AppendError>>;
    fn question(&self, scope: ScopeHash, uid: Uid, id: QuestionId) -> Boxed<'_, Result<Option<QuestionRow>, StoreError>>;
    fn list<'a>(&'a self, query: &'a Query, page: Page) -> Boxed<'a, Result<Listing, StoreError>>;
    fn delivered(&self, uid: Uid, question: QuestionId, generation: u32) -> Boxed<'_, Result<(), StoreError>>;
    fn delete<'a>(&'a self, thread: &'a ThreadKey) -> Boxed<'a, Result<bool, StoreError>>;
    fn prune<'a>(&'a self, thread: &'a ThreadKey, below: Seq) -> Boxed<'a, Result<u64, StoreError>>;
    fn worker(&self) -> WorkerId;
    fn alive(&self, worker: WorkerId) -> Boxed<'_, Result<Liveness, StoreError>>;
    fn now(&self) -> Boxed<'_, Result<Option<Timestamp>, StoreError>>;
}

impl<C: Checkpointer> ErasedStore for C {
    fn load<'a>(&'a self, thread: &'a ThreadKey, at: Point) -> Boxed<'a, Result<Option<Loaded>, StoreError>> {
        Box::pin(Checkpointer::load(self, thread, at))
    }
    fn append(&self, append: Append) -> Boxed<'_, Result<Appended, AppendError>> {
        Box::pin(Checkpointer::append(self, append))
    }
    fn question(&self, scope: ScopeHash, uid: Uid, id: QuestionId) -> Boxed<'_, Result<Option<QuestionRow>, StoreError>> {
        Box::pin(Checkpointer::question(self, scope, uid, id))
    }
    fn list<'a>(&'a self, query: &'a Query, page: Page) -> Boxed<'a, Result<Listing, StoreError>> {
        Box::pin(Checkpointer::list(self, query, page))
    }
    fn delivered(&self, uid: Uid, question: QuestionId, generation: u32) -> Boxed<'_, Result<(), StoreError>> {
        Box::pin(Checkpointer::delivered(self, uid, question, generation))
    }
    fn delete<'a>(&'a self, thread: &'a ThreadKey) -> Boxed<'a, Result<bool, StoreError>> {
        Box::pin(Checkpointer::delete(self, thread))
    }
    fn prune<'a>(&'a self, thread: &'a ThreadKey, below: Seq) -> Boxed<'a, Result<u64, StoreError>> {
        Box::pin(Checkpointer::prune(self, thread, below))
    }
    fn worker(&self) -> WorkerId {
        Checkpointer::worker(self)
    }
    fn alive(&self, worker: WorkerId) -> Boxed<'_, Result<Liveness, StoreError>> {
        Box::pin(Checkpointer::alive(self, worker))
    }
    fn now(&self) -> Boxed<'_, Result<Option<Timestamp>, StoreError>> {
        Box::pin(Checkpointer::now(self))
    }
}
