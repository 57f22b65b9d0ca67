//! The ways of a history are those that routers decide when the thread is told again: over graphs with all that there is, on
//! threads that go where dice say.

use std::collections::BTreeMap;
use std::time::Duration;

use graphwright::diagram::{Mark, Marks, ToMarks};
use graphwright::prelude::*;
use graphwright::store::Status;
use graphwright::testing::{CountingIds, Coverage, ManualClock, Recording};
use graphwright::topology::{Target, Topology, WayKind};
use graphwright::{App, Graph, Open, Place, Thread, Timestamp};

use super::dice::{BUSY, Bottom, Cups, Dice, Middle, Sign, Top};
use super::random::Random;

/// Ways by where they lead: of two from the same to the same a history knows one.
type Ways = BTreeMap<(String, String, bool), u64>;

fn ways(topology: &Topology, marks: &Marks) -> Ways {
    let mut ways = Ways::new();
    for (number, way) in topology.ways.iter().enumerate().filter(|(number, _)| marks.taken(*number) > 0) {
        let named = |place: u16| topology.places[usize::from(place)].name.to_owned();
        let from = way.from.place().map_or_else(|| format!("{:?}", way.from), named);
        let to = if let Target::Place(place) = way.to { named(place) } else { format!("{:?}", way.to) };
        *ways.entry((from, to, matches!(way.kind, WayKind::Error | WayKind::Expiry))).or_default() += marks.taken(number);
    }
    ways
}

/// The ways of a graph wherever it is mounted.
fn gathered(topology: &'static Topology, marks: &Marks, all: &mut BTreeMap<&'static str, Ways>) {
    let known = all.entry(topology.name).or_default();
    for (way, times) in ways(topology, marks) {
        *known.entry(way).or_default() += times;
    }
    for place in topology.places {
        if let (Some(graph), Some(inner)) = (place.graph, marks.inside(place.name)) {
            gathered(graph, inner, all);
        }
    }
}

fn of_history(marks: &Marks) -> BTreeMap<&'static str, Ways> {
    let mut all = BTreeMap::new();
    gathered(Top::TOPOLOGY, marks, &mut all);
    all.retain(|_, ways| !ways.is_empty());
    all
}

async fn decided(thread: &Thread<Top>) -> BTreeMap<&'static str, Ways> {
    let mut coverage = Coverage::of::<Top>();
    coverage.add::<Top>(&Recording::of(thread).await.unwrap()).unwrap();
    let graphs = [Top::TOPOLOGY, Middle::TOPOLOGY, Bottom::TOPOLOGY, Cups::TOPOLOGY];
    let all = graphs.map(|topology| (topology.name, ways(topology, &coverage.to_marks(topology))));
    all.into_iter().filter(|(_, ways)| !ways.is_empty()).collect()
}

type T = Question<Top>;
type M = Question<Middle>;

fn sign(question: &T) -> &Open<Sign> {
    match question {
        T::first(M::sign_a(open)) | T::first_too(M::sign_a(open)) | T::second(M::sign_a(open)) | T::nested(M::sign_a(open)) => open,
        T::first(inner) | T::first_too(inner) | T::second(inner) | T::nested(inner) => match inner {
            M::low(Question::<Bottom>::sign(open))
            | M::other_low(Question::<Bottom>::sign(open))
            | M::low_again(Question::<Bottom>::sign(open)) => open,
            _ => unreachable!(),
        },
        _ => unreachable!(),
    }
}

/// Where questions are open, as a picture shows it.
fn paused(topology: &Topology, marks: &Marks, path: &str, all: &mut Vec<(String, Mark)>) {
    for place in topology.places {
        let here = format!("{path}{}", place.name);
        let mark = marks.of(place.name);
        if matches!(mark, Mark::Paused | Mark::Active) && place.graph.is_none() {
            all.push((here.clone(), mark));
        }
        if let (Some(graph), Some(inner)) = (place.graph, marks.inside(place.name)) {
            paused(graph, inner, &format!("{here}/"), all);
        }
    }
}

