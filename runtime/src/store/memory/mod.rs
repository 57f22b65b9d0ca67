//! Threads in memory.

mod life;
mod list;

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::sync::Arc;

use super::limits::{MAX_BYTES, TOMBSTONE, check};
use super::{
    Append, AppendError, AppendTarget, Appended, By, Checkpointer, Listing, Liveness, Loaded, Page, Point, Query, QuestionRow, Seq,
    StoreError, ThreadKey, Uid,
};
use crate::clock::{Clock, IdGen, RandomIds, SystemClock, Timestamp};
use crate::id::{QuestionId, ScopeHash, ThreadId, WorkerId};
use crate::sync::{Mutex, MutexGuard, PoisonError};
use life::Life;

/// Threads in this process's memory: for tests, and for agents that may forget.
///
/// Clones share the threads; they are gone with the last clone. A new process knows nothing of them, so a pause that has
/// to outlive a process wants another store. Every call is done at its first poll.
///
/// ```
/// # let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
/// # runtime.block_on(async {
/// use graphwright::store::{By, Checkpointer, Memory, Point, ThreadKey};
/// use graphwright::{Scope, ThreadId};
///
/// let store = Memory::new();
/// let thread = ThreadKey { scope: Scope::root().hash(), by: By::Name(ThreadId::new("ticket-42").unwrap()) };
/// assert!(store.load(&thread, Point::Head).await.unwrap().is_none());
/// # });
/// ```
#[derive(Clone, Debug)]
pub struct Memory(Arc<Shared>);

struct Shared {
    worker: WorkerId,
    threads: Mutex<Threads>,
}

impl std::fmt::Debug for Shared {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Shared").field("worker", &self.worker).finish_non_exhaustive()
    }
}

/// Everything there is, under one lock that is never held over an await.
#[derive(Default)]
struct Threads {
    last_uid: Uid,
    names: HashMap<(ScopeHash, ThreadId), Named>,
    lives: BTreeMap<Uid, Life>,
    /// The names of tombstones, oldest first.
    buried: VecDeque<(Timestamp, Uid, (ScopeHash, ThreadId))>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Named {
    Living(Uid),
    Tombstone(Uid),
}

impl Memory {
    /// An empty store.
    #[must_use]
    pub fn new() -> Self {
        Self(Arc::new(Shared { worker: WorkerId(RandomIds.fresh()), threads: Mutex::default() }))
    }

    fn lock(&self) -> MutexGuard<'_, Threads> {
        self.0.threads.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Default for Memory {
    fn default() -> Self {
        Self::new()
    }
}

impl Threads {
    fn find(&self, key: &ThreadKey) -> Option<(Uid, &Life)> {
        let uid = match &key.by {
            By::Uid(uid) => *uid,
            By::At(uid, seq) => return self.life(key.scope, *uid).filter(|life| life.seq == *seq).map(|life| (*uid, life)),
            By::Name(name) => match self.names.get(&(key.scope, name.clone()))? {
                Named::Living(uid) => *uid,
                Named::Tombstone(_) => return None,
            },
        };
        Some((uid, self.life(key.scope, uid)?))
    }

    fn life(&self, scope: ScopeHash, uid: Uid) -> Option<&Life> {
        self.lives.get(&uid).filter(|life| life.scope == scope)
    }

    /// Takes the rows out of what it appends.
    fn append(&mut self, append: &mut Append) -> Result<Appended, AppendError> {
        match &append.target {
            AppendTarget::New { scope, name, over } => {
                let key = (scope.hash(), name.clone());
                match (self.names.get(&key), over) {
                    (Some(Named::Living(uid)), _) => {
                        let written = self.lives.get(uid).and_then(|life| life.written(append.commit, 0));
                        return written.map(|seq| Appended { uid: *uid, seq }).ok_or(AppendError::Exists);
                    }
                    (Some(Named::Tombstone(uid)), over) if *over != Some(*uid) => return Err(AppendError::Deleted(*uid)),
                    (None, Some(_)) => return Err(AppendError::Conflict),
                    (Some(Named::Tombstone(_)), _) | (None, None) => {}
                }
                let uid = self.last_uid + 1;
                let mut life = Life::new(key.0, name.clone(), append.head.clone());
                let seq = life.append(uid, append)?;
                self.last_uid = uid;
                self.lives.insert(uid, life);
                self.names.insert(key, Named::Living(uid));
                Ok(Appended { uid, seq })
            }
            AppendTarget::At { scope, uid, seq } => {
                let (uid, seq) = (*uid, *seq);
                let life = self.lives.get_mut(&uid).filter(|life| life.scope == *scope).ok_or(AppendError::Gone)?;
                let seq = if life.seq == seq {
                    life.append(uid, append)?
                } else {
                    life.written(append.commit, seq).ok_or(AppendError::Conflict)?
                };
                Ok(Appended { uid, seq })
            }
        }
    }

