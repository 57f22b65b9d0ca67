//! Tokens where they must not work (T-S17): used before, by two processes at once, for another tenant, thread or interrupt,
//! after a delete, a fork, another build, another key. On memory and on a file.

use std::time::Duration;

use graphwright::prelude::*;
use graphwright::{Answer, Graph, KeyRing, ManualClock, Redeemed, Retention, Scope, Timestamp, Token, TokenError};
use serde_json::json;

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, State)]
pub struct Log {
    #[state(append)]
    pub lines: Vec<String>,
}

macro_rules! asks {
    ($($name:ident $answer:ty)*) => {
        $(pub struct $name;

        #[node]
        impl Interrupt<Log, ()> for $name {
            type Question = String;
            type Answer = $answer;

            async fn ask(_: &Log, _: &Context<()>) -> Result<Ask<Self>, NodeError> {
                Ok(Ask::question(stringify!($name).to_owned()))
            }

            fn resume(_: &Log, asked: &String, answer: Answer<$answer>) -> NodeResult<Self> {
                Ok(Log::update().lines([format!("{asked} {answer:?}")]))
            }
        })*
    };
}
asks!(Approve bool Confirm u32);

mod now {
    use super::{Approve, Confirm, Log};
    graphwright::graph! {
        pub Desk(Log, ()) {
            start -> approve -> confirm -> end;
            approve: Approve;
            confirm: Confirm;
        }
    }
}

/// The same name, and other ways.
mod later {
    use super::{Approve, Log};
    graphwright::graph! {
        #[graph(version = 2)]
        pub Desk(Log, ()) {
            start -> approve -> end;
            approve: Approve;
        }
    }
}

/// The same name, and the place is gone.
mod without {
    use super::{Confirm, Log};
    graphwright::graph! {
        #[graph(version = 2)]
        pub Desk(Log, ()) {
            start -> confirm -> end;
            confirm: Confirm;
        }
    }
}

mod another {
    use super::{Approve, Log};
    graphwright::graph! {
        pub Other(Log, ()) {
            start -> approve -> end;
            approve: Approve;
        }
    }
}

const NOON: Timestamp = Timestamp(1_700_000_000_000_000);
const OLD: [u8; 32] = [7; 32];
const NEW: [u8; 32] = [8; 32];

fn keys() -> KeyRing {
    KeyRing::new(1, OLD).unwrap()
}

/// Two processes that share a store: two handles of one file, or of one memory.
struct Pair {
    name: &'static str,
    apps: [App<now::Desk>; 2],
    clock: ManualClock,
    tried: usize,
}

impl Pair {
    fn app<G: Graph<Deps = ()>>(&self, store: impl graphwright::store::Checkpointer) -> App<G> {
        G::app((), store).keys(keys()).clock(self.clock.clone())
    }

    /// A token for the first question of a new thread.
    async fn asked(&self, thread: &str) -> Token {
        self.ask(&self.apps[0], thread).await
    }

    async fn ask(&self, app: &App<now::Desk>, thread: &str) -> Token {
        let _paused = app.thread(thread).run(Log::update()).await.unwrap().paused().unwrap();
        self.token(app, thread).await
    }

    async fn token(&self, app: &App<now::Desk>, thread: &str) -> Token {
        let questions = app.thread(thread).pending().await.unwrap();
        let mut ids = questions.iter().map(|question| match question {
            Question::<now::Desk>::approve(open) => open.id(),
            Question::<now::Desk>::confirm(open) => open.id(),
        });
        app.token(thread, ids.next_back().unwrap()).await.unwrap()
    }

    /// Neither of the processes takes it, and nothing is written.
    async fn refused(&mut self, what: &str, thread: &str, token: &Token, is: impl Fn(&TokenError) -> bool) {
        let rows = self.rows(thread).await;
        for app in &self.apps {
            let refused = app.redeem(token, answer()).await;
            assert!(refused.as_ref().is_err_and(&is), "{}: {what}: {refused:?}", self.name);
            self.tried += 1;
        }
        assert_eq!(self.rows(thread).await, rows, "{}: {what}: something was written", self.name);
    }

    async fn taken(&mut self, what: &str, token: &Token) -> Redeemed<now::Desk> {
        self.tried += 1;
        self.apps[1].redeem(token, answer()).await.unwrap_or_else(|error| panic!("{}: {what}: {error}", self.name))
    }

    async fn rows(&self, thread: &str) -> usize {
        self.apps[0].thread(thread).history().await.map_or(0, |history| history.len())
    }
}

