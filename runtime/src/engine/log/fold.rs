//! From the log to the image: pure, total, and without any code of the user but serde.

use std::collections::HashMap;

use serde_json::value::RawValue;

use crate::clock::Timestamp;
use crate::engine::change::course::{By, Change, Course, Fault, Update};
use crate::engine::log::row::{self, Body, CodecError};
use crate::engine::thread::frame::{Cursor, Frame, Kind, Trouble, read};
use crate::engine::thread::guest::Activation as _;
use crate::engine::thread::image::Image;
use crate::engine::thread::stored::StoredImage;
use crate::graph::{Graph, Patch};
use crate::item::Item;
use crate::node::NodeMeta;
use crate::path::Path;
use crate::state::State;
use crate::store::{Loaded, NewRow, RowKind, Status};
use crate::turn::{Now, TurnSettings};

/// Why a log cannot be folded into an image of this graph.
#[derive(Debug, thiserror::Error)]
pub(crate) enum FoldError {
    #[error("row {seq}: {error}")]
    Codec { seq: u64, error: CodecError },
    #[error("the thread stands at `{missing}`, which is no place of `{graph}` now")]
    Missing { missing: String, graph: &'static str },
    #[error("row {seq} does not fit the graph's types any more: {what}")]
    Changed { seq: u64, what: String },
    #[error("row {seq} tells nothing that can be applied: {what}")]
    Damaged { seq: u64, what: &'static str },
}

impl FoldError {
    fn of(seq: u64, fault: Fault) -> Self {
        match fault {
            // The row itself could be read: what is in it is of a type that the user has changed.
            Fault::Codec(CodecError::Unreadable(what)) => Self::Changed { seq, what },
            Fault::Codec(error) => Self::Codec { seq, error },
            Fault::Damaged(what) => Self::Damaged { seq, what },
            Fault::Moved => Self::Damaged { seq, what: "the frame that it names does not stand where it should" },
        }
    }
}

/// The rows that came behind an image, up to the head.
pub(crate) fn fold_onto<G: Graph>(mut image: Image<G>, loaded: &Loaded) -> Result<Image<G>, FoldError> {
    for row in &loaded.rows {
        advance(&mut image, row.seq, &row.row)?;
    }
    finish(image, loaded)
}

/// What a store gave of the head.
pub(crate) fn fold<G: Graph>(loaded: &Loaded) -> Result<Image<G>, FoldError> {
    finish(fold_past(loaded)?, loaded)
}

/// What a store gave of any point. It may stand where the graph has nothing any more.
pub(crate) fn fold_past<G: Graph>(loaded: &Loaded) -> Result<Image<G>, FoldError> {
    let mut image = Image::new(loaded.head.turn, loaded.head.run.unwrap_or_default(), Now::Stored(Timestamp::default()));
    if let Some(snapshot) = &loaded.snapshot {
        let seq = snapshot.seq;
        let stored: StoredImage = row::decode(&snapshot.body).map_err(|error| FoldError::Codec { seq, error })?;
        let root = Frame::restore(&stored.root, (Kind::Root, Path::default(), G::Item::NONE), None);
        image.root = root.map_err(|fault| FoldError::of(seq, fault))?;
        image.turn.id = stored.turn;
        image.at = stored.at;
        image.turn.steps = stored.steps;
        image.turn.used = stored.used;
        image.claims = stored.claims;
        image.stopped = stored.why;
        image.turn.settings = settings::<G>(stored.settings.as_deref()).map_err(|fault| FoldError::of(seq, fault))?;
        let opened: HashMap<_, _> = loaded.open.iter().map(|open| (open.question.id, open.opened_at)).collect();
        for (address, question) in image.questions() {
            let asked = image.root.leaf(address.branches()).and_then(|leaf| leaf.parked());
            if let (Some(asked), Some(opened)) = (asked, opened.get(&question)) {
                *asked.opened_at = *opened;
            }
        }
    }
    for row in &loaded.rows {
        advance(&mut image, row.seq, &row.row)?;
    }
    image.turn.now = Now::Stored(image.at);
    Ok(image)
}

/// One row.
pub(crate) fn advance<G: Graph>(image: &mut Image<G>, seq: u64, row: &NewRow) -> Result<(), FoldError> {
    let body: Body = row::decode(&row.body).map_err(|error| FoldError::Codec { seq, error })?;
    // Before what is decided by it.
    image.turn.used = image.turn.used.and(body.used);
    apply(image, row, &body).map_err(|fault| FoldError::of(seq, fault))?;
    passed(image, row, &body);
    Ok(())
}

/// A row lies behind.
pub(in crate::engine) fn passed<G: Graph>(image: &mut Image<G>, row: &NewRow, body: &Body) {
    image.at = image.at.max(row.at);
    image.turn.id = row.turn;
    let claims = row.kind == RowKind::Claim && body.next.is_empty();
    if !claims && row.kind != RowKind::Stop {
        image.claims = 0;
    }
    // A question that is issued anew moves nothing.
    if row.kind != RowKind::Reissue {
        image.stopped.clone_from(&body.why);
    }
}

fn apply<G: Graph>(image: &mut Image<G>, row: &NewRow, body: &Body) -> Result<(), Fault> {
    let change = match row.kind {
        RowKind::Origin => return Err(Fault::Damaged("a forked thread is read from its snapshot")),
        RowKind::Input | RowKind::Edit => {
            close(image, body.closes.as_deref())?;
            if row.kind == RowKind::Input {
                image.begin_turn(row.turn);
                image.turn.settings = settings::<G>(body.settings.as_deref())?;
            } else {
                image.root.begin_behind();
            }
            write(image, body.update.as_deref())?;
            return image.root.begin(&mut Course::new(&mut image.turn, By::Row(body.next.iter()))).map(|_| ());
        }
        RowKind::Close => {
            close(image, body.closes.as_deref())?;
            image.root.cursor = Cursor::Closed;
            return Ok(());
        }
        RowKind::Stop => return Ok(()),
        RowKind::Claim if body.next.is_empty() => {
            image.claims = image.claims.saturating_add(1);
            if body.forgives {
                image.root.forgive();
            }
            if body.passes {
                image.root.pass();
            }
            return Ok(());
        }
        RowKind::Claim => Change::Reroute,
        RowKind::Step => Change::Step { update: Update::Stored(body.update.as_deref()), arm: 0 },
        RowKind::Park => Change::Park { question: body.question.clone().ok_or(NOT_TOLD)?, at: row.at },
        RowKind::Answer => Change::Answer { update: body.update.as_deref().ok_or(NOT_TOLD)?, arm: 0 },
        RowKind::Expire => Change::Expire,
        RowKind::Attempt => Change::Attempt(Trouble { failed: body.failed.clone().ok_or(NOT_TOLD)?, due: body.due }),
        RowKind::Failed => Change::Fail(body.failed.clone().ok_or(NOT_TOLD)?),
        RowKind::Reissue => {
            let address = find(image, &row.path)?;
            let asked = image.root.leaf(&address).and_then(|leaf| leaf.parked());
            let asked = asked.ok_or(Fault::Damaged("a question is issued anew where none is open"))?;
            *asked.question = body.question.clone().ok_or(NOT_TOLD)?;
            return Ok(());
        }
    };
    let address = find(image, &row.path)?;
    let mut course = Course::new(&mut image.turn, By::Row(body.next.iter()));
    image.root.advance(&address, change, &mut course).map(|_| ())
}

pub(in crate::engine) fn settings<G: Graph>(stored: Option<&RawValue>) -> Result<Option<TurnSettings>, Fault> {
    stored.map(TurnSettings::read::<G::Settings>).transpose().map_err(Fault::Codec)
}

const NOT_TOLD: Fault = Fault::Damaged("it lacks what its kind brings");

pub(in crate::engine) fn find<G: Graph>(image: &Image<G>, path: &str) -> Result<Vec<u32>, Fault> {
    let mut address = Vec::new();
    if image.root.find(path, &mut address) { Ok(address) } else { Err(Fault::Moved) }
}

/// Ends what is open, keeping what was committed, and writes what had to be closed.
pub(in crate::engine) fn close<G: Graph>(image: &mut Image<G>, closes: Option<&RawValue>) -> Result<(), Fault> {
    image.root.collapse();
    write(image, closes)
}

pub(in crate::engine) fn write<G: Graph>(image: &mut Image<G>, update: Option<&RawValue>) -> Result<(), Fault> {
    let Some(update) = update else { return Ok(()) };
    let update: Patch<G> = read::<G>(update)?;
    image.root.view.get_mut().apply(update);
    Ok(())
}

/// Refuses an image that stands where the graph has nothing any more.
pub(crate) fn refuse_gone<G: Graph>(image: &Image<G>) -> Result<(), FoldError> {
    image.gone().map_or(Ok(()), |missing| Err(FoldError::Missing { missing, graph: <G as NodeMeta>::NAME }))
}

fn finish<G: Graph>(mut image: Image<G>, loaded: &Loaded) -> Result<Image<G>, FoldError> {
    // A turn that is over stands nowhere: the exit that it took may be gone.
    if loaded.head.status != Status::Idle {
        refuse_gone(&image)?;
    }
    image.turn.id = loaded.head.turn;
    image.at = image.at.max(loaded.head.at);
    image.turn.now = Now::Stored(image.at);
    Ok(image)
}
