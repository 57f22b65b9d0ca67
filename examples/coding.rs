//! A coding agent whose calls of tools somebody approves, each by itself. `cargo run --example coding`
//!
//! The model makes three calls in one message. The one that only checks runs at once; the other two wait for the developer
//! at the same time, who lets one pass and forbids the other. What was approved is what runs, and each call has one result.
//! It prints the model's words as they come, with a bar behind each piece, the calls that ran, what the developer was
//! asked, and the file at the end. The model is scripted: it needs no network.

use std::sync::Arc;

use graphwright::agent::{self, Approval, Conversation, HasTools, JsonSchema, Model, Reply, Scripted, Toolset, tool_calls};
use graphwright::prelude::*;
use graphwright::{BoxError, EventKind, Given, Run};
use serde_json::json;
use tokio::sync::Mutex;

const PROMPT: &str = "You change a file of Rust. Read it before you write it, and check it.";

/// What was said.
#[derive(Clone, Debug, Default, Serialize, Deserialize, State)]
pub struct Task {
    #[state(conversation)]
    talk: Conversation,
}

/// What the nodes and tools work with: never stored.
#[derive(Clone)]
pub struct Workspace {
    model: Model,
    tools: Toolset<Self>,
    file: Arc<Mutex<String>>,
}

impl Workspace {
    pub fn new(model: Model, file: Arc<Mutex<String>>) -> Result<Self, BoxError> {
        Ok(Self { model, tools: toolset![read_file, write_file, run]?, file })
    }
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
#[schemars(crate = "graphwright::agent::schemars")]
struct Text {
    text: String,
}

/// Writes the file.
#[tool(needs_approval)]
async fn write_file(new: Text, cx: &Context<Workspace>) -> Result<&'static str, ToolError> {
    *cx.deps().file.lock().await = new.text;
    Ok("written")
}

#[derive(Deserialize, JsonSchema)]
#[schemars(crate = "graphwright::agent::schemars")]
struct Shell {
    command: String,
}

fn does_more_than_check(shell: &Shell) -> bool {
    shell.command != "cargo check"
}

/// Runs a command.
#[tool(needs_approval = does_more_than_check)]
async fn run(shell: Shell) -> Result<String, ToolError> {
    Ok(format!("`{}` went well", shell.command))
}

/// Calls the model with the conversation so far.
#[node(model)]
async fn react(task: &Task, cx: &Context<Workspace>) -> NodeResult<Task> {
    let Workspace { model, tools, .. } = cx.deps();
    Ok(Task::update().talk(model.chat(&task.talk).system(PROMPT).tools(tools).send(cx).await?))
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
pub fn decide(question: Question<Coder>) -> Given {
    let Question::<Coder>::tool_call(call) = question;
    let (tool, arguments) = (call.question.tool(), call.question.arguments());
    let (word, approval) = match tool {
        "write_file" => ("yes", Approval::Approve),
        _ => ("no", Approval::Reject("nothing is deleted here".to_owned())),
    };
    println!("may it {tool} {arguments}? {word}");
    call.accept(approval)
}

/// Drives a run by reading its events.
async fn show(run: Run<Coder>) -> Result<Outcome<Coder>, RunError> {
    let mut events = run.stream();
    while let Some(event) = events.next().await {
        match event.kind {
            EventKind::TextDelta { text } => print!("{text}|"),
            EventKind::ModelEnded { .. } => println!(),
            EventKind::ToolEnded { tool, outcome, .. } => println!("  {tool} {outcome:?}"),
            _ => {}
        }
    }
    events.outcome().await
}

#[tokio::main]
async fn main() -> Result<(), BoxError> {
    let script = Scripted::new([
        Reply::text("I read it first.").call("read_file", json!({})),
        Reply::text("I rename it, check that, and clean up.")
            .call("write_file", json!({ "text": "fn welcome() {}" }))
            .call("run", json!({ "command": "cargo check" }))
            .call("run", json!({ "command": "rm -rf target" })),
        Reply::text("It is `welcome` now. I left the old build there."),
    ]);
    let (model, file) = (Model::new(script.in_chunks_of(9)), Arc::new(Mutex::new("fn greet() {}".to_owned())));
    let thread = Coder::app(Workspace::new(model, Arc::clone(&file))?, Memory::new()).thread("rename");
    let mut outcome = show(thread.run("Rename greet to welcome")).await?;
    while let Outcome::Paused(paused) = outcome {
        // Both at once here; one by one, by different people and days apart, is as good.
        outcome = show(thread.resume(paused.questions.into_iter().map(decide).collect::<Vec<_>>())).await?;
    }
    println!("the file: {}", file.lock().await);
    Ok(())
}
