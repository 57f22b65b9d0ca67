//! Ten thousand runs at once, and one in a hundred panics somewhere: each has one end, the right one, and all others are right.

use std::collections::BTreeMap;
use std::sync::atomic::Ordering;

use graphwright::Event;
use graphwright::prelude::*;
use tokio::task::JoinSet;

use super::model::{Plain, interpret};
use super::random::quietly;
use super::script::{Act, CallSpec, Op, Script};
use super::world::{Deps, Worlds, input};
use crate::laws::Told;

const RUNS: usize = 10_000;

/// Where a run panics.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Site {
    Nowhere,
    Node,
    Branch,
    Reducer,
    Router,
    Observer,
}

fn site(run: usize) -> Site {
    if !run.is_multiple_of(100) {
        return Site::Nowhere;
    }
    [Site::Node, Site::Branch, Site::Reducer, Site::Router, Site::Observer][run / 100 % 5]
}

fn script(site: Site) -> Script {
    let line = match site {
        Site::Node => Op::Line(Act::Panics),
        Site::Reducer => Op::Line(Act::Poisons),
        Site::Router => Op::Unrouted,
        _ => Op::Line(Act::Work),
    };
    let call = |act| CallSpec { act, sign: None };
    let branch = if site == Site::Branch { Act::Panics } else { Act::Work };
    Script { ops: vec![line, Op::Calls(vec![call(Act::Work), call(branch)])], stops: false }
}

/// So many runs at once, each judged by where it is to panic.
async fn attack(runs: usize, does: fn(usize) -> Script) {
    quietly();
    let (told, deps) = (Told::default(), Deps::default());
    let app = Worlds::app(deps.clone(), Memory::new()).observe(told.clone());
    let mut under_way = JoinSet::new();
    for nth in 0..runs {
        let mut run = app.thread(format!("t{nth}")).run(input(&does(nth)));
        if site(nth) == Site::Observer {
            run = run.observe(|_: &Event| panic!("told to panic"));
        }
        under_way.spawn(async move { (nth, run.await) });
    }
    let mut panicked: BTreeMap<Site, usize> = BTreeMap::new();
    let expected = interpret(&Plain::default(), &script(Site::Nowhere)).state;
    while let Some(came) = under_way.join_next().await {
        let (nth, outcome) = came.expect("no panic leaves a run");
        *panicked.entry(site(nth)).or_default() += 1;
        match (site(nth), outcome) {
            (Site::Nowhere | Site::Observer, Ok(Outcome::Completed(done))) => assert_eq!(Plain::from(&done.output), expected),
            (Site::Node | Site::Branch, Err(RunError::Failed(failure))) => assert!(failure.panicked()),
            (Site::Reducer, Err(RunError::Failed(failure))) => assert_eq!(failure.place(), "work"),
            (Site::Router, Err(RunError::Unrouted { place, .. })) => assert_eq!(place, "choose"),
            (site, outcome) => panic!("{site:?}: {outcome:?}"),
        }
    }
    assert_eq!(panicked.remove(&Site::Nowhere), Some(runs - runs / 100));
    assert!(panicked.values().all(|many| *many == runs / 500) && panicked.len() == 5, "{panicked:?}");
    assert_eq!(told.inv_end(true), runs);
    // What failed goes on when it is mended.
    deps.mended.store(true, Ordering::SeqCst);
    for nth in (0..runs).step_by(100).filter(|nth| !matches!(site(*nth), Site::Router | Site::Observer)) {
        let done = app.thread(format!("t{nth}")).proceed().await.unwrap().completed().unwrap();
        assert_eq!(Plain::from(&done.output), expected, "{:?}", site(nth));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_in_a_hundred_panics_and_all_others_are_right() {
    attack(RUNS, |nth| script(site(nth))).await;
}

/// Planted: one panic that nobody hears of, and its run goes on.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[should_panic(expected = "Branch: Ok(Completed")]
async fn a_panic_that_is_taken_for_a_success_is_caught() {
    attack(500, |nth| script(if nth == 100 { Site::Nowhere } else { site(nth) })).await;
}
