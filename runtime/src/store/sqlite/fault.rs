//! What went wrong inside SQLite, told in the store's words.

use std::time::Duration;

use rusqlite::ErrorCode;

use crate::store::{AppendError, StoreError};

/// Why work on a connection did not succeed.
#[derive(Debug)]
pub(super) enum Fault {
    Sql(rusqlite::Error),
    Refused(AppendError),
}

impl From<rusqlite::Error> for Fault {
    fn from(error: rusqlite::Error) -> Self {
        Self::Sql(error)
    }
}

impl From<AppendError> for Fault {
    fn from(error: AppendError) -> Self {
        Self::Refused(error)
    }
}

impl From<StoreError> for Fault {
    fn from(error: StoreError) -> Self {
        Self::Refused(AppendError::Store(error))
    }
}

/// The errors that a caller is told.
pub(super) trait Told: From<StoreError> + Send + 'static {
    /// `waited` is how long another process was waited for, if it was.
    fn of(fault: Fault, waited: Duration) -> Self;

    /// The commit failed.
    fn uncommitted(error: StoreError) -> Self {
        Self::from(error)
    }

    /// The writer is gone, and with it the reply.
    fn lost() -> Self {
        Self::from(StoreError::Closed)
    }
}

impl Told for StoreError {
    fn of(fault: Fault, waited: Duration) -> Self {
        match fault {
            Fault::Sql(error) => sql(&error, waited),
            Fault::Refused(AppendError::Store(error)) => error,
            Fault::Refused(other) => Self::Io(other.to_string()),
        }
    }
}

impl Told for AppendError {
    fn of(fault: Fault, waited: Duration) -> Self {
        match fault {
            Fault::Sql(error) => Self::Store(sql(&error, waited)),
            Fault::Refused(error) => error,
        }
    }

    /// A log whose sync failed may still be found whole after a crash: only sending it again tells.
    fn uncommitted(error: StoreError) -> Self {
        match error {
            StoreError::Io(_) => Self::Unknown,
            other => Self::Store(other),
        }
    }

    fn lost() -> Self {
        Self::Unknown
    }
}

/// SQLite's messages name tables and columns, never what is in them.
pub(super) fn sql(error: &rusqlite::Error, waited: Duration) -> StoreError {
    let text = || error.to_string();
    match error {
        rusqlite::Error::SqliteFailure(failure, _) => match failure.code {
            ErrorCode::DiskFull => StoreError::Full,
            ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked => StoreError::Busy { waited },
            ErrorCode::ReadOnly | ErrorCode::PermissionDenied => StoreError::ReadOnly(text()),
            ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase => StoreError::Damaged(text()),
            _ => StoreError::Io(text()),
        },
        rusqlite::Error::FromSqlConversionFailure(..)
        | rusqlite::Error::IntegralValueOutOfRange(..)
        | rusqlite::Error::Utf8Error(..)
        | rusqlite::Error::InvalidColumnType(..) => StoreError::Damaged(text()),
        _ => StoreError::Io(text()),
    }
}

/// Whether a value that must be there once was there already, or what it belongs to was not.
pub(super) fn is_constraint(error: &rusqlite::Error) -> bool {
    error.sqlite_error_code() == Some(ErrorCode::ConstraintViolation)
}
