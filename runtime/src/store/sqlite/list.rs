//! Listings: a fixed statement for each query, every value bound.

use rusqlite::{Connection, Row as SqlRow, Rows, params};

use super::fault::Fault;
use super::load::{decode_question, decode_row, decode_thread, select_questions, select_rows, select_thread};
use crate::id::{ScopeHash, ThreadId};
use crate::store::cursor::{Cursor, Room};
use crate::store::{Listing, Page, Query, QuestionRow, Row, Status, ThreadRow, Uid};

const THREADS: &str = select_thread!("t.scope = ? AND t.uid > ? AND (? >> t.status) & 1 ORDER BY t.uid LIMIT ?");
const ALL_THREADS: &str = select_thread!("t.uid > ? AND (? >> t.status) & 1 ORDER BY t.uid LIMIT ?");
const RUNNING: &str = select_thread!("t.status = 1 AND t.uid > ? ORDER BY t.uid LIMIT ?");
const LONG: &str = select_thread!(
    "t.status <> 4 AND t.uid > ?1 AND t.snap_seq > t.first_seq
     AND EXISTS (SELECT 1 FROM gw_snapshot s WHERE s.uid = t.uid AND s.seq > t.first_seq AND s.seq <= t.seq - ?2)
     ORDER BY t.uid LIMIT ?3"
);
const RESTED: &str = select_thread!("t.status = 0 AND t.at < ? AND t.uid > ? ORDER BY t.uid LIMIT ?");
const OPEN: &str = select_questions!(
    "q.state = 0 AND q.scope = ?1 AND (q.opened_at, q.uid, q.id) > (?2, ?3, ?4)
     AND (?5 IS NULL OR g.name = ?5) AND (?6 IS NULL OR q.place = ?6) AND (?7 IS NULL OR q.opened_at <= ?7)
     AND (?8 IS NULL OR EXISTS (SELECT 1 FROM gw_label l WHERE l.label = ?8 AND l.uid = q.uid AND l.id = q.id))
     ORDER BY q.opened_at, q.uid, q.id LIMIT ?9"
);
/// For people, and seldom: it sorts what is open, which no index but those of scopes holds.
const ALL_OPEN: &str = select_questions!(
    "q.state = 0 AND (q.opened_at, q.uid, q.id) > (?1, ?2, ?3)
     AND (?4 IS NULL OR g.name = ?4) AND (?5 IS NULL OR q.place = ?5) AND (?6 IS NULL OR q.opened_at <= ?6)
     AND (?7 IS NULL OR EXISTS (SELECT 1 FROM gw_label l WHERE l.label = ?7 AND l.uid = q.uid AND l.id = q.id))
     ORDER BY q.opened_at, q.uid, q.id LIMIT ?8"
);
const DUE: &str = select_questions!(
    "q.state = 0 AND q.expiry_way = 1 AND q.expires < ?1 AND (q.expires, q.uid, q.id) > (?2, ?3, ?4)
     ORDER BY q.expires, q.uid, q.id LIMIT ?5"
);
const OUTBOX: &str = select_questions!("q.state = 0 AND q.outbox = 1 AND (q.uid, q.id) > (?, ?) ORDER BY q.uid, q.id LIMIT ?");
const HISTORY: &str = select_rows!("r.uid = ? AND r.seq > ? ORDER BY r.seq LIMIT ?");
const REQUEST: &str = select_rows!("r.uid = ?1 AND r.seq = (SELECT seq FROM gw_request WHERE uid = ?1 AND key = ?2)");

/// The index that each is to be answered by.
#[cfg(test)]
pub(super) const STATEMENTS: [(&str, &str); 8] = [
    (THREADS, "gw_thread_scope"),
    (RUNNING, "gw_thread_running"),
    // These walk the heads, a page at a time: an index of theirs would cost every commit, and they are asked once a minute.
    (LONG, "INTEGER PRIMARY KEY"),
    (RESTED, "INTEGER PRIMARY KEY"),
    (OPEN, "gw_question_open"),
    (DUE, "gw_question_due"),
    (OUTBOX, "gw_question_outbox"),
    (HISTORY, "sqlite_autoindex_gw_row_1"),
];

