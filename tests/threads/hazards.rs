//! What may come between people and a thread: answers that are crossed, a worker that dies before it has told, a clock that
//! jumps.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use graphwright::prelude::*;
use graphwright::store::Checkpointer;
use graphwright::{Clock, KeyRing, ManualClock, Timestamp, Token};

use super::doubles::{Fault, Faulty};
use super::machine::{Log, Order};

const NOON: Timestamp = Timestamp(1_700_000_000_000_000);
const DAY: Duration = Duration::from_secs(24 * 3_600);

/// What `notify` was told.
type Told = Arc<Mutex<Vec<String>>>;

pub(super) struct Sign;

#[node]
impl Interrupt<Log, Told> for Sign {
    type Question = u32;
    type Answer = u32;

    async fn ask(log: &Log, _: &Context<Told>) -> Result<Ask<Self>, NodeError> {
        Ok(Ask::question(log.wanted))
    }

    fn resume(_: &Log, asked: &u32, answer: Answer<u32>) -> NodeResult<Self> {
        Ok(Log::update().lines([format!("{asked}: {answer:?}")]))
    }

    async fn notify(_: &Log, asked: &u32, token: &Token, cx: &Context<Told>) -> Result<(), NodeError> {
        cx.deps().lock().unwrap().push(format!("{asked} {}", token.as_str()));
        match *asked {
            FAILS => Err("nobody is there".into()),
            PANICS => panic!("told to panic"),
            HANGS => std::future::pending().await,
            _ => Ok(()),
        }
    }
}

/// What is asked of somebody who cannot be told.
const FAILS: u32 = 1_001;
const PANICS: u32 = 1_002;
const HANGS: u32 = 1_003;

#[node]
async fn late(log: &Log) -> NodeResult<Log> {
    if log.order == Order::Hang {
        std::future::pending::<()>().await;
    }
    Ok(Log::update().lines(["late"]))
}

graph! {
    pub(super) Signs(Log, Told) {
        start -> sign -> end;
        sign -> late on expiry;
        late -> end;
        sign: Sign, expires(48h);
    }
}

fn app(told: &Told, store: impl Checkpointer) -> App<Signs> {
    Signs::app(Arc::clone(told), store).keys(KeyRing::new(1, [7; 32]).unwrap())
}

async fn ask(app: &App<Signs>, thread: &str, what: u32) -> graphwright::Open<Sign> {
    let paused = app.thread(thread).run(Log::update().wanted(what)).await.unwrap().paused().unwrap();
    let Some(Question::<Signs>::sign(question)) = paused.questions.into_iter().next() else { panic!("a question") };
    question
}

async fn state(app: &App<Signs>, thread: &str) -> Vec<String> {
    app.thread(thread).state().await.unwrap().unwrap().lines
}

#[tokio::test]
async fn an_answer_of_one_thread_reaches_no_other() {
    let app = app(&Told::default(), Memory::new());
    let (one, two) = (ask(&app, "one", 1).await, ask(&app, "two", 2).await);
    let token = app.token("two", two.id()).await.unwrap();
    for crossed in [app.thread("one").answer(two.accept(5)).await, app.thread("two").answer([two.accept(5), one.accept(5)]).await] {
        assert!(matches!(crossed.unwrap_err(), RunError::NoQuestion));
    }
    assert!(app.thread("two").answer([two.accept(5), two.accept(6)]).await.is_err(), "two answers to one question");
    assert_eq!(app.pending().list().await.unwrap().waiting.len(), 2, "both are open, and nothing is half done");
    assert_eq!((state(&app, "one").await, state(&app, "two").await), (vec![], vec![]));
    // The question that a token is for is in the token, whichever page it was pasted into.
    let redeemed = app.redeem(&token, Sign::answer(Answer::Accepted(7))).await.unwrap();
    assert_eq!(redeemed.thread.id().unwrap().as_str(), "two");
    assert_eq!((state(&app, "one").await, state(&app, "two").await), (vec![], vec!["2: Accepted(7)".to_owned()]));
}

