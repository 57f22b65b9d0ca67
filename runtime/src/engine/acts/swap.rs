//! The one way in which a thread is changed from outside of a run: read, verify everything, swap, and on a conflict
//! all of it again (PROTOCOL R1, R4, R5).

use std::sync::Arc;
use std::time::Duration;

use crate::app::{Durability, RunError};
use crate::clock::{Clock, IdGen, Timestamp};
use crate::engine::acts::recent::{Known, Recent};
use crate::engine::acts::registry::owner_is_dead;
use crate::engine::log::fold::{self, FoldError};
use crate::engine::log::row::CodecError;
use crate::engine::run::drive::caught_now;
use crate::engine::run::durable::new_question;
use crate::engine::thread::guest::Activation as _;
use crate::engine::thread::image::Image;
use crate::graph::Graph;
use crate::id::{CommitId, QuestionId, Scope, ScopeHash, ThreadId, TurnId};
use crate::node::NodeMeta;
use crate::store::{
    Append, AppendError, AppendTarget, Appended, By, ErasedStore, GraphRef, Head, Loaded, NewQuestion, NewRow, Point, QuestionRow,
    QuestionState, RowKind, Seq, Shut, StoreError, ThreadKey, Uid,
};
use crate::turn::Now;

/// Conflicts in a row before giving up: each of them means that somebody else got on.
const TRIES: u32 = 16;
/// Lost replies in a row before giving up.
const RESENDS: u32 = 10;

/// Everything that changes threads of one app.
#[derive(Debug, Clone)]
pub(crate) struct Desk {
    pub(crate) store: Arc<dyn ErasedStore>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) ids: Arc<dyn IdGen>,
    /// None where only its hash is known: no thread begins there.
    pub(crate) scope: Option<Scope>,
    pub(crate) scope_hash: ScopeHash,
    pub(crate) graph: GraphRef,
    pub(crate) recent: Arc<Recent>,
    pub(crate) durability: Durability,
}

impl Desk {
    pub(crate) fn key(&self, name: &ThreadId) -> ThreadKey {
        ThreadKey { scope: self.scope_hash, by: By::Name(name.clone()) }
    }

    pub(crate) fn key_of(&self, uid: Uid) -> ThreadKey {
        ThreadKey { scope: self.scope_hash, by: By::Uid(uid) }
    }
}

/// A thread as it was read.
pub(crate) struct View<G: Graph> {
    pub(crate) loaded: Option<Loaded>,
    pub(crate) image: Image<G>,
    /// A run holds the thread, and its process is not known to be gone.
    pub(crate) owned: bool,
    /// The time that rows of this change carry; never before the thread's last.
    pub(crate) at: Timestamp,
    /// The records that were asked for, in that order.
    pub(crate) questions: Vec<Option<QuestionRow>>,
}

impl<G: Graph> View<G> {
    /// The thread must be there.
    pub(crate) fn there(&self) -> Result<&Loaded, RunError> {
        self.loaded.as_ref().ok_or(RunError::NoThread)
    }
}

/// A change that was verified.
pub(crate) struct Plan<T> {
    pub(crate) rows: Vec<NewRow>,
    pub(crate) head: Head,
    pub(crate) opens: Vec<NewQuestion>,
    pub(crate) shuts: Vec<Shut>,
    pub(crate) snapshot: Option<Vec<u8>>,
    pub(crate) request: Option<String>,
    pub(crate) out: T,
}

impl<T> Plan<T> {
    /// One row, and nothing about questions.
    pub(crate) fn new(row: NewRow, head: Head, out: T) -> Self {
        Self { rows: vec![row], head, opens: Vec::new(), shuts: Vec::new(), snapshot: None, request: None, out }
    }
}

/// What a plan comes to: a change, or an answer without one.
pub(crate) enum Planned<T> {
    Change(Box<Plan<T>>),
    Nothing(T),
}

/// Reads a thread, and refuses what is not this graph's.
pub(crate) async fn load<G: Graph>(desk: &Desk, key: &ThreadKey) -> Result<View<G>, RunError> {
    let (loaded, image) = match load_onto(desk, key).await? {
        Some((loaded, image)) => (Some(loaded), Some(image)),
        None => (desk.store.load(key, Point::Head).await?, None),
    };
    // No row is older than the time in which it is told.
    let now = desk.clock.now().max(Timestamp::default());
    let Some(loaded) = loaded else {
        let image = Image::new(TurnId::default(), Default::default(), Now::Stored(now));
        return Ok(View { loaded: None, image, owned: false, at: now, questions: Vec::new() });
    };
    let image = match image {
        Some(image) => image,
        None => fold::<G>(desk, &loaded)?,
    };
    let at = now.max(loaded.head.at);
    let owned = loaded.head.run.is_some() && !owner_is_dead(&desk.store, &loaded.head).await?;
    Ok(View { loaded: Some(loaded), image, owned, at, questions: Vec::new() })
}

