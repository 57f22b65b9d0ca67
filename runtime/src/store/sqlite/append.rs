//! The one way to change a thread, inside a transaction of the writer, or a savepoint of one: whatever is refused leaves no trace.

use rusqlite::{Connection, OptionalExtension, params};

use super::codec::{DELETED, seal, seal_question, seal_row};
use super::fault::{Fault, is_constraint};
use crate::id::{CommitId, Scope, ScopeHash, ThreadId};
use crate::store::{
    Append, AppendError, AppendTarget, Appended, Fate, GraphRef, NewQuestion, NewRow, QuestionState, Seq, Shut, StoreError, Uid,
};

pub(super) fn append(db: &Connection, append: &Append) -> Result<Appended, Fault> {
    let graph = graph(db, &append.head.graph)?;
    let uid = match &append.target {
        AppendTarget::New { scope, name, over } => match clear_name(db, append.commit, scope.hash(), name, *over)? {
            Some(written) => return Ok(written),
            None => create(db, append, graph, scope, name)?,
        },
        AppendTarget::At { scope, uid, seq } => {
            if !advance(db, append, graph, *scope, *uid, *seq)? {
                return missed(db, append, *scope, *uid, *seq);
            }
            *uid
        }
    };
    let last = last(append)?;
    let scene = Scene { db, append, graph, uid, last };
    scene.request()?;
    scene.rows()?;
    append.shuts.iter().try_for_each(|shut| scene.shut(shut))?;
    append.opens.iter().try_for_each(|question| scene.open(question))?;
    if let Some(image) = &append.snapshot {
        db.prepare_cached("INSERT INTO gw_snapshot (uid, seq, body, crc) VALUES (?, ?, ?, ?)")?
            .execute(params![uid, last, image, seal(image)])
            .map_err(|error| scene.taken(error, || "a snapshot".to_owned()))?;
    }
    Ok(Appended { uid, seq: last })
}

/// The number of the last row.
fn last(append: &Append) -> Result<Seq, AppendError> {
    append.target.last(append.rows.len()).ok_or(AppendError::Invalid("the thread cannot have so many rows"))
}

/// Bytes of the rows.
fn debt(append: &Append) -> usize {
    append.rows.iter().map(|row| row.body.len()).sum()
}

/// Makes room for a thread to create: nothing of that name, or the tombstone that was named. Gives what `commit` wrote
/// if it was here before.
fn clear_name(db: &Connection, commit: CommitId, scope: ScopeHash, name: &ThreadId, over: Option<Uid>) -> Result<Option<Appended>, Fault> {
    let found: Option<(Uid, i64)> = db
        .prepare_cached("SELECT uid, status FROM gw_thread WHERE scope = ? AND name = ?")?
        .query_row(params![scope, name], |row| Ok((row.get(0)?, row.get(1)?)))
        .optional()?;
    match found {
        None if over.is_some() => Err(AppendError::Conflict.into()),
        None => Ok(None),
        Some((uid, DELETED)) if over == Some(uid) => {
            db.prepare_cached("DELETE FROM gw_thread WHERE uid = ?")?.execute([uid])?;
            Ok(None)
        }
        Some((uid, DELETED)) => Err(AppendError::Deleted(uid).into()),
        Some((uid, _)) => {
            let seq = written(db, uid, 0, commit)?.ok_or(AppendError::Exists)?;
            Ok(Some(Appended { uid, seq }))
        }
    }
}

/// The last row after `after` that `commit` wrote, if it wrote one.
fn written(db: &Connection, uid: Uid, after: Seq, commit: CommitId) -> Result<Option<Seq>, Fault> {
    Ok(db
        .prepare_cached("SELECT max(seq) FROM gw_row WHERE uid = ? AND seq > ? AND commit_id = ?")?
        .query_row(params![uid, after, commit], |row| row.get(0))?)
}

