//! What must hold after each move, and what the thread must come to.

use std::sync::atomic::Ordering;

use graphwright::prelude::*;
use graphwright::store::{Checkpointer, Row, RowKind, Status};
use graphwright::testing::{Divergence, Diverges, Recording, RecordingError};
use graphwright::{Durability, TurnId};

use super::{Play, Task};
use crate::faults::Others;
use crate::harness::model::Plain;
use crate::harness::script::{Op, Script, Sign};
use crate::harness::world::{World, Worlds};
use crate::laws;

impl<S: Checkpointer + Clone> Play<S> {
    /// A turn has reached its end.
    pub(super) fn over(&mut self, turn: TurnId, world: &World) {
        let told_before = |ends: &Vec<Plain>| ends.contains(&Plain::from(world));
        // An edit has made more of the turn since, and here is told how it ended before.
        let is_late = |task: &Task| self.ends.get(&turn).is_some_and(told_before) && task.came().state != Plain::from(world);
        if let Some(task) = self.turn.take_if(|task| task.turn == turn && !is_late(task)) {
            let came = task.came();
            self.base = came.state;
            self.ends.entry(turn).or_default().push(self.base.clone());
            self.bodies = self.bodies.map(|bodies| bodies + came.bodies);
            self.done.turns += 1;
        }
        let (ends, came) = (self.ends.get(&turn), Plain::from(world));
        assert!(
            ends.is_some_and(|ends| ends.contains(&came)),
            "the state is not what the script comes to\n left: {came:?}\nright: {:?}",
            ends.and_then(|ends| ends.last())
        );
    }

    /// What was done from outside changes what the turn comes to.
    pub(super) async fn changed(&mut self, rows: &[Row]) {
        for Row { seq, row, .. } in rows {
            let (seq, turn) = (*seq, row.turn);
            let task = match row.kind {
                RowKind::Edit => {
                    let (was, world) = (self.eye.state_at(seq - 1).await.unwrap(), self.eye.state_at(seq).await.unwrap());
                    // What a mounted graph wrote over the same state stands, too.
                    let (was, edited) = (Plain::from(&was), Plain::from(&world));
                    assert!(edited.lines.starts_with(&was.lines) && edited.text.starts_with(&was.text), "an edit loses what was there");
                    assert_eq!(edited.lines.last().map(String::as_str), Some("edited"), "an edit is not what it was to be");
                    let worked =
                        |row: &Row| row.seq < seq && row.row.turn == turn && row.row.kind == RowKind::Step && row.row.place == "work";
                    let worked = self.rows.iter().filter(|row| worked(row)).count();
                    let before = world.next.min(world.script.ops.len());
                    let script = Script { ops: world.script.ops[before..].to_vec(), stops: world.script.stops };
                    (self.bodies, self.done.edited) = (None, self.done.edited + 1);
                    Task { turn, from: seq, script, before, worked, base: edited }
                }
                RowKind::Expire => {
                    let mut task = self.turn.clone().expect("a turn is under way");
                    let next = self.eye.state_at(seq).await.unwrap().next;
                    match (&mut task.script.ops[next - 1 - task.before], row.place.as_str()) {
                        (Op::Ask(sign), "ask") | (Op::All { signs: [sign, _], .. }, "sign_left") => *sign = Sign::Expired,
                        (op, place) => panic!("`{place}` does not expire in {op:?}"),
                    }
                    self.done.expired += 1;
                    Task { from: seq, ..task }
                }
                _ => continue,
            };
            self.tasks.push(task.clone());
            self.turn = Some(task);
        }
    }

    /// The thread is gone, and with it what was under way.
    pub(super) fn forget(&mut self) {
        self.done.deleted += 1;
        self.rows.clear();
        self.tasks.clear();
        (self.turn, self.base, self.bodies) = (None, Plain::default(), None);
    }

    /// How many keys there are. Where steps were begun and lost, a changed thread may have others in their place: then that
    /// is not known, and still no key is that of two places.
    pub(super) fn keys(&self) -> Option<usize> {
        let keys = laws::keys(&self.deps.begun.lock().unwrap());
        let known = self.durability == Durability::Sync || (self.done.edited == 0 && self.done.expired == 0);
        known.then_some(keys)
    }

