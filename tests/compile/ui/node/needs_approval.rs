#![allow(unused)]

use graphwright::prelude::*;

#[derive(Clone, Debug, Default, Serialize, Deserialize, State)]
struct Mail {
    text: String,
}

struct Deps;

#[tool(needs_approval)]
fn send() -> Result<(), ToolError> {
    Ok(())
}

#[node(needs_approval)]
fn draft(mail: &Mail) {}

#[node(tools(send), needs_approval)]
fn run(mail: &Mail, cx: &Context<Deps>) {}

#[node(tools(send))]
fn run_without(mail: &Mail) {}

#[node(tools = send)]
fn run_one(mail: &Mail, cx: &Context<Deps>) {}

struct Approve;

#[node(elicitation, approves)]
impl Interrupt<Mail, Deps> for Approve {
    type Question = String;
    type Answer = String;
    async fn ask(mail: &Mail, cx: &Context<Deps>) -> Result<Ask<Self>, NodeError> {
        Ok(Ask::question(String::new()))
    }
    fn resume(mail: &Mail, asked: &String, answer: Answer<String>) -> NodeResult<Self> {
        Ok(Mail::update())
    }
}

fn main() {}