/// Where questions are open, as the inbox tells it.
async fn asking(app: &App<Top>, name: &str) -> Vec<(String, Mark)> {
    let waiting = app.pending().list().await.unwrap().waiting;
    let mut all: Vec<(String, Mark)> = Vec::new();
    for open in waiting.iter().filter(|open| open.thread.as_str() == name) {
        let mut graph = Top::TOPOLOGY;
        let mut path = String::new();
        for part in open.path.split('/').filter(|part| !part.is_empty()) {
            let name = part.split_once(':').unwrap().1;
            // In these graphs a branch that is called like a mounted graph is around it, at the same graph.
            if let Some(inner) = graph.place(name).and_then(|place| place.graph)
                && !path.ends_with(&format!("{name}/"))
            {
                graph = inner;
                path.push_str(&format!("{name}/"));
            }
        }
        all.push((format!("{path}{}", open.place), Mark::Paused));
    }
    all.sort_by(|one, other| one.0.cmp(&other.0));
    all.dedup();
    all
}

#[derive(Debug, Default)]
struct Done {
    rows: usize,
    ways: u64,
    paused: usize,
    completed: usize,
    failed: usize,
    stopped: usize,
    forks: usize,
    unrouted: usize,
    edited: usize,
    expired: u64,
    abandoned: usize,
    differ: Vec<String>,
}

async fn check(app: &App<Top>, thread: &Thread<Top>, name: &str, done: &mut Done) {
    let history = thread.history().await.unwrap();
    let marks = history.to_marks(Top::TOPOLOGY);
    let (told, decided) = (of_history(&marks), decided(thread).await);
    if told != decided {
        let mut text = String::new();
        for graph in ["Top", "Middle", "Bottom", "Cups"] {
            let (told, decided) = (told.get(graph).cloned().unwrap_or_default(), decided.get(graph).cloned().unwrap_or_default());
            for way in told.keys().chain(decided.keys().filter(|way| !told.contains_key(*way))) {
                if told.get(way) != decided.get(way) {
                    text.push_str(&format!("\n  {graph} {way:?}: {:?} told, {:?} decided", told.get(way), decided.get(way)));
                }
            }
        }
        done.differ.push(format!("{name}: {text}\n{history}"));
    }
    done.ways += told.values().flat_map(BTreeMap::values).sum::<u64>();
    // Row by row, and what it comes to.
    let mut paged: BTreeMap<&str, Ways> = BTreeMap::new();
    let mut cursor: Option<String> = None;
    loop {
        let page = thread.history().limit(3);
        let page = if let Some(cursor) = cursor { page.after(cursor) } else { page }.await.unwrap();
        for (graph, ways) in of_history(&page.to_marks(Top::TOPOLOGY)) {
            let known = paged.entry(graph).or_default();
            ways.into_iter().for_each(|(way, times)| *known.entry(way).or_default() += times);
        }
        cursor = page.next.clone();
        if cursor.is_none() {
            break;
        }
    }
    let sum = |all: &BTreeMap<&str, Ways>| all.values().flat_map(BTreeMap::values).sum::<u64>();
    if sum(&paged) > sum(&told) {
        done.differ.push(format!("{name}: pages tell more: {paged:?} and {told:?}"));
    }
    let mut shown = Vec::new();
    paused(Top::TOPOLOGY, &marks, "", &mut shown);
    shown.sort_by(|one, other| one.0.cmp(&other.0));
    shown.retain(|(_, mark)| *mark == Mark::Paused);
    let asking = asking(app, name).await;
    if matches!(thread.status().await.unwrap(), Some(Status::Idle)) {
        let mut open = Vec::new();
        paused(Top::TOPOLOGY, &marks, "", &mut open);
        if !open.is_empty() {
            done.differ.push(format!("{name}: still {open:?}\n{history}"));
        }
    }
    if shown != asking {
        done.differ.push(format!("{name}: shown {shown:?}, asked {asking:?}\n{history}"));
    }
}

