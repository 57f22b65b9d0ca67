//! A graph that asks in branches, in branches of branches, and in a graph that is mounted in one.

use std::sync::{Arc, Mutex};

use graphwright::prelude::*;
use graphwright::{Given, Open, Thread, Token};

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, State)]
pub struct Log {
    #[state(append)]
    pub lines: Vec<String>,
    #[state(sum)]
    pub count: u32,
    #[state(with = joined)]
    pub text: String,
}

fn joined(current: &String, given: String) -> String {
    format!("{current}|{given}")
}

#[derive(Clone, Default)]
pub struct Deps {
    /// Bodies that were begun, by place and idempotency key.
    pub begun: Arc<Mutex<Vec<(String, String)>>>,
    /// Questions of which somebody was told, by place and idempotency key.
    pub told: Arc<Mutex<Vec<(String, String)>>>,
    /// A place that waits for ever.
    pub hangs: Option<&'static str>,
    /// A place that fails so often.
    pub fails: Arc<Mutex<Option<(&'static str, u32)>>>,
}

async fn work(cx: &Context<Deps>) -> Result<(), NodeError> {
    let place = cx.place();
    cx.deps().begun.lock().unwrap().push((place.to_owned(), cx.idempotency_key()));
    tokio::task::yield_now().await;
    if cx.deps().hangs == Some(place) {
        std::future::pending::<()>().await;
    }
    if let Some((bad, left)) = &mut *cx.deps().fails.lock().unwrap()
        && *bad == place
        && *left > 0
    {
        *left -= 1;
        return Err("told to fail".into());
    }
    Ok(())
}

macro_rules! works {
    ($($name:ident)*) => {
        $(#[node(writes(lines, count, text))]
        pub async fn $name(log: &Log, cx: &Context<Deps>) -> NodeResult<$name> {
            work(cx).await?;
            Ok(Log::update().lines([format!("{} {}", cx.place(), log.lines.len())]).count(1_u32).text(cx.place()))
        })*
    };
}
works!(before left left_then right after inside);

/// Asks for a number.
pub struct Sign;

#[node(writes(lines, count, text))]
impl Interrupt<Log, Deps> for Sign {
    type Question = String;
    type Answer = u32;

    async fn ask(log: &Log, cx: &Context<Deps>) -> Result<Ask<Self>, NodeError> {
        tokio::task::yield_now().await;
        Ok(Ask::question(format!("{} sees {}", cx.place(), log.lines.len())).to(cx.place()))
    }

    fn check(_: &Log, _: &String, answer: &u32) -> Result<(), BadAnswer> {
        if *answer > 100 { Err(BadAnswer::new("too much")) } else { Ok(()) }
    }

    fn resume(log: &Log, asked: &String, answer: Answer<u32>) -> NodeResult<Self> {
        let Answer::Accepted(answer) = answer else { return Ok(Log::update().lines([format!("{asked}: no")])) };
        Ok(Log::update().lines([format!("{asked}: {answer} at {}", log.lines.len())]).count(answer).text(asked.as_str()))
    }

    async fn notify(_: &Log, _: &String, _: &Token, cx: &Context<Deps>) -> Result<(), NodeError> {
        cx.deps().told.lock().unwrap().push((cx.place().to_owned(), cx.idempotency_key()));
        Ok(())
    }
}

graph! {
    pub Part(Log, Deps) {
        start -> inside -> sign_inside -> inside2 -> end;
        sign_inside: Sign;
        inside2: inside;
    }
}

graph! {
    #[graph(steps = 60)]
    pub Tree(Log, Deps) {
        start -> before -> [sign_left -> left -> left_then, [right, sign_right] -> right_then, part] -> after -> end;
        sign_left: Sign;
        sign_right: Sign;
        right_then: right;
        part: graph Part;
    }
}

pub type Q = Question<Tree>;
pub type P = Question<Part>;

/// The question itself, and the place that asks.
pub fn asked(question: &Q) -> (&'static str, &Open<Sign>) {
    match question {
        Q::sign_left(open) => ("sign_left", open),
        Q::sign_right(open) => ("sign_right", open),
        Q::part(P::sign_inside(open)) => ("sign_inside", open),
        // By reference rustc does not see that the rest cannot be.
        _ => unreachable!(),
    }
}

/// What each is answered.
pub fn answer(question: &Q) -> Given {
    let (place, open) = asked(question);
    open.accept(match place {
        "sign_left" => 10,
        "sign_right" => 20,
        _ => 30,
    })
}

/// What a turn comes to, whoever was faster and whatever happened on the way.
pub fn lines() -> Vec<&'static str> {
    vec![
        "before 0",
        "sign_left sees 1: 10 at 1",
        "left 2",
        "left_then 3",
        "right 1",
        "sign_right sees 1: 20 at 1",
        "right_then 3",
        "inside 1",
        "sign_inside sees 2: 30 at 2",
        "inside2 3",
        "after 10",
    ]
}

pub const TEXT: &str = "|before|sign_left sees 1|left|left_then|right|sign_right sees 1|right_then|inside|sign_inside sees 2|inside2|after";

/// Every place that works, each with one key over all attempts.
pub const WORKED: usize = 8;

/// Brings a thread to its end, the last question first.
pub async fn finish(thread: &Thread<Tree>) -> Log {
    for _ in 0..40 {
        match thread.proceed().await.unwrap() {
            Outcome::Completed(done) => return done.output,
            Outcome::Paused(paused) => {
                let _answered = thread.answer(answer(paused.questions.last().unwrap())).await.unwrap();
            }
            Outcome::Stopped(_) => {}
        }
    }
    panic!("it does not come to an end");
}
