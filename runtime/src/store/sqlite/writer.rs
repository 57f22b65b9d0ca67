//! The one thread that writes: what is waiting is committed as one transaction, and answered after its commit.

use std::fmt;
use std::thread::JoinHandle;
use std::time::Duration;

use rusqlite::Connection;
use tokio::sync::{mpsc, oneshot};

use super::fault::{self, Fault, Told};
use super::open::Opener;
use super::worker::Lock;
use crate::store::StoreError;

/// The most tasks that wait; who comes then waits to be let in.
const QUEUE: usize = 256;
/// The most tasks of one transaction.
const GROUP: usize = 256;
/// A group with so many bytes takes no more in.
const GROUP_BYTES: usize = 8 << 20;

/// The door to the thread that writes. When it is dropped, the thread finishes what waits and ends.
pub(super) struct Writer {
    queue: mpsc::Sender<Box<dyn Task>>,
    waited: Duration,
}

impl fmt::Debug for Writer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Writer").finish_non_exhaustive()
    }
}

impl Writer {
    /// Opens the file, in the thread that will write it, and says so.
    pub(super) async fn start(mut opener: Opener) -> Result<(Self, JoinHandle<()>, Lock), StoreError> {
        let (queue, tasks) = mpsc::channel(QUEUE);
        let (ready, opened) = oneshot::channel();
        let waited = opener.wait();
        let thread = spawn("graphwright-writer", move || {
            let prepared = opener.prepare().and_then(|db| Ok((Lock::take(opener.path())?, db)));
            match prepared {
                Ok((lock, db)) => {
                    if ready.send(Ok(lock)).is_ok() {
                        Thread { opener, db: Some(db), tasks }.serve();
                    }
                }
                // Whoever opens may have gone away.
                Err(error) => drop(ready.send(Err(error))),
            }
        })?;
        let lock = opened.await.map_err(|_| StoreError::Closed)??;
        Ok((Self { queue, waited }, thread, lock))
    }

    /// Does `work` in a transaction, all of it or nothing, and gives what it gave once that is durable. `work` may be
    /// done again if its transaction was lost. Dropping the future does not stop it.
    pub(super) async fn write<T, E, W>(&self, bytes: usize, work: W) -> Result<T, E>
    where
        T: Send + 'static,
        E: Told,
        W: FnMut(&Connection) -> Result<T, Fault> + Send + 'static,
    {
        let (reply, answer) = oneshot::channel();
        let job = Job { work, done: None, reply, bytes, waited: self.waited };
        self.queue.send(Box::new(job)).await.map_err(|_| StoreError::Closed)?;
        answer.await.map_err(|_| E::lost())?
    }
}

pub(super) fn spawn(name: &str, body: impl FnOnce() + Send + 'static) -> Result<JoinHandle<()>, StoreError> {
    std::thread::Builder::new().name(name.to_owned()).spawn(body).map_err(|error| StoreError::Io(format!("no thread: {error}")))
}

/// Something to write.
trait Task: Send {
    fn bytes(&self) -> usize;
    /// Whether what was done is to be kept.
    fn run(&mut self, db: &Connection) -> bool;
    fn answer(self: Box<Self>, committed: Result<(), Lost>);
}

struct Job<T, E, W> {
    work: W,
    done: Option<Result<T, E>>,
    reply: oneshot::Sender<Result<T, E>>,
    bytes: usize,
    waited: Duration,
}

