//! Two builds at work on one store: who answers by one of them leaves a run of the other alone (PROTOCOL H11).

use std::sync::Arc;
use std::time::Duration;

use graphwright::prelude::*;
use graphwright::store::Status;
use graphwright::{ManualClock, Timestamp};
use tokio::sync::Notify;

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, State)]
pub struct Log {
    #[state(append)]
    lines: Vec<String>,
}

/// Holds the work up until it is told.
#[derive(Clone, Default)]
pub struct Deps(Arc<Notify>);

#[node(writes(lines))]
async fn work(_: &Log, cx: &Context<Deps>) -> NodeResult<work> {
    cx.deps().0.notified().await;
    Ok(Log::update().lines(["work"]))
}

#[node(writes(lines))]
async fn check(_: &Log, cx: &Context<Deps>) -> NodeResult<check> {
    Ok(Log::update().lines([cx.place()]))
}

pub struct Sign;

#[node(writes(lines))]
impl Interrupt<Log, Deps> for Sign {
    type Question = String;
    type Answer = bool;

    async fn ask(_: &Log, cx: &Context<Deps>) -> Result<Ask<Self>, NodeError> {
        Ok(Ask::question(cx.place().to_owned()))
    }

    fn resume(_: &Log, _: &String, answer: Answer<bool>) -> NodeResult<Self> {
        Ok(Log::update().lines([format!("{answer:?}")]))
    }
}

mod old {
    use super::*;

    graph! {
        #[graph(version = 1)]
        pub Desk(Log, Deps) {
            start -> [sign, late, work] -> last;
            late -> last;
            late -> missed on expiry;
            missed -> last;
            last -> end;
            sign: Sign;
            late: Sign, expires(1h);
            missed: check;
            last: check;
        }
    }
}

mod new {
    use super::*;

    graph! {
        /// Checks what was signed.
        #[graph(version = 2)]
        pub Desk(Log, Deps) {
            start -> [sign -> checked, late, work] -> last;
            late -> last;
            late -> missed on expiry;
            missed -> last;
            last -> end;
            sign: Sign;
            checked: check;
            late: Sign, expires(1h);
            missed: check;
            last: check;
        }
    }
}

type Old = Question<old::Desk>;
type New = Question<new::Desk>;

#[tokio::test]
async fn h11_an_answer_by_another_build_leaves_a_run_alone() {
    graphwright::__private::read_back();
    let (store, deps, clock) = (Memory::new(), Deps::default(), ManualClock::at(Timestamp(1_000_000)));
    let old = old::Desk::app(deps.clone(), store.clone()).clock(clock.clone());
    let new = new::Desk::app(deps.clone(), store).clock(clock.clone());
    let run = old.thread("t").run(Log::update()).spawn();
    while old.thread("t").status().await.unwrap().is_none() || old.thread("t").pending().await.unwrap().len() < 2 {
        tokio::task::yield_now().await;
    }
    let pending = new.thread("t").pending().await.unwrap();
    let [New::sign(sign), New::late(_)] = &pending[..] else { panic!("two questions are open") };

    // The run would stand before a place that it has not.
    let error = new.thread("t").answer(sign.accept(true)).await.unwrap_err();
    assert!(matches!(&error, RunError::GraphChanged { what, .. } if what.contains("version 1") && what.contains("version 2")), "{error}");
    clock.advance(Duration::from_secs(3_601));
    let swept = new.sweep().await.unwrap();
    assert_eq!((swept.expired, swept.failed), (0, 1), "nor does time pass there");
    new.thread("t").reissue(sign.id(), None).await.unwrap();
    assert_eq!(old.thread("t").status().await.unwrap(), Some(Status::Running));
    assert_eq!(old.sweep().await.unwrap().expired, 1, "its own build sees to that");
    deps.0.notify_one();
    let paused = run.await.unwrap().unwrap().paused().expect("it was left alone");
    let [Old::sign(_)] = &paused.questions[..] else { panic!("one question is left") };

    // Nobody drives it now: it goes on with whoever answers.
    let pending = new.thread("t").pending().await.unwrap();
    let [New::sign(sign)] = &pending[..] else { panic!("one question is left") };
    let done = new.thread("t").resume(sign.accept(true)).await.unwrap().completed().unwrap();
    assert_eq!(done.output.lines, ["Accepted(true)", "checked", "missed", "work", "last"]);
}
