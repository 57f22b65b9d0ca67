//! Every way in which a run can end, however it is driven, on memory and on a file: it begins once and ends once, and the end
//! says which it was. Behind it the thread goes on.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use graphwright::prelude::*;
use graphwright::{Event, EventKind, Mark, StopReason};

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, State)]
struct Work {
    does: Does,
    #[state(sum)]
    rounds: u64,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
enum Does {
    #[default]
    Ends,
    Asks,
    Loops,
    Fails,
    Panics,
    RouterPanics,
    Hangs,
}

const ALL: [(Does, Mark); 7] = [
    (Does::Ends, Mark::Completed),
    (Does::Asks, Mark::Paused),
    (Does::Loops, Mark::Stopped),
    (Does::Fails, Mark::Failed),
    (Does::Panics, Mark::Failed),
    (Does::RouterPanics, Mark::Failed),
    (Does::Hangs, Mark::Stopped),
];

#[node]
async fn work(work: &Work) -> NodeResult<Work> {
    match work.does {
        Does::Fails => return Err("told to fail".into()),
        Does::Panics => panic!("told to panic"),
        Does::Hangs => std::future::pending().await,
        _ => {}
    }
    Ok(Work::update().rounds(1_u64))
}

struct Sign;

#[node]
impl Interrupt<Work, ()> for Sign {
    type Question = ();
    type Answer = ();

    async fn ask(_: &Work, _: &Context<()>) -> Result<Ask<Self>, NodeError> {
        Ok(Ask::question(()))
    }

    fn resume(_: &Work, (): &(), _: Answer<()>) -> NodeResult<Self> {
        Ok(Work::update())
    }
}

#[derive(Route)]
enum Next {
    Again,
    Ask,
    Finish,
}

#[router]
fn next(work: &Work) -> Next {
    match work.does {
        Does::Asks => Next::Ask,
        Does::Loops => Next::Again,
        Does::RouterPanics => panic!("told to panic"),
        _ => Next::Finish,
    }
}

graph! {
    Worker(Work, ()) {
        start -> work -> match next { Again => work, Ask => sign, Finish => end };
        sign -> end;
        sign: Sign;
    }
}

/// How a run is driven.
#[derive(Clone, Copy, Debug)]
enum Driven {
    Awaited,
    Streamed,
    Spawned,
    /// And cancelled from outside.
    Cancelled,
    /// And dropped.
    Dropped,
    /// And its turn ended from outside.
    GivenUp,
}

impl Driven {
    fn is_from_outside(self) -> bool {
        matches!(self, Self::Cancelled | Self::Dropped | Self::GivenUp)
    }
}

const HOW: [Driven; 6] = [Driven::Awaited, Driven::Streamed, Driven::Spawned, Driven::Cancelled, Driven::Dropped, Driven::GivenUp];

/// Everything that was told.
#[derive(Clone, Default)]
struct Told(Arc<Mutex<Vec<Event>>>);

impl Told {
    fn has(&self, is: impl Fn(&EventKind) -> bool) -> bool {
        self.0.lock().unwrap().iter().any(|event| is(&event.kind))
    }