fn answer() -> serde_json::Value {
    json!({"action": "accept", "content": true})
}

async fn matrix(pair: &mut Pair, store: impl graphwright::store::Checkpointer + Clone) {
    let [first, second] = pair.apps.clone();

    // Replayed: by both, one after the other and at once.
    let token = pair.asked("replayed").await;
    pair.taken("once", &token).await;
    pair.refused("twice", "replayed", &token, |error| matches!(error, TokenError::Spent { same_answer: true, .. })).await;
    let token = pair.asked("raced").await;
    let mut racing = tokio::task::JoinSet::new();
    for nth in 0..32 {
        let (app, token) = (pair.apps[nth % 2].clone(), token.clone());
        racing.spawn(async move { app.redeem(&token, answer()).await.map(drop) });
    }
    let (mut won, mut lost) = (0, 0);
    while let Some(came) = racing.join_next().await {
        match came.unwrap() {
            Ok(()) => won += 1,
            Err(TokenError::Spent { .. }) => lost += 1,
            Err(other) => panic!("{}: {other}", pair.name),
        }
    }
    assert_eq!((won, lost), (1, 31), "{}", pair.name);
    pair.tried += 32;

    // Another tenant, also one that has a thread of that name at the same question.
    let token = pair.asked("tenant").await;
    let tenants: Vec<App<now::Desk>> = pair.apps.iter().map(|app| app.scope(Scope::new(["acme"]).unwrap())).collect();
    let theirs = pair.ask(&tenants[0], "tenant").await;
    for tenant in &tenants {
        assert!(matches!(tenant.redeem(&token, answer()).await.unwrap_err(), TokenError::Forbidden), "{}", pair.name);
        pair.tried += 1;
    }
    pair.refused("of another tenant", "tenant", &theirs, |error| matches!(error, TokenError::Forbidden)).await;

    // Another thread: it answers its own, and leaves the other as it was.
    let (one, other) = (pair.asked("one").await, pair.asked("other").await);
    let before = pair.rows("other").await;
    pair.taken("its own thread", &one).await;
    assert_eq!(pair.rows("other").await, before, "{}", pair.name);
    pair.refused("of a thread that was answered", "other", &one, |error| matches!(error, TokenError::Spent { .. })).await;
    pair.taken("the other", &other).await;

    // Another interrupt: typed for another one, and where the thread asks something else by now.
    let token = pair.asked("interrupt").await;
    let wrong = first.redeem(&token, Confirm::answer(Answer::Accepted(1))).await.unwrap_err();
    assert!(matches!(wrong, TokenError::WrongInterrupt { .. }), "{}: {wrong}", pair.name);
    let unfit = second.redeem(&token, json!({"action": "accept", "content": "secret"})).await.unwrap_err();
    assert!(matches!(unfit, TokenError::BadAnswer(_)), "{}: {unfit}", pair.name);
    pair.tried += 2;
    let _paused = pair.taken("still good", &token).await.thread.proceed().await.unwrap().paused().unwrap();
    pair.refused("of the question before", "interrupt", &token, |error| matches!(error, TokenError::Spent { .. })).await;

    // Another graph, another build of this one.
    let token = pair.asked("graph").await;
    let other = pair.app::<another::Other>(store.clone()).redeem(&token, answer()).await.unwrap_err();
    assert!(matches!(other, TokenError::Invalid), "{}: {other}", pair.name);
    let gone = pair.app::<without::Desk>(store.clone()).redeem(&token, answer()).await.unwrap_err();
    assert!(matches!(gone, TokenError::GraphChanged { .. }), "{}: {gone}", pair.name);
    pair.tried += 3;
    // Its ways are others, its place is there: bound to the graph's name, or each deploy would void all questions.
    let taken = pair.app::<later::Desk>(store.clone()).redeem(&token, answer()).await;
    assert!(taken.is_ok(), "{}: {taken:?}", pair.name);

    // After a new turn, an end of the turn, a token that was issued anew, a deadline, an edit.
    let token = pair.asked("turn").await;
    let again = pair.apps[0].clone().on_paused(graphwright::OnPaused::Abandon);
    let _paused = again.thread("turn").run(Log::update()).await.unwrap().paused().unwrap();
    pair.refused("of an earlier turn", "turn", &token, |error| matches!(error, TokenError::Superseded)).await;
    let token = pair.asked("abandoned").await;
    first.thread("abandoned").abandon().await.unwrap();
    pair.refused("of a turn that was given up", "abandoned", &token, |error| matches!(error, TokenError::Superseded)).await;
    let token = pair.asked("reissued").await;
    let id = token_id(&first, "reissued").await;
    first.thread("reissued").reissue(id, Some(Timestamp(NOON.0 + 1_000_000))).await.unwrap();
    pair.refused("of an earlier issue", "reissued", &token, |error| matches!(error, TokenError::Superseded)).await;
    let token = pair.token(&first, "reissued").await;
    pair.clock.advance(Duration::from_secs(2));
    pair.refused("after its time", "reissued", &token, |error| matches!(error, TokenError::Expired { .. })).await;
    let token = pair.asked("edited").await;
    first.thread("edited").update_state(graphwright::Place::<now::Desk>::approve, Log::update()).await.unwrap();
    pair.refused("of a state that was changed", "edited", &token, |error| matches!(error, TokenError::Superseded)).await;

    // After a delete, also where there is a thread of that name again; after a fork; after old rows went.
    let token = pair.asked("deleted").await;
    assert!(first.thread("deleted").delete().await.unwrap());
    pair.refused("of a thread that is gone", "deleted", &token, |error| matches!(error, TokenError::Lost)).await;
    let again = pair.asked("deleted").await;
    pair.refused("of an earlier life", "deleted", &token, |error| matches!(error, TokenError::Lost)).await;
    pair.taken("of this life", &again).await;
    let token = pair.asked("forked").await;
    let last = first.thread("forked").history().await.unwrap().last().unwrap().seq;
    first.thread("forked").fork(last, "fork").await.unwrap();
    let forks = pair.token(&first, "fork").await;
    assert_ne!(token, forks, "{}", pair.name);
    pair.taken("of the first one", &token).await;
    assert_eq!(second.thread("fork").pending().await.unwrap().len(), 1, "{}", pair.name);
    pair.refused("of the first one, twice", "fork", &token, |error| matches!(error, TokenError::Spent { .. })).await;
    pair.taken("of the fork", &forks).await;
    first.clone().retention(Retention::default().rows(0)).sweep().await.unwrap();
    pair.refused("after old rows went", "forked", &token, |error| matches!(error, TokenError::Spent { .. })).await;

    // Another key: the old one is good until it retires.
    let token = pair.asked("key").await;
    let retires = Timestamp(NOON.0 + 60_000_000);
    let rotating = || KeyRing::new(2, NEW).unwrap().verify_also(1, OLD, Some(retires)).unwrap();
    let stranger = first.clone().keys(KeyRing::new(1, NEW).unwrap()).redeem(&token, answer()).await.unwrap_err();
    assert!(matches!(stranger, TokenError::Invalid), "{}: {stranger}", pair.name);
    let rotated = pair.apps[1].clone().keys(rotating());
    assert_ne!(pair.token(&rotated, "key").await, token, "{}", pair.name);
    let late = pair.asked("late").await;
    assert!(rotated.redeem(&token, answer()).await.is_ok(), "{}", pair.name);
    pair.clock.advance(Duration::from_secs(120));
    let retired = rotated.redeem(&late, answer()).await.unwrap_err();
    assert!(matches!(retired, TokenError::Invalid), "{}: {retired}", pair.name);
    let fresh = pair.token(&rotated, "late").await;
    assert!(rotated.redeem(&fresh, answer()).await.is_ok(), "{}", pair.name);
    pair.tried += 4;
}

