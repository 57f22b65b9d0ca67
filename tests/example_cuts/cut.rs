//! One cut of one story, and what must hold behind it.

use std::future::{Future, poll_fn};
use std::path::Path;
use std::pin::Pin;
use std::task::Poll;
use std::time::Duration;

use graphwright::prelude::*;
use graphwright::store::{By, Checkpointer, Status, ThreadKey};
use graphwright::{Durability, Given, Graph, ManualClock, Run, Scope, Thread, ThreadId};

use crate::faults::{Faults, Worker};
use crate::laws::{self, Told};

/// An example with what is said to it.
pub(super) trait Story: Send + Sync {
    type Graph: Graph<Deps: Clone, Output: Serialize>;

    /// A world of its own for each cut, what it does outside in a folder.
    fn deps(&self, folder: &Path) -> <Self::Graph as Graph>::Deps;

    fn begin(&self, thread: &Thread<Self::Graph>) -> Run<Self::Graph>;

    /// What is answered; nobody answers in time where there is nothing.
    fn answer(&self, question: Question<Self::Graph>) -> Option<Given>;

    /// When its steps are kept: what is not kept at once is done again.
    fn durabilities(&self) -> &'static [Durability] {
        &[Durability::Sync, Durability::Behind, Durability::Exit]
    }

    /// How often something was done outside.
    fn effects(&self, _folder: &Path) -> usize {
        0
    }

    /// INV-PAIR, of what has a conversation.
    fn pairs(&self, _: &<Self::Graph as Graph>::State, _over: bool) {}
}

/// What is done to it.
#[derive(Clone, Copy, Debug)]
pub(super) enum Cut {
    Never,
    /// Dropped after so many polls.
    Poll(u64),
    /// Dropped when somebody stands before or behind this call, or so many polls later: while the call is under way.
    Call(u64, usize),
    FailOnce(u64),
    FailFrom(u64),
    Lose(u64),
}

/// By which exit it ended, and in which state.
type Ended = (String, String);

/// Drives a story from wherever it is to its end, as a program does.
async fn drive<S: Story>(story: &S, app: App<S::Graph>, clock: ManualClock) -> Result<Ended, RunError> {
    let thread = app.thread("t");
    loop {
        let outcome = match thread.status().await? {
            None => story.begin(&thread).await?,
            Some(_) => thread.proceed().await?,
        };
        match outcome {
            Outcome::Completed(done) => return Ok((format!("{:?}", done.exit), shape(&done.output))),
            Outcome::Paused(paused) => {
                match paused.questions.into_iter().map(|question| story.answer(question)).collect::<Option<Vec<_>>>() {
                    Some(answers) => drop(thread.answer(answers).await?),
                    None => {
                        clock.advance(Duration::from_secs(4 * 24 * 60 * 60));
                        app.sweep().await?;
                    }
                }
            }
            Outcome::Stopped(_) => {}
        }
    }
}

/// A state without what is another one each time: the digits of ids.
fn shape(state: &impl Serialize) -> String {
    let text = serde_json::to_string(state).unwrap();
    let words = text.split_inclusive(|letter: char| !letter.is_ascii_hexdigit());
    words.map(|word| if word.len() > 16 { word.trim_start_matches(|letter: char| letter.is_ascii_hexdigit()) } else { word }).collect()
}

