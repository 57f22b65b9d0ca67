//! Memory and SQLite, told the same in any order, answer the same: refusals, errors, pages and all.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, clippy::print_stdout)]

use std::fmt::Debug;
use std::hash::{BuildHasher, RandomState};

use graphwright::store::{
    Append, AppendTarget, By, Checkpointer, Fate, GraphRef, Head, NewQuestion, NewRow, Page, Point, Query, RowKind, Shut, Sqlite, Status,
    ThreadKey,
};
use graphwright::{CommitId, Memory, QuestionId, RunId, Scope, ThreadId, Timestamp, TurnId, WorkerId};

const OPERATIONS: usize = 3_000;

/// The same operations for the same seed.
struct Dice(u64);

impl Dice {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }

    fn chance(&mut self, percent: u64) -> bool {
        self.below(100) < percent
    }

    fn some<T>(&mut self, percent: u64, value: impl FnOnce(&mut Self) -> T) -> Option<T> {
        if self.chance(percent) { Some(value(self)) } else { None }
    }

    fn few<T>(&mut self, most: u64, mut value: impl FnMut(&mut Self) -> T) -> Vec<T> {
        (0..self.below(most + 1)).map(|_| value(self)).collect()
    }

    /// One of few, so that they meet again.
    fn id(&mut self, of: u64) -> [u8; 16] {
        u128::from(self.below(of)).to_be_bytes()
    }

    fn text(&mut self) -> String {
        ["", "a", "b", "a'b", "%"][usize::try_from(self.below(5)).unwrap()].to_owned()
    }

    fn time(&mut self) -> Timestamp {
        Timestamp(i64::try_from(self.below(50)).unwrap() - 5)
    }

    fn scope(&mut self) -> Scope {
        if self.chance(90) { Scope::root() } else { Scope::new(["acme"]).unwrap() }
    }

    fn name(&mut self) -> ThreadId {
        ThreadId::new(format!("t{}", self.below(3))).unwrap()
    }

    fn uid(&mut self) -> u64 {
        self.below(12)
    }

    fn key(&mut self) -> ThreadKey {
        let scope = self.scope().hash();
        let by = match self.below(10) {
            0..6 => By::Name(self.name()),
            6..9 => By::Uid(self.uid()),
            _ => By::At(self.uid(), self.below(12)),
        };
        ThreadKey { scope, by }
    }

    fn graph(&mut self) -> GraphRef {
        GraphRef { name: self.text(), version: u32::try_from(self.below(2)).unwrap(), fingerprint: [0; 32] }
    }

    fn head(&mut self) -> Head {
        let (run, worker, status) = match self.below(5) {
            0 => (None, None, Status::Idle),
            1 => (None, None, Status::Paused),
            2 => (None, None, Status::Stopped),
            // Now and then one that is refused.
            _ => (Some(RunId(self.id(9))), self.some(95, |dice| WorkerId(dice.id(3))), Status::Running),
        };
        Head { status, run, worker, turn: TurnId(self.id(9)), graph: self.graph(), at: self.time() }
    }

    fn row(&mut self) -> NewRow {
        NewRow {
            kind: RowKind::from_number(u8::try_from(self.below(13) + 1).unwrap()).unwrap(),
            turn: TurnId(self.id(9)),
            run: self.some(50, |dice| RunId(dice.id(9))),
            path: self.text(),
            ord: self.below(9),
            place: self.text(),
            at: self.time(),
            body: self.few(20, |dice| u8::try_from(dice.below(256)).unwrap()),
        }
    }

    fn question(&mut self) -> NewQuestion {
        NewQuestion {
            id: QuestionId(self.id(40)),
            generation: u32::try_from(self.below(2)).unwrap(),
            path: self.text(),
            place: self.text(),
            digest: [1; 32],
            expires: self.some(60, Self::time),
            expiry_way: self.chance(50),
            labels: self.few(3, Self::text),
            body: self.few(20, |dice| u8::try_from(dice.below(256)).unwrap()),
            notify: self.chance(50),
        }
    }

    fn fate(&mut self) -> Fate {
        match self.below(5) {
            0 => Fate::Answered { digest: [2; 32] },
            1 => Fate::Abandoned,
            2 => Fate::Expired,
            3 => Fate::Superseded,
            _ => Fate::Reissued { expires: self.some(60, Self::time) },
        }
    }

    fn query(&mut self) -> Query {
        let scope = self.scope().hash();
        let whose = self.some(70, |dice| dice.scope().hash());
        match self.below(9) {
            0 => Query::Threads { scope: whose, status: self.few(2, |dice| if dice.chance(50) { Status::Idle } else { Status::Running }) },
            1 => Query::Running,
            2 => Query::Open {
                scope: whose,
                graph: self.some(30, Self::text),
                place: self.some(30, Self::text),
                label: self.some(30, Self::text),
                opened_before: self.some(30, Self::time),
            },
            3 => Query::Due { now: self.time() },
            4 => Query::Outbox,
            5 => Query::Long { keep: self.below(12) },
            6 => Query::Rested { before: self.time() },
            7 => Query::History { scope, uid: self.uid() },
            _ => Query::Request { scope, uid: self.uid(), key: self.text() },
        }
    }
}

/// Both stores, and how often they agreed.
struct Twins {
    memory: Memory,
    sqlite: Sqlite,
    /// Appends that were taken, to be sent again.
    taken: Vec<Append>,
    refused: usize,
}

