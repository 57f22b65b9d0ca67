//! One life of a thread.

use std::collections::{BTreeMap, HashMap};

use crate::clock::Timestamp;
use crate::id::{CommitId, QuestionId, ScopeHash, ThreadId};
use crate::store::limits::{SKEW, YOUNG};
use crate::store::{
    Append, AppendError, Fate, Head, Loaded, NewQuestion, Point, QuestionRow, QuestionState, Row, Seq, Shut, Snapshot, StoreError,
    ThreadRow, Uid,
};

pub(super) struct Life {
    pub(super) scope: ScopeHash,
    pub(super) name: ThreadId,
    pub(super) seq: Seq,
    pub(super) head: Head,
    pub(super) questions: BTreeMap<QuestionId, Kept>,
    pub(super) requests: HashMap<String, Seq>,
    pub(super) rows: BTreeMap<Seq, Row>,
    first_seq: Seq,
    snapshots: BTreeMap<Seq, Vec<u8>>,
    debt: u64,
}

/// A question, and whether its message was delivered.
#[derive(Clone)]
pub(super) struct Kept {
    pub(super) row: QuestionRow,
    pub(super) delivered: bool,
}

impl Life {
    /// Before its first row.
    pub(super) fn new(scope: ScopeHash, name: ThreadId, head: Head) -> Self {
        Self {
            scope,
            name,
            seq: 0,
            head,
            questions: BTreeMap::new(),
            requests: HashMap::new(),
            rows: BTreeMap::new(),
            first_seq: 1,
            snapshots: BTreeMap::new(),
            debt: 0,
        }
    }

    /// The last row after `after` that `commit` wrote, if it wrote one.
    pub(super) fn written(&self, commit: CommitId, after: Seq) -> Option<Seq> {
        let later = self.rows.range(after.saturating_add(1)..);
        later.rev().find(|(_, row)| row.commit == commit).map(|(seq, _)| *seq)
    }

    /// Appends to the version that is: everything that can be refused is looked at first. Then the rows are taken, not copied.
    pub(super) fn append(&mut self, uid: Uid, append: &mut Append) -> Result<Seq, AppendError> {
        let last = append.target.last(append.rows.len()).ok_or(AppendError::Invalid("the thread cannot have so many rows"))?;
        if let Some(taken) = append.request.as_ref().and_then(|key| self.requests.get(key)) {
            return Err(AppendError::Duplicate(*taken));
        }
        let changed = self.changed(uid, append, last)?;

        self.questions.extend(changed);
        if let Some(key) = &append.request {
            self.requests.insert(key.clone(), last);
        }
        for (seq, row) in (self.seq + 1..).zip(std::mem::take(&mut append.rows)) {
            self.debt += row.body.len() as u64;
            self.rows.insert(seq, Row { seq, commit: append.commit, graph: append.head.graph.clone(), row });
        }
        if let Some(image) = append.snapshot.take() {
            self.snapshots.insert(last, image);
            self.debt = 0;
        }
        self.head = Head { at: append.head.at.max(self.head.at), ..append.head.clone() };
        self.seq = last;
        Ok(last)
    }

    /// The questions as they are after `append`.
    fn changed(&self, uid: Uid, append: &Append, last: Seq) -> Result<BTreeMap<QuestionId, Kept>, AppendError> {
        let corrupt = |what: String| StoreError::Corrupt { thread: self.name.to_string(), seq: self.seq, what };
        let mut changed: BTreeMap<QuestionId, Kept> = BTreeMap::new();
        for Shut { id, generation, to } in &append.shuts {
            let kept = changed.get(id).or_else(|| self.questions.get(id));
            let mut kept = kept
                .filter(|kept| kept.row.state == QuestionState::Open && kept.row.question.generation == *generation)
                .ok_or_else(|| corrupt(format!("question {id} is not open at generation {generation}")))?
                .clone();
            kept.shut(to, last);
            changed.insert(*id, kept);
        }
        let opened_at = append.rows.last().map_or(append.head.at, |row| row.at);
        for question in &append.opens {
            if changed.contains_key(&question.id) || self.questions.contains_key(&question.id) {
                return Err(corrupt(format!("question {} is there already", question.id)).into());
            }
            let row = QuestionRow {
                scope: self.scope,
                uid,
                thread: self.name.clone(),
                question: question.clone(),
                state: QuestionState::Open,
                opened: last,
                opened_at,
                closed: None,
                answer: None,
                graph: append.head.graph.clone(),
            };
            changed.insert(question.id, Kept { row, delivered: false });
        }
        Ok(changed)
    }

