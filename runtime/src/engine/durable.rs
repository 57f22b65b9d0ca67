//! Steps made durable by compare-and-swap.

use crate::clock::Timestamp;
use crate::context::Context;
use crate::engine::drive::caught_now;
use crate::engine::image::{Cursor, Image, Parked, budget_taken, name, question_id};
use crate::engine::journal::{Asked, Broken, Journal, Moved, never};
use crate::engine::row::{self, Body, CodecError, StopWhy, StoredQuestion};
use crate::engine::swap::{Desk, fold, send};
use crate::graph::{Graph, Patch};
use crate::id::{CommitId, RunId, TurnId};
use crate::node::Asking;
use crate::state::{Ingest, State};
use crate::store::{
    Append, AppendError, AppendTarget, Head, Loaded, MAX_BYTES, NewQuestion, NewRow, Point, RowKind, Seq, Status, StoreError, Uid,
};
use crate::turn::Now;

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
}

impl Durable {
    fn now(&mut self) -> Timestamp {
        self.at = self.at.max(self.desk.clock.now());
        self.at
    }

    fn row(&self, kind: RowKind, ord: u64, place: &str, body: &Body) -> Result<NewRow, Broken> {
        let body = row::encode(body).map_err(Broken::Codec)?;
        Ok(NewRow { kind, turn: self.turn, run: Some(self.run), path: String::new(), ord, place: place.to_owned(), at: self.at, body })
    }

    fn head(&self, status: Status) -> Head {
        let (run, worker) = match status {
            Status::Running => (Some(self.run), Some(self.desk.store.worker())),
            _ => (None, None),
        };
        Head { status, run, worker, turn: self.turn, graph: self.desk.graph.clone(), at: self.at }
    }

    /// A whole image, when the rows since the last one outweigh it: so reading stays bounded, and writing at most doubles.
    /// Near the largest state it is made each time, so that the step that makes it too large is the one that is refused.
    fn snapshot<G: Graph>(&self, image: &Image<G>, rows: &[NewRow]) -> Result<Option<Vec<u8>>, Broken> {
        let debt = self.debt.saturating_add(bytes(rows));
        if debt <= self.snapshot.max(SNAPSHOT_FROM) && debt.saturating_add(self.snapshot) <= MAX_BYTES as u64 {
            return Ok(None);
        }
        image.snapshot().map(Some).map_err(|error| match error {
            CodecError::TooLarge(bytes) => Broken::Codec(CodecError::StateTooLarge(bytes)),
            other => Broken::Codec(other),
        })
    }

    /// Appends, or gives the thread as it is now: it moved on under this run, which still holds it.
    async fn append(
        &mut self,
        rows: Vec<NewRow>,
        status: Status,
        opens: Vec<NewQuestion>,
        snapshot: Option<Vec<u8>>,
    ) -> Result<Result<Seq, Box<Loaded>>, Broken> {
        let bytes = bytes(&rows);
        let size = snapshot.as_ref().map(|body| body.len() as u64);
        let append = Append {
            target: AppendTarget::At { scope: self.desk.scope_hash, uid: self.uid, seq: self.seq },
            commit: CommitId(self.desk.ids.fresh()),
            rows,
            head: self.head(status),
            opens,
            shuts: Vec::new(),
            snapshot,
            request: None,
        };
        match send(&self.desk, append).await {
            Ok(appended) => {
                self.seq = appended.seq;
                match size {
                    Some(size) => (self.debt, self.snapshot) = (0, size),
                    None => self.debt = self.debt.saturating_add(bytes),
                }
                self.released = status != Status::Running;
                Ok(Ok(self.seq))
            }
            Err(AppendError::Conflict) => self.look_again().await.map(Err),
            Err(AppendError::Gone | AppendError::Exists | AppendError::Deleted(_) | AppendError::Duplicate(_)) => {
                self.released = true;
                Err(Broken::Displaced)
            }
            Err(AppendError::TooLarge { bytes, .. }) => Err(Broken::Codec(CodecError::TooLarge(bytes))),
            Err(AppendError::TooMany { what, count, limit }) => Err(Broken::Codec(CodecError::TooMany { what, count, limit })),
            Err(AppendError::Invalid(what)) => Err(Broken::Codec(CodecError::Lossy(what.to_owned()))),
            Err(AppendError::Unknown) => Err(Broken::Store(StoreError::Io("the reply to a commit was lost again and again".into()))),
            Err(AppendError::Store(error)) => Err(Broken::Store(error)),
        }
    }

