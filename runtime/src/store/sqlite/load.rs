//! Reading one thread: every value checked, what does not fit named by thread and row.

use rusqlite::{Connection, OptionalExtension, Row as SqlRow, params};

use super::codec::{self, seal, seal_question, seal_row};
use super::fault::Fault;
use crate::id::{QuestionId, ScopeHash, ThreadId};
use crate::store::{By, Head, Loaded, NewQuestion, NewRow, Point, QuestionRow, Row, Seq, Snapshot, StoreError, ThreadKey, ThreadRow, Uid};

/// A head, from `gw_thread t` and its graph.
macro_rules! select_thread {
    ($rest:literal) => {
        concat!(
            "SELECT t.uid, t.scope, t.name, t.seq, t.status, t.run, t.worker, t.turn, t.at, g.name, g.version, g.fingerprint,
             t.first_seq, t.debt, t.snap_seq
             FROM gw_thread t LEFT JOIN gw_graph g ON g.id = t.graph WHERE ",
            $rest
        )
    };
}

/// Rows, from `gw_row r` and their graphs.
macro_rules! select_rows {
    ($rest:literal) => {
        concat!(
            "SELECT r.seq, r.commit_id, r.kind, r.turn, r.run, r.path, r.ord, r.place, r.at, r.body, r.crc, g.name, g.version, g.fingerprint
             FROM gw_row r LEFT JOIN gw_graph g ON g.id = r.graph WHERE ",
            $rest
        )
    };
}

/// Questions, from `gw_question q`, their threads and graphs.
macro_rules! select_questions {
    ($rest:literal) => {
        concat!(
            "SELECT q.uid, t.name, q.opened, q.id, q.gen, q.path, q.place, q.digest, q.expires, q.expiry_way, q.notify, q.body, q.crc,
             q.state, q.opened_at, q.closed, q.answer, g.name, g.version, g.fingerprint, q.scope
             FROM gw_question q JOIN gw_thread t ON t.uid = q.uid LEFT JOIN gw_graph g ON g.id = q.graph WHERE ",
            $rest
        )
    };
}
pub(super) use {select_questions, select_rows, select_thread};

pub(super) fn load(db: &Connection, key: &ThreadKey, at: Point) -> Result<Option<Loaded>, Fault> {
    let Some(Kept { thread, first_seq, debt, newest }) = thread(db, key)? else { return Ok(None) };
    let ThreadRow { uid, name, seq, head, .. } = thread;
    let point = match at {
        Point::Head | Point::After(_) => seq,
        Point::Seq(point) => point.min(seq),
    };
    let (known, snapshot) = match at {
        Point::After(seq) => (Some(seq.max(first_seq.saturating_sub(1)).min(point)), None),
        Point::Head | Point::Seq(_) => (None, snapshot(db, uid, &name, point)?),
    };
    let base = known.or(snapshot.as_ref().map(|snapshot| snapshot.seq)).unwrap_or(0);
    // Without a snapshot only the whole log tells a state.
    let whole = known.is_some() || snapshot.is_some() || first_seq == 1;
    let rows = if whole { rows_between(db, uid, &name, base, point)? } else { Vec::new() };
    let open = if known.is_some() { Vec::new() } else { open(db, uid)? };
    let snapshot_bytes = db
        .prepare_cached("SELECT coalesce(max(length(body)), 0) FROM gw_snapshot WHERE uid = ? AND seq = ?")?
        .query_row(params![uid, newest], |row| row.get(0))?;
    Ok(Some(Loaded { uid, name, seq, head, first_seq, snapshot, rows, open, debt, snapshot_bytes }))
}

/// A head, and what else is kept with it.
struct Kept {
    thread: ThreadRow,
    first_seq: Seq,
    debt: u64,
    newest: Seq,
}

