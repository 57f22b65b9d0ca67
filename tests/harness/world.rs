//! A graph that does what its input says: which way, how many items, who fails, who asks. With it a few compiled graphs are
//! as many as there are scripts.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use graphwright::agent::{Call, Conversation, Message, Reply, ToolResult, ToolStatus, open_calls};
use graphwright::prelude::*;
use graphwright::{InterruptEach, Set};
use serde_json::json;

use super::script::{Act, CallSpec, Op, Script, Sign, Spec, Which};

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, State)]
pub struct World {
    #[state(conversation)]
    pub talk: Conversation,
    #[state(append)]
    pub lines: Vec<String>,
    #[state(sum)]
    pub count: u32,
    #[state(with = joined)]
    pub text: String,
    pub script: Script,
    /// So many operations were begun.
    pub next: usize,
    /// Nobody reads it: it makes rows so large that a snapshot is written.
    pub ballast: String,
}

fn joined(current: &String, given: String) -> String {
    assert!(given != POISON, "told to panic in a reducer");
    format!("{current}|{given}")
}

/// What no reducer takes.
const POISON: &str = "poison";

#[derive(Clone, Default)]
pub struct Deps {
    /// Bodies that were begun, by place and idempotency key.
    pub begun: Arc<Mutex<Vec<(String, String)>>>,
    pub mended: Arc<AtomicBool>,
    /// A folder in which each effect is a file.
    pub effects: Option<PathBuf>,
    /// Planted: effects under a key that is another one at each attempt.
    pub forgetful: bool,
}

impl Deps {
    fn is_mended(&self) -> bool {
        self.mended.load(Ordering::SeqCst)
    }

    /// Does something outside, once: whoever comes with the same key finds it done.
    fn effect(&self, cx: &Context<Self>) -> Result<(), NodeError> {
        let Some(folder) = &self.effects else { return Ok(()) };
        let key = if self.forgetful { format!("{:?}", cx.fresh_id()) } else { cx.idempotency_key() };
        match std::fs::OpenOptions::new().write(true).create_new(true).open(folder.join(key)) {
            Err(error) if error.kind() != std::io::ErrorKind::AlreadyExists => Err(error.into()),
            _ => Ok(()),
        }
    }
}

async fn work_on(cx: &Context<Deps>, act: Act) -> Result<(), NodeError> {
    let deps = cx.deps();
    deps.begun.lock().unwrap().push((cx.place().to_owned(), cx.idempotency_key()));
    match act {
        Act::Waits(times) => {
            for _ in 0..times {
                tokio::task::yield_now().await;
            }
        }
        Act::Shaky(times) if cx.attempt() <= u32::from(times) => return Err(NodeError::transient("busy")),
        Act::Hangs if cx.attempt() == 1 => std::future::pending::<()>().await,
        Act::Broken if !deps.is_mended() => return Err(NodeError::fatal("broken")),
        Act::Panics if !deps.is_mended() => panic!("told to panic"),
        _ => {}
    }
    deps.effect(cx)
}

/// What a step writes into the field whose reducer is the user's.
fn text(cx: &Context<Deps>, act: Act) -> &'static str {
    if act == Act::Poisons && !cx.deps().is_mended() { POISON } else { cx.place() }
}

impl World {
    /// The operation that is under way.
    pub fn op(&self) -> Option<&Op> {
        self.script.ops.get(self.next.checked_sub(1)?)
    }

    fn act(&self, place: &str) -> Act {
        match (self.op(), place) {
            (Some(Op::Line(act)), "work") | (Some(Op::Some { act, .. }), "a") => *act,
            (Some(Op::All { acts, .. }), "left") => acts[0],
            (Some(Op::All { acts, .. }), "left_then") => acts[1],
            (Some(Op::All { acts, .. }), "right") => acts[2],
            (Some(Op::All { part: inner, .. } | Op::Some { deep: inner, .. } | Op::Whole(inner)), "inside") => inner.act,
            _ => Act::Work,
        }
    }

    fn sign(&self, place: &str) -> Sign {
        match (self.op(), place) {
            (Some(Op::Ask(sign)), "ask") | (Some(Op::Some { sign, .. }), "sign_b") => *sign,
            (Some(Op::All { signs, .. }), "sign_left") => signs[0],
            (Some(Op::All { signs, .. }), "sign_right") => signs[1],
            (Some(Op::All { part: inner, .. } | Op::Some { deep: inner, .. } | Op::Whole(inner)), "sign_first") => inner.signs[0],
            (Some(Op::All { part: inner, .. } | Op::Some { deep: inner, .. } | Op::Whole(inner)), "sign_second") => inner.signs[1],
            _ => Sign::Skip,
        }
    }