impl<T, E, W> Task for Job<T, E, W>
where
    T: Send,
    E: Told,
    W: FnMut(&Connection) -> Result<T, Fault> + Send,
{
    fn bytes(&self) -> usize {
        self.bytes
    }

    fn run(&mut self, db: &Connection) -> bool {
        let done = (self.work)(db).map_err(|fault| E::of(fault, self.waited));
        self.done.insert(done).is_ok()
    }

    fn answer(self: Box<Self>, committed: Result<(), Lost>) {
        let answer = match (self.done, committed) {
            // A refusal stands, whatever became of the others of its group.
            (Some(Err(refusal)), _) => Err(refusal),
            (_, Err(Lost::Before(error))) => Err(E::from(error)),
            (_, Err(Lost::Whole(error))) => Err(E::uncommitted(error)),
            (Some(done), Ok(())) => done,
            (None, Ok(())) => Err(E::lost()),
        };
        // Whoever asked may have gone away: it is written all the same.
        let _ = self.reply.send(answer);
    }
}

struct Thread {
    opener: Opener,
    /// None after a failed commit: a handle whose sync failed is not asked to sync again.
    db: Option<Connection>,
    tasks: mpsc::Receiver<Box<dyn Task>>,
}

/// Why a group was not committed.
#[derive(Clone)]
enum Lost {
    /// It was not begun.
    Before(StoreError),
    /// It was begun, and lost as a whole.
    Whole(StoreError),
}

impl Thread {
    fn serve(mut self) {
        while let Some(first) = self.tasks.blocking_recv() {
            let group = self.gather(first);
            self.commit(group);
        }
    }

    /// Everything that waits, so that it shares one sync.
    fn gather(&mut self, first: Box<dyn Task>) -> Vec<Box<dyn Task>> {
        let mut bytes = first.bytes();
        let mut group = vec![first];
        while group.len() < GROUP && bytes < GROUP_BYTES {
            let Ok(task) = self.tasks.try_recv() else { break };
            bytes += task.bytes();
            group.push(task);
        }
        group
    }

    fn commit(&mut self, mut group: Vec<Box<dyn Task>>) {
        match self.attempt(&mut group) {
            Ok(()) => group.into_iter().for_each(|task| task.answer(Ok(()))),
            Err(Lost::Before(error)) => group.into_iter().for_each(|task| task.answer(Err(Lost::Before(error.clone())))),
            // One that does not fit must not take the others with it: each by itself, over a new connection.
            Err(Lost::Whole(_)) => {
                for mut task in group {
                    let committed = self.attempt(std::slice::from_mut(&mut task));
                    // What the first attempt left in the log is not known, whatever stopped the second.
                    task.answer(committed.map_err(|(Lost::Before(error) | Lost::Whole(error))| Lost::Whole(error)));
                }
            }
        }
    }

    fn attempt(&mut self, group: &mut [Box<dyn Task>]) -> Result<(), Lost> {
        let waited = self.opener.wait();
        let db = match self.db.take() {
            Some(db) => db,
            None => self.opener.write().map_err(Lost::Before)?,
        };
        if let Err(error) = statement(&db, "BEGIN IMMEDIATE") {
            let error = fault::sql(&error, waited);
            self.db = matches!(error, StoreError::Busy { .. }).then_some(db);
            return Err(Lost::Before(error));
        }
        let done = match group {
            // No savepoint, which would copy every page that is written.
            [alone] => statement(&db, if alone.run(&db) { "COMMIT" } else { "ROLLBACK" }),
            several => several.iter_mut().try_for_each(|task| in_savepoint(&db, task.as_mut())).and_then(|()| statement(&db, "COMMIT")),
        };
        done.map_err(|error| Lost::Whole(fault::sql(&error, waited)))?;
        self.db = Some(db);
        Ok(())
    }
}

/// Fails if the whole transaction is lost.
fn in_savepoint(db: &Connection, task: &mut dyn Task) -> rusqlite::Result<()> {
    statement(db, "SAVEPOINT task")?;
    // Where SQLite gave up the transaction, there is no savepoint to roll back to either, and that fails.
    if !task.run(db) {
        statement(db, "ROLLBACK TO task")?;
    }
    statement(db, "RELEASE task")
}

fn statement(db: &Connection, sql: &str) -> rusqlite::Result<()> {
    db.prepare_cached(sql)?.execute([]).map(drop)
}
