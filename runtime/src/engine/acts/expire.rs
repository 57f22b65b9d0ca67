//! Questions whose time is up: commits that take their ways `on expiry`.

use crate::app::RunError;
use crate::engine::acts::answer::{hold, moved};
use crate::engine::acts::claim::{frame_row, is_due};
use crate::engine::acts::registry::wake;
use crate::engine::acts::swap::{Desk, Plan, Planned, View, swap};
use crate::engine::change::course::Change;
#[cfg(debug_assertions)]
use crate::engine::log::check::reads_back;
use crate::engine::log::row::Body;
use crate::engine::thread::guest::Activation as _;
use crate::engine::thread::image::Image;
use crate::graph::Graph;
use crate::id::{QuestionId, RunId};
use crate::store::{Appended, Fate, Head, RowKind, Shut, ThreadKey};

/// What expired.
pub(crate) struct Expired<G: Graph> {
    pub(crate) image: Image<G>,
    pub(crate) questions: Vec<QuestionId>,
    held: Option<Head>,
}

/// Takes the ways of all questions of a thread whose time is up. None if there are none.
pub(crate) async fn expire<G: Graph>(desk: &Desk, key: &ThreadKey) -> Result<Option<(Expired<G>, Appended)>, RunError> {
    let free = RunId(desk.ids.fresh());
    let (expired, appended) = swap::<G, _>(desk, key, &[], |view| plan(desk, free, view)).await?;
    let Some(appended) = appended else { return Ok(None) };
    #[cfg(debug_assertions)]
    reads_back(desk, appended.uid, appended.seq, &expired.image).await;
    if let Some(holder) = &expired.held {
        wake(holder);
    }
    Ok(Some((expired, appended)))
}

fn plan<G: Graph>(desk: &Desk, free: RunId, view: View<G>) -> Result<Planned<Expired<G>>, RunError> {
    view.there()?;
    let View { loaded, mut image, owned, at, .. } = view;
    let loaded = loaded.ok_or(RunError::NoThread)?;
    let (mut rows, mut shuts, mut questions) = (Vec::new(), Vec::new(), Vec::new());
    for (address, id) in image.questions() {
        // One that expired before it may have closed its frame.
        let Some(leaf) = image.root.leaf(address.branches()) else { continue };
        let (spot, expiry_way) = (leaf.spot(), leaf.manner().is_some_and(|manner| manner.expiry_way));
        let Some(asked) = leaf.parked().filter(|asked| asked.question.id == id && is_due(asked.question.expires, at)) else { continue };
        let generation = asked.question.generation;
        if !expiry_way {
            continue;
        }
        let (next, why) = moved(desk, &mut image, &address, Change::Expire, at)?;
        let body = Body { next, shut: Some(id), why, ..Body::EMPTY };
        rows.push(frame_row(RowKind::Expire, image.turn.id, &spot, at, &body)?);
        shuts.push(Shut { id, generation, to: Fate::Expired });
        questions.push(id);
    }
    let held = owned.then(|| loaded.head.clone());
    if rows.is_empty() {
        return Ok(Planned::Nothing(Expired { image, questions, held }));
    }
    let head = hold(desk, &image, at, held.as_ref(), None, free)?;
    let out = Expired { image, questions, held };
    Ok(Planned::Change(Box::new(Plan { rows, head, opens: Vec::new(), shuts, snapshot: None, request: None, out })))
}
