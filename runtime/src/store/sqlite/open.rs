//! Opening: what a file must be, and what a connection is set to.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rusqlite::{Connection, OpenFlags, TransactionBehavior};

use super::Options;
use super::fault;
use super::schema::{APPLICATION_ID, MIGRATIONS};
use crate::store::StoreError;

/// Before it, two processes that reset the log at once could damage the file.
const OLDEST_SQLITE: i32 = 3_051_003;
/// The log is cut back to so many bytes once it was worked into the file.
const LOG_BYTES: i64 = 64 << 20;

/// Opens connections to one file.
#[derive(Clone, Debug)]
pub(super) struct Opener {
    path: PathBuf,
    options: Options,
}

impl Opener {
    pub(super) fn new(path: PathBuf, options: Options) -> Self {
        Self { path, options }
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    pub(super) fn wait(&self) -> Duration {
        self.options.wait()
    }

    /// Looks at what is at the path, makes a store of it if it is empty, and brings an older one up to date.
    pub(super) fn prepare(&mut self) -> Result<Connection, StoreError> {
        check_version(rusqlite::version_number()).map_err(|what| self.refuse(what))?;
        self.path = self.resolve()?;
        create_private(&self.path);
        let mut db = self.connect()?;
        if db.is_readonly("main").map_err(|error| self.told(&error))? {
            return Err(StoreError::ReadOnly(format!("`{}` cannot be written to", self.path.display())));
        }
        // Looked at before anything of somebody else's file is changed.
        self.version(&db)?;
        self.configure(&db)?;
        self.migrate(&mut db)?;
        Ok(db)
    }

    /// A connection that writes, to a file that was prepared.
    pub(super) fn write(&self) -> Result<Connection, StoreError> {
        let db = self.connect()?;
        self.configure(&db)?;
        Ok(db)
    }

    /// A connection that reads, to a file that was prepared.
    pub(super) fn read(&self) -> Result<Connection, StoreError> {
        let db = self.write()?;
        db.pragma_update(None, "query_only", true).map_err(|error| self.told(&error))?;
        Ok(db)
    }

    /// The path as every process spells it, so that all find the same lock files.
    fn resolve(&self) -> Result<PathBuf, StoreError> {
        if self.path.as_os_str() == ":memory:" {
            return Err(self.refuse("a database in memory forgets with the process: use `Memory::new()`, or give a path".to_owned()));
        }
        if self.path.is_dir() {
            return Err(self.refuse("it is a directory: name a file in it".to_owned()));
        }
        if let Ok(path) = self.path.canonicalize() {
            return Ok(path);
        }
        let name = self.path.file_name().ok_or_else(|| self.refuse("it names no file".to_owned()))?;
        let parent = self.path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let parent = parent.canonicalize().map_err(|error| self.refuse(format!("its directory cannot be used: {error}")))?;
        Ok(parent.join(name))
    }

    fn connect(&self) -> Result<Connection, StoreError> {
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let db = Connection::open_with_flags(&self.path, flags).map_err(|error| self.told(&error))?;
        db.busy_timeout(self.wait()).map_err(|error| self.told(&error))?;
        db.set_prepared_statement_cache_capacity(64);
        Ok(db)
    }

    fn configure(&self, db: &Connection) -> Result<(), StoreError> {
        let mode = self.journal_mode(db)?;
        if mode != "wal" {
            return Err(self.refuse(format!("its journal cannot be a write-ahead log (it is `{mode}`): is this a network file system?")));
        }
        let set = |pragma, value| db.pragma_update(None, pragma, value).map_err(|error| self.told(&error));
        set("synchronous", self.options.synchronous())?;
        set("foreign_keys", 1)?;
        set("trusted_schema", 0)?;
        set("journal_size_limit", LOG_BYTES)?;
        for (pragma, value) in [("synchronous", self.options.synchronous()), ("foreign_keys", 1)] {
            if self.pragma(db, pragma)? != value {
                return Err(self.refuse(format!("SQLite did not take `{pragma} = {value}`")));
            }
        }
        if let Some(bytes) = self.options.largest_file() {
            let page = u64::try_from(self.pragma(db, "page_size")?).unwrap_or(1).max(1);
            set("max_page_count", i64::try_from(bytes / page).unwrap_or(i64::MAX).clamp(1, i64::from(u32::MAX - 1)))?;
        }
        Ok(())
    }

    /// Sets the log. SQLite does not always wait for another process that does the same, so it is waited for here.
    fn journal_mode(&self, db: &Connection) -> Result<String, StoreError> {
        let begun = Instant::now();
        loop {
            match db.pragma_update_and_check(None, "journal_mode", "wal", |row| row.get::<_, String>(0)) {
                Ok(mode) => return Ok(mode),
                Err(error) => match self.told(&error) {
                    StoreError::Busy { .. } if begun.elapsed() < self.wait() => std::thread::sleep(Duration::from_millis(5)),
                    other => return Err(other),
                },
            }
        }
    }

    /// The format of the file; zero if it is empty.
    fn version(&self, db: &Connection) -> Result<usize, StoreError> {
        // Before the id, which whoever makes a store of the file at this moment writes together with the tables.
        let tables: i64 = db.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0)).map_err(|error| self.told(&error))?;
        let id = self.pragma(db, "application_id")?;
        if id != APPLICATION_ID {
            if id != 0 || tables != 0 {
                return Err(self.refuse(format!("it is a database of another program (application id {id:#x}): give a path of its own")));
            }
            return Ok(0);
        }
        let found = self.pragma(db, "user_version")?;
        let known = MIGRATIONS.len();
        match usize::try_from(found) {
            Ok(version) if (1..=known).contains(&version) => Ok(version),
            Ok(_) if found > 0 => Err(StoreError::Version {
                found: u32::try_from(found).unwrap_or(u32::MAX),
                known: u32::try_from(known).unwrap_or(u32::MAX),
            }),
            _ => Err(StoreError::Damaged(format!("`{}` says it has format {found}", self.path.display()))),
        }
    }

    /// All steps in one transaction. Another process may have been faster: what counts is what is there by then.
    fn migrate(&self, db: &mut Connection) -> Result<(), StoreError> {
        let told = |error: rusqlite::Error| self.told(&error);
        let transaction = db.transaction_with_behavior(TransactionBehavior::Immediate).map_err(told)?;
        for step in MIGRATIONS.iter().skip(self.version(&transaction)?) {
            transaction.execute_batch(step).map_err(told)?;
        }
        transaction.pragma_update(None, "application_id", APPLICATION_ID).map_err(told)?;
        transaction.pragma_update(None, "user_version", i64::try_from(MIGRATIONS.len()).unwrap_or(i64::MAX)).map_err(told)?;
        transaction.commit().map_err(told)
    }

    fn pragma(&self, db: &Connection, name: &str) -> Result<i64, StoreError> {
        db.pragma_query_value(None, name, |row| row.get(0)).map_err(|error| self.told(&error))
    }

    fn refuse(&self, what: String) -> StoreError {
        StoreError::Open { path: self.path.clone(), what }
    }

    fn told(&self, error: &rusqlite::Error) -> StoreError {
        match error.sqlite_error_code() {
            Some(rusqlite::ErrorCode::NotADatabase) => self.refuse("it is not an SQLite database: give a path of its own".to_owned()),
            Some(rusqlite::ErrorCode::CannotOpen) => self.refuse(error.to_string()),
            _ => fault::sql(error, self.wait()),
        }
    }
}

/// Conversations are nobody else's: a new file is its owner's alone, and SQLite gives the log beside it the same mode.
/// What stands in the way is told by SQLite.
fn create_private(path: &Path) {
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    drop(options.open(path));
}

pub(super) fn check_version(number: i32) -> Result<(), String> {
    if number >= OLDEST_SQLITE {
        return Ok(());
    }
    let (major, minor, patch) = (number / 1_000_000, number / 1_000 % 1_000, number % 1_000);
    Err(format!("SQLite {major}.{minor}.{patch} can damage a file that two processes write: link 3.51.3 or newer"))
}