fn thread(db: &Connection, key: &ThreadKey) -> Result<Option<Kept>, Fault> {
    let kept = |row: &SqlRow<'_>| {
        let thread = decode_thread(row);
        Ok(thread.and_then(|thread| {
            let rest = || -> rusqlite::Result<_> { Ok((row.get(12)?, row.get(13)?, row.get(14)?)) };
            let (first_seq, debt, newest) = rest().map_err(|error| corrupt(thread.name.as_str(), thread.seq, &error))?;
            Ok(Kept { thread, first_seq, debt, newest })
        }))
    };
    let found = match &key.by {
        By::Name(name) => db
            .prepare_cached(select_thread!("t.scope = ? AND t.name = ? AND t.status <> 4"))?
            .query_row(params![key.scope, name], kept)
            .optional()?,
        By::Uid(uid) | By::At(uid, _) if i64::try_from(*uid).is_err() => None,
        By::Uid(uid) => db
            .prepare_cached(select_thread!("t.uid = ? AND t.scope = ? AND t.status <> 4"))?
            .query_row(params![uid, key.scope], kept)
            .optional()?,
        By::At(_, seq) if i64::try_from(*seq).is_err() => None,
        By::At(uid, seq) => db
            .prepare_cached(select_thread!("t.uid = ? AND t.scope = ? AND t.seq = ? AND t.status <> 4"))?
            .query_row(params![uid, key.scope, seq], kept)
            .optional()?,
    };
    Ok(found.transpose()?)
}

pub(super) fn decode_thread(row: &SqlRow<'_>) -> Result<ThreadRow, StoreError> {
    let decode = || -> rusqlite::Result<_> {
        let head = Head {
            status: row.get(4)?,
            run: row.get(5)?,
            worker: row.get(6)?,
            turn: row.get(7)?,
            at: row.get(8)?,
            graph: codec::graph(row, 9)?,
        };
        Ok(ThreadRow { uid: row.get(0)?, scope: row.get(1)?, name: row.get(2)?, seq: row.get(3)?, head })
    };
    decode().map_err(|error| corrupt(&named(row, 2), row.get(3).unwrap_or(0), &error))
}

fn snapshot(db: &Connection, uid: Uid, name: &ThreadId, point: Seq) -> Result<Option<Snapshot>, Fault> {
    let mut select = db.prepare_cached("SELECT seq, body, crc FROM gw_snapshot WHERE uid = ? AND seq <= ? ORDER BY seq DESC LIMIT 1")?;
    let mut found = select.query(params![uid, point])?;
    let Some(row) = found.next()? else { return Ok(None) };
    let seq = row.get(0)?;
    let decode = || -> rusqlite::Result<(Vec<u8>, u32)> { Ok((row.get(1)?, row.get(2)?)) };
    let (body, crc) = decode().map_err(|error| corrupt(name.as_str(), seq, &error))?;
    if seal(&body) != crc {
        return Err(corrupt(name.as_str(), seq, "the snapshot does not match its checksum").into());
    }
    Ok(Some(Snapshot { seq, body }))
}

/// The rows after `base` up to `point`, all of them.
fn rows_between(db: &Connection, uid: Uid, name: &ThreadId, base: Seq, point: Seq) -> Result<Vec<Row>, Fault> {
    let mut select = db.prepare_cached(select_rows!("r.uid = ? AND r.seq > ? AND r.seq <= ? ORDER BY r.seq"))?;
    let mut found = select.query(params![uid, base, point])?;
    let mut rows = Vec::new();
    for seq in base + 1..=point {
        let row = found.next()?.ok_or_else(|| corrupt(name.as_str(), seq, "the row is missing"))?;
        let row = decode_row(row, name)?;
        if row.seq != seq {
            return Err(corrupt(name.as_str(), seq, "the row is missing").into());
        }
        rows.push(row);
    }
    Ok(rows)
}

