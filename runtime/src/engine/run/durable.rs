//! Steps made durable by compare-and-swap.

use std::sync::Arc;

use tokio::sync::Notify;

use crate::clock::Timestamp;
use crate::context::Context;
use crate::engine::acts::swap::{Desk, fold, send};
use crate::engine::log::row::{self, Body, CodecError, StopWhy, StoredQuestion};
use crate::engine::run::journal::Broken;
use crate::engine::run::trail::{Last, Trail};
use crate::engine::thread::guest::{Manner, Spot};
use crate::engine::thread::image::Image;
use crate::engine::thread::looks::Looks;
use crate::graph::Graph;
use crate::id::{CommitId, RunId, TurnId};
use crate::store::{
    Append, AppendError, AppendTarget, Appended, Head, Loaded, MAX_BYTES, NewQuestion, NewRow, Point, RowKind, Seq, Shut, Status,
    StoreError, Uid,
};
use crate::usage::Usage;

/// A snapshot is not written for less than so many bytes of rows.
const SNAPSHOT_FROM: u64 = 16 << 10;

/// A run that holds a thread.
#[derive(Debug)]
pub(crate) struct Durable {
    pub(crate) desk: Desk,
    pub(crate) uid: Uid,
    pub(crate) seq: Seq,
    pub(crate) run: RunId,
    pub(crate) turn: TurnId,
    pub(crate) at: Timestamp,
    /// Bytes of rows since the last snapshot.
    pub(crate) debt: u64,
    /// Size of the last snapshot.
    pub(crate) snapshot: u64,
    /// Whether the run has let the thread go.
    pub(crate) released: bool,
    /// Told when somebody in this process changed the thread.
    pub(crate) woken: Arc<Notify>,
    pub(crate) looks: Looks,
    /// What models cost that no row tells yet, once the run ends.
    pub(crate) used: Usage,
    /// What models cost that the rows of the commit under way tell.
    pub(crate) unsaid: Usage,
    /// What is done and not durable yet.
    pub(in crate::engine) trail: Trail,
}

impl Durable {
    pub(in crate::engine) fn now(&mut self) -> Timestamp {
        self.at = self.at.max(self.desk.clock.now());
        self.at
    }

    pub(in crate::engine) fn row(&self, kind: RowKind, spot: &Spot, body: &Body) -> Result<NewRow, CodecError> {
        let (path, place) = (spot.path.to_string(), spot.place.to_owned());
        Ok(NewRow { kind, turn: self.turn, run: Some(self.run), path, ord: spot.ord, place, at: self.at, body: row::encode(body)? })
    }

    pub(in crate::engine) fn stop_row(&self, why: StopWhy) -> Result<NewRow, CodecError> {
        let body = row::encode(&Body { why: Some(why), used: self.used, ..Body::EMPTY })?;
        let (turn, run, at) = (self.turn, Some(self.run), self.at);
        Ok(NewRow { kind: RowKind::Stop, turn, run, path: String::new(), ord: 0, place: String::new(), at, body })
    }

    pub(crate) fn head(&self, status: Status) -> Head {
        let (run, worker) = match status {
            Status::Running => (Some(self.run), Some(self.desk.store.worker())),
            _ => (None, None),
        };
        Head { status, run, worker, turn: self.turn, graph: self.desk.graph.clone(), at: self.at }
    }

    /// A whole image, when the rows since the last one outweigh it: so reading stays bounded, and writing at most doubles.
    /// Near the largest state it is made each time, so that the step that makes it too large is the one that is refused.
    pub(in crate::engine) fn snapshot<G: Graph>(&self, image: &Image<G>, rows: &[NewRow]) -> Result<Option<Vec<u8>>, CodecError> {
        let debt = self.debt.saturating_add(self.trail.bytes()).saturating_add(bytes(rows));
        if debt <= self.snapshot.max(SNAPSHOT_FROM) && debt.saturating_add(self.snapshot) <= MAX_BYTES as u64 {
            return Ok(None);
        }
        image.snapshot().map(Some).map_err(|error| match error {
            CodecError::TooLarge(bytes) => CodecError::StateTooLarge(bytes),
            other => other,
        })
    }

