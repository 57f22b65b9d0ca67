//! What a turn is begun with beside its input: fixed for the turn, whoever takes it up.

use graphwright::prelude::*;
use graphwright::store::Sqlite;
use graphwright::{GraphExt, Question, Turn};

type Asked = Question<Looked>;

#[derive(Clone, Debug, Default, Serialize, Deserialize, State)]
struct Text {
    #[state(sum)]
    drafts: u64,
}

#[derive(Debug, Serialize, Deserialize)]
struct Limits {
    drafts: u64,
}

#[node]
fn draft(_: &Text) -> NodeResult<Text> {
    Ok(Text::update().drafts(1_u64))
}

/// One draft, unless the turn says how many.
#[router]
fn enough(text: &Text, turn: &Turn) -> bool {
    text.drafts >= turn.settings::<Limits>().map_or(1, |limits| limits.drafts)
}

struct Look;

#[node]
impl Interrupt<Text, ()> for Look {
    type Question = u64;
    type Answer = ();

    async fn ask(text: &Text, _: &Context<()>) -> Result<Ask<Self>, NodeError> {
        Ok(Ask::question(text.drafts))
    }

    fn resume(_: &Text, _: &u64, _: Answer<()>) -> NodeResult<Self> {
        Ok(Text::update())
    }
}

graph! {
    #[graph(settings = Limits)]
    Drafts(Text) {
        start -> draft;
        draft -> end if enough;
        draft -> draft;
    }
}

graph! {
    #[graph(settings = Limits)]
    Looked(Text) {
        start -> drafts -> Look -> more -> end;
        drafts: graph Drafts;
        more: graph Drafts;
    }
}

#[tokio::test]
async fn a_turn_without_a_store_has_settings() {
    let drafts = |outcome: Outcome<Drafts>| match outcome {
        Outcome::Completed(done) => done.output.drafts,
        other => panic!("{other:?}"),
    };
    assert_eq!(drafts(Drafts::run((), Text::update()).await.unwrap()), 1);
    assert_eq!(drafts(Drafts::run_with((), Limits { drafts: 4 }, Text::update()).await.unwrap()), 4);
}

/// They are read back from the rows in another process's app, and in mounted graphs; the next turn has its own.
#[tokio::test]
async fn settings_are_kept_with_their_turn() {
    let folder = tempfile::tempdir().unwrap();
    let open = async || {
        let store = Sqlite::open(folder.path().join("threads.db")).await.unwrap();
        App::<Looked>::new((), store)
    };
    let paused = open().await.thread("t").run_with(Limits { drafts: 3 }, Text::update()).await.unwrap();
    let Outcome::Paused(paused) = paused else { panic!("{paused:?}") };
    assert_eq!(paused.questions.len(), 1);

    let app = open().await;
    let thread = app.thread("t");
    let Some(Asked::Look(open)) = thread.pending().await.unwrap().into_iter().next() else { panic!("it does not ask") };
    let done = thread.resume(open.accept(())).await.unwrap();
    let Outcome::Completed(done) = done else { panic!("{done:?}") };
    // The second graph finds three drafts and its limit: one more, and it has enough.
    assert_eq!(done.output.drafts, 4);

    let next = thread.run(Text::update()).await.unwrap();
    let Outcome::Paused(_) = next else { panic!("{next:?}") };
    assert_eq!(thread.state().await.unwrap().unwrap().drafts, 5, "the settings of another turn");
}
