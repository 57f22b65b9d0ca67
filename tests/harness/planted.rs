//! The laws by which all attacks judge: each sees what it is for. Rows and events of a sound thread pass, and with one thing
//! changed they do not.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex};

use graphwright::prelude::*;
use graphwright::store::{Row, RowKind};
use graphwright::{Event, EventKind, Observer as _, RunId, TurnId};

use super::script::{Act, CallSpec, Op, Script, Sign};
use super::world::{Deps, World, Worlds, input, show};
use crate::laws::{self, Told};

/// What a thread with a question in it left behind: its rows, its state while it waited, and what was told.
async fn sound() -> (Vec<Row>, World, Vec<Event>) {
    let told = Arc::new(Mutex::new(Vec::new()));
    let hears = told.clone();
    let app = Worlds::app(Deps::default(), Memory::new()).observe(move |event: &Event| hears.lock().unwrap().push(event.clone()));
    let calls = [None, Some(Sign::Accept(5))].map(|sign| CallSpec { act: Act::Work, sign });
    let script = Script { ops: vec![Op::Line(Act::Work), Op::Calls(calls.to_vec()), Op::Line(Act::Work)], stops: false };
    let thread = app.thread("t");
    let paused = thread.run(input(&script)).await.unwrap().paused().unwrap();
    let waits = thread.state().await.unwrap().unwrap();
    thread.resume(show(&paused.questions[0]).right).await.unwrap().completed().unwrap();
    let rows = thread.history().await.unwrap().to_vec();
    let events = told.lock().unwrap().clone();
    (rows, waits, events)
}

/// What is said of it; nothing if nobody finds anything.
fn said(look: impl FnOnce()) -> Option<String> {
    let panic = catch_unwind(AssertUnwindSafe(look)).err()?;
    panic.downcast_ref::<String>().cloned().or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned()))
}

#[track_caller]
fn catches(what: &str, look: impl FnOnce()) {
    let said = said(look);
    assert!(said.as_ref().is_some_and(|said| said.contains(what)), "not caught: {what}; {said:?}");
}

fn at(rows: &[Row], kind: RowKind) -> usize {
    rows.iter().position(|row| row.row.kind == kind).unwrap()
}

#[tokio::test]
async fn what_is_wrong_with_rows_is_caught() {
    let (rows, ..) = sound().await;
    laws::rows(&rows[..4], &rows);
    let with = |change: &dyn Fn(&mut Vec<Row>)| {
        let mut changed = rows.clone();
        change(&mut changed);
        move || laws::rows(&[], &changed)
    };
    let again = |rows: &mut Vec<Row>, nth: usize| rows.push(Row { seq: rows.len() as u64 + 1, ..rows[nth].clone() });
    catches("versions have gaps", with(&|rows| drop(rows.remove(2))));
    catches("does a step again", with(&|rows| again(rows, at(rows, RowKind::Step))));
    catches("is of another turn", with(&|rows| rows.last_mut().unwrap().row.turn = TurnId([7; 16])));
    catches("answers a question again", with(&|rows| again(rows, at(rows, RowKind::Answer))));
    catches("by a run that does not have the thread", with(&|rows| rows[1].row.run = Some(RunId([7; 16]))));
    catches("although none has the thread", with(&|rows| rows[0].row.run = None));
    let mut other = rows.clone();
    other[1].row.place = "elsewhere".to_owned();
    catches("what was written is not what is there", || laws::rows(&rows, &other));
}

#[tokio::test]
async fn what_is_wrong_with_what_is_read_is_caught() {
    let (_, waits, _) = sound().await;
    laws::inv_pair(&waits.talk, false);
    catches("a call has no result", || laws::inv_pair(&waits.talk, true));
    laws::inv_read(&waits, &waits);
    catches("another state", || laws::inv_read(&waits, &World { count: waits.count + 1, ..waits.clone() }));
    let body = |place: &str, key: &str| (place.to_owned(), key.to_owned());
    assert_eq!(laws::keys(&[body("a", "1"), body("b", "2"), body("a", "1")]), 2);
    catches("one key for two places", || assert!(laws::keys(&[body("a", "1"), body("b", "1")]) > 0));
}

#[tokio::test]
async fn what_is_wrong_with_what_is_told_is_caught() {
    let (.., events) = sound().await;
    let first = events[0].run;
    let told: Vec<Event> = events.into_iter().filter(|event| event.run == first).collect();
    let with = |change: &dyn Fn(&mut Vec<Event>)| {
        let mut changed = told.clone();
        change(&mut changed);
        move || {
            let hears = Told::default();
            changed.iter().for_each(|event| hears.on_event(event));
            hears.inv_end(true);
        }
    };
    with(&|_| {})();
    let find = |is: fn(&EventKind) -> bool| told.iter().position(|event| is(&event.kind)).unwrap();
    let again = |told: &mut Vec<Event>, nth: usize| {
        let mut event = told[nth].clone();
        event.id = told.last().unwrap().id + 1;
        told.push(event);
    };
    catches("something after its end", with(&|told| again(told, told.len() - 1)));
    catches("has no end", with(&|told| drop(told.pop())));
    catches("ids do not grow", with(&|told| told.swap(1, 2)));
    catches(
        "starts 2 times",
        with(&|told| {
            let last = told.len() - 2;
            told[last].kind = told[0].kind.clone();
        }),
    );
    let node_ends = find(|kind| matches!(kind, EventKind::NodeEnded { .. }));
    catches("nodes", with(&|told| drop(told.remove(node_ends))));
    let node_starts = find(|kind| matches!(kind, EventKind::NodeStarted { .. }));
    catches("nodes are not balanced", with(&|told| drop(told.remove(node_starts))));
}
