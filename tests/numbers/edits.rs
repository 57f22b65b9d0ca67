//! A thread in every row of it, under a build in which one thing is another: it is refused with words, or goes on from
//! where it stands, as an expectation says that knows nothing of how the engine decides.
//!
//! A graph is a constant, so it is not the new build that is edited, but what the old one wrote: rows of a graph that has a
//! place more than this one, or one under another name. Nothing of a graph is stored but its names.

use std::collections::BTreeSet;

use graphwright::prelude::*;
use graphwright::store::{
    Append, AppendError, Appended, Checkpointer, Listing, Liveness, Loaded, Page, Point, Query, QuestionRow, Row, Seq, Status, StoreError,
    ThreadKey, Uid,
};
use graphwright::topology::Topology;
use graphwright::{Does, Graph, KeyRing, QuestionId, ScopeHash, Timestamp, WorkerId};
use serde_json::{Value, json};

use crate::graphs::{Deps, State as Stub, each_graph};

/// So many rows of each thread are looked at.
const ROWS: u64 = 12;
/// What nothing is called.
const OLD: &str = "called_so_before";

/// One thread as it is, for whoever asks.
#[derive(Clone, Debug)]
struct Frozen(Loaded);

impl Checkpointer for Frozen {
    async fn load(&self, _: &ThreadKey, _: Point) -> Result<Option<Loaded>, StoreError> {
        Ok(Some(self.0.clone()))
    }

    async fn append(&self, _: Append) -> Result<Appended, AppendError> {
        Err(AppendError::Gone)
    }

    async fn question(&self, _: ScopeHash, _: Uid, _: QuestionId) -> Result<Option<QuestionRow>, StoreError> {
        Ok(None)
    }

    async fn list(&self, query: &Query, _: Page) -> Result<Listing, StoreError> {
        let rows = if matches!(query, Query::History { .. }) { self.0.rows.clone() } else { Vec::new() };
        Ok(Listing { rows, ..Listing::default() })
    }

    async fn delivered(&self, _: Uid, _: QuestionId, _: u32) -> Result<(), StoreError> {
        Ok(())
    }

    async fn delete(&self, _: &ThreadKey) -> Result<bool, StoreError> {
        Ok(false)
    }

    async fn prune(&self, _: &ThreadKey, _: Seq) -> Result<u64, StoreError> {
        Ok(0)
    }

    fn worker(&self) -> WorkerId {
        WorkerId([1; 16])
    }

    async fn alive(&self, _: WorkerId) -> Result<Liveness, StoreError> {
        Ok(Liveness::Dead)
    }

    async fn now(&self) -> Result<Option<Timestamp>, StoreError> {
        Ok(None)
    }
}

/// What a build makes of a thread.
#[derive(Debug, PartialEq)]
pub(super) enum Verdict {
    /// It stands there, and waits for so many answers.
    Stands(Vec<String>, usize),
    Changed(String),
    Other,
    Wrong(String),
}

impl Verdict {
    fn is_refused(&self) -> bool {
        matches!(self, Self::Changed(_))
    }
}

pub(super) async fn verdict<G: Graph<Deps = Deps>>(loaded: &Loaded) -> Verdict {
    verdict_of(&G::app(Deps, Frozen(loaded.clone()))).await
}

async fn verdict_of<G: Graph>(app: &App<G>) -> Verdict {
    let thread = app.thread("t");
    let told = |error: RunError| match error {
        RunError::GraphChanged { what, .. } => Verdict::Changed(what),
        RunError::OtherGraph { .. } => Verdict::Other,
        other => Verdict::Wrong(format!("{other:?}")),
    };
    let asks = match thread.pending().await {
        Ok(questions) => questions.len(),
        Err(error) => return told(error),
    };
    match thread.explain().await {
        Ok(why) => Verdict::Stands(why.stands.into_iter().filter(|at| at.does != Does::Done).map(|at| at.place).collect(), asks),
        Err(error) => told(error),
    }
}