    pub(super) async fn check(&mut self) {
        self.settle().await;
        let Some(status) = self.eye.status().await.unwrap() else {
            if !self.rows.is_empty() {
                self.forget();
            }
            return;
        };
        // What is not kept any more was seen.
        let kept = self.eye.history().await.unwrap();
        let first = kept.first().map_or(self.rows.len(), |row| row.seq as usize - 1);
        let rows: Vec<Row> = self.rows[..first.min(self.rows.len())].iter().chain(kept.iter()).cloned().collect();
        laws::rows(&self.rows, &rows);
        let seen = std::mem::replace(&mut self.rows, rows.clone()).len();
        self.changed(&rows[seen..]).await;
        let world = self.stranger().thread("t").state().await.unwrap().unwrap();
        for who in 0..2 {
            if !self.faults[who].is_armed() {
                let known = self.thread(who).state().await.unwrap();
                laws::inv_read(&known.as_ref(), &Some(&world));
            }
        }
        if let (Status::Idle, Some(turn)) = (status, self.turn.as_ref().map(|task| task.turn)) {
            if self.rows.last().is_some_and(|row| row.row.kind == RowKind::Close) {
                self.turn = None;
                self.bodies = None;
                self.base = Plain::from(&world);
                self.done.abandoned += 1;
            } else {
                self.over(turn, &world);
            }
        }
        let open: Vec<_> = self.open().await.iter().map(|shown| shown.id).collect();
        let waiting = self.stranger().pending().list().await.unwrap().waiting;
        let mut listed: Vec<_> = waiting.iter().filter(|waits| waits.thread.as_str() == "t").map(|waits| waits.id).collect();
        assert_eq!(listed.len(), open.len(), "INV-ONE: the inbox and the thread disagree");
        listed.retain(|id| !open.contains(id));
        assert!(listed.is_empty(), "INV-ONE: the inbox and the thread disagree");
        assert!(status != Status::Idle || open.is_empty(), "a question is open although nothing is under way");
        assert!(status != Status::Paused || !open.is_empty(), "it waits, and nothing is open");
        laws::inv_pair(&world.talk, status == Status::Idle);
        self.keys();
        self.told.inv_end(false);
    }

    /// Brings everything in order, and the thread to its end: then it must be what the scripts come to.
    pub async fn finish(&mut self) {
        self.live.clear();
        for faults in &self.faults {
            faults.heal();
            faults.presume(Others::Here);
        }
        self.apps = self.plain.clone();
        self.deps.mended.store(true, Ordering::SeqCst);
        self.check().await;
        for nth in 0..60 {
            match self.eye.status().await.unwrap() {
                None | Some(Status::Idle) => {
                    assert!(self.turn.is_none(), "a turn is over, and nobody saw it");
                    self.told.inv_end(true);
                    if let Some(last) = self.rows.last() {
                        let then = self.eye.state_at(last.seq).await.unwrap();
                        assert_eq!(self.eye.state().await.unwrap(), Some(then), "INV-READ: the state at the last row");
                    }
                    let keys = self.keys();
                    assert!(
                        self.bodies.zip(keys).is_none_or(|(bodies, keys)| bodies == keys),
                        "{:?} steps of work, and {keys:?} keys",
                        self.bodies
                    );
                    self.done.rows = self.rows.len();
                    self.told_again().await;
                    return;
                }
                Some(_) => {}
            }
            let outcome = self.thread(nth).proceed().await;
            self.came(outcome);
            let open = self.open().await;
            if let Some(shown) = if nth % 2 == 0 { open.first() } else { open.last() } {
                match self.thread(nth + 1).answer(shown.right.clone()).await {
                    Err(RunError::Expired) if self.late => drop(self.apps[nth % 2].sweep().await.unwrap()),
                    other => drop(other.unwrap()),
                }
            }
            self.check().await;
        }
        panic!("it does not come to an end");
    }

    /// What was decided is decided again, but for where a router panicked, which is told to do so once.
    async fn told_again(&mut self) {
        let recording = match Recording::of(&self.eye).await {
            Ok(recording) => recording,
            Err(RecordingError::NoBeginning | RecordingError::Thread(RunError::NoThread)) => return,
            Err(error) => panic!("it cannot be recorded: {error}"),
        };
        match recording.replay::<Worlds>() {
            Ok(()) => self.done.told_again += 1,
            Err(Divergence { what: Diverges::Way { recorded, .. }, .. }) if recorded.ends_with("no way") => {}
            Err(differs) => panic!("told again it goes elsewhere: {differs} {:?}", differs.what),
        }
    }
}