async fn play(seed: u64, done: &mut Done) {
    let mut random = Random(seed);
    let clock = ManualClock::at(Timestamp(1_000_000));
    let app = Top::app((), Memory::new()).clock(clock.clone()).ids(CountingIds::default());
    let thread = app.thread("t");
    for turn in 0..2 {
        let mut outcome = thread.run(Dice::update().seed(seed * 2 + turn)).await;
        for _ in 0..60 {
            let before = done.differ.len();
            check(&app, &thread, "t", done).await;
            if done.differ.len() > before {
                return;
            }
            match &outcome {
                Ok(Outcome::Completed(_)) => {
                    done.completed += 1;
                    break;
                }
                Ok(Outcome::Paused(waits)) => {
                    done.paused += 1;
                    let which = random.below(waits.questions.len());
                    let sign = sign(&waits.questions[which]);
                    match random.below(7) {
                        0 => {
                            clock.advance(Duration::from_secs(3_601));
                            done.expired += app.sweep().await.unwrap().expired as u64;
                            let pending = thread.pending().await.unwrap();
                            for question in &pending {
                                let _ = thread.reissue(self::sign(question).id(), None).await;
                            }
                            outcome = thread.proceed().await;
                            continue;
                        }
                        1 => {
                            let _ = thread.answer(sign.decline()).await.unwrap();
                            outcome = thread.proceed().await;
                            continue;
                        }
                        2 => {
                            // Whoever has no open branches can be edited.
                            match thread.update_state(Place::<Top>::again, Dice::update().log(["edited"])).await {
                                Ok(_) => done.edited += 1,
                                Err(RunError::ForkOpen) => {}
                                Err(error) => panic!("{error}"),
                            }
                            outcome = thread.proceed().await;
                            continue;
                        }
                        _ => {}
                    }
                    outcome = thread
                        .resume(if random.below(4) == 0 { sign.decline() } else { sign.accept(7) })
                        .steps(1 + random.below(9) as u64)
                        .await;
                }
                Ok(Outcome::Stopped(_)) | Err(_) => {
                    match &outcome {
                        Err(error) if error.to_string().contains("panicked") => done.unrouted += 1,
                        Err(_) => done.failed += 1,
                        Ok(_) => done.stopped += 1,
                    }
                    if random.below(12) == 0 {
                        let _ = thread.abandon().await;
                        done.abandoned += 1;
                        break;
                    }
                    BUSY.set(u32::try_from(random.below(4) / 3).unwrap());
                    outcome = thread.proceed().steps(1 + random.below(9) as u64).await;
                }
            }
            BUSY.set(0);
        }
        check(&app, &thread, "t", done).await;
    }
    done.rows += thread.history().await.unwrap().len();
    for _ in 0..3 {
        check_fork(&app, &thread, &mut random, done).await;
    }
}

/// What is asked in a fork is seen in its own rows, whatever is not.
async fn check_fork(app: &App<Top>, thread: &Thread<Top>, random: &mut Random, done: &mut Done) {
    let last = thread.history().await.unwrap().len();
    let name = format!("fork-{}", done.forks);
    let fork = thread.fork(1 + random.below(last) as u64, name.clone()).await.unwrap();
    done.forks += 1;
    let _outcome = fork.proceed().await;
    let history = fork.history().await.unwrap();
    let marks = history.to_marks(Top::TOPOLOGY);
    let mut shown = Vec::new();
    paused(Top::TOPOLOGY, &marks, "", &mut shown);
    shown.retain(|(_, mark)| *mark == Mark::Paused);
    let asking = asking(app, &name).await;
    if !shown.iter().all(|shown| asking.contains(shown)) {
        done.differ.push(format!("{name}: shown {shown:?}, asked {asking:?}\n{history}"));
    }
}

#[tokio::test]
async fn ways_of_a_history_are_those_that_are_decided() {
    let mut done = Done::default();
    for seed in 0..60 {
        play(seed, &mut done).await;
    }
    let differ = std::mem::take(&mut done.differ);
    assert!(differ.is_empty(), "{} differ\n{}", differ.len(), differ.iter().take(3).cloned().collect::<Vec<_>>().join("\n"));
    let Done { rows, ways, paused, completed, failed, stopped, forks, unrouted, edited, expired, abandoned, .. } = &done;
    assert!(*rows > 2_000 && *ways > 20_000, "{done:?}");
    for (what, times) in [paused, completed, failed, stopped, forks, unrouted, abandoned].into_iter().enumerate() {
        assert!(*times >= 15, "{what}: {done:?}");
    }
    assert!(*edited > 0 && *expired > 0, "{done:?}");
}