    pub(super) fn load(&self, uid: Uid, at: Point) -> Loaded {
        let point = match at {
            Point::Head | Point::After(_) => self.seq,
            Point::Seq(seq) => seq.min(self.seq),
        };
        let known = match at {
            Point::After(seq) => Some(seq.max(self.first_seq.saturating_sub(1)).min(point)),
            Point::Head | Point::Seq(_) => None,
        };
        let newest = || self.snapshots.range(..=point).next_back().map(|(seq, body)| Snapshot { seq: *seq, body: body.clone() });
        let snapshot = if known.is_some() { None } else { newest() };
        let base = known.or(snapshot.as_ref().map(|snapshot| snapshot.seq)).unwrap_or(0);
        // Without a snapshot only the whole log tells a state.
        let whole = known.is_some() || snapshot.is_some() || self.first_seq == 1;
        let rows = if whole && base < point { self.rows.range(base + 1..=point).map(|(_, row)| row.clone()).collect() } else { Vec::new() };
        let mut open: Vec<_> = if known.is_some() { Vec::new() } else { self.open().map(|kept| kept.row.clone()).collect() };
        open.sort_by_key(|question| (question.opened, question.question.id));
        Loaded {
            uid,
            name: self.name.clone(),
            seq: self.seq,
            head: self.head.clone(),
            first_seq: self.first_seq,
            snapshot,
            rows,
            open,
            debt: self.debt,
            snapshot_bytes: self.snapshots.last_key_value().map_or(0, |(_, body)| body.len() as u64),
        }
    }

    pub(super) fn question(&self, id: QuestionId) -> Option<QuestionRow> {
        self.questions.get(&id).map(|kept| kept.row.clone())
    }

    pub(super) fn open(&self) -> impl Iterator<Item = &Kept> {
        self.questions.values().filter(|kept| kept.row.state == QuestionState::Open)
    }

    pub(super) fn thread(&self, uid: Uid) -> ThreadRow {
        ThreadRow { uid, scope: self.scope, name: self.name.clone(), seq: self.seq, head: self.head.clone() }
    }

    pub(super) fn delivered(&mut self, id: QuestionId, generation: u32) {
        if let Some(kept) = self.questions.get_mut(&id).filter(|kept| kept.row.question.generation == generation) {
            kept.delivered = true;
        }
    }

    /// Whether there is something to prune although its last `keep` rows stay.
    pub(super) fn is_longer_than(&self, keep: u64) -> bool {
        let below = self.seq.saturating_sub(keep);
        self.first_seq < below && self.snapshots.range(self.first_seq + 1..=below).next().is_some()
    }

    pub(super) fn prune(&mut self, below: Seq, now: Timestamp) -> u64 {
        let past = |question: &NewQuestion| question.expires.is_some_and(|expires| expires.after(SKEW) < now);
        self.questions.retain(|_, kept| kept.row.state == QuestionState::Open || !past(&kept.row.question));
        let Some((&base, _)) = self.snapshots.range(..=below).next_back() else { return 0 };
        self.snapshots = self.snapshots.split_off(&base);
        let young = self.rows.range(..base).find(|(_, row)| row.row.at.after(YOUNG) > now);
        let first = young.map_or(base, |(seq, _)| *seq);
        let kept = self.rows.split_off(&first);
        let dropped = std::mem::replace(&mut self.rows, kept).len();
        self.first_seq = first.max(self.first_seq);
        dropped as u64
    }
}

impl Kept {
    fn shut(&mut self, to: &Fate, last: Seq) {
        self.row.state = match to {
            Fate::Reissued { expires } => {
                self.row.question.generation += 1;
                self.row.question.expires = *expires;
                self.delivered = false;
                return;
            }
            Fate::Answered { digest } => {
                self.row.answer = Some(*digest);
                QuestionState::Answered
            }
            Fate::Abandoned => QuestionState::Abandoned,
            Fate::Expired => QuestionState::Expired,
            Fate::Superseded => QuestionState::Superseded,
        };
        self.row.closed = Some(last);
    }
}