/// What both say, if they say the same.
fn agreed<T: PartialEq + Debug>(what: impl Debug, memory: T, sqlite: T) -> T {
    assert_eq!(memory, sqlite, "memory and SQLite disagree on {what:?}");
    memory
}

impl Twins {
    async fn append(&mut self, dice: &mut Dice) {
        let key = dice.key();
        let loaded = self.memory.load(&key, Point::Head).await.unwrap();
        let target = match &loaded {
            Some(loaded) if dice.chance(90) => {
                let behind = if dice.chance(85) { 0 } else { dice.below(3) };
                AppendTarget::At { scope: key.scope, uid: loaded.uid, seq: loaded.seq.wrapping_sub(behind) }
            }
            _ => AppendTarget::New { scope: dice.scope(), name: dice.name(), over: dice.some(60, Dice::uid) },
        };
        let open: Vec<_> = loaded.iter().flat_map(|loaded| &loaded.open).map(|row| row.question.clone()).collect();
        let mut shuts: Vec<_> = Vec::new();
        for question in open {
            if dice.chance(30) {
                shuts.push(Shut { id: question.id, generation: question.generation, to: dice.fate() });
            }
        }
        if dice.chance(3) {
            shuts.push(Shut { id: QuestionId(dice.id(40)), generation: 0, to: dice.fate() });
        }
        let commit = CommitId((u128::from(dice.below(1 << 30)) << 32 | u128::from(dice.below(1 << 30))).to_be_bytes());
        let mut rows = dice.few(3, Dice::row);
        if dice.chance(95) {
            rows.push(dice.row());
        }
        let (opens, snapshot, request) = (dice.few(1, Dice::question), dice.some(15, |dice| dice.row().body), dice.some(5, Dice::text));
        self.send(Append { target, commit, rows, head: dice.head(), opens, shuts, snapshot, request }).await;
    }

    async fn send(&mut self, append: Append) {
        let answers = (self.memory.append(append.clone()).await, self.sqlite.append(append.clone()).await);
        match agreed(&append, answers.0, answers.1) {
            Ok(_) => self.taken.push(append),
            Err(_) => self.refused += 1,
        }
    }

    async fn operate(&mut self, dice: &mut Dice) {
        match dice.below(20) {
            0..9 => self.append(dice).await,
            9 if !self.taken.is_empty() => {
                let again = usize::try_from(dice.below(self.taken.len() as u64)).unwrap();
                self.send(self.taken[again].clone()).await;
            }
            9..12 => {
                let (key, at) = (dice.key(), if dice.chance(50) { Point::Head } else { Point::Seq(dice.below(40)) });
                agreed((&key, at), self.memory.load(&key, at).await, self.sqlite.load(&key, at).await).unwrap();
            }
            12..16 => {
                let query = dice.query();
                let mut page = Page { after: None, limit: usize::try_from(dice.below(6)).unwrap() };
                for _ in 0..3 {
                    let answers = (self.memory.list(&query, page.clone()).await, self.sqlite.list(&query, page.clone()).await);
                    page.after = agreed((&query, &page), answers.0, answers.1).unwrap().next;
                    if page.after.is_none() {
                        break;
                    }
                }
            }
            16 => {
                let (scope, uid, id) = (dice.scope().hash(), dice.uid(), QuestionId(dice.id(40)));
                agreed((uid, id), self.memory.question(scope, uid, id).await, self.sqlite.question(scope, uid, id).await).unwrap();
            }
            17 => {
                let (uid, id, generation) = (dice.uid(), QuestionId(dice.id(40)), u32::try_from(dice.below(2)).unwrap());
                let answers = (self.memory.delivered(uid, id, generation).await, self.sqlite.delivered(uid, id, generation).await);
                agreed((uid, id), answers.0, answers.1).unwrap();
            }
            18 => {
                let (key, below) = (dice.key(), dice.below(40));
                agreed((&key, below), self.memory.prune(&key, below).await, self.sqlite.prune(&key, below).await).unwrap();
            }
            _ if dice.chance(15) => {
                let key = dice.key();
                agreed(&key, self.memory.delete(&key).await, self.sqlite.delete(&key).await).unwrap();
            }
            _ => {}
        }
    }
}

#[tokio::test]
async fn memory_and_sqlite_are_twins() {
    let seed = std::env::var("TWINS_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or_else(|| RandomState::new().hash_one("twins"));
    println!("TWINS_SEED={seed}");
    let directory = tempfile::tempdir().unwrap();
    // What is compared is the answers: waiting for the disk would only make it slow.
    let options = graphwright::store::sqlite::Options::new().sync(graphwright::store::sqlite::WalSync::LosesLastCommitsWithPower);
    let sqlite = Sqlite::open_with(directory.path().join("threads.db"), options).await.unwrap();
    let mut twins = Twins { memory: Memory::new(), sqlite, taken: Vec::new(), refused: 0 };
    let mut dice = Dice(seed);
    for _ in 0..OPERATIONS {
        twins.operate(&mut dice).await;
    }
    println!("{} appends taken, {} refused", twins.taken.len(), twins.refused);
    assert!(twins.taken.len() > OPERATIONS / 20 && twins.refused > OPERATIONS / 100, "nothing was tried");
}
