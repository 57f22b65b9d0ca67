//! Listings of threads in memory: a walk over everything, in the order of the cursors.

use std::ops::Bound::{Excluded, Unbounded};

use super::Threads;
use super::life::{Kept, Life};
use crate::store::cursor::{Cursor, Room};
use crate::store::{Listing, Page, Query, QuestionRow, Status, StoreError};

impl Threads {
    pub(super) fn list(&self, query: &Query, page: &Page) -> Result<Listing, StoreError> {
        let after = Cursor::of(query, page)?;
        let mut room = Room::of(page);
        let mut listing = Listing::default();
        match (query, after) {
            (Query::Request { scope, uid, key }, _) => {
                let life = self.life(*scope, *uid);
                listing.rows.extend(life.and_then(|life| life.rows.get(life.requests.get(key)?)).cloned());
            }
            (Query::History { scope, uid }, Cursor::Row(after)) => {
                let rows = self.life(*scope, *uid).map(|life| life.rows.range((Excluded(after), Unbounded)));
                for (seq, row) in rows.into_iter().flatten() {
                    if let Err(next) = room.take(Cursor::Row(*seq), row.row.body.len()) {
                        listing.next = next;
                        break;
                    }
                    listing.rows.push(row.clone());
                }
            }
            (_, Cursor::Thread(after)) => {
                let wanted = |life: &Life| match query {
                    Query::Threads { scope, status } => {
                        scope.is_none_or(|scope| life.scope == scope) && (status.is_empty() || status.contains(&life.head.status))
                    }
                    Query::Long { keep } => life.is_longer_than(*keep),
                    Query::Rested { before } => life.head.status == Status::Idle && life.head.at < *before,
                    _ => life.head.status == Status::Running,
                };
                for (uid, life) in self.lives.range((Excluded(after), Unbounded)).filter(|(_, life)| wanted(life)) {
                    if let Err(next) = room.take(Cursor::Thread(*uid), 0) {
                        listing.next = next;
                        break;
                    }
                    listing.threads.push(life.thread(*uid));
                }
            }
            (query, after) => {
                for (cursor, question) in self.questions(query, after) {
                    if let Err(next) = room.take(cursor, question.question.body.len()) {
                        listing.next = next;
                        break;
                    }
                    listing.questions.push(question.clone());
                }
            }
        }
        Ok(listing)
    }

    fn questions(&self, query: &Query, after: Cursor) -> Vec<(Cursor, &QuestionRow)> {
        let open = self.lives.values().flat_map(|life| life.open().map(move |kept| (life, kept)));
        let wanted = open.filter(|(life, kept)| wanted(query, life, kept));
        let mut found: Vec<_> = wanted.map(|(_, kept)| (Cursor::question(query, &kept.row), &kept.row)).collect();
        found.retain(|(cursor, _)| *cursor > after);
        found.sort_by_key(|(cursor, _)| *cursor);
        found
    }
}

fn wanted(query: &Query, life: &Life, kept: &Kept) -> bool {
    let question = &kept.row.question;
    match query {
        Query::Open { scope, graph, place, label, opened_before } => {
            scope.is_none_or(|scope| life.scope == scope)
                && graph.as_ref().is_none_or(|graph| kept.row.graph.name == *graph)
                && place.as_ref().is_none_or(|place| question.place == *place)
                && label.as_ref().is_none_or(|label| question.labels.contains(label))
                && opened_before.is_none_or(|before| kept.row.opened_at <= before)
        }
        Query::Due { now } => question.expiry_way && question.expires.is_some_and(|expires| expires < *now),
        Query::Outbox => question.notify && !kept.delivered,
        _ => false,
    }
}