/// A row with what it says, to be edited.
fn edited(rows: &[Row], mut edit: impl FnMut(&mut Row, &mut Value)) -> Vec<Row> {
    let edit = |row: &Row| {
        let mut row = row.clone();
        let mut body: Value = serde_json::from_slice(&row.row.body[1..]).unwrap();
        edit(&mut row, &mut body);
        row.row.body = [&[1], serde_json::to_vec(&body).unwrap().as_slice()].concat();
        row
    };
    rows.iter().map(edit).collect()
}

/// The rows of a build in which a place was called otherwise.
pub(super) fn renamed(rows: &[Row], place: &str, old: &str) -> Vec<Row> {
    fn rename(value: &mut Value, place: &str, old: &str) {
        match value {
            Value::String(text) if text == place => old.clone_into(text),
            // A fork or a budget: the ends of an arrow.
            Value::String(text) => {
                if let Some((from, to)) = text.split_once("->") {
                    let (to, twin) = to.split_once('#').map_or((to, String::new()), |(to, twin)| (to, format!("#{twin}")));
                    let now = |end| if end == place { old } else { end };
                    *text = format!("{}->{}{twin}", now(from), now(to));
                }
            }
            Value::Array(items) => items.iter_mut().for_each(|item| rename(item, place, old)),
            Value::Object(fields) => fields.values_mut().for_each(|field| rename(field, place, old)),
            _ => {}
        }
    }
    edited(rows, |row, body| {
        if row.row.place == place {
            old.clone_into(&mut row.row.place);
        }
        let segment = |segment: &str| match segment.split_once(':') {
            Some((ord, key)) if key == place => format!("{ord}:{old}"),
            _ => segment.to_owned(),
        };
        row.row.path = row.row.path.split('/').map(segment).collect::<Vec<_>>().join("/");
        for told in ["next", "failed", "why"] {
            if let Some(told) = body.get_mut(told) {
                rename(told, place, old);
            }
        }
    })
}