    /// What the results of the conversation say.
    pub fn results(&self) -> Vec<String> {
        let results = self.talk.messages().filter_map(|message| match message {
            Message::Tool(result) => Some(format!("{:?} {}", result.status, result.content)),
            _ => None,
        });
        results.collect()
    }
}

/// Begins the next operation.
#[node]
async fn choose(world: &World, cx: &Context<Deps>) -> NodeResult<World> {
    work_on(cx, Act::Work).await?;
    let update = World::update().lines([format!("choose {}", world.lines.len())]).count(1_u32).text("choose").next(world.next + 1);
    Ok(match world.script.ops.get(world.next) {
        Some(Op::Calls(calls)) => {
            let call = |reply: Reply, spec: &CallSpec| reply.call(if spec.sign.is_some() { "asks" } else { "runs" }, json!(spec));
            update.talk(calls.iter().fold(Reply::text("calls"), call))
        }
        _ => update,
    })
}

#[derive(Route)]
pub enum Next {
    Line,
    Ask,
    All,
    Some,
    Calls,
    Items,
    Whole,
    Rescue,
    Finish,
    Stop,
}

#[router]
fn next(world: &World) -> Next {
    match world.op() {
        None if world.script.stops => Next::Stop,
        None => Next::Finish,
        Some(Op::Line(_)) => Next::Line,
        Some(Op::Ask(_)) => Next::Ask,
        Some(Op::All { .. }) => Next::All,
        Some(Op::Some { .. }) => Next::Some,
        Some(Op::Calls(_)) => Next::Calls,
        Some(Op::Items(_)) => Next::Items,
        Some(Op::Whole(_)) => Next::Whole,
        Some(Op::Rescue) => Next::Rescue,
        Some(Op::Unrouted) => panic!("told to panic in a router"),
    }
}

#[router]
fn which(world: &World) -> Set<Which> {
    match world.op() {
        Some(Op::Some { ways, .. }) => ways.iter().copied().collect(),
        _ => Set::default(),
    }
}

#[derive(Route)]
pub enum Kind {
    Runs,
    Asks,
}

#[router]
fn kind(call: &Call) -> Kind {
    if call.name == "asks" { Kind::Asks } else { Kind::Runs }
}

#[router]
fn specs(world: &World) -> Vec<Spec> {
    match world.op() {
        Some(Op::Items(specs)) => specs.clone(),
        _ => Vec::new(),
    }
}

#[router]
fn early(world: &World) -> bool {
    matches!(world.op(), Some(Op::All { part: inner, .. } | Op::Some { deep: inner, .. } | Op::Whole(inner)) if inner.early)
}

macro_rules! works {
    ($($name:ident)*) => {
        $(#[node(writes(lines, count, text))]
        async fn $name(world: &World, cx: &Context<Deps>) -> NodeResult<$name> {
            let act = world.act(cx.place());
            work_on(cx, act).await?;
            Ok(World::update().lines([format!("{} {}", cx.place(), world.lines.len())]).count(1_u32).text(text(cx, act)))
        })*
    };
}
works!(work inside);

#[node(writes(lines, count, text))]
async fn rescue(_: &World, cx: &Context<Deps>) -> NodeResult<rescue> {
    work_on(cx, Act::Work).await?;
    Err(NodeError::fatal("told to fail"))
}

#[node(writes(lines, count, text))]
async fn sorry(world: &World, cx: &Context<Deps>) -> NodeResult<sorry> {
    work_on(cx, Act::Work).await?;
    let failed = cx.failure().ok_or("nothing failed")?;
    let line = format!("sorry {}: {} {} {}", world.lines.len(), failed.place(), failed.attempts(), failed.error());
    Ok(World::update().lines([line]).count(1_u32).text("sorry"))
}

#[node(writes(talk, lines, count, text))]
async fn run_call(world: &World, call: &Call, cx: &Context<Deps>) -> NodeResult<run_call> {
    let spec: CallSpec = serde_json::from_value(call.arguments.clone())?;
    work_on(cx, spec.act).await?;
    let result = ToolResult::new(call, ToolStatus::Ok, format!("ran at {}", world.lines.len()));
    Ok(World::update().talk(result).lines([format!("run_call {}", world.lines.len())]).count(1_u32).text(text(cx, spec.act)))
}