async fn token_id(app: &App<now::Desk>, thread: &str) -> graphwright::QuestionId {
    let open = app.pending().list().await.unwrap().waiting;
    open.into_iter().find(|waiting| waiting.thread.as_str() == thread).unwrap().id
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_token_works_where_and_when_it_should_and_nowhere_else() {
    let mut tried = 0;
    let memory = Memory::new();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t.db");
    let files = [Sqlite::open(&path).await.unwrap(), Sqlite::open(&path).await.unwrap()];
    let clock = || ManualClock::at(NOON);
    let (one, two) = (clock(), clock());
    let app = |clock: &ManualClock| now::Desk::app((), memory.clone()).keys(keys()).clock(clock.clone());
    let mut pair = Pair { name: "memory", apps: [app(&one), app(&one)], clock: one, tried: 0 };
    matrix(&mut pair, memory.clone()).await;
    tried += pair.tried;
    let apps = files.clone().map(|file| now::Desk::app((), file).keys(keys()).clock(two.clone()));
    let mut pair = Pair { name: "SQLite", apps, clock: two, tried: 0 };
    matrix(&mut pair, files[0].clone()).await;
    tried += pair.tried;
    println!("{tried} tokens presented, each answered as it should be");
    assert!(tried >= 150, "{tried}");
}
