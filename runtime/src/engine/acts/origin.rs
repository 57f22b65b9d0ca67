//! A thread forked from another as it was at one of its rows.

use crate::app::RunError;
use crate::clock::Timestamp;
use crate::engine::acts::claim::{head, new_row};
use crate::engine::acts::swap::{Desk, Plan, Planned, load_past, swap};
use crate::engine::log::fold::refuse_gone;
use crate::engine::log::row::Body;
use crate::engine::run::durable::new_question;
use crate::engine::thread::guest::Activation as _;
use crate::engine::thread::image::Image;
use crate::graph::Graph;
use crate::id::ThreadId;
use crate::node::NodeMeta;
use crate::store::{By, NewQuestion, RowKind, Seq, ThreadKey};

/// Copies the image at row `seq` into a thread of its own: nothing that happens to one of them, retention and deletion
/// included, is seen in the other.
pub(crate) async fn fork<G: Graph>(desk: &Desk, from: &ThreadKey, seq: Seq, to: &ThreadId) -> Result<(), RunError> {
    let (loaded, mut image) = load_past::<G>(desk, from, seq).await?;
    refuse_gone(&image).map_err(|gone| RunError::GraphChanged { graph: <G as NodeMeta>::NAME, what: gone.to_string() })?;
    let opens = ask_again(desk, &mut image)?;
    image.claims = 0;
    let snapshot = image.snapshot().map_err(RunError::Input)?;
    let key = ThreadKey { scope: desk.scope_hash, by: By::Name(to.clone()) };
    let (_, appended) = swap::<G, _>(desk, &key, &[], |view| {
        if view.loaded.is_some() {
            return Err(RunError::Exists { thread: to.clone() });
        }
        let body = Body { origin: Some((loaded.name.clone(), seq)), why: image.stopped.clone(), ..Body::EMPTY };
        let row = new_row(RowKind::Origin, image.turn.id, None, 0, "", view.at, &body)?;
        let head = head(desk, &image, view.at, None);
        let plan = Plan { opens: opens.clone(), snapshot: Some(snapshot.clone()), ..Plan::new(row, head, ()) };
        Ok(Planned::Change(Box::new(plan)))
    })
    .await?;
    appended.map(|_| ()).ok_or(RunError::NoThread)
}

/// Every question that was open is asked anew: by a record of its own, first generation, with the time that was left.
fn ask_again<G: Graph>(desk: &Desk, image: &mut Image<G>) -> Result<Vec<NewQuestion>, RunError> {
    let (then, now) = (image.at, desk.clock.now().max(Timestamp::default()));
    let mut opens = Vec::new();
    for (address, _) in image.questions() {
        let Some(leaf) = image.root.leaf(address.branches()) else { continue };
        let (spot, manner) = (leaf.spot(), leaf.manner());
        let Some(asked) = leaf.parked() else { continue };
        asked.question.generation = 0;
        asked.question.expires = asked.question.expires.map(|expires| now.after(expires.since(then)));
        *asked.opened_at = now;
        opens.push(new_question(&spot, asked.question, manner).map_err(RunError::Input)?);
    }
    image.at = now;
    Ok(opens)
}
