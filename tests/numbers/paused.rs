//! Threads that all wait at once, and are all answered at once: none is lost, on memory and on a file.

use std::time::Instant;

use graphwright::prelude::*;
use graphwright::store::Status;
use tokio::task::JoinSet;

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, State)]
struct Order {
    number: usize,
    #[state(append)]
    notes: Vec<String>,
}

#[node]
async fn prepare(order: &Order) -> NodeResult<Order> {
    tokio::task::yield_now().await;
    Ok(Order::update().notes([format!("prepared {}", order.number)]))
}

struct Approve;

#[node]
impl Interrupt<Order, ()> for Approve {
    type Question = usize;
    type Answer = usize;

    async fn ask(order: &Order, _: &Context<()>) -> Result<Ask<Self>, NodeError> {
        Ok(Ask::question(order.number))
    }

    fn check(_: &Order, asked: &usize, answer: &usize) -> Result<(), BadAnswer> {
        if asked == answer { Ok(()) } else { Err(BadAnswer::new("the answer of another thread")) }
    }

    fn resume(_: &Order, asked: &usize, answer: Answer<usize>) -> NodeResult<Self> {
        Ok(Order::update().notes([format!("asked {asked}, {answer:?}")]))
    }
}

graph! {
    Orders(Order, ()) {
        start -> prepare -> approve -> end;
        approve: Approve;
    }
}

type Q = Question<Orders>;

/// Handles that this process has open, where that can be told.
fn handles() -> usize {
    std::fs::read_dir("/proc/self/fd").map_or(0, Iterator::count)
}

async fn all<T: Send + 'static, F: Future<Output = T> + Send + 'static>(threads: usize, of: impl Fn(usize) -> F) -> Vec<T> {
    let mut tasks = JoinSet::new();
    for nth in 0..threads {
        tasks.spawn(of(nth));
    }
    tasks.join_all().await
}

/// Gives what was paused at once, and what came to its end.
async fn pause_and_resume(name: &str, app: App<Orders>, threads: usize) -> (usize, usize) {
    let (began, open) = (Instant::now(), handles());
    let asked = all(threads, |nth| {
        let thread = app.thread(format!("t{nth}"));
        async move { thread.run(Order::update().number(nth)).await.unwrap().paused().is_some() }
    })
    .await;
    let paused = asked.iter().filter(|asked| **asked).count();
    let waited = began.elapsed();
    let mut page = app.pending().limit(1_000);
    let mut waiting = 0;
    loop {
        let listed = page.list().await.unwrap();
        waiting += listed.waiting.len();
        let Some(next) = listed.next else { break };
        page = app.pending().limit(1_000).after(next);
    }
    assert_eq!(waiting, threads, "{name}: every question is in the inbox, once");
    let began = Instant::now();
    let done = all(threads, |nth| {
        let thread = app.thread(format!("t{nth}"));
        async move {
            let Some(Q::approve(question)) = thread.pending().await.unwrap().pop() else { panic!("t{nth} asks nothing") };
            let done = thread.resume(question.accept(nth)).await.unwrap().completed().unwrap();
            assert_eq!(done.output.notes, [format!("prepared {nth}"), format!("asked {nth}, Accepted({nth})")]);
            thread.status().await.unwrap() == Some(Status::Idle)
        }
    })
    .await;
    let resumed = done.iter().filter(|done| **done).count();
    assert!(app.pending().list().await.unwrap().waiting.is_empty(), "{name}");
    assert!(handles() < open + 50, "{name}: {open} handles, then {}", handles());
    println!("{name}: {paused} threads paused in {waited:?}, {resumed} resumed in {:?}", began.elapsed());
    (paused, resumed)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn threads_that_wait_all_at_once_are_all_resumed() {
    let threads = std::env::var("PAUSED").ok().and_then(|threads| threads.parse().ok()).unwrap_or(1_000);
    let folder = tempfile::tempdir().unwrap();
    let file = Sqlite::open(folder.path().join("t.db")).await.unwrap();
    let memory = pause_and_resume("memory", Orders::app((), Memory::new()), threads).await;
    let sqlite = pause_and_resume("SQLite", Orders::app((), file), threads).await;
    println!("{threads} threads waited at once");
    assert_eq!((memory, sqlite), ((threads, threads), (threads, threads)));
}
