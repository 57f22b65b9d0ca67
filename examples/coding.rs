//! A coding agent behind HTTP, whose calls of tools somebody approves, each by itself. `cargo run --example coding`
//!
//! The model makes three calls in one message. The one that only checks runs at once; the other two wait for the developer
//! at the same time, who lets one pass and forbids the other. What was approved is what runs, and each call has one result.
//! It prints what a browser gets, the model's words as they come, with a bar behind each piece, the calls that ran, what
//! the developer was asked, and the file at the end. The model is scripted: it needs no network but its own machine's.

use std::net::SocketAddr;
use std::sync::Arc;

use axum::{Router, extract::State as Served, response::IntoResponse, routing::post};
use graphwright::agent::{self, Approval, Conversation, HasTools, JsonSchema, Model, Reply, Scripted, Toolset, schemars, tool_calls};
use graphwright::axum::{HttpError, live};
use graphwright::prelude::*;
use graphwright::{BoxError, Event, EventKind, Given};
use serde_json::json;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Mutex;

/// What was said.
#[derive(Clone, Debug, Default, Serialize, Deserialize, State)]
pub struct Task {
    #[state(conversation)]
    pub talk: Conversation,
}

/// What the nodes and tools work with: never stored.
#[derive(Clone)]
pub struct Workspace {
    pub model: Model,
    tools: Toolset<Self>,
    pub file: Arc<Mutex<String>>,
}

impl HasTools for Workspace {
    fn tools(&self) -> &Toolset<Self> {
        &self.tools
    }
}

/// Reads the file.
#[tool]
async fn read_file(cx: &Context<Workspace>) -> Result<String, ToolError> {
    Ok(cx.deps().file.lock().await.clone())
}

#[derive(Deserialize, JsonSchema)]
struct Text {
    text: String,
}

/// Writes the file.
#[tool(needs_approval)]
async fn write_file(new: Text, cx: &Context<Workspace>) -> Result<&'static str, ToolError> {
    *cx.deps().file.lock().await = new.text;
    Ok("written")
}

fn does_more_than_check(command: &Text) -> bool {
    command.text != "cargo check"
}

/// Runs a command.
#[tool(needs_approval = does_more_than_check)]
async fn run(command: Text) -> Result<String, ToolError> {
    Ok(format!("`{}` went well", command.text))
}

/// Calls the model with the conversation so far.
#[node(model)]
pub async fn react(task: &Task, cx: &Context<Workspace>) -> NodeResult<Task> {
    let Workspace { model, tools, .. } = cx.deps();
    Ok(Task::update().talk(model.chat(&task.talk).system("You change a file of Rust.").tools(tools).send(cx).await?))
}

graph! {
    /// Changes a file, and asks the developer before it does.
    #[graph(version = 1, steps = 100)]
    pub Coder(Task, Workspace) {
        start -> react -> match tool_calls {
            Continue  => each agent::open_calls { tool_call } -> react at_most 8 else end unfinished,
            Repeating => agent::close_repeating,
            Finish    => end,
        };
        close_repeating -> end unfinished;

        tool_call: graph agent::ToolCall;
        react: retry(3, backoff(500ms)), timeout(60s);
    }
}

/// The developer. If the graph could ask anything else, this would not compile.
pub fn decide(Question::<Coder>::tool_call(call): Question<Coder>) -> Given {
    let writes = call.question.tool() == "write_file";
    println!("may it {} {}? {}", call.question.tool(), call.question.arguments(), if writes { "yes" } else { "no" });
    call.accept(if writes { Approval::Approve } else { Approval::Reject("nothing is deleted here".to_owned()) })
}

/// Answers what is open: all at once here; one by one, by different people and days apart, is as good.
async fn approve(Served(app): Served<App<Coder>>) -> Result<impl IntoResponse, HttpError> {
    let answers: Vec<Given> = app.thread("rename").pending().await?.into_iter().map(decide).collect();
    Ok(live(app.thread("rename").resume(answers).stream()))
}

async fn say(Served(app): Served<App<Coder>>, text: String) -> impl IntoResponse {
    live(app.thread("rename").run(text).stream())
}

/// What a browser does: it sends something, and shows what comes.
async fn send(server: SocketAddr, path: &str, text: &str) -> Result<(), BoxError> {
    let mut stream = BufReader::new(TcpStream::connect(server).await?);
    stream.write_all(format!("POST {path} HTTP/1.0\r\nContent-Length: {}\r\n\r\n{text}", text.len()).as_bytes()).await?;
    let mut lines = stream.lines();
    while let Some(line) = lines.next_line().await? {
        match line.strip_prefix("data: ").map(serde_json::from_str::<Event>).transpose()?.map(|event| event.kind) {
            Some(EventKind::TextDelta { text }) => print!("{text}|"),
            Some(EventKind::ModelEnded { .. }) => println!(),
            Some(EventKind::ToolEnded { tool, outcome, .. }) => println!("  {tool} {outcome:?}"),
            _ => {}
        }
    }
    Ok(())
}

/// One that has its three messages by heart, or whatever else a test gives it.
pub fn workspace(replies: impl IntoIterator<Item = Reply>) -> Result<Workspace, BoxError> {
    let (model, file) = (Model::new(Scripted::new(replies).in_chunks_of(9)), Arc::new(Mutex::new("fn greet() {}".to_owned())));
    Ok(Workspace { model, tools: toolset![read_file, write_file, run]?, file })
}

pub fn story() -> [Reply; 3] {
    let calls = Reply::text("I rename it, check that, and clean up.").call("write_file", json!({ "text": "fn welcome() {}" }));
    let calls = calls.call("run", json!({ "text": "cargo check" })).call("run", json!({ "text": "rm -rf target" }));
    let last = Reply::text("It is `welcome` now. I left the old build there.");
    [Reply::text("I read it first.").call("read_file", json!({})), calls, last]
}

#[tokio::main]
async fn main() -> Result<(), BoxError> {
    let (deps, listener) = (workspace(story())?, TcpListener::bind(("127.0.0.1", 0)).await?);
    let (file, server) = (Arc::clone(&deps.file), listener.local_addr()?);
    let routes = Router::new().route("/say", post(say)).route("/approve", post(approve)).with_state(Coder::app(deps, Memory::new()));
    tokio::spawn(async move { axum::serve(listener, routes).await });
    send(server, "/say", "Rename greet to welcome").await?;
    send(server, "/approve", "").await?;
    println!("the file: {}", file.lock().await);
    Ok(())
}
