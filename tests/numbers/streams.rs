//! Readers that stall: a run goes no further than its stream has room for, holds no task, and ends once with its reader.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use graphwright::prelude::*;
use graphwright::{Event, EventKind, Events, Mark};

const READERS: usize = 10_000;
/// Of which so many are held at once.
const AT_ONCE: usize = 500;
/// Where only the look at the numbers is looked at.
const FEW: usize = 10;
/// What a stream holds, and what may wait beside it.
const ROOM: usize = 256 + 8;

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, State)]
struct Count {
    #[state(sum)]
    n: u64,
    /// It lets others run after each round.
    polite: bool,
}

#[node]
async fn count(count: &Count, cx: &Context<()>) -> NodeResult<Count> {
    if count.polite {
        tokio::task::yield_now().await;
    }
    cx.custom("round", serde_json::json!(null)).await;
    Ok(Count::update().n(1_u64))
}

graph! {
    #[graph(endless, steps = 1_000_000)]
    Counter(Count, ()) {
        start -> count -> count;
    }
}

/// How much was told, and how often an end.
#[derive(Clone, Default)]
struct Told {
    events: Arc<AtomicUsize>,
    ends: Arc<AtomicUsize>,
}

async fn stalled(app: &App<Counter>, nth: usize, polite: bool) -> Events<Counter> {
    let mut events = app.thread(format!("t{nth}")).run(Count::update().polite(polite)).stream();
    assert!(events.next().await.is_some());
    events
}

/// So many readers, so many at once, that stall, or read on behind everybody's back.
async fn attack(readers: usize, at_once: usize, reads_on: bool) {
    let told = Told::default();
    let hears = told.clone();
    let app = Counter::app((), Memory::new()).observe(move |event: &Event| {
        hears.events.fetch_add(1, Ordering::SeqCst);
        if let EventKind::RunEnded { outcome } = event.kind {
            assert_eq!(outcome, Mark::Abandoned);
            hears.ends.fetch_add(1, Ordering::SeqCst);
        }
    });
    let mut most = 0;
    for batch in 0..readers / at_once {
        let before = told.events.load(Ordering::SeqCst);
        let (mut held, mut read) = (Vec::new(), tokio::task::JoinSet::new());
        for nth in 0..at_once {
            let mut events = stalled(&app, batch * at_once + nth, !batch.is_multiple_of(10)).await;
            if reads_on {
                read.spawn(async move { while events.next().await.is_some() {} });
            } else {
                held.push(events);
            }
        }
        for _ in 0..20 {
            tokio::task::yield_now().await;
        }
        most = most.max((told.events.load(Ordering::SeqCst) - before) / at_once);
        assert_eq!(told.ends.load(Ordering::SeqCst), batch * at_once, "a run that stalls has no end yet");
        drop((held, read));
        for thread in 0..at_once {
            app.thread(format!("t{}", batch * at_once + thread)).delete().await.unwrap();
        }
    }
    let tasks = || tokio::runtime::Handle::current().metrics().num_alive_tasks();
    for _ in 0..readers {
        if tasks() == 0 {
            break;
        }
        tokio::task::yield_now().await;
    }
    println!("{readers} readers stalled, {most} events told for each at most, {} tasks left", tasks());
    assert!(most > 1 && most <= ROOM, "{most} events for each");
    assert_eq!((told.ends.load(Ordering::SeqCst), tasks()), (readers, 0), "one end of each run, and no task");
}

#[tokio::test]
async fn ten_thousand_readers_that_stall_hold_no_more_than_their_room_and_no_task() {
    attack(READERS, AT_ONCE, false).await;
}

/// Planted: streams that take in whatever is told, as if they had no bound.
#[tokio::test]
#[should_panic(expected = "events for each")]
async fn a_stream_without_a_bound_is_caught() {
    attack(FEW, FEW, true).await;
}