pub(super) fn decode_row(row: &SqlRow<'_>, name: &ThreadId) -> Result<Row, StoreError> {
    let seq = row.get(0).map_err(|error| corrupt(name.as_str(), 0, &error))?;
    let decode = || -> rusqlite::Result<_> {
        let new = NewRow {
            kind: row.get(2)?,
            turn: row.get(3)?,
            run: row.get(4)?,
            path: row.get(5)?,
            ord: row.get(6)?,
            place: row.get(7)?,
            at: row.get(8)?,
            body: row.get(9)?,
        };
        Ok((Row { seq, commit: row.get(1)?, graph: codec::graph(row, 11)?, row: new }, row.get::<_, u32>(10)?))
    };
    let (row, crc) = decode().map_err(|error| corrupt(name.as_str(), seq, &error))?;
    if seal_row(row.commit, &row.graph, &row.row) != crc {
        return Err(corrupt(name.as_str(), seq, "the row does not match its checksum"));
    }
    Ok(row)
}

pub(super) fn question(db: &Connection, scope: ScopeHash, uid: Uid, id: QuestionId) -> Result<Option<QuestionRow>, Fault> {
    if i64::try_from(uid).is_err() {
        return Ok(None);
    }
    let mut select = db.prepare_cached(select_questions!("q.uid = ? AND q.id = ? AND q.scope = ?"))?;
    let mut found = select.query(params![uid, id, scope])?;
    found.next()?.map(|row| decode_question(db, row)).transpose()
}

fn open(db: &Connection, uid: Uid) -> Result<Vec<QuestionRow>, Fault> {
    let mut select = db.prepare_cached(select_questions!("q.uid = ? AND q.state = 0 ORDER BY q.opened, q.id"))?;
    let mut found = select.query([uid])?;
    let mut open = Vec::new();
    while let Some(row) = found.next()? {
        open.push(decode_question(db, row)?);
    }
    Ok(open)
}

pub(super) fn decode_question(db: &Connection, row: &SqlRow<'_>) -> Result<QuestionRow, Fault> {
    let decode = || -> rusqlite::Result<_> {
        let mut question = NewQuestion {
            id: row.get(3)?,
            generation: row.get(4)?,
            path: row.get(5)?,
            place: row.get(6)?,
            digest: row.get(7)?,
            expires: row.get(8)?,
            expiry_way: row.get(9)?,
            labels: Vec::new(),
            body: row.get(11)?,
            notify: row.get(10)?,
        };
        let uid: Uid = row.get(0)?;
        let mut labels = db.prepare_cached("SELECT label FROM gw_label WHERE uid = ? AND id = ? ORDER BY n")?;
        question.labels = labels.query_map(params![uid, question.id], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?;
        let row = QuestionRow {
            scope: row.get(20)?,
            uid,
            thread: row.get(1)?,
            question,
            state: row.get(13)?,
            opened: row.get(2)?,
            opened_at: row.get(14)?,
            closed: row.get(15)?,
            answer: row.get(16)?,
            graph: codec::graph(row, 17)?,
        };
        Ok(row)
    };
    let damaged = |what: &dyn ToString| corrupt(&named(row, 1), row.get(2).unwrap_or(0), what);
    let question = decode().map_err(|error| damaged(&error))?;
    let crc = row.get::<_, u32>(12).map_err(|error| damaged(&error))?;
    if seal_question(&question.graph, &question.question) != crc {
        return Err(damaged(&"a question does not match its checksum").into());
    }
    Ok(question)
}

/// The name of a damaged thread, as well as it can be read.
fn named(row: &SqlRow<'_>, column: usize) -> String {
    row.get_ref(column).ok().and_then(|value| value.as_str().ok()).unwrap_or("?").to_owned()
}

fn corrupt<W: ToString + ?Sized>(thread: &str, seq: Seq, what: &W) -> StoreError {
    StoreError::Corrupt { thread: thread.escape_debug().take(crate::id::MAX_ID_BYTES).collect(), seq, what: what.to_string() }
}