/// The names of all places of graphs that are mounted in this one, at any depth.
fn mounted(topology: &'static Topology) -> BTreeSet<&'static str> {
    let inner = topology.places.iter().filter_map(|place| place.graph);
    inner.flat_map(|graph| graph.places.iter().map(|place| place.name).chain(mounted(graph))).collect()
}

/// The places by which a thread stands where it does: what it may not lose. Read off from what was told of the thread before
/// anything was edited: `1:part/0:part/inside` stands in a graph that is mounted at `part`.
fn needed(topology: &'static Topology, stands: &[String], forks: &BTreeSet<String>) -> BTreeSet<String> {
    let is_mount = |name: &str| topology.place(name).is_some_and(|place| place.graph.is_some());
    let mut needed = forks.clone();
    for path in stands {
        let mut segments: Vec<&str> = path.split('/').collect();
        let last = segments.pop().unwrap_or_default();
        let keys = segments.iter().map(|segment| segment.split_once(':').map_or(*segment, |(_, key)| key));
        // The outermost mounted graph: what stands in it are places of its own.
        match segments.iter().zip(keys).find(|(_, key)| is_mount(key)) {
            Some((_, mount)) => needed.insert(mount.to_owned()),
            None => needed.insert(last.to_owned()),
        };
    }
    needed
}

/// The places before the forks that are open, by the rows: the last one that began in the root, and those in its branches.
fn open_forks(rows: &[Row], stands: &[String]) -> BTreeSet<String> {
    if !stands.iter().any(|path| path.contains('/')) {
        return BTreeSet::new();
    }
    let mut forks = BTreeSet::new();
    let is_fork = |row: &&Row| row.row.path.is_empty() && row.row.body.windows(7).any(|text| text == b"\"fork\":");
    let last = rows.iter().rfind(is_fork).map_or(1, |row| row.seq);
    for row in rows.iter().filter(|row| row.seq >= last) {
        let body: Value = serde_json::from_slice(&row.row.body[1..]).unwrap();
        for told in body["next"].as_array().into_iter().flatten() {
            if let Some(from) = told["fork"]["fork"].as_str().and_then(|fork| fork.split_once("->")) {
                forks.insert(from.0.to_owned());
            }
        }
    }
    forks
}

/// A thread, row by row, until it comes to an end or has rows enough.
async fn drive<G: Graph<State = Stub, Deps = Deps, Input = <Stub as State>::Patch>>() -> Loaded {
    let store = Memory::new();
    let app = G::app(Deps, store.clone()).keys(keys());
    let input = <Stub as State>::widen::<graphwright::Anything>(Stub::update());
    let _begun = app.thread("t").run(input).steps(1).await;
    go_on(&app, ROWS).await;
    store.load(&key(), Point::Head).await.unwrap().unwrap()
}

pub(super) fn keys() -> KeyRing {
    KeyRing::new(1, [7; 32]).unwrap()
}

pub(super) fn key() -> ThreadKey {
    ThreadKey { scope: graphwright::Scope::root().hash(), by: graphwright::store::By::Uid(1) }
}

/// Step by step, with every question declined.
pub(super) async fn go_on<G: Graph>(app: &App<G>, most: u64) {
    let thread = app.thread("t");
    loop {
        let rows = thread.history().await.unwrap().len() as u64;
        if rows >= most || thread.status().await.unwrap() == Some(Status::Idle) {
            break;
        }
        let listing = app.pending().list().await.unwrap();
        if let Some(waiting) = listing.waiting.first()
            && thread.status().await.unwrap() == Some(Status::Paused)
        {
            let token = app.token("t", waiting.id).await.unwrap();
            if app.redeem(&token, json!({"action": "decline"})).await.is_err() {
                break;
            }
        }
        let _stepped = thread.step().await;
        if thread.history().await.unwrap().len() as u64 == rows {
            break;
        }
    }
}

/// The thread when it had so many rows, and nobody drove it.
pub(super) fn at(loaded: &Loaded, rows: usize) -> Loaded {
    let mut then = loaded.clone();
    then.rows.truncate(rows);
    then.seq = rows as u64;
    then.head.turn = then.rows.last().unwrap().row.turn;
    (then.head.status, then.head.run, then.head.worker) = (Status::Stopped, None, None);
    then
}

#[derive(Debug, Default)]
struct Tally {
    edits: usize,
    refused: usize,
    wrong: Vec<String>,
}

impl Tally {
    fn hold(&mut self, what: &str, found: Verdict, expected: impl FnOnce(&Verdict) -> bool) {
        self.edits += 1;
        self.refused += usize::from(found.is_refused());
        if !expected(&found) {
            self.wrong.push(format!("{what}: {found:?}"));
        }
    }
}

async fn edits<G: Graph<State = Stub, Deps = Deps, Input = <Stub as State>::Patch>>() -> Tally {
    judged::<G>(|verdict| verdict).await
}

/// With what somebody makes of the engine's verdicts.
async fn judged<G: Graph<State = Stub, Deps = Deps, Input = <Stub as State>::Patch>>(bend: fn(Verdict) -> Verdict) -> Tally {
    let (topology, whole, mut tally) = (G::TOPOLOGY, drive::<G>().await, Tally::default());
    assert!(whole.snapshot.is_none() && whole.rows.len() > 1, "{}", whole.rows.len());
    let inside = mounted(topology);
    for rows in 1..=whole.rows.len() {
        let mut now = at(&whole, rows);
        let stands = match verdict::<G>(&now).await {
            Verdict::Stands(stands, 0) if stands.is_empty() => {
                now.head.status = Status::Idle;
                stands
            }
            Verdict::Stands(stands, _) => stands,
            other => panic!("{}, row {rows}, as it is: {other:?}", topology.name),
        };
        let same = verdict::<G>(&now).await;
        let goes_on = |found: &Verdict| *found == same;
        let forks = open_forks(&now.rows, &stands);
        let needed = needed(topology, &stands, &forks);
        let with = |edited: Vec<Row>| Loaded { rows: edited, ..now.clone() };
        let told = |what: &str| format!("{}, row {rows} at {stands:?}: {what}", topology.name);

        // A place that this build has not: of what is past nothing is needed any more.
        for place in topology.places.iter().filter(|place| !inside.contains(place.name)) {
            let found = bend(verdict::<G>(&with(renamed(&now.rows, place.name, OLD))).await);
            let stays = |found: &Verdict| matches!(found, Verdict::Stands(stands, asks) if matches!(&same, Verdict::Stands(were, asked) if stands.len() == were.len() && asks == asked));
            let is_needed = needed.contains(place.name);
            tally.hold(&told(&format!("without {}", place.name)), found, |found| if is_needed { found.is_refused() } else { stays(found) });
        }
        // An exit that it has not: a turn that is over needs none.
        let exits = edited(&now.rows, |_, body| {
            for told in body.get_mut("next").and_then(Value::as_array_mut).into_iter().flatten() {
                if told.get("ended").is_some() {
                    told["ended"] = OLD.into();
                }
            }
        });
        tally.hold(&told("another exit"), bend(verdict::<G>(&with(exits)).await), |found| *found == same);
        // Branches under other names: they are those of the fork.
        if !forks.is_empty() {
            let chosen = |key: &str| format!("{key}_{OLD}");
            let outermost = stands.iter().filter_map(|path| path.split('/').next()?.split_once(':'));
            let keys: BTreeSet<String> = outermost.map(|(_, key)| key.to_owned()).filter(|key| !key.contains('[')).collect();
            let branches = edited(&now.rows, |row, body| {
                let segment = |segment: &str| match segment.split_once(':') {
                    Some((ord, key)) if keys.contains(key) && topology.place(key).is_none() => format!("{ord}:{}", chosen(key)),
                    _ => segment.to_owned(),
                };
                row.row.path = row.row.path.split('/').map(segment).collect::<Vec<_>>().join("/");
                for told in body.get_mut("next").and_then(Value::as_array_mut).into_iter().flatten() {
                    for key in told.pointer_mut("/fork/keys").and_then(Value::as_array_mut).into_iter().flatten() {
                        let old = key.as_str().unwrap();
                        if keys.contains(old) && topology.place(old).is_none() {
                            *key = chosen(old).into();
                        }
                    }
                }
            });
            let count = |verdict: &Verdict| if let Verdict::Stands(stands, asks) = verdict { Some((stands.len(), *asks)) } else { None };
            tally.hold(&told("other branches"), bend(verdict::<G>(&with(branches)).await), |found| count(found) == count(&same));
        }
        // A way that led elsewhere: it stands where it went.
        let last: Value = serde_json::from_slice(&now.rows[rows - 1].row.body[1..]).unwrap();
        if let [only] = last["next"].as_array().map_or(&[][..], Vec::as_slice)
            && only.get("at").is_some()
            && now.rows[rows - 1].row.path.is_empty()
        {
            for place in topology.places.iter().filter(|place| place.graph.is_none()) {
                let mut elsewhere = now.rows.clone();
                elsewhere[rows - 1] = edited(&now.rows[rows - 1..], |_, body| body["next"] = json!([{"at": place.name}])).remove(0);
                let stands = Verdict::Stands(vec![place.name.to_owned()], 0);
                tally.hold(&told(&format!("led to {}", place.name)), bend(verdict::<G>(&with(elsewhere)).await), |found| *found == stands);
            }
        }
        // A question of another type.
        if let Verdict::Stands(_, asks @ 1..) = same {
            let asked = edited(&now.rows, |_, body| {
                if let Some(question) = body.get_mut("question") {
                    question["asked"] = json!({"of": "another type"});
                }
            });
            tally.hold(&told(&format!("{asks} questions of another type")), bend(verdict::<G>(&with(asked)).await), Verdict::is_refused);
        }
        // A state of other fields.
        let fields = |edit: &dyn Fn(&mut serde_json::Map<String, Value>)| {
            let mut touched = false;
            let rows = edited(&now.rows, |_, body| {
                if let Some(update) = body.get_mut("update").and_then(Value::as_object_mut) {
                    let before = update.clone();
                    edit(update);
                    touched |= *update != before;
                }
            });
            (rows, touched)
        };
        type Fields = serde_json::Map<String, Value>;
        type Edit<'e> = (&'static str, &'e dyn Fn(&mut Fields), bool);
        let gone = |update: &mut Fields| drop(update.insert(OLD.to_owned(), json!(1)));
        let new = |update: &mut Fields| drop(update.remove("notes"));
        let typed = |update: &mut Fields| update.values_mut().for_each(|field| *field = json!(7));
        let all: [Edit<'_>; 3] =
            [("a field that is gone", &gone, true), ("a field that is new", &new, false), ("a field of another type", &typed, true)];
        for (what, edit, is_refused) in all {
            let (rows, touched) = fields(edit);
            let found = bend(verdict::<G>(&with(rows)).await);
            tally.hold(&told(what), found, |found| if touched && is_refused { found.is_refused() } else { goes_on(found) });
        }
        // Another version, another fingerprint, another graph.
        let graph = |edit: &dyn Fn(&mut graphwright::store::GraphRef)| {
            let mut then = now.clone();
            edit(&mut then.head.graph);
            then
        };
        tally.hold(&told("older"), bend(verdict::<G>(&graph(&|graph| graph.version -= 1)).await), goes_on);
        tally.hold(&told("newer"), bend(verdict::<G>(&graph(&|graph| graph.version += 1)).await), Verdict::is_refused);
        tally.hold(&told("another fingerprint"), bend(verdict::<G>(&graph(&|graph| graph.fingerprint = [9; 32])).await), goes_on);
        tally.hold(&told("another graph"), bend(verdict::<G>(&graph(&|graph| OLD.clone_into(&mut graph.name))).await), |found| {
            *found == Verdict::Other
        });
    }
    tally
}

#[tokio::test]
async fn every_single_edit_of_a_graph_gives_the_right_verdict() {
    let tallies: Vec<(&str, Tally)> = each_graph!(edits);
    let count = |of: fn(&Tally) -> usize| tallies.iter().map(|(_, tally)| of(tally)).sum::<usize>();
    let wrong: Vec<&String> = tallies.iter().flat_map(|(_, tally)| &tally.wrong).collect();
    println!(
        "{} edits of {} graphs, {} refused, {} wrong",
        count(|tally| tally.edits),
        tallies.len(),
        count(|tally| tally.refused),
        wrong.len()
    );
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(tallies.len() >= 20 && count(|tally| tally.edits) >= 1_000);
    assert!(tallies.iter().all(|(_, tally)| tally.edits > 20 && tally.refused > 0), "{tallies:?}");
}

/// Planted: an engine that takes any thread, and one that takes none.
#[tokio::test]
async fn a_wrong_verdict_is_caught() {
    let takes_all = judged::<crate::graphs::GptResearcherMultiAgents>(|verdict| match verdict {
        Verdict::Changed(_) => Verdict::Stands(Vec::new(), 0),
        other => other,
    });
    let takes_none = judged::<crate::graphs::GptResearcherMultiAgents>(|_| Verdict::Changed(String::new()));
    for tally in [takes_all.await, takes_none.await] {
        assert!(tally.wrong.len() > tally.edits / 10, "{} of {}", tally.wrong.len(), tally.edits);
    }
}