    /// Writes why the run ends, and lets the thread go.
    pub(crate) async fn release(&mut self, why: StopWhy) -> Result<Seq, Broken> {
        self.now();
        loop {
            let body = Body { why: Some(why.clone()), ..Body::EMPTY };
            let rows = vec![self.row(RowKind::Stop, 0, "", &body)?];
            if let Ok(seq) = self.append(rows, Status::Stopped, Vec::new(), None).await? {
                return Ok(seq);
            }
        }
    }

    /// After a conflict: the thread as it is now, if this run still holds it.
    async fn look_again(&mut self) -> Result<Box<Loaded>, Broken> {
        let loaded = self.desk.store.load(&self.desk.key_of(self.uid), Point::Head).await.map_err(Broken::Store)?;
        let Some(loaded) = loaded else {
            self.released = true;
            return Err(Broken::Displaced);
        };
        if loaded.head.run != Some(self.run) {
            self.released = true;
            return Err(self.lost_to(&loaded));
        }
        self.seq = loaded.seq;
        self.at = self.at.max(loaded.head.at);
        Ok(Box::new(loaded))
    }

    /// How this run lost its thread: the last row tells, unless others came behind it.
    fn lost_to(&self, loaded: &Loaded) -> Broken {
        let last = loaded.rows.last().filter(|row| row.row.turn == self.turn);
        let why = last.and_then(|row| row::decode::<Body>(&row.row.body).ok()).and_then(|body| body.why);
        match why {
            Some(why @ (StopWhy::Cancelled | StopWhy::Abandoned)) => Broken::EndedBy(why),
            _ => Broken::Displaced,
        }
    }

    fn refold<G: Graph>(&self, image: &mut Image<G>, loaded: &Loaded) -> Result<(), Broken> {
        let run = image.turn.run;
        *image = fold::<G>(&self.desk, loaded).map_err(|error| Broken::Store(StoreError::Io(error.to_string())))?;
        image.turn.run = run;
        Ok(())
    }

    /// What was not committed is forgotten.
    async fn take_back<G: Graph>(&self, image: &mut Image<G>) {
        if let Ok(Some(loaded)) = self.desk.store.load(&self.desk.key_of(self.uid), Point::Head).await {
            let _kept_as_it_is = self.refold(image, &loaded);
        }
    }
}

