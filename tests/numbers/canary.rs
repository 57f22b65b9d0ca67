//! Secrets that pass through a run (T-S25): one in the dependencies, in the state, in the arguments of a tool, in what the
//! tool gives, in a question, in an answer, in what the model streams, in a key. None of them is in a byte of what is logged,
//! of a `Debug` or `Display` of ours, of an error, a history, an explanation or a picture; and an event holds no more than
//! what it is there to bring. What a store holds is the state: see `Memory` and `Sqlite`. No field is marked as secret:
//! every field is treated as if it were.

use std::fmt::{Debug, Display, Write as _};
use std::sync::{Arc, Mutex};

use graphwright::agent::{Call, Conversation, Model, Reply, Scripted, Toolset, open_calls};
use graphwright::prelude::*;
use graphwright::store::{By, Checkpointer, Page, Point, Query, ThreadKey};
use graphwright::testing::Recording;
use graphwright::{Event, EventKind, KeyRing, Mode, Scope, Token};
use serde_json::json;
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};

const DEPS: &str = "canary-of-the-dependencies";
const FIELD: &str = "canary-of-the-state";
const ARGUMENT: &str = "canary-of-the-arguments";
const RESULT: &str = "canary-of-the-result";
const QUESTION: &str = "canary-of-the-question";
const ANSWER: &str = "canary-of-the-answer";
const STREAMED: &str = "canary-of-the-stream";
const INPUT: &str = "canary-of-the-input";
const KEY: &[u8; 32] = b"canary-of-the-keys-32-bytes-long";
/// What all of them begin with, so that half of one is found, too.
const CANARY: &str = "canary-of-the";

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, State)]
pub struct Desk {
    #[state(conversation)]
    talk: Conversation,
    secret: String,
    /// What fails behind the answer.
    fails: Option<Fails>,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
enum Fails {
    Error,
    Panic,
    Router,
}

#[derive(Clone)]
pub struct Deps {
    config: Arc<String>,
    model: Model,
    tools: Toolset<Deps>,
}

#[derive(Deserialize, schemars::JsonSchema)]
struct Card {
    number: String,
}

/// Pays.
#[tool]
async fn pay(card: Card, cx: &Context<Deps>) -> Result<String, ToolError> {
    assert_eq!((card.number.as_str(), cx.deps().config.as_str()), (ARGUMENT, DEPS));
    Ok(RESULT.to_owned())
}

#[node(model)]
async fn react(desk: &Desk, cx: &Context<Deps>) -> NodeResult<Desk> {
    let reply = cx.deps().model.chat(&desk.talk).tools(&cx.deps().tools).send(cx).await?;
    Ok(Desk::update().talk(reply).secret(FIELD))
}

#[node(tools, writes(talk))]
async fn run_call(_: &Desk, call: &Call, cx: &Context<Deps>) -> NodeResult<run_call> {
    Ok(Desk::update().talk(cx.deps().tools.call(call, cx).await))
}

pub struct Confirm;

#[node]
impl Interrupt<Desk, Deps> for Confirm {
    type Question = String;
    type Answer = String;

    async fn ask(_: &Desk, _: &Context<Deps>) -> Result<Ask<Self>, NodeError> {
        Ok(Ask::question(QUESTION.to_owned()).to("people"))
    }

    fn check(_: &Desk, _: &String, answer: &String) -> Result<(), BadAnswer> {
        if answer.len() > 1 { Ok(()) } else { Err(BadAnswer::new("it is too short")) }
    }

    fn resume(_: &Desk, _: &String, answer: Answer<String>) -> NodeResult<Self> {
        let Answer::Accepted(answer) = answer else { return Ok(Desk::update()) };
        Ok(Desk::update().secret(answer))
    }
}

#[node(writes(talk))]
async fn finish(desk: &Desk) -> NodeResult<finish> {
    match desk.fails {
        Some(Fails::Error) => Err("the bank is closed".into()),
        Some(Fails::Panic) => panic!("told to panic"),
        _ => Ok(Desk::update()),
    }
}

#[router]
fn again(desk: &Desk) -> bool {
    assert!(desk.fails != Some(Fails::Router), "told to panic");
    false
}

graph! {
    Till(Desk, Deps) {
        start -> react -> each open_calls { run_call } -> confirm -> finish;
        finish -> react if again;
        finish -> end;
        confirm: Confirm;
    }
}

/// The same name, and no field of it is of its type.
mod changed {
    use graphwright::prelude::*;

    #[derive(Clone, Debug, Default, Serialize, Deserialize, State)]
    pub struct Desk {
        talk: u8,
        secret: u8,
        fails: u8,
    }

    #[node(writes(fails))]
    pub async fn finish(_: &Desk) -> NodeResult<finish> {
        Ok(Desk::update())
    }

    pub struct Confirm;

    #[node]
    impl Interrupt<Desk, ()> for Confirm {
        type Question = u8;
        type Answer = u8;

        async fn ask(_: &Desk, _: &Context<()>) -> Result<Ask<Self>, NodeError> {
            Ok(Ask::question(1))
        }

