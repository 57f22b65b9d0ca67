//! Who is alive: a lock file for each opened store, beside the database. The kernel frees the lock of a process that
//! dies in whatever way, and keeps that of one that is merely stopped.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs::{File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::clock::{IdGen, RandomIds};
use crate::id::WorkerId;
use crate::store::{Liveness, StoreError};

/// The workers of this process. A file system that gives locks to processes, and not to handles, would let us take our
/// own, and lose it by closing the second handle.
static OURS: Mutex<BTreeSet<WorkerId>> = Mutex::new(BTreeSet::new());

fn ours() -> MutexGuard<'static, BTreeSet<WorkerId>> {
    OURS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The lock by which this worker is alive.
#[derive(Debug)]
pub(super) struct Lock {
    worker: WorkerId,
    database: PathBuf,
    file: PathBuf,
    /// Held, never read.
    _held: File,
}

impl Lock {
    /// Takes a lock beside `database`, and clears away those of dead processes.
    pub(super) fn take(database: &Path) -> Result<Self, StoreError> {
        clear(database);
        // Somebody who clears may remove the file between its creation and its lock: then it is made again.
        for _ in 0..16 {
            let worker = WorkerId(RandomIds.fresh());
            let file = file(database, worker);
            let held = OpenOptions::new().write(true).create_new(true).open(&file).map_err(|error| refused(&file, &error))?;
            match held.try_lock() {
                Ok(()) if file.exists() => {
                    ours().insert(worker);
                    return Ok(Self { worker, database: database.to_owned(), file, _held: held });
                }
                Ok(()) | Err(TryLockError::WouldBlock) => {}
                Err(TryLockError::Error(error)) => return Err(refused(&file, &error)),
            }
        }
        Err(StoreError::Io("a lock file was removed again and again: is another program cleaning the directory?".to_owned()))
    }

    pub(super) fn worker(&self) -> WorkerId {
        self.worker
    }

    pub(super) fn database(&self) -> &Path {
        &self.database
    }

    pub(super) fn alive(&self, worker: WorkerId) -> Liveness {
        if ours().contains(&worker) {
            return Liveness::Alive;
        }
        probe(&file(&self.database, worker))
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // A file that stays is cleared away by the next that opens the store.
        let _ = std::fs::remove_file(&self.file);
        ours().remove(&self.worker);
    }
}

fn refused(file: &Path, error: &io::Error) -> StoreError {
    let what = format!("the lock file `{}`: {error}", file.display());
    match error.kind() {
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => StoreError::ReadOnly(what),
        io::ErrorKind::StorageFull => StoreError::Full,
        _ => StoreError::Io(what),
    }
}

fn file(database: &Path, worker: WorkerId) -> PathBuf {
    let mut name = OsString::from(database);
    name.push(format!(".{worker}.lock"));
    PathBuf::from(name)
}

/// A lock that can be shared is not held by its owner any more; several may look at once. Its file goes.
fn probe(file: &Path) -> Liveness {
    let opened = match File::open(file) {
        Ok(opened) => opened,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Liveness::Dead,
        Err(_) => return Liveness::Unknown,
    };
    match opened.try_lock_shared() {
        Ok(()) => {
            let _ = std::fs::remove_file(file);
            Liveness::Dead
        }
        Err(TryLockError::WouldBlock) => Liveness::Alive,
        Err(TryLockError::Error(_)) => Liveness::Unknown,
    }
}

/// Removes the lock files that dead processes left. What cannot be looked at stays.
fn clear(database: &Path) {
    let (Some(directory), Some(name)) = (database.parent(), database.file_name().and_then(|name| name.to_str())) else { return };
    for entry in std::fs::read_dir(directory).into_iter().flatten().flatten() {
        let file_name = entry.file_name();
        let worker = file_name.to_str().and_then(|file| file.strip_prefix(name)?.strip_prefix('.')?.strip_suffix(".lock")?.parse().ok());
        if worker.is_some_and(|worker| !ours().contains(&worker)) {
            probe(&entry.path());
        }
    }
}