fn create(db: &Connection, append: &Append, graph: i64, scope: &Scope, name: &ThreadId) -> Result<Uid, Fault> {
    let head = &append.head;
    let path = serde_json::to_string(scope).map_err(|error| StoreError::Io(error.to_string()))?;
    db.prepare_cached("INSERT INTO gw_scope (hash, path) VALUES (?, ?) ON CONFLICT DO NOTHING")?.execute(params![scope.hash(), path])?;
    let uid = db
        .prepare_cached(
            "INSERT INTO gw_thread (scope, name, seq, status, run, worker, turn, graph, at, debt, snap_seq)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, iif(?11, 0, ?10), iif(?11, ?3, 0)) RETURNING uid",
        )?
        .query_row(
            params![
                scope.hash(),
                name,
                last(append)?,
                head.status,
                head.run,
                head.worker,
                head.turn,
                graph,
                head.at,
                debt(append),
                append.snapshot.is_some(),
            ],
            |row| row.get(0),
        )?;
    Ok(uid)
}

/// The compare-and-swap. False if it did not hit.
fn advance(db: &Connection, append: &Append, graph: i64, scope: ScopeHash, uid: Uid, seq: Seq) -> Result<bool, Fault> {
    // What SQLite cannot count to, no thread has.
    let (Ok(uid), Ok(seq), Some(last)) = (i64::try_from(uid), i64::try_from(seq), append.target.last(append.rows.len())) else {
        return Ok(false);
    };
    let head = &append.head;
    let hit = db
        .prepare_cached(
            "UPDATE gw_thread SET seq = ?4, status = ?5, run = ?6, worker = ?7, turn = ?8, graph = ?9, at = max(at, ?10),
             debt = iif(?12, 0, debt + ?11), snap_seq = iif(?12, ?4, snap_seq)
             WHERE uid = ?1 AND scope = ?2 AND seq = ?3 AND status <> 4",
        )?
        .execute(params![
            uid,
            scope,
            seq,
            last,
            head.status,
            head.run,
            head.worker,
            head.turn,
            graph,
            head.at,
            debt(append),
            append.snapshot.is_some(),
        ])?;
    Ok(hit == 1)
}

/// Why the swap did not hit: it was here before, or the thread is gone, or has moved on.
fn missed(db: &Connection, append: &Append, scope: ScopeHash, uid: Uid, seq: Seq) -> Result<Appended, Fault> {
    let there = i64::try_from(uid).is_ok()
        && db.prepare_cached("SELECT 1 FROM gw_thread WHERE uid = ? AND scope = ? AND status <> 4")?.exists(params![uid, scope])?;
    if !there {
        return Err(AppendError::Gone.into());
    }
    if i64::try_from(seq).is_err() {
        return Err(AppendError::Conflict.into());
    }
    let seq = written(db, uid, seq, append.commit)?.ok_or(AppendError::Conflict)?;
    Ok(Appended { uid, seq })
}

/// The number of a graph, given at its first row.
fn graph(db: &Connection, graph: &GraphRef) -> Result<i64, Fault> {
    let key = params![graph.name, graph.version, graph.fingerprint];
    let found = db
        .prepare_cached("SELECT id FROM gw_graph WHERE name = ? AND version = ? AND fingerprint = ?")?
        .query_row(key, |row| row.get(0))
        .optional()?;
    match found {
        Some(id) => Ok(id),
        None => Ok(db
            .prepare_cached("INSERT INTO gw_graph (name, version, fingerprint) VALUES (?, ?, ?) RETURNING id")?
            .query_row(key, |row| row.get(0))?),
    }
}

/// An append whose head was swapped.
struct Scene<'a> {
    db: &'a Connection,
    append: &'a Append,
    /// The number of its graph.
    graph: i64,
    uid: Uid,
    last: Seq,
}