    /// Appends, or says why that was not done although this run still holds the thread.
    pub(in crate::engine) async fn append(&mut self, plan: Plan) -> Result<Result<Seq, NotKept>, Broken> {
        let (bytes, status) = (bytes(&plan.rows), plan.status);
        let size = plan.snapshot.as_ref().map(|body| body.len() as u64);
        let append = self.appending(plan);
        let sent = send(&self.desk, append).await.came;
        match self.appended(sent, size, bytes, status)? {
            Ok(seq) => Ok(Ok(seq)),
            Err(Some(error)) => Ok(Err(NotKept::Codec(error))),
            Err(None) => self.look_again().await.map(|loaded| Err(NotKept::Conflict(loaded))),
        }
    }

    pub(in crate::engine) fn appending(&self, plan: Plan) -> Append {
        let mut head = self.head(plan.status);
        if plan.left {
            // Not this run's any more, so that it writes nothing behind it.
            (head.run, head.worker) = (Some(RunId(self.desk.ids.fresh())), None);
        }
        Append {
            target: AppendTarget::At { scope: self.desk.scope_hash, uid: self.uid, seq: self.seq },
            commit: CommitId(self.desk.ids.fresh()),
            head,
            rows: plan.rows,
            opens: plan.opens,
            shuts: plan.shuts,
            snapshot: plan.snapshot,
            request: None,
        }
    }

    /// What a store said: the version now, or what cannot be kept; nothing if the thread moved on.
    pub(in crate::engine) fn appended(
        &mut self,
        sent: Result<Appended, AppendError>,
        snapshot: Option<u64>,
        bytes: u64,
        status: Status,
    ) -> Result<Result<Seq, Option<CodecError>>, Broken> {
        match sent {
            Ok(appended) => {
                self.seq = appended.seq;
                match snapshot {
                    Some(size) => (self.debt, self.snapshot) = (0, size),
                    None => self.debt = self.debt.saturating_add(bytes),
                }
                self.released = status != Status::Running;
                Ok(Ok(self.seq))
            }
            Err(AppendError::Conflict) => Ok(Err(None)),
            Err(AppendError::Gone | AppendError::Exists | AppendError::Deleted(_) | AppendError::Duplicate(_)) => {
                self.lose();
                Err(Broken::Displaced)
            }
            Err(AppendError::TooLarge { bytes, .. }) => Ok(Err(Some(CodecError::TooLarge(bytes)))),
            Err(AppendError::TooMany { what, count, limit }) => Ok(Err(Some(CodecError::TooMany { what, count, limit }))),
            Err(AppendError::Invalid(what)) => Ok(Err(Some(CodecError::Lossy(what.to_owned())))),
            Err(AppendError::Unknown) => Err(Broken::Store(StoreError::Io("the reply to a commit was lost again and again".into()))),
            Err(AppendError::Store(error)) => Err(Broken::Store(error)),
        }
    }

    /// Writes why the run ends, and lets the thread go: it stops, or is left to whoever takes it up.
    pub(crate) async fn release(&mut self, why: StopWhy) -> Result<Seq, Broken> {
        self.now();
        let Last { plan: mut before, mut told, lost, mut unsaid } = self.last_of_trail().await?;
        let mut used = self.used.and(lost);
        loop {
            let seq = self.seq;
            // Where nobody was faster, what was sent and not waited for was not written.
            self.used = used.and(unsaid);
            let rows = vec![self.stop_row(why.clone()).map_err(unkept)?];
            let left = why == StopWhy::StoreFailed;
            let status = if left { Status::Running } else { Status::Stopped };
            let mut plan = Plan { left, ..Plan::new(rows, status) };
            plan.put_before(std::mem::take(&mut before));
            match self.append(plan).await? {
                Ok(seq) => return Ok(seq),
                // What trailed is lost with its run: it was planned on another thread than there is now.
                Err(NotKept::Conflict(loaded)) => {
                    used = used.and(std::mem::take(&mut told));
                    let mut rows = loaded.rows.iter().filter(|row| row.seq > seq);
                    let is_written = rows.any(|row| row.row.run == Some(self.run)) || loaded.snapshot.is_some_and(|image| image.seq > seq);
                    if is_written {
                        unsaid = Usage::default();
                    }
                }
                Err(NotKept::Codec(error)) => return Err(unkept(error)),
            }
        }
    }

    /// After a conflict: the thread as it is now, if this run still holds it.
    pub(in crate::engine) async fn look_again(&mut self) -> Result<Box<Loaded>, Broken> {
        let loaded = self.desk.store.load(&self.desk.key_of(self.uid), Point::Head).await.map_err(Broken::Store)?;
        let Some(loaded) = loaded else {
            self.lose();
            return Err(Broken::Displaced);
        };
        if loaded.head.run != Some(self.run) {
            self.lose();
            return Err(self.lost_to(&loaded));
        }
        self.seq = loaded.seq;
        self.at = self.at.max(loaded.head.at);
        Ok(Box::new(loaded))
    }

