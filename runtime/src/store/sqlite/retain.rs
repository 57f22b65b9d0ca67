//! What goes: delivered messages, old rows, whole threads.

use rusqlite::{Connection, OptionalExtension, params};

use super::fault::Fault;
use crate::clock::Timestamp;
use crate::id::QuestionId;
use crate::store::limits::{SKEW, TOMBSTONE, YOUNG};
use crate::store::{By, Seq, ThreadKey, Uid};

/// The most tombstones that one deletion clears away.
const TOMBSTONES: i64 = 100;

pub(super) fn delivered(db: &Connection, uid: Uid, question: QuestionId, generation: u32) -> Result<(), Fault> {
    if i64::try_from(uid).is_ok() {
        db.prepare_cached("UPDATE gw_question SET outbox = 0 WHERE uid = ? AND id = ? AND gen = ?")?
            .execute(params![uid, question, generation])?;
    }
    Ok(())
}

/// The life that a key means. Reads nothing else, so that a damaged thread can be deleted.
fn find(db: &Connection, thread: &ThreadKey) -> Result<Option<Uid>, Fault> {
    let uid = match &thread.by {
        By::Name(name) => db
            .prepare_cached("SELECT uid FROM gw_thread WHERE scope = ? AND name = ? AND status <> 4")?
            .query_row(params![thread.scope, name], |row| row.get(0)),
        By::Uid(uid) | By::At(uid, _) if i64::try_from(*uid).is_err() => return Ok(None),
        By::Uid(uid) => db
            .prepare_cached("SELECT uid FROM gw_thread WHERE uid = ? AND scope = ? AND status <> 4")?
            .query_row(params![uid, thread.scope], |row| row.get(0)),
        By::At(_, seq) if i64::try_from(*seq).is_err() => return Ok(None),
        By::At(uid, seq) => db
            .prepare_cached("SELECT uid FROM gw_thread WHERE uid = ? AND scope = ? AND seq = ? AND status <> 4")?
            .query_row(params![uid, thread.scope, seq], |row| row.get(0)),
    };
    Ok(uid.optional()?)
}

pub(super) fn delete(db: &Connection, thread: &ThreadKey, now: Timestamp) -> Result<bool, Fault> {
    let old = now.0.saturating_sub(micros(TOMBSTONE));
    db.prepare_cached("DELETE FROM gw_thread WHERE uid IN (SELECT uid FROM gw_thread WHERE status = 4 AND at < ? ORDER BY at LIMIT ?)")?
        .execute([old, TOMBSTONES])?;
    let Some(uid) = find(db, thread)? else { return Ok(false) };
    db.prepare_cached("UPDATE gw_thread SET status = 4, run = NULL, worker = NULL, at = ? WHERE uid = ?")?.execute(params![now, uid])?;
    for rows in [
        "DELETE FROM gw_row WHERE uid = ?",
        "DELETE FROM gw_snapshot WHERE uid = ?",
        "DELETE FROM gw_question WHERE uid = ?",
        "DELETE FROM gw_request WHERE uid = ?",
    ] {
        db.prepare_cached(rows)?.execute([uid])?;
    }
    Ok(true)
}

pub(super) fn prune(db: &Connection, thread: &ThreadKey, below: Seq, now: Timestamp) -> Result<u64, Fault> {
    let Some(uid) = find(db, thread)? else { return Ok(0) };
    db.prepare_cached("DELETE FROM gw_question WHERE uid = ? AND state <> 0 AND expires < ?")?
        .execute(params![uid, now.0.saturating_sub(micros(SKEW))])?;
    let below = i64::try_from(below).unwrap_or(i64::MAX);
    let base: Option<Seq> = db
        .prepare_cached("SELECT max(seq) FROM gw_snapshot WHERE uid = ? AND seq <= ?")?
        .query_row(params![uid, below], |row| row.get(0))?;
    let Some(base) = base else { return Ok(0) };
    db.prepare_cached("DELETE FROM gw_snapshot WHERE uid = ? AND seq < ?")?.execute(params![uid, base])?;
    let first: Seq = db
        .prepare_cached("SELECT coalesce(min(seq), ?2) FROM gw_row WHERE uid = ?1 AND seq < ?2 AND at > ?3")?
        .query_row(params![uid, base, now.0.saturating_sub(micros(YOUNG))], |row| row.get(0))?;
    let dropped = db.prepare_cached("DELETE FROM gw_row WHERE uid = ? AND seq < ?")?.execute(params![uid, first])?;
    db.prepare_cached("UPDATE gw_thread SET first_seq = max(first_seq, ?) WHERE uid = ?")?.execute(params![first, uid])?;
    Ok(dropped as u64)
}

fn micros(duration: std::time::Duration) -> i64 {
    i64::try_from(duration.as_micros()).unwrap_or(i64::MAX)
}