        fn resume(_: &Desk, _: &u8, _: Answer<u8>) -> NodeResult<Self> {
            Ok(Desk::update())
        }
    }

    graphwright::graph! {
        pub Till(Desk, ()) {
            start -> confirm -> finish -> end;
            confirm: Confirm;
        }
    }
}

/// Everything that was seen where no secret may be, and by what it was shown.
#[derive(Clone, Default)]
struct Seen(Arc<Mutex<Vec<(String, String)>>>);

impl Seen {
    fn text(&self, by: &str, text: impl Into<String>) {
        self.0.lock().unwrap().push((by.to_owned(), text.into()));
    }

    fn debug(&self, by: &str, shown: &impl Debug) {
        self.text(by, format!("{shown:?} {shown:#?}"));
    }

    fn display(&self, by: &str, shown: &impl Display) {
        self.text(by, format!("{shown} {shown:#}"));
    }

    fn error(&self, by: &str, error: &(impl std::error::Error + 'static)) {
        let mut next: Option<&(dyn std::error::Error + 'static)> = Some(error);
        while let Some(error) = next {
            self.text(by, format!("{error} {error:?} {error:#?}"));
            next = error.source();
        }
    }

    fn leaks(&self) -> Vec<String> {
        let seen = self.0.lock().unwrap();
        let leak = |(by, text): &(String, String)| {
            text.find(CANARY).map(|at| format!("{by}: {}", text.get(at.saturating_sub(80)..at + 40).unwrap_or(text)))
        };
        seen.iter().filter_map(leak).collect()
    }

    fn bytes(&self) -> usize {
        self.0.lock().unwrap().iter().map(|(_, text)| text.len()).sum()
    }
}

/// Takes in every byte that is logged, at every level.
impl tracing::Subscriber for Seen {
    fn enabled(&self, _: &tracing::Metadata<'_>) -> bool {
        true
    }

    fn new_span(&self, span: &Attributes<'_>) -> Id {
        let mut line = Line(span.metadata().name().to_owned());
        span.record(&mut line);
        self.text("a span", line.0);
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, values: &Record<'_>) {
        let mut line = Line(String::new());
        values.record(&mut line);
        self.text("a span", line.0);
    }

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, event: &tracing::Event<'_>) {
        let mut line = Line(String::new());
        event.record(&mut line);
        self.text("a log", line.0);
    }

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}
}

struct Line(String);

impl Visit for Line {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        let _ = write!(self.0, " {field}={value:?}");
    }
}

/// What an event is there to bring, and what else it holds.
fn tell(seen: &Seen, event: &Event) {
    seen.debug("an event", event);
    let brings = match &event.kind {
        EventKind::TextDelta { .. } => vec![STREAMED],
        EventKind::ToolCallDelta { .. } => vec![ARGUMENT],
        EventKind::AskUserQuestion { .. } => vec![QUESTION],
        EventKind::State { .. } | EventKind::Updated { .. } => vec![FIELD, ARGUMENT, RESULT, ANSWER, STREAMED, INPUT],
        _ => vec![],
    };
    let sent = serde_json::to_string(event).unwrap();
    let rest = brings.iter().fold(sent, |sent, brings| sent.replace(brings, ""));
    seen.text("an event that is sent", rest);
}

fn deps() -> Deps {
    let reply = Reply::text(STREAMED).call("pay", json!({"number": ARGUMENT}));
    let script = Scripted::by(move |_| reply.clone());
    Deps { config: Arc::new(DEPS.to_owned()), model: Model::new(script.in_chunks_of(200)), tools: toolset![pay].unwrap() }
}

fn confirm(questions: &[Question<Till>]) -> &graphwright::Open<Confirm> {
    let [Question::<Till>::confirm(open)] = questions else { panic!("one question") };
    open
}