    async fn until(&self, is: impl Fn(&EventKind) -> bool) {
        for _ in 0..20_000 {
            if self.has(&is) {
                return;
            }
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        panic!("it was not told");
    }

    async fn until_it_works(&self) {
        self.until(|kind| matches!(kind, EventKind::NodeStarted { .. })).await;
    }
}

async fn drive(app: &App<Worker>, told: &Told, name: &str, does: Does, how: Driven) {
    let thread = app.thread(name);
    let run = thread.run(Work::update().does(does)).steps(5);
    let run = if how.is_from_outside() { run } else { run.deadline(Duration::from_millis(if does == Does::Hangs { 20 } else { 60_000 })) };
    match how {
        Driven::Awaited => drop(run.await),
        Driven::Streamed => drop(run.stream().outcome().await),
        Driven::Spawned => drop(run.spawn().await.unwrap()),
        Driven::Cancelled | Driven::GivenUp => {
            let run = run.spawn();
            told.until_it_works().await;
            if matches!(how, Driven::Cancelled) {
                assert!(thread.cancel().await.unwrap());
            } else {
                thread.abandon().await.unwrap();
            }
            drop(run.await.unwrap());
        }
        Driven::Dropped => tokio::select! {
            _ = run => panic!("it hangs"),
            () = told.until_it_works() => {}
        },
    }
}

#[tokio::test]
async fn every_run_has_one_start_and_one_end_that_says_how() {
    super::panics();
    let told = Told::default();
    let (memory, hears) = (Memory::new(), told.clone());
    let folder = tempfile::tempdir().unwrap();
    let file = Sqlite::open(folder.path().join("t.db")).await.unwrap();
    let hear = move |event: &Event| hears.0.lock().unwrap().push(event.clone());
    let apps = [Worker::app((), memory).observe(hear.clone()), Worker::app((), file).observe(hear)];
    let mut ends = 0;
    for (store, app) in apps.iter().enumerate() {
        for how in HOW {
            for (does, mark) in ALL {
                // Only what hangs can be ended from outside.
                let from_outside = match how {
                    Driven::Awaited | Driven::Streamed | Driven::Spawned => None,
                    Driven::Cancelled => Some(Mark::Cancelled),
                    Driven::Dropped => Some(Mark::Abandoned),
                    Driven::GivenUp => Some(Mark::Stopped),
                };
                if from_outside.is_some() && does != Does::Hangs {
                    continue;
                }
                let name = format!("{store} {how:?} {does:?}");
                told.0.lock().unwrap().clear();
                drive(app, &told, &name, does, how).await;
                told.until(|kind| matches!(kind, EventKind::RunEnded { .. })).await;
                let events = told.0.lock().unwrap().clone();
                let run = events.first().unwrap_or_else(|| panic!("{name}: nothing was told")).run;
                let of_run: Vec<&Event> = events.iter().filter(|event| event.run == run).collect();
                let starts = of_run.iter().filter(|event| matches!(event.kind, EventKind::RunStarted { .. })).count();
                let marks: Vec<Mark> = of_run
                    .iter()
                    .filter_map(|event| if let EventKind::RunEnded { outcome } = event.kind { Some(outcome) } else { None })
                    .collect();
                assert_eq!((starts, marks.as_slice()), (1, [from_outside.unwrap_or(mark)].as_slice()), "{name}: {of_run:#?}");
                assert!(matches!(of_run.last().unwrap().kind, EventKind::RunEnded { .. }), "{name}: something is told behind the end");
                // The next turn is taken.
                let again =
                    app.clone().on_paused(graphwright::OnPaused::Abandon).thread(name.as_str()).run(Work::update().does(Does::Ends)).await;
                assert!(again.unwrap().completed().is_some(), "{name}");
                ends += 1;
            }
        }
    }
    println!("{ends} ends of runs, one of each run");
    assert!(ends >= 48, "{ends}");
}

#[tokio::test(start_paused = true)]
async fn who_hears_of_a_question_may_answer_it_at_once() {
    let store = Memory::new();
    let answers = Worker::app((), store.clone());
    let (sender, mut receiver) = tokio::sync::mpsc::channel(1);
    let app = Worker::app((), store).observe(move |event: &Event| {
        if matches!(event.kind, EventKind::AskUserQuestion { .. }) {
            let (thread, sender) = (answers.thread("t"), sender.clone());
            // The run that tells of it has not ended yet.
            tokio::spawn(async move {
                let Some(Question::<Worker>::sign(open)) = thread.pending().await.unwrap().pop() else { panic!("it asks") };
                sender.send(thread.resume(open.accept(())).await.unwrap().completed().is_some()).await.unwrap();
            });
        }
    });
    let outcome = app.thread("t").run(Work::update().does(Does::Asks)).await.unwrap();
    assert!(outcome.paused().is_some());
    assert_eq!(receiver.recv().await, Some(true));
}

#[tokio::test(start_paused = true)]
async fn a_deadline_says_that_it_was_one() {
    let app = Worker::app((), Memory::new()).deadline(Duration::from_secs(1));
    let stopped = app.thread("t").run(Work::update().does(Does::Hangs)).await.unwrap().stopped().unwrap();
    assert_eq!(stopped.reason, StopReason::TimedOut);
}