/// A thread as this process left it, without a look at the store. Only the swap tells whether it still stands so.
fn known<G: Graph>(desk: &Desk, key: &ThreadKey) -> Option<View<G>> {
    let (loaded, image) = desk.recent.take(key).and_then(Known::into_image::<G>)?;
    if loaded.head.worker.is_some() || loaded.head.graph != desk.graph {
        desk.recent.put(desk.scope_hash, loaded, image);
        return None;
    }
    let image = fold::fold_onto(image, &loaded).ok()?;
    let at = desk.clock.now().max(loaded.head.at);
    Some(View { loaded: Some(loaded), image, owned: false, at, questions: Vec::new() })
}

/// What came behind an image that this process has. None if it has none, or if it does not fit: then all of it is read.
async fn load_onto<G: Graph>(desk: &Desk, key: &ThreadKey) -> Result<Option<(Loaded, Image<G>)>, RunError> {
    let Some((known, image)) = desk.recent.take(key).and_then(Known::into_image::<G>) else { return Ok(None) };
    let (uid, seq) = (known.uid, known.seq);
    let Some(loaded) = desk.store.load(key, Point::After(seq)).await? else { return Ok(None) };
    let follows = loaded.uid == uid && loaded.rows.len() as u64 == loaded.seq.saturating_sub(seq) && loaded.seq >= seq;
    if !follows || loaded.head.graph != desk.graph {
        return Ok(None);
    }
    let folded = caught_now(|| fold::fold_onto(image, &loaded));
    Ok(folded.ok().and_then(Result::ok).map(|image| (loaded, image)))
}

/// A thread as it was at a row, and when the row was written.
pub(crate) async fn load_past<G: Graph>(desk: &Desk, key: &ThreadKey, seq: Seq) -> Result<(Loaded, Image<G>), RunError> {
    let loaded = desk.store.load(key, Point::Seq(seq)).await?.ok_or(RunError::NoThread)?;
    let from_start = loaded.rows.first().is_some_and(|row| row.seq == 1 && row.row.kind != RowKind::Origin);
    if seq == 0 || seq > loaded.seq || (loaded.snapshot.is_none() && !from_start) {
        return Err(RunError::NoRow { seq, first: loaded.first_seq, last: loaded.seq });
    }
    let image = fold_by::<G>(desk, &loaded, fold::fold_past)?;
    Ok((loaded, image))
}

/// Folds what a store gave of the head, refusing what another graph or a newer one wrote.
pub(crate) fn fold<G: Graph>(desk: &Desk, loaded: &Loaded) -> Result<Image<G>, RunError> {
    fold_by(desk, loaded, fold::fold)
}

type Fold<G> = fn(&Loaded) -> Result<Image<G>, FoldError>;

fn fold_by<G: Graph>(desk: &Desk, loaded: &Loaded, fold: Fold<G>) -> Result<Image<G>, RunError> {
    let wrote = &loaded.head.graph;
    if wrote.name != desk.graph.name {
        return Err(RunError::OtherGraph { thread: loaded.name.clone(), wrote: wrote.name.clone(), graph: <G as NodeMeta>::NAME });
    }
    if wrote.version > desk.graph.version {
        return Err(RunError::GraphChanged {
            graph: <G as NodeMeta>::NAME,
            what: format!("version {} of the graph wrote the thread, and this is version {}", wrote.version, desk.graph.version),
        });
    }
    let folded = caught_now(|| fold(loaded));
    match folded {
        Ok(Ok(image)) => Ok(image),
        Ok(Err(error @ (FoldError::Missing { .. } | FoldError::Changed { .. }))) => {
            Err(RunError::GraphChanged { graph: <G as NodeMeta>::NAME, what: error.to_string() })
        }
        Ok(Err(error)) => Err(damaged(loaded, error.to_string())),
        Err(panic) => Err(damaged(loaded, format!("reading its state panicked: {panic}"))),
    }
}

fn damaged(loaded: &Loaded, what: String) -> RunError {
    RunError::Store(StoreError::Corrupt { thread: loaded.name.to_string(), seq: loaded.seq, what })
}