async fn pass_through(seen: &Seen, store: impl Checkpointer + Clone) {
    let keys = KeyRing::new(1, KEY).unwrap();
    seen.debug("keys", &keys);
    let hears = seen.clone();
    let app = Till::app(deps(), store.clone()).keys(keys).observe(move |event: &Event| tell(&hears, event));
    seen.debug("an app", &app);
    for (nth, fails) in [None, Some(Fails::Error), Some(Fails::Panic), Some(Fails::Router)].into_iter().enumerate() {
        let name = format!("t{nth}");
        let thread = app.thread(name.as_str());
        seen.debug("a thread", &thread);
        let update = Desk::update().talk(INPUT).secret(INPUT).fails(fails);
        seen.debug("a patch", &<Desk as State>::widen::<graphwright::Anything>(Desk::update().talk(INPUT)));
        let run = thread.run(update);
        seen.debug("a run", &run);
        let mut events = run.modes([Mode::Values, Mode::Updates, Mode::Messages, Mode::Tasks, Mode::Custom, Mode::Checkpoints]).stream();
        while let Some(event) = events.next().await {
            tell(seen, &event);
        }
        seen.debug("a stream", &events);
        let outcome = events.outcome().await.unwrap();
        seen.debug("a pause", &outcome);
        let questions = outcome.paused().unwrap().questions;
        let open = confirm(&questions);
        seen.debug("a question", open);
        let state = thread.state().await.unwrap().unwrap();
        assert_eq!(state.secret, FIELD);
        seen.debug("a conversation", &state.talk);
        for message in state.talk.messages() {
            seen.debug("a message", message);
        }
        let inbox = app.pending().list().await.unwrap();
        seen.debug("an inbox", &inbox);
        let token = app.token(name.as_str(), open.id()).await.unwrap();
        seen.debug("a token", &token);
        let given = open.accept(ANSWER.to_owned());
        seen.debug("what is given", &given);
        seen.debug("a typed answer", &Confirm::answer(Answer::Accepted(ANSWER.to_owned())));
        // Refused: too short, of another type, a forged token, another build.
        seen.error("a bad answer", &thread.answer(open.accept("?".to_owned())).await.unwrap_err());
        let unfit = json!({"action": "accept", "content": [ANSWER]});
        seen.error("an answer that does not fit", &app.redeem(&token, unfit).await.unwrap_err());
        seen.error("another answer", &app.redeem(&token, json!({"action": ANSWER})).await.unwrap_err());
        seen.error("a forged token", &app.redeem(&Token::new(format!("{}{ANSWER}", token.as_str())), json!(1)).await.unwrap_err());
        let other = changed::Till::app((), store.clone());
        seen.error("a changed graph", &other.thread(name.as_str()).state().await.unwrap_err());
        seen.error("a changed graph that asks", &other.thread(name.as_str()).pending().await.err().unwrap());
        seen.debug("a preflight", &other.preflight().await.unwrap());
        // Taken.
        match thread.resume(given).await {
            Ok(outcome) => seen.debug("an end", &outcome),
            Err(error) => seen.error("a failure", &error),
        }
        seen.error("a second answer", &app.redeem(&token, json!({"action": "accept", "content": ANSWER})).await.unwrap_err());
        let history = thread.history().await.unwrap();
        seen.display("a history", &history);
        seen.debug("a history", &history);
        let why = thread.explain().await.unwrap();
        seen.display("an explanation", &why);
        seen.debug("an explanation", &why);
        seen.debug("a recording", &Recording::of(&thread).await.unwrap());
        let key = ThreadKey { scope: Scope::root().hash(), by: By::Name(graphwright::ThreadId::new(name.as_str()).unwrap()) };
        let loaded = store.load(&key, Point::Head).await.unwrap().unwrap();
        assert!(loaded.rows.iter().any(|row| String::from_utf8_lossy(&row.row.body).contains(ANSWER)), "the store has it");
        seen.debug("what is loaded", &loaded);
        let scope = Scope::root().hash();
        for query in [Query::Threads { scope: Some(scope), status: vec![] }, Query::History { scope, uid: loaded.uid }] {
            seen.debug("a listing", &store.list(&query, Page::default()).await.unwrap());
        }
        let mut followed = thread.subscribe(0);
        seen.debug("a subscription", &followed);
        for _ in 0..4 {
            if let Ok(Some(Ok(event))) = tokio::time::timeout(std::time::Duration::from_millis(50), followed.next()).await {
                tell(seen, &event);
            }
        }
    }
    seen.debug("a store", &store);
    seen.text("a picture", <Till as graphwright::Graph>::TOPOLOGY.mermaid());
    seen.text("a picture", <Till as graphwright::Graph>::TOPOLOGY.json());
}

#[tokio::test]
async fn no_secret_is_shown_anywhere() {
    let seen = Seen::default();
    let panics = super::panics();
    let guard = tracing::subscriber::set_default(seen.clone());
    pass_through(&seen, Memory::new()).await;
    let folder = tempfile::tempdir().unwrap();
    pass_through(&seen, Sqlite::open(folder.path().join("t.db")).await.unwrap()).await;
    drop(guard);
    panics.lock().unwrap().iter().for_each(|panic| seen.text("a panic", panic.as_str()));
    let kinds: std::collections::BTreeSet<String> = seen.0.lock().unwrap().iter().map(|(by, _)| by.clone()).collect();
    let mut leaks = seen.leaks();
    leaks.dedup();
    println!("{} bytes of {} kinds looked at, {} leaks", seen.bytes(), kinds.len(), leaks.len());
    assert!(leaks.is_empty(), "{leaks:#?}");
    for kind in ["a log", "a span", "a panic", "an event", "an event that is sent", "a failure", "a history", "what is loaded"] {
        assert!(kinds.contains(kind) || kind == "a log", "{kind} was not looked at: {kinds:?}");
    }
    assert!(kinds.len() >= 30 && seen.bytes() > 100_000);
}

/// Planted: somebody who logs a state.
#[test]
fn a_state_that_is_logged_is_caught() {
    let seen = Seen::default();
    let _guard = tracing::subscriber::set_default(seen.clone());
    tracing::info!(state = ?Desk { secret: FIELD.to_owned(), ..Desk::default() }, "planted");
    assert_eq!(seen.leaks().len(), 1);
}