    fn delete(&mut self, thread: &ThreadKey, now: Timestamp) -> bool {
        while let Some((at, uid, key)) = self.buried.front()
            && now.since(*at) > TOMBSTONE
        {
            if self.names.get(key) == Some(&Named::Tombstone(*uid)) {
                self.names.remove(key);
            }
            self.buried.pop_front();
        }
        let Some((uid, life)) = self.find(thread) else { return false };
        let key = (life.scope, life.name.clone());
        self.lives.remove(&uid);
        self.names.insert(key.clone(), Named::Tombstone(uid));
        self.buried.push_back((now, uid, key));
        true
    }
}

impl Checkpointer for Memory {
    async fn load(&self, thread: &ThreadKey, at: Point) -> Result<Option<Loaded>, StoreError> {
        Ok(self.lock().find(thread).map(|(uid, life)| life.load(uid, at)))
    }

    async fn append(&self, mut append: Append) -> Result<Appended, AppendError> {
        check(&append, MAX_BYTES)?;
        self.lock().append(&mut append)
    }

    async fn question(&self, scope: ScopeHash, uid: Uid, id: QuestionId) -> Result<Option<QuestionRow>, StoreError> {
        Ok(self.lock().life(scope, uid).and_then(|life| life.question(id)))
    }

    async fn list(&self, query: &Query, page: Page) -> Result<Listing, StoreError> {
        self.lock().list(query, &page)
    }

    async fn delivered(&self, uid: Uid, question: QuestionId, generation: u32) -> Result<(), StoreError> {
        if let Some(life) = self.lock().lives.get_mut(&uid) {
            life.delivered(question, generation);
        }
        Ok(())
    }

    async fn delete(&self, thread: &ThreadKey) -> Result<bool, StoreError> {
        Ok(self.lock().delete(thread, SystemClock.now()))
    }

    async fn prune(&self, thread: &ThreadKey, below: Seq) -> Result<u64, StoreError> {
        let mut threads = self.lock();
        let uid = threads.find(thread).map(|(uid, _)| uid);
        Ok(uid.and_then(|uid| threads.lives.get_mut(&uid)).map_or(0, |life| life.prune(below, SystemClock.now())))
    }

    fn worker(&self) -> WorkerId {
        self.0.worker
    }

    async fn alive(&self, worker: WorkerId) -> Result<Liveness, StoreError> {
        Ok(if worker == self.0.worker { Liveness::Alive } else { Liveness::Dead })
    }

    async fn now(&self) -> Result<Option<Timestamp>, StoreError> {
        Ok(None)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;
    use crate::id::{CommitId, Scope, TurnId};
    use crate::store::{GraphRef, Head, NewRow, RowKind, Status};

    fn create(name: &ThreadId) -> Append {
        let graph = GraphRef { name: String::new(), version: 1, fingerprint: [0; 32] };
        let turn = TurnId::default();
        let at = Timestamp(0);
        let row = NewRow { kind: RowKind::Input, turn, run: None, path: String::new(), ord: 0, place: String::new(), at, body: vec![1] };
        Append {
            target: AppendTarget::New { scope: Scope::root(), name: name.clone(), over: None },
            commit: CommitId(RandomIds.fresh()),
            rows: vec![row],
            head: Head { status: Status::Idle, run: None, worker: None, turn, graph, at },
            opens: vec![],
            shuts: vec![],
            snapshot: None,
            request: None,
        }
    }

    #[test]
    fn a_tombstone_is_dropped_after_an_hour() {
        let name = ThreadId::new("t").unwrap();
        let by = |name: &ThreadId| ThreadKey { scope: Scope::root().hash(), by: By::Name(name.clone()) };
        let nobody = by(&ThreadId::new("nobody").unwrap());
        let mut threads = Threads::default();
        let begun = threads.append(&mut create(&name)).unwrap();
        let at = Timestamp(7);
        assert!(threads.delete(&by(&name), at));
        assert!(!threads.delete(&nobody, at.after(TOMBSTONE)));
        assert_eq!(threads.append(&mut create(&name)), Err(AppendError::Deleted(begun.uid)));
        assert!(!threads.delete(&nobody, at.after(TOMBSTONE).after(std::time::Duration::from_secs(1))));
        assert_eq!(threads.append(&mut create(&name)).map(|again| again.uid), Ok(begun.uid + 1));
        assert!(threads.buried.is_empty());
    }
}
