//! Threads in an SQLite file.
//!
//! One writer thread owns the connection that writes; it commits what is waiting as one group and replies after the
//! commit, so many threads share one `fsync`. Two reader threads read in transactions of their own. Nothing here needs
//! an async runtime: calls wait on channels, whoever polls them.

mod append;
mod codec;
mod fault;
mod list;
mod load;
mod open;
mod options;
mod reader;
mod retain;
mod schema;
#[cfg(test)]
mod tests;
mod worker;
mod writer;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread::JoinHandle;

use super::limits::check;
use super::{
    Append, AppendError, Appended, Checkpointer, Listing, Liveness, Loaded, Page, Point, Query, QuestionRow, Seq, StoreError, ThreadKey,
    Uid,
};
use crate::clock::{Clock, SystemClock, Timestamp};
use crate::id::{QuestionId, ScopeHash, WorkerId};
use open::Opener;
pub use options::{Options, WalSync};
use reader::Reader;
use worker::Lock;
use writer::Writer;

/// Threads in an SQLite file: durable over crashes of the process and of the machine.
///
/// The file is in WAL mode with `synchronous=FULL`: what was acknowledged is on the disk. Any number of processes may
/// open it at once; beside it lies a lock file for each of them, which tells the others that it is alive. Not for
/// network file systems. A new file is readable by its owner only.
///
/// Clones share one store. Dropping the last one finishes what was begun and joins the store's threads, which takes as
/// long as the commits under way.
///
/// ```no_run
/// # async fn open() -> Result<(), graphwright::store::StoreError> {
/// use graphwright::store::Sqlite;
/// let store = Sqlite::open("support.db").await?;
/// # Ok(()) }
/// ```
#[derive(Clone, Debug)]
pub struct Sqlite(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    path: PathBuf,
    options: Options,
    lock: Lock,
    writer: Option<Writer>,
    reader: Option<Reader>,
    threads: Vec<JoinHandle<()>>,
}

impl Sqlite {
    /// Opens or creates the store at `path`, in a directory that exists.
    ///
    /// # Errors
    /// See [`open_with`](Self::open_with).
    pub async fn open(path: impl AsRef<Path>) -> Result<Self, StoreError> {
        Self::open_with(path, Options::new()).await
    }

    /// Opens or creates the store at `path`, with other options than the usual.
    ///
    /// # Errors
    /// [`StoreError::Open`] if there is no such directory, or something else than a store; [`StoreError::Version`] if a
    /// newer version of this crate wrote it; [`StoreError::ReadOnly`], [`StoreError::Busy`], [`StoreError::Full`] and
    /// [`StoreError::Io`] as they say.
    pub async fn open_with(path: impl AsRef<Path>, options: Options) -> Result<Self, StoreError> {
        let opener = Opener::new(path.as_ref().to_owned(), options.clone());
        let (writer, thread, lock) = Writer::start(opener).await?;
        let opener = Opener::new(lock.database().to_owned(), options.clone());
        let mut shared =
            Shared { path: lock.database().to_owned(), options, lock, writer: Some(writer), reader: None, threads: vec![thread] };
        let (reader, threads) = Reader::start(&opener).await?;
        shared.reader = Some(reader);
        shared.threads.extend(threads);
        Ok(Self(Arc::new(shared)))
    }

    /// Where the file is.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.0.path
    }

    fn writer(&self) -> Result<&Writer, StoreError> {
        self.0.writer.as_ref().ok_or(StoreError::Closed)
    }

    fn reader(&self) -> Result<&Reader, StoreError> {
        self.0.reader.as_ref().ok_or(StoreError::Closed)
    }
}

impl Drop for Shared {
    fn drop(&mut self) {
        // Closes the queues: the threads finish what is in them.
        self.writer = None;
        self.reader = None;
        for thread in self.threads.drain(..) {
            // A thread that panicked has nothing more to finish.
            let _ = thread.join();
        }
    }
}

impl Checkpointer for Sqlite {
    async fn load(&self, thread: &ThreadKey, at: Point) -> Result<Option<Loaded>, StoreError> {
        let thread = thread.clone();
        self.reader()?.read(move |db| load::load(db, &thread, at)).await
    }

    async fn append(&self, append: Append) -> Result<Appended, AppendError> {
        check(&append, self.0.options.largest_body())?;
        let bytes = append.rows.iter().map(|row| row.body.len()).sum::<usize>() + append.snapshot.as_ref().map_or(0, Vec::len);
        self.writer()?.write(bytes, move |db| append::append(db, &append)).await
    }

    async fn question(&self, scope: ScopeHash, uid: Uid, id: QuestionId) -> Result<Option<QuestionRow>, StoreError> {
        self.reader()?.read(move |db| load::question(db, scope, uid, id)).await
    }

    async fn list(&self, query: &Query, page: Page) -> Result<Listing, StoreError> {
        let query = query.clone();
        self.reader()?.read(move |db| list::list(db, &query, &page)).await
    }

    async fn delivered(&self, uid: Uid, question: QuestionId, generation: u32) -> Result<(), StoreError> {
        self.writer()?.write(0, move |db| retain::delivered(db, uid, question, generation)).await
    }

    async fn delete(&self, thread: &ThreadKey) -> Result<bool, StoreError> {
        let thread = thread.clone();
        self.writer()?.write(0, move |db| retain::delete(db, &thread, SystemClock.now())).await
    }

    async fn prune(&self, thread: &ThreadKey, below: Seq) -> Result<u64, StoreError> {
        let thread = thread.clone();
        self.writer()?.write(0, move |db| retain::prune(db, &thread, below, SystemClock.now())).await
    }

    fn worker(&self) -> WorkerId {
        self.0.lock.worker()
    }

    async fn alive(&self, worker: WorkerId) -> Result<Liveness, StoreError> {
        Ok(self.0.lock.alive(worker))
    }

    async fn now(&self) -> Result<Option<Timestamp>, StoreError> {
        Ok(None)
    }
}