#[tokio::test]
async fn whoever_dies_before_it_has_told_is_stood_in_for() {
    let mut twice = 0;
    let mut calls = 0;
    loop {
        let memory = Memory::new();
        let told = Told::default();
        let mine = app(&told, memory.clone());
        let token = mine.token("t", ask(&mine, "t", 3).await.id()).await.unwrap();
        // The worker's store is gone from this call on, in the middle of whatever it does.
        let store = Faulty::new(memory.clone(), Fault::FailFrom(calls));
        let dies = app(&told, store.clone());
        let lived = dies.sweep().await.is_ok_and(|swept| swept.delivered == 1);
        let other = app(&told, memory);
        assert_eq!(other.sweep().await.unwrap().delivered, usize::from(!lived), "after {calls} calls");
        assert_eq!(other.sweep().await.unwrap().delivered, 0, "once it is known to be told, it is not told again");
        let told = told.lock().unwrap().clone();
        assert!((1..=2).contains(&told.len()), "at least once: {told:?}");
        assert!(told.iter().all(|told| *told == format!("3 {}", token.as_str())), "the same token each time");
        twice += usize::from(told.len() == 2);
        if lived {
            break;
        }
        calls += 1;
    }
    assert!(calls >= 4, "only {calls} calls");
    assert_eq!(twice, 1, "between the telling and its commit");
}

