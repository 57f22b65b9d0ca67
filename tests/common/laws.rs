//! What must hold of a thread at any time, read from its rows and from what its runs told: the invariants of the protocol.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};

use graphwright::agent::{Conversation, Message};
use graphwright::store::{Row, RowKind};
use graphwright::{Event, EventKind, Observer, RunId};

/// INV-COMMIT and INV-ONE of all rows of a thread, as they are now and as they were before.
pub fn rows(before: &[Row], now: &[Row]) {
    inv_commit(before, now);
    inv_one(now);
}

/// INV-COMMIT: versions without gaps, nothing that was there changes, no step twice, and none of another turn.
pub fn inv_commit(before: &[Row], now: &[Row]) {
    assert!(now.iter().enumerate().all(|(n, row)| row.seq == n as u64 + 1), "INV-COMMIT: versions have gaps");
    assert_eq!(now.get(..before.len()), Some(before), "INV-COMMIT: what was written is not what is there");
    let mut steps = BTreeSet::new();
    let mut turn = None;
    for Row { seq, row, .. } in now {
        if matches!(row.kind, RowKind::Step | RowKind::Park | RowKind::Failed) {
            let step = (row.turn, row.path.clone(), row.ord);
            assert!(steps.insert(step), "INV-COMMIT: row {seq} does a step again: {}:{} {}", row.path, row.ord, row.place);
        }
        match row.kind {
            RowKind::Input => turn = Some(row.turn),
            _ => assert_eq!(turn, Some(row.turn), "INV-COMMIT: row {seq} is of another turn"),
        }
    }
}

/// INV-ONE: no answer twice, and steps by none but the run that has the thread.
pub fn inv_one(now: &[Row]) {
    let mut shut = BTreeSet::new();
    let mut holder = Holder::Nobody;
    for Row { seq, row, .. } in now {
        if matches!(row.kind, RowKind::Answer | RowKind::Expire) {
            let body: serde_json::Value = serde_json::from_slice(&row.body[1..]).unwrap();
            let question = body["shut"].as_str().unwrap_or_else(|| panic!("row {seq} answers nothing"));
            assert!(shut.insert(question.to_owned()), "INV-ONE: row {seq} answers a question again");
        }
        match (row.kind, row.run) {
            (RowKind::Input, _) => holder = Holder::of(row.run),
            // By the run that looks again for a way that was not found, or by one that takes the thread.
            (RowKind::Claim, _) if row.place.is_empty() => holder = Holder::of(row.run),
            (RowKind::Step | RowKind::Park | RowKind::Attempt | RowKind::Failed | RowKind::Claim, run) => holder = holder.writes(*seq, run),
            // An answer on a thread that rests claims it for a run that is not in the row.
            (RowKind::Answer | RowKind::Expire, _) => holder = holder.or_another(),
            (RowKind::Stop | RowKind::Close, _) => holder = Holder::Nobody,
            _ => {}
        }
    }
}

/// Who may write steps.
#[derive(Clone, Copy, Debug)]
enum Holder {
    Nobody,
    Run(RunId),
    /// This one, if it is one, or the next that writes: one that an answer let in.
    OrAnother(Option<RunId>),
}

impl Holder {
    fn of(run: Option<RunId>) -> Self {
        run.map_or(Self::Nobody, Self::Run)
    }

    fn or_another(self) -> Self {
        match self {
            Self::Nobody => Self::OrAnother(None),
            Self::Run(run) => Self::OrAnother(Some(run)),
            Self::OrAnother(_) => self,
        }
    }

    fn writes(self, seq: u64, run: Option<RunId>) -> Self {
        let run = run.unwrap_or_else(|| panic!("INV-ONE: row {seq} is by no run"));
        match self {
            Self::Run(holder) => assert_eq!(holder, run, "INV-ONE: row {seq} is by a run that does not have the thread"),
            Self::Nobody => panic!("INV-ONE: row {seq} is by a run although none has the thread"),
            Self::OrAnother(Some(holder)) if holder == run => return self,
            Self::OrAnother(_) => {}
        }
        Self::Run(run)
    }
}

/// INV-PAIR as a strict provider checks it: directly behind a message with calls stand their results, one each, in order.
/// Where the turn is over, every call has one.
pub fn inv_pair(talk: &Conversation, over: bool) {
    let messages: Vec<&Message> = talk.messages().collect();
    let mut ids = BTreeSet::new();
    let mut at = 0;
    while at < messages.len() {
        assert!(!matches!(messages[at], Message::Tool(_)), "INV-PAIR: a result without its call");
        let mut behind = at + 1;
        for call in messages[at].calls() {
            assert!(ids.insert(&call.id), "INV-PAIR: two calls of one id");
            match messages.get(behind) {
                Some(Message::Tool(result)) if result.call == call.id => behind += 1,
                _ => assert!(!over, "INV-PAIR: a call has no result, or not in its place"),
            }
        }
        at = behind;
    }
}

/// INV-READ: who has driven a thread knows what a stranger reads.
pub fn inv_read<S: PartialEq + std::fmt::Debug>(known: &S, read: &S) {
    assert_eq!(known, read, "INV-READ: who drove the thread knows another state than a stranger reads");
}

/// One key for each step over all attempts, and never one key for two steps: of the bodies that were begun, by place and
/// key. Gives how many there are.
pub fn keys(begun: &[(String, String)]) -> usize {
    let mut places = BTreeMap::new();
    for (place, key) in begun {
        assert_eq!(places.entry(key.clone()).or_insert(place.clone()), place, "one key for two places");
    }
    places.len()
}

/// Hears what all runs tell.
#[derive(Clone, Default)]
pub struct Told(Arc<Mutex<BTreeMap<RunId, Vec<Event>>>>);

impl Observer for Told {
    fn on_event(&self, event: &Event) {
        self.0.lock().unwrap().entry(event.run).or_default().push(event.clone());
    }
}

impl Told {
    /// INV-END: one start and one end of each run, nodes that are balanced, ids that grow. While runs live, some have no end.
    pub fn inv_end(&self, all_over: bool) -> usize {
        let runs = self.0.lock().unwrap();
        for (run, events) in runs.iter() {
            assert!(events.windows(2).all(|pair| pair[0].id < pair[1].id), "INV-END: ids do not grow");
            let (mut starts, mut ended) = (0, false);
            let mut nodes: BTreeMap<(&str, &str), i64> = BTreeMap::new();
            for event in events {
                assert!(!ended, "INV-END: run {run} tells something after its end: {:?}", event.kind);
                match &event.kind {
                    EventKind::RunStarted { .. } => starts += 1,
                    EventKind::RunEnded { .. } => ended = true,
                    EventKind::NodeStarted { place } => *nodes.entry((&event.path, place)).or_default() += 1,
                    EventKind::NodeEnded { place } | EventKind::NodeFailed { place, .. } => {
                        *nodes.entry((&event.path, place)).or_default() -= 1;
                    }
                    _ => {}
                }
                assert!(nodes.values().all(|open| (0..=1).contains(open)), "INV-END: nodes are not balanced in run {run}");
            }
            // What somebody tells of an answer outside of any run has neither.
            assert!(starts <= 1 && (starts == 1 || !ended), "INV-END: run {run} starts {starts} times");
            if all_over && starts == 1 {
                assert!(ended, "INV-END: run {run} has no end: {events:#?}");
                assert!(nodes.values().all(|open| *open == 0), "INV-END: run {run} leaves nodes open");
            }
        }
        runs.len()
    }
}
