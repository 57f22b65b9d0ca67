//! A research agent: asks, plans, looks into all topics at once, writes, is reviewed. `cargo run --example research`
//!
//! It shows the gate to the user, replies that are values, a graph mounted once for each item of a list, and a review that
//! may send the text back twice. It prints each place that is done, what the user was asked, and the report. The model is
//! scripted: it needs no network, and knows little.

use graphwright::agent::{
    AskUserAnswer, AskUserResponse, ChatRequest, Conversation, JsonSchema, Message, Model, Reply, Scripted, ask_user_pending, elicitation,
    schemars,
};
use graphwright::prelude::*;
use graphwright::{BoxError, Event, EventKind, Given};
use serde_json::json;

/// What somebody wants to know, and what is known of it.
#[derive(Clone, Debug, Default, Serialize, Deserialize, State)]
pub struct Study {
    #[state(conversation)]
    talk: Conversation,
    topics: Vec<String>,
    #[state(append)]
    findings: Vec<String>,
    report: String,
}

/// One topic, for who looks into it.
#[derive(Clone, Debug, Default, Serialize, Deserialize, State)]
struct Topic {
    name: String,
    finding: String,
}

/// Asks the user until it is clear what is meant.
#[node(model, asks)]
async fn clarify(study: &Study, cx: &Context<Model>) -> NodeResult<Study> {
    Ok(Study::update().talk(cx.deps().chat(&study.talk).system("Clarify: what is wanted?").ask_user().send(cx).await?))
}

#[node(model)]
async fn plan(study: &Study, cx: &Context<Model>) -> NodeResult<Study> {
    let topics = cx.deps().chat(&study.talk).system("Plan: which topics?").json::<Vec<String>>().repair().send(cx).await?;
    Ok(Study::update().topics(topics.value))
}

#[router]
fn topics(study: &Study) -> Vec<String> {
    study.topics.clone()
}

fn user(text: impl Into<String>) -> [Message; 1] {
    [Message::User { text: text.into() }]
}

#[node(model)]
async fn look_up(topic: &Topic, cx: &Context<Model>) -> NodeResult<Topic> {
    Ok(Topic::update().finding(cx.deps().chat(&user(&topic.name)).system("Look up: what is known?").send(cx).await?.text))
}

#[node(model)]
async fn write(study: &Study, cx: &Context<Model>) -> NodeResult<Study> {
    let prompt = if study.report.is_empty() { "Write: a report" } else { "Rewrite: say more" };
    Ok(Study::update().report(cx.deps().chat(&user(study.findings.join("; "))).system(prompt).send(cx).await?.text))
}

/// What a reviewer says: read from the model's JSON, and a route of the graph.
#[derive(Deserialize, JsonSchema, Route)]
enum Verdict {
    Good,
    Thin,
}

#[node(model)]
async fn review(study: &Study, cx: &Context<Model>) -> Result<(Update<Study>, Verdict), NodeError> {
    let verdict = cx.deps().chat(&user(&study.report)).system("Review: is it good?").json::<Verdict>().repair().send(cx).await?;
    Ok((Study::update(), verdict.value))
}

graph! {
    /// Looks into one topic.
    Researcher(Topic, Model) {
        start -> look_up -> end;
        look_up: retry(3, backoff(500ms)), timeout(60s);
    }
}

fn assign(_: &Study, topic: &String) -> Update<Topic> {
    Topic::update().name(topic)
}

fn hand_in(topic: &Topic) -> Update<Study> {
    Study::update().findings([format!("{} {}", topic.name, topic.finding)])
}

graph! {
    /// Finds out what somebody wants to know.
    #[graph(version = 1, steps = 100)]
    pub Research(Study, Model) {
        start -> clarify;
        clarify -> elicitation if ask_user_pending;
        clarify -> plan -> each topics { researcher } -> write -> review;
        elicitation -> clarify;
        review -> match { Good => end, Thin => write at_most 2 else end unfinished };

        researcher: graph Researcher, enter(assign), exit(hand_in), writes(findings), at_once(4);
    }
}

/// The user, who takes the first thing that is offered.
pub fn pick(question: Question<Research>) -> Result<Given, BoxError> {
    let Question::<Research>::elicitation(open) = question;
    let picked = open.question.request().questions().iter().map(|asked| {
        let label = asked.options().first().map_or("", |option| option.label());
        println!("{} {label}", asked.question());
        AskUserAnswer::select(asked.id(), [label])
    });
    Ok(open.accept(AskUserResponse::new(picked.collect::<Result<Vec<_>, _>>()?)?))
}

/// The model, by plain rules.
pub fn rules(request: &ChatRequest<'_>) -> Reply {
    match (request.system.unwrap_or_default().split(':').next(), request.messages().last()) {
        (Some("Clarify"), Some(Message::User { .. })) => {
            let options = ["to drink from", "to sell"].map(|label| json!({ "label": label, "description": "" }));
            Reply::text("").call("ask_user", json!({ "questions": [{ "question": "What for?", "header": "", "options": options }] }))
        }
        (Some("Clarify"), _) => Reply::text("Now it is clear."),
        (Some("Plan"), _) => Reply::text(json!(["the clay", "the glaze", "the handle"]).to_string()),
        (Some("Look up"), _) => Reply::text("matters"),
        (Some("Write"), _) => Reply::text("It depends."),
        (Some("Rewrite"), Some(Message::User { text })) => Reply::text(format!("A good mug: {text}.")),
        (Some("Review"), Some(Message::User { text })) if text == "It depends." => Reply::text("\"Thin\""),
        _ => Reply::text("\"Good\""),
    }
}

#[tokio::main]
async fn main() -> Result<(), BoxError> {
    let app = Research::app(Model::new(Scripted::by(rules)), Memory::new()).observe(|event: &Event| {
        if let EventKind::NodeEnded { place } = &event.kind {
            println!("  {place}");
        }
    });
    let mut outcome = app.thread("mugs").run("What makes a good mug?").await?;
    while let Outcome::Paused(paused) = outcome {
        outcome = app.thread("mugs").resume(paused.questions.into_iter().map(pick).collect::<Result<Vec<_>, _>>()?).await?;
    }
    println!("{}", outcome.completed().ok_or("it was stopped")?.output.report);
    Ok(())
}
