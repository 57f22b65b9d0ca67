//! The ways of a history are those that routers decide when the thread is told again: over graphs with all that there is, on
//! threads that go where dice say.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::time::Duration;

use graphwright::diagram::{Mark, Marks, ToMarks};
use graphwright::prelude::*;
use graphwright::store::Status;
use graphwright::testing::{CountingIds, Coverage, ManualClock, Recording};
use graphwright::topology::{Target, Topology, WayKind};
use graphwright::{App, Graph, Open, Place, Set, Thread, Timestamp, Turn, graph};

use super::random::Random;

thread_local! {
    /// How many attempts will fail yet, whatever the dice say.
    static BUSY: Cell<u32> = const { Cell::new(0) };
}

/// What a thread does next depends on what it has done, and on its seed.
#[derive(Clone, Debug, Default, Serialize, Deserialize, State)]
struct Dice {
    seed: u64,
    #[state(append)]
    log: Vec<String>,
}

/// The same, for a graph with a state of its own.
#[derive(Clone, Debug, Default, Serialize, Deserialize, State)]
struct Cup {
    seed: u64,
    #[state(append)]
    log: Vec<String>,
}

fn thrown(seed: u64, log: &[String], what: &str, sides: u64) -> u64 {
    let mut hash = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0xcbf2_9ce4_8422_2325;
    for byte in log.iter().flat_map(|line| line.bytes()).chain(what.bytes()) {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    }
    (hash >> 29) % sides
}

impl Dice {
    fn throw(&self, what: &str, sides: u64) -> u64 {
        thrown(self.seed, &self.log, what, sides)
    }

    /// As it is decided in a run: in some of them a router panics, and does so again when it is told.
    fn throw_in(&self, turn: &Turn, what: &str, sides: u64) -> u64 {
        if self.throw(&format!("{what} {}", turn.run()), 25) == 0 {
            std::panic::resume_unwind(Box::new("told to panic"));
        }
        self.throw(what, sides)
    }
}

fn worked(seed: u64, log: &[String], place: &str, item: u64) -> Result<String, NodeError> {
    if BUSY.get() > 0 {
        BUSY.set(BUSY.get() - 1);
        return Err(NodeError::transient("busy"));
    }
    match thrown(seed, log, place, 9) {
        0 => Err(NodeError::fatal("the dice say so")),
        _ => Ok(format!("{place}{item}")),
    }
}

macro_rules! nodes {
    ($($name:ident)*) => {
        $(#[node(writes(log))]
        async fn $name(dice: &Dice, cx: &Context<()>) -> NodeResult<$name> {
            Ok(Dice::update().log([worked(dice.seed, &dice.log, cx.place(), 0)?]))
        })*
    };
}
nodes!(may_fail);

/// Never fails.
#[node(writes(log))]
fn does(_: &Dice, cx: &Context<()>) -> NodeResult<does> {
    Ok(Dice::update().log([cx.place()]))
}

#[node(writes(log))]
async fn item_may_fail(dice: &Dice, item: &u64, cx: &Context<()>) -> NodeResult<item_may_fail> {
    Ok(Dice::update().log([worked(dice.seed, &dice.log, cx.place(), *item)?]))
}

#[node(writes(log))]
fn sip(_: &Cup, cx: &Context<()>) -> NodeResult<sip> {
    Ok(Cup::update().log([cx.place()]))
}

#[node(writes(log))]
async fn spill(cup: &Cup, cx: &Context<()>) -> NodeResult<spill> {
    Ok(Cup::update().log([worked(cup.seed, &cup.log, cx.place(), 0)?]))
}

#[derive(Route)]
enum Side {
    Heads,
    Tails,
    Edge,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, Route)]
enum Which {
    A,
    B,
    C,
}

#[router]
fn side(dice: &Dice, turn: &Turn) -> Side {
    tossed(dice.throw_in(turn, "side", 3))
}

fn tossed(thrown: u64) -> Side {
    match thrown {
        0 => Side::Heads,
        1 => Side::Tails,
        _ => Side::Edge,
    }
}

#[router]
fn rest(item: &u64) -> Side {
    tossed(item % 3)
}

#[router]
fn odd(dice: &Dice, turn: &Turn) -> bool {
    dice.throw_in(turn, "odd", 2) == 1
}

#[router]
fn full(cup: &Cup) -> bool {
    thrown(cup.seed, &cup.log, "full", 2) == 1
}

