//! Attempts, time limits and deadlines of questions: alone, in branches, and in a mounted graph.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use graphwright::prelude::*;
use graphwright::store::{Row, RowKind};
use graphwright::{Class, CountingIds, EventKind, Graph, IdGen, ManualClock, Memory, Timestamp};
use tokio::time::Instant;

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, State)]
pub struct Log {
    #[state(append)]
    pub lines: Vec<String>,
}

/// What each place does at its next attempts; and when each attempt began, by the clock of the test.
#[derive(Clone)]
pub struct Deps {
    plan: Arc<Mutex<Vec<Act>>>,
    begun: Arc<Mutex<Vec<(u32, Duration, String)>>>,
    start: Instant,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Act {
    Fail,
    FailForEver,
    Hang,
}

fn deps(plan: &[Act]) -> Deps {
    let plan = plan.iter().rev().copied().collect();
    Deps { plan: Arc::new(Mutex::new(plan)), begun: Arc::default(), start: Instant::now() }
}

impl Deps {
    fn attempts(&self) -> Vec<u32> {
        self.begun.lock().unwrap().iter().map(|(attempt, ..)| *attempt).collect()
    }

    /// One key over all attempts.
    fn one_key(&self) -> bool {
        let begun = self.begun.lock().unwrap();
        begun.iter().all(|(_, _, key)| *key == begun[0].2)
    }
}

#[node(writes(lines))]
async fn shaky(_: &Log, cx: &Context<Deps>) -> NodeResult<shaky> {
    let deps = cx.deps();
    deps.begun.lock().unwrap().push((cx.attempt(), deps.start.elapsed(), cx.idempotency_key()));
    let act = deps.plan.lock().unwrap().pop();
    match act {
        Some(Act::Fail) => return Err(NodeError::transient("busy")),
        Some(Act::FailForEver) => return Err(NodeError::fatal("no key")),
        Some(Act::Hang) => std::future::pending::<()>().await,
        None => {}
    }
    Ok(Log::update().lines([format!("attempt {}", cx.attempt())]))
}

#[node(writes(lines))]
async fn other(_: &Log) -> NodeResult<other> {
    Ok(Log::update().lines(["other"]))
}

#[node(writes(lines))]
async fn sorry(_: &Log, cx: &Context<Deps>) -> NodeResult<sorry> {
    let failed = cx.failure().unwrap();
    Ok(Log::update().lines([format!("{} failed {} times: {}", failed.place(), failed.attempts(), failed.error())]))
}

graph! {
    pub Line(Log, Deps) {
        start -> shaky -> end;
        shaky: retry(2, backoff(1s)), timeout(10s);
    }
}

graph! {
    pub Part(Log, Deps) {
        start -> shaky -> end;
        shaky: retry(2, backoff(1s)), timeout(10s);
    }
}

graph! {
    pub Branches(Log, Deps) {
        start -> [other, part] -> end;
        part: graph Part;
    }
}

graph! {
    pub Rescued(Log, Deps) {
        start -> [other, part] -> last;
        part -> last;
        part -> sorry on error;
        sorry -> last;
        last -> end;
        last: other;
        part: graph Part;
    }
}

fn kinds(rows: &[Row]) -> Vec<RowKind> {
    rows.iter().map(|row| row.row.kind).collect()
}

#[tokio::test(start_paused = true)]
async fn what_fails_is_tried_again_after_a_while_that_doubles() {
    use RowKind::{Attempt, Input, Step};
    for branches in [false, true] {
        let deps = deps(&[Act::Fail, Act::Hang]);
        let (lines, rows) = if branches {
            let app = Branches::app(deps.clone(), Memory::new());
            let done = app.thread("t").run(Log::update()).await.unwrap().completed().unwrap();
            (done.output.lines, kinds(&app.thread("t").history().await.unwrap()))
        } else {
            let app = Line::app(deps.clone(), Memory::new());
            let done = app.thread("t").run(Log::update()).await.unwrap().completed().unwrap();
            (done.output.lines, kinds(&app.thread("t").history().await.unwrap()))
        };
        assert_eq!(lines.last().map(String::as_str), Some("attempt 3"));
        let mut expected = vec![Input, Attempt, Attempt, Step];
        if branches {
            expected.insert(1, Step);
        }
        assert_eq!(rows, expected);
        assert_eq!(deps.attempts(), [1, 2, 3]);
        assert!(deps.one_key(), "an attempt is the same step");
        let times: Vec<Duration> = deps.begun.lock().unwrap().iter().map(|(_, at, _)| *at).collect();
        let (first, second) = (times[1] - times[0], times[2] - times[1]);
        assert!((Duration::from_millis(500)..=Duration::from_millis(1_010)).contains(&first), "{first:?}");
        // It hung for ten seconds, and then it was waited for one to two.
        assert!((Duration::from_secs(11)..=Duration::from_millis(12_010)).contains(&second), "{second:?}");
    }
}

/// Chance of the test's own: the first byte of each id is told, or comes of dice.
#[derive(Debug)]
enum Chance {
    Is(u8, CountingIds),
    Rolls(AtomicU64),
}

impl IdGen for Chance {
    fn fresh(&self) -> [u8; 16] {
        match self {
            Self::Is(byte, ids) => {
                let mut id = ids.fresh();
                id[0] = *byte;
                id
            }
            Self::Rolls(dice) => {
                let step = |now: u64| now.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                let rolled = step(dice.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |now| Some(step(now))).unwrap());
                let mut id = [0; 16];
                id[0] = (rolled >> 56) as u8;
                id[8..].copy_from_slice(&rolled.to_be_bytes());
                id
            }
        }
    }
}

