//! Between rows of tables and the types of the contract: every number checked, every body under a checksum.

use crc32fast::Hasher;
use rusqlite::types::{FromSql, FromSqlError, FromSqlResult, ToSql, ToSqlOutput, ValueRef};

use crate::clock::Timestamp;
use crate::id::{CommitId, QuestionId, RunId, ScopeHash, ThreadId, TurnId, WorkerId};
use crate::store::{GraphRef, NewQuestion, NewRow, QuestionState, RowKind, Status};

/// The status of a tombstone, which no head has.
pub(super) const DELETED: i64 = 4;

macro_rules! as_bytes {
    ($($id:ident)*) => { $(
        impl ToSql for $id {
            fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
                self.0.to_sql()
            }
        }
        impl FromSql for $id {
            fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
                FromSql::column_result(value).map(Self)
            }
        }
    )* };
}
as_bytes!(CommitId QuestionId RunId ScopeHash TurnId WorkerId Timestamp);

impl ToSql for ThreadId {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        self.as_str().to_sql()
    }
}

impl FromSql for ThreadId {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        Self::new(value.as_str()?).map_err(FromSqlError::other)
    }
}

macro_rules! as_number {
    ($($kind:ident { $($variant:ident = $number:literal),* })*) => { $(
        impl ToSql for $kind {
            fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
                Ok(ToSqlOutput::from(match self { $(Self::$variant => $number),* }))
            }
        }
        impl FromSql for $kind {
            fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
                match value.as_i64()? {
                    $($number => Ok(Self::$variant),)*
                    other => Err(FromSqlError::OutOfRange(other)),
                }
            }
        }
    )* };
}
as_number! {
    Status { Idle = 0, Running = 1, Paused = 2, Stopped = 3 }
    QuestionState { Open = 0, Answered = 1, Abandoned = 2, Expired = 3, Superseded = 4 }
    RowKind {
        Input = 1, Step = 2, Park = 3, Answer = 4, Expire = 5, Attempt = 6, Failed = 7, Claim = 8, Reissue = 9, Stop = 10, Close = 11,
        Edit = 12, Origin = 13
    }
}

/// Reads a graph from `name, version, fingerprint`, three columns from `first` on.
pub(super) fn graph(row: &rusqlite::Row<'_>, first: usize) -> rusqlite::Result<GraphRef> {
    Ok(GraphRef { name: row.get(first)?, version: row.get(first + 1)?, fingerprint: row.get(first + 2)? })
}

/// The checksum of a body by itself.
pub(super) fn seal(body: &[u8]) -> u32 {
    crc32fast::hash(body)
}

/// The checksum of a row: all that is stored of it.
pub(super) fn seal_row(commit: CommitId, graph: &GraphRef, row: &NewRow) -> u32 {
    let mut seal = Seal::default();
    seal.field(&commit.0).graph(graph).field(&[row.kind as u8]).field(&row.turn.0);
    seal.field(row.run.as_ref().map_or(&[], |run| &run.0)).field(row.path.as_bytes()).field(&row.ord.to_be_bytes());
    seal.field(row.place.as_bytes()).field(&row.at.0.to_be_bytes()).field(&row.body);
    seal.0.finalize()
}

/// The checksum of a question: what never changes of it.
pub(super) fn seal_question(graph: &GraphRef, question: &NewQuestion) -> u32 {
    let mut seal = Seal::default();
    seal.field(&question.id.0).graph(graph).field(question.path.as_bytes()).field(question.place.as_bytes());
    seal.field(&question.digest).field(&[u8::from(question.expiry_way), u8::from(question.notify)]).field(&question.body);
    for label in &question.labels {
        seal.field(label.as_bytes());
    }
    seal.0.finalize()
}

/// Fields, each behind its length.
#[derive(Default)]
struct Seal(Hasher);

impl Seal {
    fn field(&mut self, bytes: &[u8]) -> &mut Self {
        self.0.update(&(bytes.len() as u64).to_be_bytes());
        self.0.update(bytes);
        self
    }

    fn graph(&mut self, graph: &GraphRef) -> &mut Self {
        self.field(graph.name.as_bytes()).field(&graph.version.to_be_bytes()).field(&graph.fingerprint)
    }
}
