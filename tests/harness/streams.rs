//! Readers that go away, ten thousand of them: each run has one end, and no task is left behind.

use graphwright::prelude::*;
use graphwright::store::Status;

use super::model::{Plain, interpret};
use super::script::{Act, CallSpec, Op, Script};
use super::world::{Deps, Worlds, input};
use crate::laws::Told;

const READERS: usize = 10_000;

/// So many readers that leave. One of them may only seem to.
async fn attack(readers: usize, stays: Option<usize>) {
    let (told, call) = (Told::default(), CallSpec { act: Act::Waits(2), sign: None });
    let app = Worlds::app(Deps::default(), Memory::new()).observe(told.clone());
    let script = Script { ops: vec![Op::Line(Act::Waits(3)), Op::Calls(vec![call, call])], stops: false };
    let mut left = 0;
    for nth in 0..readers {
        let mut events = app.thread(format!("t{nth}")).run(input(&script)).stream();
        for _ in 0..nth % 40 {
            if events.next().await.is_none() {
                break;
            }
        }
        if stays == Some(nth) {
            tokio::spawn(async move {
                let _events = events;
                std::future::pending::<()>().await;
            });
        } else {
            drop(events);
        }
        left += usize::from(app.thread(format!("t{nth}")).status().await.unwrap() == Some(Status::Running));
    }
    assert!(left > readers / 10, "only {left} left a run");
    let tasks = || tokio::runtime::Handle::current().metrics().num_alive_tasks();
    for _ in 0..readers {
        if tasks() == 0 {
            break;
        }
        tokio::task::yield_now().await;
    }
    assert_eq!(tasks(), 0, "tasks are left behind");
    assert!(told.inv_end(true) > readers / 2, "one end of each run that began");
    let expected = interpret(&Plain::default(), &script).state;
    for nth in (1..readers).step_by(97) {
        let thread = app.thread(format!("t{nth}"));
        if thread.status().await.unwrap().is_some() {
            let done = thread.proceed().await.unwrap().completed().expect("it is free");
            assert_eq!(Plain::from(&done.output), expected, "{nth}");
        }
    }
}

#[tokio::test]
async fn ten_thousand_readers_that_leave_leave_no_task_and_no_thread_behind() {
    attack(READERS, None).await;
}

/// Planted: a task that holds a stream for ever.
#[tokio::test]
#[should_panic(expected = "tasks are left behind")]
async fn a_task_that_is_left_behind_is_caught() {
    attack(200, Some(110)).await;
}
