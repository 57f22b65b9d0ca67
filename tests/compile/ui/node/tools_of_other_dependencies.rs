#![allow(unused)]

use graphwright::prelude::*;

#[derive(Clone, Debug, Default, Serialize, Deserialize, State)]
struct Mail {
    text: String,
}

struct Deps;

#[tool]
fn send(cx: &Context<u8>) -> Result<(), ToolError> {
    Ok(())
}

fn no_tool() {}

#[node(tools(send))]
fn run(mail: &Mail, cx: &Context<Deps>) {}

fn main() {}