pub(super) fn list(db: &Connection, query: &Query, page: &Page) -> Result<Listing, Fault> {
    let after = Cursor::of(query, page)?;
    let mut room = Room::of(page);
    let look = room.look();
    let mut listing = Listing::default();
    match (query, after) {
        (Query::Threads { scope: None, status }, Cursor::Thread(after)) => {
            let mut select = db.prepare_cached(ALL_THREADS)?;
            let found = select.query(params![after, mask(status), look])?;
            (listing.threads, listing.next) = threads(found, &mut room)?;
        }
        (Query::Threads { scope: Some(scope), status }, Cursor::Thread(after)) => {
            let mut select = db.prepare_cached(THREADS)?;
            let found = select.query(params![scope, after, mask(status), look])?;
            (listing.threads, listing.next) = threads(found, &mut room)?;
        }
        (Query::Running, Cursor::Thread(after)) => {
            let mut select = db.prepare_cached(RUNNING)?;
            (listing.threads, listing.next) = threads(select.query(params![after, look])?, &mut room)?;
        }
        (Query::Long { keep }, Cursor::Thread(after)) => {
            let mut select = db.prepare_cached(LONG)?;
            let keep = i64::try_from(*keep).unwrap_or(i64::MAX);
            (listing.threads, listing.next) = threads(select.query(params![after, keep, look])?, &mut room)?;
        }
        (Query::Rested { before }, Cursor::Thread(after)) => {
            let mut select = db.prepare_cached(RESTED)?;
            (listing.threads, listing.next) = threads(select.query(params![before, after, look])?, &mut room)?;
        }
        (Query::Open { scope: None, graph, place, label, opened_before }, Cursor::Question(at, uid, id)) => {
            let mut select = db.prepare_cached(ALL_OPEN)?;
            let found = select.query(params![at, uid, id, graph, place, opened_before, label, look])?;
            (listing.questions, listing.next) = questions(db, query, found, &mut room)?;
        }
        (Query::Open { scope: Some(scope), graph, place, label, opened_before }, Cursor::Question(at, uid, id)) => {
            let mut select = db.prepare_cached(OPEN)?;
            let found = select.query(params![scope, at, uid, id, graph, place, opened_before, label, look])?;
            (listing.questions, listing.next) = questions(db, query, found, &mut room)?;
        }
        (Query::Due { now }, Cursor::Question(at, uid, id)) => {
            let mut select = db.prepare_cached(DUE)?;
            (listing.questions, listing.next) = questions(db, query, select.query(params![now, at, uid, id, look])?, &mut room)?;
        }
        (Query::Outbox, Cursor::Question(_, uid, id)) => {
            let mut select = db.prepare_cached(OUTBOX)?;
            (listing.questions, listing.next) = questions(db, query, select.query(params![uid, id, look])?, &mut room)?;
        }
        (Query::History { scope, uid }, Cursor::Row(after)) => {
            if let Some(name) = name(db, *scope, *uid)? {
                let mut select = db.prepare_cached(HISTORY)?;
                let place = |row: &Row| (Cursor::Row(row.seq), row.row.body.len());
                let found = select.query(params![uid, after, look])?;
                (listing.rows, listing.next) = fill(found, &mut room, |row| Ok(decode_row(row, &name)?), place)?;
            }
        }
        (Query::Request { scope, uid, key }, _) => {
            if let Some(name) = name(db, *scope, *uid)? {
                let mut select = db.prepare_cached(REQUEST)?;
                let mut found = select.query(params![uid, key])?;
                if let Some(row) = found.next()? {
                    listing.rows.push(decode_row(row, &name)?);
                }
            }
        }
        // A cursor is made for its query.
        _ => {}
    }
    Ok(listing)
}

/// The name of a thread, if this scope has it.
fn name(db: &Connection, scope: ScopeHash, uid: Uid) -> Result<Option<ThreadId>, Fault> {
    if i64::try_from(uid).is_err() {
        return Ok(None);
    }
    let mut select = db.prepare_cached("SELECT name FROM gw_thread WHERE uid = ? AND scope = ? AND status <> 4")?;
    let mut found = select.query(params![uid, scope])?;
    Ok(found.next()?.map(|row| row.get(0)).transpose()?)
}

/// One bit for each status; none named means all. A tombstone has a bit that is never set.
fn mask(status: &[Status]) -> i64 {
    let bit = |status: &Status| match status {
        Status::Idle => 1,
        Status::Running => 2,
        Status::Paused => 4,
        Status::Stopped => 8,
    };
    if status.is_empty() { 15 } else { status.iter().fold(0, |mask, status| mask | bit(status)) }
}

fn threads(found: Rows<'_>, room: &mut Room) -> Result<(Vec<ThreadRow>, Option<String>), Fault> {
    fill(found, room, |row| Ok(decode_thread(row)?), |thread| (Cursor::Thread(thread.uid), 0))
}

fn questions(db: &Connection, query: &Query, found: Rows<'_>, room: &mut Room) -> Result<(Vec<QuestionRow>, Option<String>), Fault> {
    let place = |question: &QuestionRow| (Cursor::question(query, question), question.question.body.len());
    fill(found, room, |row| decode_question(db, row), place)
}

/// Takes items until the page is full. A damaged one ends the page, and is an error only where a page begins with it.
fn fill<T>(
    mut found: Rows<'_>,
    room: &mut Room,
    decode: impl Fn(&SqlRow<'_>) -> Result<T, Fault>,
    place: impl Fn(&T) -> (Cursor, usize),
) -> Result<(Vec<T>, Option<String>), Fault> {
    let mut items = Vec::new();
    while let Some(row) = found.next()? {
        let item = match decode(row) {
            Ok(item) => item,
            Err(_) if !items.is_empty() => return Ok((items, room.next())),
            Err(fault) => return Err(fault),
        };
        let (cursor, bytes) = place(&item);
        if let Err(next) = room.take(cursor, bytes) {
            return Ok((items, next));
        }
        items.push(item);
    }
    Ok((items, None))
}
