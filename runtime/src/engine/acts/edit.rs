//! The state changed from outside, as if a place had done it: a commit of its own.

use crate::app::RunError;
use crate::engine::acts::claim::{begin_behind, busy, close, head, new_row};
use crate::engine::acts::swap::{Desk, Plan, Planned, View, swap};
#[cfg(debug_assertions)]
use crate::engine::log::check::reads_back;
use crate::engine::log::names;
use crate::engine::log::row::{self, Body};
use crate::engine::run::drive::caught_now;
use crate::engine::thread::frame::{Cursor, Tail};
use crate::engine::thread::image::Image;
use crate::graph::{Graph, Patch};
use crate::state::{Closing, Ingest, State};
use crate::store::{Fate, RowKind, Seq, ThreadKey};
use crate::topology::{Origin, WayKind};
use crate::turn::Now;

/// More arms than any place has.
const ARMS: u16 = 1_024;

/// What is changed, and behind which place the thread goes on.
pub(crate) struct Edit<G: Graph> {
    pub(crate) at: G::At,
    /// What the place chose, where it chooses its way.
    pub(crate) chose: Option<String>,
    pub(crate) update: Patch<G>,
}

/// Closes what is open, writes the update, and takes the place's way, which runs nothing.
pub(crate) async fn edit<G: Graph>(desk: &Desk, key: &ThreadKey, edit: &Edit<G>) -> Result<Seq, RunError> {
    let (_image, appended) = swap::<G, _>(desk, key, &[], |view| plan(desk, edit, view)).await?;
    let appended = appended.ok_or(RunError::NoThread)?;
    #[cfg(debug_assertions)]
    reads_back(desk, appended.uid, appended.seq, &_image).await;
    Ok(appended.seq)
}

fn plan<G: Graph>(desk: &Desk, edit: &Edit<G>, view: View<G>) -> Result<Planned<Image<G>>, RunError> {
    view.there()?;
    if view.owned {
        return Err(busy(view.there()?));
    }
    let View { mut image, at, .. } = view;
    if matches!(image.root.cursor, Cursor::Fork(_)) {
        return Err(RunError::ForkOpen);
    }
    let shuts = image.shuts(|_| Fate::Superseded);
    let turn = image.turn.id;
    let mut ingest = Ingest::new(&*desk.ids, at, turn);
    let closes = close(&mut image, Closing::Edited, &mut ingest)?;
    let ord = image.root.ord;
    image.root.begin_behind();
    let update = image.state().ingest(edit.update.clone(), &mut ingest);
    let (update, patch) = row::settle(&update).map_err(RunError::Input)?;
    image.root.write(patch);
    image.turn.now = Now::Stored(at);
    (image.at, image.claims, image.stopped) = (at, 0, None);
    let arm = arm(&image, edit)?;
    let next = begin_behind(&mut image, Tail::Place(edit.at, arm), &*desk.ids, true)?;
    let body = Body { closes, update: Some(update), next, ..Body::EMPTY };
    let row = new_row(RowKind::Edit, turn, None, ord, names::name::<G>(edit.at), at, &body)?;
    let head = head(desk, &image, at, None);
    Ok(Planned::Change(Box::new(Plan { shuts, ..Plan::new(row, head, image) })))
}

/// The number of the arm: the one whose way bears the label.
fn arm<G: Graph>(image: &Image<G>, edit: &Edit<G>) -> Result<u16, RunError> {
    let (place, number) = (names::name::<G>(edit.at), u16::try_from(G::index(edit.at)).unwrap_or(u16::MAX));
    let mut labels: Vec<&str> = Vec::new();
    for (_, way) in G::TOPOLOGY.ways_out_of(Origin::Place(number)) {
        if let WayKind::Arm { router: None, label } = way.kind {
            labels.extend(label.split('|').map(str::trim));
        }
    }
    let Some(chose) = &edit.chose else {
        if labels.is_empty() {
            return Ok(0);
        }
        let what = format!("`{place}` chooses its way: say which with `.choosing(..)`, one of {}", labels.join(", "));
        return Err(RunError::NoWay { what });
    };
    let leads = |arm: &u16| {
        let next = caught_now(|| G::next(edit.at, *arm, image.state(), &image.turn)).ok()?;
        let way = G::TOPOLOGY.ways.get(usize::from(next.way))?;
        match way.kind {
            WayKind::Arm { router: None, label } | WayKind::Else { label, .. } => Some(label.split('|').any(|label| label.trim() == chose)),
            _ => None,
        }
    };
    let found = (0..ARMS).find(|arm| leads(arm) == Some(true));
    found.ok_or_else(|| {
        let known = if labels.is_empty() { "it chooses nothing".to_owned() } else { format!("it knows {}", labels.join(", ")) };
        RunError::NoWay { what: format!("`{place}` has no arm `{chose}`: {known}") }
    })
}