graph! {
    pub Capped(Log, Deps) {
        start -> shaky -> end;
        shaky: retry(4, backoff(1s, 3s));
    }
}

/// How long was waited before each attempt but the first.
async fn waits<G: Graph<Deps = Deps, State = Log, Input = Update<Log>>>(fails: usize, chance: Chance) -> Vec<Duration> {
    let deps = deps(&vec![Act::Fail; fails]);
    // The rows stand still, so that a wait is as long as it was decided.
    let app = G::app(deps.clone(), Memory::new()).clock(ManualClock::at(Timestamp(1_000_000))).ids(chance);
    app.thread("t").run(Log::update()).await.unwrap().completed().unwrap();
    let begun = deps.begun.lock().unwrap();
    begun.windows(2).map(|pair| pair[1].1 - pair[0].1).collect()
}

#[tokio::test(start_paused = true)]
async fn a_wait_is_between_half_and_all_of_what_doubles_up_to_its_limit() {
    for (byte, wanted) in [(0, [500, 1_000, 1_500, 1_500]), (51, [600, 1_200, 1_800, 1_800]), (255, [1_000, 2_000, 3_000, 3_000])] {
        let waited = waits::<Capped>(4, Chance::Is(byte, CountingIds::default())).await;
        assert_eq!(waited.len(), 4);
        for (waited, wanted) in waited.into_iter().zip(wanted.map(Duration::from_millis)) {
            // A timer of tokio's goes by whole milliseconds.
            assert!(waited >= wanted && waited <= wanted + Duration::from_millis(2), "{byte}: {waited:?}, not {wanted:?}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn those_who_failed_together_do_not_try_again_together() {
    let mut waited = Vec::new();
    for seed in (1..=20_u64).map(|seed| seed.wrapping_mul(0x9e37_79b9_7f4a_7c15)) {
        waited.extend(waits::<Line>(1, Chance::Rolls(AtomicU64::new(seed))).await);
        waited.extend(waits::<Branches>(1, Chance::Rolls(AtomicU64::new(seed))).await);
    }
    assert_eq!(waited.len(), 40);
    assert!(waited.iter().all(|wait| (500..=1_002).contains(&wait.as_millis())), "{waited:?}");
    let distinct: BTreeSet<_> = waited.iter().collect();
    assert!(distinct.len() > 15, "{} of 40 waits differ: {waited:?}", distinct.len());
}

#[tokio::test(start_paused = true)]
async fn what_cannot_be_mended_is_not_tried_again_and_the_last_attempt_is_the_last() {
    for (plan, attempts, class) in [(vec![Act::FailForEver], vec![1], Class::Fatal), (vec![Act::Fail; 3], vec![1, 2, 3], Class::Transient)]
    {
        for branches in [false, true] {
            let deps = deps(&plan);
            let error = if branches {
                Branches::run(deps.clone(), Log::update()).await.unwrap_err()
            } else {
                Line::run(deps.clone(), Log::update()).await.unwrap_err()
            };
            let RunError::Failed(failure) = error else { panic!("{error}") };
            assert_eq!((failure.place(), failure.attempts(), failure.class()), ("shaky", attempts.len() as u32, class));
            assert_eq!(deps.attempts(), attempts);
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_clock_that_was_set_back_makes_nobody_wait() {
    let noon = Timestamp(1_000_000_000_000);
    for branches in [false, true] {
        let (deps, clock) = (deps(&[Act::Fail, Act::Fail]), ManualClock::at(noon));
        let back = clock.clone();
        let sets_back = move |event: &graphwright::Event| {
            if matches!(event.kind, EventKind::NodeStarted { .. }) {
                back.set(Timestamp(0));
            }
        };
        let done = if branches {
            let app = Branches::app(deps.clone(), Memory::new()).clock(clock).observe(sets_back);
            app.thread("t").run(Log::update()).await.unwrap().completed().is_some()
        } else {
            let app = Line::app(deps.clone(), Memory::new()).clock(clock).observe(sets_back);
            app.thread("t").run(Log::update()).await.unwrap().completed().is_some()
        };
        assert!(done);
        assert_eq!(deps.attempts(), [1, 2, 3]);
        assert!(deps.start.elapsed() < Duration::from_secs(4), "{:?}", deps.start.elapsed());
    }
}

graph! {
    Stops(Log, Deps) {
        start -> [other -> last, shaky] -> end;
        last: other;
        shaky: retry(2, backoff(1h, 2h));
    }
}

#[tokio::test(start_paused = true)]
async fn what_waits_to_be_tried_again_has_not_begun() {
    let deps = deps(&[Act::Fail]);
    let told = Arc::new(Mutex::new(Vec::new()));
    let (hears, start) = (told.clone(), deps.start);
    let app = Stops::app(deps.clone(), Memory::new()).observe(move |event: &graphwright::Event| match &event.kind {
        EventKind::NodeStarted { place } if place == "shaky" => hears.lock().unwrap().push((true, start.elapsed())),
        EventKind::NodeEnded { place } | EventKind::NodeFailed { place, .. } if place == "shaky" => {
            hears.lock().unwrap().push((false, start.elapsed()));
        }
        _ => {}
    });
    // Nothing more begins behind a breakpoint, and nobody waits for what has not begun.
    let breaks = app.clone().break_after(graphwright::Place::<Stops>::other);
    let stopped = breaks.thread("t").run(Log::update()).await.unwrap().stopped().unwrap();
    assert_eq!((stopped.reason, stopped.place.as_deref()), (graphwright::StopReason::Breakpoint, Some("other")));
    assert_eq!((deps.attempts(), deps.start.elapsed()), (vec![1], Duration::ZERO));
    assert_eq!(*told.lock().unwrap(), [(true, Duration::ZERO), (false, Duration::ZERO)], "it is told of what began alone");
    assert!(app.thread("t").proceed().await.unwrap().completed().is_some());
    assert_eq!(deps.attempts(), [1, 2]);
    let second = deps.begun.lock().unwrap()[1].1;
    assert!(second >= Duration::from_secs(1_800), "{second:?}");
    assert_eq!(told.lock().unwrap()[2..], [(true, second), (false, second)]);
}

#[tokio::test(start_paused = true)]
async fn who_takes_a_thread_over_does_not_start_again() {
    for branches in [false, true] {
        let deps = deps(&[Act::Fail, Act::Fail, Act::Fail, Act::Fail]);
        let memory = Memory::new();
        let (line, forked) = (Line::app(deps.clone(), memory.clone()), Branches::app(deps.clone(), memory.clone()));
        // Dropped while it waits for the second attempt.
        if branches {
            let _ = tokio::time::timeout(Duration::from_millis(100), forked.thread("t").run(Log::update())).await.unwrap_err();
        } else {
            let _ = tokio::time::timeout(Duration::from_millis(100), line.thread("t").run(Log::update())).await.unwrap_err();
        }
        assert_eq!(deps.attempts(), [1]);
        let error = if branches { forked.thread("t").proceed().await.unwrap_err() } else { line.thread("t").proceed().await.unwrap_err() };
        let RunError::Failed(failure) = error else { panic!("{error}") };
        assert_eq!(failure.attempts(), 3);
        assert_eq!(deps.attempts(), [1, 2, 3], "two attempts were left");
        // Somebody lets it go on by hand: then it may begin anew.
        let done = if branches {
            forked.thread("t").proceed().await.unwrap().completed().is_some()
        } else {
            line.thread("t").proceed().await.unwrap().completed().is_some()
        };
        assert!(done);
        assert_eq!(deps.attempts(), [1, 2, 3, 1, 2]);
        assert!(deps.one_key());
    }
}

#[tokio::test(start_paused = true)]
async fn a_mounted_graph_whose_attempts_are_used_up_goes_on_by_the_way_of_its_place() {
    let bare = Rescued::run(deps(&[Act::Fail; 3]), Log::update()).await.unwrap().completed().unwrap();
    assert_eq!(bare.output.lines, ["other", "shaky failed 3 times: busy", "other"]);
    let app = Rescued::app(deps(&[Act::Fail; 3]), Memory::new());
    let kept = app.thread("t").run(Log::update()).await.unwrap().completed().unwrap();
    assert_eq!(kept.output.lines, bare.output.lines);
    let rows = app.thread("t").history().await.unwrap();
    assert_eq!(rows.iter().filter(|row| row.row.kind == RowKind::Failed).count(), 1);
}

/// Asks, and waits for two hours.
pub struct Approve;

#[node(writes(lines))]
impl Interrupt<Log, Deps> for Approve {
    type Question = String;
    type Answer = bool;

    async fn ask(_: &Log, cx: &Context<Deps>) -> Result<Ask<Self>, NodeError> {
        Ok(Ask::question(cx.place().to_owned()))
    }

    fn resume(_: &Log, _: &String, answer: Answer<bool>) -> NodeResult<Self> {
        Ok(Log::update().lines([format!("{answer:?}")]))
    }
}

#[node(writes(lines))]
async fn late(_: &Log) -> NodeResult<late> {
    Ok(Log::update().lines(["late"]))
}

graph! {
    pub Waits(Log, Deps) {
        start -> [slow, quick] -> last;
        slow -> last;
        quick -> last;
        quick -> late on expiry;
        late -> last;
        last -> end;
        slow: Approve, expires(2h);
        quick: Approve, expires(1h);
        last: other;
    }
}

#[tokio::test]
async fn a_question_runs_out_of_time_at_its_way_and_only_then() {
    graphwright::__private::read_back();
    type Q = Question<Waits>;
    let clock = ManualClock::at(Timestamp(1_000_000));
    let told = Arc::new(Mutex::new(Vec::new()));
    let hears = told.clone();
    let app = Waits::app(deps(&[]), Memory::new())
        .clock(clock.clone())
        .ids(CountingIds::default())
        .observe(move |event: &graphwright::Event| hears.lock().unwrap().push(event.kind.clone()));
    let paused = app.thread("t").run(Log::update()).await.unwrap().paused().unwrap();
    let hour = Duration::from_secs(3600);
    clock.advance(hour);
    assert_eq!(app.sweep().await.unwrap().expired, 0, "to the last moment it can be answered");
    clock.advance(Duration::from_micros(1));
    let quick = paused
        .questions
        .into_iter()
        .find_map(|question| match question {
            Q::quick(open) => Some(open),
            _ => None,
        })
        .unwrap();
    let error = app.thread("t").answer(quick.accept(true)).await.unwrap_err();
    assert!(matches!(error, RunError::Expired), "{error}");
    let swept = app.sweep().await.unwrap();
    assert_eq!((swept.expired, swept.driven), (1, 1), "and what is behind it runs");
    assert!(told.lock().unwrap().contains(&EventKind::AskUserExpired { question: quick.id() }));
    let error = app.thread("t").answer(quick.accept(true)).await.unwrap_err();
    assert!(matches!(error, RunError::Expired), "{error}");
    // The other has no way on expiry: it stays open, and can be issued anew.
    clock.advance(hour * 2);
    assert_eq!(app.sweep().await.unwrap().expired, 0);
    let pending = app.thread("t").pending().await.unwrap();
    let [Q::slow(slow)] = &pending[..] else { panic!("one question is left") };
    assert!(matches!(app.thread("t").answer(slow.accept(true)).await.unwrap_err(), RunError::Expired));
    app.thread("t").reissue(slow.id(), None).await.unwrap();
    let pending = app.thread("t").pending().await.unwrap();
    let [Q::slow(slow)] = &pending[..] else { panic!("one question is left") };
    let done = app.thread("t").resume(slow.accept(true)).await.unwrap().completed().unwrap();
    assert_eq!(done.output.lines, ["Accepted(true)", "late", "other"]);
}