/// Plans on what is there now and swaps it in. `plan` verifies everything, each time anew; what it refuses has written nothing.
pub(crate) async fn swap<G: Graph, T: Send>(
    desk: &Desk,
    key: &ThreadKey,
    wanted: &[QuestionId],
    plan: impl FnMut(View<G>) -> Result<Planned<T>, RunError> + Send,
) -> Result<(T, Option<Appended>), RunError> {
    let mut plan = plan;
    let commit = CommitId(desk.ids.fresh());
    // A name whose last thread was deleted a short while ago is taken over knowingly.
    let mut over = None;
    for attempt in 0..TRIES {
        let known = if attempt == 0 { known::<G>(desk, key) } else { None };
        let is_known = known.is_some();
        let mut view = match known {
            Some(view) => view,
            None => load::<G>(desk, key).await?,
        };
        if let Some(loaded) = &view.loaded {
            for id in wanted {
                let open = if is_known { record(desk, loaded, &mut view.image, *id) } else { None };
                let record = match open {
                    Some(open) => Some(open),
                    None => desk.store.question(desk.scope_hash, loaded.uid, *id).await?,
                };
                view.questions.push(record);
            }
        }
        let target = match (&view.loaded, &key.by) {
            (Some(loaded), _) => Some(AppendTarget::At { scope: desk.scope_hash, uid: loaded.uid, seq: loaded.seq }),
            (None, By::Name(name)) => desk.scope.clone().map(|scope| AppendTarget::New { scope, name: name.clone(), over }),
            (None, By::Uid(_) | By::At(..)) => return Err(RunError::NoThread),
        };
        let planned = caught_now(|| plan(view));
        if is_known && !matches!(planned, Ok(Ok(Planned::Change(_)))) {
            // No swap follows, so nothing would tell that it stands otherwise by now.
            continue;
        }
        let plan = match planned {
            Ok(planned) => match planned? {
                Planned::Change(plan) => *plan,
                Planned::Nothing(out) => return Ok((out, None)),
            },
            Err(panic) => return Err(RunError::Panicked { place: None, what: panic }),
        };
        let append = Append {
            target: target.ok_or(RunError::ScopeUnknown)?,
            commit,
            rows: plan.rows,
            head: plan.head,
            opens: plan.opens,
            shuts: plan.shuts,
            snapshot: plan.snapshot,
            request: plan.request,
        };
        let Sent { came, again } = send(desk, append).await;
        match came {
            Ok(appended) => return Ok((plan.out, Some(appended))),
            Err(AppendError::Conflict | AppendError::Exists) => {
                over = None;
                if attempt > 1 {
                    tokio::task::yield_now().await;
                }
            }
            // It may have been written when it was sent before, and somebody deleted it since: what is deleted does not come back.
            Err(AppendError::Gone | AppendError::Deleted(_)) if again => return Err(RunError::Unknown),
            // What is known may be old: only what was read is refused for good.
            Err(AppendError::Gone | AppendError::TooMany { .. } | AppendError::Invalid(_) | AppendError::TooLarge { .. }) if is_known => {}
            Err(AppendError::Gone) => return Err(RunError::NoThread),
            Err(AppendError::Duplicate(seq)) => return Err(RunError::Duplicate { seq }),
            Err(AppendError::Deleted(tombstone)) => over = Some(tombstone),
            Err(AppendError::TooMany { what, count, limit }) => return Err(RunError::Input(CodecError::TooMany { what, count, limit })),
            Err(AppendError::Invalid(what)) => return Err(RunError::Input(CodecError::Lossy(what.to_owned()))),
            Err(AppendError::TooLarge { bytes, limit }) => return Err(RunError::TooLarge { bytes, limit }),
            Err(AppendError::Unknown) => return Err(RunError::Unknown),
            Err(AppendError::Store(error)) => return Err(error.into()),
        }
    }
    Err(RunError::Contended { tries: TRIES })
}

/// The record of a question that is open, as its thread tells it: whatever changes a record is a row of the thread.
fn record<G: Graph>(desk: &Desk, loaded: &Loaded, image: &mut Image<G>, id: QuestionId) -> Option<QuestionRow> {
    let (address, _) = image.questions().into_iter().find(|(_, open)| *open == id)?;
    let leaf = image.root.leaf(address.branches())?;
    let (spot, manner, asked) = (leaf.spot(), leaf.manner(), leaf.parked()?);
    Some(QuestionRow {
        scope: desk.scope_hash,
        uid: loaded.uid,
        thread: loaded.name.clone(),
        question: new_question(&spot, asked.question, manner).ok()?,
        state: QuestionState::Open,
        // Not later.
        opened: loaded.seq,
        opened_at: *asked.opened_at,
        closed: None,
        answer: None,
        graph: loaded.head.graph.clone(),
    })
}

/// What became of an append.
pub(crate) struct Sent {
    pub(crate) came: Result<Appended, AppendError>,
    /// A reply was lost, and it was sent again.
    pub(crate) again: bool,
}

/// Sends an append until the store says what became of it.
pub(crate) async fn send(desk: &Desk, append: Append) -> Sent {
    let mut pause = Duration::from_millis(5);
    for sent in 0..RESENDS {
        match desk.store.append(append.clone()).await {
            Err(AppendError::Unknown) => {
                tokio::time::sleep(pause).await;
                pause = (pause * 2).min(Duration::from_secs(2));
            }
            came => return Sent { came, again: sent > 0 },
        }
    }
    Sent { came: Err(AppendError::Unknown), again: true }
}