impl Scene<'_> {
    fn request(&self) -> Result<(), Fault> {
        let Some(key) = &self.append.request else { return Ok(()) };
        let new = self
            .db
            .prepare_cached("INSERT INTO gw_request (uid, key, seq) VALUES (?, ?, ?) ON CONFLICT DO NOTHING")?
            .execute(params![self.uid, key, self.last])?;
        if new == 1 {
            return Ok(());
        }
        let taken = self
            .db
            .prepare_cached("SELECT seq FROM gw_request WHERE uid = ? AND key = ?")?
            .query_row(params![self.uid, key], |row| row.get(0))?;
        Err(AppendError::Duplicate(taken).into())
    }

    fn rows(&self) -> Result<(), Fault> {
        let mut insert = self.db.prepare_cached(
            "INSERT INTO gw_row (uid, seq, commit_id, kind, turn, run, path, ord, place, graph, at, body, crc)
             VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        )?;
        // Counted down from the last, which was checked.
        let first = self.last - (self.append.rows.len() as u64 - 1);
        for (seq, row) in (first..).zip(&self.append.rows) {
            let commit = self.append.commit;
            let crc = seal_row(commit, &self.append.head.graph, row);
            let NewRow { kind, turn, run, path, ord, place, at, body } = row;
            insert
                .execute(params![self.uid, seq, commit, kind, turn, run, path, ord, place, self.graph, at, body, crc])
                .map_err(|error| self.taken(error, || format!("row {seq}")))?;
        }
        Ok(())
    }

    /// After the head was compared the question is as it was read, so a miss means that the tables contradict each other.
    fn shut(&self, Shut { id, generation, to }: &Shut) -> Result<(), Fault> {
        let (state, answer) = match to {
            Fate::Answered { digest } => (QuestionState::Answered, Some(digest)),
            Fate::Abandoned => (QuestionState::Abandoned, None),
            Fate::Expired => (QuestionState::Expired, None),
            Fate::Superseded => (QuestionState::Superseded, None),
            Fate::Reissued { .. } => (QuestionState::Open, None),
        };
        let hit = match to {
            Fate::Reissued { expires } => self
                .db
                .prepare_cached(
                    "UPDATE gw_question SET gen = gen + 1, expires = ?4, outbox = notify
                     WHERE uid = ?1 AND id = ?2 AND state = 0 AND gen = ?3",
                )?
                .execute(params![self.uid, id, generation, expires])?,
            _ => self
                .db
                .prepare_cached(
                    "UPDATE gw_question SET state = ?4, closed = ?5, answer = ?6
                     WHERE uid = ?1 AND id = ?2 AND state = 0 AND gen = ?3",
                )?
                .execute(params![self.uid, id, generation, state, self.last, answer])?,
        };
        if hit == 1 { Ok(()) } else { Err(self.corrupt(format!("question {id} is not open at generation {generation}"))?) }
    }

    fn open(&self, question: &NewQuestion) -> Result<(), Fault> {
        let opened_at = self.append.rows.last().map_or(self.append.head.at, |row| row.at);
        let NewQuestion { id, generation, path, place, digest, expires, expiry_way, labels, body, notify } = question;
        self.db
            .prepare_cached(
                "INSERT INTO gw_question
                 (uid, id, scope, gen, state, opened, opened_at, path, place, digest, expires, expiry_way, notify, outbox, graph, body, crc)
                 VALUES (?1, ?2, ?3, ?4, 0, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?12, ?13, ?14, ?15)",
            )?
            .execute(params![
                self.uid,
                id,
                self.scope(),
                generation,
                self.last,
                opened_at,
                path,
                place,
                digest,
                expires,
                expiry_way,
                notify,
                self.graph,
                body,
                seal_question(&self.append.head.graph, question),
            ])
            .map_err(|error| self.taken(error, || format!("question {id}")))?;
        let mut insert = self.db.prepare_cached("INSERT INTO gw_label (uid, id, n, label) VALUES (?, ?, ?, ?)")?;
        for (n, label) in labels.iter().enumerate() {
            insert.execute(params![self.uid, id, n, label])?;
        }
        Ok(())
    }

    fn scope(&self) -> ScopeHash {
        match &self.append.target {
            AppendTarget::New { scope, .. } => scope.hash(),
            AppendTarget::At { scope, .. } => *scope,
        }
    }

    /// What must not be there is there: left over, or told twice.
    fn taken(&self, error: rusqlite::Error, what: impl FnOnce() -> String) -> Fault {
        if !is_constraint(&error) {
            return error.into();
        }
        self.corrupt(format!("{} is there already", what())).unwrap_or_else(|fault| fault)
    }

    fn corrupt(&self, what: String) -> Result<Fault, Fault> {
        let thread =
            self.db.prepare_cached("SELECT name FROM gw_thread WHERE uid = ?")?.query_row([self.uid], |row| row.get::<_, String>(0))?;
        let seq = self.last - self.append.rows.len() as u64;
        Ok(StoreError::Corrupt { thread, seq, what }.into())
    }
}