/// What is asked: where, what was seen, and what it wants to hear.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Asked {
    pub place: String,
    pub saw: usize,
    pub wants: Option<u32>,
}

fn ask<N: graphwright::Asks<Question = Asked, Answer = u32>>(place: &str, saw: usize, sign: Sign) -> Ask<N> {
    let asked = |wants| Ask::question(Asked { place: place.to_owned(), saw, wants }).to(place);
    match sign {
        Sign::Skip => asked(None).answered(Answer::Cancelled),
        Sign::Accept(wants) => asked(Some(wants)),
        Sign::Decline | Sign::Expired => asked(None),
    }
}

fn check(asked: &Asked, answer: u32) -> Result<(), BadAnswer> {
    if asked.wants == Some(answer) { Ok(()) } else { Err(BadAnswer::new("that is not what it wants to hear")) }
}

fn said(asked: &Asked, answer: Answer<u32>, sees: usize) -> (String, u32) {
    let heard = match answer {
        Answer::Accepted(number) => number.to_string(),
        Answer::Declined => "no".to_owned(),
        Answer::Cancelled => "-".to_owned(),
    };
    (format!("{} {}: {heard} at {sees}", asked.place, asked.saw), if let Answer::Accepted(number) = answer { number } else { 0 })
}

/// Asks for a number.
pub struct Signs;

#[node(writes(lines, count, text))]
impl Interrupt<World, Deps> for Signs {
    type Question = Asked;
    type Answer = u32;

    async fn ask(world: &World, cx: &Context<Deps>) -> Result<Ask<Self>, NodeError> {
        tokio::task::yield_now().await;
        Ok(ask(cx.place(), world.lines.len(), world.sign(cx.place())))
    }

    fn check(_: &World, asked: &Asked, answer: &u32) -> Result<(), BadAnswer> {
        check(asked, *answer)
    }

    fn resume(world: &World, asked: &Asked, answer: Answer<u32>) -> NodeResult<Self> {
        let (line, count) = said(asked, answer, world.lines.len());
        Ok(World::update().lines([line]).count(count).text(asked.place.as_str()))
    }
}

/// Asks about a call.
pub struct SignsCall;

#[node(writes(talk, lines, count, text))]
impl InterruptEach<World, Deps, Call> for SignsCall {
    type Question = Asked;
    type Answer = u32;

    async fn ask(world: &World, call: &Call, cx: &Context<Deps>) -> Result<Ask<Self>, NodeError> {
        let spec: CallSpec = serde_json::from_value(call.arguments.clone())?;
        Ok(ask(cx.place(), world.lines.len(), spec.sign.unwrap_or(Sign::Skip)))
    }

    fn check(_: &World, _: &Call, asked: &Asked, answer: &u32) -> Result<(), BadAnswer> {
        check(asked, *answer)
    }

    fn resume(world: &World, call: &Call, asked: &Asked, answer: Answer<u32>) -> NodeResult<Self> {
        let (line, count) = said(asked, answer, world.lines.len());
        let result = ToolResult::new(call, ToolStatus::Ok, line.clone());
        Ok(World::update().talk(result).lines([line]).count(count).text(asked.place.as_str()))
    }
}

graph! {
    /// Two questions, one after the other, and two exits.
    pub Part(World, Deps) {
        start -> inside -> sign_first -> sign_second;
        sign_second -> end early if early;
        sign_second -> inside_then;
        inside_then -> end;
        sign_first: Signs;
        sign_second: Signs;
        inside_then: inside;
        _: retry(2, backoff(1s)), timeout(5s);
    }
}

/// A state of its own.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, State)]
pub struct Piece {
    spec: Option<Spec>,
    #[state(append)]
    notes: Vec<String>,
}

macro_rules! notes {
    ($($name:ident)*) => {
        $(#[node(writes(notes))]
        async fn $name(piece: &Piece, cx: &Context<Deps>) -> NodeResult<$name> {
            let act = piece.spec.filter(|_| cx.place() == "look").map_or(Act::Work, |spec| spec.act);
            work_on(cx, if act == Act::Poisons { Act::Work } else { act }).await?;
            Ok(Piece::update().notes([format!("{} {}", cx.place(), piece.notes.len())]))
        })*
    };
}
notes!(look think);