impl<G: Graph> Journal<G> for Durable {
    async fn step(&mut self, image: &mut Image<G>, cx: &Context<G::Deps>, at: G::At, patch: Patch<G>, arm: u16) -> Result<Moved, Broken> {
        let place = name::<G>(at);
        let ord = image.turn.steps;
        let now = self.now();
        let patch = image.state.ingest(patch, &mut Ingest::new(&*cx.info().ids, now, self.turn));
        let (raw, mut patch) = row::settle(&patch).map_err(Broken::Codec)?;
        loop {
            image.turn.now = Now::Stored(now);
            image.at = now;
            image.state.apply(patch);
            image.stopped = None;
            image.turn.steps = ord.saturating_add(1);
            let routed = caught_now(|| G::next(at, arm, &image.state, &image.turn));
            let unrouted = match &routed {
                Ok(next) => {
                    image.go(at, arm, *next);
                    matches!(image.cursor, Cursor::Unrouted { .. }).then(never)
                }
                Err(panic) => {
                    image.cursor = Cursor::Unrouted { at, arm };
                    Some(format!("its router panicked: {panic}"))
                }
            };
            let taken = routed.as_ref().ok().and_then(|next| next.budget).map(|budget| budget_taken::<G>(&image.turn, budget));
            let body =
                Body { update: Some(raw.clone()), next: Some(image.stored_cursor()), taken, why: image.stopped.clone(), ..Body::EMPTY };
            let mut rows = vec![self.row(RowKind::Step, ord, place, &body)?];
            let status = match (&unrouted, image.is_runnable()) {
                (Some(error), _) => {
                    let why = StopWhy::Unrouted { place: place.to_owned(), error: error.clone() };
                    rows.push(self.row(RowKind::Stop, ord, place, &Body { why: Some(why), ..Body::EMPTY })?);
                    Status::Stopped
                }
                (None, true) => Status::Running,
                (None, false) => image.resting(),
            };
            image.claims = 0;
            let appended = match self.snapshot(image, &rows) {
                Ok(snapshot) => self.append(rows, status, Vec::new(), snapshot).await,
                Err(broken) => Err(broken),
            };
            let loaded = match appended {
                Ok(Ok(seq)) => return Ok(Moved { seq: Some(seq), way: routed.ok().map(|next| next.way), unrouted }),
                Ok(Err(loaded)) => loaded,
                Err(broken) => {
                    self.take_back(image).await;
                    return Err(broken);
                }
            };
            // The thread moved on and is still ours: the body counts if the frame still stands where it stood.
            self.refold(image, &loaded)?;
            if image.turn.steps != ord || !matches!(image.cursor, Cursor::At(now_at) if now_at == at) {
                return Ok(Moved { seq: Some(self.seq), way: None, unrouted: None });
            }
            patch = serde_json::from_str(raw.get()).map_err(|e| Broken::Codec(CodecError::Lossy(e.to_string())))?;
        }
    }

    async fn park(&mut self, image: &mut Image<G>, _: &Context<G::Deps>, at: G::At, asking: Asking) -> Result<Asked, Broken> {
        let place = name::<G>(at);
        let ord = image.turn.steps;
        let now = self.now();
        let id = question_id(self.uid, self.turn, ord);
        let (_, asked) = row::settle(&asking.question).map_err(Broken::Codec)?;
        let question = StoredQuestion { id, generation: 0, asked: asked.clone(), labels: asking.labels.clone(), expires: None };
        loop {
            image.turn.steps = ord.saturating_add(1);
            image.turn.now = Now::Stored(now);
            image.at = now;
            image.claims = 0;
            image.cursor = Cursor::Parked(Box::new(Parked { at, question: question.clone(), opened_at: now }));
            let body = Body { next: Some(image.stored_cursor()), question: Some(question.clone()), ..Body::EMPTY };
            let rows = vec![self.row(RowKind::Park, ord, place, &body)?];
            let opens = vec![NewQuestion {
                id,
                generation: 0,
                path: String::new(),
                place: place.to_owned(),
                digest: question_digest(&question.asked),
                expires: None,
                expiry_way: false,
                labels: asking.labels.clone(),
                body: row::encode(&question).map_err(Broken::Codec)?,
                notify: true,
            }];
            let snapshot = self.snapshot(image, &rows)?;
            let loaded = match self.append(rows, Status::Paused, opens, snapshot).await? {
                Ok(seq) => return Ok(Asked { seq, question: id, content: asked }),
                Err(loaded) => loaded,
            };
            self.refold(image, &loaded)?;
            if image.turn.steps != ord || !matches!(image.cursor, Cursor::At(now_at) if now_at == at) {
                return Err(Broken::Displaced);
            }
        }
    }

    async fn stop(&mut self, why: StopWhy) -> Result<Seq, Broken> {
        self.release(why).await
    }
}

fn bytes(rows: &[NewRow]) -> u64 {
    rows.iter().map(|row| row.body.len() as u64).sum()
}

/// What a token is bound to: the question as it was shown.
pub(crate) fn question_digest(asked: &serde_json::Value) -> [u8; 32] {
    let mut hasher = crate::digest::Hasher::new(b"graphwright asked v1");
    hasher.field(crate::digest::canonical_json(asked).as_bytes());
    hasher.finish()
}
