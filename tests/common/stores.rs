//! The same turn without a store, on memory, and on a file: it must come to the same.

use graphwright::testing::Recording;
use graphwright::{App, Completed, Graph, GraphExt, Memory, Outcome, RunError, RunsBare, Sqlite};

/// Completed turns of the same input, by where they ran.
pub(crate) async fn everywhere<G: Graph>(deps: impl Fn() -> G::Deps, input: impl Fn() -> G::Input) -> Vec<(&'static str, Completed<G>)>
where
    G::Pauses: RunsBare<G>,
{
    let folder = tempfile::tempdir().unwrap();
    let sqlite = Sqlite::open(folder.path().join("t.db")).await.unwrap();
    let bare = G::run(deps(), input()).await;
    let memory = on(&G::app(deps(), Memory::new()), input()).await;
    let file = on(&G::app(deps(), sqlite), input()).await;
    [("no store", bare), ("memory", memory), ("sqlite", file)].map(|(store, outcome)| (store, completed(store, outcome))).into()
}

async fn on<G: Graph>(app: &App<G>, input: G::Input) -> Result<Outcome<G>, RunError> {
    let thread = app.thread("t");
    let outcome = thread.run(input).await;
    let recording = Recording::of(&thread).await.unwrap();
    recording.replay::<G>().unwrap_or_else(|differs| panic!("told again it goes elsewhere: {differs}"));
    outcome
}

fn completed<G: Graph>(store: &str, outcome: Result<Outcome<G>, RunError>) -> Completed<G> {
    match outcome {
        Ok(Outcome::Completed(done)) => done,
        Ok(other) => panic!("{store}: {other:?}"),
        Err(error) => panic!("{store}: {error}"),
    }
}