    /// Nothing more of this run is written.
    fn lose(&mut self) {
        self.released = true;
        self.trail = Trail::default();
    }

    /// How this run lost its thread: the last row tells, unless others came behind it.
    pub(in crate::engine) fn lost_to(&self, loaded: &Loaded) -> Broken {
        let last = loaded.rows.last().filter(|row| row.row.turn == self.turn);
        let why = last.and_then(|row| row::decode::<Body>(&row.row.body).ok()).and_then(|body| body.why);
        match why {
            Some(why @ (StopWhy::Cancelled | StopWhy::Abandoned)) => Broken::EndedBy(why),
            _ => Broken::Displaced,
        }
    }

    pub(in crate::engine) fn refold<G: Graph>(&self, image: &mut Image<G>, loaded: &Loaded) -> Result<(), Broken> {
        let run = image.turn.run;
        *image = fold::<G>(&self.desk, loaded).map_err(|error| Broken::Store(StoreError::Io(error.to_string())))?;
        image.turn.run = run;
        Ok(())
    }

    /// What was not committed is forgotten, but for what trails.
    pub(in crate::engine) async fn take_back<G: Graph>(&mut self, image: &mut Image<G>, cx: &Context<G::Deps>) {
        let _told_at_the_next_commit = self.land(image, cx, true).await;
        if let Ok(Some(loaded)) = self.desk.store.load(&self.desk.key_of(self.uid), Point::Head).await
            && self.refold(image, &loaded).is_ok()
        {
            let _kept_as_it_is = self.plan_again(image, cx);
        }
    }
}

/// What is too large to be told is the store's fault, and nobody's else.
fn unkept(error: CodecError) -> Broken {
    Broken::Store(StoreError::Io(error.to_string()))
}

pub(in crate::engine) fn bytes(rows: &[NewRow]) -> u64 {
    rows.iter().map(|row| row.body.len() as u64).sum()
}

/// Why an append was not made although the thread is still this run's.
pub(in crate::engine) enum NotKept {
    /// The thread moved on: it is this now.
    Conflict(Box<Loaded>),
    Codec(CodecError),
}

/// One commit.
pub(in crate::engine) struct Plan {
    pub(in crate::engine) rows: Vec<NewRow>,
    pub(in crate::engine) status: Status,
    pub(in crate::engine) opens: Vec<NewQuestion>,
    pub(in crate::engine) shuts: Vec<Shut>,
    pub(in crate::engine) snapshot: Option<Vec<u8>>,
    /// The thread is nobody's behind it, although something can run.
    pub(in crate::engine) left: bool,
}

impl Plan {
    pub(in crate::engine) fn new(rows: Vec<NewRow>, status: Status) -> Self {
        Self { rows, status, opens: Vec::new(), shuts: Vec::new(), snapshot: None, left: false }
    }

    /// What comes before it in the same commit.
    pub(in crate::engine) fn put_before(&mut self, before: Self) {
        self.rows.splice(0..0, before.rows);
        self.opens.splice(0..0, before.opens);
        self.shuts.splice(0..0, before.shuts);
    }
}

impl Default for Plan {
    fn default() -> Self {
        Self::new(Vec::new(), Status::Running)
    }
}

/// A question that opens.
pub(in crate::engine) fn new_question(spot: &Spot, question: &StoredQuestion, manner: Option<Manner>) -> Result<NewQuestion, CodecError> {
    Ok(NewQuestion {
        id: question.id,
        generation: question.generation,
        path: spot.path.to_string(),
        place: spot.place.to_owned(),
        digest: question_digest(&question.asked),
        expires: question.expires,
        expiry_way: manner.is_some_and(|manner| manner.expiry_way),
        labels: question.labels.clone(),
        body: row::encode(question)?,
        // Of the rest there is nobody to tell, so nothing waits in the outbox.
        notify: manner.is_some_and(|manner| manner.notifies),
    })
}

/// What a token is bound to: the question as it was shown.
pub(crate) fn question_digest(asked: &serde_json::Value) -> [u8; 32] {
    let mut hasher = crate::digest::Hasher::new(b"graphwright asked v1");
    hasher.field(crate::digest::canonical_json(asked).as_bytes());
    hasher.finish()
}