/// Makes the cut, brings the story to its end, and looks whether everything holds. Gives how it ended, what it did
/// outside, and whether there was something to cut.
pub(super) async fn cut<S: Story, T: Checkpointer + Clone>(
    story: &S,
    store: T,
    durability: Durability,
    cut: Cut,
) -> ((Ended, usize), bool) {
    let folder = tempfile::tempdir().unwrap();
    let (faults, deps, told, clock) = (Faults::of(None), story.deps(folder.path()), Told::default(), ManualClock::default());
    let worker = Worker { inner: store.clone(), hooks: faults.clone() };
    let app = S::Graph::app(deps.clone(), worker).observe(told.clone()).clock(clock.clone()).durability(durability);
    match cut {
        Cut::FailOnce(n) => faults.fail(n, 1),
        Cut::FailFrom(n) => faults.fail(n, u64::MAX),
        Cut::Lose(n) => faults.lose(n),
        Cut::Never | Cut::Poll(_) | Cut::Call(..) => {}
    }
    let was_cut = {
        let mut driven: Pin<Box<dyn Future<Output = Result<Ended, RunError>> + Send + '_>> =
            Box::pin(drive(story, app.clone(), clock.clone()));
        let mut seen = u64::MAX;
        match cut {
            Cut::Poll(polls) => !poll(&mut driven, polls as usize).await,
            Cut::Call(point, polls) => loop {
                if faults.points() > point {
                    break !poll(&mut driven, polls).await;
                }
                if poll(&mut driven, 1).await {
                    break false;
                }
                if faults.points() == seen {
                    tokio::time::sleep(Duration::from_millis(1)).await;
                }
                seen = faults.points();
            },
            _ => match driven.await {
                // The failure may have harmed nobody.
                Ok(_) => matches!(cut, Cut::FailOnce(n) | Cut::FailFrom(n) | Cut::Lose(n) if faults.calls() > n),
                Err(RunError::Store(_)) => true,
                Err(other) => panic!("{cut:?}: {other:?}"),
            },
        }
    };
    faults.heal();
    settle(&store).await;
    let end = finish(story, &app, &clock).await;
    let eye = S::Graph::app(deps.clone(), store).thread("t");
    assert_eq!(eye.status().await.unwrap(), Some(Status::Idle), "{cut:?}");
    laws::rows(&[], &eye.history().await.unwrap());
    let state = eye.state().await.unwrap().unwrap();
    let known = app.thread("t").state().await.unwrap().unwrap();
    laws::inv_read(&serde_json::to_value(known).unwrap(), &serde_json::to_value(&state).unwrap());
    story.pairs(&state, true);
    told.inv_end(true);
    assert!(app.pending().list().await.unwrap().waiting.is_empty(), "{cut:?}: a question is open at the end");
    ((end, story.effects(folder.path())), was_cut)
}

/// Waits for what was sent to the store and not waited for: it writes one thing after the other.
async fn settle(store: &impl Checkpointer) {
    let nobody = ThreadKey { scope: Scope::root().hash(), by: By::Name(ThreadId::new("nobody").unwrap()) };
    for _ in 0..2 {
        for _ in 0..20 {
            tokio::task::yield_now().await;
        }
        store.delete(&nobody).await.unwrap();
    }
}

/// What was cut may write yet that it was; until then somebody else may find the thread taken.
async fn finish<S: Story>(story: &S, app: &App<S::Graph>, clock: &ManualClock) -> Ended {
    for _ in 0..1_000 {
        tokio::task::yield_now().await;
        if let Ok(Some(state)) = app.thread("t").state().await {
            story.pairs(&state, false);
        }
        match drive(story, app.clone(), clock.clone()).await {
            Ok(end) => return end,
            Err(RunError::Busy { .. } | RunError::Displaced) => tokio::time::sleep(Duration::from_millis(1)).await,
            Err(error) => panic!("it cannot be brought to its end: {error:?}"),
        }
    }
    panic!("it is not brought to its end");
}

/// Polls so often. Whether it is over then.
async fn poll<F: Future + Unpin>(future: &mut F, polls: usize) -> bool {
    for nth in 0..polls {
        if poll_fn(|task| Poll::Ready(Pin::new(&mut *future).poll(task).is_ready())).await {
            return true;
        }
        if nth % 10 == 9 {
            // Time that stands still would never be over for who waits to try again.
            tokio::time::sleep(Duration::from_millis(4)).await;
        }
        tokio::task::yield_now().await;
    }
    false
}