#[tokio::test]
async fn an_answer_of_anybody_is_bounded_and_leaves_the_question_open() {
    let app = app(&Told::default(), Memory::new());
    let open = ask(&app, "t", 1).await;
    let token = app.token("t", open.id()).await.unwrap();
    let bare = serde_json::json!({"action": "accept", "content": ""}).to_string().len();
    for (bytes, status) in [(graphwright::MAX_ANSWER_BYTES, 422), (graphwright::MAX_ANSWER_BYTES + 1, 413), (4 << 20, 413)] {
        let answer = serde_json::json!({"action": "accept", "content": "x".repeat(bytes - bare)});
        let refused = app.redeem(&token, answer).await.unwrap_err();
        assert_eq!(refused.status(), status, "{bytes} bytes: {refused}");
        assert!(refused.to_string().len() < 200, "nothing of it is told again");
    }
    let mut deep = serde_json::json!(5);
    for _ in 0..5_000 {
        deep = serde_json::Value::Array(vec![deep]);
    }
    // Whatever is in it, there is one transition, and it is for the right one.
    let odd =
        [deep, serde_json::json!("\0\u{202e}\r\nevent: run_ended"), serde_json::json!(5.5), serde_json::json!(-1), serde_json::json!([5])];
    for content in odd {
        let mut answer = serde_json::json!({"action": "accept", "content": null});
        answer["content"] = content;
        assert_eq!(app.redeem(&token, answer).await.unwrap_err().status(), 422);
    }
    let odd =
        [r#"{"action": "accept"}"#, r#"{"action": "Accept", "content": 5}"#, r#"{"content": 5}"#, "null", "5", r#"["accept", 5]"#, "{}"];
    for answer in odd {
        let answer: serde_json::Value = serde_json::from_str(answer).unwrap();
        assert_eq!(app.redeem(&token, answer.clone()).await.map(|_| ()).unwrap_err().status(), 422, "{answer}");
    }
    assert_eq!(state(&app, "t").await, Vec::<String>::new());
    app.redeem(&token, serde_json::json!({"action": "accept", "content": 5})).await.unwrap();
    assert_eq!(state(&app, "t").await, ["1: Accepted(5)"]);
}

/// Those to whom it came, how often.
fn times(told: &Told, what: u32) -> usize {
    told.lock().unwrap().iter().filter(|told| told.starts_with(&format!("{what} "))).count()
}

#[tokio::test(start_paused = true)]
async fn somebody_who_cannot_be_told_holds_up_nobody() {
    let told = Told::default();
    let app = app(&told, Memory::new());
    for what in [HANGS, FAILS, PANICS, 3] {
        ask(&app, &what.to_string(), what).await;
    }
    let swept = app.sweep().await.unwrap();
    assert_eq!((swept.delivered, swept.failed), (1, 3));
    assert_eq!([HANGS, FAILS, PANICS, 3].map(|what| times(&told, what)), [1, 1, 1, 1]);
    assert_eq!(app.sweep().await.unwrap().failed, 3, "at least once means again");
    // They can be answered all the same, and then nobody is told any more.
    for waiting in app.pending().list().await.unwrap().waiting {
        let thread = app.thread_of(&waiting).unwrap();
        let Some(Question::<Signs>::sign(open)) = thread.pending().await.unwrap().pop() else { panic!("a question") };
        thread.resume(open.accept(1)).await.unwrap().into_completed().unwrap();
    }
    let swept = app.sweep().await.unwrap();
    assert_eq!((swept.delivered, swept.failed), (0, 0));
}

#[tokio::test(start_paused = true)]
async fn no_part_of_the_work_waits_for_another() {
    let (told, clock) = (Told::default(), ManualClock::at(NOON));
    let app = app(&told, Memory::new()).clock(clock.clone());
    // More of each kind than a worker does at once.
    for n in 0..20 {
        let (thread, hangs) = (app.thread(format!("stuck {n}")), Log::update().wanted(HANGS).order(Order::Hang));
        thread.run(hangs).await.unwrap().paused().unwrap();
    }
    let work = tokio::spawn(app.work());
    tokio::time::sleep(Duration::from_secs(5)).await;
    clock.advance(DAY * 3);
    tokio::time::sleep(Duration::from_secs(5)).await;
    let waiting = app.pending().list().await.unwrap().waiting.len();
    assert_eq!((times(&told, HANGS), waiting), (16, 0), "all of them have expired, although nobody comes back");
    ask(&app, "t", 3).await;
    tokio::time::sleep(Duration::from_secs(180)).await;
    assert_eq!(times(&told, 3), 1, "although what is told and driven hangs");
    clock.advance(DAY * 3);
    tokio::time::sleep(Duration::from_secs(5)).await;
    assert!(app.pending().list().await.unwrap().waiting.is_empty());
    // And it ends with its app, although what it drives hangs.
    app.shutdown(Duration::from_secs(1)).await;
    work.await.unwrap();
}

#[tokio::test]
async fn a_clock_that_jumps_back_undoes_nothing() {
    let clock = ManualClock::at(NOON);
    let app = app(&Told::default(), Memory::new()).clock(clock.clone());
    let question = ask(&app, "t", 1).await;
    clock.set(Timestamp(0));
    // Asked in the future, as this clock sees it: it is open, and answered in no time.
    let waiting = app.pending().list().await.unwrap().waiting;
    assert_eq!((waiting[0].opened_at, waiting[0].expires), (NOON, Some(NOON.after(DAY * 2))));
    assert!(app.pending().older_than(Duration::from_secs(1)).list().await.unwrap().waiting.is_empty());
    assert_eq!(app.sweep().await.unwrap().expired, 0);
    app.thread("t").answer(question.accept(5)).await.unwrap();
    app.thread("t").run(Log::update().wanted(2_u32)).await.unwrap().paused().unwrap();
    let times: Vec<_> = app.thread("t").history().await.unwrap().iter().map(|row| row.row.at).collect();
    assert!(times.iter().all(|at| *at == NOON), "the time of a thread never falls: {times:?}");
}

#[tokio::test]
async fn a_clock_that_jumps_ahead_and_back_expires_for_good() {
    let clock = ManualClock::at(NOON);
    let app = app(&Told::default(), Memory::new()).clock(clock.clone());
    let (early, late) = (ask(&app, "early", 1).await, ask(&app, "late", 2).await);
    clock.advance(DAY * 3_650);
    // Nobody swept: it can be answered no more all the same.
    assert!(matches!(app.thread("late").answer(late.accept(5)).await.unwrap_err(), RunError::Expired));
    clock.set(NOON);
    app.thread("early").answer(early.accept(5)).await.unwrap();
    clock.advance(DAY * 3);
    let swept = app.sweep().await.unwrap();
    assert_eq!((swept.expired, swept.driven), (1, 1));
    clock.set(NOON);
    assert!(matches!(app.thread("late").answer(late.accept(5)).await.unwrap_err(), RunError::Expired | RunError::Superseded));
    assert_eq!((state(&app, "early").await, state(&app, "late").await), (vec!["1: Accepted(5)".to_owned()], vec!["late".to_owned()]));
}

#[tokio::test]
async fn a_process_whose_clock_is_not_the_stores_expires_nothing() {
    let (memory, clock) = (Memory::new(), ManualClock::at(NOON));
    let mine = app(&Told::default(), memory.clone()).clock(clock.clone());
    ask(&mine, "t", 1).await;
    clock.advance(DAY * 3);
    for (apart, expired) in [(301, None), (300, Some(1))] {
        let store = Faulty::new(memory.clone(), Fault::Clock(clock.now().after(Duration::from_secs(apart))));
        let swept = app(&Told::default(), store).clock(clock.clone()).sweep().await;
        assert_eq!(swept.ok().map(|swept| swept.expired), expired, "{apart} seconds apart");
    }
}

/// Every clock there can be at three moments: when it is asked, answered and swept. The time of a thread is the latest that any
/// of its rows was told, so what is late is late for good, and nobody panics or is older than the world.
#[tokio::test]
async fn f034_whatever_the_clock_says_there_is_one_transition() {
    graphwright::__private::read_back();
    let week = 7 * 24 * 60 * 60 * 1_000_000;
    // The bounds, 1970, the last microsecond of nanoseconds in 64 bits (2262), a leap second, and around the deadline.
    let deadline = NOON.after(DAY * 2).0;
    let times = [
        i64::MIN,
        -1,
        0,
        1,
        1_483_228_799_999_999,
        NOON.0,
        deadline - 1,
        deadline,
        deadline + 1,
        NOON.0 + week,
        i64::MAX / 1_000,
        i64::MAX,
    ];
    let (mut answered, mut late, mut expired) = (0, 0, 0);
    for n in 0..12 * 12 * 12 {
        let [asked, then, swept] = [n / 144, n / 12 % 12, n % 12].map(|at| times[at]);
        let (clock, memory) = (ManualClock::at(Timestamp(asked)), Memory::new());
        let anew = || app(&Told::default(), memory.clone()).clock(clock.clone());
        let app = anew();
        let open = ask(&app, "t", 1).await;
        let opened = open.record().opened_at;
        let until = open.record().expires.expect("it has a deadline");
        assert_eq!((opened.0, until), (asked.max(0), opened.after(DAY * 2)), "asked at {asked}");
        clock.set(Timestamp(then));
        let answer = app.thread("t").answer(open.accept(5)).await;
        let in_time = opened.max(Timestamp(then)) <= until;
        match &answer {
            Ok(_) if in_time => answered += 1,
            Err(RunError::Expired) if !in_time => late += 1,
            other => panic!("asked {asked}, answered {then}: {other:?}"),
        }
        clock.set(Timestamp(swept));
        let sweep = app.sweep().await.unwrap();
        // A refused answer writes nothing: whether its time is up is for the clock of the sweep.
        let lapses = answer.is_err() && Timestamp(swept) > until;
        assert_eq!((sweep.expired, sweep.failed), (usize::from(lapses), 0), "asked {asked}, answered {then}, swept {swept}");
        expired += sweep.expired;
        let lines = match (answer.is_ok(), lapses) {
            (true, _) => vec!["1: Accepted(5)".to_owned()],
            (false, true) => vec!["late".to_owned()],
            (false, false) => Vec::new(),
        };
        assert_eq!(state(&app, "t").await, lines, "asked {asked}, answered {then}, swept {swept}");
        assert_eq!(state(&anew(), "t").await, lines, "read by another process");
        let rows = app.thread("t").history().await.unwrap();
        assert!(rows.iter().zip(rows.iter().skip(1)).all(|(one, next)| one.row.at <= next.row.at), "the time of a thread never falls");
    }
    assert_eq!(answered + late, 12 * 12 * 12);
    assert!(answered > 500 && late > 300 && expired > 100, "{answered} {late} {expired}");
}

/// H8 of the protocol: a turn whose first reply was lost is sent again, and somebody deleted the thread in between. So it is
/// where the turn was to begin the thread, and where it was to be another one of it.
#[tokio::test(start_paused = true)]
async fn what_was_deleted_does_not_come_back_with_a_lost_reply() {
    let mut lost = [0, 0];
    for (turns, call) in (0..2).flat_map(|turns| (0..12).map(move |call| (turns, call))) {
        let memory = Memory::new();
        let told = Told::default();
        let (begins, deletes) = (app(&told, Faulty::new(memory.clone(), Fault::LoseReply(call))), app(&told, memory));
        for _ in 0..turns {
            let open = ask(&begins, "t", 3).await;
            let _done = begins.thread("t").resume(open.accept(1)).await.unwrap();
        }
        let rows = async || deletes.thread("t").history().await.map_or(0, |history| history.len());
        let before = rows().await;
        let run = tokio::spawn(async move { begins.thread("t").run(Log::update()).await.map(drop) });
        for _ in 0..100 {
            tokio::task::yield_now().await;
        }
        // Its input is written, and nobody has told it so.
        if rows().await != before + 1 || run.is_finished() {
            continue;
        }
        lost[turns] += 1;
        assert!(deletes.thread("t").delete().await.unwrap());
        let came = run.await.unwrap();
        assert!(matches!(came, Err(RunError::Unknown)), "nobody can say whether it began: {came:?}");
        assert!(deletes.thread("t").status().await.unwrap().is_none(), "it is deleted");
    }
    assert_eq!(lost, [1, 1]);
}