pub struct SignsPiece;

#[node(writes(notes))]
impl Interrupt<Piece, Deps> for SignsPiece {
    type Question = Asked;
    type Answer = u32;

    async fn ask(piece: &Piece, cx: &Context<Deps>) -> Result<Ask<Self>, NodeError> {
        Ok(ask(cx.place(), piece.notes.len(), piece.spec.map_or(Sign::Skip, |spec| spec.sign)))
    }

    fn check(_: &Piece, asked: &Asked, answer: &u32) -> Result<(), BadAnswer> {
        check(asked, *answer)
    }

    fn resume(piece: &Piece, asked: &Asked, answer: Answer<u32>) -> NodeResult<Self> {
        Ok(Piece::update().notes([said(asked, answer, piece.notes.len()).0]))
    }
}

graph! {
    /// A fork in a graph that is mounted for each item.
    pub Apart(Piece, Deps) {
        start -> look -> [think -> sign_piece, think_too] -> end;
        think_too: think;
        sign_piece: SignsPiece;
        _: retry(2, backoff(1s)), timeout(5s);
    }
}

fn open(_: &World, spec: &Spec) -> Update<Piece> {
    Piece::update().spec(*spec)
}

fn close(piece: &Piece) -> Update<World> {
    let label = piece.spec.map_or(0, |spec| spec.label);
    World::update().lines([format!("apart {label}: {}", piece.notes.join(", "))]).count(label).text("apart")
}

graph! {
    #[graph(steps = 2000)]
    pub Worlds(World, Deps) {
        start -> choose;
        choose -> match next {
            Line => work,
            Ask => ask,
            All => [left -> sign_left -> left_then, [right, sign_right] -> right_then, part] -> choose,
            Some => some which { A => a, B => sign_b, C => deep } -> choose,
            Calls => each open_calls match kind { Runs => run_call, Asks => ask_call } -> choose,
            Items => each specs { apart } -> choose,
            Whole => whole,
            Rescue => rescue,
            Finish => end,
            Stop => end stopped,
        };
        work -> choose at_most 2 else tired;
        tired | ask | sorry -> choose;
        ask -> tired on expiry;
        sign_left -> left_then on expiry;
        part | deep -> match { end | early => choose };
        whole -> match { end => choose, early => tired };
        rescue -> sorry on error;
        rescue -> choose;

        left: work;
        left_then: work;
        right: work;
        right_then: work;
        a: work;
        tired: work;
        ask: Signs, expires(1h);
        sign_left: Signs, expires(1h);
        sign_right: Signs;
        sign_b: Signs;
        ask_call: SignsCall;
        part: graph Part;
        deep: graph Part;
        whole: graph Part;
        apart: graph Apart, enter(open), exit(close), writes(lines, count, text), at_once(2);
        _: retry(2, backoff(1s)), timeout(5s);
    }
}

type Q = Question<Worlds>;
type P = Question<Part>;

/// An open question, whoever asks it.
pub struct Shown {
    pub id: graphwright::QuestionId,
    pub asked: Asked,
    pub right: graphwright::Given,
    pub wrong: graphwright::Given,
}

fn shown<N: graphwright::Asks<Question = Asked, Answer = u32>>(open: &graphwright::Open<N>) -> Shown {
    let wants = open.question.wants;
    let right = wants.map_or_else(|| open.decline(), |wants| open.accept(wants));
    Shown { id: open.id(), asked: open.question.clone(), right, wrong: open.accept(wants.unwrap_or(0) + 1) }
}

/// What a front end shows.
pub fn show(question: &Q) -> Shown {
    match question {
        Q::ask(open) | Q::sign_left(open) | Q::sign_right(open) | Q::sign_b(open) => shown(open),
        Q::ask_call(open) => shown(open),
        Q::part(inner) | Q::deep(inner) | Q::whole(inner) => match inner {
            P::sign_first(open) | P::sign_second(open) => shown(open),
            // By reference rustc does not see that the rest cannot be.
            _ => unreachable!(),
        },
        Q::apart(Question::<Apart>::sign_piece(open)) => shown(open),
        _ => unreachable!(),
    }
}

/// The input of a turn.
pub fn input(script: &Script) -> Update<World> {
    let ballast = if script.stops && script.ops.len() > 1 { 20_000 } else { 0 };
    World::update().script(script.clone()).next(0_usize).ballast("-".repeat(ballast))
}
