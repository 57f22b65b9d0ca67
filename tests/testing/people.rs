//! What `book/src/people.md` shows: each of its blocks stands here, and is compiled and run.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use graphwright::agent::{self, Approval, Conversation, HasTools, JsonSchema, Model, Reply, Scripted, Toolset, schemars, tool_calls};
use graphwright::prelude::*;
use graphwright::testing::TestApp;
use graphwright::{KeyRing, Token};
use serde_json::json;

#[derive(Clone, Debug, Default, Serialize, Deserialize, State)]
struct Trip {
    #[state(conversation)]
    talk: Conversation,
    city: String,
    booked: bool,
}

#[derive(Clone)]
struct Office {
    model: Model,
    tools: Toolset<Self>,
    outbox: Arc<Mutex<Vec<(String, Token)>>>,
}

impl Office {
    fn mail(&self, text: &str, token: &Token) {
        self.outbox.lock().unwrap().push((text.to_owned(), token.clone()));
    }
}

/// Asks the traveller whether it is to be booked.
#[derive(Debug)]
struct Confirm;

#[node(writes(booked))]
impl Interrupt<Trip, Office> for Confirm {
    type Question = String;
    type Answer = u32;

    async fn ask(trip: &Trip, _: &Context<Office>) -> Result<Ask<Self>, NodeError> {
        Ok(Ask::question(format!("How many nights in {}?", trip.city)).to("travellers"))
    }

    fn check(_: &Trip, _: &String, nights: &u32) -> Result<(), BadAnswer> {
        if *nights <= 30 { Ok(()) } else { Err(BadAnswer::new("at most 30 nights")) }
    }

    fn resume(_: &Trip, _: &String, answer: Answer<u32>) -> NodeResult<Self> {
        Ok(Trip::update().booked(matches!(answer, Answer::Accepted(1..))))
    }

    async fn notify(_: &Trip, asked: &String, token: &Token, cx: &Context<Office>) -> Result<(), NodeError> {
        cx.deps().mail(asked, token);
        Ok(())
    }
}

#[derive(Deserialize, JsonSchema)]
struct Night {
    hotel: String,
    euros: u32,
}

fn is_dear(night: &Night) -> bool {
    night.euros > 100
}

/// Books a night.
#[tool(needs_approval = is_dear)]
async fn book(night: Night) -> Result<String, ToolError> {
    Ok(format!("booked at {}", night.hotel))
}

impl HasTools for Office {
    fn tools(&self) -> &Toolset<Self> {
        &self.tools
    }
}

/// Calls the model with the conversation so far.
#[node(model)]
async fn plan(trip: &Trip, cx: &Context<Office>) -> NodeResult<Trip> {
    let Office { model, tools, .. } = cx.deps();
    Ok(Trip::update().talk(model.chat(&trip.talk).tools(tools).send(cx).await?))
}

#[node]
fn forget(_: &Trip) {}

graph! {
    Travel(Trip, Office) {
        start -> confirm -> match {
            Accepted             => plan,
            Declined | Cancelled => end,
        };
        confirm -> forget on expiry;
        forget -> end too_late;
        plan -> match tool_calls {
            Continue  => each agent::open_calls { tool_call } -> plan at_most 8 else end unfinished,
            Repeating => end unfinished,
            Finish    => end,
        };

        confirm: Confirm, expires(48h);
        tool_call: graph agent::ToolCall;
    }
}

fn office() -> Office {
    let calls = Reply::text("").call("book", json!({"hotel": "A", "euros": 80})).call("book", json!({"hotel": "B", "euros": 900}));
    let model = Model::new(Scripted::new([calls, Reply::text("Done.")]));
    Office { model, tools: toolset![book].unwrap(), outbox: Arc::default() }
}

#[tokio::test(start_paused = true)]
async fn each_is_asked_and_answers() {
    let thread = TestApp::<Travel>::new(office()).thread("t");
    let _paused = thread.run(Trip::update().city("Porto")).await.unwrap().paused().unwrap();

    let mut refused = 0;
    loop {
        let mut answers = Vec::new();
        for question in thread.pending().await.unwrap() {
            answers.push(match question {
                Question::<Travel>::confirm(open) => open.accept(2),
                Question::<Travel>::tool_call(call) if call.question.arguments()["euros"] == 900 => {
                    refused += 1;
                    call.accept(Approval::Reject("too dear".to_owned()))
                }
                Question::<Travel>::tool_call(call) => call.accept(Approval::Approve),
            });
        }
        if answers.is_empty() {
            break;
        }
        match thread.resume(answers).await.unwrap() {
            Outcome::Paused(_) => {}
            Outcome::Completed(done) => println!("booked: {}", done.output.booked),
            Outcome::Stopped(stop) => println!("stopped: {:?}", stop.reason),
        }
    }
    let done = thread.proceed().await.unwrap().into_completed().unwrap();
    assert_eq!((refused, done.output.booked, format!("{:?}", done.exit)), (1, true, "end".to_owned()));
}

#[tokio::test(start_paused = true)]
async fn whoever_is_outside_has_a_token() {
    let (office, secret) = (office(), [7; 32]);
    let app = TestApp::<Travel>::new(office.clone()).with(|app| app.keys(KeyRing::new(1, secret).unwrap()));
    let _paused = app.thread("t").run(Trip::update().city("Porto")).await.unwrap().paused().unwrap();
    assert_eq!(app.sweep().await.unwrap().delivered, 1);
    let (asked, token) = office.outbox.lock().unwrap().pop().unwrap();
    assert_eq!(asked, "How many nights in Porto?");

    let refused = app.redeem(&token, json!({"action": "accept", "content": 31})).await.unwrap_err();
    assert_eq!((refused.status(), refused.to_string().as_str()), (422, "the answer does not fit the question: at most 30 nights"));
    let redeemed = app.redeem(&token, json!({"action": "accept", "content": 2})).await.unwrap();
    redeemed.thread.proceed().await.unwrap().paused().unwrap();
    assert_eq!(app.redeem(&token, Confirm::answer(Answer::Accepted(3))).await.unwrap_err().status(), 410);
}

#[tokio::test(start_paused = true)]
async fn whoever_says_nothing_is_not_waited_for() {
    let app = TestApp::<Travel>::new(office());
    let _paused = app.thread("t").run(Trip::update().city("Porto")).await.unwrap().paused().unwrap();
    let hour = Duration::from_secs(60 * 60);
    app.advance(2 * hour).await;
    for waiting in app.pending().to("travellers").older_than(hour).list().await.unwrap().waiting {
        println!("{} waits at `{}` since {:?}: {}", waiting.thread, waiting.place, waiting.opened_at, waiting.question);
    }
    assert_eq!(app.pending().to("travellers").older_than(hour).list().await.unwrap().waiting.len(), 1);
    app.advance(48 * hour).await;
    app.sweep().await.unwrap();
    let done = app.thread("t").proceed().await.unwrap().into_completed().unwrap();
    assert_eq!(format!("{:?}", done.exit), "too_late");
}
