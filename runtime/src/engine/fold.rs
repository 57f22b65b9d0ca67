//! From the log to the image: pure, total, and without any code of the user but serde.

use crate::clock::Timestamp;
use crate::engine::image::{Cursor, Image, Parked};
use crate::engine::row::{self, Body, CodecError, StoredCursor, StoredImage, StoredQuestion};
use crate::graph::{Graph, Patch};
use crate::node::NodeMeta;
use crate::state::State;
use crate::store::{Loaded, NewRow, QuestionState, RowKind};
use crate::turn::Now;

/// Why a log cannot be folded into an image of this graph.
#[derive(Debug, thiserror::Error)]
pub(crate) enum FoldError {
    #[error("row {seq}: {error}")]
    Codec { seq: u64, error: CodecError },
    #[error("the thread stands at `{missing}`, which is no place of `{graph}` now")]
    Missing { missing: String, graph: &'static str },
    #[error("row {seq} tells nothing that can be applied: {what}")]
    Damaged { seq: u64, what: &'static str },
}

/// The image so far. Where it stands is kept as it is stored: only the last place must be one of this graph.
struct Fold<G: Graph> {
    image: Image<G>,
    next: StoredCursor,
    question: Option<StoredQuestion>,
    seq: u64,
}

/// The rows that came behind an image.
pub(crate) fn fold_onto<G: Graph>(image: Image<G>, loaded: &Loaded) -> Result<Image<G>, FoldError> {
    let (next, question) = (image.stored_cursor(), image.parked().map(|parked| parked.question.clone()));
    let mut fold = Fold { image, next, question, seq: loaded.seq };
    for row in &loaded.rows {
        fold.advance(row.seq, &row.row)?;
    }
    fold.finish(loaded)
}

/// What a store gave.
pub(crate) fn fold<G: Graph>(loaded: &Loaded) -> Result<Image<G>, FoldError> {
    let image = Image::new(loaded.head.turn, loaded.head.run.unwrap_or_default(), Now::Stored(Timestamp::default()));
    let mut fold = Fold { image, next: StoredCursor::Closed, question: None, seq: 0 };
    if let Some(snapshot) = &loaded.snapshot {
        let stored: StoredImage = row::decode(&snapshot.body).map_err(|error| FoldError::Codec { seq: snapshot.seq, error })?;
        fold.restore(snapshot.seq, stored)?;
    }
    for row in &loaded.rows {
        fold.advance(row.seq, &row.row)?;
    }
    fold.finish(loaded)
}

impl<G: Graph> Fold<G> {
    fn restore(&mut self, seq: u64, stored: StoredImage) -> Result<(), FoldError> {
        self.seq = seq;
        self.image.state = read(seq, &stored.state)?;
        self.image.turn.steps = stored.ord;
        self.image.counted_from = stored.counted_from;
        self.image.claims = stored.claims;
        self.image.stopped = stored.why;
        for (key, count) in stored.taken {
            self.image.restore_budget(&key, count);
        }
        (self.next, self.question) = (stored.next, stored.questions.into_iter().next());
        Ok(())
    }

    fn advance(&mut self, seq: u64, row: &NewRow) -> Result<(), FoldError> {
        let body: Body = row::decode(&row.body).map_err(|error| FoldError::Codec { seq, error })?;
        self.seq = seq;
        let image = &mut self.image;
        if let Some(closes) = &body.closes {
            image.state.apply(read::<Patch<G>>(seq, closes)?);
        }
        if row.kind == RowKind::Input {
            image.begin_turn(row.turn);
        }
        if let Some(update) = &body.update {
            image.state.apply(read::<Patch<G>>(seq, update)?);
        }
        if let Some((key, count)) = &body.taken {
            image.restore_budget(key, *count);
        }
        image.at = image.at.max(row.at);
        match row.kind {
            RowKind::Step | RowKind::Park => image.turn.steps = row.ord.saturating_add(1),
            RowKind::Claim => {
                image.claims = image.claims.saturating_add(1);
                image.counted_from = image.turn.steps;
            }
            _ => {}
        }
        if !matches!(row.kind, RowKind::Claim | RowKind::Stop) {
            image.claims = 0;
        }
        image.stopped = body.why;
        match (body.next, body.question) {
            (Some(next), question) => (self.next, self.question) = (next, question),
            (None, Some(_)) if self.question.is_none() => {
                return Err(FoldError::Damaged { seq, what: "a question is issued anew where none is open" });
            }
            (None, Some(question)) => self.question = Some(question),
            (None, None) => {}
        }
        Ok(())
    }

    fn finish(self, loaded: &Loaded) -> Result<Image<G>, FoldError> {
        let Self { mut image, next, question, seq } = self;
        image.cursor = match next {
            StoredCursor::At(place) => Cursor::At(find::<G>(&place)?),
            StoredCursor::Parked(place) => {
                let at = find::<G>(&place)?;
                let question = question.ok_or(FoldError::Damaged { seq, what: "a place waits, and its question is not there" })?;
                let open = loaded.open.iter().find(|open| open.state == QuestionState::Open && open.question.id == question.id);
                let opened_at = open.map_or(image.at, |open| open.opened_at);
                Cursor::Parked(Box::new(Parked { at, question, opened_at }))
            }
            StoredCursor::Unrouted { place, arm } => Cursor::Unrouted { at: find::<G>(&place)?, arm },
            StoredCursor::Ended(exit) => Cursor::Ended(find_exit::<G>(exit)?),
            StoredCursor::Closed => Cursor::Closed,
        };
        image.turn.id = loaded.head.turn;
        image.at = image.at.max(loaded.head.at);
        image.turn.now = Now::Stored(image.at);
        Ok(image)
    }
}

fn read<T: serde::de::DeserializeOwned>(seq: u64, raw: &serde_json::value::RawValue) -> Result<T, FoldError> {
    serde_json::from_str(raw.get()).map_err(|e| FoldError::Codec { seq, error: CodecError::Unreadable(e.to_string()) })
}

fn find<G: Graph>(place: &str) -> Result<G::At, FoldError> {
    let index = G::TOPOLOGY.places.iter().position(|p| p.name == place);
    index.and_then(G::at).ok_or_else(|| FoldError::Missing { missing: place.to_owned(), graph: <G as NodeMeta>::NAME })
}

fn find_exit<G: Graph>(exit: String) -> Result<u16, FoldError> {
    let index = G::TOPOLOGY.exits.iter().position(|name| *name == exit);
    let index = index.and_then(|index| u16::try_from(index).ok());
    index.ok_or_else(|| FoldError::Missing { missing: format!("end {exit}"), graph: <G as NodeMeta>::NAME })
}