#[router]
fn which(dice: &Dice, turn: &Turn) -> Set<Which> {
    let thrown = dice.throw_in(turn, "which", 8);
    [Which::A, Which::B, Which::C].into_iter().enumerate().filter(|(bit, _)| thrown >> bit & 1 == 1).map(|(_, which)| which).collect()
}

#[router]
fn items(dice: &Dice, turn: &Turn) -> Vec<u64> {
    (0..dice.throw_in(turn, "items", 4)).collect()
}

/// Chooses its way itself.
#[node(writes(log))]
async fn picks(dice: &Dice) -> Result<(Update<Dice, picks>, Side), NodeError> {
    Ok((Dice::update().log(["picks"]), tossed(dice.throw("picks", 3))))
}

struct Sign;

#[node(writes(log))]
impl Interrupt<Dice, ()> for Sign {
    type Question = String;
    type Answer = u32;

    async fn ask(dice: &Dice, cx: &Context<()>) -> Result<Ask<Self>, NodeError> {
        let ask = Ask::question(cx.place().to_owned());
        Ok(if thrown(dice.seed, &dice.log, cx.place(), 4) == 0 { ask.answered(Answer::Declined) } else { ask })
    }

    fn resume(_: &Dice, place: &String, answer: Answer<u32>) -> NodeResult<Self> {
        Ok(Dice::update().log([format!("{place}: {answer:?}")]))
    }
}

graph! {
    Bottom(Dice) {
        start -> dig;
        dig -> mend on error;
        mend -> end mended;
        dig -> match side {
            Heads => end,
            Tails => dig at_most 2 else end tired,
            Edge => sign,
        };
        sign -> match { Accepted => dig_on, Declined | Cancelled => end tired };
        sign -> mend on expiry;
        dig_on -> end;

        dig: may_fail;
        mend: does;
        dig_on: may_fail;
        sign: Sign, expires(1h);
    }
}

graph! {
    Cups(Cup) {
        start -> sip -> [spill, sip_on] -> match full { true => end, false => end empty };
        sip_on: sip;
    }
}

fn pour(dice: &Dice, _: &u64) -> Update<Cup> {
    Cup::update().seed(dice.seed).log(dice.log.clone())
}

fn taste(cup: &Cup) -> Update<Dice> {
    Dice::update().log([format!("tasted {}", cup.log.len())])
}

graph! {
    // Forks in forks, a place that stands in branches of two forks and outside, and forks that meet at the same place.
    Middle(Dice) {
        start -> open;
        open -> match side {
            Heads => [shared, low, [deep -> shared_too, other]] -> met,
            Tails => [shared, other_low] -> met,
            Edge => shared,
        };
        shared -> met if odd;
        shared -> met;
        low -> match { end | mended => met, tired => low_on };
        other_low -> match { end => met, mended | tired => met };
        low_on -> met;
        deep -> sorry on error;
        sorry -> shared_too;
        met -> match side {
            Heads => some which { A => a -> sign_a, B => b, C => low_again } -> close,
            Tails => each items { cup } -> tally,
            Edge => close,
        };
        low_again -> match { _ => close };
        cup -> match { end => count, empty => dry };
        cup -> dry on error;
        count | dry -> tally;
        tally -> match odd { true => end, false => close at_most 2 else end early };
        close -> open at_most 1 else end;

        open: does;
        shared: does;
        shared_too: does;
        other: may_fail;
        deep: may_fail;
        sorry: does;
        low_on: does;
        met: does;
        a: does;
        b: may_fail;
        sign_a: Sign;
        close: does;
        count: item_may_fail;
        dry: does;
        tally: does;
        low: graph Bottom;
        other_low: graph Bottom;
        low_again: graph Bottom;
        cup: graph Cups, enter(pour), exit(taste), writes(log);
    }
}

graph! {
    #[graph(steps = 500)]
    Top(Dice) {
        start -> begin;
        begin -> match { Heads => first, Tails => [first_too, second] -> after, Edge => each items { nested } -> after };
        first -> match { end => after, early => again };
        first_too | second -> match { end | early => after };
        nested -> match { end | early => after };
        first | second | nested -> failed on error;
        failed -> after;
        again -> begin at_most 2 else after;
        after -> end if odd;
        after -> each items match rest { Heads => x, Tails => y, Edge => z -> w } -> last;
        last -> end;
        last -> end failed on error;

        begin: picks;
        first: graph Middle;
        first_too: graph Middle;
        second: graph Middle;
        nested: graph Middle;
        failed: does;
        again: does;
        after: does;
        x: does;
        y: item_may_fail;
        z: does;
        w: item_may_fail;
        last: may_fail;
    }
}

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
