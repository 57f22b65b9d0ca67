//! Where nobody denies it, the answer may go to another model.
#![deny(warnings)]

use graphwright::agent::{Conversation, ask_user_pending, elicitation};
use graphwright::prelude::*;

#[derive(Clone, Debug, Default, Serialize, Deserialize, State)]
pub struct Ticket {
    #[state(conversation)]
    talk: Conversation,
}

#[derive(Route)]
pub enum Next {
    Call,
    Done,
}

#[node(model, asks)]
pub async fn react(_: &Ticket) {}

#[node(tools)]
pub async fn call_tools(_: &Ticket) {}

#[router]
pub fn next(_: &Ticket) -> Next {
    Next::Done
}

#[node(model)]
pub async fn summarise(_: &Ticket) {}

graph! {
    pub Agent(Ticket) {
        start -> react;
        react -> elicitation if ask_user_pending;
        react -> match next { Call => call_tools, Done => end };
        call_tools -> react;
        elicitation -> summarise -> end;
    }
}

fn main() {}
