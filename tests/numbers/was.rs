//! Every place of a graph under a name that it had before: the thread goes on wherever it stands, and comes to the same.

use graphwright::prelude::*;
use graphwright::store::{Append, AppendTarget, Checkpointer, Loaded, Point};
use graphwright::{CommitId, Graph, InterruptEach, Scope, ThreadId};

use super::edits::{Verdict, at, go_on, key, keys, renamed, verdict};
use crate::graphs::Deps;

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, State)]
struct Log {
    #[state(append)]
    lines: Vec<String>,
}

#[node(writes(lines))]
async fn note(log: &Log) -> NodeResult<note> {
    Ok(Log::update().lines([format!("note {}", log.lines.len())]))
}

#[router]
fn items(_: &Log) -> Vec<u32> {
    vec![1, 2]
}

#[router]
fn never(_: &Log) -> bool {
    false
}

struct Sign;

#[node(writes(lines))]
impl Interrupt<Log, Deps> for Sign {
    type Question = String;
    type Answer = u32;

    async fn ask(log: &Log, _: &Context<Deps>) -> Result<Ask<Self>, NodeError> {
        Ok(Ask::question(format!("sees {}", log.lines.len())))
    }

    fn resume(_: &Log, asked: &String, _: Answer<u32>) -> NodeResult<Self> {
        Ok(Log::update().lines([asked.clone()]))
    }
}

struct SignEach;

#[node(writes(lines))]
impl InterruptEach<Log, Deps, u32> for SignEach {
    type Question = u32;
    type Answer = u32;

    async fn ask(_: &Log, item: &u32, _: &Context<Deps>) -> Result<Ask<Self>, NodeError> {
        Ok(Ask::question(*item))
    }

    fn resume(_: &Log, item: &u32, asked: &u32, _: Answer<u32>) -> NodeResult<Self> {
        Ok(Log::update().lines([format!("{item} {asked}")]))
    }
}

graph! {
    Inner(Log, Deps) {
        start -> look -> ask -> end;
        look: note, was("old_look");
        ask: Sign, was("old_ask");
    }
}

graph! {
    Renamed(Log, Deps) {
        start -> before -> [left -> left_then, right, part] -> middle -> each items { sign } -> after;
        after -> end if never;
        after -> before at_most 1 else last;
        last -> end;
        before: note, was("old_before");
        left: Sign, was("old_left");
        left_then: note, was("old_left_then");
        right: note, was("old_right");
        part: graph Inner, was("old_part");
        middle: note, was("old_middle");
        sign: SignEach, was("old_sign");
        after: note, was("old_after");
        last: note, was("old_last");
    }
}

/// A store with that thread in it, and nobody who drives it.
async fn with(loaded: &Loaded) -> Memory {
    let store = Memory::new();
    let mut head = loaded.head.clone();
    (head.status, head.run, head.worker) = (graphwright::store::Status::Stopped, None, None);
    let append = Append {
        target: AppendTarget::New { scope: Scope::root(), name: ThreadId::new("t").unwrap(), over: None },
        commit: CommitId([3; 16]),
        rows: loaded.rows.iter().map(|row| row.row.clone()).collect(),
        head,
        opens: vec![],
        shuts: vec![],
        snapshot: None,
        request: None,
    };
    store.append(append).await.unwrap();
    store
}

#[tokio::test]
async fn a_thread_goes_on_whatever_its_places_were_called() {
    let store = Memory::new();
    let app = Renamed::app(Deps, store.clone()).keys(keys());
    let _begun = app.thread("t").run(Log::update()).steps(1).await;
    go_on(&app, u64::MAX).await;
    let whole = store.load(&key(), Point::Head).await.unwrap().unwrap();
    let came = app.thread("t").state().await.unwrap().unwrap();
    assert!(whole.rows.len() > 30 && came.lines.len() > 15, "{} rows, {came:?}", whole.rows.len());
    let inner = Inner::TOPOLOGY.places.iter();
    let places: Vec<&str> = Renamed::TOPOLOGY.places.iter().chain(inner).map(|place| place.name).collect();
    let mut edits = 0;
    for rows in 1..whole.rows.len() {
        let now = at(&whole, rows);
        let stands = verdict::<Renamed>(&now).await;
        for place in &places {
            let before = Loaded { rows: renamed(&now.rows, place, &format!("old_{place}")), ..now.clone() };
            // Branches and mounted graphs that are open keep the names by which they began.
            let found = match verdict::<Renamed>(&before).await {
                Verdict::Stands(paths, asks) => Verdict::Stands(paths.iter().map(|path| path.replace("old_", "")).collect(), asks),
                other => other,
            };
            assert_eq!(found, stands, "row {rows}: {place} was old_{place}");
            // The budget of the loop is used up once, whatever its ends were called.
            let app = Renamed::app(Deps, with(&before).await).keys(keys());
            if matches!(stands, Verdict::Stands(_, 0)) {
                go_on(&app, u64::MAX).await;
                assert_eq!(app.thread("t").state().await.unwrap(), Some(came.clone()), "row {rows}: {place} was old_{place}");
            }
            edits += 1;
        }
    }
    println!("{edits} places under the names that they had before");
    assert!(edits >= 300, "{edits}");
}
