//! The threads that read: each call is one transaction, so what it sees belongs together.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use rusqlite::Connection;
use tokio::sync::{mpsc, oneshot};

use super::fault::{Fault, Told};
use super::open::Opener;
use super::writer::spawn;
use crate::store::StoreError;

/// So that one large read does not hold up the small ones.
const THREADS: usize = 2;
/// The most reads that wait; who comes then waits to be let in.
const QUEUE: usize = 256;

type Read = Box<dyn FnOnce(&mut Connection) + Send>;

/// The door to the threads that read. When it is dropped, they finish what waits and end.
pub(super) struct Reader {
    queue: mpsc::Sender<Read>,
    waited: Duration,
}

impl fmt::Debug for Reader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reader").finish_non_exhaustive()
    }
}

impl Reader {
    pub(super) async fn start(opener: &Opener) -> Result<(Self, Vec<JoinHandle<()>>), StoreError> {
        let (queue, reads) = mpsc::channel(QUEUE);
        let reads = Arc::new(Mutex::new(reads));
        let mut threads = Vec::with_capacity(THREADS);
        for _ in 0..THREADS {
            let (ready, opened) = oneshot::channel();
            let (opener, reads) = (opener.clone(), Arc::clone(&reads));
            threads.push(spawn("graphwright-reader", move || match opener.read() {
                Ok(db) => {
                    if ready.send(Ok(())).is_ok() {
                        serve(db, &reads);
                    }
                }
                // Whoever opens may have gone away.
                Err(error) => drop(ready.send(Err(error))),
            })?);
            opened.await.map_err(|_| StoreError::Closed)??;
        }
        Ok((Self { queue, waited: opener.wait() }, threads))
    }

    /// Does `work` in one read transaction.
    pub(super) async fn read<T, W>(&self, work: W) -> Result<T, StoreError>
    where
        T: Send + 'static,
        W: FnOnce(&Connection) -> Result<T, Fault> + Send + 'static,
    {
        let (reply, answer) = oneshot::channel();
        let waited = self.waited;
        let read: Read = Box::new(move |db| {
            if reply.is_closed() {
                return;
            }
            let found = db.transaction().map_err(Fault::Sql).and_then(|transaction| work(&transaction));
            // Whoever asked may have gone away.
            let _ = reply.send(found.map_err(|fault| StoreError::of(fault, waited)));
        });
        self.queue.send(read).await.map_err(|_| StoreError::Closed)?;
        answer.await.map_err(|_| StoreError::Closed)?
    }
}

fn serve(mut db: Connection, reads: &Mutex<mpsc::Receiver<Read>>) {
    loop {
        // One thread waits for the next read, the others for the lock.
        let read = reads.lock().unwrap_or_else(PoisonError::into_inner).blocking_recv();
        let Some(read) = read else { return };
        read(&mut db);
    }
}
